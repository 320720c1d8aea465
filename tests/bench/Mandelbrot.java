// SPDX-License-Identifier: Apache-2.0
/** Tight loop over double locals. */
public class Mandelbrot {
    public static void main(String[] x) {
        long t = System.nanoTime();
        int n = 1300, sum = 0;
        for (int py = 0; py < n; py++)
            for (int px = 0; px < n; px++) {
                double cr = 2.0 * px / n - 1.5, ci = 2.0 * py / n - 1, zr = 0, zi = 0;
                int i = 0;
                while (i < 50 && zr * zr + zi * zi < 4) { double s = zr * zr - zi * zi + cr; zi = 2 * zr * zi + ci; zr = s; i++; }
                sum += i;
            }
        System.out.println(sum);
        Bench.done(t);
    }
}
