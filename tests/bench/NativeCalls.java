// SPDX-License-Identifier: Apache-2.0
/** Calls into native code with integer, floating-point and many arguments, and calls back from there. */
public class NativeCalls {
    static native int ints(int a, long b, int c);
    static native double doubles(double a, double b, float c);
    static native float mixed(int a, float b, long c, double d, NativeCalls e);
    static native double many(int a, double b, int c, double d, int e, double f, int g, double h, int i, double j, long k, float l);
    native double up(int n);

    int calls;
    double step(int i, double v) { calls++; return v + i; }
    static long plus(long a, int b) { return a + b; }

    public static void main(String[] args) {
        System.loadLibrary("NativeCalls");
        long t = System.nanoTime();
        long sum = 0;
        double d = 0;
        NativeCalls o = new NativeCalls();
        for (int i = 0; i < 1_500_000; i++) sum += ints(i, sum, 3);
        for (int i = 0; i < 1_500_000; i++) d += doubles(d, i, 0.5f);
        for (int i = 0; i < 1_500_000; i++) d += mixed(i, 1.5f, i, 2.5, o);
        for (int i = 0; i < 1_000_000; i++) d += many(1, d, 2, 0.25, 3, i, 4, 1, i, 0.5, 5, 1f);
        for (int i = 0; i < 20; i++) d += o.up(100_000);
        System.out.println(sum + " " + d + " " + o.calls);
        Bench.done(t);
    }
}
