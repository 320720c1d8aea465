// SPDX-License-Identifier: Apache-2.0
/** Float and double arithmetic, NaN comparisons in each branch form, remainder, conversions, strictness. */
public class FloatOps {
    static final double[] D = {0.0, -0.0, 1, -1, 0.1, 1.5, -2.5, 1e10, 1e19, -1e19, 1e300, 1e-300, 4.9e-324, 2147483647.0,
        2147483648.0, -2147483649.0, 9.223372036854775807e18, Double.MAX_VALUE, Double.MIN_NORMAL, Double.NaN,
        Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Math.PI};
    static long sum;

    static void mix(double d) {
        sum = sum * 31 + Double.doubleToLongBits(d);
    }

    static void mix(float f) {
        sum = sum * 31 + Float.floatToIntBits(f);
    }

    static void mix(long v) {
        sum = sum * 31 + v;
    }

    static void doubles(double a, double b) {
        mix(a + b); mix(a - b); mix(a * b); mix(a / b); mix(a % b); mix(-a);
        mix(a < b ? 1L : 2L); mix(a <= b ? 1L : 2L); mix(a > b ? 1L : 2L); mix(a >= b ? 1L : 2L);
        mix(a == b ? 1L : 2L); mix(a != b ? 1L : 2L);
        mix(!(a < b) ? 1L : 2L); mix(!(a > b) ? 1L : 2L);
        mix((long) Double.compare(a, b));
        mix(Math.min(a, b)); mix(Math.max(a, b)); mix(Math.IEEEremainder(a, b)); mix(Math.copySign(a, b));
        mix(Math.fma(a, b, 1.0));
    }

    static void floats(float a, float b) {
        mix(a + b); mix(a - b); mix(a * b); mix(a / b); mix(a % b); mix(-a);
        mix(a < b ? 1L : 2L); mix(a <= b ? 1L : 2L); mix(a > b ? 1L : 2L); mix(a >= b ? 1L : 2L);
        mix(a == b ? 1L : 2L); mix(a != b ? 1L : 2L);
        mix((long) Float.compare(a, b)); mix(Math.min(a, b)); mix(Math.fma(a, b, 1.0f));
    }

    static void convert(double d) {
        float f = (float) d;
        System.out.println(d + " i=" + (int) d + " l=" + (long) d + " f=" + f + " fi=" + (int) f + " fl=" + (long) f
            + " b=" + (byte) d + " s=" + (short) d + " c=" + (int) (char) d + " r=" + Math.round(d) + " rf=" + Math.round(f)
            + " rint=" + Math.rint(d) + " ceil=" + Math.ceil(d) + " floor=" + Math.floor(d));
    }

    public static void main(String[] args) {
        for (double a : D) {
            sum = 0;
            for (double b : D) {
                doubles(a, b);
                floats((float) a, (float) b);
            }
            System.out.println(a + " " + Long.toHexString(sum));
        }
        for (double d : D)
            convert(d);
        for (long l : new long[] {0, 1, -1, 16777217, 9007199254740993L, Long.MAX_VALUE, Long.MIN_VALUE, 0x7fffffbfffffffffL, 0x8000008000000001L})
            System.out.println(l + " " + (float) l + " " + (double) l + " " + (float) (int) l + " " + (double) (int) l);
        float x = 1e38f;
        System.out.println(x * 10 / 10 + " " + (double) x * 10 / 10 + " " + 0.1f + " " + (double) 0.1f + " " + (0.1 + 0.2) + " " + 1e16 + " " + 1.0E-5f
            + " " + 100.0 + " " + 1.0e7 + " " + 123456789.0f + " " + Double.MIN_VALUE + " " + Float.MIN_VALUE + " " + 2e-3);
        double dd = 0;
        dd++; dd--; --dd; dd += 0.5f; dd *= 3; dd /= 2; dd %= 0.3;
        float ff = 5; ff -= 0.25; ff++; ff %= 1.3;
        int i = 10; i *= 1.7; i += 3.9f; i -= -0.5;
        System.out.println(dd + " " + ff + " " + i);
    }
}
