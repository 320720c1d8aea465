// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** What jdb.sh debugs; its script names lines. */
public class Debuggee {
    static int counter;
    String name;
    int[] numbers = {1, 2, 3};
    List<String> list = new ArrayList<>(List.of("a", "b"));
    Point point = new Point(3, 4.5);

    record Point(int x, double y) { }
    static class Failure extends Exception {
        Failure(String m) { super(m); }
    }

    Debuggee(String name) {
        this.name = name;
    }

    int compute(int a, long b, boolean flag, String text, Object nothing) {
        int result = a * 2;
        long wide = b + result;
        char letter = text.charAt(0);
        byte small = (byte) a;
        for (int i = 0; i < 2; i++) {
            float part = i + 0.5f;
            double twice = part * 2;
            result += (int) twice;
        }
        counter = result;
        numbers[1] = counter;
        return result + (int) wide;
    }

    static int divide(int a, int b) throws Failure {
        if (b == 0)
            throw new Failure("by zero");
        return a / b;
    }

    static int recurse(int n) {
        if (n == 0)
            return deepest(n);
        return 1 + recurse(n - 1);
    }

    static int deepest(int n) {
        int here = n + 100;
        return here;
    }

    static final Object first = new Object();
    static class Lock {
        int uses;
        synchronized void use(Runnable r) {
            uses++;
            r.run();
        }
    }

    static void threads() throws InterruptedException {
        Lock lock = new Lock();
        Thread waiting = new Thread(() -> {
            synchronized (first) {
                try {
                    first.wait();
                } catch (InterruptedException e) {
                    say("interrupted");
                }
            }
        }, "waiting");
        waiting.start();
        while (waiting.getState() != Thread.State.WAITING)
            Thread.sleep(1);
        Thread[] blocked = new Thread[1];
        lock.use(() -> {
            blocked[0] = new Thread(() -> lock.use(() -> say("used")), "blocked");
            blocked[0].start();
            while (blocked[0].getState() != Thread.State.BLOCKED)
                Thread.onSpinWait();
            inMonitor(lock);
        });
        blocked[0].join();
        waiting.interrupt();
        waiting.join();
    }

    static void inMonitor(Lock lock) {
        synchronized (first) {
            say("in monitor " + lock.uses);
        }
    }

    public static void main(String[] args) throws Exception {
        Debuggee d = new Debuggee("subject");
        say("computed " + d.compute(5, 1L << 33, true, "text", null));
        for (int i = 1; i >= 0; i--) {
            try {
                say("divided " + divide(10, i));
            } catch (Failure e) {
                say("failed " + e.getMessage());
            }
        }
        say("recursed " + recurse(3));
        threads();
        say("again " + deepest(1));
        say("again " + deepest(2));
        d.name = "changed";
        say("end " + d.name + " " + counter);
    }

    /** Printing would come whenever the debugger's pipe brings it. */
    static String said = "";
    static synchronized void say(String s) {
        said += s + ";";
    }
}
