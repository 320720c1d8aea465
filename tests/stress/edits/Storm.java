// SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.zip.CRC32;
import org.objectweb.asm.tree.*;

/** Some programs of one class loader, the threads that run them, and the thread that edits their classes. */
final class Storm {
    final String what; // packages of the programs
    final ClassLoader loader;
    final List<Worker> workers = new ArrayList<>();

    /** packages: as in a pattern of names. */
    Storm(ClassLoader loader, String packages, long seed, String... programs) throws Exception {
        this.loader = loader;
        what = packages;
        this.seed = seed;
        for (String n : programs) workers.add(new Worker(n));
        m = new Mutator(new Random(seed), targets());
    }
    final long seed;

    /** Edits until the time is over, then undoes them all. */
    void run(java.util.function.BooleanSupplier over) throws Throwable {
        for (Worker w : workers) w.start();
        while (!over.getAsBoolean() && EditStorm.wrong.isEmpty()) step(seed);
        stop = true;
        for (Worker w : workers) w.join();
        if (EditStorm.wrong.isEmpty()) toTheBeginning();
        for (Worker w : workers) if (EditStorm.wrong.isEmpty()) round(w.getName(), w.program, w.answer);
        if (!EditStorm.wrong.isEmpty()) synchronized (Storm.class) { history.forEach(System.err::println); }
    }

    // ---- the threads ----

    final ReentrantReadWriteLock standing = new ReentrantReadWriteLock(true);
    volatile boolean stop;

