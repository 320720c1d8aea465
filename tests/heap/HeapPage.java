// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** Known holders: a list of links, a map, an array of a thread with an odd name; with "more", what grows. */
public class HeapPage {
    static final class Link { Link next; byte[] data = new byte[40]; }
    static final class Grown { Object held = new long[4]; }
    static Link links;
    static final Map<Integer, Grown> map = new HashMap<>();

    static void hold(java.util.concurrent.CountDownLatch there) {
        Object[] local = new Object[50_000];
        for (int i = 0; i < local.length; i++) local[i] = new int[2];
        there.countDown();
        try { Thread.sleep(600_000); } catch (InterruptedException e) { }
        if (local[0] == null) System.out.println(local.length);
    }

    public static void main(String[] args) throws Exception {
        java.util.concurrent.CountDownLatch there = new java.util.concurrent.CountDownLatch(1);
        Thread t = new Thread(() -> hold(there), "odd <&\"'> name");
        t.setDaemon(true);
        t.start();
        there.await();
        for (int i = 0; i < 30_000; i++) { Link l = new Link(); l.next = links; links = l; }
        for (int i = 0; i < 100; i++) map.put(i, new Grown());
        if (args.length > 1) {
            HeapLeak.ask(args[0], 1);
            for (int i = 0; i < 5000; i++) map.put(i + 100, new Grown());
        }
        System.out.println(map.size());
    }
}
