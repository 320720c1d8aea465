// SPDX-License-Identifier: Apache-2.0
/** Matrix times vector, with a function of the indices as the matrix. */
public class SpectralNorm {
    static double a(int i, int j) { return 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1); }
    static void mul(double[] v, double[] r, boolean tr) { for (int i = 0; i < v.length; i++) { double s = 0; for (int j = 0; j < v.length; j++) s += (tr ? a(j, i) : a(i, j)) * v[j]; r[i] = s; } }

    public static void main(String[] x) {
        long t = System.nanoTime();
        int n = 720;
        double[] u = new double[n], v = new double[n], w = new double[n];
        java.util.Arrays.fill(u, 1);
        for (int i = 0; i < 10; i++) { mul(u, w, false); mul(w, v, true); mul(v, w, false); mul(w, u, true); }
        double uv = 0, vv = 0;
        for (int i = 0; i < n; i++) { uv += u[i] * v[i]; vv += v[i] * v[i]; }
        System.out.println(Math.sqrt(uv / vv));
        Bench.done(t);
    }
}
