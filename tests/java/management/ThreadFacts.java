// SPDX-License-Identifier: Apache-2.0
import java.lang.management.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** ThreadMXBean: contention, owned locks, deadlocks, times, allocation. */
public class ThreadFacts {
    static final com.sun.management.ThreadMXBean bean = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    static void check(String what, boolean ok) { System.out.println(what + ": " + ok); }
    static void await(Thread t, Thread.State s) throws Exception { while (t.getState() != s) Thread.sleep(1); }

    static void support() {
        check("contention", bean.isThreadContentionMonitoringSupported() && !bean.isThreadContentionMonitoringEnabled());
        check("cpu", bean.isThreadCpuTimeSupported() && bean.isThreadCpuTimeEnabled() && bean.isCurrentThreadCpuTimeSupported());
        check("allocated", bean.isThreadAllocatedMemorySupported() && bean.isThreadAllocatedMemoryEnabled());
        check("locks", bean.isObjectMonitorUsageSupported() && bean.isSynchronizerUsageSupported());
        check("counts", bean.getThreadCount() >= bean.getDaemonThreadCount() && bean.getPeakThreadCount() >= bean.getThreadCount()
              && bean.getTotalStartedThreadCount() >= bean.getThreadCount());
    }

    static void contention() throws Exception {
        Object lock = new Object();
        Semaphore go = new Semaphore(0);
        CountDownLatch last = new CountDownLatch(1);
        Thread t = new Thread(() -> {
            go.acquireUninterruptibly();
            synchronized (lock) { }
            synchronized (lock) { try { lock.wait(5); } catch (InterruptedException e) { } }
            try { Thread.sleep(5); } catch (InterruptedException e) { }
            LockSupport.parkNanos(5_000_000);
            last.countDown();
            go.acquireUninterruptibly();
        }, "contender");
        t.setDaemon(true);
        ThreadInfo i;
        check("not measured", bean.getThreadInfo(Thread.currentThread().getId()).getBlockedTime() == -1);
        bean.setThreadContentionMonitoringEnabled(true);
        check("enabled", bean.isThreadContentionMonitoringEnabled());
        t.start();
        await(t, Thread.State.WAITING);
        synchronized (lock) {
            go.release();
            await(t, Thread.State.BLOCKED);
            i = bean.getThreadInfo(t.getId());
            check("blocked on", i.getLockName().equals(i.getLockInfo().toString()) && i.getLockOwnerName().equals("main")
                  && i.getLockOwnerId() == Thread.currentThread().getId() && i.getThreadState() == Thread.State.BLOCKED);
            Thread.sleep(20);
        }
        last.await();
        await(t, Thread.State.WAITING);
        i = bean.getThreadInfo(t.getId());
        check("blocked count", i.getBlockedCount() == 1);
        check("blocked time", i.getBlockedTime() >= 20);
        check("waited count", i.getWaitedCount() == 5);
        check("waited time", i.getWaitedTime() >= 10);
        bean.setThreadContentionMonitoringEnabled(false);
        check("off again", bean.getThreadInfo(t.getId()).getWaitedTime() == -1);
        go.release();
        t.join();
        check("gone", bean.getThreadInfo(t.getId()) == null);
    }

    static void owned() throws Exception {
        ReentrantLock l = new ReentrantLock();
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        CountDownLatch ready = new CountDownLatch(1), end = new CountDownLatch(1);
        Object m = new StringBuilder();
        Thread t = new Thread(() -> {
            l.lock();
            rw.writeLock().lock();
            synchronized (m) { ready.countDown(); try { end.await(); } catch (InterruptedException e) { } }
        }, "owner");
        t.setDaemon(true);
        t.start();
        ready.await();
        await(t, Thread.State.WAITING);
        var names = new TreeSet<String>();
        for (ThreadInfo i : bean.dumpAllThreads(true, true))
            if (i.getThreadName().equals("owner")) {
                for (LockInfo k : i.getLockedSynchronizers()) names.add(k.getClassName());
                for (MonitorInfo k : i.getLockedMonitors())
                    System.out.println(k.getClassName() + " at " + k.getLockedStackFrame().getMethodName() + " " + (k.getLockedStackDepth() > 0)
                                       + " " + (k.getIdentityHashCode() == System.identityHashCode(m)));
                System.out.println(i.getStackTrace()[0].getMethodName() + " " + i.isDaemon() + " " + i.getPriority() + " " + i.isInNative() + " " + i.isSuspended());
            }
        System.out.println(names);
        for (ThreadInfo i : bean.dumpAllThreads(false, false))
            if (i.getThreadName().equals("owner")) System.out.println(i.getLockedSynchronizers().length + " " + i.getLockedMonitors().length);
        for (ThreadInfo i : bean.dumpAllThreads(true, false, 1))
            if (i.getThreadName().equals("owner")) System.out.println(i.getStackTrace().length + " " + i.getLockedMonitors().length);
        end.countDown();
    }

