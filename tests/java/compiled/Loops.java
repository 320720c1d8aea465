// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=2
/* Tests at the heads of loops, of every kind; what throws in them, what changes while the loop runs. */
public class Loops {
    static class Node { int v; Node next; int[] some = new int[3]; Node(int v, Node next) { this.v = v; this.next = next; } }
    static int limit;

    static int ints(int n) { int r = 0, i = n; while (i > 3) { r += i; i -= 2; } while (n != 0) { r ^= n; n >>= 1; } return r; }
    static long longs(long n) { long r = 0; while (n > 5L) { r += n; n = n / 3; } for (long k = n; k <= 10; k++) r = r * 3 + k; return r; }
    static double doubles(double x, double to) {
        double r = 0;
        while (x < to) { r += x; x += 1.5; if (x > 1e4) break; }
        while (x >= to) { r -= x; x -= 2; if (x < -1e4) break; }
        while (!(x > to)) { r++; x = x * 2; if (r > 40) break; }
        while (x != to) { x = r++ > 60 ? to : x / 2; if (r > 70) break; }
        return r;
    }
    static int floats(float x, float to) {
        int r = 0;
        while (x <= to) { if (r++ > 20) break; x++; }
        while (!(x <= to)) { if (r++ > 40) break; x /= 2; }
        while (x == to) { if (r++ > 60) break; }
        while (!(x < to)) { if (r++ > 80) break; x--; }
        return r;
    }
    static int nodes(Node n, Node stop) { int r = 0; for (Node k = n; k != null; k = k.next) r = r * 7 + k.v; while (n != stop) { r++; n = n.next; } return r; }
    static int lengths(int[] a, Node n) {
        int r = 0;
        for (int i = 0; i < a.length; i++) { r += a[i]; if (i == 2) a = new int[5]; }
        for (int i = 0; i < n.some.length; i++) { r += i * 3; if (i == 1 && n.next != null) n = n.next; }
        for (int i = 0; i < n.v + r - 1; i++) { if (i > 30) break; n.v--; }
        return r + n.v;
    }
    static int thrown(int[] a, Node n, int k) {
        int r = 0, i = 0;
        try {
            while (i < a.length) { r += 3; if (++i == k) a = null; }
            i = 0;
            while (i < n.v) { r += 5; i++; if (i == k) n = n.next; }
        } catch (NullPointerException e) {
            r += e.getStackTrace()[0].getLineNumber() * 1000 + i;
        }
        return r;
    }
    static int nested(int n) {
        int r = 0;
        outer:
        for (int i = 0; i < n; i++) {
            for (int j = i; j < n; j++) {
                if ((i * j & 7) == 5) continue outer;
                if ((i + j) % 11 == 10) break;
                for (int k = 0; k < j; k++) { if (k == 9) break outer; r += k ^ i; }
            }
            while (r > 1000) r -= called(i);
        }
        return r;
    }
    static int called(int x) { limit = x; return 100 + x; }
    static int statics(int n) { int r = 0; limit = n; for (int i = 0; i < limit; i++) { r += i; if (i == 4) called(7); } return r; }
    static int forever(int n) { while (true) { if (n > 50) return n; n = n * 2 + 1; } }
    static int endless(int n) { for (;;) { int i = 0; while (i < n) { i += 3; if (i > 20) return i; } if (n++ > 9) return n; } }
    static int onStack(int n) { return n * 3 + count(n) - (n > 2 ? count(n - 1) : 4); }
    static int count(int n) { int r = 0; while (n > 0) { n &= n - 1; r++; } return r; }
    static synchronized int locked(int n) { int r = 0; while (r < n) { synchronized (Loops.class) { r += 2; } } return r; }

    public static void main(String[] args) {
        double[] d = {0, 3, -7.5, Double.NaN, 1e9};
        for (int k = 0; k < 40; k++) {
            Node n = new Node(k, new Node(3, k % 3 == 0 ? null : new Node(9, null)));
            double x = d[k % 5], y = d[k / 5 % 4];
            System.out.println(k + " " + ints(k) + " " + longs(k * 77L) + " " + doubles(x > 100 ? 9 : x, y) + " " + floats((float) x, (float) y) + " " + nodes(n, n.next) + " "
                + lengths(new int[]{k, 2, 3, 4}, n) + " " + thrown(new int[5], n, k % 8) + " " + nested(k % 13) + " " + statics(k) + " " + forever(k) + " " + endless(k % 12)
                + " " + onStack(k) + " " + locked(k));
        }
    }
}
