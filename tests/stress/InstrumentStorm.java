// SPDX-License-Identifier: Apache-2.0
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Instrument, change, remove, again and again, while threads run the classes.
 *
 *     compile DIR            two versions of CLASSES classes to DIR/1 and DIR/2 (reference JDK)
 *     run DIR ROUNDS [USED]  with -agentpath:agent_storm and DIR/1 on the class path
 *
 * MODEL. What a class computes from a seed is the same in both versions, except that each method of the second adds MARK
 * to what it returns. While both are at work a result modulo MARK must be right, and the marks must not be more
 * than the second version has. The agent's probes count each method in and out, per thread: between two calls
 * the balance is zero, whatever was instrumented or removed meanwhile. The agent compares the bytes that
 * its hook gets in a retransformation with those that were loaded or redefined. In the end all is
 * as at load: results, bytes, no probe; and the classes of the lambdas that all those versions linked are gone.
 */
public class InstrumentStorm {
    static final int CLASSES = 200;
    static int used = CLASSES; // fewer where everything is slow
    static final int THREADS = 8, SEEDS = 16, MARK = 1_000_000;

    static native void retransform(Class<?>[] classes);
    static native void redefine(Class<?>[] classes, byte[][] files);
    static native void instrument(boolean on);
    static native long strangeBytes(); // hook calls that saw others than expected
    static native long probes();       // methods instrumented so far
    static native int loadedClasses();

    // ---- the classes ----

    static String source(int i, int version) {
        String m = version == 1 ? "" : " + " + MARK, name = "S" + i, base = i % 10 == 0 ? "Object" : "S" + (i - 1);
        return "public class " + name + " extends " + base + " implements Part {\n"
            + "  private int own = " + i + ";\n"
            + "  public static int run(int s) { " + name + " x = new " + name + "(); return x.virt(s) + loop(s) + choose(s) + x.sync(s)"
            + "    + caught(s) + lambda(s) + text(s) + deep(5, s) + x.part(s)" + m + "; }\n"
            + "  public int virt(int s) { return s % 13 + own" + (base.equals("Object") ? "" : " + super.virt(s)") + m + "; }\n"
            + "  static int loop(int s) { int r = 0; for (int k = s == 15 ? 2000 : 5; k > 0; k--) r += small(k) % 7; return r % 1000" + m + "; }\n"
            + "  private static int small(int k) { return k * k" + (version == 1 ? "" : " + 0") + "; }\n"
            + "  static int choose(int s) { switch (s % 5) { case 0: return 3" + m + "; case 3: return 8" + m + "; default: return 1" + m + "; } }\n"
            + "  synchronized int sync(int s) { synchronized (" + name + ".class) { return s + own" + m + "; } }\n"
            + "  static int caught(int s) { int r = 0; try { fail(s); } catch (IllegalStateException e) { r = 5; } finally { r += s % 3; } return r" + m + "; }\n"
            + "  static void fail(int s) { if (s % 2 == 0) throw new IllegalStateException(); }\n"
            + "  static int lambda(int s) { java.util.function.IntUnaryOperator f = k -> k + s; return f.applyAsInt(" + i + ")" + m + "; }\n"
            + "  static int text(int s) { return (\"a\" + s + '-' + " + i + ").length()" + m + "; }\n"
            + "  static int deep(int n, int s) { return n == 0 ? s % 4" + m + " : deep(n - 1, s); }\n"
            + "}\n";
    }
    static String part(int version) {
        return "public interface Part { int virt(int s); default int part(int s) { return virt(s) % 5 + 1" + (version == 1 ? "" : " + " + MARK) + "; } }\n";
    }

    static void compile(Path dir, int version) throws IOException {
        List<JavaFileObject> sources = new ArrayList<>();
        for (int i = 0; i <= CLASSES; i++) {
            String text = i == CLASSES ? part(version) : source(i, version);
            sources.add(new SimpleJavaFileObject(URI.create("mem:///" + (i == CLASSES ? "Part" : "S" + i) + ".java"), JavaFileObject.Kind.SOURCE) {
                @Override public CharSequence getCharContent(boolean ignore) { return text; }
            });
        }
        Files.createDirectories(dir);
        if (!ToolProvider.getSystemJavaCompiler().getTask(null, null, null, List.of("-nowarn", "-d", dir.toString()), null, sources).call())
            System.exit(1);
    }

    // ---- the threads that run them ----

    /** Called by the probes. */
    public static void enter() { if (Thread.currentThread() instanceof Worker) ((Worker) Thread.currentThread()).depth++; }
    public static void leave() { if (Thread.currentThread() instanceof Worker) ((Worker) Thread.currentThread()).depth--; }

    static final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    static volatile boolean stop;
    static Class<?>[] classes = new Class<?>[CLASSES + 1];
    static Method[] runs = new Method[CLASSES];
    static int[][] expected = new int[CLASSES][SEEDS], marks = new int[CLASSES][SEEDS];
    static byte[][][] files = new byte[3][CLASSES + 1][];

