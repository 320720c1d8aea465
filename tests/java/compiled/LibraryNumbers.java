// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2
import java.math.BigInteger;
import java.util.Random;

/* Methods of Math and of the wrappers that machine code stands for, with operands in registers, memory, constants and pinned locals. */
public class LibraryNumbers {
    static final int[] INTS = {0, 1, -1, 2, 7, -7, 31, 32, 33, 0x7fffffff, 0x80000000, 0x80000001, 0x12345678, 0xfedcba98, 255, 0xff00, 0xaaaaaaaa};
    static final long[] LONGS = {0, 1, -1, 2, 10, -10, 63, 64, 0x7fffffffL, 0x80000000L, -0x80000000L, 0xffffffffL, 1L << 32, 0xff00000000L,
        Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1, 0x123456789abcdef0L, -0x123456789abcdefL};
    static final float[] FLOATS = {0f, -0f, 1f, -1f, 0.5f, 2.5f, -2.5f, 3.7f, -3.7f, 1e10f, -1e20f, 1e-40f, Float.MAX_VALUE, Float.MIN_VALUE, Float.NaN,
        Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY};
    static final double[] DOUBLES = {0, -0.0, 1, -1, 0.5, 1.5, 2.5, -2.5, 3.7, -3.7, 1e10, -1e300, 4e-324, 4503599627370497.5, -4503599627370496.5,
        Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0.49999999999999994, -0.2};
    static int field = 77;
    static long sum;
    static void add(long v) { sum = sum * 31 + v; }
    static void add(float v) { add((long) Float.floatToIntBits(v)); }
    static void add(double v) { add(Double.doubleToLongBits(v)); }
    static void show(String what) { System.out.println(what + " " + Long.toHexString(sum)); sum = 0; }

