// SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.atomic.*;

/**
 * Real programs run in loops while their classes are edited at random, one to twenty at a time, without changing what they mean.
 *
 *     results                       what the programs answer, as the unedited classes have it (any VM)
 *     storm SECONDS SEED [v]        with -XX:+EnhancedRedefinition and -agentpath:agent_edits
 *
 * MODEL. A round of a program always has the same answer. Members that are added have values that are known wherever added
 * code reads them. Whatever the manual of redefinition allows must be accepted. What takes something away is done while the program
 * stands between two rounds, because old code that still runs may find it missing; everything else is done while it runs. In the
 * end every class gets the bytes that it was loaded with, and must be what it was.
 */
public class EditStorm {
    public interface Marker { }
    public interface Extra { default int extraOfTheStorm() { return 17; } }

    static native String redefine(Class<?>[] classes, byte[][] files, boolean dry); // null, or error and reason
    static native String undo(Class<?>[] classes);
    static native String report();
    static synchronized native byte[][] bytesOf(Class<?>[] c);
    static native long allocatedKb();
    static native Class<?>[] loaded();
    static synchronized native Object[] instances(Class<?> c);

    // ---- what the added code calls ----

    static final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    static final AtomicLong checks = new AtomicLong(), rounds = new AtomicLong(), batches = new AtomicLong();
    static final ThreadLocal<int[]> depth = ThreadLocal.withInitial(() -> new int[1]);
    static void fail(String what) {
        if (wrong.size() > 20) return;
        wrong.add(what);
        System.err.println("WRONG " + what);
        new Throwable().printStackTrace();
    }
    static void want(boolean ok, Object got, Object expected) {
        checks.incrementAndGet();
        if (!ok) fail("value " + got + ", not " + expected);
    }
    public static void same(int a, int b) { want(a == b, a, b); }
    public static void same(long a, long b) { want(a == b, a, b); }
    public static void same(float a, float b) { want(a == b, a, b); }
    public static void same(double a, double b) { want(a == b, a, b); }
    public static void same(String a, String b) { want(b.equals(a), a, b); }
    /** Initialisers that are code run behind the pause. */
    public static void sameOrNone(int a, int b) { want(a == b || a == 0, a, b); }
    public static void sameOrNone(long a, long b) { want(a == b || a == 0, a, b); }
    public static void sameOrNone(float a, float b) { want(a == b || a == 0, a, b); }
    public static void sameOrNone(double a, double b) { want(a == b || a == 0, a, b); }
    public static void sameOrNone(String a, String b) { want(a == null || a.equals(b), a, b); }
    /** An object's own value stays with it. */
    public static int next(Object self, int old) {
        int mine = System.identityHashCode(self);
        want(old == 0 || old == mine, old, mine);
        return mine;
    }
    public static Object next(Object self, Object old) {
        want(old == null || old == self, old == null ? null : old.getClass(), self.getClass());
        return self;
    }
    public static void list(ArrayList<Object> l) { want(l == null || l.isEmpty(), l, "[]"); }
    public static void list(Object self, ArrayList<Object> l) {
        if (l == null) return;
        synchronized (l) {
            if (l.isEmpty()) l.add(System.identityHashCode(self));
            else want(l.size() == 1 && (Integer) l.get(0) == System.identityHashCode(self), l.size(), "a list of its own");
        }
    }
    public static void enter() { depth.get()[0]++; }
    public static void leave() { depth.get()[0]--; }

    // ---- programs that come and go ----

