// SPDX-License-Identifier: Apache-2.0
package exhaust;

import java.lang.instrument.*;
import java.lang.invoke.*;
import java.lang.management.*;
import java.lang.ref.*;
import java.lang.reflect.*;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.ProtectionDomain;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/**
 * Operations of one running VM, each again and again while its first, second, third ... request for memory fails (exhaust.c is
 * preloaded and lies in -Dexhaust.lib), until none does.
 *
 *     Exhaust one|all OPERATION,... STRIDE FIRST      all: every request from the Nth on fails until the operation has ended
 *     Exhaust one list 1 1                            the operations
 *
 * An operation gives what it gives with memory, or ends with an OutOfMemoryError (or answers that there is no memory); afterwards,
 * with memory, it must work. Prints "OPERATION: N attempts, ..."; exit code 1 after something else.
 */
public final class Exhaust {
    static native void arm(long nth, boolean all, boolean thisThread);
    static native int disarm();
    static native long counted();
    static native String site(int i);

    /** One of JVM TI or JNI, of agent_exhaust.c: "NONE", "OUT_OF_MEMORY", or what is wrong. */
    static native String ti(int operation);
    static native String tiName(int operation);

    interface Operation { String run() throws Throwable; }
    static final Map<String, Operation> OPERATIONS = new LinkedHashMap<>();
    /** Those in which other threads do the work. */
    static final Set<String> OF_OTHERS = Set.of("threads", "attach", "executors");

    static Instrumentation inst;
    public static void premain(String options, Instrumentation i) { inst = i; }

    // ---- classes ----

