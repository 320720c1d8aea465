// SPDX-License-Identifier: Apache-2.0
import java.util.Arrays;

/** System.arraycopy of few elements, which is code where the arrays' class is known; over itself, at edges, and where it throws. */
public class Copies {
    static void bytes(byte[] x, int i, byte[] y, int k, int n) { System.arraycopy(x, i, y, k, n); }
    static void booleans(boolean[] x, int i, boolean[] y, int k, int n) { System.arraycopy(x, i, y, k, n); }
    static void chars(char[] x, int i, char[] y, int k, int n) { System.arraycopy(x, i, y, k, n); }
    static void shorts(short[] x, int i, short[] y, int k, int n) { System.arraycopy(x, i, y, k, n); }
    static void ints(int[] x, int i, int[] y, int k, int n) { System.arraycopy(x, i, y, k, n); }
    static void floats(float[] x, int i, float[] y, int k, int n) { System.arraycopy(x, i, y, k, n); }
    static void longs(long[] x, int i, long[] y, int k, int n) { System.arraycopy(x, i, y, k, n); }
    static void doubles(double[] x, int i, double[] y, int k, int n) { System.arraycopy(x, i, y, k, n); }
    static void texts(String[] x, int i, String[] y, int k, int n) { System.arraycopy(x, i, y, k, n); }
    static void any(Object x, int i, Object y, int k, int n) { System.arraycopy(x, i, y, k, n); }
    static void nine(int[] x, int[] y) { System.arraycopy(x, 0, y, 0, 9); }
    static void seven(long[] x, long[] y) { System.arraycopy(x, 1, y, 2, 7); }

    static final Object[] KINDS = {new byte[0], new boolean[0], new char[0], new short[0], new int[0], new float[0], new long[0], new double[0], new String[0]};
    static Object make(int kind, int len, int seed) {
        Object a = java.lang.reflect.Array.newInstance(KINDS[kind].getClass().getComponentType(), len);
        for (int i = 0; i < len; i++) {
            int v = (i + 1) * 7919 + seed * 104729;
            switch (kind) {
                case 0: ((byte[]) a)[i] = (byte) v; break;
                case 1: ((boolean[]) a)[i] = (v & 4) != 0; break;
                case 2: ((char[]) a)[i] = (char) v; break;
                case 3: ((short[]) a)[i] = (short) v; break;
                case 4: ((int[]) a)[i] = v * 31; break;
                case 5: ((float[]) a)[i] = v / 3f; break;
                case 6: ((long[]) a)[i] = v * 1_000_003L; break;
                case 7: ((double[]) a)[i] = v / 7.0; break;
                default: ((String[]) a)[i] = "" + v;
            }
        }
        return a;
    }
    static void copy(int kind, Object x, int i, Object y, int k, int n) {
        switch (kind) {
            case 0: bytes((byte[]) x, i, (byte[]) y, k, n); break;
            case 1: booleans((boolean[]) x, i, (boolean[]) y, k, n); break;
            case 2: chars((char[]) x, i, (char[]) y, k, n); break;
            case 3: shorts((short[]) x, i, (short[]) y, k, n); break;
            case 4: ints((int[]) x, i, (int[]) y, k, n); break;
            case 5: floats((float[]) x, i, (float[]) y, k, n); break;
            case 6: longs((long[]) x, i, (long[]) y, k, n); break;
            case 7: doubles((double[]) x, i, (double[]) y, k, n); break;
            default: texts((String[]) x, i, (String[]) y, k, n);
        }
    }
    static boolean same(Object x, Object y) { return Arrays.deepEquals(new Object[] {x}, new Object[] {y}); }
    /** As the specification says: as if by way of a third array. */
    static Object wanted(Object x, int i, Object y, int k, int n) {
        int len = java.lang.reflect.Array.getLength(y);
        Object r = java.lang.reflect.Array.newInstance(y.getClass().getComponentType(), len);
        for (int e = 0; e < len; e++) {
            boolean copied = e >= k && e < k + n;
            java.lang.reflect.Array.set(r, e, java.lang.reflect.Array.get(copied ? x : y, copied ? e - k + i : e));
        }
        return r;
    }
    static int wrong;
    static void check(int kind, int i, int k, int n, boolean over) {
        Object x = make(kind, 80, n), y = over ? x : make(kind, 80, n + 1), want = wanted(x, i, y, k, n);
        copy(kind, x, i, y, k, n);
        if (!same(y, want)) wrong++;
        if (over) return;
        Object z = make(kind, 80, n + 1);
        any(x, i, z, k, n);
        if (!same(z, want)) wrong++;
    }
    static String thrown(int kind, Object x, int i, Object y, int k, int n) {
        try {
            copy(kind, x, i, y, k, n);
            return "copied";
        } catch (RuntimeException e) {
            return e.toString();
        }
    }
    static final int[][] EDGES = {{0, 0, 0}, {80, 80, 0}, {81, 0, 0}, {0, 81, 0}, {-1, 0, 1}, {0, -1, 1}, {0, 0, -1}, {79, 0, 2}, {0, 79, 2}, {72, 0, 9}, {0, 72, 9},
        {73, 73, 7}, {Integer.MAX_VALUE, 0, 1}, {0, Integer.MAX_VALUE, 1}, {1, 0, Integer.MAX_VALUE}, {0, 0, Integer.MIN_VALUE}, {Integer.MIN_VALUE, 0, 4}};

    public static void main(String[] args) {
        for (int round = 0; round < 4; round++)
            for (int kind = 0; kind < KINDS.length; kind++)
                for (int n = 0; n <= 70; n += n < 20 ? 1 : 3)
                    for (int at = 0; at < 9; at++)
                        for (int over = 0; over < 2; over++) check(kind, at, (at * 5 + n) % 9, n, over == 1);
        System.out.println("wrong: " + wrong);
        for (int kind = 0; kind < KINDS.length; kind++) {
            Object x = make(kind, 80, 1), y = make(kind, 80, 2);
            for (int[] e : EDGES) System.out.println(thrown(kind, x, e[0], y, e[1], e[2]) + " " + same(x, y));
            System.out.println(thrown(kind, null, 0, y, 0, 1) + ", " + thrown(kind, x, 0, null, 0, 1));
        }
        int[] a = (int[]) make(4, 9, 1), b = new int[9];
        long[] c = (long[]) make(6, 12, 1), d = new long[9];
        for (int i = 0; i < 20_000; i++) {
            nine(a, b);
            seven(c, d);
        }
        System.out.println(Arrays.toString(b) + Arrays.toString(d));
        for (Object[] two : new Object[][] {{a, c}, {a, "text"}, {"text", a}, {new byte[9], new boolean[9]}, {new char[9], new short[9]}, {new Integer[9], a}})
            try {
                any(two[0], 0, two[1], 0, 4);
                System.out.println("copied");
            } catch (ArrayStoreException e) {
                System.out.println(e.getMessage());
            }
    }
}
