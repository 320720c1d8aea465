// SPDX-License-Identifier: Apache-2.0
// options: -XX:-OmitStackTraceInFastThrow

/** Arithmetic whose operands are constants of the compiled code: arguments of inlined methods, static finals; and bits that are only tested. */
public class Folding {
    static int i(int op, int x, int y) {
        switch (op) {
        case 0: return add(x, y);
        default: return 0;
        }
    }
    static int add(int x, int y) { return x + y; }
    static int sub(int x, int y) { return x - y; }
    static int mul(int x, int y) { return x * y; }
    static int div(int x, int y) { return x / y; }
    static int rem(int x, int y) { return x % y; }
    static int shl(int x, int y) { return x << y; }
    static int shr(int x, int y) { return x >> y; }
    static int ushr(int x, int y) { return x >>> y; }
    static int bits(int x, int y) { return (x & y) * 3 + (x | y) * 5 + (x ^ y) * 7; }
    static int unary(int x) { return -x + (byte) x + (char) x + (short) x; }
    static long add(long x, long y) { return x + y; }
    static long sub(long x, long y) { return x - y; }
    static long mul(long x, long y) { return x * y; }
    static long div(long x, long y) { return x / y; }
    static long rem(long x, long y) { return x % y; }
    static long shl(long x, int y) { return x << y; }
    static long shr(long x, int y) { return x >> y; }
    static long ushr(long x, int y) { return x >>> y; }
    static long bits(long x, long y) { return (x & y) * 3 + (x | y) * 5 + (x ^ y) * 7; }
    static int order(long x, long y) { return x < y ? -1 : x == y ? 0 : 1; }
    static long widen(int x) { return x; }
    static int narrow(long x) { return (int) x; }
    static long negate(long x) { return -x; }
    static final int MIN = Integer.MIN_VALUE, SEED = System.getProperties().size() > 0 ? 0x89abcdef : 1;
    static final long WIDE = System.getProperties().size() > 0 ? 0x8123456789abcdefL : 1;

    static long ints() {
        long s = add(MIN, -1) + 3L * sub(MIN, 1) + 5L * mul(SEED, SEED) + 7L * div(MIN, -1) + 11L * rem(MIN, -1) + 13L * div(SEED, 7);
        s = s * 31 + rem(SEED, 7) + 3L * rem(-7, 3) + 5L * div(-7, 3) + 7L * shl(SEED, 33) + 11L * shr(SEED, -1) + 13L * ushr(SEED, 40);
        s = s * 31 + bits(SEED, MIN) + 3L * unary(SEED) + 5L * unary(MIN) + 7L * ushr(-1, 28) + 11L * shr(MIN, 31) + i(0, SEED, MIN);
        return s;
    }
    static long longs() {
        long s = add(Long.MIN_VALUE, -1L) + 3 * sub(Long.MIN_VALUE, 1L) + 5 * mul(WIDE, WIDE) + 7 * div(Long.MIN_VALUE, -1L);
        s = s * 31 + rem(Long.MIN_VALUE, -1L) + 3 * div(WIDE, 7L) + 5 * rem(WIDE, 7L) + 7 * shl(WIDE, 65) + 11 * shr(WIDE, -1) + 13 * ushr(WIDE, 70);
        s = s * 31 + bits(WIDE, 3L) + 3 * widen(SEED) + 5 * narrow(WIDE) + 7 * negate(WIDE) + 11 * negate(Long.MIN_VALUE);
        return s * 31 + order(WIDE, 0L) + 3 * order(5L, 5L) + 9 * order(1L << 32, 1L);
    }
    static String zero(int y, long z) {
        try { return "" + div(SEED, 0) + y; } catch (ArithmeticException e) { y++; }
        try { return "" + rem(WIDE, 0L) + z; } catch (ArithmeticException e) { return e.getMessage() + y + z; }
    }
    static int tests(int x, int y) {
        int s = 0;
        if ((x & 1) != 0) s |= 1;
        if ((x & y) == 0) s |= 2;
        if ((MIN & x) < 0) s |= 4;
        if ((x & y) >= 0) s |= 8;
        if ((x & y) > 0) s |= 16;
        if ((0x7f00 & x) <= 0) s |= 32;
        s |= (x & 0x80) == 0 ? 64 : 0;
        while ((x & 3) != 0) { x--; s += 256; }
        return s;
    }

    public static void main(String[] args) {
        long sum = 0, other = 0;
        int tested = 0;
        String last = "";
        for (int k = 0; k < 2000; k++) {
            sum = sum * 17 + ints();
            other = other * 17 + longs();
            tested = tested * 31 + tests(k * 0x9e3779b9, k - 1000);
            if (k % 100 == 0) last = zero(k, k);
        }
        System.out.println(ints() + " " + longs() + " " + sum + " " + other + " " + tested + " " + last);
    }
}
