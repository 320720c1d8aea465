// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;

/**
 * Calls from loops in bodies in loops: whoever is called sees the frames around it as they are, with their lines, in the first turn and in later ones, and behind
 * other calls, polls, monitors and exceptions; and locals that did not change are still what they were.
 */
public class CallsInBodies {
    static long seen;
    static int turn;
    static Object kept;

    /** What the frames of this program look like, by method and line. */
    static void look() {
        long h = 7;
        for (StackTraceElement e : new Throwable().getStackTrace())
            if (e.getClassName().startsWith("CallsInBodies")) h = h * 31 + e.getMethodName().hashCode() * 17 + e.getLineNumber();
        seen = seen * 31 + h;
    }

    /** Too much to become a body: it is called. */
    static int called(int a, long b, Object c) {
        turn++;
        if (turn % 97 == 0) look();
        if (turn % 1009 == 0) System.gc();
        int x = a;
        try {
            if (a == 13) throw new IllegalStateException("thirteen");
            x += (int) (b >>> 3) + (c instanceof String ? c.hashCode() % 5 : 1);
        } catch (ClassCastException e) {
            x = -1;
        } finally {
            x ^= 5;
        }
        try {
            x += a > 1000 ? Integer.parseInt("x") : 1;
        } catch (NumberFormatException e) {
            x += 3;
        }
        a = 99; // the arguments are the callee's
        b = 98;
        c = "changed";
        return x + a - (int) b - (c == null ? 1 : 0);
    }

    static int inner(int n, long wide, Object o) {
        int s = 0;
        for (int i = 0; i < n; i++) s += called(i, wide, o);
        return s;
    }

    static int middle(int n, long wide, Object o, String name) {
        int s = inner(n, wide, o) + name.length();
        for (int i = 0; i < 2; i++) s += called(n + i, wide, name);
        return s + inner(n / 2, wide + 1, name);
    }

    static int outer(int n, int m, Object o) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            s += middle(m, i * 12345678901L, o, "name");
            if ((i & 3) == 3) s += called(i, n, o);
        }
        return s;
    }

    /** No turn at all, one, many; the body behind the loop is at the same place. */
    static int turns(int n, Object o) {
        int s = 0;
        for (int i = 0; i < n; i++) s = s * 3 + inner(1, s, o);
        s += inner(2, s, "behind");
        return s;
    }

    interface Shape { int area(int by); }
    static class Square implements Shape {
        int side = 3;
        public int area(int by) {
            int s = 0;
            for (int i = 0; i < by; i++) s += called(side + i, by, this.getClass());
            return s;
        }
    }
    static class Circle extends Square {
        @Override public int area(int by) { return called(by, side, null) * 3; }
    }
    static class Line implements Shape {
        public int area(int by) { return by; }
    }

    /** Nearly always of one class: others are called beside the way. */
    static int shapes(Shape[] all, int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s += all[i % all.length].area(2) + inner(1, s, all);
        return s;
    }

    static class Counter {
        int n;
        synchronized int add(int by, Object o) {
            n += by;
            for (int i = 0; i < 2; i++) n += called(i, by, o) & 7;
            return n;
        }
    }

    static int locked(Counter c, int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s += c.add(i, "o") + inner(1, i, c);
        return s;
    }

    /** Values that live in a body's cells while the body does not run. */
    static int crowded(int a, int n) {
        int b = a * 3, c = b ^ 5, d = c + a, e = d * b, f = e - c, g = f ^ d, h = g + e, j = h - f, k = j ^ g, l = k + h;
        int s = 0;
        for (int i = 0; i < n; i++) {
            s += b + c * d - e + f * g - h + j * k - l;
            s += inner(2, s, null);
            l ^= s;
            k += l;
        }
        return s + b + c + d + e + f + g + h + j + k + l;
    }

    static int thrown(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            try {
                s += inner(i % 16, i, "t");
            } catch (IllegalStateException e) {
                s += e.getStackTrace()[1].getLineNumber();
            }
        }
        return s;
    }

    static double floats(double x, float y, int n) {
        double s = 0;
        for (int i = 0; i < n; i++) s += x * i + y + inner(1, (long) x, y);
        return s;
    }

    /** The list's own methods are bodies, equals is not. */
    static class Key {
        final int k;
        Key(int k) { this.k = k; }
        @Override public boolean equals(Object o) { return o instanceof Key && (called(k & 7, k, null) | 1) != 0 && ((Key) o).k == k; }
        @Override public int hashCode() { return k; }
    }

    static int find(List<Key> keys, int n) {
        int s = 0;
        for (int i = 0; i < n; i++)
            if (keys.contains(new Key(i % 40))) s++;
        return s;
    }

    public static void main(String[] args) {
        Shape[] shapes = new Shape[64];
        for (int i = 0; i < shapes.length; i++) shapes[i] = i == 50 ? new Line() : i % 30 == 7 ? new Circle() : new Square();
        List<Key> keys = new ArrayList<>();
        for (int i = 0; i < 30; i++) keys.add(new Key(i));
        Counter counter = new Counter();
        long sum = 0;
        for (int round = 0; round < 60; round++) {
            sum = sum * 31 + outer(9, 5, round % 3 == 0 ? null : "o") + turns(round % 4, "t") + shapes(shapes, 70) + locked(counter, 7);
            sum += crowded(round, 6) + thrown(40) + (long) floats(1.5 + round, 0.25f, 9) + find(keys, 45);
            kept = new Object[] {round, kept == null ? null : round};
        }
        System.out.println(sum + " " + seen + " " + turn + " " + counter.n);
    }
}
