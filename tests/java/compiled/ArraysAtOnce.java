// SPDX-License-Identifier: Apache-2.0
import java.util.Arrays;

/**
 * Loops over arrays that may do several elements at once: of all types, lengths around what fits, arrays that are one and the same, elements beside those at
 * hand, two stores, indexes that start and end anywhere; and some that must not.
 */
public class ArraysAtOnce {
    static void addInts(int[] a, int[] b, int[] c, int n) { for (int i = 0; i < n; i++) c[i] = a[i] + b[i]; }
    static void mixInts(int[] a, int[] b, int x, int from, int to) { for (int i = from; i < to; i++) b[i] = (a[i] * x ^ b[i]) - (a[i] & 0xff00ff) | 1; }
    static void shiftInts(int[] a, int[] b, int n) { for (int i = 0; i < n; i++) b[i] = (a[i] << 3) + (a[i] >> 5) ^ a[i] >>> 33; }
    static void shiftLongs(long[] a, long[] b, int n) { for (int i = 0; i < n; i++) b[i] = a[i] << 3 ^ a[i] >>> 7; }
    static void signLongs(long[] a, long[] b, int n) { for (int i = 0; i < n; i++) b[i] = a[i] >> 9; }
    static void addLongs(long[] a, long[] b, long x, int n) { for (int i = 0; i < n; i++) b[i] = (a[i] + x & b[i]) - (a[i] | x); }
    static void timesLongs(long[] a, long[] b, int n) { for (int i = 0; i < n; i++) b[i] = a[i] * b[i]; }
    static void scale(double[] a, double[] b, double x, int n) { for (int i = 0; i < n; i++) b[i] = b[i] * x + a[i] / 3.0 - x; }
    static void floats(float[] a, float[] b, float x, int n) { for (int i = 0; i <= n - 1; i++) a[i] = (a[i] - b[i]) * x / b[i] + 0.5f; }
    static void copyBytes(byte[] a, byte[] b, int n) { for (int i = 0; i < n; i++) b[i] = a[i]; }
    static void copyChars(char[] a, char[] b, int from, int n) { for (int i = from; i < n; i++) b[i] = a[i]; }
    static void shortsToChars(short[] a, char[] b, int n) { for (int i = 0; i < n; i++) b[i] = (char) a[i]; }
    static void fillBytes(byte[] a, int v, int from, int to) { for (int i = from; i < to; i++) a[i] = (byte) v; }
    static void fillShorts(short[] a, int v, int n) { for (int i = 0; i < n; i++) a[i] = (short) v; }
    static void fillFlags(boolean[] a, boolean v, int n) { for (int i = 0; i < n; i++) a[i] = v; }
    static void fillDoubles(double[] a, double v, int n) { for (int i = 0; i < n; i++) a[i] = v; }
    static void ahead(int[] a, int n) { for (int i = 0; i < n; i++) a[i] = a[i + 1] + 1; }
    static void behind(int[] a, int n) { for (int i = 1; i < n; i++) a[i] = a[i - 1] + 1; }
    static void beside(int[] a, int[] b, int n) { for (int i = 1; i < n; i++) b[i] = a[i - 1] + a[i]; }
    static void far(int[] a, int[] b, int n) { for (int i = 0; i < n; i++) b[i + 3] = a[i + 3] - 7; }
    static void two(int[] a, int[] b, int[] c, int n) {
        for (int i = 0; i < n; i++) {
            b[i] = a[i] + c[i];
            c[i] = b[i] ^ a[i];
        }
    }
    static void mixed(int[] a, float[] b, int n) {
        for (int i = 0; i < n; i++) {
            a[i] = a[i] + 3;
            b[i] = b[i] * 2f;
        }
    }
    static void otherTypes(int[] a, float[] b, float[] c, int n) {
        for (int i = 0; i + 2 < n; i++) {
            a[i] = a[i] - 1;
            c[i] = b[i] + 1f;
        }
    }
    static int counted(int[] a, int n) {
        int last = 0;
        for (int i = 0; i < n; i++) {
            a[i] = i;
            last = a[i];
        }
        return last;
    }
    static int sum(int[] a) {
        int s = 0;
        for (int v : a) s += v;
        return s;
    }
    static void copyNames(String[] a, Object[] b, int n) { for (int i = 0; i < n; i++) b[i] = a[i]; }
    static void many(int[] a, int[] b, int p, int q, int r, int s, int n) {
        for (int i = 0; i < n; i++) b[i] = ((a[i] * p + q) * r + s ^ a[i] + 11) * (a[i] + 13) + (a[i] ^ 17) * (b[i] + 19) + (b[i] * 23 - p) * 29;
    }

