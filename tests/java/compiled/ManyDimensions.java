// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=2 -Xmx300m
/* Arrays of arrays made at once, in loops, in bodies, with what throws, with objects that are not made around them; rows of known classes. */
public class ManyDimensions {
    record Pair(int x, int y) { int sum() { return x * 31 + y; } }
    static int made;

    static int[][] ints(int n, int m) { return new int[n][m]; }
    static byte[][][] bytes(int n, int m) { return new byte[n][m][]; }
    static long square(int n) {
        long[][] a = new long[n][n];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) a[i][j] = (long) i * j + (i > 0 ? a[i - 1][j] : 3);
        long r = 0;
        for (long[] row : a) for (long x : row) r = r * 31 + x;
        return r;
    }
    static int bodies(int n) {
        int r = 0;
        for (int i = 0; i < 3; i++) r += ints(n + i + 1, 2)[n][1] + ints(1, n).length + bytes(2, 3)[1].length;
        return r;
    }
    static String negative(int n, int m) {
        Pair p = new Pair(n, m); // is not made but for the handler
        int[][] before = {{1}, {2, 3}};
        try {
            Object[][] a = new Object[n][m];
            return "made " + a.length + " " + (a.length > 0 ? a[0].length : -1) + " " + p.sum();
        } catch (NegativeArraySizeException e) {
            return e.getMessage() + " " + p.sum() + " " + before[1][1];
        }
    }
    static int bits(boolean[][] z, byte[][] b, int v) {
        int r = 0;
        for (int i = 0; i < z.length; i++)
            for (int k = 0; k < z[i].length; k++) {
                z[i][k] = (v + i + k) % 3 == 0;
                b[i][k] = (byte) (v * 77 + k);
                if (z[i][k]) r += b[i][k];
            }
        return r;
    }
    /* bastore of what is either; only bit 0 goes into a boolean. */
    static int either(Object o, int v) {
        int r = 0;
        if (o instanceof byte[] b) for (int i = 0; i < b.length; i++) { b[i] += v; r += b[i]; }
        if (o instanceof boolean[] z) for (int i = 0; i < z.length; i++) { z[i] ^= (v & 1) == 1; r += z[i] ? 2 : 1; }
        return r;
    }
    static int store(Object[] into, int[][] rows, int i) {
        try {
            into[i] = rows[i];
            return rows[i] == null ? 1 : 2;
        } catch (ArrayStoreException e) {
            return 3;
        } catch (ArrayIndexOutOfBoundsException e) {
            return 4;
        }
    }
    static int deep(int n) {
        int r = 0;
        String[][][] s = new String[n][2][n];
        for (int i = 0; i < n; i++) s[i][1][i] = "a" + i;
        for (String[][] x : s) for (String[] y : x) for (String z : y) r = r * 7 + (z == null ? 1 : z.length());
        made += s.length;
        return r;
    }

    public static void main(String[] args) {
        boolean[][] z = new boolean[3][5];
        byte[][] b = new byte[3][6];
        for (int k = 0; k < 60; k++) {
            System.out.println(k + " " + square(k % 9) + " " + bodies(k % 5) + " " + negative(k % 7 - 1, k % 4 - 1) + " " + bits(z, b, k) + " "
                + either(b[k % 3], k) + " " + either(z[k % 3], k) + " " + store(k % 2 == 0 ? new Object[2] : k % 3 == 0 ? new int[2][] : new String[2],
                    new int[][]{{k}, null, {3}}, k % 3) + " " + deep(k % 4) + " " + made);
        }
        int thrown = 0;
        for (int i = 0; i < 40; i++)
            try {
                ints(1 << 30, 1);
            } catch (OutOfMemoryError e) {
                thrown++;
            }
        System.out.println(thrown);
    }
}
