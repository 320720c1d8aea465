// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 -XX:TieredStopAtLevel=1 -XX:-OmitStackTraceInFastThrow
import java.util.Arrays;

/* System.arraycopy, clone and loops of Arrays that C code stands for: all kinds of elements, overlaps, bounds, wrong kinds, null.
 * The reference's optimising compiler gives another stack trace once in some 150 runs, so it is left out. */
public class LibraryArrays {
    static long sum;
    static int failures;
    static void add(long v) { sum = sum * 31 + v; }
    static void add(String s) { add(s == null ? -7 : s.hashCode()); }
    static void show(String what) { System.out.println(what + " " + Long.toHexString(sum)); sum = 0; }

    interface Call { long run() throws Exception; }

    static void attempt(Call c) {
        try {
            add(c.run());
        } catch (Throwable e) {
            failures++;
            add(e.getClass().getName());
            add(e.getMessage());
            for (StackTraceElement f : e.getStackTrace()) {
                if (f.getMethodName().startsWith("lambda")) break;
                add(f.getMethodName());
                add(f.getLineNumber());
            }
        }
    }

    static Object make(int kind, int n) {
        switch (kind) {
        case 0: { byte[] a = new byte[n]; for (int i = 0; i < n; i++) a[i] = (byte) (i * 37); return a; }
        case 1: { boolean[] a = new boolean[n]; for (int i = 0; i < n; i++) a[i] = i % 3 == 0; return a; }
        case 2: { char[] a = new char[n]; for (int i = 0; i < n; i++) a[i] = (char) (i * 3777); return a; }
        case 3: { short[] a = new short[n]; for (int i = 0; i < n; i++) a[i] = (short) (i * 3777); return a; }
        case 4: { int[] a = new int[n]; for (int i = 0; i < n; i++) a[i] = i * 123456789; return a; }
        case 5: { float[] a = new float[n]; for (int i = 0; i < n; i++) a[i] = i * 1.1f; return a; }
        case 6: { long[] a = new long[n]; for (int i = 0; i < n; i++) a[i] = i * 1234567890123L; return a; }
        case 7: { double[] a = new double[n]; for (int i = 0; i < n; i++) a[i] = i * 0.37; return a; }
        case 8: { Object[] a = new Object[n]; for (int i = 0; i < n; i++) a[i] = i % 5 == 4 ? null : (Object) ("s" + i); return a; }
        case 9: { String[] a = new String[n]; for (int i = 0; i < n; i++) a[i] = "t" + i; return a; }
        case 10: { Object[] a = new Object[n]; for (int i = 0; i < n; i++) a[i] = i < 5 ? (Object) ("m" + i) : (Object) i; return a; }
        case 11: { Comparable<?>[] a = new Comparable<?>[n]; for (int i = 0; i < n; i++) a[i] = i; return a; }
        case 12: { int[][] a = new int[n][]; for (int i = 0; i < n; i++) a[i] = new int[] {i}; return a; }
        default: return "not an array";
        }
    }
    static long hash(Object o) {
        if (o instanceof byte[]) return Arrays.hashCode((byte[]) o);
        if (o instanceof boolean[]) return Arrays.hashCode((boolean[]) o);
        if (o instanceof char[]) return Arrays.hashCode((char[]) o);
        if (o instanceof short[]) return Arrays.hashCode((short[]) o);
        if (o instanceof int[]) return Arrays.hashCode((int[]) o);
        if (o instanceof float[]) return Arrays.hashCode((float[]) o);
        if (o instanceof long[]) return Arrays.hashCode((long[]) o);
        if (o instanceof double[]) return Arrays.hashCode((double[]) o);
        if (o instanceof Object[]) return Arrays.deepHashCode((Object[]) o);
        return 3;
    }

    static void copy(Object from, int at, Object to, int at2, int n) {
        attempt(() -> { System.arraycopy(from, at, to, at2, n); return 5; });
        add(hash(to));
    }

