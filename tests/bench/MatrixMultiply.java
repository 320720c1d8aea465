// SPDX-License-Identifier: Apache-2.0
/** Dense matrices: loops over arrays of arrays of double and of int, with an LU decomposition. */
public class MatrixMultiply {
    static double[][] times(double[][] a, double[][] b) {
        int n = a.length;
        double[][] c = new double[n][n];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
                c[i][j] = s;
            }
        return c;
    }

    static double det(double[][] m) {
        double d = 1;
        for (int c = 0; c < m.length; c++) {
            int p = c;
            for (int r = c + 1; r < m.length; r++) if (Math.abs(m[r][c]) > Math.abs(m[p][c])) p = r;
            double[] row = m[p]; m[p] = m[c]; m[c] = row;
            if (p != c) d = -d;
            d *= m[c][c];
            for (int r = c + 1; r < m.length; r++) {
                double f = m[r][c] / m[c][c];
                for (int k = c; k < m.length; k++) m[r][k] -= f * m[c][k];
            }
        }
        return d;
    }

    public static void main(String[] x) {
        long t = System.nanoTime();
        int n = 340;
        double[][] a = new double[n][n], b = new double[n][n];
        int[][] h = new int[n][n];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                a[i][j] = 1.0 / (1 + Math.abs(i - j)); b[i][j] = i == j ? 2 : 1.0 / (i + j + 2); h[i][j] = i * 31 + j;
            }
        int s = 0;
        for (int r = 0; r < 12; r++) for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) s ^= h[i][j] += r;
        System.out.println(times(a, b)[n / 2][n / 3] + " " + det(a) + " " + s);
        Bench.done(t);
    }
}