    static final Map<String, byte[]> FAMILY = new TreeMap<>();
    static final class Loader extends ClassLoader {
        Loader() { super(Exhaust.class.getClassLoader()); }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("exhaust.family.")) return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                Class<?> c = findLoadedClass(name);
                byte[] b = FAMILY.get(name);
                if (b == null) throw new ClassNotFoundException(name);
                return c != null ? c : defineClass(name, b, 0, b.length);
            }
        }
    }
    static String family(ClassLoader l) throws Throwable {
        Class<?> c = l.loadClass("exhaust.family.Main");
        return call(c, "run");
    }

    static String call(Class<?> c, String method) throws Throwable {
        Method m = c.getDeclaredMethod(method);
        m.setAccessible(true);
        try {
            return (String) m.invoke(null);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    static WeakReference<ClassLoader> unloading() throws Throwable {
        ClassLoader l = new Loader();
        family(l);
        return new WeakReference<>(l);
    }

    static String hidden() throws Throwable {
        byte[] b = FAMILY.get("exhaust.family.Hidden");
        MethodHandles.Lookup own = MethodHandles.lookup();
        byte[] here = rename(b);
        Class<?> c = own.defineHiddenClass(here, true).lookupClass();
        return call(c, "say") + c.getName().replaceAll("/.*", "");
    }
    /** Of the same length: exhaust.family.Hidden -> exhaust/family_Hidden. */
    static byte[] rename(byte[] b) {
        String s = new String(b, StandardCharsets.ISO_8859_1);
        return s.replace("exhaust/family/Hidden", "exhaust/family_Hidden").getBytes(StandardCharsets.ISO_8859_1);
    }

    static String reflection() throws Throwable {
        ClassLoader l = new Loader();
        Class<?> c = l.loadClass("exhaust.family.Shape");
        StringBuilder s = new StringBuilder();
        for (Method m : sorted(c.getDeclaredMethods())) s.append(m.toGenericString()).append(Arrays.toString(m.getAnnotations())).append('\n');
        for (Field f : c.getDeclaredFields()) s.append(f.toGenericString()).append('\n');
        for (Constructor<?> k : c.getDeclaredConstructors()) s.append(k.toGenericString()).append('\n');
        Class<?> d = l.loadClass("exhaust.family.Circle");
        Constructor<?> make = d.getDeclaredConstructor(double.class);
        Method area = d.getMethod("area");
        make.setAccessible(true);
        area.setAccessible(true);
        Object o = make.newInstance(2.0);
        double sum = 0;
        for (int i = 0; i < 20; i++) sum += (Double) area.invoke(o); // inflates
        s.append(sum).append(Arrays.toString(d.getRecordComponents())).append(Arrays.toString(c.getPermittedSubclasses()));
        return s.append(Modifier.toString(d.getModifiers())).append(d.getPackage()).toString();
    }
    static Method[] sorted(Method[] v) {
        Arrays.sort(v, Comparator.comparing(Method::toString));
        return v;
    }

    static String handles() throws Throwable {
        ClassLoader l = new Loader();
        Class<?> c = l.loadClass("exhaust.family.Circle");
        MethodHandles.Lookup k = MethodHandles.privateLookupIn(c, MethodHandles.lookup());
        MethodHandle make = k.findConstructor(c, MethodType.methodType(void.class, double.class));
        MethodHandle area = k.findVirtual(c, "area", MethodType.methodType(double.class));
        MethodHandle both = MethodHandles.filterReturnValue(make, area.asType(MethodType.methodType(double.class, c)));
        Object r = both.invoke(3.0);
        MethodHandle spread = MethodHandles.insertArguments(k.findStatic(String.class, "format",
            MethodType.methodType(String.class, String.class, Object[].class)), 0, "%s-%s").asCollector(Object[].class, 2);
        return r + (String) spread.invoke((Object) "a", (Object) 1L);
    }

    static String proxies() {
        Loader l = new Loader();
        Object p = Proxy.newProxyInstance(l, new Class<?>[] {Runnable.class, Comparable.class, CharSequence.class},
            (o, m, a) -> m.getName().equals("length") ? 7 : m.getName().equals("compareTo") ? (Object) 3 : null);
        ((Runnable) p).run();
        return "" + ((CharSequence) p).length() + ((Comparable<?>) p).compareTo(null);
    }

    static String modules() throws Throwable {
        java.lang.module.ModuleFinder f = java.lang.module.ModuleFinder.of(Path.of(System.getProperty("exhaust.module")));
        java.lang.module.Configuration c = ModuleLayer.boot().configuration().resolve(f, java.lang.module.ModuleFinder.of(), Set.of("exhaust.mod"));
        ModuleLayer layer = ModuleLayer.boot().defineModulesWithOneLoader(c, ClassLoader.getSystemClassLoader());
        Module m = layer.findModule("exhaust.mod").get();
        Class<?> k = layer.findLoader("exhaust.mod").loadClass("mod.In");
        return m + " " + m.isExported("mod") + k.getMethod("say").invoke(null) + m.canRead(Object.class.getModule());
    }

    // ---- threads ----

    static String threads() throws Throwable {
        AtomicInteger ran = new AtomicInteger();
        Thread[] v = new Thread[4];
        int started = 0;
        Throwable failed = null;
        for (int i = 0; i < v.length; i++) {
            v[i] = new Thread(() -> {
                synchronized (ran) { ran.incrementAndGet(); }
            }, "worker " + i);
            v[i].setDaemon(true);
            v[i].setUncaughtExceptionHandler((t, e) -> { if (isOom(e)) ran.incrementAndGet(); });
            try {
                v[i].start();
                started++;
            } catch (OutOfMemoryError e) {
                if (e.getMessage() != null && e.getMessage().contains("native thread") && v[i].getState() != Thread.State.NEW)
                    throw new Error("state " + v[i].getState() + " of a thread that was not started");
                failed = e;
                v[i] = null;
            }
        }
        for (Thread t : v)
            if (t != null) {
                t.join(20_000);
                if (t.isAlive()) throw new Error("a started thread does not end");
            }
        if (ran.get() != started && failed == null) throw new Error("started " + started + ", ran " + ran.get());
        if (failed != null) throw failed;
        return "ran";
    }

    static String executors() throws Throwable {
        ExecutorService x = Executors.newFixedThreadPool(2, r -> {
            Thread t = new Thread(r);
            t.setDaemon(true);
            return t;
        });
        try {
            int sum = 0;
            for (Future<Integer> f : List.of(x.submit(() -> 1), x.submit(() -> 2))) sum += f.get(5, TimeUnit.SECONDS);
            return "" + sum;
        } catch (TimeoutException e) {
            throw new OutOfMemoryError("a worker died"); // the pool's affair
        } finally {
            x.shutdownNow();
        }
    }

    static String dumps() throws Throwable {
        StringBuilder s = new StringBuilder();
        ThreadMXBean b = ManagementFactory.getThreadMXBean();
        Object lock = new Object();
        synchronized (lock) {
            for (ThreadInfo i : b.dumpAllThreads(true, true))
                if (i != null && i.getThreadName().equals("main")) s.append(i.getLockedMonitors().length);
            s.append(Thread.getAllStackTraces().containsKey(Thread.currentThread()));
            s.append(b.findDeadlockedThreads() == null).append(b.findMonitorDeadlockedThreads() == null);
            s.append(b.getThreadInfo(Thread.currentThread().getId(), 3).getStackTrace().length);
        }
        StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).forEach(f -> s.append(f.getMethodName().equals("main") ? "m" : ""));
        return s.toString();
    }

    // ---- strings, errors ----

    static int serial;
    static String strings() {
        String fresh = "fresh " + serial++, wide = "\u4e2d\u6587 ".repeat(300) + serial, latin = "\u00e9".repeat(700) + serial;
        boolean ok = fresh.intern() == new String(fresh).intern() && wide.intern() == new String(wide).intern() &&
            latin.intern() == new String(latin).intern();
        for (int i = 0; i < 40; i++) ok &= ("i" + serial + "." + i).intern() == ("i" + serial + "." + i).intern();
        return "" + ok + Class.class.getName().length() + int[][][].class.getName();
    }

    static class Chain { Chain next; int[] v; String name() { return null; } }
    static String errors() {
        StringBuilder s = new StringBuilder();
        Operation[] all = {() -> new Chain().next.next.v[2] + "", () -> "" + new Chain().v.length, () -> new Chain().name().length() + "",
            () -> (String) (Object) Integer.valueOf(3), () -> "" + new int[2][-1].length, () -> { Object[] a = new String[1]; a[0] = 1; return ""; },
            () -> "" + 1 / (serial - serial), () -> Class.forName("no.such.Class" + serial++).getName(), () -> "" + deep(0)};
        for (Operation o : all)
            try {
                s.append(o.run());
            } catch (OutOfMemoryError e) {
                throw e;
            } catch (Throwable e) {
                if (isOom(e)) throw new OutOfMemoryError();
                s.append(e.getClass().getName()).append(e.getStackTrace().length > 0).append('\n'); // a message may lack its reason
            }
        return s.toString();
    }
    static int deep(int n) { return deep(n + 1) + 1; }

    // ---- collector ----

    static Object[] kept;
    static String collection() {
        Object[] big = new Object[1 << 18];
        for (int i = 0; i < big.length; i++) big[i] = i % 64 == 0 ? new WeakReference<>(new int[4]) : "s";
        List<Reference<?>> refs = new ArrayList<>();
        ReferenceQueue<Object> q = new ReferenceQueue<>();
        for (int i = 0; i < 3000; i++) refs.add(new PhantomReference<>(new Object(), q));
        kept = new Object[] {big, refs};
        System.gc();
        int strong = 0;
        for (Object o : big) strong += o == "s" ? 1 : 0;
        kept = null;
        return "" + strong;
    }

    // ---- serviceability ----

    static final Path SOCKET = Path.of("/tmp/.java_pid" + ProcessHandle.current().pid());
    static String command(String... words) throws Throwable {
        try (SocketChannel c = SocketChannel.open(UnixDomainSocketAddress.of(SOCKET))) {
            StringBuilder s = new StringBuilder("1\0");
            for (int i = 0; i < 4; i++) s.append(i < words.length ? words[i] : "").append('\0');
            c.write(ByteBuffer.wrap(s.toString().getBytes(StandardCharsets.ISO_8859_1)));
            ByteBuffer b = ByteBuffer.allocate(1 << 22);
            while (c.read(b) >= 0 && b.hasRemaining()) {}
            return new String(b.array(), 0, b.position(), StandardCharsets.ISO_8859_1);
        } catch (java.io.IOException e) {
            return "closed";
        }
    }
    static final String[][] COMMANDS = {{"jcmd", "VM.version"}, {"jcmd", "Thread.print -l"}, {"jcmd", "GC.class_histogram"}, {"jcmd", "VM.classloaders"},
        {"jcmd", "VM.system_properties"}, {"jcmd", "VM.flags -all"}, {"jcmd", "help"}, {"jcmd", "help GC.heap_dump"}, {"jcmd", "VM.symboltable"},
        {"jcmd", "VM.stringtable"}, {"jcmd", "VM.systemdictionary -verbose"}, {"jcmd", "VM.class_hierarchy java.lang.Number"}, {"jcmd", "VM.uptime"},
        {"jcmd", "VM.command_line"}, {"jcmd", "VM.info"}, {"jcmd", "VM.metaspace"}, {"jcmd", "VM.classloader_stats"}, {"jcmd", "VM.dynlibs"},
        {"jcmd", "GC.heap_info"}, {"jcmd", "GC.finalizer_info"}, {"jcmd", "PerfCounter.print"}, {"jcmd", "VM.log list"},
        {"jcmd", "GC.heap_dump -overwrite heap.hprof"}, {"dumpheap", "heap2.hprof"}, {"threaddump"}, {"inspectheap"}, {"properties"}, {"agentProperties"},
        {"printflag", "MaxHeapSize"}, {"setflag", "HeapDumpOnOutOfMemoryError", "0"}, {"datadump"}};
    static int round;
    static String attach() throws Throwable {
        String[] c = COMMANDS[round % COMMANDS.length];
        String reply = command(c);
        Files.deleteIfExists(Path.of("heap2.hprof"));
        if (reply.equals("closed") || reply.isEmpty() || reply.contains("emory") || reply.contains("allocate"))
            return reply.startsWith("0") && reply.length() > 30 ? "well" : "no memory";
        return reply.startsWith("0\n") ? "well" : String.join(" ", c) + ": " + reply;
    }

    static String heapDump() throws Throwable {
        Path p = Path.of("bean.hprof");
        Files.deleteIfExists(p);
        try {
            ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class).dumpHeap(p.toString(), true);
        } catch (java.io.IOException e) {
            if (String.valueOf(e.getMessage()).contains("emory")) throw new OutOfMemoryError();
            throw e;
        }
        return "" + (Files.size(p) > 100_000);
    }

    // ---- redefinition ----

    static byte[] one, two;
    static boolean second;
    /** A call site whose linking met the lack of memory fails for good (JVMS 5.4.3.6): the next attempt has a class of its own. */
    static String redefine() throws Throwable {
        try {
            return redefineOnce();
        } catch (BootstrapMethodError e) {
            TARGET = new Loader();
            second = false;
            throw new OutOfMemoryError();
        }
    }
    static String redefineOnce() throws Throwable {
        Class<?> c = TARGET.loadClass("exhaust.family.Edited");
        String before = call(c, "say");
        boolean ok = false;
        try {
            inst.redefineClasses(new ClassDefinition(c, second ? one : two));
            ok = true;
        } finally {
            String after = call(c, "say");
            if (ok) second = !second;
            if (!after.equals(second ? "two" : "one")) throw new Error((ok ? "redefined" : "refused") + ", but it says " + after + ", before " + before);
        }
        return "redefined";
    }
    static Loader TARGET = new Loader();

    static String retransform() throws Throwable {
        Class<?> c = TARGET.loadClass("exhaust.family.Shape");
        int[] seen = {0};
        ClassFileTransformer f = new ClassFileTransformer() {
            @Override public byte[] transform(ClassLoader l, String name, Class<?> k, ProtectionDomain d, byte[] b) {
                if (k == c) seen[0]++;
                return k == c ? b.clone() : null;
            }
        };
        inst.addTransformer(f, true);
        try {
            inst.retransformClasses(c);
        } finally {
            inst.removeTransformer(f);
        }
        return "" + inst.getObjectSize(seen) + (inst.getAllLoadedClasses().length > 300) + (inst.getInitiatedClasses(TARGET).length > 1);
    }

    // ---- the whole ----

    static boolean isOom(Throwable e) {
        for (int i = 0; e != null && i < 30; i++, e = e.getCause()) {
            if (e instanceof OutOfMemoryError) return true;
            for (Throwable s : e.getSuppressed()) if (isOom(s)) return true;
            StackTraceElement[] trace = e.getStackTrace(); // libinstrument cannot make what it would throw
            if (e instanceof InternalError && trace.length > 0 && trace[0].getClassName().equals("sun.instrument.InstrumentationImpl")) return true;
            if (e instanceof InternalError && String.valueOf(e.getMessage()).contains("emory")) return true;
        }
        return false;
    }

    static int attempts, works, refused, wrong;
    static void wrong(String name, long nth, String what) {
        wrong++;
        System.out.println(name + " N=" + nth + " " + site(0) + ": " + what);
        System.out.flush();
    }

    static void prepare() throws Throwable {
        System.load(System.getProperty("exhaust.lib"));
        System.load(System.getProperty("exhaust.agent"));
        Class.forName("java.util.concurrent.ForkJoinPool"); // the first thread that waits for a Condition would initialise it, once and for all
        Path dir = Path.of(System.getProperty("exhaust.family"));
        try (var list = Files.list(dir)) {
            for (Path p : (Iterable<Path>) list::iterator) {
                String n = p.getFileName().toString();
                if (n.endsWith(".class")) FAMILY.put("exhaust.family." + n.substring(0, n.length() - 6), Files.readAllBytes(p));
            }
        }
        one = FAMILY.get("exhaust.family.Edited");
        two = new String(one, StandardCharsets.ISO_8859_1).replace("\1\0\3one", "\1\0\3two").getBytes(StandardCharsets.ISO_8859_1);
        OPERATIONS.put("load", () -> family(new Loader()));
        OPERATIONS.put("unload", () -> { unloading(); System.gc(); return "done"; });
        OPERATIONS.put("hidden", Exhaust::hidden);
        OPERATIONS.put("reflection", Exhaust::reflection);
        OPERATIONS.put("handles", Exhaust::handles);
        OPERATIONS.put("proxies", Exhaust::proxies);
        OPERATIONS.put("modules", Exhaust::modules);
        OPERATIONS.put("threads", Exhaust::threads);
        OPERATIONS.put("executors", Exhaust::executors);
        OPERATIONS.put("dumps", Exhaust::dumps);
        OPERATIONS.put("strings", Exhaust::strings);
        OPERATIONS.put("errors", Exhaust::errors);
        OPERATIONS.put("collection", Exhaust::collection);
        OPERATIONS.put("attach", Exhaust::attach);
        OPERATIONS.put("heapdump", Exhaust::heapDump);
        OPERATIONS.put("redefine", Exhaust::redefine);
        OPERATIONS.put("retransform", Exhaust::retransform);
        for (int i = 0; tiName(i) != null; i++) {
            int k = i;
            OPERATIONS.put("ti." + tiName(i), () -> {
                String s = ti(k);
                if (s.equals("OUT_OF_MEMORY")) throw new OutOfMemoryError();
                return s;
            });
        }
    }

    /** How many requests have failed in the last attempt. */
    static int failed;

    /** What an attempt came to; null: no memory. */
    static String attempt(Operation o) throws Throwable {
        try {
            String s;
            try {
                s = o.run();
            } finally {
                failed = disarm();
            }
            return s.equals("no memory") ? null : s;
        } catch (Throwable e) {
            if (isOom(e)) return null;
            throw e;
        }
    }

    static boolean round(String name, Operation o, boolean all, long nth, String expected, boolean others) {
        Throwable thrown = null;
        String got = null;
        attempts++;
        arm(nth, all, !others);
        try {
            got = attempt(o);
        } catch (Throwable e) {
            thrown = e;
        }
        int failed = Exhaust.failed;
        if (thrown != null) {
            wrong(name, nth, String.valueOf(thrown));
            if (wrong < 4) thrown.printStackTrace(System.out);
        } else if (got == null && failed == 0 && !others) wrong(name, nth, "no memory although there was");
        else if (got == null) refused++;
        else if (!got.equals(expected)) wrong(name, nth, "gives " + got + ", expected " + expected);
        else if (failed > 0) works++;
        try {
            String again = null;
            for (int i = 0; i < 3 && again == null; i++) again = attempt(o); // a thread may die later of what failed
            if (!expected.equals(again)) wrong(name, nth, "afterwards gives " + again + ", expected " + expected);
        } catch (Throwable e) {
            wrong(name, nth, "afterwards " + e + (e.getCause() == null ? "" : ", " + e.getCause()));
            if (wrong < 4) e.printStackTrace(System.out);
        }
        return failed > 0;
    }

    public static void main(String[] args) throws Throwable {
        prepare();
        boolean all = args[0].equals("all");
        int stride = Integer.parseInt(args[2]);
        long first = Long.parseLong(args[3]);
        if (args[1].equals("list")) {
            OPERATIONS.keySet().forEach(System.out::println);
            return;
        }
        boolean right = true;
        for (String name : args[1].split(",")) right &= operation(name, all, stride, first);
        Runtime.getRuntime().halt(right ? 0 : 1);
    }

    static boolean operation(String name, boolean all, int stride, long first) throws Throwable {
        Operation o = OPERATIONS.get(name);
        boolean others = OF_OTHERS.contains(name);
        attempts = works = refused = wrong = 0;
        if (name.equals("attach")) open();
        int rounds = name.equals("attach") ? COMMANDS.length : 1;
        for (round = 0; round < rounds; round++) {
            String expected = null;
            for (int i = 0; i < 4; i++) expected = o.run();
            if (expected.equals("no memory")) wrong(name, 0, String.join(" ", COMMANDS[round]) + " says no memory");
            round(name, o, all, Long.MAX_VALUE, expected, others); // the driver itself resolves nothing later
            int misses = 0;
            for (long n = first + round % stride; misses < (others ? 3 : 1) && wrong < 10; n += stride)
                if (!round(name, o, all, n, expected, others)) misses++;
        }
        System.gc(); // checks the heap where -XX:+VerifyHeapAfterGC is given
        System.out.println(name + (all ? ", all from there on: " : ": ") + attempts + " attempts, works " + works + ", OutOfMemoryError " + refused + ", forbidden " + wrong);
        System.out.flush();
        return wrong == 0;
    }

    /** The VM makes its socket when it is asked to. */
    static void open() throws Exception {
        long pid = ProcessHandle.current().pid();
        Path mark = Path.of("/proc/" + pid + "/cwd/.attach_pid" + pid);
        Files.createFile(mark);
        new ProcessBuilder("kill", "-QUIT", "" + pid).start().waitFor();
        for (int i = 0; i < 200 && !Files.exists(SOCKET); i++) Thread.sleep(20);
        Files.delete(mark);
    }
}
