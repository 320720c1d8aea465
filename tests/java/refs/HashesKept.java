// SPDX-License-Identifier: Apache-2.0
// options: -Xmx64m
// modes: !gcstress !gcoften
import java.util.*;

/** Identity hashes: threads that ask at the same time get one answer; it stays while others die around the object and the object is moved. */
public class HashesKept {
    static class Small { }
    static final class Node extends Small {
        final Node next;
        final int hash;
        Node(Node next) {
            this.next = next;
            hash = System.identityHashCode(this);
        }
    }

    static int[] ask(Object[] all, int from, int step) {
        int[] hashes = new int[all.length];
        for (int i = 0, k = from; i < all.length; i++, k = (k + step) % all.length) hashes[k] = all[k].hashCode();
        return hashes;
    }

    static void together() throws Exception {
        Object[] all = new Object[100_000];
        for (int i = 0; i < all.length; i++) all[i] = i % 3 == 0 ? new int[i % 5] : i % 3 == 1 ? new Small() : new Object();
        int[][] told = new int[4][];
        Thread[] threads = new Thread[told.length];
        for (int t = 0; t < threads.length; t++) {
            int me = t;
            (threads[t] = new Thread(() -> told[me] = ask(all, me * 7, 1))).start();
        }
        for (Thread t : threads) t.join();
        System.gc();
        int[] again = ask(all, 0, 3);
        boolean same = true;
        for (int[] t : told) same &= Arrays.equals(t, again);
        long different = Arrays.stream(again).distinct().count();
        System.out.println("one answer " + same + ", no zero " + Arrays.stream(again).noneMatch(h -> h == 0) + ", many " + (different > 99_900));
    }

    /** Of what is hashed one of 50 stays; arrays want what lies thin to be moved together. */
    static void kept() {
        Node first = null;
        int made = 0, wrong = 0;
        for (int round = 0; round < 12; round++) {
            Node[] some = new Node[20_000];
            for (int i = 0; i < some.length * 50; i++) {
                Node n = new Node(null);
                if (i % 50 == 0) some[i / 50] = n;
            }
            for (Node n : some) first = n.hash != n.hashCode() ? null : round % 3 == 2 ? new Node(null) : first;
            byte[][] large = new byte[60][];
            for (int i = 0; i < large.length; i++) large[i] = new byte[400_000];
            for (Node n : some) wrong += n.hash != n.hashCode() ? 1 : 0;
            made += some.length + large.length;
        }
        System.out.println("made " + made + ", wrong " + wrong + ", " + (first != null && first.hash == first.hashCode()));
    }

    public static void main(String[] args) throws Exception {
        together();
        kept();
        Set<Object> set = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < 300_000; i++) {
            Object o = new Small();
            if (i % 20 == 0) list.add(o);
            if (i % 20 == 0) set.add(o);
            o.hashCode();
        }
        byte[][] large = new byte[50][];
        for (int i = 0; i < large.length; i++) large[i] = new byte[400_000];
        System.out.println(set.size() + " " + set.containsAll(list) + " " + large.length);
    }
}