    static final int[] LENGTHS = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 66, 127, 128, 129, 200};

    static long round(int seed) {
        long h = seed;
        for (int n : LENGTHS) {
            int m = n + 8;
            int[] a = new int[m], b = new int[m], c = new int[m];
            long[] la = new long[m], lb = new long[m];
            double[] da = new double[m], db = new double[m];
            float[] fa = new float[m], fb = new float[m];
            byte[] ba = new byte[m], bb = new byte[m];
            char[] ca = new char[m], cb = new char[m];
            short[] sa = new short[m];
            boolean[] za = new boolean[m];
            for (int i = 0; i < m; i++) {
                a[i] = (i + seed) * 0x9e3779b1;
                b[i] = i * 77 - seed;
                la[i] = a[i] * 0x123456789abcdefL;
                lb[i] = ~la[i] + i;
                da[i] = i % 7 == 3 ? Double.NaN : a[i] / 3.0;
                db[i] = i % 5 == 1 ? -0.0 : i;
                fa[i] = i % 6 == 2 ? Float.POSITIVE_INFINITY : a[i] * 0.25f;
                fb[i] = i % 9;
                ba[i] = (byte) a[i];
                ca[i] = (char) a[i];
                sa[i] = (short) a[i];
            }
            addInts(a, b, c, n);
            addInts(a, a, a, n);
            addInts(c, a, c, n);
            mixInts(a, b, seed, n / 3, n);
            mixInts(b, b, seed | 1, 0, n);
            shiftInts(a, c, n);
            shiftLongs(la, lb, n);
            signLongs(lb, la, n);
            addLongs(la, lb, seed * 31L, n);
            timesLongs(la, lb, n);
            scale(da, db, seed * 0.5, n);
            floats(fa, fb, seed, n);
            copyBytes(ba, bb, n);
            copyChars(ca, cb, n / 2, n);
            shortsToChars(sa, ca, n / 2);
            fillBytes(bb, seed - 200, n / 4, n / 2);
            fillShorts(sa, seed * 1000 - 40000, n / 2);
            fillFlags(za, (seed & 1) != 0, n);
            fillDoubles(da, seed / 7.0, n / 2);
            ahead(a, n);
            behind(b, n);
            beside(a, c, n);
            beside(c, c, n);
            far(a, b, n);
            two(a, b, c, n);
            two(c, c, a, n);
            mixed(a, fa, n);
            otherTypes(b, fb, fa, n);
            many(a, c, seed, 3, 5, seed, n);
            h = h * 31 + counted(new int[m], n) + sum(a) + Arrays.hashCode(a) + Arrays.hashCode(b) * 3L + Arrays.hashCode(c) * 5L + Arrays.hashCode(la) * 7L;
            h = h * 31 + Arrays.hashCode(lb) + Arrays.hashCode(da) * 11L + Arrays.hashCode(db) + Arrays.hashCode(fa) * 13L + Arrays.hashCode(fb);
            h = h * 31 + Arrays.hashCode(bb) + Arrays.hashCode(ca) + Arrays.hashCode(cb) + Arrays.hashCode(sa) + Arrays.hashCode(za);
        }
        return h;
    }

    static String out(Runnable r) {
        try {
            r.run();
            return "done";
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName() + " " + e.getMessage() + " " + e.getStackTrace()[0].getLineNumber();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> { /* polls in their midst */
            try {
                for (int i = 0; i < 40; i++) {
                    Thread.sleep(5);
                    System.gc();
                }
            } catch (InterruptedException e) {
                return;
            }
        });
        other.setDaemon(true);
        other.start();
        long h = 0;
        for (int i = 0; i < 60; i++) h = h * 31 + round(i);
        System.out.println(h);
        int[] big = new int[1 << 18], more = new int[1 << 18];
        long sum = 0;
        for (int i = 0; i < 12; i++) {
            mixInts(big, more, i, 0, big.length);
            addInts(big, more, big, big.length);
            sum = sum * 31 + big[i * 1000] + more[i * 999];
        }
        System.out.println(sum);
        int[] a = new int[100], shorter = new int[70];
        System.out.println(out(() -> addInts(a, a, shorter, 100)) + " " + shorter[69] + " " + out(() -> addInts(a, null, a, 3)) + " " + out(() -> behind(a, 101)));
        System.out.println(a[99] + " " + out(() -> copyNames(new String[] {"a", "b"}, new Integer[2], 2)) + " " + out(() -> fillBytes(new byte[9], 1, -1, 5)));
        System.out.println(out(() -> addInts(a, a, a, -5)) + " " + out(() -> mixInts(a, a, 3, Integer.MAX_VALUE - 2, Integer.MAX_VALUE)));
    }
}
