// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=2
/* Operands that wait on the stack while a condition beside them is decided: in registers, as locals and constants, across calls, in small methods that are called. */
public class Joins {
    static int calls;
    static int call(int x) { calls++; return x * 3 + (x & 1); }
    static double callDouble(double x) { calls++; return x / 2 + 1; }
    static long five(int a, long b, double c, Object d, int e) { return a + 3 * b + (long) (5 * c) + (d == null ? 7 : d.hashCode()) + 11L * e; }

    static int two(int x, boolean c) { return x + (c ? call(x) : x * 2); }
    static int changed(int x, boolean c) { return x + (c ? (x = x + 1) : 4) + x; }
    static int changedElsewhere(int x, boolean c) { return x + (c ? 4 : (x += 5)) + x; }
    static int incremented(int x, boolean c) { return x + (c ? x++ : call(x--)) * (c ? 2 : x) + x; }
    static int constants(int x, boolean c, boolean d) { return five(1, 2, 3, null, c ? 4 : d ? 5 : 6) > x ? (c ? 7 : 8) : (d ? 9 : 10); }
    static long wide(long x, boolean c) { return x + (c ? 1 : call((int) x)) - (c ? x : ~x); }
    static double sum(double[] v, boolean c) {
        double s = 0;
        for (int i = 0; i < v.length; i++) s += (c ? v[i] : callDouble(v[i])) * (i % 2 == 0 ? v[i] : 1);
        return s;
    }
    static double dead(double s, boolean c, double t) { s = s + (c ? t : 2 * t); t = t * (c ? s : 0.5); return s - t; }
    static long mixed(int x, double y, Object o, boolean c) { return five(c ? x : 3, c ? 4 : x, c ? y : x, c ? o : null, c ? 5 : call(x)); }
    static int many(int a, int b, int c, int d, int e, int f, boolean z) {
        return (a + 1) * ((b + 1) - ((c + 1) ^ ((d + 1) + ((e + 1) * ((f + 1) - (z ? a : b) + (z ? call(c) : d * 2))))));
    }
    static int and(int x, boolean a, boolean b, boolean c) { boolean r = a && b || !c; return x + (r ? 1 : 2) + (a || b && c ? call(3) : 4); }
    static int chosen(int x, int k) {
        return x * 2 + switch (k) { case 0 -> 3; case 1 -> x; case 2 -> call(x); case 3 -> { int y = x; while (y > 9) y -= 7; yield y; } default -> -k; } + x;
    }
    static int keyed(int x, String s) { return x + switch (s) { case "a" -> 1; case "bb" -> call(2); case "ccc" -> x; default -> s.length(); }; }
    static int caught(int x, int by) {
        try { return x + (by > 0 ? x / by : x % by) + call(by == 1 ? x : by); } catch (ArithmeticException e) { return -x - (by == 0 ? 1 : 2); }
    }
    static long stored(int[] a, int i, boolean c) { a[i++] = c ? a[i] : call(i); a[i] += c ? 1 : i; return a[0] + 3L * a[1] + 5L * a[2] + i; }
    static String text(int x, Object o) { return x + (o == null ? "null" : o instanceof String ? (String) o : o.toString()) + (x < 3 ? 'l' : 'h'); }

    /* bodies: their locals are assigned on one way and not on another */
    static int clamp(int x, int lo, int hi) { if (x < lo) x = lo; if (x > hi) x = hi; return x; }
    static int named(int x) { int r = 0; if (x > 5) r = 1; else if (x > 2) r = x; return r + x; }
    static int unset(int x) { int r; if (x > 4) { int t = x * x; r = t; } else { long t = x; r = (int) (t >> 1); } return r; }
    static double real(double x, boolean c) { double r = 1; if (c) r = x; return r * (c ? x : 2); }
    static int swapped(int a, int b) { if (a > b) { int t = a; a = b; b = t; } return a * 10 + b; }
    static int bodies(int x, int y, boolean c) {
        return x + clamp(y, 3, x) * named(c ? x : y) - (unset(x) ^ unset(y)) + swapped(x, y) + swapped(y, clamp(x, y, 9)) + (int) real(x, c) + y;
    }
    static boolean even(int x) { return (x & 1) == 0; }
    static boolean between(int x, int lo, int hi) { return lo <= x && x < hi; }
    static int tested(int x) { return x + (even(x) && !between(x, 2, 6) ? call(x) : even(x) || between(x, 4, 8) ? 7 : x); }
    static int looped(int x) {
        int n = 0;
        do { x = x * 5 + 1 & 63; n++; } while (even(x) || between(x, 10, 30));
        while (!between(n, 3, 9) && n < 100) n += even(n) ? 1 : sign(x - n) > 0 ? 2 : 3;
        for (int i = 0; sign(i - x) < 0; i++) if (sign(i % 3 - 1) == 0) continue; else n += i;
        return n * 64 + x;
    }
    static int sign(int x) { return x < 0 ? -1 : x == 0 ? 0 : 1; }

    interface Shape { int area(int k); }
    record Square(int n) implements Shape { public int area(int k) { return n > k ? n * n : k; } }
    static final class Box { Object o; boolean z; byte b; Box(Object o, boolean z, int b) { this.o = o; this.z = z; this.b = (byte) b; } }
    static int made(int x, boolean c) {
        Box b = new Box(c ? "one" : x, c ? even(x) : x > 3, c ? x * 77 : call(x));
        return b.o.hashCode() + (b.z ? 1 : 2) + b.b + new Square(c ? x : 4).area(c ? 5 : x);
    }

    public static void main(String[] args) {
        double[] v = {1.5, -2, 0.25, 8, 3};
        for (int k = 0; k < 40; k++) {
            boolean c = k % 3 == 0, d = (k & 4) != 0;
            System.out.println(k + " " + two(k, c) + " " + changed(k, c) + " " + changedElsewhere(k, c) + " " + incremented(k, c) + " " + constants(60, c, d)
                + " " + wide(k, c) + " " + sum(v, c) + " " + dead(k, c, 1.5) + " " + mixed(k, k / 4.0, "o" + k, d) + " " + many(k, 2, k, 3, k, 4, d)
                + " " + and(k, c, d, c ^ d) + " " + chosen(k, k % 6) + " " + keyed(k, "abbccc".substring(k % 3, k % 3 + 1 + k % 2)) + " " + caught(k, k % 4 - 1));
            System.out.println("  " + stored(new int[]{k, 2, 3}, k & 1, c) + " " + text(k, k % 4 == 0 ? null : k % 4 == 1 ? "s" : (Object) k) + " " + bodies(k, 40 - 2 * k, c)
                + " " + tested(k) + " " + looped(k) + " " + made(k, d) + " " + calls);
        }
    }
}