    interface Run { int run(int seed); }
    static final class Worker extends Thread {
        int depth;
        long calls;
        final Random random;

        Worker(int n) { random = new Random(n); }

        @Override public void run() {
            try {
                while (!stop && wrong.size() < 10) {
                    int i = random.nextInt(used), seed = random.nextInt(SEEDS);
                    int r = (Integer) runs[i].invoke(null, seed);
                    if (r % MARK != expected[i][seed] || r / MARK > marks[i][seed]) wrong.add("S" + i + "(" + seed + ") = " + r);
                    if (depth != 0) wrong.add("S" + i + "(" + seed + ") leaves a balance of " + depth);
                    calls++;
                }
            } catch (Throwable t) {
                wrong.add((t.getCause() == null ? t : t.getCause()).toString());
                t.printStackTrace();
            }
        }
    }

    /** All classes, in batches of any size. */
    static void each(Random random, int version) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i <= CLASSES; i++)
            if (i < used || i == CLASSES) order.add(i);
        Collections.shuffle(order, random);
        for (int from = 0, to; from <= used; from = to) {
            to = Math.min(used + 1, from + 1 + random.nextInt(used));
            Class<?>[] some = new Class<?>[to - from];
            byte[][] bytes = new byte[to - from][];
            for (int k = from; k < to; k++) {
                some[k - from] = classes[order.get(k)];
                bytes[k - from] = files[version][order.get(k)];
            }
            if (version == 0) retransform(some);
            else redefine(some, bytes);
        }
    }

    static void exact(String when, boolean second) throws Exception {
        for (int i = 0; i < used; i++)
            for (int seed = 0; seed < SEEDS; seed++) {
                int r = (Integer) runs[i].invoke(null, seed), want = expected[i][seed] + (second ? marks[i][seed] * MARK : 0);
                if (r != want) wrong.add(when + ": S" + i + "(" + seed + ") = " + r + ", not " + want);
            }
    }

    static void load(Path dir) throws Exception {
        for (int i = 0; i <= CLASSES; i++) {
            if (i >= used && i < CLASSES) continue;
            String name = i == CLASSES ? "Part" : "S" + i;
            classes[i] = Class.forName(name);
            for (int v = 1; v <= 2; v++) files[v][i] = Files.readAllBytes(dir.resolve(v + "/" + name + ".class"));
            if (i < CLASSES) runs[i] = classes[i].getMethod("run", int.class);
        }
        Random random = new Random(1);
        for (int v = 1; v <= 2; v++) {
            if (v == 2) each(random, 2);
            for (int i = 0; i < used; i++)
                for (int seed = 0; seed < SEEDS; seed++) {
                    int r = (Integer) runs[i].invoke(null, seed);
                    if (v == 1) expected[i][seed] = r;
                    else marks[i][seed] = r / MARK;
                }
        }
        each(random, 1);
        exact("before", false);
    }

    public static void main(String[] args) throws Exception {
        Path dir = Path.of(args[1]);
        if (args[0].equals("compile")) {
            for (int v = 1; v <= 2; v++) compile(dir.resolve("" + v), v);
            return;
        }
        if (args.length > 3 && args[3].matches("[0-9]+")) used = Integer.parseInt(args[3]);
        load(dir);
        System.gc();
        int rounds = Integer.parseInt(args[2]), loaded = loadedClasses();
        Worker[] workers = new Worker[THREADS];
        for (int i = 0; i < THREADS; i++) (workers[i] = new Worker(i)).start();
        Random random = new Random(2);
        for (int i = 0; i < rounds && wrong.isEmpty(); i++) {
            instrument(true);
            each(random, 0);
            each(random, 2);
            instrument(false);
            each(random, 0);
            each(random, 1);
            if (i % 50 == 49) System.err.println(i + 1 + " rounds");
        }
        stop = true;
        long calls = 0;
        for (Worker w : workers) {
            w.join();
            calls += w.calls;
        }
        long probes = probes();
        exact("end", false);
        each(random, 0);
        exact("bytes of the end", false);
        System.gc();
        System.gc();
        System.err.println(calls + " calls, " + probes + " methods instrumented, classes " + loaded + " -> " + loadedClasses());
        wrong.forEach(System.out::println);
        System.out.println("results " + (wrong.isEmpty() ? "right" : "wrong"));
        System.out.println("bytes " + (strangeBytes() == 0 ? "as given" : strangeBytes() + " times strange"));
        System.out.println("probes " + (probes >= rounds * 2L * used * 12 && probes == probes() ? "came and went" : "missing: " + probes));
        /* what versions that garbage stack traces still name hold on to is bounded, not small */
        System.out.println("classes " + (loadedClasses() < loaded + 100 * CLASSES ? "flat" : loaded + " -> " + loadedClasses()));
    }
}
