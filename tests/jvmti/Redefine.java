// SPDX-License-Identifier: Apache-2.0
// options: one of the parts in main
import java.lang.invoke.*;
import java.lang.reflect.*;
import java.io.*;
import java.util.*;
import java.util.concurrent.atomic.*;

public class Redefine {
    static native String redefine(Class<?>[] classes, byte[][] files);
    static native String retransform(Class<?>... classes);
    static native void arguments(Class<?> plain, Class<?> array, Class<?> primitive, Class<?> hidden, Object other);
    static native void frames(int from, int count);
    static native void keepFrame(int slot, int depth);
    static native void keepMethod(int slot, Object method);
    static native void sayKept(int slot);
    static native int callKept(int slot, Object receiver, int x);
    static native void classFacts(Class<?> k);
    static native String setBreak(int slot, long at);
    static native String clearBreak(int slot, long at);
    static native String[] damages();
    static native byte[] damage(byte[] file, int first, int second);
    static native void decline(String letters);
    static native String retransformFrom(char letter, Class<?> k);
    static native void redefineInHook(String trigger, Class<?> k, byte[] file);

    static Runnable during = () -> { };

    static void say(String s) { System.out.println(s); System.out.flush(); }

    static byte[] file(String folder, String name) {
        try (InputStream in = new FileInputStream(folder + "/" + name + ".class")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
    static byte[] v1(Class<?> k) { return file("classes", k.getName()); }
    static byte[] v2(Class<?> k) { return file("classes2", k.getName()); }
    static String to1(Class<?>... ks) { return to("classes", ks); }
    static String to2(Class<?>... ks) { return to("classes2", ks); }
    static String to(String folder, Class<?>... ks) {
        byte[][] files = new byte[ks.length][];
        for (int i = 0; i < ks.length; i++) files[i] = file(folder, ks[i].getName());
        return redefine(ks, files);
    }

    /* --- errors: each damage alone and in pairs --- */
    static void errors(Class<?> k, boolean pairs) {
        byte[] good = v1(k);
        String[] names = damages();
        for (int i = 0; i < names.length; i++) {
            byte[] bad = damage(good, i, -1);
            say(k.getName() + " " + names[i] + ": " + redefine(new Class<?>[] {k}, new byte[][] {bad}));
            for (int j = i + 1; pairs && j < names.length; j++) {
                /* of two differing methods the first in the VM's own order counts */
                if (names[i].startsWith("method") && names[j].startsWith("method")) continue;
                bad = damage(good, i, j);
                say(names[i] + " + " + names[j] + ": " + redefine(new Class<?>[] {k}, new byte[][] {bad}));
            }
        }
    }
    static int index(String name) { return Arrays.asList(damages()).indexOf(name); }
    static void errors(boolean pairs) throws Exception {
        new Sub().use();
        errors(Victim.class, pairs);
        say("still " + new Sub().use() + " " + Victim.CONSTANT + " " + redefine(new Class<?>[] {Victim.class}, new byte[][] {v1(Victim.class)}));
        /* the first refusal of the array decides, nothing changes */
        String[] some = {"version_99", "other_name", "field_more", "method_less", "verify", "source_file"};
        for (String a : some)
            for (String b : some)
                say(a + ", " + b + ": " + redefine(new Class<?>[] {Changing.class, Victim.class, Victim.class},
                    new byte[][] {v2(Changing.class), damage(v1(Victim.class), index(a), -1), damage(v1(Victim.class), index(b), -1)})
                    + " " + Changing.changedStatic() + " " + to1(Changing.class));
        for (Class<?> k : new Class<?>[] {Rec.class, Shape.class, One.class, Victim.Inner.class})
            for (String d : new String[] {"record_none", "permitted", "nest_host", "nest_members_none", "class_final",
                    "interface_more", "source_file"})
                say(k.getName() + " " + d + ": " + redefine(new Class<?>[] {k}, new byte[][] {damage(v1(k), index(d), -1)}));
        try { say("" + Failing.f()); } catch (Throwable t) { say("" + t); }
        say("failed class: " + to2(Failing.class) + " " + retransform(Failing.class));
        Runnable hidden = () -> { };
        arguments(Victim.class, int[].class, int.class, hidden.getClass(), "text");
        /* a boot class is not verified, here as there */
        say("boot class twice: " + to("classes", Base.class, Base.class));
    }

    /* --- use: everything that reaches a method --- */
    static void use() throws Throwable {
        Changing c = new Changing();
        MethodHandles.Lookup l = MethodHandles.privateLookupIn(Changing.class, MethodHandles.lookup());
        MethodType str = MethodType.methodType(String.class);
        MethodHandle virt = l.findVirtual(Changing.class, "changed", str), stat = l.findStatic(Changing.class, "changedStatic", str);
        MethodHandle priv = l.findSpecial(Changing.class, "priv", str, Changing.class), fin = l.findVirtual(Changing.class, "fin", str);
        MethodHandle bound = virt.bindTo(c);
        MethodHandle old = l.unreflect(Changing.class.getDeclaredMethod("number", int.class));
        Method rv = Changing.class.getDeclaredMethod("changed"), rs = Changing.class.getDeclaredMethod("changedStatic");
        Runnable lambda = c.lambda();
        One one = new Sub();
        Shaped a = new ShapedA(), b = new ShapedB();
        keepMethod(0, Changing.class.getDeclaredMethod("number", int.class));
        int hash = System.identityHashCode(Changing.class), field = c.seven = 8;
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < 30; i++) {
                String s = c.changed() + "," + Changing.changedStatic() + "," + c.callPriv() + "," + c.concat(i) + "," + c.number(1)
                    + "," + (String) virt.invokeExact(c) + "," + (String) stat.invokeExact() + "," + (String) priv.invokeExact(c)
                    + "," + (String) fin.invokeExact(c) + "," + bound.invoke() + "," + old.invoke(c, 5) + "," + rv.invoke(c) + "," + rs.invoke(null)
                    + "," + callKept(0, c, 10) + "," + one.one() + "," + Two.two() + "," + a.twice() + b.twice() + b + "," + c.same(1);
                if (i % 10 == 0) say(s);
            }
            lambda.run();
            c.lambda().run();
            say((round % 2 == 0 ? to2(Changing.class, One.class, Two.class, Shaped.class, ShapedA.class, ShapedB.class)
                                : to1(Changing.class, One.class, Two.class, Shaped.class, ShapedA.class, ShapedB.class)));
            say("method " + rv + " " + Changing.class.getDeclaredMethod("changed").equals(rv) + " annotations "
                + Changing.class.getDeclaredMethod("same", int.class).isAnnotationPresent(Deprecated.class));
        }
        say("" + (hash == System.identityHashCode(Changing.class)) + " " + c.seven + " " + field + " " + to2(Victim.class, Base.class, Sub.class));
        for (Method m : sorted(Changing.class.getDeclaredMethods())) say("  " + m);
        classFacts(Base.class);
        say("source file: " + redefine(new Class<?>[] {Victim.class}, new byte[][] {damage(v1(Victim.class), index("source_file"), -1)}));
        classFacts(Victim.class);
        say("methods swapped: " + redefine(new Class<?>[] {Victim.class}, new byte[][] {damage(v1(Victim.class), index("method_swap"), -1)})
            + " " + new Sub().use());
        say("older version: " + redefine(new Class<?>[] {Victim.class}, new byte[][] {damage(v1(Victim.class), index("version_52"), -1)}));
        classFacts(Victim.class);
        say("constant: " + redefine(new Class<?>[] {Victim.class}, new byte[][] {damage(v1(Victim.class), index("constant_value"), -1)})
            + " " + Victim.class.getDeclaredField("CONSTANT").get(null));
        say(to2(Unlinked.class) + " " + Unlinked.f());
    }
    static Method[] sorted(Method[] v) { Arrays.sort(v, Comparator.comparing(Method::toString)); return v; }

