// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.lang.reflect.Method;
import java.util.*;
import java.util.function.IntUnaryOperator;

/**
 * What it costs to look at a program that is compiled. Looking kernels: only these, each in ns a turn. Looking: the agent's rows, to the same loop
 * without. Lines "probe NAME FIGURE" on standard error.
 */
public class Looking {
    static native long count();
    static native void watch(Class<?> of, java.lang.reflect.Field f);
    static native void unwatch(Class<?> of, java.lang.reflect.Field f);
    static native int breakpoint(Method m, int line, int step, boolean on);
    static native void step(Thread t, boolean on);
    static native int redefine(Class<?> of, byte[] bytes);

    interface Shape { int area(int i); }
    static class Square implements Shape { public int area(int i) { return i * i; } }
    static class Strip implements Shape { public int area(int i) { return i + 1; } }
    int watched, other, more;
    static final Shape[] SHAPES = {new Square(), new Strip()};

    static int fields(int n) {
        Looking l = new Looking();
        for (int i = 0; i < n; i++) { l.other += i; l.more ^= l.other; }
        return l.more;
    }
    static int calls(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s += SHAPES[i & 1].area(i);
        return s;
    }
    static int exceptions(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) try { s += thrower(i); } catch (IllegalStateException e) { s++; }
        return s;
    }
    static final IllegalStateException KEPT = new IllegalStateException();
    static int thrower(int i) { if ((i & 63) == 0) throw KEPT; return i; }
    static int objects(int n) {
        Object last = null;
        int s = 0;
        for (int i = 0; i < n; i++) { Object o = new int[] {i}; synchronized (o) { s += o == last ? 1 : 2; } last = o; }
        return s;
    }
    static int hot(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            s += i;
            s ^= i << 3;
        }
        return s;
    }
    static int cold(int x) {
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
        return x;
    }

    static long sink;
    static double time(IntUnaryOperator k, int n) { /* best of some, ns a turn */
        long best = Long.MAX_VALUE, end = System.nanoTime() + 400_000_000L;
        do {
            long t = System.nanoTime();
            sink += k.applyAsInt(n);
            best = Math.min(best, System.nanoTime() - t);
        } while (System.nanoTime() < end);
        return (double) best / n;
    }
    static double warm(IntUnaryOperator k, int n) { time(k, n); return time(k, n); }
    static void tell(String name, double v) { System.err.printf(Locale.ROOT, "probe\t%s\t%.4f%n", name, v); }

    static void kernels() {
        tell("fields", warm(Looking::fields, 1000000));
        tell("calls", warm(Looking::calls, 1000000));
        tell("exceptions", warm(Looking::exceptions, 300000));
        tell("objects", warm(Looking::objects, 300000));
    }

    static int lineOf(String text) throws IOException {
        try (BufferedReader r = new BufferedReader(new FileReader(System.getProperty("source")))) {
            for (int n = 1;; n++) if (r.readLine().contains(text)) return n;
        }
    }

    static volatile boolean stop;
    /** A thread that is stepped: it sleeps most of the time, as one that a debugger steps does. */
    static Thread stepped() {
        Thread t = new Thread(() -> { while (!stop) try { Thread.sleep(1); } catch (InterruptedException e) { return; } });
        t.setDaemon(true);
        t.start();
        return t;
    }

    static volatile long worst;
    static String source(int k, int factor) {
        StringBuilder b = new StringBuilder("public class Many" + k + " { public static int all(int n) { int s = 0;\n");
        for (int i = 0; i < 500; i++) b.append("s += m" + i + "(s);\n");
        b.append("return s; }\n");
        for (int i = 0; i < 500; i++)
            b.append("static int m" + i + "(int x) { int s = x; for (int i = 0; i < 3; i++) s = s * " + factor + " + i; return s; }\n");
        return b + "}";
    }
    /** Twenty classes, compiled into a folder. */
    static File many(String name, int factor) throws IOException {
        File dir = new File(System.getProperty("scratch"), name);
        dir.mkdirs();
        List<String> words = new ArrayList<>(List.of("-d", dir.getPath()));
        for (int k = 0; k < 20; k++) {
            File f = new File(dir, "Many" + k + ".java");
            try (Writer w = new FileWriter(f)) { w.write(source(k, factor)); }
            words.add(f.getPath());
        }
        if (javax.tools.ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(new String[0])) != 0) throw new IOException("javac");
        return dir;
    }
    /** How long a thread stands still at most while one of the classes, which have 10,000 compiled methods, becomes another version and back: median. */
    static double pause() throws Exception {
        File[] versions = {many("old", 31), many("new", 37)};
        try (java.net.URLClassLoader in = new java.net.URLClassLoader(new java.net.URL[] {versions[0].toURI().toURL()})) {
            Method[] all = new Method[20];
            for (int k = 0; k < 20; k++) all[k] = in.loadClass("Many" + k).getMethod("all", int.class);
            for (int i = 0; i < 6000; i++) for (Method m : all) m.invoke(null, i);
            Thread.sleep(2000);
            Class<?> c = all[7].getDeclaringClass();
            double[] seen = new double[15];
            for (int i = 0; i < seen.length; i++) {
                byte[] b = java.nio.file.Files.readAllBytes(new File(versions[(i + 1) % 2], c.getName() + ".class").toPath());
                int before = (int) all[7].invoke(null, 5);
                seen[i] = standing(c, b);
                if ((int) all[7].invoke(null, 5) == before) throw new IOException("nothing changed");
            }
            Arrays.sort(seen);
            return seen[seen.length / 2];
        }
    }
    static double standing(Class<?> c, byte[] b) throws Exception {
        stop = false;
        Thread t = new Thread(() -> {
            for (long last = System.nanoTime(); !stop;) { long now = System.nanoTime(); if (now - last > worst) worst = now - last; last = now; }
        });
        t.start();
        Thread.sleep(20);
        worst = 0;
        if (redefine(c, b) != 0) throw new IOException("redefine");
        Thread.sleep(5); /* it may have stood in front of the test of `stop` */
        stop = true;
        t.join();
        return worst / 1e6;
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0) { kernels(); return; }
        System.load(System.getProperty("agent"));
        int n = 1000000;
        java.lang.reflect.Field f = Looking.class.getDeclaredField("watched");
        double plain = warm(Looking::fields, n);
        watch(Looking.class, f);
        tell("watch set, other fields", warm(Looking::fields, n) / plain);
        unwatch(Looking.class, f);
        Method hot = Looking.class.getDeclaredMethod("hot", int.class), cold = Looking.class.getDeclaredMethod("cold", int.class);
        plain = warm(Looking::hot, n);
        int line = lineOf("s ^= i <" + "< 3");
        if (breakpoint(hot, line, 0, true) != 1) throw new IOException("no breakpoint");
        long before = count();
        double hit = warm(Looking::hot, n / 10);
        if (count() == before) throw new IOException("no event");
        tell("breakpoint hit each turn", hit / plain);
        breakpoint(hot, line, 0, false);
        tell("ns a hit", hit - plain);
        int many = breakpoint(cold, 0, 3, true);
        if (many < 1000) throw new IOException(many + " breakpoints");
        tell("1,000 breakpoints elsewhere", warm(Looking::hot, n) / plain);
        breakpoint(cold, 0, 3, false);
        Thread t = stepped();
        plain = warm(Looking::calls, n);
        step(t, true);
        tell("another thread stepped", warm(Looking::calls, n) / plain);
        step(t, false);
        stop = true;
        tell("pause of a redefinition, ms", pause());
    }
}
