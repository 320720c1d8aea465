// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** Own quicksort on ints, library sorts on ints and objects. */
public class Sorting {
    static void quick(int[] a, int lo, int hi) {
        while (lo < hi) {
            int p = a[lo + hi >>> 1], i = lo, j = hi;
            while (i <= j) { while (a[i] < p) i++; while (a[j] > p) j--; if (i <= j) { int s = a[i]; a[i++] = a[j]; a[j--] = s; } }
            if (j - lo < hi - i) { quick(a, lo, j); lo = i; } else { quick(a, i, hi); hi = j; }
        }
    }

    public static void main(String[] x) {
        long t = System.nanoTime();
        Random r = new Random(1);
        int[] a = r.ints(500000).toArray(), b = a.clone();
        quick(a, 0, a.length - 1);
        Arrays.sort(b);
        Integer[] o = new Integer[100000];
        for (int i = 0; i < o.length; i++) o[i] = r.nextInt(1000000);
        Arrays.sort(o, Comparator.reverseOrder());
        List<String> s = new ArrayList<>();
        for (int i = 0; i < 40000; i++) s.add(Integer.toString(r.nextInt(), 36));
        Collections.sort(s);
        System.out.println(Arrays.equals(a, b) + " " + o[0] + " " + s.get(20000));
        Bench.done(t);
    }
}
