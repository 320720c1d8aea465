// SPDX-License-Identifier: Apache-2.0
// options: -Xmx64m
import java.io.ByteArrayInputStream;
import java.lang.invoke.*;
import java.lang.ref.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;

/* What people drop is gone after System.gc(): each idiom makes objects, lets go of them as programs do, calls
 * System.gc() and looks.  A trial gives at how manyeth call the reference was cleared; the first and the second are good.
 * A fifth may be later: words of C stacks are roots, those of other threads that wait in C, too (docs/status.md, known gaps).
 * Arguments: trials of each idiom, "table" for figures, then names of idioms. */
public class WeakIdioms {
    interface Idiom { int trial(int i) throws Throwable; }

    static final int TOO_LATE = 8;

    static class Payload {
        final byte[] bytes = new byte[40];
        final int id;
        Payload(int id) { this.id = id; }
        public String toString() { return "payload " + id; }
    }

    /* ---- looking: always in a frame of its own, as assertions do it ---- */

    static int collections(Reference<?> r) {
        for (int n = 1; n < TOO_LATE; n++) {
            System.gc();
            if (r.refersTo(null)) return n;
        }
        return TOO_LATE;
    }

    static int collections(BooleanSupplier gone) throws InterruptedException {
        for (int n = 1; n < TOO_LATE; n++) {
            System.gc();
            for (int wait = 0; wait < 80; wait++) { // the reference handler, cleaners and finalizers are other threads
                if (gone.getAsBoolean()) return n;
                Thread.sleep(1);
            }
        }
        return TOO_LATE;
    }

    /* ---- the idioms ---- */

    static int nulledInline(int i) {
        Payload p = new Payload(i);
        WeakReference<Payload> r = new WeakReference<>(p);
        p = null;
        System.gc();
        if (r.get() == null) return 1;
        System.gc();
        if (r.get() == null) return 2;
        return 2 + collections(r);
    }

    static int tryFinallyNulled(int i) {
        Payload p = null;
        WeakReference<Payload> r = null;
        try {
            p = new Payload(i);
            r = new WeakReference<>(p);
            if (p.toString().isEmpty()) throw new IllegalStateException();
        } finally {
            p = null;
        }
        return collections(r);
    }

    static WeakReference<Payload> make(int i) {
        Payload p = new Payload(i);
        p.toString();
        return new WeakReference<>(p);
    }
    static int madeElsewhere(int i) { return collections(make(i)); }

    static WeakReference<Payload> deep(int i, int depth, Payload a, long b, Payload c) {
        return depth == 0 ? make(i) : deep(i, depth - 1, new Payload(depth), b + depth, a);
    }
    static int madeDeep(int i) { return collections(deep(i, i % 50, null, 0, null)); }

    static int weakHashMap(int i) throws Exception {
        WeakHashMap<Object, String> map = new WeakHashMap<>();
        Object key = new Object();
        map.put(key, "value " + i);
        key = null;
        return collections(() -> map.size() == 0);
    }

    static int weakHashMapOfMany(int i) throws Exception {
        Map<Object, Object> map = Collections.synchronizedMap(new WeakHashMap<>());
        for (int k = 0; k < 100; k++) map.put(new Payload(k), k);
        return collections(map::isEmpty);
    }

    static int queueRemove(int i) throws Exception {
        ReferenceQueue<Payload> q = new ReferenceQueue<>();
        Reference<Payload> r = new WeakReference<>(new Payload(i), q);
        for (int n = 1; n < TOO_LATE; n++) {
            System.gc();
            if (q.remove(500) == r) return n;
        }
        return TOO_LATE;
    }

    static int phantom(int i) throws Exception {
        ReferenceQueue<Payload> q = new ReferenceQueue<>();
        PhantomReference<Payload> r = new PhantomReference<>(new Payload(i), q);
        int n = collections(() -> q.poll() != null);
        Reference.reachabilityFence(r);
        return n;
    }

    static final Cleaner CLEANER = Cleaner.create();
    static class Resource implements AutoCloseable {
        final AtomicBoolean open = new AtomicBoolean(true);
        final Cleaner.Cleanable c;
        Resource() { AtomicBoolean o = open; c = CLEANER.register(this, () -> o.set(false)); }
        public void close() { c.clean(); }
    }
    static AtomicBoolean leaked() { Resource r = new Resource(); return r.open; }
    static int cleaner(int i) throws Exception {
        AtomicBoolean open = leaked();
        return collections(() -> !open.get());
    }

