// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=2
/* Every arithmetic instruction over corner values, interpreted at first and compiled from the second call on. */
public class Arithmetic {
    static final int[] INTS = {0, 1, -1, 2, 7, -7, 31, 32, 33, 63, 64, 0x7fffffff, 0x80000000, 0x12345678, 0xfedcba98, 255, 256, 65535, -129};
    static final long[] LONGS = {0, 1, -1, 2, 10, -10, 63, 64, 0x7fffffffL, 0x80000000L, -0x80000000L, 0xffffffffL,
        Long.MAX_VALUE, Long.MIN_VALUE, 0x123456789abcdef0L, -0x123456789abcdefL};
    static final float[] FLOATS = {0f, -0f, 1f, -1f, 0.5f, 3.7f, -3.7f, 1e10f, -1e10f, 1e20f, 1e-40f, Float.MAX_VALUE, Float.MIN_VALUE,
        Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 2147483648f, -2147483648f};
    static final double[] DOUBLES = {0, -0.0, 1, -1, 0.5, 3.7, -3.7, 1e10, -1e10, 1e20, 1e300, -1e300, 4e-324, Double.NaN,
        Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 2147483647.5, -2147483648.5, 9.3e18};

    static long sum;
    static void add(long v) { sum = sum * 31 + v; }
    static void add(float v) { add((long) Float.floatToIntBits(v)); }
    static void add(double v) { add(Double.doubleToLongBits(v)); }
    static void show(String what) { System.out.println(what + " " + Long.toHexString(sum)); sum = 0; }