    /* --- noted: annotations of reflection objects that were made for another version --- */
    static void noted() throws Exception {
        Mark early = Noted.class.getAnnotation(Mark.class);
        for (int round = 0; round < 4; round++) {
            Method a = Noted.class.getDeclaredMethod("marked", int.class, Object.class), b = Noted.class.getDeclaredMethod("marked", int.class, Object.class);
            Field f = Noted.class.getDeclaredField("field");
            Constructor<?> c = Noted.class.getDeclaredConstructor();
            Method d = Deep.class.getDeclaredMethod("value");
            say(new Noted().first(1) + " " + (round % 2 == 0 ? to2(Noted.class, Deep.class) : to1(Noted.class, Deep.class)));
            say(Arrays.toString(a.getAnnotations()) + Arrays.deepToString(a.getParameterAnnotations()));
            say(Arrays.toString(f.getAnnotations()) + Arrays.toString(c.getAnnotations()) + d.getDefaultValue());
            if (round == 1) say(to2(Noted.class) + to1(Noted.class));
            say(Arrays.toString(b.getAnnotations()) + Arrays.deepToString(b.getParameterAnnotations()));
            say(Arrays.toString(Noted.class.getDeclaredMethod("marked", int.class, Object.class).getAnnotations()) + Noted.class.getAnnotation(Mark.class).equals(early));
        }
        /* twice in one call; and in a hook of the call */
        byte[] one = v1(Noted.class), two = v2(Noted.class);
        for (byte[][] files : new byte[][][] {{one, two}, {one, one}, {two, two}, {two, one}, {one, two, one, two}})
            notedWhile(() -> redefine(Collections.nCopies(files.length, Noted.class).toArray(new Class<?>[0]), files));
        notedWhile(() -> to1(Noted.class, Deep.class));
        redefineInHook("Deep", Noted.class, two);
        notedWhile(() -> to1(Noted.class, Deep.class));
        notedWhile(() -> to2(Noted.class, Deep.class));
    }
    static void notedWhile(java.util.function.Supplier<String> change) throws Exception {
        Method a = Noted.class.getDeclaredMethod("marked", int.class, Object.class);
        Field f = Noted.class.getDeclaredField("field");
        say(change.get() + " " + new Noted().first(1));
        say(Arrays.toString(a.getAnnotations()) + Arrays.deepToString(a.getParameterAnnotations()) + Arrays.toString(f.getAnnotations()));
    }

