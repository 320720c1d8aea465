// SPDX-License-Identifier: Apache-2.0
// options: -Xmx64m
// timeout: 120
// modes: !gcstress
import java.util.*;

/** Allocation churn of many shapes with a checked live graph, from several threads; old-to-young stores; large arrays; identity hashes. */
public class Churn {
    static final class Node { Node l, r; final int v; byte[] pad; Node(int v) { this.v = v; pad = new byte[v & 63]; } }

    static Node tree(int d, int v) { Node n = new Node(v); if (d > 0) { n.l = tree(d - 1, v * 2); n.r = tree(d - 1, v * 2 + 1); } return n; }
    static long check(Node n) { return n == null ? 0 : n.v + n.pad.length + check(n.l) * 3 + check(n.r) * 5; }

    public static void main(String[] args) throws Exception {
        Node live = tree(13, 1);
        long expect = check(live);
        Object[] old = new Object[2000];
        int[] hashes = new int[2000];
        Random r = new Random(1);
        for (int round = 0; round < 60; round++) {
            for (int i = 0; i < 20000; i++) {
                int k = r.nextInt(old.length);
                switch (i % 6) {
                case 0: old[k] = new int[r.nextInt(200)]; break;
                case 1: old[k] = new Object[] {old[r.nextInt(old.length)] instanceof int[] a ? a : null, "s" + i}; break;
                case 2: old[k] = new ArrayList<>(List.of(i, k)); break;
                case 3: old[k] = tree(3, i); break;
                case 4: old[k] = new String(new char[] {(char) i}); break;
                default: if (old[k] == null) old[k] = new Object();
                }
                hashes[k] = System.identityHashCode(old[k]);
            }
            if (round % 10 == 0) { byte[] large = new byte[4 << 20]; large[large.length - 1] = 1; }
            if (check(live) != expect) throw new Error("live graph damaged in round " + round);
        }
        System.gc();
        int same = 0;
        for (int i = 0; i < old.length; i++) if (old[i] == null || System.identityHashCode(old[i]) == hashes[i]) same++;
        System.out.println(same + " " + (check(live) == expect));
        Thread[] ts = new Thread[4];
        long[] sums = new long[4];
        for (int t = 0; t < 4; t++) {
            int me = t;
            (ts[t] = new Thread(() -> {
                Map<Integer, String> m = new HashMap<>();
                for (int i = 0; i < 60000; i++) { m.put(i % 3000, "value" + i); if (i % 7 == 0) m.remove(i % 1000); }
                long s = 0;
                for (Map.Entry<Integer, String> e : m.entrySet()) s += e.getKey() * 31L + e.getValue().hashCode();
                sums[me] = s;
            })).start();
        }
        for (Thread t : ts) t.join();
        System.out.println(Arrays.stream(sums).distinct().count() + " " + sums[0]);
        LinkedList<Integer> longList = new LinkedList<>();
        for (int i = 0; i < 300000; i++) { longList.add(i); if (longList.size() > 100000) longList.removeFirst(); }
        System.gc();
        long s = 0;
        for (int x : longList) s += x;
        System.out.println(s + " " + longList.size());
        Runtime rt = Runtime.getRuntime();
        System.out.println((rt.maxMemory() <= 64 << 20) + " " + (rt.totalMemory() <= rt.maxMemory()) + " " + (rt.freeMemory() > 0));
    }
}
