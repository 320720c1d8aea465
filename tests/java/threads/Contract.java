// SPDX-License-Identifier: Apache-2.0
// options: -Xss1m
// timeout: 120
import java.lang.management.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** Threads as Thread's documentation has them: groups, priorities, stack sizes, stop/suspend, uncaught exceptions, many threads, deadlocks. */
@SuppressWarnings({"deprecation", "removal"})
public class Contract {
    interface Body { void run() throws Throwable; }
    static void show(String what, Callable<Object> c) {
        try { System.out.println(what + ": " + c.call()); } catch (Throwable t) { System.out.println(what + ": " + t); }
    }
    static void until(BooleanSupplierX b) throws Exception { while (!b.get()) Thread.sleep(1); }
    interface BooleanSupplierX { boolean get() throws Exception; }

    static int depth;
    static int recurse(int n) { depth = n; return recurse(n + 1) + 1; }
    static int wide(long a, long b, long c, long d, double e, double f) { depth++; return wide(b, c, d, a, f, e) + (int) (a + b + c + d + e + f); }
    static int measure(long size) throws Exception {
        int[] out = new int[1];
        Thread t = new Thread(null, () -> { try { recurse(0); } catch (StackOverflowError e) { out[0] = depth; } }, "deep", size);
        t.start();
        t.join();
        return out[0];
    }

    static void groups() throws Exception {
        ThreadGroup g = new ThreadGroup("outer"), h = new ThreadGroup(g, "inner") { @Override public void uncaughtException(Thread t, Throwable e) { System.out.println("  group handler: " + t.getName() + " " + e); } };
        System.out.println(h + " " + h.getParent().getName() + " " + g.parentOf(h) + " " + h.parentOf(g) + " " + g.getMaxPriority() + " " + g.isDaemon());
        g.setMaxPriority(4);
        System.out.println(h.getMaxPriority());
        h.setMaxPriority(9);
        System.out.println(h.getMaxPriority());
        CountDownLatch stop = new CountDownLatch(1);
        Runnable wait = () -> { try { stop.await(); } catch (InterruptedException e) { System.out.println("  interrupted"); } };
        Thread a = new Thread(g, wait, "a"), b = new Thread(h, wait, "b"), c = new Thread(h, () -> { throw new RuntimeException("in a group"); }, "c");
        System.out.println(a.getPriority() + " " + g.activeCount());
        a.setPriority(10);
        System.out.println(a.getPriority());
        show("priority 0", () -> { a.setPriority(0); return 0; });
        show("priority 11", () -> { a.setPriority(11); return 0; });
        a.start(); b.start();
        System.out.println(g.activeCount() + " " + g.activeGroupCount());
        Thread[] list = new Thread[5];
        System.out.println(g.enumerate(list) + " " + list[0].getName() + " " + list[1].getName() + " " + g.enumerate(list, false));
        c.start(); c.join();
        g.interrupt();
        a.join(); b.join();
        System.out.println(g.activeCount() + " " + a.getThreadGroup() + " " + a.getState());
        h.destroy(); g.destroy();
        System.out.println(g.isDestroyed());
        show("into a destroyed group", () -> { new Thread(g, () -> { }).start(); return 0; });
        show("start twice", () -> { a.start(); return 0; });
        show("daemon of a running one", () -> { Thread.currentThread().setDaemon(true); return 0; });
    }