    /* --- active: frames of old code --- */
    static void active() throws Exception {
        Changing c = new Changing();
        for (int i = 0; i < 3; i++) {
            say(c.active(() -> { keepFrame(1, 3); sayKept(1); frames(2, 3); say(to2(Changing.class)); frames(2, 3); keepFrame(2, 3); sayKept(1); sayKept(2); }));
            sayKept(1);
            say(c.active(() -> { keepFrame(3, 3); say(to1(Changing.class)); frames(2, 3); say(to2(Changing.class)); frames(2, 3); sayKept(3);
                say(to1(Changing.class)); frames(2, 3); }));
        }
        say("" + c.activeSame(() -> { keepFrame(4, 3); say(to2(Changing.class)); frames(2, 3); sayKept(4); }));
        sayKept(4);
        say(c.locked(() -> say(to1(Changing.class))));
        /* nested versions on one stack */
        say(c.active(() -> { say(to2(Changing.class)); say(c.active(() -> { say(to1(Changing.class)); say(c.active(() -> frames(2, 12))); })); }));
        during = () -> say(to2(Clinit.class));
        say(Clinit.WHEN + ", " + Clinit.log + ", " + Clinit.after());
        during = () -> { };
    }

    /* --- break: breakpoints --- */
    static void breakpoints() throws Exception {
        Changing c = new Changing();
        keepMethod(0, Changing.class.getDeclaredMethod("same", int.class));
        keepMethod(1, Changing.class.getDeclaredMethod("changed"));
        for (int round = 0; round < 2; round++) {
            say(setBreak(0, 0) + " " + setBreak(1, 0) + " " + setBreak(1, 0));
            say(c.same(1) + c.changed());
            say(to2(Changing.class));
            say(c.same(1) + c.changed());
            say(clearBreak(0, 0) + " " + clearBreak(1, 0) + " " + setBreak(0, 0) + " " + setBreak(1, 0));
            say(c.same(1) + c.changed());
            say(clearBreak(0, 0) + " " + clearBreak(1, 0));
            say(to1(Changing.class));
        }
        /* set while an equivalent and a changed method are active */
        say("" + c.activeSame(() -> { keepFrame(2, 3); say(to2(Changing.class)); say(setBreak(2, 6)); }));
        say(clearBreak(2, 6));
    }

