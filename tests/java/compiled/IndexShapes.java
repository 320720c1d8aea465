// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=2 -XX:-OmitStackTraceInFastThrow
/* Indices that are a counter, a factor, and what does not change; counters beside the one that ends the loop; with every edge value, so that sums
 * wrap on the way to an index that is within bounds, and to one that is not. */
public class IndexShapes {
    static final int MIN = Integer.MIN_VALUE, MAX = Integer.MAX_VALUE;
    static final int[] EDGES = {MIN, MIN + 1, MIN + 9, -40, -9, -3, -2, -1, 0, 1, 2, 3, 5, 8, 15, 16, 31, 32, 33, 40, MAX - 9, MAX - 1, MAX};
    static final int N = 32;
    static int[] a = new int[N], b = new int[N];
    static int turns;

    interface Loop { int run(int s, int n, int off); }

    static int plus(int s, int n, int off) { int r = 0; for (int i = s; i < n; i++) { if (++turns > 90) break; r = r * 7 + a[off + i]; } return r; }
    static int minus(int s, int n, int off) { int r = 0; for (int i = s; i < n; i++) { if (++turns > 90) break; r = r * 7 + a[i - off]; } return r; }
    static int from(int s, int n, int off) { int r = 0; for (int i = s; i < n; i++) { if (++turns > 90) break; r = r * 7 + a[off - i]; } return r; }
    static int last(int s, int n, int off) { int r = 0; for (int i = s; i <= n; i += 2) { if (++turns > 90) break; r = r * 7 + a[a.length - 1 - i]; } return r; }
    static int twice(int s, int n, int off) { int r = 0; for (int i = s; i < n; i++) { if (++turns > 90) break; r += a[2 * i + 1] - a[i << 1]; } return r; }
    static int rows(int s, int n, int off) { int r = 0; for (int i = s; i < n; i++) { if (++turns > 90) break; r = r * 3 + a[i * 8 + off]; } return r; }
    static int back(int s, int n, int off) { int r = 0; for (int i = n; i >= s; i--) { if (++turns > 90) break; r = r * 3 + a[off - 3 * i]; } return r; }
    static int two(int s, int n, int off) { int r = 0; for (int i = s; i < n; i++) { if (++turns > 90) break; r = r * 5 + a[off + (i + s)]; } return r; }
    static int beside(int s, int n, int off) { int r = 0; for (int i = s, j = off; i < n; i++, j++) { if (++turns > 90) break; r = r * 5 + a[j]; } return r; }
    static int against(int s, int n, int off) { int r = 0; for (int i = s, j = off; i < n; i++, j--) { if (++turns > 90) break; r = r * 5 + a[j]; } return r; }
    static int faster(int s, int n, int off) { int r = 0; for (int i = s, j = off; i < n; i++, j += 3) { if (++turns > 90) break; r = r * 5 + a[j]; } return r; }
    static int down(int s, int n, int off) { int r = 0; for (int i = n, j = off; i > s; i--, j--) { if (++turns > 90) break; r = r * 5 + a[j - 1]; } return r; }
    static int slower(int s, int n, int off) { int r = 0; for (int i = s, j = off; i < n; i += 2, j++) { if (++turns > 90) break; r = r * 5 + a[j]; } return r; }
    static int copy(int s, int n, int off) { for (int i = s; i < n; i++) { if (++turns > 90) break; a[off + i] = b[i] + 1; } return a[3] + 7 * a[20]; }
    static int wholeCopy(int s, int n, int off) { for (int i = s; i < n; i++) a[off + i] = b[i] + 1; return a[3] + 7 * a[20]; }
    static int same(int s, int n, int off) { for (int i = s; i < n; i++) a[off + i] = a[i] * 3; return a[3] + 7 * a[20]; }
    static int turned(int s, int n, int off) { for (int i = s; i < n; i++) a[n - 1 - i] = b[off + i]; return a[3] + 7 * a[20]; }
    static int meet(int s, int n, int off) { int r = 0, i = s, j = n; while (i < j) { if (++turns > 90) break; r = r * 3 + a[i] - a[j]; i++; j--; } return r; }
    static int meetLate(int s, int n, int off) { int r = 0; for (int i = s, j = n; i <= j; i += 2, j--) { if (++turns > 90) break; r = r * 3 + a[i] - a[j - 1]; a[j] ^= r; } return r; }
    static int cross(int s, int n, int off) { int r = 0; for (int i = s, j = n; j > i; j -= 3, i++) { if (++turns > 90) break; r = r * 3 + a[j]; } return r; }
    static int unequal(int s, int n, int off) { int r = 0; for (int i = s, j = n; i != j; i++, j--) { if (++turns > 90) break; r = r * 3 + a[i] + a[j]; } return r; }
    static int product(int s, int n, int off) {
        long carry = 0;
        int k = off;
        for (int i = n - 1; i >= s; i--) {
            long p = (a[i] & 0xffffffffL) * 77 + carry;
            b[k--] = (int) p;
            carry = p >>> 32;
        }
        return b[2] ^ (int) carry;
    }
    static int flat(int s, int n, int off) {
        int r = 0;
        for (int y = s; y < n; y++) for (int x = 0; x < off; x++) { if (++turns > 90) return r; r = r * 3 + a[y * off + x]; b[x * 4 + y] = r; }
        return r;
    }
    /* More turns than vectors have elements, to one array at each distance. */
    static int[] smear(int off, int times) {
        int[] c = new int[200];
        for (int i = 0; i < c.length; i++) c[i] = i * i;
        for (int k = 0; k < times; k++) smear(c, c, 60, 60 + off, 80);
        return c;
    }
    static void smear(int[] to, int[] from, int x, int y, int n) { for (int i = 0; i < n; i++) to[x + i] = from[y + i] + 1; }
    static void smearBack(int[] to, int[] from, int x, int y, int n) { for (int i = 0; i < n; i++) { int f = from[y + i]; to[x + i] = f ^ to[x + i]; } }
    static void later(int[] to, int[] from, int x, int y, int n) { for (int i = 0; i < n; i++) { to[x + i] = i; to[x + i] += from[y + i]; } }
    static void both(double[] c, double[] b, double f, int x, int y, int n) { for (int i = 0; i < n; i++) c[x + i] += f * b[y + i]; }
    static void twice(double[] c, double[] b, int x, int y, int n) { for (int i = 0; i < n; i++) { c[x + i] = b[y + i] / b[y + i]; c[x + i] = -1.5 * b[y + i]; } }
    static void bytes(byte[] to, byte[] from, int x, int y, int n) { for (int i = 0; i < n; i++) to[x + i] = (byte) (from[y + i] + 1); }

