// SPDX-License-Identifier: Apache-2.0
package redefine;

import java.io.*;
import java.lang.instrument.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.atomic.*;
import javax.tools.*;

/**
 * Random edits of a small family of classes while threads run it: Storm SEED ROUNDS. Itself the agent. Every edit is one javac run
 * of a program that always has the same kept state; whatever else comes and goes. Threads may see NoSuchMethodError and its kin,
 * nothing else; kept state must stay.
 */
public class Storm {
    static Instrumentation inst;
    public static void premain(String o, Instrumentation i) { inst = i; }
    static final AtomicReference<Throwable> failure = new AtomicReference<>();
    static volatile boolean stop;
    /** Whoever names this class may hold objects for such, and would keep it from going. */
    static final String MIDDLE = String.valueOf(new char[] { 'M', 'i', 'd' });
    static final java.util.concurrent.locks.ReadWriteLock running = new java.util.concurrent.locks.ReentrantReadWriteLock();
    static final AtomicLong links = new AtomicLong(), runs = new AtomicLong();

    static String fieldsOf(Random r, String p, StringBuilder uses) {
        String[][] all = {{"int", "7"}, {"long", "8L"}, {"String", "\"s\""}, {"double", "2.5"}, {"Object", "new Object()"},
            {"List<String>", "new ArrayList<>()"}, {"byte", "3"}, {"boolean", "true"}, {"int[]", "new int[3]"}, {"char", "'c'"}};
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < all.length; i++) {
            if (r.nextInt(3) != 0) continue;
            String[] f = all[r.nextInt(all.length)];
            String mod = r.nextInt(4) == 0 ? "static " : "", vol = r.nextInt(4) == 0 ? "volatile " : "";
            String name = p + i;
            b.append("    ").append(mod).append(vol).append(f[0]).append(' ').append(name)
                .append(r.nextBoolean() ? " = " + f[1] : "").append(";\n");
            uses.append("        h += java.util.Objects.hashCode(").append(name).append(") & 1; ").append(name).append(" = ").append(f[1]).append(";\n");
        }
        return b.toString();
    }
    static String methodsOf(Random r, String p, StringBuilder calls) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            if (r.nextInt(2) != 0) continue;
            String[] mods = {"", "static ", "private ", "final ", "synchronized ", "private static ", "public "};
            String arg = r.nextBoolean() ? "int a" : "long a";
            b.append("    ").append(mods[r.nextInt(mods.length)]).append("int ").append(p + i).append("(").append(arg).append(") { return ")
                .append(r.nextBoolean() ? "(int) a + " + r.nextInt(100) : "java.util.stream.IntStream.of(1, 2).map(x -> x + (int) a).sum()").append("; }\n");
            calls.append("        h += ").append(p + i).append("(3);\n");
        }
        return b.toString();
    }
    static String source(Random r) {
        StringBuilder b = new StringBuilder("import java.util.*;\n");
        boolean level = r.nextInt(3) == 0, iface = r.nextBoolean(), override = r.nextBoolean(), dflt = r.nextBoolean();
        b.append("interface I { int num(); ").append(dflt ? "default int extra() { return 1; } " : "")
            .append(r.nextInt(3) == 0 ? "default int more() { return 2; } " : "").append("}\n");
        StringBuilder uses = new StringBuilder(), calls = new StringBuilder();
        String f = fieldsOf(r, "f", uses), m = methodsOf(r, "m", calls);
        b.append("class Base implements I { int kept; static int total; final int id; Base() { this(0); } Base(int id) { this.id = id; }\n").append(f).append(m)
            .append("    public int num() { kept++; return id; }\n    int work() { int h = 0;\n").append(uses).append(calls).append("        return h; }\n")
            .append(override ? "    int late() { return 5; }\n" : "").append("}\n");
        b.append("class " + MIDDLE + " extends Base { " + MIDDLE + "(int id) { super(id); } int mid() { return 1; } ").append(override ? "int late() { return 6; } " : "").append("}\n");
        uses = new StringBuilder(); calls = new StringBuilder();
        f = fieldsOf(r, "g", uses); m = methodsOf(r, "n", calls);
        b.append("class Leaf extends ").append(level ? MIDDLE : "Base").append(iface ? " implements I, Comparable<Leaf>" : "").append(" { long mine; Leaf(int id) { super(id); mine = id * 3L; }\n")
            .append(f).append(m).append(iface ? "    public int compareTo(Leaf o) { return 0; }\n" : "")
            .append("    public int num() { mine += 3; return super.num(); }\n")
            .append("    int work() { int h = super.work();\n").append(uses).append(calls)
            .append(level ? "        h += mid();\n" : "").append(override ? "        h += late();\n" : "").append("        return h; }\n}\n");
        b.append("class Run { static void go(Object x) { Base b = (Base) x; b.num(); b.work(); I i = b; i.num();")
            .append(dflt ? " i.extra();" : "").append(" } static Object leaf(int i) { return new Leaf(i); } static Object base(int i) { return new Base(i); }\n")
            .append("    static void check(Object x) { Base b = (Base) x; if (b.id < 0 || b.id > 999) throw new IllegalStateException(\"id \" + b.id);\n")
            .append("        if (x instanceof Leaf && (((Leaf) x).mine - b.id * 3L) % 3 != 0) throw new IllegalStateException(\"mine\"); } }\n");
        return b.toString();
    }
    static Map<String, byte[]> compile(String text) throws IOException {
        Map<String, ByteArrayOutputStream> out = new TreeMap<>();
        JavaCompiler c = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager std = c.getStandardFileManager(null, null, null);
        JavaFileManager fm = new ForwardingJavaFileManager<>(std) {
            @Override public JavaFileObject getJavaFileForOutput(Location l, String name, JavaFileObject.Kind k, FileObject s) {
                return new SimpleJavaFileObject(URI.create("mem:///" + name + ".class"), k) {
                    @Override public OutputStream openOutputStream() { ByteArrayOutputStream b = new ByteArrayOutputStream(); out.put(name, b); return b; } };
            } };
        JavaFileObject src = new SimpleJavaFileObject(URI.create("mem:///All.java"), JavaFileObject.Kind.SOURCE) {
            @Override public CharSequence getCharContent(boolean i) { return text; } };
        if (!c.getTask(null, fm, null, List.of("-nowarn", "-Xlint:none", "-proc:none"), null, List.of(src)).call()) throw new IOException("javac:\n" + text);
        Map<String, byte[]> r = new TreeMap<>();
        out.forEach((k, v) -> r.put(k, v.toByteArray()));
        return r;
    }
    public static void main(String[] a) throws Exception {
        if (a[0].equals("compile")) { // compile SEED N FILE
            try (ObjectOutputStream o = new ObjectOutputStream(new FileOutputStream(a[3]))) {
                ArrayList<TreeMap<String, byte[]>> all = new ArrayList<>();
                Random r = new Random(Long.parseLong(a[1]));
                for (int i = 0; i < Integer.parseInt(a[2]); i++) all.add(new TreeMap<>(compile(source(r))));
                o.writeObject(all);
            }
            return;
        }
        @SuppressWarnings("unchecked") List<TreeMap<String, byte[]>> all =
            (List<TreeMap<String, byte[]>>) new ObjectInputStream(new FileInputStream(a[0])).readObject();
        int rounds = Integer.parseInt(a[1]);
        Map<String, byte[]> now = all.get(0);
        ClassLoader l = new ClassLoader() {
            @Override protected Class<?> findClass(String n) throws ClassNotFoundException {
                byte[] b = all.get(0).get(n);
                if (b == null) throw new ClassNotFoundException(n);
                return defineClass(n, b, 0, b.length);
            } };
        List<Class<?>> classes = new ArrayList<>();
        for (String n : now.keySet()) classes.add(l.loadClass(n));
        Class<?> run = l.loadClass("Run");
        var go = run.getDeclaredMethod("go", Object.class); go.setAccessible(true);
        var leaf = run.getDeclaredMethod("leaf", int.class); leaf.setAccessible(true);
        var base = run.getDeclaredMethod("base", int.class); base.setAccessible(true);
        var check = run.getDeclaredMethod("check", Object.class); check.setAccessible(true);
        List<Object> objects = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 200; i++) objects.add((i % 2 == 0 ? leaf : base).invoke(null, i));
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int seed = i;
            threads[i] = new Thread(() -> {
                Random r = new Random(seed);
                while (!stop) {
                    running.readLock().lock();
                    try {
                        Object o = objects.get(r.nextInt(200));
                        go.invoke(null, o);
                        check.invoke(null, o);
                        if (r.nextInt(10) == 0) objects.set(r.nextInt(200), (r.nextBoolean() ? leaf : base).invoke(null, r.nextInt(1000)));
                        runs.incrementAndGet();
                    } catch (java.lang.reflect.InvocationTargetException e) {
                        if (e.getCause() instanceof LinkageError) links.incrementAndGet();
                        else { failure.compareAndSet(null, e.getCause()); return; }
                    } catch (LinkageError e) { links.incrementAndGet();
                    } catch (Throwable e) { failure.compareAndSet(null, e); return;
                    } finally { running.readLock().unlock(); }
                }
            });
            threads[i].start();
        }
        int refused = 0;
        Map<String, Integer> why = new TreeMap<>();
        Random r = new Random(5);
        for (int k = 0; k < rounds && failure.get() == null; k++) {
            Map<String, byte[]> next = all.get(r.nextInt(all.size()));
            List<ClassDefinition> d = new ArrayList<>();
            for (Class<?> c : classes) d.add(new ClassDefinition(c, next.get(c.getName())));
            boolean alone = k % 2 == 0; // a superclass can only go while nobody runs
            if (alone) running.writeLock().lock();
            try {
                inst.redefineClasses(d.toArray(new ClassDefinition[0]));
            } catch (UnsupportedOperationException | LinkageError e) {
                refused++;
                if (alone) why.merge(e.toString(), 1, Integer::sum);
            } finally {
                if (alone) running.writeLock().unlock();
            }
            if (k % 20 == 0) Thread.sleep(5);
        }
        stop = true;
        for (Thread t : threads) t.join();
        if (failure.get() != null) { failure.get().printStackTrace(System.out); System.exit(1); }
        System.out.println(rounds + " edits, kept state right; refused while nobody ran: " + why);
        System.err.println(rounds + " rounds, " + refused + " refused " + why + ", " + runs + " runs, " + links + " linkage errors");
    }
}