    /* --- chain --- */
    static void chain(String letters) {
        say(Chained.text());
        for (String d : new String[] {"", "a", "A", "AB", "ABCD", "abcd", "abcdABCD", "B", ""}) {
            decline(d);
            say("declining " + d + ": " + retransform(Chained.class) + " " + Chained.text());
        }
        decline("ABCD");
        say(retransform(Chained.class) + " " + Chained.text());
        decline("");
        for (int i = 0; i < letters.length(); i++)
            say(letters.charAt(i) + " asks: " + retransformFrom(letters.charAt(i), Chained.class) + " " + Chained.text());
        decline("abcdABCD");
        say(retransform(Chained.class) + " " + Chained.text());
        for (String d : new String[] {"", "A", "abcdABCD"}) {
            decline(d);
            say("redefine, declining " + d + ": " + to1(Chained.class) + " " + Chained.text());
        }
    }

    /* --- hooks: redefinition inside a hook --- */
    static void hooks() throws Exception {
        redefineInHook("Unlinked", Changing.class, v2(Changing.class));
        say(Changing.changedStatic());
        say(Unlinked.f() + " " + Changing.changedStatic());
        redefineInHook("Changing", Changing.class, v1(Changing.class));
        say(to2(Changing.class) + " " + Changing.changedStatic());
        redefineInHook("Changing", Changing.class, v2(Changing.class));
        say(retransform(Changing.class) + " " + Changing.changedStatic());
        say(to1(Changing.class) + " " + Changing.changedStatic());
    }

    /* --- jdk: classes that everything uses --- */
    static void jdk() throws Exception {
        Class<?>[] ks = {Object.class, String.class, Class.class, Thread.class, HashMap.class, ArrayList.class, Integer.class, System.class,
            Method.class, Throwable.class, StringBuilder.class, ClassLoader.class, MethodHandle.class, VarHandle.class, Reference(), List.class,
            Runnable.class, Comparable.class, CharSequence.class, Class.forName("java.lang.invoke.LambdaForm"), Class.forName("java.lang.invoke.MethodHandleNatives"),
            Class.forName("java.lang.invoke.Invokers$Holder"), Class.forName("jdk.internal.misc.Unsafe"), Math.class, Exception.class, NullPointerException.class};
        for (int i = 0; i < 3; i++) {
            for (Class<?> k : ks) {
                String r = retransform(k);
                if (!r.equals("NONE")) say(k + " " + r);
            }
            say(retransform(ks));
            Map<String, Integer> m = new TreeMap<>();
            for (int k = 0; k < 500; k++) m.merge("key" + k % 50, k, Integer::sum);
            say(m.toString().hashCode() + " " + String.format("%05d %s", i, List.of(1, 2)) + " " + Math.max(3, i));
            try { Object o = null; o.hashCode(); } catch (NullPointerException e) { say("" + e.getMessage() + e.getStackTrace()[0].getMethodName()); }
            Thread t = new Thread(() -> say("in thread " + Thread.currentThread().isAlive()));
            t.start();
            t.join();
        }
    }
    static Class<?> Reference() { return java.lang.ref.Reference.class; }