    static long h;
    static void note(long x) { h = h * 31 + x; }

    static String attempt(Loop l, int s, int n, int off) {
        turns = 0;
        try {
            return l.run(s, n, off) + "";
        } catch (ArrayIndexOutOfBoundsException e) {
            return turns + e.getMessage();
        }
    }

    static void distances() {
        for (int d = -41; d <= 41; d++) {
            int[] c = new int[260];
            double[] e = new double[260];
            byte[] f = new byte[260];
            for (int k = 0; k < 30; k++) {
                for (int i = 0; i < c.length; i++) f[i] = (byte) (e[i] = c[i] = i * 7 + k);
                smear(c, c, 100, 100 + d, 97);
                both(e, e, 0.5, 100, 100 + d, 97);
                bytes(f, f, 100, 100 + d, 97);
                if (k % 3 == 0) twice(e, e, 100, 100 + d, 97);
                for (int i = 0; i < c.length; i++) note(c[i] ^ Double.doubleToLongBits(e[i]) ^ f[i]);
                smearBack(c, c, 100, 100 + d, 97);
                later(c, c, 100, 100 + d, 97);
                smear(c, new int[260], 100, 100 + d, 97);
                for (int x : c) note(x);
            }
        }
        System.out.println("distances " + h);
    }

    public static void main(String[] x) {
        Loop[] loops = {IndexShapes::plus, IndexShapes::minus, IndexShapes::from, IndexShapes::last, IndexShapes::twice, IndexShapes::rows, IndexShapes::back,
            IndexShapes::two, IndexShapes::beside, IndexShapes::against, IndexShapes::faster, IndexShapes::down, IndexShapes::slower, IndexShapes::copy,
            IndexShapes::wholeCopy, IndexShapes::same, IndexShapes::turned, IndexShapes::product, IndexShapes::flat, IndexShapes::meet, IndexShapes::meetLate,
            IndexShapes::cross, IndexShapes::unequal};
        for (int k = 0; k < loops.length; k++) {
            h = 0;
            for (int i = 0; i < N; i++) { a[i] = i * i; b[i] = 3 * i; }
            for (int i = 0; i < 300; i++) note(attempt(loops[k], i % 3, 12 + i % 5, k == 4 || k == 5 ? 0 : k == 11 ? 20 : 15).hashCode());
            System.out.println(k + " " + h);
            for (int s : EDGES) for (int n : EDGES) {
                if (k >= 14 && k < 19 && (long) n - s > 1000) continue;
                for (int off : EDGES) note(attempt(loops[k], s, n, off).hashCode());
            }
            for (int v : a) note(v);
            System.out.println(k + " " + h);
        }
        distances();
        int[] c = smear(-1, 40);
        for (int v : c) note(v);
        System.out.println(h);
    }
}