    static String sum(String answer) {
        CRC32 c = new CRC32();
        c.update(answer.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(c.getValue());
    }
    void round(String name, Callable<String> p, String answer) {
        String got;
        try {
            got = p.call();
        } catch (Throwable e) {
            e.printStackTrace();
            EditStorm.fail(name + ": " + e);
            return;
        }
        if (!got.equals(answer)) EditStorm.fail(name + " answers\n" + got + "\nnot\n" + answer);
        int[] d = EditStorm.depth.get();
        if (d[0] != 0) EditStorm.fail(name + ": " + d[0] + " methods entered and not left");
        d[0] = 0;
        EditStorm.rounds.incrementAndGet();
    }
    final class Worker extends Thread {
        final Callable<String> program; // its own class may be of another loader
        final String answer;
        @SuppressWarnings("unchecked") Worker(String name) throws Exception {
            super(name);
            Method make = Class.forName("Programs", true, loader).getMethod("byName", String.class);
            make.setAccessible(true);
            program = (Callable<String>) make.invoke(null, name);
            answer = program.call();
            program.call();
        }
        @Override public void run() {
            while (!stop && EditStorm.wrong.isEmpty()) {
                standing.readLock().lock();
                try { round(getName(), program, answer); } finally { standing.readLock().unlock(); }
            }
        }
    }

    // ---- the classes ----

    boolean isOfPrograms(Class<?> c) {
        return c.getClassLoader() == loader && c.getName().matches(what) && !c.isArray() && !c.isHidden();
    }
    Map<String, Mutator.Target> targets() throws Exception {
        Map<String, Mutator.Target> found = new TreeMap<>();
        for (Class<?> c : EditStorm.loaded()) if (isOfPrograms(c)) c.getNestMembers(); // none may come later with names of before
        for (Class<?> c : EditStorm.loaded()) {
            if (!isOfPrograms(c)) continue;
            try (InputStream in = loader.getResourceAsStream(c.getName().replace('.', '/') + ".class")) {
                if (in != null) found.put(c.getName().replace('.', '/'), new Mutator.Target(c, in.readAllBytes()));
            }
        }
        return found;
    }

    // ---- edits ----

    final Mutator m;
    static final Map<String, Integer> accepted = new java.util.concurrent.ConcurrentSkipListMap<>(), refused = new java.util.concurrent.ConcurrentSkipListMap<>();
    int batches;
    final Deque<String> history = new ArrayDeque<>();

    /** Classes that change in one call. */
    final class Batch {
        final Map<String, ClassNode> nodes = new LinkedHashMap<>();
        final Map<String, byte[]> bytes = new LinkedHashMap<>();
        final EnumMap<Mutator.Edit, Integer> edits = new EnumMap<>(Mutator.Edit.class);
        boolean shuffle;

        ClassNode node(Mutator.Target t) { return nodes.computeIfAbsent(t.name, k -> Mutator.read(t.now)); }
        void count(Mutator.Edit e) { edits.merge(e, 1, Integer::sum); }
        void write() { nodes.forEach((k, n) -> bytes.put(k, m.write(n, shuffle))); }

        String send(boolean dry) {
            Class<?>[] c = new Class<?>[bytes.size()];
            byte[][] b = new byte[c.length][];
            int i = 0;
            for (Map.Entry<String, byte[]> e : bytes.entrySet()) {
                c[i] = m.targets.get(e.getKey()).type;
                b[i++] = e.getValue();
            }
            return EditStorm.redefine(c, b, dry);
        }
        void took() {
            bytes.forEach((k, b) -> {
                Mutator.Target t = m.targets.get(k);
                t.now = b;
                Set<String> needs = new TreeSet<>();
                for (String g : Mutator.groups(Mutator.read(b))) if (g.indexOf('.') > 0) needs.add(g);
                t.needs = needs;
            });
            edits.forEach((e, n) -> accepted.merge(e.name(), n, Integer::sum));
        }
    }

    /** Reasons that the manual gives for refusing such an edit. */
    boolean mayRefuse(Batch b, String why) {
        if (why.contains("ANONYMOUS")) return hasAnonymousSiblings(b);
        boolean out = b.edits.containsKey(Mutator.Edit.SUPER_OUT) || b.edits.containsKey(Mutator.Edit.UNDO);
        return out && why.matches("(?s).*(VALUE_ON_STACK|VALUE_IN_HEAP|RELIED_UPON).*");
    }
    /** Two small ones that are edited together can look as if they had exchanged numbers. */
    boolean hasAnonymousSiblings(Batch b) {
        Set<String> outer = new HashSet<>();
        for (String name : b.bytes.keySet())
            if (Mutator.isAnonymous(name) && !outer.add(name.replaceAll("\\$[0-9]+$", ""))) return true;
        return false;
    }
    boolean submit(Batch b, boolean quiet) throws Exception {
        String expected = quiet && m.r.nextInt(8) == 0 ? String.valueOf(b.send(true)) : null, why = b.send(false);
        note((quiet ? "quiet " : "live ") + b.edits + " " + b.bytes.keySet() + (why == null ? "" : " " + why));
        if (expected != null && !expected.equals(String.valueOf(why))) EditStorm.fail("dry run: " + expected + ", then " + why);
        if (why == null) {
            b.took();
            return true;
        }
        refused.merge(why.replaceAll(":.*", "") + " of " + b.edits.keySet(), 1, Integer::sum);
        if (!mayRefuse(b, why)) {
            EditStorm.fail("refused: " + why + " " + b.edits);
            if (keep != null)
                for (Map.Entry<String, byte[]> e : b.bytes.entrySet()) {
                    Path at = keep.resolve(e.getKey().replace('/', '.') + ".class");
                    Files.createDirectories(keep);
                    Files.write(at, e.getValue());
                }
        }
        return false;
    }
    static Path keep;
    void note(String what) {
        history.add(batches + " " + what);
        if (history.size() > 40) history.remove();
    }

    /** Classes that can only go back together: nests, and classes with the superclasses that were put above them. */
    Set<Mutator.Target> familyOf(Mutator.Target t) {
        Set<Mutator.Target> all = new LinkedHashSet<>();
        Deque<Mutator.Target> open = new ArrayDeque<>(List.of(t));
        for (Mutator.Target x; (x = open.poll()) != null; ) {
            if (!all.add(x)) continue;
            open.addAll(nestOf(x));
            if (x.middle != null) open.add(x.middle);
            if (x.below != null) open.add(x.below);
        }
        return all;
    }
    List<Mutator.Target> nestOf(Mutator.Target t) {
        List<Mutator.Target> l = new ArrayList<>();
        for (Class<?> c : t.type.getNestMembers()) {
            Mutator.Target x = m.targets.get(c.getName().replace('.', '/'));
            if (x != null) l.add(x);
        }
        return l;
    }

    void renameMethod(Mutator.Target t) throws Exception {
        MethodNode f = m.methodToRename(Mutator.read(t.now));
        if (f == null) return;
        Batch b = new Batch();
        for (Mutator.Target x : nestOf(t)) b.nodes.put(x.name, Mutator.rename(Mutator.read(x.now), t.name, f.name, f.desc));
        b.count(Mutator.Edit.RENAME_METHOD);
        b.write();
        submit(b, true);
    }

    static final sun.misc.Unsafe U;
    static {
        try {
            java.lang.reflect.Field f = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
            f.setAccessible(true);
            U = (sun.misc.Unsafe) f.get(null);
        } catch (ReflectiveOperationException e) { throw new Error(e); }
    }
    /** By the road that a careful programmer takes: both fields, copy, then the new one alone. */
    @SuppressWarnings("removal")
    void renameField(Mutator.Target t, FieldNode f, int most) throws Throwable {
        ClassNode n = Mutator.read(t.now);
        boolean needed = f.value == null && !U.shouldBeInitialized(t.type), st = Mutator.isStatic(f.access);
        Object[] living = needed && !st ? EditStorm.instances(t.type) : new Object[0];
        if (living.length > most) return;
        if (needed) {
            Batch first = new Batch();
            first.bytes.put(t.name, m.migration(n, f));
            if (!submit(first, true)) return;
            var lookup = java.lang.invoke.MethodHandles.privateLookupIn(t.type, java.lang.invoke.MethodHandles.lookup());
            var type = st ? java.lang.invoke.MethodType.methodType(void.class) : java.lang.invoke.MethodType.methodType(void.class, Object.class);
            var copy = lookup.findStatic(t.type, "$migrate", type);
            if (st) copy.invoke();
            for (Object o : living) copy.invoke(o);
        }
        Batch b = new Batch();
        for (Mutator.Target x : nestOf(t)) b.nodes.put(x.name, Mutator.rename(x == t ? n : Mutator.read(x.now), t.name, f.name, null));
        b.count(Mutator.Edit.RENAME_FIELD);
        b.write();
        submit(b, true);
    }

    boolean isNeeded(Mutator.Target t) {
        ClassNode n = Mutator.read(t.now);
        for (MethodNode x : n.methods) if (m.isNeeded(n, x.name)) return true;
        return false;
    }
    /** Whole nests, because they know each other's private names; renamed fields first, because their values would stay behind. */
    void toOriginal(Collection<Mutator.Target> some, boolean evenIfNeeded) throws Throwable {
        Batch b = new Batch();
        for (Mutator.Target any : some) {
            Set<Mutator.Target> nest = familyOf(any);
            boolean needed = false;
            for (Mutator.Target t : nest) needed |= !evenIfNeeded && t.now != t.original && isNeeded(t);
            if (needed) continue;
            for (Mutator.Target t : nest)
                for (FieldNode f : Mutator.read(t.now).fields) if (f.name.endsWith("$r")) renameField(t, f, Integer.MAX_VALUE);
            for (Mutator.Target t : nest) if (t.now != t.original) b.bytes.put(t.name, t.original);
        }
        if (b.bytes.isEmpty()) return;
        b.count(Mutator.Edit.UNDO);
        submit(b, true);
    }

    /** What must be refused, and why. */
    void forbidden(Mutator.Target t) throws Exception {
        Batch b = new Batch();
        ClassNode n = b.node(t);
        String reason;
        if (Mutator.isAnonymous(n.name)) {
            n.interfaces.add(Mutator.MARKER);
            reason = "ANONYMOUS";
        } else if (Mutator.isInterface(n)) {
            return;
        } else {
            boolean any = false;
            for (Mutator.Target x : m.list) any |= x.type.getSuperclass() == t.type;
            if (!any || (n.access & 0x4400) != 0) return;
            n.access |= 0x10;
            reason = "HAS_SUBCLASSES";
        }
        b.write();
        String why = b.send(m.r.nextBoolean());
        note("forbidden " + t.name + " " + why);
        if (why == null || !why.contains(reason)) EditStorm.fail(t.name + ": " + why + " and not " + reason);
        else refused.merge(why.replaceAll(":.*", "") + " as it must", 1, Integer::sum);
    }

    boolean apply(Batch b, Mutator.Target t, ClassNode n, Mutator.Edit e, Set<String> busy) throws Exception {
        if (e != Mutator.Edit.PULL_UP && e != Mutator.Edit.PUSH_DOWN) return m.apply(n, e, busy);
        if (t.middle == null || !n.superName.equals(t.middle.name) || t.type.getSuperclass() != t.middle.type) return false;
        busy.add(t.middle.name);
        return e == Mutator.Edit.PULL_UP ? m.pullUp(n, b.node(t.middle)) : m.pushDown(n, b.node(t.middle));
    }
    void edit(boolean quiet) throws Throwable {
        int size = 1 + m.r.nextInt(m.r.nextInt(3) == 0 ? 20 : 4);
        Set<Mutator.Target> some = new LinkedHashSet<>();
        while (some.size() < size) some.add(m.any(m.list));
        Mutator.Target one = some.iterator().next();
        switch (m.r.nextInt(quiet ? 6 : 30)) {
        case 0: {
            FieldNode f = m.fieldToRename(Mutator.read(one.now));
            if (!quiet) forbidden(one);
            else if (f != null) renameField(one, f, 3000);
            return;
        }
        case 1: if (quiet) { renameMethod(one); return; } break;
        case 2: if (quiet) { toOriginal(some, false); return; } break;
        default: break;
        }
        Batch b = new Batch();
        Set<String> busy = new TreeSet<>();
        for (Mutator.Target t : some) busy.add(t.name);
        Mutator.Edit[] kinds = Mutator.Edit.values();
        for (Mutator.Target t : some) {
            ClassNode n = b.node(t);
            boolean takesAway = quiet && m.r.nextBoolean();
            for (int i = 1 + m.r.nextInt(4); i > 0; i--) {
                Mutator.Edit e;
                do e = kinds[m.r.nextInt(kinds.length)]; while (takesAway && e.live);
                if ((e.live || quiet) && e != Mutator.Edit.UNDO && e != Mutator.Edit.RENAME_FIELD && e != Mutator.Edit.RENAME_METHOD && apply(b, t, n, e, busy)) b.count(e);
            }
        }
        b.shuffle = b.edits.containsKey(Mutator.Edit.POOL);
        try {
            b.write();
        } catch (org.objectweb.asm.MethodTooLargeException | org.objectweb.asm.ClassTooLargeException e) {
            return;
        }
        Map<String, byte[]> old = new HashMap<>();
        for (String k : b.bytes.keySet()) old.put(k, m.targets.get(k).now);
        if (submit(b, quiet) && quiet && m.r.nextInt(6) == 0) undoing(b, old);
    }
    // ---- what was made earlier and leads to members that come and go ----

    /** Of a static method $s0 to $s2: what it answers while it is there; NoSuchMethodError or its kin while it is not. */
    final class Lead {
        final Mutator.Target target;
        final String name;
        final MethodHandle handle;
        final Method method;
        final java.util.function.IntSupplier lambda;
        Lead(Mutator.Target t, String name) throws Throwable {
            target = t;
            this.name = name;
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(t.type, MethodHandles.lookup());
            MethodType type = MethodType.methodType(int.class);
            handle = lookup.findStatic(t.type, name, type);
            method = t.type.getDeclaredMethod(name);
            method.setAccessible(true);
            // a class of another module lends no lookup that may make lambdas
            lambda = !lookup.hasFullPrivilegeAccess() ? null : (java.util.function.IntSupplier) java.lang.invoke.LambdaMetafactory.metafactory(lookup, "getAsInt", MethodType.methodType(java.util.function.IntSupplier.class),
                type, handle, type).getTarget().invoke();
        }
        boolean isInherited() {
            for (Class<?> c = target.type.getSuperclass(); c != null; c = c.getSuperclass()) {
                Mutator.Target t = m.targets.get(c.getName().replace('.', '/'));
                if (t != null && Mutator.method(Mutator.read(t.now), name, "()I") != null) return true;
            }
            return false;
        }
        void follow() {
            MethodNode now = Mutator.method(Mutator.read(target.now), name, "()I");
            for (int way = 0; way < (lambda == null ? 2 : 3); way++) {
                int got;
                try {
                    got = way == 0 ? (int) handle.invokeExact() : way == 1 ? (int) method.invoke(null) : lambda.getAsInt();
                } catch (Throwable e) {
                    Throwable why = e instanceof java.lang.reflect.InvocationTargetException ? e.getCause() : e;
                    if (now != null || !(why instanceof IncompatibleClassChangeError)) {
                        e.printStackTrace();
                        EditStorm.fail("way " + way + " to " + target.name + "." + name + (now != null ? "" : ", which is gone") + ": " + e);
                    }
                    continue;
                }
                if (now == null && way > 0 && isInherited()) continue; // code that names it finds that of a superclass
                if (now == null || got != 7 * (name.charAt(2) - '0') + 1)
                    EditStorm.fail("way " + way + " to " + target.name + "." + name + (now != null ? "" : ", which is gone") + " answers " + got);
            }
        }
    }
    static final int MOST_LEADS = 40;
    final List<Lead> leads = new ArrayList<>();
    void lead() throws Throwable {
        for (int i = 0; i < 3 && !leads.isEmpty(); i++) m.any(leads).follow();
        Mutator.Target t = m.any(m.list);
        for (MethodNode x : Mutator.read(t.now).methods)
            if (x.name.startsWith("$s") && !Mutator.isInterface(Mutator.read(t.now)) && !optional(t)) {
                Lead l = new Lead(t, x.name);
                if (leads.size() < MOST_LEADS) leads.add(l);
                else leads.set(m.r.nextInt(MOST_LEADS), l);
                return;
            }
    }
    /** Reflection cannot be asked about classes that mention what is not here. */
    static boolean optional(Mutator.Target t) {
        try {
            t.type.getDeclaredMethods();
            return false;
        } catch (NoClassDefFoundError e) {
            return true;
        }
    }

    /** The VM's own undo. */
    void undoing(Batch b, Map<String, byte[]> old) {
        List<Class<?>> c = new ArrayList<>();
        for (String k : b.bytes.keySet()) c.add(m.targets.get(k).type);
        String why = EditStorm.undo(c.toArray(new Class<?>[0]));
        note("undone " + why);
        boolean in = b.edits.containsKey(Mutator.Edit.SUPER_IN);
        if (why != null) {
            if (!in || !why.matches("(?s).*(VALUE_ON_STACK|VALUE_IN_HEAP|RELIED_UPON).*")) EditStorm.fail("undo: " + why + " of " + b.edits);
            refused.merge("undo: " + why.replaceAll(":.*", ""), 1, Integer::sum);
            return;
        }
        accepted.merge("undo by the VM", 1, Integer::sum);
        b.bytes.replaceAll((k, x) -> old.get(k));
        b.edits.clear();
        b.took();
    }
    /** The VM's bytes are those that were given. */
    void compare(List<Mutator.Target> some, String when) {
        byte[][] b = EditStorm.bytesOf(some.stream().map(t -> t.type).toArray(Class<?>[]::new));
        for (int i = 0; i < b.length; i++) if (!Arrays.equals(b[i], some.get(i).now)) EditStorm.fail(when + ": other bytes of " + some.get(i).name);
    }

    void step(long seed) throws Throwable {
        m.r.setSeed(seed * 1_000_003 + ++batches);
        EditStorm.batches.incrementAndGet();
        boolean quiet = m.r.nextInt(5) < 2;
        if (quiet) standing.writeLock().lock();
        try {
            edit(quiet);
            if (m.r.nextInt(3) == 0) lead();
            if (m.r.nextInt(10) == 0) compare(List.of(m.any(m.list)), "retransformation");
        } finally {
            if (quiet) standing.writeLock().unlock();
        }
    }

    void toTheBeginning() throws Throwable {
        List<Mutator.Target> all = new ArrayList<>(m.list);
        Collections.shuffle(all, m.r);
        List<Mutator.Target> some = new ArrayList<>();
        Set<Mutator.Target> done = new HashSet<>();
        for (Mutator.Target t : all) {
            if (done.addAll(familyOf(t))) some.add(t);
            if (some.size() < 50 && done.size() < all.size()) continue;
            toOriginal(some, true);
            some.clear();
        }
        toOriginal(all, true);
        compare(all, "end");
        for (Lead l : leads) l.follow();
        for (Mutator.Target t : all) {
            if (t.now != t.original) EditStorm.fail(t.name + " is not as it was");
            members(t);
        }
    }
    void members(Mutator.Target t) {
        ClassNode n = Mutator.read(t.original);
        Set<String> a = new TreeSet<>(), b = new TreeSet<>();
        for (MethodNode x : n.methods) if (!x.name.startsWith("<")) a.add(x.name + (x.access & 0xffff)); // ASM has flags of its own above
        for (FieldNode x : n.fields) a.add(x.name + (x.access & 0xffff));
        try {
            for (java.lang.reflect.Method x : t.type.getDeclaredMethods()) b.add(x.getName() + x.getModifiers());
            for (java.lang.reflect.Field x : t.type.getDeclaredFields()) b.add(x.getName() + x.getModifiers());
        } catch (NoClassDefFoundError e) {
            b = a; // optional parts of the program are not here
        }
        if (!a.equals(b)) EditStorm.fail(t.name + " has " + b + " and not " + a);
        if (t.type.getSuperclass() != null && !t.type.getSuperclass().getName().replace('.', '/').equals(n.superName) && !t.type.isInterface())
            EditStorm.fail(t.name + " extends " + t.type.getSuperclass());
    }
}
