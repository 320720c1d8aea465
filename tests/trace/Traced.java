// SPDX-License-Identifier: Apache-2.0
import java.util.function.IntUnaryOperator;
/** Calls of every shape, a known number of times: recursion, exceptions, constructors, threads, lambdas. */
public class Traced {
    static class Base {
        final int v;
        Base(int v) { this.v = check(v); }
        Base(boolean unused) { this(check(7)); }
        static int check(int v) { if (v < 0) throw new IllegalArgumentException(); return v; }
    }
    static class Derived extends Base {
        Derived(int v) { super(v > 100 ? -1 : v); if (v == 50) throw new IllegalStateException(); }
    }
    interface Shape { default int area() { return side() * side(); } int side(); }
    record Square(int side) implements Shape {}

    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static boolean even(int n) { return n == 0 || odd(n - 1); }
    static boolean odd(int n) { return n != 0 && even(n - 1); }
    static void deep(int n) { if (n > 0) deep(n - 1); else throw new RuntimeException("bottom"); }
    static int caught(int n) { try { deep(n); return 0; } catch (RuntimeException e) { return 1; } finally { tidy(); } }
    static void tidy() {}
    static synchronized long wide(long a, double b, int c) { return a + (long) b + c; }
    static int endless(int n) { return endless(n + 1) + 1; }
    static void after() {}
    static void overflow() { try { endless(0); } catch (StackOverflowError e) { after(); } }
    static void work(int n) { for (int i = 0; i < n; i++) tidy(); }
    static int m(int n, int k) { // many children
        switch (n) { case 0: return a0(k); case 1: return a1(k); case 2: return a2(k); case 3: return a3(k); default: return a4(k); }
    }
    static int a0(int k) { return k; } static int a1(int k) { return k; } static int a2(int k) { return k; }
    static int a3(int k) { return k; } static int a4(int k) { return k; }
    static void slow() throws InterruptedException { Thread.sleep(60); }

    public static void main(String[] args) throws Exception {
        int sum = fib(15);
        sum += even(301) ? 1 : 0;
        for (int i = 0; i < 10; i++) sum += caught(i * 20);
        for (int i = 0; i < 120; i += 10) try { sum += new Derived(i).v; } catch (RuntimeException e) { sum++; }
        sum += new Base(true).v;
        for (int i = 0; i < 100; i++) sum += wide(i, 1.5, 2);
        IntUnaryOperator twice = x -> x * 2;
        for (int i = 0; i < 25; i++) sum += twice.applyAsInt(i);
        for (int i = 0; i < 9; i++) sum += new Square(i).area();
        for (int i = 0; i < 1000; i++) sum += m(i % 5, i);
        Thread[] ts = new Thread[6];
        for (int k = 0; k < ts.length; k++) (ts[k] = new Thread(() -> work(5000), "worker")).start();
        for (Thread t : ts) t.join();
        for (int k = 0; k < 40; k++) { Thread t = new Thread(() -> work(10)); t.start(); t.join(); }
        slow();
        overflow();
        System.out.println(sum);
    }
}
