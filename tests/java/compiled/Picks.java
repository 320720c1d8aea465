// SPDX-License-Identifier: Apache-2.0
import java.util.Random;

/** Branches that choose between two values, of int and long, by numbers of all types (and NaN) and references; in loops and behind each other. */
public class Picks {
    static int least(int a, int b) { return a < b ? a : b; }
    static long greatest(long a, long b) { return a >= b ? a : b; }
    static int absolute(int a) { return a < 0 ? -a : a; }
    static long absolute(long a) { return a < 0 ? -a : a; }
    static int same(int a, int b) { return b > a ? b : b; }

    static int wrapped(int i, int by, int n) {
        int j = i + by;
        if (j >= n) j -= n;
        return j;
    }

    static int clamped(int v) {
        if (v < 0) v = 0;
        if (v > 255) v = 255;
        return v;
    }

    static long byLong(long a, long b, int x, int y) { return a == b ? x : y; }
    static int byReference(Object a, Object b, int x, int y) { return a == b ? x : y; }
    static int byNull(Object a, int x) { return a != null ? x + 1 : x - 1; }

    /** Both ways use what is chosen between, and the result goes where an input was. */
    static int woven(int a, int b) {
        int c = a > b ? a - b : b - a;
        int d = c > a ? c : a;
        return c * 31 + d * 7 + (d < b ? d : b) + (a == d ? c : b);
    }

    static int minimum(int[] a) {
        int m = Integer.MAX_VALUE, at = -1;
        for (int i = 0; i < a.length; i++)
            if (a[i] < m) {
                m = a[i];
                at = i;
            }
        int low = a[0];
        for (int v : a) low = v < low ? v : low;
        return m * 31 + at + low;
    }

    /** Round and round, as generators of random numbers do. */
    static long generator(int turns) {
        int[] m = new int[17];
        for (int i = 0; i < m.length; i++) m[i] = i * 1234567 ^ i << 7;
        int i = 4, j = 16;
        long sum = 0;
        for (int n = 0; n < turns; n++) {
            int k = m[i] - m[j];
            if (k < 0) k += Integer.MAX_VALUE;
            m[j] = k;
            if (i == 0) i = 16;
            else i--;
            if (j == 0) j = 16;
            else j--;
            sum = sum * 7 + k;
        }
        return sum;
    }

    /** The value that is chosen names an object to come later; nobody may be asked before. */
    static int index(int[] a, int i, int n) {
        int at = i < n ? i : n - 1;
        return a[at];
    }

    static int longest(String a, String b) {
        int[] last = new int[b.length() + 1], now = new int[b.length() + 1];
        for (int i = 1; i <= a.length(); i++) {
            for (int j = 1; j <= b.length(); j++)
                now[j] = a.charAt(i - 1) == b.charAt(j - 1) ? last[j - 1] + 1 : Math.max(last[j], now[j - 1]);
            int[] x = last;
            last = now;
            now = x;
        }
        return last[b.length()];
    }

    static final int[] INTS = {0, 1, -1, 2, -2, 31, 255, 256, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.MIN_VALUE + 1};
    static final long[] LONGS = {0, 1, -1, 1L << 32, -1L << 32, (1L << 32) + 1, Long.MIN_VALUE, Long.MAX_VALUE};

    static int below(double a, double b, int x, int y) { return a < b ? x : y; }
    static int notBelow(double a, double b, int x, int y) { return !(a < b) ? x : y; }
    static long above(float a, float b, long x, long y) { return a > b ? x : y; }
    static int atMost(float a, float b, int x, int y) { return a <= b ? x + 1 : y; }
    static int notAtMost(double a, double b, int x, int y) { return !(a <= b) ? x : y - 1; }
    static long atLeast(double a, double b, long x, long y) { return a >= b ? x : y; }
    static int equal(double a, double b, int x, int y) { return a == b ? x : y; }
    static int unequal(float a, float b, int x, int y) { return a != b ? x : y; }

    static int inside(double[] xs, double limit) {
        int n = 0;
        for (double x : xs)
            if (x * x + 0.25 <= limit) n++;
        return n;
    }

    static final double[] DOUBLES = {0.0, -0.0, 1.5, -1.5, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, 1e300};

    static long byFloats() {
        long sum = inside(DOUBLES, 2.5);
        for (double a : DOUBLES)
            for (double b : DOUBLES) {
                float f = (float) a, g = (float) b;
                sum = sum * 31 + below(a, b, 1, 2) + notBelow(a, b, 3, 4) * 5 + above(f, g, 7L << 33, 8) + atMost(f, g, 9, 10);
                sum = sum * 31 + notAtMost(a, b, 11, 12) + atLeast(a, b, 13L << 40, 14) + equal(a, b, 15, 16) + unequal(f, g, 17, 18);
            }
        return sum;
    }

    static long round() {
        long sum = 0;
        for (int a : INTS)
            for (int b : INTS) {
                sum = sum * 31 + least(a, b) + absolute(a) + same(a, b) + woven(a, b) + clamped(a + b);
                sum = sum * 31 + wrapped(a, b, 1000) + byNull(a == b ? null : "", a) + byReference(a < b ? "" : INTS, INTS, a, b);
            }
        for (long a : LONGS)
            for (long b : LONGS) sum = sum * 31 + greatest(a, b) + absolute(a) + byLong(a, b, (int) a, (int) (b >> 16));
        return sum;
    }

    public static void main(String[] args) {
        Random r = new Random(5);
        int[] a = r.ints(1000).toArray();
        long sum = 0;
        for (int i = 0; i < 400; i++) {
            sum = sum * 31 + round() + byFloats() + minimum(a) + generator(500) + index(a, i * 3, 1000);
            sum += longest("the quick brown fox jumps" + i, "over the lazy dogs" + i * 3);
            a[i] = i;
        }
        System.out.println(sum);
        try {
            System.out.println(index(a, 5, 0));
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
