// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=2
/* Small counted loops in every shape, with every edge value of their bounds: where they throw, what they have done until then, what is left by
 * breaks, what counters are behind them, arrays that are the same, and constant numbers of turns. */
public class LoopShapes {
    static final int MIN = Integer.MIN_VALUE, MAX = Integer.MAX_VALUE;
    static final int[] EDGES = {MIN, MIN + 1, MIN + 6, -9, -8, -1, 0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, MAX - 7, MAX - 1, MAX};
    static int[] a = new int[33], b = new int[33];
    static int i, turns;

    static int up(int s, int n) { int r = 0; for (int i = s; i < n; i++) { r = r * 7 + i; if (++turns > 90) break; } return r; }
    static int upTo(int s, int n) { int r = 0; for (int i = s; i <= n; i += 3) { r = r * 7 + i; if (++turns > 90) break; } return r; }
    static int down(int s, int n) { int r = 0; for (int i = s; i > n; i--) { r = r * 5 + i; if (++turns > 90) break; } return r; }
    static int downTo(int s, int n) { int r = 0; for (int i = s; i >= n; i -= 2) { r = r * 5 + i; if (++turns > 90) break; } return r; }
    static int unequal(int s, int n) { int r = 0; for (int i = s; i != n; i++) { r = r * 3 + i; if (++turns > 60) break; } return r; }
    static int turned(int s, int n) { int i = s; while (n > i) { i += 5; if (++turns > 90) break; } return i; }
    static long wide(long s, int n) { long r = 0; for (long k = s; k < n; k += 2) { r += a[(int) k]; if (++turns > 90) break; } return r; }

    static String sums(int s, int n, int by) {
        int r = 0;
        i = s;
        try {
            if (by > 0) for (; i < n; i += 2) r += a[i]; else for (; i >= n; i -= 1) r ^= a[i] + i;
        } catch (ArrayIndexOutOfBoundsException e) {
            return r + " at " + i + " " + e.getMessage();
        }
        return r + " till " + i;
    }
    static String local(int[] a, int s, int n) {
        int r = 0, i = s;
        long q = 1;
        try {
            for (; i < n; i++) { a[i] = a[i] * 3 + i; r += a[i]; q = q * 31 + r; }
        } catch (ArrayIndexOutOfBoundsException | NullPointerException e) {
            return r + " " + q + " at " + i;
        }
        return r + " " + q + " till " + i;
    }
    static void shift(int[] to, int[] from, int k) { for (int i = 0; i < to.length - 3; i++) to[i + k] = from[i + 1] + from[i]; }
    static void swap(byte[] x) { for (int i = 0, j = x.length - 1; i < j; i++, j--) { byte t = x[i]; x[i] = x[j]; x[j] = t; } }
    static int find(int[] x, int what) { int i; for (i = 0; i < x.length; i++) if (x[i] == what) break; return i; }
    static int both(int[] x, int what) {
        int i, last = -1, seen = 0;
        for (i = 0; i < x.length; i++) {
            int v = x[i] & 15;
            if (v == what) { last = v + i; break; }
            if (v == what + 1) return seen * 100 + v;
            seen += v;
        }
        return (last * 31 + i) * 31 + seen;
    }
    static int outside(int[] x, int n) {
        int v = 0, w = 0, i = 0;
        outer:
        for (int k = 0; k < 3; k++) {
            for (i = k; i < n; i++) {
                v = x[i & 31];
                w += v;
                if ((w & 63) == 17) continue outer;
                if ((w & 63) == 18) break outer;
            }
            w += v * 3;
        }
        return (v * 31 + w) * 31 + i;
    }
    static int shrinking(int n) {
        int[] x = new int[n];
        int r = 0;
        for (int i = 0; i < x.length; i++) { r += x[i] + i; if (i == 5) x = new int[7]; x[i % x.length] = r; }
        return r;
    }
    static int few(int x) {
        int r = 0;
        for (int i = -1; i <= 1; i++) for (int k = 1; k >= -1; k--) if ((i | k) != 0) r = r * 3 + a[x + i & 31] * k;
        for (int i = 0; i < 16; i++) { r += a[i] << i; if (r == x) break; }
        for (int i = MAX - 2; i > 0; i++) r = r * 17 + i;
        for (int i = 10; i < 5; i++) r = 0;
        for (int i = 0; i != 12; i += 3) r ^= a[i];
        return r;
    }
    static String fewThrow(int n) {
        int[] x = new int[n];
        int r = 0, i = 0;
        try {
            for (i = 0; i < 6; i++) { x[i] = r + i; r += x[i] * 2 + 1; }
        } catch (ArrayIndexOutOfBoundsException e) {
            r = -r;
        }
        Object o = null;
        for (int k = 0; k < 3; k++) { if (k == n) o = x; r += o == null ? 1 : ((int[]) o).length; }
        return r + " " + i + " " + x.length;
    }
    static int objects(int n) {
        int r = 0;
        int[] kept = null;
        for (int k = 0; k < 4; k++) { int[] p = {k, n, r}; if (k == n) kept = p; r += p[0] + p[1] * p[2]; }
        return kept == null ? r : r + kept[2] * 1000;
    }
    static double floats(double[] x, float f) { double r = 0; for (int i = 0; i < x.length; i++) { r += x[i] * f; f = f + 1; } return r; }
    static boolean[] sieve(int n) { boolean[] z = new boolean[n]; for (int i = 2; i < n; i++) for (long j = (long) i * i; j < n; j += i) z[(int) j] = true; return z; }
    /* Loops that nobody counts. */
    static int common(int x, int y) { while (y != 0) { int t = x % y; x = y; y = t; } return x; }
    static int turnsTo1(int x) { int n = 0; while (x > 1) { x = (x & 1) == 0 ? x >> 1 : 3 * x + 1; n++; } return n * 1000 + x; }
    static int stepped(int[] x, int by, int n) { int r = 1; for (int i = 0; i < n; i += by) { if (x[i] == 7) break; r = r * 31 + x[i]; } return r; }
    static int root(int[] parent, int k) { while (parent[k] != k) { parent[k] = parent[parent[k]]; k = parent[k]; } return k; }
    static int merged(int[] x, int[] y) {
        int i = 0, j = 0, r = 0;
        while (i < x.length && j < y.length) r = r * 31 + (x[i] <= y[j] ? x[i++] : y[j++]);
        while (i < x.length) r = r * 31 + x[i++];
        while (j < y.length) r = r * 37 + y[j++];
        return r + i * 7 + j;
    }
    static class Link { int v; Link next; Link(int v, Link next) { this.v = v; this.next = next; } }
    static String linked(int n) {
        Link all = null;
        for (int k = 0; k < n; k++) all = new Link(k * k % 17, all);
        int r = 0, far = 0;
        Link last = null;
        for (Link l = all; l != null; l = l.next) { if (l.v == 13) break; last = l; r = r * 31 + l.v; far++; }
        try { for (Link l = all; ; l = l.next) r += l.v; } catch (NullPointerException e) { far = -far; }
        return r + " " + far + " " + (last == null ? "none" : last.v);
    }
    static int nested(int[][] x) { int r = 0; for (int i = 0; i < x.length; i++) for (int j = 0; j < x[i].length; j++) r = r * 31 + x[i][j] + (j > 0 ? x[i][j - 1] : 1); return r; }
    static long longs(long[] x, long[] y) { long r = 0; for (int i = x.length - 1; i >= 0; i--) { y[i] = x[i] + i; r += y[i] ^ x[i]; } return r; }
    static int chars(String s) { int h = 0; for (int i = 0; i < s.length(); i++) { char c = s.charAt(i); if (c == '#') return -h; h = 31 * h + c; } return h; }

