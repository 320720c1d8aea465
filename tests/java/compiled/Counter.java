// SPDX-License-Identifier: Apache-2.0
// options: --add-exports java.base/jdk.internal.perf=ALL-UNNAMED --add-exports java.base/jdk.internal.misc=ALL-UNNAMED
// javac: --add-exports java.base/jdk.internal.perf=ALL-UNNAMED --add-exports java.base/jdk.internal.misc=ALL-UNNAMED
import jdk.internal.misc.Unsafe;
import jdk.internal.perf.Perf;

/** The counter that probes read: it counts nanoseconds as System.nanoTime does and never goes back in a thread; and words of native memory at constant
 * addresses, where probes count. */
public class Counter {
    static final Perf PERF = Perf.getPerf();
    static final Unsafe U = Unsafe.getUnsafe();
    static final long CELL = U.allocateMemory(16);

    static volatile int done;

    static int back(int n) {
        int back = 0;
        long before = PERF.highResCounter();
        for (int i = 0; i < n; i++) {
            long now = PERF.highResCounter();
            if (now < before) back++;
            before = now;
        }
        return back;
    }

    /** Nanoseconds by which the two clocks differ over some time: the least of several trials, since a thread may be stopped between the two readings. */
    static long difference(int millis) throws InterruptedException {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            long nanos = System.nanoTime(), count = PERF.highResCounter();
            if (millis > 0) Thread.sleep(millis);
            else back(20000);
            long counted = PERF.highResCounter() - count, passed = System.nanoTime() - nanos;
            best = Math.min(best, Math.abs(passed - counted));
            if (counted <= 0) return -1;
        }
        return best;
    }

    static long add(long n) {
        U.putLong(null, CELL, U.getLong(null, CELL) + n);
        U.putInt(CELL + 8, U.getInt(null, CELL + 8) + 1);
        U.getAndAddLong(null, CELL, 1);
        return U.getLongVolatile(null, CELL);
    }

    public static void main(String[] args) throws Exception {
        System.out.println("frequency " + PERF.highResFrequency());
        int back = 0;
        for (int i = 0; i < 100; i++) back += back(i * 100);
        System.out.println("back " + back);
        for (int millis : new int[] {0, 1, 7, 0, 30, 2, 0}) {
            long d = difference(millis);
            System.out.println(millis + " ms: " + (d >= 0 && d < 100000 ? "the same" : "differs by " + d));
        }
        Thread[] threads = new Thread[4];
        int[] backs = new int[threads.length];
        for (int i = 0; i < threads.length; i++) {
            int k = i;
            (threads[k] = new Thread(() -> backs[k] = back(300000))).start();
        }
        for (Thread t : threads) t.join();
        for (int n : backs) System.out.println("back " + n);
        U.setMemory(CELL, 16, (byte) 0);
        long sum = 0;
        for (int i = 0; i < 20000; i++) sum += add(i);
        System.out.println(sum + " " + U.getInt(CELL + 8));
    }
}