    /* --- storm: changed and undone while threads run them --- */
    static volatile boolean stop;
    static void storm(int rounds, int threads) throws Exception {
        AtomicLong wrong = new AtomicLong(), done = new AtomicLong();
        List<Thread> ts = new ArrayList<>();
        Shaped[] shapes = {new ShapedA(), new ShapedB()};
        for (int k = 0; k < threads; k++) {
            Thread t = new Thread(() -> {
                Changing c = new Changing();
                int[] seen = new int[1];
                while (!stop) {
                    String s = c.changed();
                    if (!s.equals("version1 7") && !s.equals("version2 7")) wrong.incrementAndGet();
                    if (c.same(1) != 8) wrong.incrementAndGet();
                    int n = c.number(1);
                    if (n != 2) wrong.incrementAndGet();
                    int sum = Changing.loop(30);
                    if (sum != 270) wrong.incrementAndGet();
                    String v = shapes[seen[0]++ & 1].twice();
                    if (!v.contains("version") || v.length() != 22) wrong.incrementAndGet();
                    String a = c.active(() -> { });
                    if (!a.matches("version(.) before, version\\1 after, caught version\\1 thrown, now version. 7 version.")) wrong.incrementAndGet();
                    if (!c.locked(() -> { }).endsWith("true")) wrong.incrementAndGet();
                    done.incrementAndGet();
                }
            });
            t.start();
            ts.add(t);
        }
        for (int i = 0; i < rounds; i++) {
            String r = i % 2 == 0 ? to2(Changing.class, Shaped.class, ShapedA.class, ShapedB.class, Base.class)
                                  : to1(Changing.class, ShapedB.class, ShapedA.class, Shaped.class, Base.class);
            if (!r.equals("NONE")) say(r);
            if (i % 50 == 49) retransform(String.class, Object.class, StringBuilder.class);
        }
        while (done.get() < threads * 5) Thread.yield();
        stop = true;
        for (Thread t : ts) t.join();
        say("wrong " + wrong + " now " + Changing.changedStatic());
    }

    /* --- many: memory stays flat --- */
    static long rss() throws IOException {
        try (BufferedReader r = new BufferedReader(new FileReader("/proc/self/status"))) {
            for (String s; (s = r.readLine()) != null; )
                if (s.startsWith("VmRSS")) return Long.parseLong(s.replaceAll("[^0-9]", ""));
        }
        return 0;
    }
    static void many(int rounds) throws Exception {
        byte[][] files = {v2(Changing.class), v1(Changing.class)};
        Changing c = new Changing();
        long before = 0;
        Throwable[] kept = new Throwable[64];
        for (int i = 0; i < rounds; i++) {
            redefine(new Class<?>[] {Changing.class}, new byte[][] {files[i & 1]});
            c.changed();
            c.concat(i);
            if (i % 10 == 0) {
                int k = i;
                c.active(() -> kept[k / 10 % 64] = new Throwable());
            }
            if (i % 500 == 0) System.gc();
            if (i == Math.max(rounds / 5, 640)) before = rss(); // 640 fill the kept traces
        }
        System.gc();
        long grown = rss() - before;
        boolean good = true;
        for (Throwable t : kept) good &= t.getStackTrace()[1].getMethodName().equals("active");
        // a compilation that comes late has some MB to work in, which the C library keeps
        say("traces " + good + ", grown by less than 8 MB: " + (grown < 8192 ? "true" : "false, " + grown + " KB"));
        say(Changing.changedStatic());
    }

    public static void main(String[] args) throws Throwable {
        switch (args[0]) {
        case "errors": errors(false); break;
        case "pairs": new Sub().use(); errors(Victim.class, true); break;
        case "use": use(); break;
        case "noted": noted(); break;
        case "active": active(); break;
        case "break": breakpoints(); break;
        case "chain": chain(args[1]); break;
        case "hooks": hooks(); break;
        case "jdk": jdk(); break;
        case "storm": storm(Integer.parseInt(args[1]), Integer.parseInt(args[2])); break;
        case "many": many(Integer.parseInt(args[1])); break;
        }
    }
}
