// SPDX-License-Identifier: Apache-2.0
// modes: !checkjni
import java.lang.reflect.Method;

/** Call*Method in every form: 10 results x 3 modes x 3 argument forms, with extremes of every type. */
public class Calls {
    static class Base {
        final int tag;
        Base() { tag = 1; }
        Base(boolean z, byte b, char c, short s, int i, long l, float f, double d, Object o) { tag = 2; System.out.println("ctor " + join(z, b, c, s, i, l, f, d, o)); }
        Base(int fail) { tag = 3; throw new IllegalStateException("ctor " + fail); }

        boolean vZ(boolean v) { return v; }
        byte vB(byte v) { return v; }
        char vC(char v) { return v; }
        short vS(short v) { return v; }
        int vI(int v) { return v; }
        long vJ(long v) { return v; }
        float vF(float v) { return v; }
        double vD(double v) { return v; }
        Object vL(Object v) { return v; }
        void vV(int v) { System.out.println("  base void " + v); }
        String mixed(boolean z, byte b, char c, short s, int i, long l, float f, double d, Object o) { return "base " + join(z, b, c, s, i, l, f, d, o); }
        String many(int a, long b, float c, double d, int e, long f, float g, double h, int i, long j, float k, double l, double m, double n, double o, double p, double q, double r, double s) {
            return a + " " + b + " " + c + " " + d + " " + e + " " + f + " " + g + " " + h + " " + i + " " + j + " " + k + " " + l + " " + m + " " + n + " " + o + " " + p + " " + q + " " + r + " " + s;
        }
        private int secret(int v) { return v + 1; }
    }

    static class Derived extends Base {
        boolean vZ(boolean v) { return !v; }
        byte vB(byte v) { return (byte) ~v; }
        char vC(char v) { return (char) ~v; }
        short vS(short v) { return (short) ~v; }
        int vI(int v) { return ~v; }
        long vJ(long v) { return ~v; }
        float vF(float v) { return -v; }
        double vD(double v) { return -v; }
        Object vL(Object v) { return "derived " + v; }
        void vV(int v) { System.out.println("  derived void " + v); }
        String mixed(boolean z, byte b, char c, short s, int i, long l, float f, double d, Object o) { return "derived " + join(z, b, c, s, i, l, f, d, o); }
        private int secret(int v) { return v + 2; }
    }

    static boolean sZ(boolean v) { return v; }
    static byte sB(byte v) { return v; }
    static char sC(char v) { return v; }
    static short sS(short v) { return v; }
    static int sI(int v) { return v; }
    static long sJ(long v) { return v; }
    static float sF(float v) { return v; }
    static double sD(double v) { return v; }
    static Object sL(Object v) { return v; }
    static void sV(int v) { System.out.println("  static void " + v); }
    static String sMixed(boolean z, byte b, char c, short s, int i, long l, float f, double d, Object o) { return join(z, b, c, s, i, l, f, d, o); }

    static String join(boolean z, byte b, char c, short s, int i, long l, float f, double d, Object o) {
        return z + " " + b + " " + (int) c + " " + s + " " + i + " " + l + " " + Float.floatToRawIntBits(f) + " " + Double.doubleToRawLongBits(d) + " " + o;
    }

    interface Shape { default String name() { return "shape"; } int sides(); static int count() { return 3; } }
    static class Square implements Shape { public int sides() { return 4; } }
    static class Named extends Square { public String name() { return "named"; } }
    static abstract class Abstract { abstract int f(); }
    static class Bad { static { if (true) throw new RuntimeException("bad init"); } static int f() { return 1; } }
    static class Worse { static { if (true) throw new Error("worse init"); } static int f() { return 1; } }
    static class Worst { static int n = 1 / Integer.parseInt("0"); static int f() { return 1; } }
    static class Counter { static int n; static { n = 40; System.out.println("  Counter initialised"); } static int next() { return ++n; } }

    static int deep(int n) { return n == 0 ? 0 : 1 + back(n - 1); }
    static native int back(int n);

    static native void virtuals(Base base, Base derived);
    static native void statics();
    static native void objects(Class<?> bad);
    static native void interfaces(Shape a, Shape b);
    static native void failures(Base base, Class<?> bad);
    static native void wide(Base base);
    static native void narrow();

    // results of natives: only the low bits count
    static native boolean nz(int v);
    static native byte nb(int v);
    static native char nc(int v);
    static native short ns(int v);

    public static void main(String[] args) throws Exception {
        System.loadLibrary("Calls");
        virtuals(new Base(), new Derived());
        statics();
        objects(Bad.class);
        interfaces(new Square(), new Named());
        failures(new Base(), Worst.class);
        wide(new Base());
        narrow();
        for (int v : new int[] {0, 1, 2, 255, 256, 257, -1, 0x10000, 0x18000, 0x1ff80, Integer.MIN_VALUE}) System.out.println(v + ": " + nz(v) + " " + nb(v) + " " + (int) nc(v) + " " + ns(v));
        System.out.println(deep(200));
        try { System.out.println(deep(1_000_000)); } catch (StackOverflowError e) { System.out.println("overflow through natives"); }
        System.out.println(deep(50));
    }
}
