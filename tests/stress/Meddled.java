// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/**
 * Meddled STEPS [v]: threads compute, throw, contend, start others, load classes and drop them, while two threads do STEPS
 * operations of tools to them (agent_meddle). What the threads compute must be right.
 */
public class Meddled {
    static native void begin(Class<?> work);
    static native void step(int number, Thread victim);
    static native boolean end(boolean verbose);

    static final int WORKERS = 3;
    static volatile boolean stop;
    static final AtomicInteger wrong = new AtomicInteger(), rounds = new AtomicInteger(), loaded = new AtomicInteger();

    public static class Work {
        int sum;
        Object last;
        int add(int i) { sum = sum + i; return sum; }
        int deep(int n) { return n == 0 ? add(1) : deep(n - 1) + 1; }
        int thrown(int i) {
            try {
                throw new IllegalStateException("x" + i);
            } catch (IllegalStateException e) {
                return e.getMessage().length();
            }
        }
        int objects(int n) {
            List<int[]> l = new ArrayList<>();
            for (int i = 0; i < n; i++) l.add(new int[i]);
            int total = 0;
            for (int[] a : l) total += a.length;
            last = l;
            return total;
        }
        static int shared;
        static synchronized int contended() { return ++shared; }
    }
    static void check(int got, int want) { if (got != want) wrong.incrementAndGet(); }

    static void work() {
        for (int round = 0; !stop; round++) {
            Work w = new Work();
            check(w.deep(5), 6);
            for (int i = 0; i < 10; i++) w.add(i);
            check(w.sum, 46);
            check(w.thrown(7), 2);
            check(w.objects(20), 190);
            for (int i = 0; i < 3; i++) Work.contended();
            rounds.incrementAndGet();
        }
    }

    static byte[] bytes;
    static final class Own extends ClassLoader {
        Own() { super(null); }
        Class<?> define() { return defineClass("Meddled$Work", bytes, 0, bytes.length); }
    }
    /** Classes that go away, and threads too. */
    static void churn() {
        try {
            for (int i = 0; !stop; i++) {
                Class<?> k = new Own().define();
                Object o = k.getDeclaredConstructor().newInstance();
                var add = k.getDeclaredMethod("add", int.class);
                add.setAccessible(true);
                check((int) add.invoke(o, 5), 5);
                Thread t = new Thread(() -> new Work().deep(3));
                t.start();
                t.join();
                if (i % 20 == 19) System.gc();
                loaded.incrementAndGet();
            }
        } catch (ReflectiveOperationException | InterruptedException e) {
            throw new Error(e);
        }
    }
    public static void main(String[] args) throws Exception {
        int steps = Integer.parseInt(args[0]);
        try (InputStream in = Meddled.class.getResourceAsStream("Meddled$Work.class")) { bytes = in.readAllBytes(); }
        new Work().add(0);
        begin(Work.class);
        Thread[] workers = new Thread[WORKERS];
        for (int i = 0; i < WORKERS; i++) (workers[i] = new Thread(Meddled::work, "worker " + i)).start();
        Thread churn = new Thread(Meddled::churn, "churn");
        churn.start();
        AtomicInteger number = new AtomicInteger();
        Thread[] tools = new Thread[2];
        for (int i = 0; i < tools.length; i++) {
            tools[i] = new Thread(() -> {
                for (int n; (n = number.getAndIncrement()) < steps;) step(n, workers[n % WORKERS]);
            }, "tool " + i);
            tools[i].start();
        }
        for (Thread t : tools) t.join();
        boolean enough = end(args.length > 1);
        stop = true;
        for (Thread t : workers) t.join();
        churn.join();
        if (args.length > 1) System.err.println(rounds + " rounds, " + loaded + " classes");
        System.out.println(wrong.get() == 0 ? "results right" : wrong + " results wrong");
        if (!enough) System.out.println("too few events");
    }
}
