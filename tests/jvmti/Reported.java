// SPDX-License-Identifier: Apache-2.0

/** Calls of every kind, hot and then reported: the events of method entry and exit that agent_reported.c gets. */
public class Reported {
    interface Shape { int area(int k); }
    static class Square implements Shape {
        int side = 3;
        int side() { return side; }
        public int area(int k) { return side() * side() + k; }
    }
    static class Line implements Shape { public int area(int k) { return k; } }
    static class Base { int value() { return 1; } void nothing() { } }
    static class Derived extends Base { int value() { return 2; } }
    static class Failure extends RuntimeException { Failure() { super("failure", null, false, false); } }

    static native void report(boolean entries, boolean exits, Thread only);
    static native void tell(boolean aloud);
    static native void during(int what, int countdown);
    static native int halved(int x);
    static native void fail(Class<?> c);

    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static long wide(long a, int b) { return a + b; }
    static double real(double a, float b) { return a * b; }
    static float single(float a) { return a + 0.5f; }
    static byte small(int x) { return (byte) x; }
    static boolean odd(int x) { return (x & 1) != 0; }
    static String text(Object o) { return (String) o; }
    static synchronized int locked(int x) { return x + 1; }
    synchronized void own(int x) { field += x; }
    int field;
    static int loop(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s += odd(i) ? 1 : 2;
        return s;
    }
    static int throwing(int x) {
        if (x > 1) throw new Failure();
        return x;
    }
    static int catching(int x) {
        try {
            return throwing(x) + 1;
        } catch (Failure e) {
            return -1;
        } finally {
            mark++;
        }
    }
    static int mark;
    static int passing(int x) { return throwing(x); }
    static synchronized int lockedPassing(int x) { return passing(x); }
    static int dividing(int x) { return 10 / x; }
    static int length(int[] a) { return a.length; }
    static void noReturn(Base b) { b.nothing(); }
    static int sum;

    static void all(int n, Shape[] shapes, Base[] bases, Reported r) {
        sum += fib(n);
        sum += (int) wide(1L << 33, n) + (int) real(1.5, n) + (int) single(n) + small(300 + n) + text("abc").length();
        sum += locked(n) + loop(3) + halved(n);
        r.own(n);
        for (Shape s : shapes) sum += s.area(n);
        for (Base b : bases) {
            sum += b.value();
            noReturn(b);
        }
        sum += catching(1) + catching(2);
        try { sum += lockedPassing(2); } catch (Failure e) { sum++; }
        try { sum += dividing(0); } catch (ArithmeticException e) { sum++; }
        try { sum += length(null); } catch (NullPointerException e) { sum++; }
        try { fail(Failure.class); } catch (Failure e) { sum++; }
    }

    public static void main(String[] args) throws Exception {
        Shape[] shapes = {new Square(), new Line()};
        Base[] bases = {new Base(), new Derived()};
        Reported r = new Reported();
        for (int k = 0; k < 4; k++) {
            tell(false);
            for (int i = 0; i < 300; i++) all(4, shapes, bases, r);
            boolean[][] modes = {{true, false}, {false, true}, {true, true}};
            for (boolean[] m : modes) {
                report(m[0], m[1], k % 2 == 0 ? null : Thread.currentThread());
                for (int i = 0; i < 300; i++) all(4, shapes, bases, r);
                tell(true);
                for (int i = 0; i < 2; i++) all(3, shapes, bases, r);
                tell(false);
                report(false, false, k % 2 == 0 ? null : Thread.currentThread());
            }
            System.out.println("round " + k + " " + sum);
        }
        for (int what = 1; what <= 6; what++) { // in the midst of a callback
            report(true, true, null);
            for (int i = 0; i < 300; i++) sum += fib(4);
            for (int at : new int[] {1, 2, 5, 10, 17}) {
                tell(true);
                during(what, at);
                try {
                    System.out.println(what + " " + at + ": " + fib(4));
                } catch (IllegalStateException e) {
                    System.out.println(what + " " + at + ": " + e.getMessage());
                }
                tell(false);
                report(true, true, null);
            }
            report(false, false, null);
        }
        Thread other = new Thread(() -> { // others go on
            for (int i = 0; i < 40_000; i++) sum2 += fib(6);
            while (!ending) fib(6); // alive as long as its events are switched
        });
        other.start();
        for (int i = 0; i < 50; i++) {
            report(true, true, null);
            fib(5);
            report(false, false, null);
            report(true, true, other);
            report(false, false, other);
        }
        ending = true;
        other.join();
        System.out.println(sum2);
    }
    static int sum2;
    static volatile boolean ending;
}
