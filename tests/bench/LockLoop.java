// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** Uncontended, recursive and contended monitors, locks and atomics. */
public class LockLoop {
    int n;
    synchronized void inc() { n++; }
    synchronized void twice() { inc(); inc(); }

    public static void main(String[] x) throws Exception {
        long t = System.nanoTime();
        LockLoop l = new LockLoop();
        Object o = new Object();
        for (int i = 0; i < 5000000; i++) { l.inc(); synchronized (o) { l.n++; } }
        for (int i = 0; i < 900000; i++) l.twice();
        StringBuffer sb = new StringBuffer();
        for (int i = 0; i < 900000; i++) { sb.append('x'); if (sb.length() > 1000) sb.setLength(0); }
        ReentrantLock rl = new ReentrantLock();
        AtomicInteger ai = new AtomicInteger();
        for (int i = 0; i < 500000; i++) { rl.lock(); try { ai.incrementAndGet(); } finally { rl.unlock(); } }
        Thread[] ts = new Thread[2];
        for (int k = 0; k < 2; k++) (ts[k] = new Thread(() -> { for (int i = 0; i < 300000; i++) l.inc(); })).start();
        for (Thread th : ts) th.join();
        System.out.println(l.n + " " + ai + " " + sb.length());
        Bench.done(t);
    }
}
