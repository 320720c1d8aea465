// SPDX-License-Identifier: Apache-2.0
// options: -Xmx48m
// modes: !gcstress !gcoften
import java.lang.ref.*;
import java.util.*;

/** Objects that live on after others died around them leave memory that has to be moved together: large arrays still fit, and nothing else changes. */
public class TightHeap {
    static final class Entry { // 16 bytes: eight to a line
        final int key;
        Entry next;
        Entry(int key, Entry next) { this.key = key; this.next = next; }
    }
    record Pair(Entry a, Object b) {}

    /** Of n objects every eighth stays. */
    static Entry scatter(int n, List<Object> all) {
        Entry kept = null;
        for (int i = 0; i < n; i++) {
            Entry e = new Entry(i, kept);
            if (i % 8 == 0) kept = e;
            if (i % 80 == 0) all.add(new Pair(e, new int[] {i}));
        }
        return kept;
    }

    static long sum(Entry e) {
        long s = 0;
        for (; e != null; e = e.next) s = s * 7 + e.key;
        return s;
    }

    public static void main(String[] args) {
        List<Object> all = new ArrayList<>();
        Map<Object, Integer> byIdentity = new IdentityHashMap<>();
        List<Reference<Object>> refs = new ArrayList<>();
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Map<Object, String> weak = new WeakHashMap<>();
        Object locked = new Object();
        long expected = 0;
        for (int round = 0; round < 6; round++) {
            all.clear();
            Entry kept = scatter(2_400_000, all);
            expected = sum(kept);
            for (int i = 0; i < 500; i++) {
                Object o = all.get(i);
                byIdentity.put(o, i);
                refs.add(i % 3 == 0 ? new WeakReference<Object>(o, queue) : i % 3 == 1 ? new SoftReference<Object>(o) : new PhantomReference<Object>(o, queue));
                weak.put(((Pair) o).a(), "w" + i);
            }
            synchronized (locked) {
                int[][] large = new int[6][];
                for (int i = 0; i < large.length; i++) { // of 40 MB that are free, but not in one piece
                    large[i] = new int[(2 << 20) / 4 + i];
                    large[i][i] = round;
                }
                long s = 0;
                for (int[] l : large) s += l[l.length - (2 << 20) / 4];
                if (s != round * large.length) System.out.println("arrays " + s);
            }
            if (sum(kept) != expected) System.out.println("round " + round + ": " + sum(kept) + " instead of " + expected);
            int known = 0, referred = 0;
            for (int i = 0; i < 500; i++) {
                Object o = all.get(i);
                if (byIdentity.get(o) == i && weak.get(((Pair) o).a()).equals("w" + i)) known++;
                Reference<Object> r = refs.get(i);
                if (r.refersTo(o) && (i % 3 == 2 || r.get() == o)) referred++;
            }
            System.out.println("round " + round + " " + known + " " + referred + " " + expected);
            byIdentity.clear();
            refs.clear();
        }
    }
}
