// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:CompileThreshold=20 -Xmx200m
import java.util.Arrays;

/** clone() of arrays in compiled code: all kinds and lengths, arrays of subclasses, arrays of arrays, null, objects that only the clone keeps, and no memory. */
public class ArraysCloned {
    enum Op { ADD, SUB, MUL, XOR { @Override int of(int a, int b) { return a ^ b; } }; int of(int a, int b) { return a * (ordinal() + 1) + b; } }

    static boolean[] of(boolean[] a) { return a.clone(); }
    static byte[] of(byte[] a) { return a.clone(); }
    static char[] of(char[] a) { return a.clone(); }
    static short[] of(short[] a) { return a.clone(); }
    static int[] of(int[] a) { return a.clone(); }
    static long[] of(long[] a) { return a.clone(); }
    static float[] of(float[] a) { return a.clone(); }
    static double[] of(double[] a) { return a.clone(); }
    static Object[] of(Object[] a) { return a.clone(); }
    static Number[] of(Number[] a) { return a.clone(); }
    static String[] of(String[] a) { return a.clone(); }
    static int[][] of(int[][] a) { return a.clone(); }
    static Object plain(Object o) { return o instanceof int[] x ? x.clone() : o instanceof Object[] y ? y.clone() : null; }

    static int lengths(int most, int step) {
        int sum = 0;
        for (int n = 0; n <= most; n += step) {
            byte[] b = new byte[n];
            for (int i = 0; i < n; i++) b[i] = (byte) (i * 7 + n);
            byte[] c = of(b);
            if (c == b || !Arrays.equals(b, c)) throw new AssertionError("byte " + n);
            char[] d = new char[n];
            Arrays.fill(d, (char) n);
            d = of(d);
            long[] l = new long[n];
            if (n > 0) l[n - 1] = n;
            l = of(l);
            sum += c.length + d.length + l.length + (n > 0 ? d[n - 1] + (int) l[n - 1] + c[n - 1] : 0);
        }
        return sum;
    }

    static int values(int n) {
        int v = 1;
        for (int i = 0; i < n; i++) v = Op.values()[v >>> 3 & 3].of(v, i);
        return v;
    }

    static Object[] list;

    /** The objects are young, and only the clones keep them; the clones are old by then. */
    static int kept(int n) {
        Object[][] all = new Object[64][];
        for (int i = 0; i < n; i++) {
            Object[] a = {new int[] {i}, "x" + i, null};
            all[i & 63] = of(a);
            byte[] garbage = new byte[200];
            garbage[i % 200] = 1;
        }
        int sum = 0;
        for (Object[] a : all) sum += ((int[]) a[0])[0] + ((String) a[1]).length() + (a[2] == null ? 1 : 0);
        return sum;
    }

    static int deep(int[][] a) {
        int[][] b = of(a);
        b[0] = of(b[0]);
        b[0][0]++;
        b[1][0]++;
        return a[0][0] * 1000 + b[0][0] * 100 + a[1][0] * 10 + (a[1] == b[1] ? 1 : 0);
    }

    /** An array that nobody else sees. */
    static int local(int x) {
        int[] a = {x, x + 1, x + 2};
        int[] b = a.clone();
        a[0] = 7;
        return b[0] + b[2] * a[0];
    }

    static String fails(Runnable r) {
        try {
            r.run();
            return "none";
        } catch (NullPointerException e) {
            return e.getMessage() + " " + e.getStackTrace()[0];
        } catch (OutOfMemoryError e) {
            return e.getMessage();
        }
    }

    public static void main(String[] args) {
        boolean[] z = {true, false, true};
        for (int i = 0; i < 3000; i++) {
            boolean[] y = of(z);
            if (!y[0] || y[1] || !y[2]) throw new AssertionError();
            if (of(new short[] {1, (short) i})[1] != (short) i || of(new float[] {i})[0] != i || of(new double[] {1, 2, i})[2] != i) throw new AssertionError();
            if (of(new int[] {i, i})[1] != i || of(new String[] {"a", "b"})[1] != "b") throw new AssertionError();
            if (local(i) != i + (i + 2) * 7) throw new AssertionError();
            deep(new int[][] {{1}, {2}});
        }
        System.out.println(deep(new int[][] {{1}, {2}}));
        System.out.println(lengths(300, 1) + " " + lengths(300, 1) + " " + lengths(70000, 1009));
        System.out.println(values(20000) + " " + values(20000));
        System.out.println(kept(200000));
        for (int i = 0; i < 5000; i++) {
            Number[] n = of(i % 3 == 0 ? new Integer[] {i} : i % 3 == 1 ? new Number[] {i} : new Long[] {(long) i, 2L});
            if (i >= 4997) System.out.println(n.getClass() + " " + Arrays.toString(n));
            Object o = plain(i % 2 == 0 ? new int[] {i} : new String[] {"s" + i});
            if (i >= 4998) System.out.println(o.getClass());
        }
        Object[] strings = of((Object[]) new String[] {"a"});
        try {
            strings[0] = 1;
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(fails(() -> of((int[]) null)));
        System.out.println(fails(() -> of((Object[]) null)));
        System.out.println(fails(() -> values(10)));
        byte[] large = new byte[30 << 20];
        large[large.length - 1] = 9;
        System.out.println(of(large)[large.length - 1]);
        byte[][] keep = new byte[100][];
        System.out.println(fails(() -> {
            for (int i = 0; i < keep.length; i++) keep[i] = of(large);
        }));
    }
}
