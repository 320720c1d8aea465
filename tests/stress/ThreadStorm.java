// SPDX-License-Identifier: Apache-2.0
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/**
 * ThreadStorm PART SECONDS, PART one of
 *   contend  1,000 threads at a few monitors, locks and atomics; every increment must count
 *   short    short threads one after another and some at once (as many as fit; 100,000 in a long run)
 *   signals  wait/notify, park/unpark, interrupt and timed waits between actors; a model counts what was sent and received
 */
public class ThreadStorm {
    static volatile boolean over, sendersGone;

    static void sleep(double seconds) throws InterruptedException { Thread.sleep((long) (seconds * 1000)); }

    /* ---- contend ---- */

    static final Object[] MONITORS = {new Object(), new Object(), new Object()};
    static final long[] underMonitor = new long[MONITORS.length];
    static final ReentrantLock LOCK = new ReentrantLock();
    static long underLock;
    static final AtomicLong atomic = new AtomicLong();
    static final LongAdder expected = new LongAdder();

    static void contend(double seconds) throws Exception {
        Thread[] ts = new Thread[1000];
        CountDownLatch ready = new CountDownLatch(ts.length);
        for (int i = 0; i < ts.length; i++) {
            int me = i;
            ts[i] = new Thread(null, () -> {
                long n = 0;
                ready.countDown();
                for (int k = me; !over; k++) {
                    int m = k % MONITORS.length;
                    synchronized (MONITORS[m]) { underMonitor[m]++; n++; if (k % 50 == 0) Thread.yield(); }
                    LOCK.lock();
                    try { underLock++; n++; } finally { LOCK.unlock(); }
                    atomic.incrementAndGet();
                    n++;
                    if (k % 16 == 0) synchronized (new byte[k % 1000]) { n += 0; }
                }
                expected.add(n);
            }, "contender-" + i, 256 << 10);
            ts[i].start();
        }
        ready.await();
        sleep(seconds);
        over = true;
        for (Thread t : ts) t.join();
        long sum = underLock + atomic.get();
        for (long n : underMonitor) sum += n;
        System.out.println(sum == expected.sum() && sum > 0 ? "every increment counted" : sum + " of " + expected.sum());
    }

    /* ---- short ---- */

    static long started;

    static void shortThreads(double seconds) throws Exception {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        AtomicLong ran = new AtomicLong();
        ThreadLocal<int[]> local = ThreadLocal.withInitial(() -> new int[10]);
        while (System.nanoTime() < end) {
            Thread[] ts = new Thread[20];
            for (int i = 0; i < ts.length; i++, started++) {
                ts[i] = new Thread(() -> { local.get()[0]++; ran.incrementAndGet(); });
                if (i % 3 == 0) ts[i].setDaemon(true);
                ts[i].start();
            }
            for (Thread t : ts) t.join();
        }
        System.out.println(ran.get() == started && started > 0 ? "every thread ran" : ran + " of " + started);
    }

    /* ---- signals ---- */

    /** A mailbox by wait and notify; messages are numbered, so loss and repetition show. */
    static final class Mailbox {
        private final ArrayDeque<Long> q = new ArrayDeque<>();
        synchronized boolean put(long v) throws InterruptedException {
            while (q.size() >= 4) {
                if (over) return false;
                wait(v % 3 == 0 ? 0 : 5);
            }
            q.add(v);
            notifyAll();
            return true;
        }
        synchronized Long take() throws InterruptedException {
            while (q.isEmpty()) {
                if (sendersGone) return null;
                wait(20);
            }
            Long v = q.remove();
            notifyAll();
            return v;
        }
        synchronized void wake() { notifyAll(); }
        synchronized int left() { return q.size(); }
    }

    static final AtomicReference<String> failure = new AtomicReference<>();
    static final AtomicLong sent = new AtomicLong(), received = new AtomicLong(), interruptsSent = new AtomicLong(), interruptsSeen = new AtomicLong();

