// SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.zip.CRC32;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.*;

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
    static native byte[][] bytesOf(Class<?>[] c);
    static native Class<?>[] loaded();
    static native Object[] instances(Class<?> c);

    // ---- what the added code calls ----

    static final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    static final AtomicLong checks = new AtomicLong();
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

    // ---- the threads ----

    static final ReentrantReadWriteLock standing = new ReentrantReadWriteLock(true);
    static final AtomicLong rounds = new AtomicLong();
    static volatile boolean stop;

    static String sum(String answer) {
        CRC32 c = new CRC32();
        c.update(answer.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(c.getValue());
    }
    static void round(String name, Programs p, String answer) {
        String got;
        try {
            got = p.round();
        } catch (Throwable e) {
            e.printStackTrace();
            fail(name + ": " + e);
            return;
        }
        if (!got.equals(answer)) fail(name + " answers\n" + got + "\nnot\n" + answer);
        int[] d = depth.get();
        if (d[0] != 0) fail(name + ": " + d[0] + " methods entered and not left");
        d[0] = 0;
        rounds.incrementAndGet();
    }
    static final class Worker extends Thread {
        final Programs program;
        final String answer;
        Worker(String name) throws Exception {
            super(name);
            program = Programs.byName(name);
            answer = program.round();
            program.round();
        }
        @Override public void run() {
            while (!stop && wrong.isEmpty()) {
                standing.readLock().lock();
                try { round(getName(), program, answer); } finally { standing.readLock().unlock(); }
            }
        }
    }

    // ---- the classes ----

    static boolean isOfPrograms(Class<?> c) {
        String n = c.getName();
        return (n.startsWith("org.h2.") || n.startsWith("org.mozilla.javascript.")) && !c.isArray() && !c.isHidden() && c.getClassLoader() == EditStorm.class.getClassLoader();
    }
    static Map<String, Mutator.Target> targets() throws Exception {
        Map<String, Mutator.Target> found = new TreeMap<>();
        for (Class<?> c : loaded()) if (isOfPrograms(c)) c.getNestMembers(); // none may come later with names of before
        for (Class<?> c : loaded()) {
            if (!isOfPrograms(c)) continue;
            try (InputStream in = EditStorm.class.getResourceAsStream("/" + c.getName().replace('.', '/') + ".class")) {
                if (in != null) found.put(c.getName().replace('.', '/'), new Mutator.Target(c, in.readAllBytes()));
            }
        }
        return found;
    }

    // ---- edits ----

    static Mutator m;
    static final Map<String, Integer> accepted = new TreeMap<>(), refused = new TreeMap<>();
    static int batches;
    static final Deque<String> history = new ArrayDeque<>();

    /** Classes that change in one call. */
    static final class Batch {
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
            return redefine(c, b, dry);
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
    static boolean mayRefuse(Batch b, String why) {
        boolean out = b.edits.containsKey(Mutator.Edit.SUPER_OUT) || b.edits.containsKey(Mutator.Edit.UNDO);
        return out && why.matches("(?s).*(VALUE_ON_STACK|VALUE_IN_HEAP|RELIED_UPON).*");
    }
    static boolean submit(Batch b, boolean quiet) throws Exception {
        String expected = quiet && m.r.nextInt(8) == 0 ? String.valueOf(b.send(true)) : null, why = b.send(false);
        note((quiet ? "quiet " : "live ") + b.edits + " " + b.bytes.keySet() + (why == null ? "" : " " + why));
        if (expected != null && !expected.equals(String.valueOf(why))) fail("dry run: " + expected + ", then " + why);
        if (why == null) {
            b.took();
            return true;
        }
        refused.merge(why.replaceAll(":.*", "") + " of " + b.edits.keySet(), 1, Integer::sum);
        if (!mayRefuse(b, why)) {
            fail("refused: " + why + " " + b.edits);
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
    static void note(String what) {
        history.add(batches + " " + what);
        if (history.size() > 40) history.remove();
    }

    static List<Mutator.Target> nestOf(Mutator.Target t) {
        List<Mutator.Target> l = new ArrayList<>();
        for (Class<?> c : t.type.getNestMembers()) {
            Mutator.Target x = m.targets.get(c.getName().replace('.', '/'));
            if (x != null) l.add(x);
        }
        return l;
    }

    static void renameMethod(Mutator.Target t) throws Exception {
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
    static void renameField(Mutator.Target t, FieldNode f, int most) throws Throwable {
        ClassNode n = Mutator.read(t.now);
        boolean needed = f.value == null && !U.shouldBeInitialized(t.type), st = Mutator.isStatic(f.access);
        Object[] living = needed && !st ? instances(t.type) : new Object[0];
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

    static boolean isNeeded(Mutator.Target t) {
        ClassNode n = Mutator.read(t.now);
        for (MethodNode x : n.methods) if (m.isNeeded(n, x.name)) return true;
        return false;
    }
    /** Whole nests, because they know each other's private names; renamed fields first, because their values would stay behind. */
    static void toOriginal(Collection<Mutator.Target> some, boolean evenIfNeeded) throws Throwable {
        Batch b = new Batch();
        for (Mutator.Target any : some) {
            List<Mutator.Target> nest = nestOf(any);
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
    static void forbidden(Mutator.Target t) throws Exception {
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
        if (why == null || !why.contains(reason)) fail(t.name + ": " + why + " and not " + reason);
        else refused.merge(why.replaceAll(":.*", "") + " as it must", 1, Integer::sum);
    }

    static void edit(boolean quiet) throws Throwable {
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
                if ((e.live || quiet) && e != Mutator.Edit.UNDO && e != Mutator.Edit.RENAME_FIELD && e != Mutator.Edit.RENAME_METHOD && m.apply(n, e, busy)) b.count(e);
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
    /** The VM's own undo. */
    static void undoing(Batch b, Map<String, byte[]> old) {
        List<Class<?>> c = new ArrayList<>();
        for (String k : b.bytes.keySet()) c.add(m.targets.get(k).type);
        String why = undo(c.toArray(new Class<?>[0]));
        note("undone " + why);
        boolean in = b.edits.containsKey(Mutator.Edit.SUPER_IN);
        if (why != null) {
            if (!in || !why.matches("(?s).*(VALUE_ON_STACK|VALUE_IN_HEAP|RELIED_UPON).*")) fail("undo: " + why + " of " + b.edits);
            refused.merge("undo: " + why.replaceAll(":.*", ""), 1, Integer::sum);
            return;
        }
        accepted.merge("undo by the VM", 1, Integer::sum);
        b.bytes.replaceAll((k, x) -> old.get(k));
        b.edits.clear();
        b.took();
    }
    /** The VM's bytes are those that were given. */
    static void compare(List<Mutator.Target> some, String when) {
        byte[][] b = bytesOf(some.stream().map(t -> t.type).toArray(Class<?>[]::new));
        for (int i = 0; i < b.length; i++) if (!Arrays.equals(b[i], some.get(i).now)) fail(when + ": other bytes of " + some.get(i).name);
    }

    static void step(long seed) throws Throwable {
        m.r.setSeed(seed * 1_000_003 + ++batches);
        boolean quiet = m.r.nextInt(5) < 2;
        if (quiet) standing.writeLock().lock();
        try {
            edit(quiet);
            if (m.r.nextInt(10) == 0) compare(List.of(m.any(m.list)), "retransformation");
        } finally {
            if (quiet) standing.writeLock().unlock();
        }
    }

    static void toTheBeginning() throws Throwable {
        List<Mutator.Target> all = new ArrayList<>(m.list);
        Collections.shuffle(all, m.r);
        List<Mutator.Target> some = new ArrayList<>();
        Set<Mutator.Target> done = new HashSet<>();
        for (Mutator.Target t : all) {
            if (done.addAll(nestOf(t))) some.add(t);
            if (some.size() < 50 && done.size() < all.size()) continue;
            toOriginal(some, true);
            some.clear();
        }
        toOriginal(all, true);
        compare(all, "end");
        for (Mutator.Target t : all) {
            if (t.now != t.original) fail(t.name + " is not as it was");
            members(t);
        }
    }
    static void members(Mutator.Target t) {
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
        if (!a.equals(b)) fail(t.name + " has " + b + " and not " + a);
        if (t.type.getSuperclass() != null && !t.type.getSuperclass().getName().replace('.', '/').equals(n.superName) && !t.type.isInterface())
            fail(t.name + " extends " + t.type.getSuperclass());
    }

    // ---- memory ----

    static long residentKb() throws Exception {
        for (String l : Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1))
            if (l.startsWith("VmRSS")) return Long.parseLong(l.replaceAll("[^0-9]", ""));
        throw new Error();
    }

    public static void main(String[] args) throws Throwable {
        if (args[0].equals("results")) {
            for (String n : Programs.NAMES) System.out.println(n + " " + sum(Programs.byName(n).round()));
            return;
        }
        double seconds = Double.parseDouble(args[1]);
        long seed = Long.parseLong(args[2]), span = (long) (seconds * 1e9);
        keep = System.getProperty("edits.keep") == null ? null : Path.of(System.getProperty("edits.keep"));
        System.err.println("seed " + seed);
        List<Worker> workers = new ArrayList<>();
        for (String n : Programs.NAMES) workers.add(new Worker(n));
        m = new Mutator(new Random(seed), targets());
        System.err.println(m.list.size() + " classes");
        for (Worker w : workers) w.start();
        long start = System.nanoTime(), next = span / 20, first = Long.MAX_VALUE, last = Long.MAX_VALUE;
        int firstClasses = Integer.MAX_VALUE, lastClasses = Integer.MAX_VALUE;
        for (long at; (at = System.nanoTime() - start) < span && wrong.isEmpty(); ) {
            step(seed);
            if (at < next) continue;
            next += span / 20;
            long kb = residentKb();
            int classes = loaded().length;
            if (at < span / 3) { first = Math.min(first, kb); firstClasses = Math.min(firstClasses, classes); }
            else if (at > span * 2 / 3) { last = Math.min(last, kb); lastClasses = Math.min(lastClasses, classes); }
            if (args.length > 3)
                System.err.printf("%6.0f s %8d KB %6d classes %7d edits %8d rounds %10d checks; %s%n", at / 1e9, kb, classes, batches, rounds.get(), checks.get(), report());
        }
        stop = true;
        for (Worker w : workers) w.join();
        if (wrong.isEmpty()) toTheBeginning();
        for (Worker w : workers) if (wrong.isEmpty()) round(w.getName(), w.program, w.answer);
        System.err.println("accepted " + accepted + "\nrefused " + refused + "\n" + batches + " batches, " + rounds + " rounds, " + checks + " checks, classes "
            + firstClasses + " -> " + lastClasses + ", " + first + " -> " + last + " KB, seed " + seed);
        if (!wrong.isEmpty()) {
            history.forEach(System.err::println);
            System.out.println("wrong: " + wrong.get(0));
            System.exit(1);
        }
        for (Worker w : workers) System.out.println(w.getName() + " " + sum(w.answer));
        System.out.println(batches > 10 && accepted.size() > 5 && rounds.get() > 5 && checks.get() > 100 ? "edits right" : "too few: " + batches + " " + accepted);
        System.out.println(seconds < 900 || last < first + first / 10 + 8192 && lastClasses < firstClasses + 500 ? "flat" : "grew: classes " + firstClasses + " -> " + lastClasses
            + ", " + first + " -> " + last + " KB");
        System.exit(0);
    }
}
