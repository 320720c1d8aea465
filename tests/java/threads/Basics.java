// SPDX-License-Identifier: Apache-2.0
import java.util.*;
import java.util.concurrent.atomic.*;

/** Thread life: start, join, states, names, groups, priorities, interrupts, wait/notify, ThreadLocal, handlers, daemon. */
public class Basics {
    static int shared;
    static final Object LOCK = new Object();

    static void waitFor(Thread t, Thread.State s) throws Exception {
        while (t.getState() != s)
            Thread.sleep(1);
        System.out.println(t.getName() + " " + t.getState());
    }

    public static void main(String[] args) throws Exception {
        Thread m = Thread.currentThread();
        System.out.println(m + " " + m.getPriority() + " " + m.isDaemon() + " " + m.getThreadGroup().getParent() + " " + m.getState() + " " + m.isAlive());
        Thread[] ts = new Thread[8];
        for (int i = 0; i < 8; i++)
            (ts[i] = new Thread(() -> { for (int k = 0; k < 20000; k++) synchronized (LOCK) { shared++; } })).start();
        for (Thread t : ts)
            t.join();
        System.out.println(shared + " " + ts[0].getState() + " " + ts[0].isAlive() + " " + ts[0].getThreadGroup());
        Thread w = new Thread(() -> {
            synchronized (LOCK) {
                try {
                    LOCK.wait();
                    System.out.println("woken " + Thread.holdsLock(LOCK));
                    LOCK.wait();
                } catch (InterruptedException e) {
                    System.out.println("interrupted in wait, flag " + Thread.currentThread().isInterrupted() + " holds " + Thread.holdsLock(LOCK));
                }
            }
        }, "waiter");
        System.out.println(w.getState());
        w.start();
        waitFor(w, Thread.State.WAITING);
        synchronized (LOCK) { LOCK.notify(); }
        Thread.sleep(50);
        waitFor(w, Thread.State.WAITING);
        w.interrupt();
        w.join();
        Thread s = new Thread(() -> {
            try { Thread.sleep(100000); } catch (InterruptedException e) { System.out.println("sleep interrupted: " + e.getMessage()); }
            Thread.currentThread().interrupt();
            try { Thread.sleep(10); } catch (InterruptedException e) { System.out.println("at once"); }
            Thread.currentThread().interrupt();
            System.out.println(Thread.interrupted() + " " + Thread.interrupted());
            Thread.currentThread().interrupt();
            try { new Object() { synchronized void f() throws InterruptedException { wait(5); } }.f(); } catch (InterruptedException e) { System.out.println("wait at once"); }
        }, "sleeper");
        s.start();
        waitFor(s, Thread.State.TIMED_WAITING);
        s.interrupt();
        s.join();
        Thread bl;
        synchronized (LOCK) {
            bl = new Thread(() -> { synchronized (LOCK) { System.out.println("entered"); } }, "blocker");
            bl.start();
            waitFor(bl, Thread.State.BLOCKED);
        }
        bl.join();
        Thread j = new Thread(() -> { try { m.join(100000); } catch (InterruptedException e) { System.out.println("join interrupted"); } }, "joiner");
        j.start();
        waitFor(j, Thread.State.TIMED_WAITING);
        j.interrupt();
        j.join();
        ThreadLocal<Integer> tl = ThreadLocal.withInitial(() -> 5);
        InheritableThreadLocal<String> itl = new InheritableThreadLocal<>() { @Override protected String childValue(String p) { return p + "+child"; } };
        tl.set(9);
        itl.set("parent");
        Thread t = new Thread(() -> { System.out.println(tl.get() + " " + itl.get()); tl.remove(); });
        t.start();
        t.join();
        System.out.println(tl.get() + itl.get());
        ThreadGroup g = new ThreadGroup("grp") { @Override public void uncaughtException(Thread th, Throwable e) { System.out.println("group got " + th.getName() + " " + e); } };
        Thread u = new Thread(g, () -> { throw new IllegalStateException("u"); }, "in-group");
        u.setPriority(3);
        u.start();
        u.join();
        System.out.println(g.getMaxPriority() + " " + g.activeCount() + " " + u.getPriority());
        Thread.setDefaultUncaughtExceptionHandler((th, e) -> System.out.println("default got " + e));
        u = new Thread(() -> { throw new Error("x"); });
        u.start();
        u.join();
        AtomicBoolean stop = new AtomicBoolean();
        boolean[] plain = new boolean[1];
        Thread spin = new Thread(() -> { long n = 0; while (!stop.get()) n++; plain[0] = true; });
        spin.start();
        Thread.sleep(20);
        stop.set(true);
        spin.join(5000);
        System.out.println(plain[0] + " " + spin.isAlive());
        long t0 = System.nanoTime();
        Thread.sleep(30, 500000);
        synchronized (LOCK) { LOCK.wait(30); }
        System.out.println(System.nanoTime() - t0 >= 60_000_000L);
        Map<Thread, StackTraceElement[]> all = Thread.getAllStackTraces();
        System.out.println(all.get(m).length > 1 && all.get(m)[all.get(m).length - 1].getMethodName().equals("main"));
        System.out.println(all.keySet().stream().map(Thread::getName).filter(n -> n.matches("Reference Handler|Finalizer|Signal Dispatcher|main")).sorted().toList());
        Thread d = new Thread(() -> { while (true) Thread.yield(); });
        d.setDaemon(true);
        d.start();
        try { d.setDaemon(false); } catch (IllegalThreadStateException e) { System.out.println("too late"); }
        try { new Thread().setPriority(11); } catch (IllegalArgumentException e) { System.out.println("priority"); }
        System.out.println("end with a spinning daemon");
    }
}