    /** `interruptsSentToIt` is counted before each interrupt, so status without one that is still unseen is a fault. */
    static Thread producer(Mailbox box, AtomicLong interruptsSentToIt) {
        return new Thread(() -> {
            long v = 0, seen = 0;
            while (!over)
                try {
                    if (box.put(v)) { v++; sent.incrementAndGet(); }
                } catch (InterruptedException e) {
                    interruptsSeen.incrementAndGet();
                    seen++;
                    if (Thread.currentThread().isInterrupted() && interruptsSentToIt.get() <= seen) failure.compareAndSet(null, "still interrupted after InterruptedException");
                }
        });
    }

    static Thread consumer(Mailbox box) {
        return new Thread(() -> {
            long want = 0;
            while (!sendersGone || box.left() > 0)
                try {
                    Long v = box.take();
                    if (v == null) continue;
                    if (v != want) failure.compareAndSet(null, "got " + v + ", not " + want);
                    want = v + 1;
                    received.incrementAndGet();
                } catch (InterruptedException e) {
                    interruptsSeen.incrementAndGet();
                }
        });
    }

    /** Hands a token round by park and unpark; the number of rounds is the model. */
    static final class Ring {
        final Thread[] ts;
        final AtomicInteger turn = new AtomicInteger();
        final AtomicLong rounds = new AtomicLong();
        Ring(int n) {
            ts = new Thread[n];
            for (int i = 0; i < n; i++) {
                int me = i;
                ts[i] = new Thread(() -> {
                    while (!over) {
                        while (turn.get() != me && !over) {
                            if (me % 2 == 0) LockSupport.park(this);
                            else LockSupport.parkNanos(this, 50_000_000);
                            if (Thread.interrupted()) interruptsSeen.incrementAndGet();
                        }
                        if (over) break;
                        rounds.incrementAndGet();
                        turn.set((me + 1) % ts.length);
                        LockSupport.unpark(ts[(me + 1) % ts.length]);
                    }
                    for (Thread t : ts) LockSupport.unpark(t);
                });
            }
        }
    }

    static void signals(double seconds) throws Exception {
        List<Mailbox> boxes = new ArrayList<>();
        List<Thread> all = new ArrayList<>();
        List<AtomicLong> sentTo = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Mailbox b = new Mailbox();
            boxes.add(b);
            sentTo.add(new AtomicLong());
            all.add(producer(b, sentTo.get(i)));
            all.add(consumer(b));
        }
        Ring ring = new Ring(7);
        all.addAll(Arrays.asList(ring.ts));
        for (Thread t : all) t.start();
        long end = System.nanoTime() + (long) (seconds * 1e9);
        Random random = new Random(5);
        while (System.nanoTime() < end && failure.get() == null) {
            int to = random.nextInt(all.size());
            if (to < 40 && to % 2 == 0) sentTo.get(to / 2).incrementAndGet();
            all.get(to).interrupt();
            interruptsSent.incrementAndGet();
            Thread.sleep(random.nextInt(3));
        }
        over = true;
        for (int i = 0; i < 50; i++) {
            for (Mailbox b : boxes) b.wake();
            for (Thread t : ring.ts) LockSupport.unpark(t);
            Thread.sleep(2);
        }
        for (int i = 0; i < 40; i += 2) all.get(i).join();
        sendersGone = true;
        for (Thread t : all) t.join();
        if (failure.get() != null) throw new Error(failure.get());
        System.out.println(sent.get() == received.get() && sent.get() > 0 ? "every message arrived once" : received + " of " + sent);
        System.out.println(interruptsSeen.get() <= interruptsSent.get() && interruptsSeen.get() > 0 ? "interrupts seen" : "interrupts: " + interruptsSeen + " of " + interruptsSent);
        System.out.println(ring.rounds.get() > 10 ? "the token went round" : "rounds: " + ring.rounds);
    }

    public static void main(String[] args) throws Exception {
        double seconds = Double.parseDouble(args[1]);
        switch (args[0]) {
        case "contend": contend(seconds); break;
        case "short": shortThreads(seconds); break;
        case "signals": signals(seconds); break;
        default: throw new IllegalArgumentException(args[0]);
        }
        if (args.length > 2) System.err.println(expected + " increments, " + started + " threads, " + sent + " messages, " + interruptsSeen + "/" + interruptsSent + " interrupts");
    }
}
