// SPDX-License-Identifier: Apache-2.0
/** Permutations and flips of a small int array. */
public class Fannkuch {
    public static void main(String[] x) {
        long t = System.nanoTime();
        int n = 10, max = 0, check = 0, r = n, perms = 0;
        int[] p = new int[n], q = new int[n], c = new int[n];
        for (int i = 0; i < n; i++) p[i] = i;
        while (true) {
            while (r != 1) { c[r - 1] = r; r--; }
            for (int i = 0; i < n; i++) q[i] = p[i];
            int flips = 0, k;
            while ((k = q[0]) != 0) {
                for (int i = 0, j = k; i < j; i++, j--) { int s = q[i]; q[i] = q[j]; q[j] = s; }
                flips++;
            }
            if (flips > max) max = flips;
            check += (perms & 1) == 0 ? flips : -flips;
            while (true) {
                if (r == n) { System.out.println(check + " " + max); Bench.done(t); return; }
                int first = p[0];
                for (int i = 0; i < r; i++) p[i] = p[i + 1];
                p[r] = first;
                if (--c[r] > 0) break;
                r++;
            }
            perms++;
        }
    }
}
