// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.locks.LockSupport;

public class Live {
    static native void stack(Thread t, int start, int max);
    static native void threads(Thread[] list);
    static native void groups();
    static native void suspend(Thread t, boolean on);
    static native void suspendList(Thread[] list, boolean on);
    static native void interrupt(Thread t);
    static native void agentThread(Thread fresh);
    static native int rawWait();
    static native void usage(Object o, Thread t);
    static native void modules(ClassLoader loader, Module named, Module unnamed);
    static native void table();
    static native void search(String boot, String app);
    static native void objects(Object o, int hash);

    static final Object lock = new Object();
    static volatile long counter;
    static volatile boolean stop;

    static synchronized void enter() { System.out.println("in"); }

    static void until(Thread t, Thread.State s) throws Exception {
        while (t.getState() != s)
            Thread.sleep(1);
    }
    static Thread start(String name, Runnable r) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.start();
        return t;
    }
    static void deep(int n, Runnable r) {
        if (n == 0)
            r.run();
        else
            deep(n - 1, r);
    }
    static boolean moves() throws Exception {
        long before = counter;
        for (int i = 0; i < 200 && counter == before; i++)
            Thread.sleep(1);
        return counter != before;
    }
    static void find(String name) {
        try {
            Class<?> c = Class.forName(name);
            System.out.println(name + " by " + (c.getClassLoader() == null ? "boot" : "app"));
        } catch (Throwable t) {
            System.out.println(t);
        }
    }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("agent_live");
        stack(Thread.currentThread(), 0, 10);
        deep(5, () -> stack(null, 0, 64));
        deep(5, () -> stack(null, 2, 3));
        deep(5, () -> stack(null, -3, 64));
        stack(null, 99, 3);

        Thread waits = start("waits", () -> { synchronized (lock) { try { lock.wait(); } catch (InterruptedException e) { } } });
        until(waits, Thread.State.WAITING);
        Thread timed = start("timed", () -> { synchronized (lock) { try { lock.wait(1000000); } catch (InterruptedException e) { } } });
        until(timed, Thread.State.TIMED_WAITING);
        Thread sleeps = start("sleeps", () -> { try { Thread.sleep(1000000); } catch (InterruptedException e) { } });
        until(sleeps, Thread.State.TIMED_WAITING);
        Thread parks = start("parks", () -> LockSupport.park(lock));
        until(parks, Thread.State.WAITING);
        Thread blocks;
        synchronized (Live.class) {
            synchronized (Live.class) {
                /* A method: within one the reference gives the location after the monitorenter. */
                blocks = start("blocks", Live::enter);
                until(blocks, Thread.State.BLOCKED);
                Thread dead = new Thread("dead"), fresh = new Thread("fresh");
                dead.start();
                dead.join();
                threads(new Thread[] {waits, timed, sleeps, parks, blocks, fresh, dead, Thread.currentThread()});
                usage(Live.class, blocks);
            }
        }
        blocks.join();
        usage(lock, waits);
        usage(new Object(), null);
        stack(waits, 0, 10);
        interrupt(waits);
        waits.join();
        ThreadGroup g = new ThreadGroup("own group");
        g.setMaxPriority(3);
        new ThreadGroup(g, "inner");
        timed.interrupt(); sleeps.interrupt(); LockSupport.unpark(parks);
        timed.join(); sleeps.join(); parks.join();
        groups();

        Thread spins = start("spins", () -> { while (!stop) counter++; });
        System.out.println("moves " + moves());
        suspend(spins, true);
        System.out.println("moves " + moves());
        suspend(spins, false);
        System.out.println("moves " + moves());
        suspendList(new Thread[] {spins, waits, spins}, true);
        System.out.println("moves " + moves());
        suspendList(new Thread[] {spins, waits, spins}, false);
        System.out.println("moves " + moves());
        stop = true;
        spins.join();
        Thread sleeper = start("suspended in sleep", () -> { try { Thread.sleep(20); } catch (InterruptedException e) { } counter = -1; });
        suspend(sleeper, true);
        Thread.sleep(60);
        System.out.println("stays " + (counter != -1));
        suspend(sleeper, false);
        sleeper.join();
        System.out.println("went " + (counter == -1));

        Thread agent = new Thread("agent");
        agentThread(agent);
        agent.join();
        Thread raw = start("raw", Live::rawWait);
        Thread.sleep(30);
        raw.interrupt();
        raw.join();

        Module base = String.class.getModule(), own = Live.class.getModule();
        System.out.println(base.canRead(own) + " " + base.isExported("jdk.internal.misc", own) + " " + base.isOpen("java.lang", own));
        modules(Live.class.getClassLoader(), base, own);
        System.out.println(base.canRead(own) + " " + base.isExported("jdk.internal.misc", own) + " " + base.isOpen("java.lang", own));
        table();
        Object o = new Object();
        try {
            objects(o, System.identityHashCode(o));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        find("OnBoot"); find("OnApp");
        search("boot.jar", "app.jar");
        find("OnBoot"); find("OnApp");
        search("/tmp", "/tmp");
    }
}