    /** The JavaScript engine, once more. */
    static final class Own extends URLClassLoader {
        Own(URL[] path) { super(path, EditStorm.class.getClassLoader()); }
        @Override protected Class<?> loadClass(String n, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(n)) {
                Class<?> c = findLoadedClass(n);
                if (c == null && (n.startsWith("org.mozilla.") || n.startsWith("Programs"))) c = findClass(n);
                return c != null ? c : super.loadClass(n, resolve);
            }
        }
        @Override public URL getResource(String n) { return n.startsWith("org/mozilla/") ? findResource(n) : super.getResource(n); }
    }
    static final List<WeakReference<ClassLoader>> generations = Collections.synchronizedList(new ArrayList<>());
    static final Set<String> scripts = Collections.synchronizedSet(new TreeSet<>()); // what all generations answered
    static volatile boolean over;

    static void generation(long seed, long nanos) throws Throwable {
        List<URL> path = new ArrayList<>();
        for (String p : System.getProperty("java.class.path").split(File.pathSeparator)) path.add(new File(p).toURI().toURL());
        try (Own own = new Own(path.toArray(new URL[0]))) {
            generations.add(new WeakReference<>(own));
            long start = System.nanoTime();
            Storm storm = new Storm(own, "org[.]mozilla[.]javascript[.].*", seed, "scripts");
            scripts.add(Storm.sum(storm.workers.get(0).answer));
            storm.run(() -> over || System.nanoTime() - start > nanos);
        }
    }
    static final class Generations extends Thread {
        final long seed, nanos;
        Generations(long seed, long nanos) {
            super("generations");
            this.seed = seed;
            this.nanos = nanos;
        }
        @Override public void run() {
            for (int i = 0; !over && wrong.isEmpty(); i++) {
                try {
                    generation(seed + i, nanos);
                } catch (Throwable e) {
                    e.printStackTrace();
                    fail("generation " + i + ": " + e);
                }
            }
        }
    }
    static int livingGenerations() {
        int n = 0;
        for (WeakReference<ClassLoader> g : generations) if (g.get() != null) n++;
        return n;
    }

    // ---- memory ----

    /** Resident memory outside the Java heap, which lies below 32 GB (references have 32 bits) and is touched as collections happen to come. */
    static long residentKb() throws Exception {
        long kb = 0, from = 0;
        for (String l : Files.readAllLines(Path.of("/proc/self/smaps"), StandardCharsets.ISO_8859_1))
            if (l.matches("[0-9a-f]+-.*")) from = Long.parseUnsignedLong(l.substring(0, l.indexOf('-')), 16);
            else if (l.startsWith("Rss:") && Long.compareUnsigned(from, 1L << 35) >= 0) kb += Long.parseLong(l.replaceAll("[^0-9]", ""));
        return kb;
    }
    static long usedKb() {
        System.gc();
        return java.lang.management.ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 10;
    }

    /** The least of the time in which a program has warmed up, and of the last third. */
    static final class Level {
        final String name;
        final double factor;
        final long tolerance;
        long first = Long.MAX_VALUE, last = Long.MAX_VALUE;
        Level(String name, double factor, long tolerance) {
            this.name = name;
            this.factor = factor;
            this.tolerance = tolerance;
        }
        void see(double part, long now) {
            if (part > 1 / 6.0 && part < 1 / 3.0) first = Math.min(first, now);
            else if (part > 2 / 3.0) last = Math.min(last, now);
        }
        boolean grew() { return last > first * factor + tolerance; }
        @Override public String toString() { return name + " " + first + " -> " + last; }
    }
    /** What is resident depends on how the C library's arenas happen to be split, so a leak is looked for in what it has handed out. */
    static final Level allocated = new Level("allocated KB", 1.1, 8192), resident = new Level("resident KB", 1.5, 32768), heap = new Level("heap KB", 1.1, 8192),
        classes = new Level("classes", 1.1, 400);
    static final List<Level> levels = List.of(allocated, resident, heap, classes);

    static void watch(double part, boolean say) throws Exception {
        long used = usedKb(), kb = residentKb(), malloced = allocatedKb(), n = loaded().length;
        allocated.see(part, malloced);
        resident.see(part, kb);
        heap.see(part, used);
        classes.see(part, n);
        if (say)
            System.err.printf("%5.1f %% %7d KB resident %7d KB allocated %6d KB heap %6d classes %7d edits %8d rounds %10d checks; %d of %d generations; %s%n", part * 100, kb, malloced, used, n, batches.get(), rounds.get(),
                checks.get(), livingGenerations(), generations.size(), report());
    }

    public static void main(String[] args) throws Throwable {
        if (args[0].equals("results")) {
            for (String n : Programs.NAMES) System.out.println(n + " " + Storm.sum(Programs.byName(n).call()));
            return;
        }
        double seconds = Double.parseDouble(args[1]);
        long seed = Long.parseLong(args[2]), span = (long) (seconds * 1e9);
        boolean say = args.length > 3;
        Storm.keep = System.getProperty("edits.keep") == null ? null : Path.of(System.getProperty("edits.keep"));
        System.err.println("seed " + seed);
        Storm database = new Storm(EditStorm.class.getClassLoader(), "org[.]h2[.].*", seed, "fresh", "kept");
        System.err.println(database.m.list.size() + " classes");
        Generations generations = new Generations(seed, Math.min(30_000_000_000L, span / 3));
        generations.start();
        long start = System.nanoTime();
        long[] next = {0};
        database.run(() -> {
            long at = System.nanoTime() - start;
            if (at >= next[0])
                try {
                    watch(at / (double) span, say);
                    next[0] += span / 40;
                } catch (Exception e) {
                    fail("watch: " + e);
                }
            return at > span && batches.get() > 30; // however slow the machine is
        });
        over = true;
        generations.join();
        for (int i = 0; i < 20 && livingGenerations() > 1; i++) {
            System.gc();
            Thread.sleep(20);
        }
        System.err.println("accepted " + Storm.accepted + "\nrefused " + Storm.refused + "\n" + batches + " batches, " + rounds + " rounds, " + checks + " checks, "
            + levels + ", " + livingGenerations() + " of " + EditStorm.generations.size() + " generations live, seed " + seed);
        if (!wrong.isEmpty()) {
            System.out.println("wrong: " + wrong.get(0));
            System.exit(1);
        }
        for (Storm.Worker w : database.workers) System.out.println(w.getName() + " " + Storm.sum(w.answer));
        System.out.println("scripts " + String.join(" ", scripts));
        System.out.println(batches.get() > 10 && Storm.accepted.size() > 5 && rounds.get() > 5 && checks.get() > 100 ? "edits right" : "too few: " + batches + " " + Storm.accepted);
        System.out.println(seconds < 900 || levels.stream().noneMatch(Level::grew) ? "flat" : "grew: " + levels);
        System.out.println(livingGenerations() <= 1 + EditStorm.generations.size() / 10 ? "unloaded" : livingGenerations() + " of " + EditStorm.generations.size() + " generations live");
        System.exit(0);
    }
}