    public static void main(String[] args) {
        for (int k = 0; k < 33; k++) a[k] = k * 7919 % 101;
        for (int k = 0; k < 3; k++)
            for (int s : EDGES)
                for (int n : EDGES) {
                    long h = turns = 0;
                    h = h * 31 + up(s, n); h += turns; turns = 0;
                    h = h * 31 + upTo(s, n); h += turns; turns = 0;
                    h = h * 31 + down(s, n); h += turns; turns = 0;
                    h = h * 31 + downTo(s, n); h += turns; turns = 0;
                    h = h * 31 + unequal(s, n); h += turns; turns = 0;
                    h = h * 31 + turned(s, n); h += turns; turns = 0;
                    String thrown = "";
                    try { h += wide(s, n); } catch (ArrayIndexOutOfBoundsException e) { thrown = e.getMessage() + turns; }
                    System.out.println(s + " " + n + " " + h + " " + thrown + " " + sums(s, n, 1) + " " + sums(s, n, -1) + " " + local(k == 1 && n == 7 ? null : b, s, n));
                }
        for (int k = 0; k < 200; k++) {
            byte[] y = new byte[k % 19];
            for (int i = 0; i < y.length; i++) y[i] = (byte) (i * k);
            swap(y);
            int[] c = a.clone();
            try { shift(c, k % 2 == 0 ? c : b, k % 5); } catch (ArrayIndexOutOfBoundsException e) { System.out.println(e.getMessage()); }
            int[][] rows = new int[k % 6][k % 11];
            for (int[] row : rows) for (int i = 0; i < row.length; i++) row[i] = i * k;
            long[] q = new long[k % 23], p = k % 3 == 0 ? q : new long[k % 23];
            int[] parent = new int[40];
            for (int i = 0; i < 40; i++) parent[i] = i * k % 40 < i ? i * k % 40 : i;
            System.out.println(root(parent, k % 40) + " " + java.util.Arrays.hashCode(parent));
            double[] d = new double[k % 9];
            for (int i = 0; i < d.length; i++) d[i] = i / 3.0;
            System.out.println(k + " " + java.util.Arrays.hashCode(y) + " " + java.util.Arrays.hashCode(c) + " " + find(a, k) + " " + both(a, k % 17) + " " + outside(c, k % 40) + " "
                + shrinking(k % 21) + " " + few(k) + " " + fewThrow(k % 8) + " " + objects(k % 6) + " " + floats(d, k) + " " + java.util.Arrays.hashCode(sieve(k)) + " "
                + common(k * 7919, k * 31) + " " + turnsTo1(k) + " " + stepped(c, k % 3 + 1, k % 34) + " " + merged(rows.length > 0 ? rows[0] : c, y.length > 5 ? c : b) + " " + linked(k % 30) + " "
                + nested(rows) + " " + longs(q, p) + " " + chars("abcdefghijklmnop".substring(k % 16) + (k % 3 == 0 ? "#" : "") + "tail".repeat(k % 4)));
        }
    }
}
