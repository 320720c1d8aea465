// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** A process with threads in every state, two deadlocked, for tools to look at; ends when its input does. */
public class Target {
    static final Object LOCK = new Object(), BLOCKER = new Object(), BELL = new Object();
    static final CountDownLatch both = new CountDownLatch(2);
    static Thread[] kept = new Thread[6];
    static int n;

    static void start(String name, Thread.State expected, Runnable r) throws Exception {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.start();
        kept[n++] = t;
        while (expected != null && t.getState() != expected) Thread.sleep(1);
    }
    static void rest() {
        try { Thread.sleep(1_000_000); } catch (InterruptedException e) { }
    }
    static void meet() {
        both.countDown();
        try { both.await(); } catch (InterruptedException e) { }
    }
    static void waiter() {
        synchronized (BELL) { try { BELL.wait(); } catch (InterruptedException e) { } }
    }
    static void left() { synchronized (Target.class) { meet(); synchronized (LOCK) { } } }
    static void right() { synchronized (LOCK) { meet(); synchronized (Target.class) { } } }
    static synchronized void never() { }

    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        start("waiter", Thread.State.WAITING, Target::waiter);
        start("parker", Thread.State.WAITING, () -> LockSupport.park(BLOCKER));
        start("holder", Thread.State.TIMED_WAITING, () -> { lock.lock(); rest(); });
        start("queued", Thread.State.WAITING, () -> lock.lock());
        start("left", null, Target::left);
        start("right", Thread.State.BLOCKED, Target::right);
        while (kept[4].getState() != Thread.State.BLOCKED) Thread.sleep(1);
        System.out.println("ready");
        while (System.in.read() >= 0) { }
        System.out.println("bye");
    }
}
