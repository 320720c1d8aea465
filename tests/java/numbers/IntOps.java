// SPDX-License-Identifier: Apache-2.0
/** Every int and long operator over edge operands: wrap-around, division, shifts, comparison. */
public class IntOps {
    static final int[] I = {0, 1, -1, 2, -2, 7, -7, 31, 32, 33, 63, 64, 255, 256, 32767, 32768, -32768,
        65535, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x55555555, 0xaaaaaaaa, 1000000007};
    static final long[] L = {0, 1, -1, 2, -2, 7, -7, 31, 32, 63, 64, 65, 0xffffffffL, 0x100000000L,
        Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, 0x5555555555555555L, -1000000007L};
    static long sum;

    static void mix(long v) {
        sum = sum * 31 + v;
    }

    static void ints(int a, int b) {
        mix(a + b); mix(a - b); mix(a * b); mix(a & b); mix(a | b); mix(a ^ b); mix(-a); mix(~a);
        mix(a << b); mix(a >> b); mix(a >>> b);
        try { mix(a / b); } catch (ArithmeticException e) { mix(e.getMessage().hashCode()); }
        try { mix(a % b); } catch (ArithmeticException e) { mix(17); }
        mix(a < b ? 1 : 2); mix(a <= b ? 1 : 2); mix(a > b ? 1 : 2); mix(a >= b ? 1 : 2);
        mix(a == b ? 1 : 2); mix(a != b ? 1 : 2);
        mix(a < 0 ? 1 : 2); mix(a <= 0 ? 1 : 2); mix(a > 0 ? 1 : 2); mix(a >= 0 ? 1 : 2);
        mix(a == 0 ? 1 : 2); mix(a != 0 ? 1 : 2);
        int c = a; c += b; c++; c -= 129; c += 30000; mix(c);
        mix((byte) a); mix((short) a); mix((char) a); mix((long) a);
        byte by = (byte) b; by += a; mix(by); by >>>= 1; mix(by);
        short sh = (short) b; sh *= a; mix(sh);
        char ch = (char) b; ch -= a; mix(ch);
    }

    static void longs(long a, long b) {
        mix(a + b); mix(a - b); mix(a * b); mix(a & b); mix(a | b); mix(a ^ b); mix(-a); mix(~a);
        mix(a << b); mix(a >> b); mix(a >>> b); mix(a << (int) b); mix(a >> (int) b); mix(a >>> (int) b);
        try { mix(a / b); } catch (ArithmeticException e) { mix(e.getMessage().hashCode()); }
        try { mix(a % b); } catch (ArithmeticException e) { mix(17); }
        mix(a < b ? 1 : 2); mix(a <= b ? 1 : 2); mix(a > b ? 1 : 2); mix(a >= b ? 1 : 2);
        mix(a == b ? 1 : 2); mix(a != b ? 1 : 2);
        mix((int) a); mix((byte) a); mix((short) a); mix((char) a);
        mix(Long.compareUnsigned(a, b)); mix(Math.multiplyHigh(a, b));
    }

    public static void main(String[] args) {
        for (int a : I) {
            sum = 0;
            for (int b : I)
                ints(a, b);
            System.out.println("int " + a + " " + Long.toHexString(sum));
        }
        for (long a : L) {
            sum = 0;
            for (long b : L)
                longs(a, b);
            System.out.println("long " + a + " " + Long.toHexString(sum));
        }
        System.out.println(Integer.MIN_VALUE / -1 + " " + Integer.MIN_VALUE % -1 + " " + Long.MIN_VALUE / -1L
            + " " + Long.MIN_VALUE % -1L + " " + (1 << 33) + " " + (1L << 65) + " " + (-1 >>> 33) + " " + -7 / 2 + " " + -7 % 2);
        try { Math.addExact(Integer.MAX_VALUE, 1); } catch (ArithmeticException e) { System.out.println(e.getMessage()); }
        try { Math.multiplyExact(Long.MAX_VALUE, 2L); } catch (ArithmeticException e) { System.out.println(e.getMessage()); }
        try { Math.toIntExact(1L << 40); } catch (ArithmeticException e) { System.out.println(e.getMessage()); }
        System.out.println(Math.floorMod(-7, 3) + " " + Math.floorDiv(-7, 3) + " " + Integer.bitCount(0x12345678) + " "
            + Long.numberOfLeadingZeros(5) + " " + Integer.reverse(1) + " " + Integer.rotateLeft(0x80000001, 1) + " "
            + Long.reverseBytes(0x0102030405060708L) + " " + Integer.highestOneBit(1000) + " " + Long.numberOfTrailingZeros(64));
    }
}