    static class Finalized {
        final AtomicBoolean done;
        Finalized(AtomicBoolean done) { this.done = done; }
        @SuppressWarnings({"deprecation", "removal"})
        @Override protected void finalize() { done.set(true); }
    }
    static int finalizer(int i) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        new Finalized(done);
        return collections(done::get);
    }

    static int threadLocal(int i) {
        ThreadLocal<Payload> local = ThreadLocal.withInitial(() -> new Payload(i));
        WeakReference<Payload> r = new WeakReference<>(local.get());
        local.remove();
        return collections(r);
    }

    static int threadLocalOfDeadThread(int i) throws Exception {
        ThreadLocal<Payload> local = new ThreadLocal<>();
        AtomicReference<WeakReference<Payload>> out = new AtomicReference<>();
        Thread t = new Thread(() -> {
            local.set(new Payload(i));
            out.set(new WeakReference<>(local.get()));
        });
        t.start();
        t.join();
        return collections(out.get());
    }

    static int lambdaCapture(int i) {
        Payload p = new Payload(i);
        WeakReference<Payload> r = new WeakReference<>(p);
        Supplier<String> s = makeSupplier(p);
        p = null;
        s.get();
        s = null;
        return collections(r);
    }
    static Supplier<String> makeSupplier(Payload p) { return () -> p.toString(); }

    static int streamTemporaries(int i) {
        List<WeakReference<Payload>> refs = IntStream.range(0, 20).mapToObj(Payload::new)
            .filter(p -> p.id % 2 == 0).sorted(Comparator.comparing(Payload::toString))
            .map(WeakReference::new).collect(Collectors.toList());
        for (int n = 1; n < TOO_LATE; n++) {
            System.gc();
            if (refs.stream().allMatch(r -> r.get() == null)) return n;
        }
        return TOO_LATE;
    }

    public static Payload reflected(Object a, String b, int c) { return new Payload(c); }
    static int reflectionCall(int i) throws Exception {
        Method m = WeakIdioms.class.getMethod("reflected", Object.class, String.class, int.class);
        Payload arg = new Payload(i);
        WeakReference<Object> a = new WeakReference<>(arg);
        WeakReference<Object> r = new WeakReference<>(m.invoke(null, arg, "b" + i, i));
        arg = null;
        return Math.max(collections(a), collections(r));
    }

    static int reflectionConstructor(int i) throws Exception {
        Constructor<Payload> c = Payload.class.getDeclaredConstructor(int.class);
        return collections(new WeakReference<>(c.newInstance(i)));
    }

    static final MethodHandle MAKER, IDENTITY;
    static {
        try {
            MethodHandles.Lookup l = MethodHandles.lookup();
            MAKER = l.findConstructor(Payload.class, MethodType.methodType(void.class, int.class));
            IDENTITY = MethodHandles.identity(Payload.class);
        } catch (ReflectiveOperationException e) { throw new AssertionError(e); }
    }
    static int methodHandle(int i) throws Throwable {
        Payload p = (Payload)IDENTITY.invokeExact((Payload)MAKER.invokeExact(i));
        WeakReference<Payload> r = new WeakReference<>(p);
        p = null;
        return collections(r);
    }

    static class Carrier extends Exception {
        final Payload p;
        Carrier(Payload p) { super("carrier " + p); this.p = p; }
    }
    static void thrower(Payload p, int depth) throws Carrier {
        if (depth > 0) thrower(p, depth - 1);
        throw new Carrier(p);
    }
    static int exceptionCaught(int i) {
        Payload p = new Payload(i);
        WeakReference<Object> r = new WeakReference<>(p), e = new WeakReference<>(null);
        try { thrower(p, i % 7); }
        catch (Carrier c) { e = new WeakReference<>(c); c.getStackTrace(); c = null; }
        p = null;
        return Math.max(collections(r), collections(e));
    }

    static int exceptionFromVm(int i) {
        WeakReference<Throwable> r = null;
        try { Object o = i < 0 ? "" : null; o.hashCode(); }
        catch (NullPointerException e) { e.getMessage(); r = new WeakReference<>(e); e = null; }
        return collections(r);
    }

    static int exceptionThroughReflection(int i) throws Exception {
        WeakReference<Throwable> r = null, c = null;
        try { Integer.class.getMethod("parseInt", String.class).invoke(null, "no number " + i); }
        catch (InvocationTargetException e) {
            r = new WeakReference<>(e);
            c = new WeakReference<>(e.getCause());
            e = null;
        }
        return Math.max(collections(r), collections(c));
    }

    static int concatTemporaries(int i) {
        String s = "a" + i + new Payload(i) + 1.5 + 'c';
        WeakReference<String> r = new WeakReference<>(s);
        s = s.length() + "";
        return collections(r);
    }

    static Object last(Object... all) { return all[all.length - 1]; }
    static WeakReference<Object[]> arrayOf(Object... all) { return new WeakReference<>(all); }
    static int varargs(int i) {
        WeakReference<Object> r = new WeakReference<>(last(1, "two", new Payload(i)));
        WeakReference<Object[]> a = arrayOf(i, "b", new Payload(i));
        String.format("%s %d %s", new Payload(i), i, "x");
        return Math.max(collections(r), collections(a));
    }

    static int clonedAndCopied(int i) {
        Payload[] a = {new Payload(i), new Payload(i + 1)};
        Payload[] b = a.clone(), c = Arrays.copyOf(b, 9);
        System.arraycopy(b, 0, c, 4, 2);
        WeakReference<Object> r = new WeakReference<>(c), s = new WeakReference<>(c[5]), t = new WeakReference<>(b);
        a = b = c = null;
        return Math.max(collections(r), Math.max(collections(s), collections(t)));
    }

    static int interned(int i) {
        String s = ("interned here " + i + " of " + System.nanoTime()).intern();
        WeakReference<String> r = new WeakReference<>(s);
        s = null;
        return collections(r);
    }

    static int softUnderPressure(int i) {
        if (i % 50 != 0) return 1; // slow: some are enough
        SoftReference<byte[]> r = new SoftReference<>(new byte[1000]);
        List<Object> hold = new ArrayList<>();
        try { for (;;) hold.add(new byte[4 << 20]); }
        catch (OutOfMemoryError e) { hold = null; }
        return r.get() == null ? 1 : TOO_LATE;
    }

    /* javac keeps the object in a second local, which an interpreter cannot know to be dead: so in a method of its own. */
    static WeakReference<Object> locked(int i) {
        Object lock = new Payload(i);
        synchronized (lock) { lock.hashCode(); }
        return new WeakReference<>(lock);
    }
    static int monitor(int i) {
        return collections(locked(i));
    }

    static WeakReference<Object> waited(int i) throws InterruptedException {
        Object lock = new Payload(i);
        synchronized (lock) { lock.wait(1); lock.notifyAll(); }
        return new WeakReference<>(lock);
    }
    static int waitedOn(int i) throws Exception {
        return collections(waited(i));
    }

    static int threadEnded(int i) throws Exception {
        Thread t = new Thread(() -> new Payload(i).toString());
        WeakReference<Thread> r = new WeakReference<>(t);
        t.start();
        t.join();
        t = null;
        return collections(() -> r.get() == null); // join ends before the thread has
    }

    static int executor(int i) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        WeakReference<Payload> r = new WeakReference<>(pool.submit(() -> new Payload(i)).get());
        int n = collections(() -> r.get() == null); // the worker is on its way back from the task
        pool.shutdown();
        return n;
    }

    static int parkedThreadDropped(int i) throws Exception {
        CountDownLatch made = new CountDownLatch(1), end = new CountDownLatch(1);
        AtomicReference<WeakReference<Payload>> out = new AtomicReference<>();
        Thread t = new Thread(() -> {
            Payload p = new Payload(i);
            out.set(new WeakReference<>(p));
            p = null;
            made.countDown();
            try { end.await(); } catch (InterruptedException e) { }
        });
        t.start();
        made.await();
        int n = collections(out.get());
        end.countDown();
        t.join();
        return n;
    }

    /* ---- class loaders ---- */

    public static class Plugin implements Supplier<Object> {
        static final List<Object> cache = new ArrayList<>();
        enum Kind { A, B }
        public Object get() {
            Function<Object, String> f = o -> "got " + o + Kind.A;
            cache.add(f.apply(this));
            return Kind.valueOf("B") == Kind.A ? 1 : cache;
        }
    }
    static class PluginLoader extends ClassLoader {
        PluginLoader() { super(WeakIdioms.class.getClassLoader()); }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("WeakIdioms$Plugin") || name.endsWith("Loader")) return super.loadClass(name, resolve);
            Class<?> c = findLoadedClass(name);
            if (c != null) return c;
            try (var in = WeakIdioms.class.getResourceAsStream(name + ".class")) {
                if (in == null) throw new ClassNotFoundException(name);
                byte[] b = in.readAllBytes();
                return defineClass(name, b, 0, b.length);
            } catch (java.io.IOException e) { throw new ClassNotFoundException(name, e); }
        }
    }
    @SuppressWarnings("unchecked")
    static int loaderLeak(int i) throws Exception {
        ClassLoader l = new PluginLoader();
        Class<?> c = l.loadClass("WeakIdioms$Plugin");
        Object o = ((Supplier<Object>)c.getDeclaredConstructor().newInstance()).get();
        WeakReference<Object> rl = new WeakReference<>(l), rc = new WeakReference<>(c), ro = new WeakReference<>(o);
        l = null; c = null; o = null;
        return Math.max(collections(rl), Math.max(collections(rc), collections(ro)));
    }

    static int contextLoaderLeak(int i) throws Exception {
        Thread t = Thread.currentThread();
        ClassLoader old = t.getContextClassLoader();
        WeakReference<ClassLoader> r;
        try {
            t.setContextClassLoader(new PluginLoader());
            r = new WeakReference<>(t.getContextClassLoader());
            Class.forName("WeakIdioms$Plugin", true, t.getContextClassLoader()).getMethods();
        } finally { t.setContextClassLoader(old); }
        return collections(r);
    }

    static int failedLoad(int i) {
        ClassLoader l = new PluginLoader();
        WeakReference<ClassLoader> r = new WeakReference<>(l);
        try { Class.forName("WeakIdioms$PluginNotThere", true, l); } catch (ClassNotFoundException e) { e = null; }
        l = null;
        return collections(r);
    }

    static int hiddenClass(int i) throws Exception {
        byte[] b;
        try (var in = WeakIdioms.class.getResourceAsStream("WeakIdioms$Payload.class")) { b = in.readAllBytes(); }
        Class<?> c = MethodHandles.lookup().defineHiddenClass(b, true).lookupClass();
        WeakReference<Class<?>> r = new WeakReference<>(c);
        c.getDeclaredConstructors()[0].newInstance(i);
        c = null;
        return collections(r);
    }

    static int proxy(int i) throws Exception {
        Object[] seen = new Object[1];
        Supplier<?> p = (Supplier<?>)Proxy.newProxyInstance(WeakIdioms.class.getClassLoader(), new Class<?>[] {Supplier.class},
            (self, m, args) -> { seen[0] = self; return "x"; });
        p.get();
        seen[0] = null;
        WeakReference<Object> r = new WeakReference<>(p), h = new WeakReference<>(Proxy.getInvocationHandler(p));
        p = null;
        return Math.max(collections(r), collections(h));
    }

    static int unsafeAndFields(int i) throws Exception {
        AtomicReference<Payload> ref = new AtomicReference<>(new Payload(i));
        WeakReference<Payload> r = new WeakReference<>(ref.get());
        ref.compareAndSet(ref.get(), new Payload(i + 1));
        WeakReference<Payload> s = new WeakReference<>(ref.getAndSet(null));
        return Math.max(collections(r), collections(s));
    }

    static Payload field;
    static int staticField(int i) {
        field = new Payload(i);
        WeakReference<Payload> r = new WeakReference<>(field);
        field = null;
        return collections(r);
    }

    static int loopVariable(int i) {
        WeakReference<Payload> r = null;
        List<Payload> list = new ArrayList<>(List.of(new Payload(1), new Payload(2), new Payload(3)));
        list.forEach(p -> p.toString());
        for (Iterator<Payload> it = list.iterator(); it.hasNext();) { r = new WeakReference<>(it.next()); it.remove(); }
        return collections(r);
    }

    static int mapEntry(int i) {
        Map<String, Payload> m = new HashMap<>(), t = new TreeMap<>(), c = new ConcurrentHashMap<>();
        for (Map<String, Payload> x : List.of(m, t, c)) x.computeIfAbsent("k" + i, k -> new Payload(i));
        WeakReference<Payload> r = new WeakReference<>(m.remove("k" + i)), s = new WeakReference<>(t.remove("k" + i)),
            u = new WeakReference<>(c.remove("k" + i));
        return Math.max(collections(r), Math.max(collections(s), collections(u)));
    }

    static int serialized(int i) throws Exception {
        var out = new java.io.ByteArrayOutputStream();
        try (var o = new java.io.ObjectOutputStream(out)) { o.writeObject(new ArrayList<>(List.of("a" + i, i))); }
        Object read;
        try (var in = new java.io.ObjectInputStream(new ByteArrayInputStream(out.toByteArray()))) { read = in.readObject(); }
        WeakReference<Object> r = new WeakReference<>(read);
        read = null;
        return collections(r);
    }


    static final Map<String, Idiom> IDIOMS = new LinkedHashMap<>();
    static {
        IDIOMS.put("nulledInline", WeakIdioms::nulledInline);
        IDIOMS.put("tryFinallyNulled", WeakIdioms::tryFinallyNulled);
        IDIOMS.put("madeElsewhere", WeakIdioms::madeElsewhere);
        IDIOMS.put("madeDeep", WeakIdioms::madeDeep);
        IDIOMS.put("weakHashMap", WeakIdioms::weakHashMap);
        IDIOMS.put("weakHashMapOfMany", WeakIdioms::weakHashMapOfMany);
        IDIOMS.put("queueRemove", WeakIdioms::queueRemove);
        IDIOMS.put("phantom", WeakIdioms::phantom);
        IDIOMS.put("cleaner", WeakIdioms::cleaner);
        IDIOMS.put("finalizer", WeakIdioms::finalizer);
        IDIOMS.put("threadLocal", WeakIdioms::threadLocal);
        IDIOMS.put("threadLocalOfDeadThread", WeakIdioms::threadLocalOfDeadThread);
        IDIOMS.put("lambdaCapture", WeakIdioms::lambdaCapture);
        IDIOMS.put("streamTemporaries", WeakIdioms::streamTemporaries);
        IDIOMS.put("reflectionCall", WeakIdioms::reflectionCall);
        IDIOMS.put("reflectionConstructor", WeakIdioms::reflectionConstructor);
        IDIOMS.put("methodHandle", WeakIdioms::methodHandle);
        IDIOMS.put("exceptionCaught", WeakIdioms::exceptionCaught);
        IDIOMS.put("exceptionFromVm", WeakIdioms::exceptionFromVm);
        IDIOMS.put("exceptionThroughReflection", WeakIdioms::exceptionThroughReflection);
        IDIOMS.put("concatTemporaries", WeakIdioms::concatTemporaries);
        IDIOMS.put("varargs", WeakIdioms::varargs);
        IDIOMS.put("clonedAndCopied", WeakIdioms::clonedAndCopied);
        IDIOMS.put("interned", WeakIdioms::interned);
        IDIOMS.put("softUnderPressure", WeakIdioms::softUnderPressure);
        IDIOMS.put("monitor", WeakIdioms::monitor);
        IDIOMS.put("waitedOn", WeakIdioms::waitedOn);
        IDIOMS.put("threadEnded", WeakIdioms::threadEnded);
        IDIOMS.put("executor", WeakIdioms::executor);
        IDIOMS.put("parkedThreadDropped", WeakIdioms::parkedThreadDropped);
        IDIOMS.put("loaderLeak", WeakIdioms::loaderLeak);
        IDIOMS.put("contextLoaderLeak", WeakIdioms::contextLoaderLeak);
        IDIOMS.put("failedLoad", WeakIdioms::failedLoad);
        IDIOMS.put("hiddenClass", WeakIdioms::hiddenClass);
        IDIOMS.put("proxy", WeakIdioms::proxy);
        IDIOMS.put("unsafeAndFields", WeakIdioms::unsafeAndFields);
        IDIOMS.put("staticField", WeakIdioms::staticField);
        IDIOMS.put("loopVariable", WeakIdioms::loopVariable);
        IDIOMS.put("mapEntry", WeakIdioms::mapEntry);
        IDIOMS.put("serialized", WeakIdioms::serialized);
    }

    public static void main(String[] args) throws Throwable {
        int trials = args.length > 0 ? Integer.parseInt(args[0]) : 25;
        boolean table = args.length > 1 && args[1].equals("table");
        Set<String> wanted = args.length > 2 ? Set.of(Arrays.copyOfRange(args, 2, args.length)) : IDIOMS.keySet();
        if (table) System.out.printf("%-28s %6s %6s %6s %6s%n", "idiom", "first", "second", "later", "never");
        for (var e : IDIOMS.entrySet()) {
            if (!wanted.contains(e.getKey())) continue;
            int[] n = new int[4];
            for (int i = 0; i < trials; i++) {
                int k = e.getValue().trial(i);
                n[k <= 2 ? k - 1 : k < TOO_LATE ? 2 : 3]++;
            }
            int late = n[2] + n[3];
            if (table) System.out.printf("%-28s %6d %6d %6d %6d%n", e.getKey(), n[0], n[1], n[2], n[3]);
            else System.out.println(e.getKey() + (late <= trials / 5 ? " cleared" : " LATE " + late + " of " + trials));
        }
    }
}
