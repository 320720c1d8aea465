// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=2
/* Stack shuffles, arrays, fields, calls, switches, loops that are entered compiled in their midst. */
import java.util.*;
public class Shapes {
    byte b; char c; short s; int i; long j; float f; double d; boolean z; Object o; volatile int vi; volatile long vj; volatile Object vo;
    static byte sb; static char sc; static short ss; static int si; static long sj; static float sf; static double sd; static boolean sz; static Object so;

    static long fields(Shapes x, int v) {
        x.b = (byte) v; x.c = (char) v; x.s = (short) v; x.i = v; x.j = v * 3L; x.f = v * 0.5f; x.d = v * 0.25; x.z = (v & 1) != 0; x.o = x;
        x.vi = v + 1; x.vj = v - 1L; x.vo = "v" + v;
        sb = (byte) (v + 1); sc = (char) (v + 1); ss = (short) (v + 1); si = v + 1; sj = v * 5L; sf = v * 0.125f; sd = v * 2.5; sz = v > 3; so = x;
        x.i += 3; x.j++; x.d *= 2; x.b += 5; si++; sj -= 4; sd /= 3; x.vi += 2; x.vj *= 3;
        return x.b + x.c * 3 + x.s * 5 + x.i * 7 + x.j * 11 + (long) (x.f * 13) + (long) (x.d * 17) + (x.z ? 19 : 23) + (x.o == x ? 1 : 2)
            + sb + sc + ss + si + sj + (long) (sf * 3) + (long) (sd * 5) + (sz ? 7 : 9) + (so == x ? 3 : 4) + x.vi + x.vj + x.vo.hashCode();
    }
    static long arrays(int n) {
        byte[] b = new byte[n]; char[] c = new char[n]; short[] s = new short[n]; int[] i = new int[n]; long[] j = new long[n];
        float[] f = new float[n]; double[] d = new double[n]; boolean[] z = new boolean[n]; Object[] o = new Object[n]; String[] t = new String[n];
        int[][] m = new int[n][3]; long r = 0;
        for (int k = 0; k < n; k++) {
            b[k] = (byte) (k * 37); c[k] = (char) (k * 3777); s[k] = (short) (k * 3333); i[k] = k * 77777; j[k] = k * 7777777777L;
            f[k] = k * 1.5f; d[k] = k * 2.5; z[k] = k % 3 == 0; t[k] = "t" + k; o[k] = k % 2 == 0 ? t[k] : m[k]; m[k][1] = k;
            b[k] += 7; c[k]++; s[k] -= 9; i[k] ^= 5; j[k] *= 3; f[k] += 0.5f; d[k] /= 4; z[k] |= k == 4; m[k][k % 3] += 11;
        }
        for (int k = n - 1; k >= 0; k--)
            r = r * 31 + b[k] + c[k] + s[k] + i[k] + j[k] + (long) f[k] + (long) (d[k] * 8) + (z[k] ? 1 : 0) + m[k][0] + m[k][1] + m[k][2]
                + (o[k] instanceof String ? ((String) o[k]).length() : ((int[]) o[k]).length) + t[k].hashCode();
        return r + new int[2][3][4].length + b.length + o.clone().length;
    }
    int n; long w; int[] a = new int[4]; long[] la = new long[4];
    long shuffles(int x, long y) { /* dup, dup_x1, dup_x2, dup2, dup2_x1, dup2_x2 */
        int p = n = x; long q = w = y;
        int r = a[x & 3] = x + 1; long t = la[x & 3] = y + 2;
        int u = a[x & 3]++ + ++a[1] + n++ - --n; long v = la[x & 3]++ + --la[2] + w++ * 2;
        a[2] += x; la[3] -= y; n *= 3; w <<= 2;
        Object o = x > 3 ? (Object) this : "s";
        return p + q + r + t + u + v + n + w + a[0] + a[1] + a[2] + a[3] + la[0] + la[1] + la[2] + la[3] + (o == this ? 1 : 2)
            + add3(x > 1 ? x : -x, y > 2 ? y : -y, x > 4 ? 1.5 : y > 1 ? 2.5 : 3.5);
    }
    static long add3(int a, long b, double c) { return a + b * 2 + (long) (c * 4); }
    static int dense(int k) { switch (k) { case 0: return 5; case 1: k += 3; case 2: return k * 2; case 3: break; case 7: return -1; default: return 99; } return k; }
    static int sparse(int k) {
        switch (k) { case -1000: return 1; case 5: return 2; case 77: return 3; case 1000: return 4; case 99999: return 5; case 100000: return 6;
            case Integer.MIN_VALUE: return 7; case Integer.MAX_VALUE: return 8; default: return 9; } }
    static int names(String k) { switch (k) { case "a": return 1; case "bb": return 2; case "Aa": return 3; case "BB": return 4; default: return 5; } }