    static void deadlock() throws Exception {
        ReentrantLock l = new ReentrantLock();
        Object m = new Object();
        CyclicBarrier both = new CyclicBarrier(2);
        Runnable meet = () -> { try { both.await(); } catch (Exception e) { } };
        Thread x = new Thread(() -> { l.lock(); meet.run(); synchronized (m) { } }, "x");
        Thread y = new Thread(() -> { synchronized (m) { meet.run(); l.lock(); } }, "y");
        for (Thread t : new Thread[] {x, y}) { t.setDaemon(true); t.start(); }
        await(x, Thread.State.BLOCKED);
        check("no monitor deadlock", bean.findMonitorDeadlockedThreads() == null);
        long[] ids;
        while ((ids = bean.findDeadlockedThreads()) == null) Thread.sleep(1); /* y may still wait at the barrier */
        var names = new TreeSet<String>();
        for (ThreadInfo i : bean.getThreadInfo(ids, true, true))
            names.add(i.getThreadName() + " " + i.getLockOwnerName() + " " + i.getLockInfo().getClassName() + " " + i.getLockedSynchronizers().length + " " + i.getLockedMonitors().length);
        System.out.println(names);
    }

    static String frames(StackTraceElement[] trace) {
        var b = new StringBuilder();
        for (StackTraceElement e : trace) b.append(e.getClassName().replaceAll("Lambda.*", "Lambda")).append('.').append(e.getMethodName()).append(' ');
        return b.toString();
    }

    /* Frames of hidden classes: a dump of threads shows and counts them, the trace of an exception does not. */
    static void hidden() throws Exception {
        Object outer = new StringBuffer(), inner = new Object();
        Runnable sleeper = () -> { synchronized (inner) { try { inner.wait(); } catch (InterruptedException e) { } } };
        Runnable holder = () -> { synchronized (outer) { sleeper.run(); } };
        Thread t = new Thread(() -> holder.run(), "hidden");
        t.start();
        await(t, Thread.State.WAITING);
        System.out.println(frames(t.getStackTrace()));
        System.out.println(frames(Thread.getAllStackTraces().get(t)));
        System.out.println(frames(bean.getThreadInfo(t.getId(), 4).getStackTrace()));
        for (ThreadInfo i : bean.getThreadInfo(new long[] {t.getId()}, true, false))
            for (MonitorInfo k : i.getLockedMonitors()) System.out.println(k.getClassName() + " at " + k.getLockedStackDepth() + " of " + i.getStackTrace().length);
        Runnable own = () -> System.out.println(frames(Thread.currentThread().getStackTrace()) + "| " + frames(Thread.getAllStackTraces().get(Thread.currentThread())));
        own.run();
        synchronized (inner) { inner.notify(); }
        t.join();
    }

    static Object sink;
    static void work() throws Exception {
        long id = Thread.currentThread().getId(), cpu = bean.getCurrentThreadCpuTime(), mem = bean.getThreadAllocatedBytes(id);
        for (int i = 0; i < 2000; i++) sink = new int[256];
        long grown = bean.getThreadAllocatedBytes(id) - mem;
        check("allocated bytes", grown >= 2000 * 1024 && grown < 2000 * 1200);
        check("of several", bean.getThreadAllocatedBytes(new long[] {id, 987654})[1] == -1);
        check("cpu grows", bean.getCurrentThreadCpuTime() >= cpu && bean.getThreadCpuTime(id) > 0 && bean.getThreadUserTime(id) >= 0);
        check("cpu of nobody", bean.getThreadCpuTime(987654) == -1);
    }

    public static void main(String[] a) throws Exception {
        support();
        contention();
        owned();
        deadlock();
        hidden();
        work();
    }
}
