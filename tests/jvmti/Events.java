// SPDX-License-Identifier: Apache-2.0
import java.util.function.Supplier;

/** Loads, links and initialises in a known order; starts and ends threads one after the other. */
public class Events {
    interface Shape { default int corners() { return 0; } }
    static abstract class Base implements Shape {
        static { System.out.println("init Base"); }
        abstract int area();
    }
    static class Square extends Base {
        static final int SIDE = 3;
        static int count = 1;
        static { System.out.println("init Square"); }
        int area() { return SIDE * SIDE; }
        public int corners() { return 4; }
    }
    enum Colour { RED, GREEN }
    record Pair(int a, String b) { }
    static class Never { static { System.out.println("never"); } }
    static class OnlyLoaded { static { System.out.println("never"); } }
    static class Failing { static int x = 1 / Integer.parseInt("0"); }

    static volatile boolean running;
    static final Object lock = new Object();

    static void contend() throws Exception {
        Thread t = new Thread(() -> {
            synchronized (lock) {
                System.out.println("got it");
            }
        }, "contender");
        synchronized (lock) {
            t.start();
            while (t.getState() != Thread.State.BLOCKED)
                Thread.sleep(1);
        }
        t.join();
    }
    static void waiting() throws Exception {
        Thread t = new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait(5);
                    lock.wait();
                } catch (InterruptedException e) {
                    System.out.println("interrupted");
                }
            }
        }, "waiter");
        t.start();
        while (t.getState() != Thread.State.WAITING)
            Thread.sleep(1);
        synchronized (lock) {
            lock.notify();
        }
        t.join();
    }

    public static void main(String[] args) throws Exception {
        System.out.println("main");
        Base b = new Square();
        System.out.println(b.area() + b.corners());
        System.out.println(Colour.GREEN + " " + new Pair(1, "x"));
        System.out.println(new Never[0].length);
        Class.forName("Events$OnlyLoaded", false, Events.class.getClassLoader());
        try {
            System.out.println(Failing.x);
        } catch (Throwable t) {
            System.out.println(t);
        }
        Supplier<String> s = () -> "lambda";
        System.out.println(s.get());
        Thread t = new Thread("one") { public void run() { System.out.println("in one"); } };
        t.start();
        t.join();
        Thread d = new Thread(new ThreadGroup("own"), () -> { throw new IllegalStateException("thrown"); }, "two");
        d.setUncaughtExceptionHandler((x, e) -> System.out.println("caught " + e));
        d.start();
        d.join();
        contend();
        waiting();
        if (args.length > 0) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook runs"), "shutdown"));
            switch (args[0]) {
            case "exit": System.exit(3);
            case "halt": Runtime.getRuntime().halt(4);
            case "throw": throw new IllegalStateException("end");
            case "daemon":
                Thread e = new Thread(() -> { running = true; while (true) Thread.onSpinWait(); }, "daemon");
                e.setDaemon(true);
                e.start();
                while (!running)
                    Thread.onSpinWait();
                break;
            case "memory":
                try {
                    Object[] keep = new Object[100000];
                    for (int i = 0; ; i++)
                        keep[i] = new byte[1 << 20];
                } catch (OutOfMemoryError x) {
                    System.out.println(x.getMessage());
                }
            }
        }
        System.out.println("end");
    }
}
