// SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.util.concurrent.atomic.AtomicBoolean;

/** Work for a sampler while classes are redefined under it and loaders come and go: Churn SECONDS. */
public class Churn {
    static Instrumentation instrument;
    static final AtomicBoolean stop = new AtomicBoolean();
    static volatile Throwable failure;
    public static volatile long sink;
    static volatile long redefined, unloadable;

    public static void premain(String options, Instrumentation i) { instrument = i; }

    /** Redefined again and again: its constant changes, so versions that still run are obsolete. */
    public static class Changing {
        static long turn(int n) {
            long s = 7777;
            for (int i = 0; i < n; i++) s += step(s, i);
            return s;
        }
        static long step(long s, int i) { return s * 31 + i; }
    }
    /** Defined anew by every loader. */
    public static class Passing implements Runnable {
        public void run() {
            Runnable r = () -> sink += deeper(200, 5);
            for (int i = 0; i < 20; i++) r.run();
        }
        static long deeper(int n, int depth) {
            long s = 0;
            if (depth > 0) return deeper(n, depth - 1) + 1;
            for (int i = 0; i < n; i++) s += i ^ s;
            return s;
        }
    }
    static class Own extends ClassLoader {
        Own() { super(Churn.class.getClassLoader()); }
        Class<?> define(byte[] b) { return defineClass("Churn$Passing", b, 0, b.length); }
    }
    static byte[] bytes(String name) throws Exception {
        try (InputStream in = Churn.class.getResourceAsStream(name + ".class")) { return in.readAllBytes(); }
    }
    /** The same class with another constant, found by its eight bytes (long 7777). */
    static byte[] other(byte[] b) {
        byte[] c = b.clone();
        for (int i = 0; i + 9 <= c.length; i++)
            if (c[i] == 5 && c[i + 7] == 0x1e && c[i + 8] == 0x61) { c[i + 8]++; return c; }
        throw new IllegalStateException("no constant");
    }
    static void redefine() throws Exception {
        byte[] one = bytes("Churn$Changing"), two = other(one);
        for (; !stop.get(); Thread.sleep(5), redefined++)
            instrument.redefineClasses(new ClassDefinition(Changing.class, redefined % 2 == 0 ? two : one));
    }
    static void unload() throws Exception {
        byte[] b = bytes("Churn$Passing");
        for (; !stop.get(); unloadable++) {
            ((Runnable) new Own().define(b).getDeclaredConstructor().newInstance()).run();
            if (unloadable % 200 == 199) System.gc();
        }
    }
    static void turn() { while (!stop.get()) sink += Changing.turn(3000); }

    interface Work { void run() throws Exception; }
    static Thread start(String name, Work w) {
        Thread t = new Thread(() -> {
            try { w.run(); } catch (Throwable e) { failure = e; stop.set(true); }
        }, name);
        t.start();
        return t;
    }
    public static void main(String[] a) throws Exception {
        Thread[] all = {start("redefine", Churn::redefine), start("unload", Churn::unload), start("turn", Churn::turn), start("turn2", Churn::turn)};
        for (long end = System.nanoTime() + Long.parseLong(a[0]) * 1_000_000_000L; System.nanoTime() < end && !stop.get();) Thread.sleep(100);
        stop.set(true);
        for (Thread t : all) t.join();
        System.out.println("redefined " + redefined + ", loaders " + unloadable + ", failure " + failure);
        if (failure != null) { failure.printStackTrace(); System.exit(1); }
    }
}