    static void stacks() throws Exception {
        int small = measure(256 << 10), normal = measure(0), large = measure(64L << 20);
        System.out.println("small < large " + (small < large && normal < large) + ", small runs " + (small > 300));
        for (int i = 0; i < 3; i++) { depth = 0; try { wide(1, 2, 3, 4, 5, 6); } catch (StackOverflowError e) { System.out.println("overflow, deep enough " + (depth > 1000) + ", trace " + e.getStackTrace().length); } }
        // handlers and finally blocks run at the end of the stack
        class F { int finals; void go(int n) { try { go(n + 1); } finally { finals++; } } }
        F f = new F();
        try { f.go(0); } catch (StackOverflowError e) { System.out.println("finally blocks ran " + (f.finals > 1000)); }
        // locks are released on the way
        Object lock = new Object();
        class L { void go() { synchronized (lock) { go(); } } }
        try { new L().go(); } catch (StackOverflowError e) { System.out.println("holds " + Thread.holdsLock(lock)); }
        // reflective and lambda frames
        class R { void go() throws Exception { R.class.getDeclaredMethod("go").invoke(this); } }
        try { new R().go(); } catch (Throwable e) { while (e instanceof java.lang.reflect.InvocationTargetException) e = e.getCause(); System.out.println(e.getClass()); }
        Runnable[] r = new Runnable[1];
        r[0] = () -> r[0].run();
        try { r[0].run(); } catch (StackOverflowError e) { System.out.println("lambda overflow"); }
        show("toString recursion", () -> { List<Object> l = new ArrayList<>(); List<Object> m = new ArrayList<>(List.of(l)); l.add(m); try { return l.hashCode(); } catch (StackOverflowError e) { return "overflow"; } });
    }

    static volatile boolean reached, go;
    static void stopping() throws Exception {
        Thread t = new Thread(() -> { try { reached = true; for (;;) { depth++; } } catch (ThreadDeath d) { System.out.println("  ThreadDeath"); throw d; } finally { System.out.println("  finally"); } });
        t.start();
        until(() -> reached);
        t.stop(); t.join();
        System.out.println("stopped " + t.isAlive() + " " + t.getState());
        Object lock = new Object();
        Thread w = new Thread(() -> { synchronized (lock) { try { lock.wait(); } catch (InterruptedException e) { } catch (ThreadDeath d) { System.out.println("  death in wait, holds " + Thread.holdsLock(lock)); } } });
        w.start();
        until(() -> w.getState() == Thread.State.WAITING);
        w.stop(); w.join();
        Thread p = new Thread(() -> { try { LockSupport.park(); for (;;) LockSupport.park(); } catch (ThreadDeath d) { System.out.println("  death in park"); } });
        p.start();
        until(() -> p.getState() == Thread.State.WAITING);
        p.stop(); p.join();
        Thread n = new Thread(() -> System.out.println("never"));
        n.stop();
        n.start(); n.join();
        System.out.println("stopped before start: " + n.getState());
        // suspend and resume
        AtomicLong ticks = new AtomicLong();
        Thread s = new Thread(() -> { while (!go) { ticks.incrementAndGet(); if ((ticks.get() & 1023) == 0) Thread.yield(); } });
        s.start();
        until(() -> ticks.get() > 100);
        s.suspend();
        long at = ticks.get();
        Thread.sleep(60);
        System.out.println("suspended " + (ticks.get() == at) + " alive " + s.isAlive());
        s.resume();
        until(() -> ticks.get() > at);
        go = true;
        s.join();
        System.out.println("resumed");
        try { Thread.currentThread().stop(); } catch (ThreadDeath d) { System.out.println("stopped itself"); }
    }

