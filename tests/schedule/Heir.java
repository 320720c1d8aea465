// SPDX-License-Identifier: Apache-2.0
/** Who is woken for a lock is suspended before it takes it: another waiter must get the lock. Natives: agent_contended.c, by the name Contended. */
class Contended {
    static native void suspend(Thread t);
    static native void resume(Thread t);
}
public class Heir {
    static final Object lock = new Object();
    static Thread start(String name) throws Exception {
        Thread t = new Thread(() -> { synchronized (lock) { System.out.println(name + " has it"); } }, name);
        t.setDaemon(true);
        t.start();
        while (t.getState() != Thread.State.BLOCKED) Thread.sleep(5);
        return t;
    }
    public static void main(String[] a) throws Exception {
        Thread heir, other;
        synchronized (lock) {
            heir = start("heir");
            other = start("other");
            Thread.sleep(100); // both sleep for the lock
        }
        Thread.sleep(200); // the heir is woken, and lingers
        Contended.suspend(heir);
        other.join(8000);
        System.out.println("other " + other.getState());
        Contended.resume(heir);
        heir.join(8000);
        System.out.println("heir " + heir.getState());
        System.exit(0);
    }
}
