// SPDX-License-Identifier: Apache-2.0
/** Virtual, interface and static calls at monomorphic, bimorphic and megamorphic sites. */
public class Dispatch {
    interface Shape { int area(int k); }
    static abstract class Base implements Shape { int n; Base(int n) { this.n = n; } abstract int v(int k); public int area(int k) { return v(k) + n; } }
    static class A extends Base { A(int n) { super(n); } int v(int k) { return k + n; } }
    static class B extends Base { B(int n) { super(n); } int v(int k) { return k ^ n; } }
    static class C extends Base { C(int n) { super(n); } int v(int k) { return k * n; } }
    static class D extends C { D(int n) { super(n); } int v(int k) { return super.v(k) + 1; } }
    static class E implements Shape, Comparable<E> { public int area(int k) { return k - 1; } public int compareTo(E o) { return 0; } }
    static int stat(int a, int b) { return a - b; }
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

    public static void main(String[] x) {
        long t = System.nanoTime();
        Base[] bs = {new A(1), new B(2), new C(3), new D(4)};
        Shape[] ss = {new A(5), new E(), new D(6), new B(7), new C(8)};
        Base mono = new B(9);
        int s = 0;
        for (int i = 0; i < 4000000; i++) { s += bs[i & 3].v(i); s ^= ss[i % 5].area(i); s += mono.v(s); s = stat(s, i); }
        System.out.println(s + " " + fib(30));
        Bench.done(t);
    }
}
