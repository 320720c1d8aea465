// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.lang.invoke.*;
import java.lang.ref.*;
import java.lang.reflect.*;
import java.nio.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;
import java.util.zip.*;

/**
 * Soak SECONDS: a bit of everything at once for as long as wished: collections of all kinds with a checked content, text, streams,
 * executors, short threads, exceptions, references, direct buffers, compression, serialization, classes that come and go.
 * The least resident memory of the last third must be that of the first third: the collector gives pages back and takes
 * them again, so single samples tell how full the heap is; what leaks is in all of them.
 */
public class Soak {
    static final AtomicReference<Throwable> failure = new AtomicReference<>();
    static volatile boolean over;

    interface Job { void run(Random r) throws Throwable; }

    static void check(boolean ok, String what) { if (!ok) throw new IllegalStateException(what); }

    /** A map against a model of two arrays. */
    static void maps(Random r) {
        Map<Integer, String> m = r.nextBoolean() ? new HashMap<>() : new TreeMap<>();
        String[] model = new String[500];
        for (int i = 0; i < 4000; i++) {
            int k = r.nextInt(model.length);
            if (r.nextInt(3) == 0) { check(Objects.equals(m.remove(k), model[k]), "remove"); model[k] = null; }
            else { String v = "v" + i; check(Objects.equals(m.put(k, v), model[k]), "put"); model[k] = v; }
        }
        for (int k = 0; k < model.length; k++) check(Objects.equals(m.get(k), model[k]), "get");
    }

