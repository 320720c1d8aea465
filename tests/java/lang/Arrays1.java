// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Array;
import java.util.*;

/** Arrays of every kind: defaults, bounds, store checks, multi-dimensional, clone, covariance, arraycopy. */
public class Arrays1 {
    interface Shape {}
    record Dot(int x) implements Shape {}

    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": fine");
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e.getClass().getName() + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        boolean[] z = new boolean[3]; byte[] b = new byte[3]; char[] c = new char[3]; short[] s = new short[3];
        int[] i = new int[3]; long[] l = new long[3]; float[] f = new float[3]; double[] d = new double[3]; Object[] o = new Object[3];
        System.out.println(z[1] + " " + b[1] + " " + (int) c[1] + " " + s[1] + " " + i[1] + " " + l[1] + " " + f[1] + " " + d[1] + " " + o[1]);
        z[0] = true; b[0] = (byte) 200; c[0] = (char) -1; s[0] = (short) 40000; i[0] = -5; l[0] = 1L << 40; f[0] = .5f; d[0] = -0.0; o[0] = z;
        b[0] += 100; c[0]++; s[0] <<= 1; i[0] ^= 0xff; l[0] >>>= 3; f[0] /= 3; d[0] -= 1; z[0] |= z[1]; z[1] ^= true;
        System.out.println(z[0] + " " + z[1] + " " + b[0] + " " + (int) c[0] + " " + s[0] + " " + i[0] + " " + l[0] + " " + f[0] + " " + d[0]);
        attempt("bounds low", () -> { i[-1] = 0; });
        attempt("bounds high", () -> System.out.println(l[3]));
        attempt("bounds object", () -> { o[7] = null; });
        attempt("negative", () -> { int[] x = new int[i.length - 10]; });
        attempt("negative multi", () -> { int[][] x = new int[2][-1]; });
        attempt("zero then negative", () -> { int[][] x = new int[0][-1]; });
        attempt("store", () -> { Object[] x = new String[1]; x[0] = 1; });
        attempt("store interface", () -> { Object[] x = new Shape[1]; x[0] = new Dot(1); x[0] = "s"; });
        attempt("store array", () -> { Object[] x = new int[1][]; x[0] = new int[2]; x[0] = new long[2]; });
        attempt("store null", () -> { Object[] x = new String[1]; x[0] = null; });
        attempt("null length", () -> { int[] x = null; System.out.println(x.length); });
        attempt("copy types", () -> System.arraycopy(i, 0, l, 0, 1));
        attempt("copy bounds", () -> System.arraycopy(i, 1, i, 2, 2));
        attempt("copy bounds 2", () -> System.arraycopy(o, -1, o, 0, 1));
        attempt("copy no array", () -> System.arraycopy("x", 0, o, 0, 1));
        attempt("copy null", () -> System.arraycopy(null, 0, o, 0, 1));
        Class<?> deep = int.class;
        for (int n = 0; n < 254; n++) deep = deep.arrayType();
        Class<?> deeper = deep.arrayType(), nearly = deep;
        attempt("new void", () -> Array.newInstance(void.class, 1));
        attempt("new void, negative", () -> Array.newInstance(void.class, -1));
        attempt("new voids, negative", () -> Array.newInstance(void.class, 1, -2));
        attempt("new without dimensions", () -> Array.newInstance(void.class, new int[0]));
        attempt("new of no type, negative", () -> Array.newInstance(null, -1));
        attempt("new without lengths", () -> Array.newInstance(int.class, (int[]) null));
        attempt("new with 255 dimensions", () -> Array.newInstance(nearly, 1));
        attempt("new with 256 dimensions", () -> Array.newInstance(deeper, 1));
        attempt("new with 256 dimensions, negative", () -> Array.newInstance(deeper, -1));
        attempt("new with 256 dimensions at once", () -> Array.newInstance(nearly, 1, 1));
        attempt("new with 256 dimensions at once, negative", () -> Array.newInstance(nearly, 1, -1));
        attempt("type with 256 dimensions", () -> deeper.arrayType());
        Object[] from = {"a", "b", 3, "d"};
        String[] to = new String[4];
        attempt("copy store", () -> System.arraycopy(from, 0, to, 0, 4));
        System.out.println(Arrays.toString(to));
        int[] over = {1, 2, 3, 4, 5, 6, 7};
        System.arraycopy(over, 0, over, 2, 5);
        System.out.println(Arrays.toString(over));
        System.arraycopy(over, 2, over, 0, 5);
        System.out.println(Arrays.toString(over));
        int[][][] m = new int[2][3][];
        System.out.println(m[1][2] + " " + m.getClass() + " " + m[0].getClass().getComponentType());
        long[][] lm = new long[3][4];
        for (int x = 0; x < 3; x++)
            for (int y = 0; y < 4; y++)
                lm[x][y] = x * 10L + y;
        long[][] copy = lm.clone();
        copy[0] = new long[] {9};
        copy[1][1] = 77;
        System.out.println(Arrays.deepToString(lm) + Arrays.deepToString(copy) + new String[2][2][2][2][2].getClass().getName());
        int[] cl = i.clone();
        cl[0]++;
        System.out.println((cl[0] - i[0]) + " " + (i instanceof Object) + " " + ((Object) m instanceof Object[]) + " " + ((Object) i instanceof Cloneable)
            + " " + ((Object) m instanceof int[][]) + " " + ((Object) to instanceof Comparable[]) + " " + int[].class.getSuperclass() + Arrays.toString(int[].class.getInterfaces()));
        int k = 0;
        int[] order = new int[4];
        order[k++] = k++ + k;
        order[k] = k = 3;
        System.out.println(Arrays.toString(order) + k);
        System.out.println(Arrays.hashCode(new double[] {1, 2}) + " " + Arrays.equals(new int[] {1}, new int[] {1}) + " " + Arrays.mismatch("abcd".toCharArray(), "abxd".toCharArray())
            + " " + Arrays.compare(new byte[] {1, 2}, new byte[] {1, 3}));
        int[] big = new int[100000];
        Random r = new Random(5);
        for (int x = 0; x < big.length; x++)
            big[x] = r.nextInt();
        int[] big2 = big.clone();
        Arrays.sort(big);
        Arrays.parallelSort(big2);
        System.out.println(Arrays.equals(big, big2) + " " + big[50000] + " " + Arrays.binarySearch(big, big[777]));
    }
}