    static void copies(int kind) {
        for (int n : new int[] {0, 1, 3, 8, 15, 16, 17, 33, 200}) {
            Object from = make(kind, n), to = make(kind, n + 3);
            copy(from, 0, to, 0, n);
            copy(from, n / 2, to, 1, n - n / 2);
            copy(to, 0, to, 2, n);
            copy(to, 2, to, 0, n);
            copy(to, 1, to, 1, n);
            for (int i : new int[] {-1, n, n + 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                copy(from, i, to, 0, 1);
                copy(from, 0, to, i, 1);
                copy(from, 0, to, 0, i);
                copy(from, 1, to, 2, i);
            }
        }
        Object mine = make(kind, 9);
        for (int other = 0; other < 14; other++) copy(mine, 1, make(other, 9), 2, 6);
        copy(mine, 0, null, 0, 1);
        copy(null, 0, mine, 0, 1);
        copy(mine, 0, "x", 0, 1);
        copy("x", 0, mine, 0, 1);
        copy(mine, -1, make(13, 1), 0, -1);
    }

    static void fills(int n) {
        byte[] b = new byte[n]; Arrays.fill(b, (byte) 0x93); add(hash(b));
        boolean[] z = new boolean[n]; Arrays.fill(z, true); add(hash(z));
        char[] c = new char[n]; Arrays.fill(c, '\u8431'); add(hash(c));
        short[] s = new short[n]; Arrays.fill(s, (short) -3); add(hash(s));
        int[] i = new int[n]; Arrays.fill(i, 0x81234567); add(hash(i));
        float[] f = new float[n]; Arrays.fill(f, -0f); add(hash(f));
        long[] l = new long[n]; Arrays.fill(l, 0x8123456789abcdefL); add(hash(l));
        double[] d = new double[n]; Arrays.fill(d, 1.5); add(hash(d));
        Object[] o = new Object[n]; Arrays.fill(o, "o"); add(hash(o));
        for (int from : new int[] {-1, 0, 1, 2, n / 2, n, n + 1})
            for (int to : new int[] {-1, 0, 1, 3, n - 1, n, n + 1, Integer.MAX_VALUE}) {
                attempt(() -> { Arrays.fill(b, from, to, (byte) 7); return hash(b); });
                attempt(() -> { Arrays.fill(c, from, to, 'x'); return hash(c); });
                attempt(() -> { Arrays.fill(s, from, to, (short) 9); return hash(s); });
                attempt(() -> { Arrays.fill(i, from, to, 11); return hash(i); });
                attempt(() -> { Arrays.fill(l, from, to, -12L); return hash(l); });
                attempt(() -> { Arrays.fill(f, from, to, 3f); return hash(f); });
                attempt(() -> { Arrays.fill(d, from, to, Double.NaN); return hash(d); });
                attempt(() -> { Arrays.fill(z, from, to, false); return hash(z); });
                if (to <= n + 1) attempt(() -> Arrays.hashCode(Arrays.copyOfRange(b, from, to)));
                if (to <= n + 1) attempt(() -> Arrays.hashCode(Arrays.copyOfRange(i, from, to)));
                attempt(() -> Arrays.equals(b, from, to, b, 0, 2) ? 1 : 0);
                attempt(() -> Arrays.mismatch(c, from, to, c, 0, n));
            }
    }

    static void equal(int n) {
        for (int kind = 0; kind < 8; kind++) {
            Object a = make(kind, n);
            for (int at = -1; at < n; at += at > 20 ? 17 : 1) {
                Object b = make(kind, n);
                if (at >= 0) {
                    if (b instanceof byte[]) ((byte[]) b)[at] ^= 1;
                    if (b instanceof boolean[]) ((boolean[]) b)[at] ^= true;
                    if (b instanceof char[]) ((char[]) b)[at] ^= 256;
                    if (b instanceof short[]) ((short[]) b)[at] ^= 1;
                    if (b instanceof int[]) ((int[]) b)[at] ^= 1 << 30;
                    if (b instanceof float[]) ((float[]) b)[at] = Float.NaN;
                    if (b instanceof long[]) ((long[]) b)[at] ^= 1L << 40;
                    if (b instanceof double[]) ((double[]) b)[at] = -0.0;
                }
                boolean e = a instanceof byte[] ? Arrays.equals((byte[]) a, (byte[]) b) : a instanceof boolean[] ? Arrays.equals((boolean[]) a, (boolean[]) b)
                    : a instanceof char[] ? Arrays.equals((char[]) a, (char[]) b) : a instanceof short[] ? Arrays.equals((short[]) a, (short[]) b)
                    : a instanceof int[] ? Arrays.equals((int[]) a, (int[]) b) : a instanceof float[] ? Arrays.equals((float[]) a, (float[]) b)
                    : a instanceof long[] ? Arrays.equals((long[]) a, (long[]) b) : Arrays.equals((double[]) a, (double[]) b);
                add(e ? 1 : 0);
                add(a instanceof byte[] ? Arrays.compare((byte[]) a, (byte[]) b) : a instanceof int[] ? Arrays.mismatch((int[]) a, (int[]) b) : 0);
                add(hash(b));
            }
        }
        add(Arrays.equals((int[]) null, null) ? 1 : 0);
        add(Arrays.equals(new int[n], null) ? 1 : 0);
        add(Arrays.equals(null, new byte[n]) ? 1 : 0);
        add(Arrays.equals(new byte[n], new byte[n + 1]) ? 1 : 0);
        add(Arrays.hashCode((int[]) null));
        attempt(() -> { Arrays.fill((int[]) null, 1); return 1; });
        attempt(() -> { Arrays.fill((byte[]) null, 0, 0, (byte) 1); return 1; });
    }

    static void clones(int kind, int n) throws Exception {
        Object a = make(kind, n), b = null;
        if (a instanceof byte[]) b = ((byte[]) a).clone();
        if (a instanceof boolean[]) b = ((boolean[]) a).clone();
        if (a instanceof char[]) b = ((char[]) a).clone();
        if (a instanceof short[]) b = ((short[]) a).clone();
        if (a instanceof int[]) b = ((int[]) a).clone();
        if (a instanceof float[]) b = ((float[]) a).clone();
        if (a instanceof long[]) b = ((long[]) a).clone();
        if (a instanceof double[]) b = ((double[]) a).clone();
        if (a instanceof Object[]) b = ((Object[]) a).clone();
        add(hash(b));
        add(b.getClass().getName());
        add(a == b ? 1 : 0);
        attempt(() -> java.lang.reflect.Array.getLength(a));
    }

    static class Copied implements Cloneable {
        int i = 5;
        String s = "s";
        public Object clone() throws CloneNotSupportedException { return super.clone(); }
    }
    static class NotCopied {
        public Object copy() throws CloneNotSupportedException { return clone(); }
    }

    public static void main(String[] args) throws Exception {
        for (int round = 0; round < 3; round++) {
            for (int kind = 0; kind < 14; kind++) copies(kind);
            show("copies, failures " + failures);
            failures = 0;
            for (int n : new int[] {0, 1, 2, 3, 4, 5, 8, 9, 17, 100}) {
                fills(n);
                equal(n);
            }
            show("loops, failures " + failures);
            failures = 0;
            for (int n : new int[] {0, 1, 7, 1000}) for (int kind = 0; kind < 13; kind++) clones(kind, n);
            Copied c = (Copied) new Copied().clone();
            add(c.i);
            add(c.s);
            attempt(() -> new NotCopied().copy().hashCode());
            int[] none = null;
            attempt(() -> none.clone().length);
            attempt(() -> java.lang.reflect.Array.getLength(null));
            attempt(() -> java.lang.reflect.Array.getLength("x"));
            show("clones, failures " + failures);
            failures = 0;
        }
    }
}