    interface Shape { double area(); default String name() { return "shape" + (int) area(); } static int count() { return 3; } }
    record Square(double side) implements Shape { public double area() { return side * side; } }
    record Circle(double r) implements Shape { public double area() { return 3 * r * r; } public String name() { return "circle"; } }
    static abstract class Base { int v; Base(int v) { this.v = v; } abstract int get(); int twice() { return get() * 2; } final int plain() { return v; } private int own() { return v + 1; } int callOwn() { return own(); } }
    static class One extends Base { One(int v) { super(v); } int get() { return v + 1; } int twice() { return super.twice() + 1; } }
    static class Two extends Base { Two(int v) { super(v); } int get() { return v + 2; } }
    static double calls(int k) {
        Shape s = k % 2 == 0 ? new Square(k) : new Circle(k);
        Base b = k % 3 == 0 ? new One(k) : new Two(k);
        Comparable<String> c = "x" + k;
        return s.area() + s.name().length() + Shape.count() + b.get() + b.twice() + b.plain() + b.callOwn() + c.compareTo("x3") + Math.sqrt(k) + Math.max(k, 5);
    }
    static synchronized int locked(int k) { return k + 1; }
    static int monitors(Object o, int k) {
        synchronized (o) { if (k == 3) return locked(k); synchronized (Shapes.class) { k += 2; } }
        return k;
    }
    static int recursion(int m, int n) { return m == 0 ? n + 1 : n == 0 ? recursion(m - 1, 1) : recursion(m - 1, recursion(m, n - 1)); }
    static int depth;
    static void deep(long a, double b, Object c) { depth++; deep(a + 1, b * 2, c); }
    static long varargs(Object... x) { long r = 0; for (Object o : x) r = r * 7 + (o instanceof Integer ? (Integer) o : o instanceof Long ? (Long) o : o == null ? 1 : 2); return r; }

    public static void main(String[] args) {
        long sum = 0;
        for (int k = 0; k < 40; k++) sum = sum * 31 + fields(new Shapes(), k * 12345);
        System.out.println("fields " + sum);
        for (int k = 0; k < 20; k++) sum = sum * 31 + arrays(k);
        System.out.println("arrays " + sum);
        Shapes x = new Shapes();
        for (int k = 0; k < 20; k++) sum = sum * 31 + x.shuffles(k, k * 1234567L);
        System.out.println("shuffles " + sum);
        for (int k = -3; k < 12; k++) sum = sum * 31 + dense(k);
        for (int k : new int[] {0, -1000, 5, 77, 1000, 99999, 100000, Integer.MIN_VALUE, Integer.MAX_VALUE, 6, 76, 78}) sum = sum * 31 + sparse(k);
        for (String k : new String[] {"a", "bb", "Aa", "BB", "C", ""}) sum = sum * 31 + names(k);
        System.out.println("switches " + sum);
        double t = 0;
        for (int k = 0; k < 30; k++) t += calls(k);
        System.out.println("calls " + t);
        for (int k = 0; k < 8; k++) sum = sum * 31 + monitors(x, k);
        System.out.println("monitors " + sum);
        System.out.println("recursion " + recursion(3, 3) + " " + varargs(1, 2L, null, "x", 5) + " " + varargs(3L));
        for (int k = 0; k < 3; k++) try { depth = 0; deep(1, 2, x); } catch (StackOverflowError e) { System.out.println("deep " + (depth > 1000)); }
        long acc = 0; double da = 1; int turns = 0; /* this frame is entered in the loop */
        for (int p = 0; p < 300; p++) {
            for (int q = 0; q < 300; q++) {
                if ((q & 3) == 1) continue;
                acc += p * q ^ turns; da += acc % 7 * 0.5; turns++;
                if (q > 250 && p % 2 == 0) break;
            }
        }
        int down = 100000; do { acc ^= down; down -= 3; } while (down > 0);
        System.out.println("loops " + acc + " " + da + " " + turns + " " + down);
        Map<String, Integer> m = new TreeMap<>();
        for (int k = 0; k < 2000; k++) m.merge("k" + k % 17, k, Integer::sum);
        System.out.println(m + " " + m.values().stream().mapToInt(v -> v * 2).sum());
    }
}