    static void ints(int a, int b) {
        add(Math.abs(a)); add(Math.min(a, b)); add(Math.max(a, b)); add(Math.max(a, 5)); add(Math.min(-3, b)); add(Math.max(field, a + b));
        add(Integer.bitCount(a)); add(Integer.numberOfLeadingZeros(a)); add(Integer.numberOfTrailingZeros(a)); add(Integer.reverse(a));
        add(Integer.reverseBytes(a)); add(Integer.highestOneBit(a)); add(Integer.lowestOneBit(a)); add(Integer.compareUnsigned(a, b));
        add(Integer.rotateLeft(a, b)); add(Integer.rotateRight(a, b)); add(Integer.rotateLeft(a, 0)); add(Integer.rotateRight(a, 31));
        add(Integer.divideUnsigned(a, b | 1)); add(Integer.remainderUnsigned(a, b | 1)); add(Integer.signum(a)); add(Integer.compare(a, b));
        add(Math.floorMod(a, b | 1)); add(Math.floorDiv(a, b | 1)); add(Integer.toUnsignedLong(a));
        add((Math.abs(a) + Math.max(b, a) * (Math.min(a, b) - Integer.bitCount(a ^ b))) ^ Integer.reverse(Math.max(a, b)));
        add(Float.intBitsToFloat(a)); add(Short.reverseBytes((short) a)); add(Character.reverseBytes((char) a));
        int d = a, e = b;
        for (int i = 0; i < 3; i++) { d = Math.max(d, e) - 1; e = Math.abs(e - d); d = Integer.rotateLeft(d, i); e ^= Integer.highestOneBit(d); }
        add(d); add(e);
    }
    static void exact(int a, int b) {
        try { add(Math.addExact(a, b)); } catch (ArithmeticException e) { add(e.getMessage().hashCode() + e.getStackTrace()[0].getLineNumber()); }
        try { add(Math.subtractExact(a, b)); } catch (ArithmeticException e) { add(e.getMessage().hashCode() + e.getStackTrace()[0].getLineNumber()); }
        try { add(Math.multiplyExact(a, b)); } catch (ArithmeticException e) { add(e.getMessage().hashCode() + e.getStackTrace()[0].getLineNumber()); }
        try { add(Math.negateExact(a)); } catch (ArithmeticException e) { add(e.getMessage().hashCode() + e.getStackTrace()[0].getLineNumber()); }
        try { add(Math.toIntExact((long) a * b)); } catch (ArithmeticException e) { add(e.getMessage().hashCode() + e.getStackTrace()[0].getLineNumber()); }
    }
    static void longs(long a, long b) {
        add(Math.abs(a)); add(Math.min(a, b)); add(Math.max(a, b)); add(Math.max(a, 5L)); add(Math.multiplyHigh(a, b)); add(Math.multiplyHigh(3, b));
        add(Long.bitCount(a)); add(Long.numberOfLeadingZeros(a)); add(Long.numberOfTrailingZeros(a)); add(Long.reverse(a));
        add(Long.reverseBytes(a)); add(Long.highestOneBit(a)); add(Long.lowestOneBit(a)); add(Long.compareUnsigned(a, b));
        add(Long.rotateLeft(a, (int) b)); add(Long.rotateRight(a, (int) b)); add(Long.rotateRight(a, 64)); add(Long.signum(a));
        add(Long.divideUnsigned(a, b | 1)); add(Long.remainderUnsigned(a, b | 1)); add(Double.longBitsToDouble(a));
        add(Math.max(Math.multiplyHigh(a, b), Math.abs(a - b)) + Long.bitCount(Math.min(a, ~b)));
        long d = a, e = b;
        for (int i = 0; i < 3; i++) { d = Math.max(d, e) - 1; e = Math.abs(e - d); d = Math.multiplyHigh(d, e) ^ Long.rotateLeft(d, i); }
        add(d); add(e);
    }
    static void floats(float a, float b) {
        add(Math.abs(a)); add(Math.min(a, b)); add(Math.max(a, b)); add(Math.max(a, 0f)); add(Math.min(-0f, b)); add(Math.fma(a, b, 1f));
        add(Float.floatToIntBits(a)); add(Float.floatToRawIntBits(b)); add(Math.round(a)); add(Math.signum(a)); add(Float.compare(a, b));
        add(Float.floatToRawIntBits(a * b)); add(Float.floatToRawIntBits((float) (a * 3.0)) + 1); add(Float.intBitsToFloat(Float.floatToIntBits(a) ^ 1));
        float d = a, e = b;
        for (int i = 0; i < 3; i++) { d = Math.max(d, e) * 0.5f; e = Math.abs(Math.min(e, d)); }
        add(d); add(e);
    }
    static void doubles(double a, double b) {
        add(Math.abs(a)); add(Math.min(a, b)); add(Math.max(a, b)); add(Math.max(a, 0.0)); add(Math.min(-0.0, b)); add(Math.sqrt(a)); add(StrictMath.sqrt(b));
        add(Math.floor(a)); add(Math.ceil(a)); add(Math.rint(a)); add(Math.round(a)); add(Math.fma(a, b, a)); add(Double.compare(a, b));
        add(Double.doubleToLongBits(a)); add(Double.doubleToRawLongBits(b)); add(Math.copySign(a, b)); add(Math.signum(a)); add(Math.hypot(3, 4));
        add(Math.pow(a, 2)); add(Math.pow(a, 0)); add(Math.pow(1, b) == 1 ? 1L : 0L); add(StrictMath.floor(a) + StrictMath.ceil(b));
        add(Math.sqrt(Math.abs(a) + Math.max(a, b)) * Math.min(Math.floor(a), Math.sqrt(Math.abs(b))));
        double d = a, e = b;
        for (int i = 0; i < 3; i++) { d = Math.max(d, e) * 0.5; e = Math.sqrt(Math.abs(Math.min(e, d))); }
        add(d); add(e);
    }
    /* NaN with payloads: moves keep them. */
    static void payloads() {
        for (int bits : new int[] {0x7fc00001, 0x7f800001, 0xffc12345, 0xff800abc}) {
            float f = Float.intBitsToFloat(bits);
            float[] kept = {f};
            add(Float.floatToIntBits(kept[0]));
            add(Float.isNaN(Math.max(f, 1f)) && Float.isNaN(Math.max(1f, f)) && Float.isNaN(Math.min(f, 1f)) && Float.isNaN(Math.min(1f, f)) ? 1L : 0L);
        }
        for (long bits : new long[] {0x7ff8000000000001L, 0xfff8123456789abcL}) {
            add(Double.doubleToRawLongBits(Double.longBitsToDouble(bits)));
            add(Double.doubleToRawLongBits(Math.abs(Double.longBitsToDouble(bits))));
        }
    }
    static void big() {
        Random r = new Random(5);
        for (int bits : new int[] {1, 31, 32, 33, 64, 100, 512, 1000}) {
            BigInteger a = new BigInteger(bits, r).setBit(bits - 1), b = new BigInteger(bits, r), n = new BigInteger(bits, r).setBit(bits - 1).setBit(0);
            add(a.multiply(b).hashCode()); add(a.multiply(a).hashCode()); add(a.pow(3).hashCode()); add(a.add(b).hashCode()); add(a.subtract(b).hashCode());
            add(a.shiftLeft(bits / 2 + 1).hashCode()); add(a.shiftRight(bits / 3).hashCode()); add(a.toString().hashCode());
            if (bits > 1) {
                add(a.modPow(b, n).hashCode()); add(a.modPow(b, n.clearBit(0).setBit(1)).hashCode()); add(a.mod(n).hashCode()); add(a.gcd(n).hashCode());
            }
            add(a.multiply(n).divide(b.setBit(0)).hashCode()); add(a.negate().multiply(b).hashCode()); add(a.bitCount()); add(a.bitLength());
        }
    }

