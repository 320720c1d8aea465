// SPDX-License-Identifier: Apache-2.0
// timeout: 120
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** java.util.concurrent primitives under contention, and monitors with thin, recursive, contended, hashed and waited states. */
public class Locks {
    static void par(int n, Runnable r) throws Exception {
        Thread[] ts = new Thread[n];
        for (int i = 0; i < n; i++)
            (ts[i] = new Thread(r)).start();
        for (Thread t : ts)
            t.join();
    }

    static class Account { int balance; synchronized void add(int x) { balance += x; } static int all; static synchronized void total(int x) { all += x; } }

    static class Buffer {
        final Deque<Integer> q = new ArrayDeque<>();
        synchronized void put(int v) throws InterruptedException { while (q.size() >= 3) wait(); q.add(v); notifyAll(); }
        synchronized int take() throws InterruptedException { while (q.isEmpty()) wait(); int v = q.remove(); notifyAll(); return v; }
    }

    public static void main(String[] args) throws Exception {
        Account a = new Account();
        int h = a.hashCode();
        par(6, () -> { for (int i = 0; i < 20000; i++) { a.add(1); if (i % 10 == 0) synchronized (a) { synchronized (a) { a.add(1); } } Account.total(2); } });
        System.out.println(a.balance + " " + Account.all + " " + (a.hashCode() == h));
        Buffer b = new Buffer();
        AtomicLong sum = new AtomicLong();
        Thread cons = new Thread(() -> { try { for (int v; (v = b.take()) >= 0; ) sum.addAndGet(v); } catch (InterruptedException e) { } });
        cons.start();
        for (int i = 0; i < 5000; i++)
            b.put(i);
        b.put(-1);
        cons.join();
        System.out.println(sum);
        Object[] many = new Object[5000];
        for (int i = 0; i < many.length; i++)
            many[i] = new Object();
        int[] counts = new int[many.length];
        par(4, () -> { for (int k = 0; k < 5; k++) for (int i = 0; i < many.length; i++) synchronized (many[i]) { counts[i]++; } });
        System.out.println(Arrays.stream(counts).allMatch(c -> c == 20));
        ReentrantLock rl = new ReentrantLock(true);
        Condition c = rl.newCondition();
        int[] turn = {0};
        StringBuilder out = new StringBuilder();
        Thread[] ring = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int me = i;
            (ring[i] = new Thread(() -> {
                for (int k = 0; k < 4; k++) {
                    rl.lock();
                    try {
                        while (turn[0] % 3 != me) c.await();
                        out.append((char) ('a' + me));
                        turn[0]++;
                        c.signalAll();
                    } catch (InterruptedException e) {
                    } finally { rl.unlock(); }
                }
            })).start();
        }
        for (Thread t : ring) t.join();
        System.out.println(out + " " + rl.isLocked() + " " + rl.isHeldByCurrentThread());
        try { rl.unlock(); } catch (IllegalMonitorStateException e) { System.out.println("not held"); }
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        int[] guarded = new int[2];
        AtomicInteger torn = new AtomicInteger();
        par(4, () -> { for (int i = 0; i < 3000; i++) { if (i % 4 == 0) { rw.writeLock().lock(); guarded[0]++; guarded[1]++; rw.writeLock().unlock(); } else { rw.readLock().lock(); if (guarded[0] != guarded[1]) torn.incrementAndGet(); rw.readLock().unlock(); } } });
        System.out.println(guarded[0] + " " + torn);
        StampedLock sl = new StampedLock();
        long st = sl.tryOptimisticRead();
        System.out.println(sl.validate(st) + " " + sl.tryWriteLock() + " " + sl.validate(st));
        Semaphore sem = new Semaphore(2);
        AtomicInteger in = new AtomicInteger(), max = new AtomicInteger();
        par(6, () -> { for (int i = 0; i < 100; i++) { sem.acquireUninterruptibly(); max.accumulateAndGet(in.incrementAndGet(), Math::max); in.decrementAndGet(); sem.release(); } });
        System.out.println((max.get() <= 2) + " " + sem.availablePermits() + " " + sem.tryAcquire(3, 5, TimeUnit.MILLISECONDS));
        CountDownLatch l = new CountDownLatch(3);
        par(3, l::countDown);
        l.await();
        CyclicBarrier bar = new CyclicBarrier(4, () -> out.append('|'));
        par(4, () -> { try { for (int i = 0; i < 3; i++) bar.await(); } catch (Exception e) { out.append(e); } });
        Phaser ph = new Phaser(3);
        par(3, () -> { ph.arriveAndAwaitAdvance(); ph.arriveAndAwaitAdvance(); ph.arriveAndDeregister(); });
        System.out.println(out + " " + ph.getPhase() + " " + ph.isTerminated());
        Exchanger<String> ex = new Exchanger<>();
        Thread et = new Thread(() -> { try { System.out.println("got " + ex.exchange("from-thread")); } catch (InterruptedException e) { } });
        et.start();
        String got = ex.exchange("from-main");
        et.join();
        System.out.println(got);
        Thread parked = new Thread(() -> { LockSupport.park("blocker"); System.out.println("unparked " + Thread.interrupted()); LockSupport.unpark(Thread.currentThread()); LockSupport.park(); LockSupport.parkNanos(1000); System.out.println("permit"); });
        parked.start();
        while (LockSupport.getBlocker(parked) == null) Thread.sleep(1);
        System.out.println(LockSupport.getBlocker(parked) + " " + parked.getState());
        LockSupport.unpark(parked);
        parked.join();
        LongAdder ad = new LongAdder();
        AtomicReference<List<Integer>> ar = new AtomicReference<>(List.of());
        ConcurrentHashMap<Integer, Integer> chm = new ConcurrentHashMap<>();
        AtomicIntegerFieldUpdater<Node> fu = AtomicIntegerFieldUpdater.newUpdater(Node.class, "n");
        Node node = new Node();
        par(4, () -> { for (int i = 0; i < 2000; i++) { ad.increment(); int k = i; chm.merge(k % 97, 1, Integer::sum); fu.incrementAndGet(node); if (i < 50) ar.updateAndGet(x -> { List<Integer> y = new ArrayList<>(x); y.add(k); return y; }); } });
        System.out.println(ad + " " + chm.values().stream().mapToInt(x -> x).sum() + " " + ar.get().size() + " " + node.n + " " + chm.reduceValues(10, Integer::max));
        LinkedBlockingQueue<Integer> bq = new LinkedBlockingQueue<>(2);
        System.out.println(bq.offer(1) + " " + bq.offer(2) + " " + bq.offer(3) + " " + bq.poll() + " " + bq.poll(1, TimeUnit.MILLISECONDS) + " " + bq.poll(1, TimeUnit.MILLISECONDS));
        DelayQueue<D> dq = new DelayQueue<>();
        dq.add(new D(30)); dq.add(new D(10));
        System.out.println(dq.take().ms + " " + dq.take().ms);
        SynchronousQueue<String> sq = new SynchronousQueue<>();
        new Thread(() -> { try { sq.put("handed"); } catch (InterruptedException e) { } }).start();
        System.out.println(sq.take());
    }

    static class Node { volatile int n; }

    static class D implements Delayed {
        final long ms, at;
        D(long ms) { this.ms = ms; at = System.nanoTime() + ms * 1000000; }
        public long getDelay(TimeUnit u) { return u.convert(at - System.nanoTime(), TimeUnit.NANOSECONDS); }
        public int compareTo(Delayed o) { return Long.compare(at, ((D) o).at); }
    }
}
