// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.locks.ReentrantLock;

/** Kinds of work, each for its share of the time: so shares do not depend on what a VM does fast; locks of both kinds, short-lived threads. */
public class Workload {
    static volatile long sink;
    static final Object monitor = new Object();
    static final ReentrantLock lock = new ReentrantLock();

    static long arithmetic(int n) {
        long s = 0;
        for (int i = 0; i < n; i++) s += i * 31L ^ s;
        return s;
    }
    static int array(int n) {
        int[] a = new int[64];
        int s = 0;
        for (int i = 0; i < n; i++) { a[i & 63] += i; s += a[i * 7 & 63]; }
        return s;
    }
    static String text(int n) {
        char[] c = new char[n];
        for (int i = 0; i < n; i++) c[i] = (char) ('0' + i % 10);
        return new String(c, 0, 16); // all of it would be the library's loop, which one VM interprets and another has natively
    }
    interface Piece { void run(); }
    static long random = 1;
    /** Half to one and a half times micros: pieces of fixed length, 6 ms in all, beat with a sampler's 10 ms and with the kernel's tick. */
    static void spend(long micros, Piece p) {
        random = random * 6364136223846793005L + 1442695040888963407L;
        for (long end = System.nanoTime() + micros * (500 + (random >>> 33) % 1001); System.nanoTime() < end;) p.run();
    }
    static void mixed() {
        spend(3000, () -> sink += arithmetic(4000));
        spend(2000, () -> sink += array(2000));
        spend(1000, () -> sink += text(4000).length());
    }
    static void contended() throws InterruptedException {
        Thread[] t = new Thread[3];
        for (int i = 0; i < t.length; i++) {
            (t[i] = new Thread(() -> {
                for (int k = 0; k < 4; k++) {
                    synchronized (monitor) { sink += arithmetic(3000); }
                    lock.lock();
                    try { sink += array(1000); } finally { lock.unlock(); }
                }
            }, "contender " + i)).start();
        }
        for (Thread x : t) x.join();
    }
    public static void main(String[] a) throws Exception {
        long end = System.currentTimeMillis() + Long.parseLong(a[0]);
        while (System.currentTimeMillis() < end) {
            for (int i = 0; i < 20; i++) mixed();
            contended();
        }
    }
}
