// SPDX-License-Identifier: Apache-2.0
// options: -Xmx64m
// modes: !gcstress !gcoften
import java.util.*;

/** Objects that only a loop has, and that the frames of seldom calls name: what is called collects, throws, takes long, comes back to a loop that
 * changes them; iterators over lists that grow in between; several objects that lead to one another; ways that are taken in each turn after all. */
public class Lent {
    static final class Point {
        int x;
        Object what;
        Point next;
        Point(int x, Object what) { this.x = x; this.what = what; }
    }
    static int calls;
    static Object kept;

    /** Too much to be a body. */
    static int aside(int n, int deep) {
        calls++;
        if (deep > 0) return aside(n - 1, deep - 1) + aside(n + 1, deep - 1);
        if (n == 7777) throw new IllegalStateException("seven");
        if (n % 32768 == 0) {
            kept = null;
            System.gc();
            for (int i = 0; i < 200; i++) kept = new byte[2000];
        }
        return n & 3;
    }

    /** What `what` is, only p has, and p only the frame. */
    static int collected(int n) {
        int sum = 0;
        for (int i = 1; i <= n; i++) {
            Point p = new Point(i, new int[] {i, i + 1});
            if ((i & 4095) == 0) sum += aside(i, 3);
            sum += ((int[]) p.what)[i & 1] ^ p.x;
        }
        return sum;
    }

    static int linked(int n) {
        int sum = 0;
        for (int i = 1; i <= n; i++) {
            Point p = new Point(i, "p"), q = new Point(-i, new StringBuilder());
            p.next = q;
            q.next = p;
            if (i % 1000 == 0) sum += aside(i, 2);
            p.x++;
            if (i % 1000 == 0) sum += aside(i, 2);
            if (p.next.next != p || q.next.x != i + 1) return -1;
            sum += p.x - q.x;
        }
        return sum;
    }

    static int carried(int n) {
        Point p = new Point(0, null);
        for (int i = 1; i <= n; i++) {
            Point q = new Point(p.x + i, p);
            q.what = i;
            if (i == n / 2 || i % 5000 == 0) aside(i, 1);
            p = q;
        }
        return p.x + (Integer) p.what;
    }

    static int caught(int n) {
        int sum = 0;
        for (int i = 1; i <= n; i++) {
            Point p = new Point(i, Integer.valueOf(i));
            try {
                if (i % 3000 == 0) sum += aside(7777, 0);
                sum += p.x;
            } catch (IllegalStateException e) {
                sum += (Integer) p.what + e.getMessage().length();
                p.x = -1;
            }
            if (p.x < 0) sum--;
        }
        return sum;
    }

    static int grown(List<Integer> in, List<Object> out) {
        int sum = 0;
        for (Integer x : in) {
            if ((x & 1) == 0) out.add(x);
            if (x % 777 == 0) sum += aside(x, 1);
            sum += x;
        }
        return sum + out.size();
    }

    /** Each turn after all; and each turn the object of the one before. */
    static int often(int n, int from, int to) {
        int sum = 0;
        Point last = new Point(0, null);
        for (int i = 1; i <= n; i++) {
            Point p = new Point(i, last);
            if (from == to) sum += aside(2 * i, 0);
            sum += last.x + p.x;
            last = new Point(p.x, null);
        }
        return sum;
    }

    static int changing(List<Integer> in) {
        int n = 0;
        try {
            for (Integer x : in)
                if (x == 5000) {
                    in.add(aside(1, 1));
                    n++;
                }
        } catch (ConcurrentModificationException e) {
            n += 10;
        }
        return n;
    }

    public static void main(String[] a) {
        List<Integer> in = new ArrayList<>();
        for (int i = 0; i < 9000; i++) in.add(i);
        for (int round = 0; round < 8; round++) {
            System.out.println(collected(300000) + " " + linked(200000) + " " + carried(300000) + " " + caught(200000));
            System.out.println(grown(in, new ArrayList<>()) + " " + often(100000, round, 5) + " " + often(50000, 1, round % 2));
            System.out.println(changing(new ArrayList<>(in)) + " " + calls);
        }
    }
}
