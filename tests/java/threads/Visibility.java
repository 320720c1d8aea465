// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.atomic.*;

/** volatile publication, long atomicity, class initialisation seen by many threads, deadlock-free cyclic initialisation in one thread. */
public class Visibility {
    static volatile long v;
    static volatile boolean ready;
    static int[] data;

    static class Lazy {
        static final AtomicInteger INITS = new AtomicInteger();
        static class Holder { static { INITS.incrementAndGet(); try { Thread.sleep(50); } catch (InterruptedException e) { } } static final Object O = new Object(); }
    }
    static class A { static int x = B.y + 1; static { System.out.println("A done " + x); } }
    static class B { static int y = A.x + 10; static { System.out.println("B done " + y); } }

    public static void main(String[] args) throws Exception {
        Thread reader = new Thread(() -> {
            while (!ready) Thread.onSpinWait();
            int s = 0;
            for (int d : data) s += d;
            System.out.println("sum " + s);
        });
        reader.start();
        data = new int[] {1, 2, 3};
        ready = true;
        reader.join();
        AtomicInteger torn = new AtomicInteger();
        Thread w = new Thread(() -> { for (int i = 0; i < 200000; i++) v = (i & 1) == 0 ? 0L : -1L; });
        w.start();
        while (w.isAlive()) { long x = v; if (x != 0 && x != -1) torn.incrementAndGet(); }
        System.out.println("torn " + torn);
        Object[] seen = new Object[6];
        Thread[] ts = new Thread[6];
        for (int i = 0; i < 6; i++) { int k = i; (ts[i] = new Thread(() -> seen[k] = Lazy.Holder.O)).start(); }
        for (Thread t : ts) t.join();
        boolean same = true;
        for (Object o : seen) same &= o == seen[0] && o != null;
        System.out.println(same + " " + Lazy.INITS);
        System.out.println(A.x + " " + B.y);
    }
}