    static void ints(int a, int b) {
        add(a + b); add(a - b); add(a * b); add(a & b); add(a | b); add(a ^ b); add(-a); add(~a);
        add(a << b); add(a >> b); add(a >>> b); add(a << 5); add(a >> 31); add(a >>> 1); add(a << 32);
        add(a + 1000000); add(a - 7); add(5 - a); add(a * 10); add(a * 100000); add(a & 255);
        if (b != 0) { add(a / b); add(a % b); }
        add(a / 3); add(a % 10); add(a / -1); add(a % -1);
        add((byte) a); add((char) a); add((short) a); add((long) a); add((float) a); add((double) a);
        a += b; a -= 3; a++; add(a); add(a++ + ++b - a--);
    }
    static void longs(long a, long b) {
        add(a + b); add(a - b); add(a * b); add(a & b); add(a | b); add(a ^ b); add(-a); add(~a);
        add(a << (int) b); add(a >> (int) b); add(a >>> (int) b); add(a << 5); add(a >> 63); add(a >>> 1); add(a << 64);
        add(a + 1000000000000L); add(a - 7); add(5 - a); add(a * 10); add(a & 0xffffffffL);
        if (b != 0) { add(a / b); add(a % b); }
        add(a / 3); add(a % 10); add(a / -1); add(a % -1);
        add((int) a); add((float) a); add((double) a); add((byte) a);
        a += b; a -= 3; a++; add(a); add(a++ + ++b - a--);
    }
    static void floats(float a, float b) {
        add(a + b); add(a - b); add(a * b); add(a / b); add(a % b); add(-a); add(0f - a); add(a * 2f);
        add((int) a); add((long) a); add((double) a); add((byte) a); add((char) a);
        a += b; a *= 3; add(a);
    }
    static void doubles(double a, double b) {
        add(a + b); add(a - b); add(a * b); add(a / b); add(a % b); add(-a); add(0 - a); add(a * 2);
        add((int) a); add((long) a); add((float) a); add((short) a);
        a += b; a *= 3; add(a); a++; add(a);
    }
    static int intTests(int a, int b) {
        int r = 0;
        if (a == b) r |= 1; if (a != b) r |= 2; if (a < b) r |= 4; if (a <= b) r |= 8; if (a > b) r |= 16; if (a >= b) r |= 32;
        if (a == 0) r |= 64; if (a != 0) r |= 128; if (a < 0) r |= 256; if (a <= 0) r |= 512; if (a > 0) r |= 1024; if (a >= 0) r |= 2048;
        return r;
    }
    static int longTests(long a, long b) {
        int r = 0;
        if (a == b) r |= 1; if (a != b) r |= 2; if (a < b) r |= 4; if (a <= b) r |= 8; if (a > b) r |= 16; if (a >= b) r |= 32;
        if (a == 0) r |= 64; if (a < 5) r |= 128; if (a > 0x123456789L) r |= 256;
        return r * 10 + Long.compare(a, b) + (a < b ? 100000 : 0);
    }
    static int floatTests(float a, float b) {
        int r = 0;
        if (a == b) r |= 1; if (a != b) r |= 2; if (a < b) r |= 4; if (a <= b) r |= 8; if (a > b) r |= 16; if (a >= b) r |= 32;
        if (!(a < b)) r |= 64; if (!(a <= b)) r |= 128; if (!(a > b)) r |= 256; if (!(a >= b)) r |= 512;
        boolean x = a < b, y = a > b;
        return r * 4 + (x ? 1 : 0) + (y ? 2 : 0);
    }
    static int doubleTests(double a, double b) {
        int r = 0;
        if (a == b) r |= 1; if (a != b) r |= 2; if (a < b) r |= 4; if (a <= b) r |= 8; if (a > b) r |= 16; if (a >= b) r |= 32;
        if (!(a < b)) r |= 64; if (!(a <= b)) r |= 128; if (!(a > b)) r |= 256; if (!(a >= b)) r |= 512;
        boolean x = a < b, y = a > b;
        return r * 4 + (x ? 1 : 0) + (y ? 2 : 0);
    }
    static boolean toBoolean(int v) { return (v & 1) != 0; }
    static byte toByte(int v) { return (byte) v; }
    static char toChar(int v) { return (char) v; }
    static short toShort(int v) { return (short) v; }
    /* More values than registers, and calls between. */
    static double crowd(int a, long b, float c, double d, int e, long f, double g, double h) {
        int i = a + e, j = a - e, k = a * 3, l = e * 5, m = i ^ j, n = k + l, o = m - n;
        long p = b + f, q = b * 3 - f, r = p ^ q;
        double s = d + g, t = d * h, u = s - t, v = c * 2.0, w = u + v, x = w * 0.5, y = x - s, z = y + t;
        for (int step = 0; step < 20; step++) {
            i += j; j ^= k; k += l; l -= m; m += n; n ^= o; o += step;
            p += q; q -= r; r ^= p; s += t * 0.25; t -= u; u += v; v *= 0.5; w += x; x -= y; y += z; z = s - t;
            if ((step & 7) == 3) add(i + j + k + l + m + n + o);
        }
        return i + j + k + l + m + n + o + p + q + r + s + t + u + v + w + x + y + z + a * (b + (c - (d + (e * (f - (g + h))))));
    }

    public static void main(String[] args) {
        for (int a : INTS) for (int b : INTS) ints(a, b);
        show("int");
        for (long a : LONGS) for (long b : LONGS) longs(a, b);
        show("long");
        for (float a : FLOATS) for (float b : FLOATS) floats(a, b);
        show("float");
        for (double a : DOUBLES) for (double b : DOUBLES) doubles(a, b);
        show("double");
        for (int a : INTS) for (int b : INTS) add(intTests(a, b));
        for (long a : LONGS) for (long b : LONGS) add(longTests(a, b));
        for (float a : FLOATS) for (float b : FLOATS) add(floatTests(a, b));
        for (double a : DOUBLES) for (double b : DOUBLES) add(doubleTests(a, b));
        show("tests");
        for (int a : INTS) { add(toBoolean(a) ? 1 : 0); add(toByte(a)); add(toChar(a)); add(toShort(a)); }
        show("narrow");
        for (int a : INTS) for (double d : DOUBLES) add(crowd(a, LONGS[a & 15], FLOATS[a & 15], d, a * 7, -a, d + 1, d * a));
        show("crowd");
    }
}
