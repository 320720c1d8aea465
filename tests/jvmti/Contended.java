// SPDX-License-Identifier: Apache-2.0
import java.lang.management.*;
import java.util.*;
import java.util.function.*;

/** Monitors with threads that wait for them, in them, are suspended meanwhile, or sit in a callback: agent_contended.c. */
public class Contended {
    static native String usage(Object o);
    static native int state(Thread t);
    static native void suspend(Thread t);
    static native void resume(Thread t);
    static native void keep(String name);
    static native boolean isKept();
    /** The callback of a thread of the name "detours" enters the monitor of o first; how far it has come: 1, 2 when it must wait for it, 0. */
    static native void detour(Object o);
    static native int detouring();
    static native String rawWait(long millis);

    static final Object lock = new Object();
    static final StringBuffer order = new StringBuffer();
    static synchronized void synced(Runnable r) { r.run(); }

    static void until(BooleanSupplier c, String what) throws InterruptedException {
        for (int i = 0; i < 4000; i++) {
            if (c.getAsBoolean()) return;
            Thread.sleep(5);
        }
        System.out.println("never: " + what);
        System.exit(9);
    }
    static Thread start(String name, Runnable r) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.start();
        return t;
    }
    static void blocked(Thread t) throws InterruptedException { until(() -> t.getState() == Thread.State.BLOCKED, t.getName() + " is blocked"); }
    static Thread entrant(String name) { return start(name, () -> { synchronized (lock) { order.append(name).append(' '); } }); }
    static Thread waiter(String name, long ms) {
        Thread t = start(name, () -> {
            synchronized (lock) {
                try { lock.wait(ms); order.append(name).append(" waited "); } catch (InterruptedException e) { order.append(name).append(" interrupted "); }
            }
        });
        return t;
    }
    static void waiting(Thread t) throws InterruptedException { until(() -> t.getState() == Thread.State.WAITING || t.getState() == Thread.State.TIMED_WAITING, t.getName() + " waits"); }
    static void show(String what, Thread... ts) {
        StringBuilder s = new StringBuilder(what + ": " + usage(lock));
        for (Thread t : ts) {
            ThreadInfo i = ManagementFactory.getThreadMXBean().getThreadInfo(t.getId());
            s.append("; ").append(t.getName()).append(' ').append(t.getState()).append(' ').append(Integer.toHexString(state(t) & ~0x100000)).append(' ').append(i.getThreadState())
                .append(' ').append(i.getLockName() != null).append(' ').append(i.getLockOwnerName());
        }
        System.out.println(s);
    }
    static String took() { String s = order.toString(); order.setLength(0); return s; }

    static void usages() throws Exception {
        show("free");
        Thread a, b, w;
        synchronized (lock) {
            show("owned");
            synchronized (lock) {
                a = entrant("a"); blocked(a);
                b = entrant("b"); blocked(b);
                show("wanted", a, b);
            }
        }
        a.join(); b.join(); took();
        w = waiter("w", 0); waiting(w);
        show("waited in", w);
        Thread w2 = waiter("w2", 100_000); waiting(w2);
        synchronized (lock) {
            a = entrant("a"); blocked(a);
            show("both", a, w, w2);
            lock.notify();
            until(() -> w.getState() == Thread.State.BLOCKED || w2.getState() == Thread.State.BLOCKED, "the notified one competes");
            System.out.println("notified: " + a.getState() + " " + Integer.toHexString(state(w) | state(w2))); // the reference lists one of the rest twice
            lock.notify();
            until(() -> w.getState() == Thread.State.BLOCKED && w2.getState() == Thread.State.BLOCKED, "both compete");
            show("both notified", a, w, w2);
        }
        a.join(); w.join(); w2.join();
        System.out.println(Arrays.stream(took().split(" ")).sorted().toList());
        Thread t;
        synchronized (lock) {
            t = start("times out", () -> { synchronized (lock) { try { lock.wait(300); } catch (InterruptedException e) { } } });
            blocked(t);
            lock.wait(50); // it gets in, and waits longer than this thread
            until(() -> t.getState() == Thread.State.BLOCKED, "timed out and competes");
            show("timed out", t);
        }
        t.join();
    }
    static void callback() throws Exception {
        keep("slow");
        Thread slow, c;
        synchronized (lock) {
            slow = entrant("slow");
            until(Contended::isKept, "slow is in its callback");
            show("in the callback", slow);
            c = entrant("c"); blocked(c);
        }
        c.join(10_000);
        System.out.println("c while slow is in its callback: " + took());
        for (int i = 0; i < 200; i++) synchronized (lock) { order.setLength(0); }
        System.gc(); // may deflate
        keep(null);
        slow.join(10_000);
        System.out.println("slow then: " + took());
    }
    static void suspended() throws Exception {
        Thread a, b, c;
        synchronized (lock) {
            a = entrant("a"); blocked(a);
            b = entrant("b"); blocked(b);
            c = entrant("c"); blocked(c);
            suspend(a); suspend(b); suspend(c);
        }
        Thread.sleep(50);
        System.out.println("all suspended: " + took());
        resume(c); c.join(10_000);
        System.out.println("c resumed: " + took());
        resume(a); a.join(10_000);
        resume(b); b.join(10_000);
        System.out.println("all: " + took());
        synchronized (lock) {
            a = entrant("a"); blocked(a);
            suspend(a);
            b = entrant("b"); blocked(b);
        }
        b.join(10_000);
        System.out.println("a suspended: " + took());
        resume(a); a.join(10_000);
        System.out.println("all: " + took());
    }
    static void detoured() throws Exception {
        Object other = new Object();
        detour(other);
        Thread t = waiter("detours", 0);
        waiting(t);
        synchronized (lock) {
            synchronized (other) {
                t.interrupt();
                until(() -> detouring() == 2, "its callback waits for another monitor");
            }
            until(() -> detouring() == 0, "its callback is over");
            Thread.sleep(50); // it sleeps again
            suspend(t);
        }
        Thread.sleep(50);
        System.out.println("suspended behind the callback: " + took());
        resume(t);
        t.join(10_000);
        System.out.println("resumed: " + took());
    }
    static void owning() throws Exception {
        Thread[] t = new Thread[3];
        synchronized (lock) {
            synchronized (Contended.class) {
                blocked(t[0] = start("owns block", () -> { synchronized (lock) { order.append("x"); } }));
                blocked(t[1] = start("owns method", () -> synced(() -> { })));
            }
            t[1].join();
        }
        t[0].join();
        took();
    }
    static void raw() throws Exception {
        Thread.currentThread().interrupt();
        System.out.println("raw wait with the status set: " + rawWait(10_000) + " then " + Thread.interrupted());
        Thread main = Thread.currentThread();
        start("interrupts", () -> { while (main.getState() == null || state(main) == 0) Thread.onSpinWait(); try { Thread.sleep(100); } catch (InterruptedException e) { } main.interrupt(); });
        System.out.println("raw wait interrupted: " + rawWait(10_000) + " then " + Thread.interrupted());
        System.out.println("raw wait timed out: " + rawWait(10) + " then " + Thread.interrupted());
    }

    /** A callback throws when the monitor of a synchronized method is entered: no handler of the method is asked. */
    static class Guarded {
        int entered;
        String told = "";
        synchronized int enter(int n) {
            try {
                entered++;
                return n;
            } catch (IllegalStateException e) {
                told = "caught inside";
                return -1;
            }
        }
    }
    static void refused() throws Exception {
        Guarded g = new Guarded();
        for (int i = 0; i < 30000; i++) g.enter(i);
        Thread t;
        synchronized (g) {
            g.entered = 0;
            t = start("throws", () -> {
                try {
                    g.enter(1);
                } catch (IllegalStateException e) {
                    g.told += "caught outside, at " + e.getStackTrace().length + ", " + g.entered + " entered, " + Thread.holdsLock(g);
                }
            });
            blocked(t);
        }
        t.join();
        System.out.println("refused: " + g.told);
    }

    public static void main(String[] a) throws Exception {
        if (a.length > 0) {
            refused();
            return;
        }
        usages();
        callback();
        suspended();
        detoured();
        owning();
        raw();
    }
}