    /* products of all lengths, of words that carry all the way, and powers modulo numbers of even and odd counts of words */
    static void bigger() {
        Random r = new Random(7);
        BigInteger one = BigInteger.ONE;
        for (int bits = 16; bits < 2600; bits += bits < 300 ? 16 : 160) {
            BigInteger ones = one.shiftLeft(bits).subtract(one), top = one.shiftLeft(bits - 1), x = new BigInteger(bits, r), odd = x.setBit(0).setBit(bits - 1);
            for (BigInteger a : new BigInteger[] {ones, top, x})
                for (BigInteger b : new BigInteger[] {ones, top.add(one), odd, BigInteger.valueOf(-3), ones.shiftRight(bits / 2)}) {
                    add(a.multiply(b).hashCode());
                    add(b.multiply(a).multiply(b).hashCode());
                }
            add(ones.multiply(ones).hashCode()); add(ones.pow(2).hashCode()); add(x.pow(5).hashCode());
            if (bits > 1500 && bits % 480 != 0) continue;
            for (BigInteger m : new BigInteger[] {ones, odd, top.add(one)}) {
                BigInteger e = new BigInteger(40, r).setBit(39);
                add(x.modPow(e, m).hashCode()); add(ones.subtract(one).modPow(e, m).hashCode()); add(top.modPow(e, m).hashCode()); add(m.subtract(one).modPow(e, m).hashCode());
            }
        }
        for (int bits : new int[] {5000, 40000, 70001}) {
            BigInteger a = new BigInteger(bits, r), b = new BigInteger(bits / 2, r), small = new BigInteger(200, r);
            add(a.multiply(b).hashCode()); add(a.multiply(a).hashCode()); add(a.multiply(small).hashCode()); add(a.divide(b).hashCode());
        }
        BigInteger m = new BigInteger(17000, r).setBit(0).setBit(16999);
        add(m.subtract(BigInteger.TEN).modPow(BigInteger.valueOf(77), m).hashCode());
    }

    public static void main(String[] args) {
        for (int round = 0; round < 3; round++) {
            bigger();
            show("bigger");
        }
        for (int round = 0; round < 3; round++) {
            for (int a : INTS) for (int b : INTS) { ints(a, b); exact(a, b); }
            show("ints");
            for (long a : LONGS) for (long b : LONGS) longs(a, b);
            show("longs");
            for (float a : FLOATS) for (float b : FLOATS) floats(a, b);
            show("floats");
            for (double a : DOUBLES) for (double b : DOUBLES) doubles(a, b);
            show("doubles");
            payloads();
            big();
            show("payloads, big numbers");
        }
    }
}
