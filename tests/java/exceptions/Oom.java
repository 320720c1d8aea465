// SPDX-License-Identifier: Apache-2.0
// options: -Xmx24m
// timeout: 120
import java.util.*;

/** OutOfMemoryError caught again and again in a small heap, in several threads; the program goes on. */
public class Oom {
    static volatile boolean go;

    static String fill(int chunk) {
        List<Object> keep = new ArrayList<>();
        try {
            while (true)
                keep.add(new byte[chunk]);
        } catch (OutOfMemoryError e) {
            int n = keep.size();
            keep = null;
            return e.getMessage() + (n * (long) chunk > 8 << 20 ? " after a fair share" : " too early: " + n);
        }
    }

    public static void main(String[] args) throws Exception {
        for (int chunk : new int[] {100, 1000, 100000, 1 << 20, 3000000})
            System.out.println(chunk + " " + fill(chunk));
        for (int i = 0; i < 20; i++)
            fill(5000);
        try {
            long[] l = new long[Integer.MAX_VALUE];
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        try {
            long[] l = new long[50_000_000];
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        try {
            int[][] m = new int[3000][3000];
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        try {
            StringBuilder sb = new StringBuilder("xxxxxxxx");
            while (true)
                sb.append(sb);
        } catch (OutOfMemoryError e) {
            System.out.println("builder");
        }
        Thread[] ts = new Thread[4];
        int[] ok = new int[4];
        for (int i = 0; i < 4; i++) {
            int me = i;
            ts[i] = new Thread(() -> {
                while (!go)
                    Thread.onSpinWait();
                for (int k = 0; k < 5; k++) {
                    ArrayList<int[]> l = null;
                    try { /* whatever allocates is in here: the others may hold everything */
                        l = new ArrayList<>();
                        while (true)
                            l.add(new int[10000]);
                    } catch (OutOfMemoryError e) {
                        l = null;
                        ok[me]++;
                    }
                }
            });
        }
        for (Thread t : ts)
            t.start();
        go = true;
        for (Thread t : ts)
            t.join();
        for (int n : ok) /* how often depends on who takes the last bytes; nobody may hang or crash */
            System.out.println(n > 0);
        Map<Integer, String> m = new HashMap<>();
        for (int i = 0; i < 10000; i++)
            m.put(i, "v" + i);
        System.out.println(m.size() + " still alive");
    }
}