    static void uncaught() throws Exception {
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.out.println("  default: " + t.getName() + " " + e));
        Thread a = new Thread(() -> { throw new IllegalStateException("one"); }, "a");
        a.start(); a.join();
        Thread b = new Thread(() -> { throw new Error("two"); }, "b");
        b.setUncaughtExceptionHandler((t, e) -> { System.out.println("  own: " + t.getName() + " " + e); throw new RuntimeException("from the handler"); });
        b.start(); b.join();
        System.out.println(b.getUncaughtExceptionHandler() == null);
        Thread c = new Thread(() -> { throw sneaky(new java.io.IOException("checked")); }, "c");
        c.start(); c.join();
        Thread d = new Thread(() -> { throw new ThreadDeath(); }, "d");
        d.start(); d.join();
        Thread.setDefaultUncaughtExceptionHandler(null);
    }
    @SuppressWarnings("unchecked") static <T extends Throwable> RuntimeException sneaky(Throwable t) throws T { throw (T) t; }

    static void many() throws Exception {
        int n = 2000;
        CountDownLatch up = new CountDownLatch(n), down = new CountDownLatch(1);
        AtomicInteger sum = new AtomicInteger();
        Thread[] ts = new Thread[n];
        for (int i = 0; i < n; i++) {
            int k = i;
            ts[i] = new Thread(null, () -> { up.countDown(); try { down.await(); } catch (InterruptedException e) { } sum.addAndGet(k); }, "many" + i, 64 << 10);
            ts[i].start();
        }
        up.await();
        System.out.println("alive " + Arrays.stream(ts).filter(Thread::isAlive).count() + " counted " + (Thread.activeCount() > n) + " traces " + (Thread.getAllStackTraces().size() > n));
        System.gc();
        down.countDown();
        for (Thread t : ts) t.join();
        System.out.println(sum);
        for (int i = 0; i < 20; i++) {
            Thread[] q = new Thread[200];
            for (int k = 0; k < q.length; k++) (q[k] = new Thread(() -> sum.incrementAndGet())).start();
            for (Thread t : q) t.join();
        }
        System.out.println(sum);
    }

    static void deadlock() throws Exception {
        Object a = new Object(), b = new Object();
        ReentrantLock l = new ReentrantLock(), m = new ReentrantLock();
        CyclicBarrier both = new CyclicBarrier(2), both2 = new CyclicBarrier(2);
        Thread t1 = new Thread(() -> { synchronized (a) { await(both); synchronized (b) { } } }, "left"), t2 = new Thread(() -> { synchronized (b) { await(both); synchronized (a) { } } }, "right");
        Thread t3 = new Thread(() -> { l.lock(); await(both2); m.lock(); }, "upper"), t4 = new Thread(() -> { m.lock(); await(both2); l.lock(); }, "lower");
        for (Thread t : new Thread[] {t1, t2, t3, t4}) { t.setDaemon(true); t.start(); }
        until(() -> t1.getState() == Thread.State.BLOCKED && t2.getState() == Thread.State.BLOCKED && t3.getState() == Thread.State.WAITING && t4.getState() == Thread.State.WAITING);
        ThreadMXBean mx = ManagementFactory.getThreadMXBean();
        System.out.println(mx.findMonitorDeadlockedThreads().length + " " + mx.findDeadlockedThreads().length);
        ThreadInfo[] infos = mx.getThreadInfo(mx.findDeadlockedThreads());
        Arrays.sort(infos, Comparator.comparing(ThreadInfo::getThreadName));
        for (ThreadInfo i : infos) System.out.println(i.getThreadName() + " waits for " + i.getLockInfo().getClassName() + " of " + i.getLockOwnerName() + " " + i.getThreadState());
    }
    static void await(CyclicBarrier b) { try { b.await(); } catch (Exception e) { throw new Error(e); } }

    static void interrupts() throws Exception {
        Thread main = Thread.currentThread();
        main.interrupt();
        show("sleep", () -> { Thread.sleep(1000); return "slept"; });
        System.out.println(Thread.interrupted());
        main.interrupt();
        show("join", () -> { new Thread(() -> { }).join(); Thread t = new Thread(() -> { try { Thread.sleep(50); } catch (InterruptedException e) { } }); t.start(); t.join(); return "joined"; });
        main.interrupt();
        show("wait", () -> { synchronized (main) { main.wait(1000); } return "waited"; });
        main.interrupt();
        LockSupport.park();
        System.out.println("park keeps the flag " + Thread.interrupted());
        show("sleep of negative time", () -> { Thread.sleep(-1); return 0; });
        show("wait of negative time", () -> { synchronized (main) { main.wait(-1); } return 0; });
        show("wait without the lock", () -> { main.wait(1); return 0; });
        show("notify without the lock", () -> { main.notify(); return 0; });
        show("join of negative time", () -> { main.join(-1); return 0; });
    }

    public static void main(String[] args) throws Exception {
        groups();
        stacks();
        stopping();
        uncaught();
        many();
        interrupts();
        deadlock();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        Thread late = new Thread(() -> { try { Thread.sleep(100); } catch (InterruptedException e) { } System.out.println("late thread, main is " + main0.getState()); });
        main0 = Thread.currentThread();
        late.start();
        System.out.println("main ends");
    }
    static Thread main0;
}
