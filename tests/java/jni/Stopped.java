// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.misc=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.misc=ALL-UNNAMED
import java.util.function.*;
import jdk.internal.misc.Unsafe;

/**
 * Thread.stop of a thread that sleeps, waits, parks or is in a native method: thrown at the call, by handlers whose range ends with it.
 * Stopped.c has the natives that stay until they are let go.
 */
public class Stopped {
    static native void hold();
    native void holdMine();
    static synchronized native void holdSynced();
    static native void holdMany(int a, double b, long c, Object d, float e, int f, int g, int h, int i, Object j);
    static native void holdThrowing();
    static native void holdCalling(Runnable r);
    static native boolean held();
    static native void letGo();

    static final Unsafe unsafe = Unsafe.getUnsafe();
    static final StringBuffer told = new StringBuffer();

    static void sleeps() throws Exception { try { Thread.sleep(1_000_000); } catch (ThreadDeath d) { told.append(" at the call"); } }
    static synchronized void waits() throws Exception { try { Stopped.class.wait(1_000_000); } catch (ThreadDeath d) { told.append(" at the call"); } }
    static void parks() { try { unsafe.park(false, 0); } catch (ThreadDeath d) { told.append(" at the call"); } }
    static void inNative() { try { hold(); } catch (ThreadDeath d) { told.append(" at the call"); } }
    static void inMine(Stopped s) { try { s.holdMine(); } catch (ThreadDeath d) { told.append(" at the call"); } }
    static void inSynced() { try { holdSynced(); } catch (ThreadDeath d) { told.append(" at the call, monitor ").append(Thread.holdsLock(Stopped.class)); } }
    static void inMany() { try { holdMany(1, 2, 3, "4", 5, 6, 7, 8, 9, "10"); } catch (ThreadDeath d) { told.append(" at the call"); } }
    static void inThrowing() { try { holdThrowing(); } catch (ThreadDeath | IllegalStateException d) { told.append(" at the call"); throw d; } }
    static void inCalling() { try { holdCalling(() -> told.append(" never called")); } catch (ThreadDeath d) { told.append(" at the call"); } }
    static void atLast() { try { hold(); } finally { told.append(" finally"); } }

    interface Act { void run() throws Exception; }
    static Thread start(Act a) {
        Thread t = new Thread(() -> {
            try {
                a.run();
                told.append(" and on");
            } catch (Throwable x) {
                told.append(" ends with ").append(x.getClass().getSimpleName());
            }
        });
        t.setDaemon(true);
        t.start();
        return t;
    }
    static void until(BooleanSupplier c, String what) throws InterruptedException {
        for (int i = 0; i < 4000; i++) {
            if (c.getAsBoolean()) return;
            Thread.sleep(5);
        }
        System.out.println("never: " + what);
        System.exit(9);
    }
    static void ended(String what, Thread t) throws InterruptedException {
        t.join(20_000);
        System.out.println(what + ":" + told + (t.isAlive() ? ", lives" : ""));
        told.setLength(0);
    }
    @SuppressWarnings("removal")
    static void resting(String what, Act a) throws Exception {
        Thread t = start(a);
        until(() -> t.getState() == Thread.State.WAITING || t.getState() == Thread.State.TIMED_WAITING, what);
        t.stop();
        ended(what, t);
    }
    @SuppressWarnings("removal")
    static void inside(String what, Act a) throws Exception {
        Thread t = start(a);
        until(Stopped::held, what);
        t.stop();
        letGo();
        ended(what, t);
    }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("Stopped");
        for (int i = 0; i < 2; i++) {
            resting("sleeps", Stopped::sleeps);
            resting("waits", Stopped::waits);
            resting("parks", Stopped::parks);
            inside("in a native", Stopped::inNative);
            inside("in an instance's", () -> inMine(new Stopped()));
            inside("in a synchronized one", Stopped::inSynced);
            inside("with many arguments", Stopped::inMany);
            inside("in one that throws", Stopped::inThrowing);
            inside("in one that calls Java", Stopped::inCalling);
            inside("finally", Stopped::atLast);
        }
    }
}