    static void text(Random r) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 300; i++) b.append(r.nextInt(1000)).append(i % 7 == 0 ? "\u20ac," : ",");
        String s = b.toString();
        check(String.join(",", s.split(",")).concat(",").equals(s), "split and join");
        check(s.replace("\u20ac", "").chars().filter(c -> c == ',').count() == 300, "chars");
        check(String.format("%08d|%s", 42, s.length()).startsWith("00000042|"), "format");
    }

    static void streams(Random r) {
        int n = 1000 + r.nextInt(1000);
        Map<Integer, Long> g = IntStream.range(0, n).boxed().collect(Collectors.groupingBy(x -> x % 7, Collectors.counting()));
        check(g.values().stream().mapToLong(x -> x).sum() == n, "grouping");
        check(IntStream.range(0, n).parallel().mapToLong(x -> x).sum() == (long) n * (n - 1) / 2, "parallel sum");
    }

    static final ExecutorService POOL = Executors.newFixedThreadPool(4, x -> { Thread t = new Thread(x); t.setDaemon(true); return t; });
    static void executors(Random r) throws Exception {
        List<Future<Integer>> l = new ArrayList<>();
        for (int i = 0; i < 20; i++) { int k = i; l.add(POOL.submit(() -> k * k)); }
        int sum = 0;
        for (Future<Integer> f : l) sum += f.get();
        check(sum == 2470, "futures");
        Thread t = new Thread(() -> { ThreadLocal<byte[]> x = ThreadLocal.withInitial(() -> new byte[100]); x.get()[1] = 1; });
        t.start();
        t.join();
    }

    static int depth(int n) { return n == 0 ? Integer.parseInt("x") : depth(n - 1) + 1; }
    static void exceptions(Random r) {
        for (int i = 0; i < 50; i++)
            try { depth(r.nextInt(60)); check(false, "no exception"); }
            catch (NumberFormatException e) { check(e.getStackTrace().length > 3, "trace"); }
        try { overflow(); check(false, "no overflow"); } catch (StackOverflowError e) { check(true, ""); }
    }
    static int overflow() { return overflow() + 1; }

    static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
    static final Cleaner CLEANER = Cleaner.create();
    static void references(Random r) {
        List<Reference<?>> l = new ArrayList<>();
        Object held = new Object();
        for (int i = 0; i < 100; i++) { l.add(new WeakReference<>(new byte[50], QUEUE)); l.add(new SoftReference<>(new byte[50])); }
        WeakReference<Object> w = new WeakReference<>(held);
        CLEANER.register(new Object(), () -> {});
        Map<Object, Integer> wm = new WeakHashMap<>();
        for (int i = 0; i < 100; i++) wm.put(new Object(), i);
        while (QUEUE.poll() != null);
        check(w.get() == held, "weak");
        Reference.reachabilityFence(held);
    }

    static void buffers(Random r) throws Exception {
        ByteBuffer b = ByteBuffer.allocateDirect(1 << 16);
        for (int i = 0; i < 1000; i++) b.putInt(i);
        b.flip();
        long sum = 0;
        while (b.hasRemaining()) sum += b.getInt();
        check(sum == 499500, "direct buffer");
        byte[] data = new byte[20_000];
        for (int i = 0; i < data.length; i++) data[i] = (byte) (i / 100);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream z = new GZIPOutputStream(out)) { z.write(data); }
        try (GZIPInputStream z = new GZIPInputStream(new ByteArrayInputStream(out.toByteArray()))) { check(Arrays.equals(z.readAllBytes(), data), "gzip"); }
    }

    static void objects(Random r) throws Exception {
        ArrayList<Object> l = new ArrayList<>(List.of("a", 1, 2L, new int[] {1, 2}, new Date(5)));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ObjectOutputStream o = new ObjectOutputStream(out)) { o.writeObject(l); }
        try (ObjectInputStream i = new ObjectInputStream(new ByteArrayInputStream(out.toByteArray()))) { check(((List<?>) i.readObject()).size() == 5, "serialization"); }
        byte[][] big = new byte[3][];
        for (int i = 0; i < big.length; i++) { big[i] = new byte[200_000 + r.nextInt(800_000)]; big[i][big[i].length - 1] = 1; }
    }

    public static class Guest implements Callable<Integer> { static int n; public Integer call() { Supplier3 s = () -> ++n; return s.get(); } }
    public interface Supplier3 { int get(); }
    static byte[] guest;
    static final class Own extends ClassLoader {
        Own() { super(Soak.class.getClassLoader()); }
        @Override public Class<?> loadClass(String n, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(n)) {
                Class<?> c = findLoadedClass(n);
                if (c == null && n.equals("Soak$Guest")) c = defineClass(n, guest, 0, guest.length);
                return c != null ? c : super.loadClass(n, resolve);
            }
        }
    }
    static void classes(Random r) throws Throwable {
        for (int i = 0; i < 5; i++) {
            Class<?> c = new Own().loadClass("Soak$Guest");
            Object o = c.getConstructor().newInstance();
            check((Integer) c.getMethod("call").invoke(o) == 1, "class of another loader");
        }
        MethodHandle h = MethodHandles.lookup().findStatic(Math.class, "max", MethodType.methodType(int.class, int.class, int.class));
        check((int) MethodHandles.insertArguments(h, 0, 5).invoke(3) == 5, "method handle");
    }

    static final Map<String, Job> JOBS = new LinkedHashMap<>();
    static {
        JOBS.put("maps", Soak::maps); JOBS.put("text", Soak::text); JOBS.put("streams", Soak::streams); JOBS.put("executors", Soak::executors);
        JOBS.put("exceptions", Soak::exceptions); JOBS.put("references", Soak::references); JOBS.put("buffers", Soak::buffers);
        JOBS.put("objects", Soak::objects); JOBS.put("classes", Soak::classes);
    }

    static long residentKb() throws IOException {
        for (String l : Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1))
            if (l.startsWith("VmRSS")) return Long.parseLong(l.replaceAll("[^0-9]", ""));
        throw new Error();
    }

    public static void main(String[] args) throws Exception {
        double seconds = Double.parseDouble(args[0]);
        try (InputStream in = Soak.class.getResourceAsStream("Soak$Guest.class")) { guest = in.readAllBytes(); }
        long start = System.nanoTime(), span = (long) (seconds * 1e9);
        AtomicLong rounds = new AtomicLong();
        Thread[] ts = new Thread[3];
        for (int i = 0; i < ts.length; i++) {
            Random r = new Random(i);
            ts[i] = new Thread(() -> {
                List<Map.Entry<String, Job>> jobs = new ArrayList<>(JOBS.entrySet());
                while (!over && failure.get() == null) {
                    Map.Entry<String, Job> j = jobs.get(r.nextInt(jobs.size()));
                    try { j.getValue().run(r); } catch (Throwable e) { failure.compareAndSet(null, new Error(j.getKey(), e)); }
                    rounds.incrementAndGet();
                }
            });
            ts[i].start();
        }
        long first = Long.MAX_VALUE, last = Long.MAX_VALUE, next = span / 20;
        while (System.nanoTime() - start < span && failure.get() == null) {
            Thread.sleep(20);
            long at = System.nanoTime() - start;
            if (at < next) continue;
            next += span / 20;
            long kb = residentKb();
            if (at < span / 3) first = Math.min(first, kb);
            else if (at > span * 2 / 3) last = Math.min(last, kb);
            if (args.length > 1) System.err.printf("%6.1f s %8d KB %8d rounds%n", at / 1e9, kb, rounds.get());
        }
        over = true;
        for (Thread t : ts) t.join();
        if (failure.get() != null) { failure.get().printStackTrace(); System.exit(1); }
        System.out.println(rounds.get() > JOBS.size() ? "all right" : "rounds: " + rounds);
        /* short runs only warm up */
        System.out.println(seconds < 60 || last < first + first / 10 + 8192 ? "flat" : "grew from " + first + " to " + last + " KB");
    }
}
