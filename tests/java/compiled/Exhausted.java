// SPDX-License-Identifier: Apache-2.0
// modes: !gcstress !gcoften
// options: -Xmx24m -XX:+UseSerialGC -XX:CompileThreshold=20 -Xbatch
import java.util.*;

/** Allocation in compiled code without memory: objects, arrays of all kinds, clones, bodies in their callers; then all goes on. */
public class Exhausted {
    static final class Node { Node next; long a, b, c; Node(Node next) { this.next = next; } }
    static Node node(Node n) { return new Node(n); }
    static int[] ints(int n) { return new int[n]; }
    static Object[] objects(int n) { return new Object[n]; }
    static long[][] grid(int a, int b) { return new long[a][b]; }
    static byte[] copy(byte[] b) { return b.clone(); }
    static String text(String s) { return s + s; }
    static Integer boxed(int i) { return i; }
    interface Act { Object run(); }
    static int oom;
    static String attempt(Act a) {
        System.gc(); // a word that a collection takes for a reference would keep what filled the heap before
        try {
            Object o = a.run();
            return o == null ? "null" : o.getClass().getSimpleName();
        } catch (OutOfMemoryError e) {
            oom++;
            return e.getMessage();
        } catch (NegativeArraySizeException e) {
            return "negative " + e.getMessage();
        }
    }
    static Object chain() {
        Node n = null;
        int k = 0;
        try {
            for (;; k++) n = node(n);
        } catch (OutOfMemoryError e) {
            int length = 0;
            for (Node x = n; x != null; x = x.next) length++;
            if (length != k) System.out.println("lost " + length + " " + k);
            n = null;
            return k > 100_000 ? "many" : "few";
        }
    }
    static Object arrays() {
        List<Object> all = new ArrayList<>();
        try {
            for (int i = 0;; i++) all.add((i & 3) == 0 ? ints(i & 8191) : (i & 3) == 1 ? objects(i & 4095) : (i & 3) == 2 ? (Object) new byte[i & 65535] : grid(i & 15, i & 63));
        } catch (OutOfMemoryError e) {
            int n = all.size();
            all = null;
            return n > 500 ? "many" : "few";
        }
    }
    static Object clones() {
        byte[][] all = new byte[100_000][];
        byte[] b = new byte[10000];
        b[9999] = 7;
        int k = 0;
        try {
            for (;; k++) all[k] = copy(b);
        } catch (OutOfMemoryError e) {
            for (int i = 0; i < k; i++) if (all[i][9999] != 7) System.out.println("wrong copy");
            return k > 1000 ? "many" : "few";
        }
    }
    static Object strings() {
        String s = "0123456789abcdef";
        try {
            for (;;) s = text(s);
        } catch (OutOfMemoryError e) {
            return s.length() >= 1 << 20 ? "long" : "short";
        }
    }
    static int held(Object lock) {
        synchronized (lock) { return ints(Integer.MAX_VALUE - 8).length; }
    }
    static synchronized int heldBySelf() { return objects(1 << 29).length; }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 100; i++) { node(null); ints(i); objects(i); grid(i & 3, i); copy(new byte[i]); text("a"); boxed(i); }
        for (int round = 0; round < 2; round++) {
            System.out.println(attempt(() -> chain()) + " " + attempt(() -> arrays()) + " " + attempt(() -> clones()) + " " + attempt(() -> strings()));
            for (int n : new int[] {-1, Integer.MIN_VALUE, 1 << 24, Integer.MAX_VALUE - 2, Integer.MAX_VALUE - 1, Integer.MAX_VALUE}) {
                System.out.println(n + " " + attempt(() -> ints(n)) + ", " + attempt(() -> objects(n)) + ", " + attempt(() -> grid(2, n)) + ", " + attempt(() -> grid(n, 0)));
            }
            Object lock = new Object();
            System.out.println(attempt(() -> held(lock)) + " " + Thread.holdsLock(lock) + " " + attempt(() -> heldBySelf()) + " " + Thread.holdsLock(Exhausted.class));
        }
        Thread[] t = new Thread[2];
        Act longer = () -> chain2(), rows = () -> arrays(); /* linked here: the threads have no memory for that */
        for (int i = 0; i < t.length; i++) t[i] = new Thread(() -> { for (int k = 0; k < 2; k++) { attempt(longer); attempt(rows); } });
        for (Thread x : t) x.start();
        for (Thread x : t) x.join();
        System.out.println("after " + (oom > 10) + " " + attempt(() -> ints(1000)) + " " + new TreeMap<>(Map.of("a", 1, "b", 2)));
    }
    static Object chain2() {
        Node n = null;
        for (;;) n = node(n);
    }
}
