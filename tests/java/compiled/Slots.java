// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=2
import java.util.ArrayList;
import java.util.List;

/* Variables of several types that share a local, one after another: in loops, across calls, handlers and synchronized blocks. */
public class Slots {
    static int calls;
    static int call(int x) { calls += x & 3; if (x == 97) throw new IllegalStateException("x" + x); return x + 1; }

    static long scopes(int n, List<String> words, double[] v) {
        long r = 0;
        for (int i = 0; i < n; i++) { int a = call(i) ^ n; r += a; }
        for (String w : words) { String u = w + r; r += u.length() * 3L; }
        for (double d : v) { double e = d * n; r += (long) e; }
        for (long l = n; l > 0; l -= 3) { long m = l * l; r ^= m; }
        for (float f = n; f > 0; f /= 2) { float g = f + 1; r += call((int) g); }
        return r;
    }
    static long nested(int n, Object[] some) {
        long r = n;
        for (int k = 0; k < n; k++) {
            { int a = k * 7; int b = a + call(k); r += a * b; }
            { Object o = some[k % some.length]; String s = String.valueOf(o); r = r * 31 + s.hashCode(); }
            { long a = r >>> 3; r -= a; }
            { double a = k / 3.0; float b = (float) a; r += (long) (a * 100) + (int) (b * 10); }
            if ((k & 1) == 0) { int a = (int) r; while (a > 100) a /= 3; r += a; } else { Object o = r; r += o.hashCode(); }
        }
        return r;
    }
    static long handled(int n) {
        long r = 0;
        for (int k = 90; k < 90 + n; k++) {
            try { int a = call(k); int b = a * 2; r += call(b) + a; } catch (IllegalStateException e) { String m = e.getMessage(); r += m.length() + 1000; }
            try { long a = r / (k % 5); r ^= a; } catch (ArithmeticException e) { Object o = e; r += o instanceof RuntimeException ? 5 : 7; }
            synchronized (Slots.class) { int a = (int) r & 15; r += a; }
            { double a = r; double b = a / 2; r += (long) b & 255; }
        }
        return r;
    }
    static int wide(int n, boolean c) {
        int r = 0;
        for (int k = 0; k < n; k++) {
            if (c) { long a = k; long b = a << 33 | 5; r += (int) (b >> 32) + (int) b; } else { int a = k, b = a + 1, d = b + call(a), e = d; r += a + b * d - e; }
            { int a = r, b = r >> 2, d = b ^ a; r = d; }
            { double a = r / 2.0; int b = (int) a; double e = b * 1.5; r = (int) e; }
        }
        return r;
    }
    static Object last(Object o, int n) {
        for (int i = 0; i < n; i++) { Object[] a = {o, i}; o = a[(i ^ n) & 1]; }
        for (Object p = o; p instanceof Object[] q && q.length > 0; p = q[0]) o = p;
        int[] counts = new int[4];
        for (int i = 0; i < n; i++) counts[i & 3] += call(i);
        StringBuilder b = new StringBuilder();
        for (int c : counts) b.append(c).append(',');
        return b.append(o);
    }

    public static void main(String[] args) {
        List<String> words = new ArrayList<>(List.of("a", "bcd", "ef"));
        Object[] some = {1, "two", 3.5, 'c', null};
        double[] v = {1.5, 2.25, -7, 1e3};
        for (int k = 0; k < 40; k++)
            System.out.println(k + " " + scopes(k, words, v) + " " + nested(k, some) + " " + handled(k) + " " + wide(k, k % 3 == 0) + " " + last(k % 2 == 0 ? "o" : null, k) + " " + calls);
    }
}
