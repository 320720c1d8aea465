// SPDX-License-Identifier: Apache-2.0
package redefine;

import java.lang.invoke.*;
import java.lang.reflect.Field;
import java.util.List;

/** agent_extension.c's extension functions, and every way to reach fields that came later. */
public class Extension {
    static native void list();
    static native void enable(boolean on);
    static native String reason();
    static native String report();
    static native String redefine(Class<?> c, byte[] bytes, boolean dry);
    static native String undo(Class<?> c);
    static native String restore(Class<?> c, byte[] bytes);
    static native String migrations();
    static native String jni(Object o, int add);
    static native void walk(Object o);
    static native void note(java.lang.reflect.Method m);
    static native void useNoted(Object o);

    static byte[] compile(String text) { return Sources.compile(text).values().iterator().next(); }

    static Class<?> define(byte[] b) {
        return new ClassLoader() { Class<?> def() { return defineClass("T", b, 0, b.length); } }.def();
    }

    static final String OLD = "public class T implements Cloneable { public int kept = 3; public String word = \"w\"; public int f() { return kept; }"
        + " public Object clone() throws CloneNotSupportedException { return super.clone(); } }";
    static final String NEW = OLD.replace("public int f()", "public int i = 4; public long j; public String s; public byte b; public static int st = 9;"
        + " public java.util.List<String> list = new java.util.ArrayList<>(); public int f()").replace("public String word = \"w\";", "");

    static Object invoke(Object o, String name) throws Exception { return o.getClass().getMethod(name).invoke(o); }

    public static void main(String[] args) throws Throwable {
        System.loadLibrary("agent_extension");
        list();
        byte[] old = compile(OLD), now = compile(NEW);
        Class<?> c = define(old);
        Object o = c.getConstructor().newInstance();
        Field word = c.getField("word");
        System.out.println("as specified: " + redefine(c, now, false) + ", reason \"" + reason() + "\"");
        enable(true);
        System.out.println("dry run: " + redefine(c, now, true) + ", fields " + c.getFields().length);
        System.out.println("dry run of what cannot be: " + redefine(c, compile("public interface T { }"), true));
        System.out.println("really: " + redefine(c, now, false) + ", fields " + c.getFields().length);
        System.out.println(report().replaceAll("[0-9.]+ ms.*", "TIMES"));
        fields(c, o);
        System.out.println("undo: " + undo(c) + ", fields " + c.getFields().length + ", f " + invoke(o, "f") + ", word " + c.getField("word").get(o)
            + ", Field from before " + word.get(o));
        System.out.println("undo that: " + undo(c) + ", i " + c.getField("i").get(o) + ", s " + c.getField("s").get(o));
        System.out.println("never redefined: " + undo(Extension.class));
        removed();
        references();
        migrated();
        many(c);
        cloned();
        unloaded(now, old);
        enable(false);
        System.out.println("as specified again: " + redefine(c, old, false));
    }

    static void fields(Class<?> c, Object o) throws Throwable {
        System.out.println("jni: " + jni(o, 1));
        System.out.println("jni: " + jni(o, 1));
        Field i = c.getField("i"), s = c.getField("s");
        System.out.println("reflection: i " + i.getInt(o) + ", s " + s.get(o) + ", list " + c.getField("list").get(o) + ", st " + c.getField("st").get(null));
        i.setInt(o, 20);
        s.set(o, "set");
        VarHandle v = MethodHandles.publicLookup().findVarHandle(c, "i", int.class), w = MethodHandles.publicLookup().findVarHandle(c, "s", String.class);
        System.out.println("VarHandle: " + v.get(o) + " " + (int) v.getAndAdd(o, 5) + " " + v.compareAndSet(o, 25, 30) + " " + v.getVolatile(o) + " "
            + w.getAndSet(o, "swapped") + " " + w.compareAndSet(o, "swapped", "cas") + " " + w.getVolatile(o));
        var get = MethodHandles.publicLookup().findGetter(c, "j", long.class);
        MethodHandles.publicLookup().findSetter(c, "j", long.class).invoke(o, 1L << 40);
        System.out.println("MethodHandle: " + (long) get.invoke(o));
        MethodHandles.publicLookup().findStaticVarHandle(c, "st", int.class).getAndAdd(5);
        System.out.println("static: " + c.getField("st").get(null));
        Object copy = invoke(o, "clone");
        i.setInt(o, 1);
        System.out.println("clone: i " + i.getInt(copy) + ", original " + i.getInt(o) + ", s " + s.get(copy));
        System.out.println("heap walk:");
        walk(o);
    }

    static String attempt(java.util.concurrent.Callable<?> c) {
        try { return String.valueOf(c.call()); } catch (Throwable t) { return (t.getCause() == null ? t : t.getCause()).toString(); }
    }

    /** What led to a method that is removed, and comes back. */
    static void removed() throws Throwable {
        Class<?> c = define(compile("public class T { public int f() { return 1; } public int g() { return f(); } }"));
        Object o = c.getConstructor().newInstance();
        var m = c.getMethod("f");
        var h = MethodHandles.publicLookup().unreflect(m).asType(java.lang.invoke.MethodType.methodType(Object.class, Object.class));
        note(m);
        for (String side : new String[] { "before", "removed", "back" }) {
            String f = side.equals("removed") ? "" : "public int f() { return 2; }", g = side.equals("removed") ? "5" : "f()";
            if (!side.equals("before")) redefine(c, compile("public class T { " + f + " public int g() { return " + g + "; } }"), false);
            System.out.println(side + ": Method " + attempt(() -> m.invoke(o)) + ", g " + invoke(o, "g") + ", handle "
                + attempt(() -> { try { return h.invoke(o); } catch (Throwable t) { throw new Exception(t); } }));
            useNoted(o);
        }
    }

    static java.util.function.IntSupplier reference(Class<?> c) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(c, MethodHandles.lookup());
        MethodType type = MethodType.methodType(int.class);
        return (java.util.function.IntSupplier) LambdaMetafactory.metafactory(lookup, "getAsInt", MethodType.methodType(java.util.function.IntSupplier.class),
            type, lookup.findStatic(c, "s", type), type).getTarget().invoke();
    }

    /** Method references to a method that goes and comes back, whether they were used before or not; also into a superclass. */
    static void references() throws Throwable {
        String text = "package redefine; class Referred { static int s() { return 1; } java.util.function.IntSupplier l = () -> 2; }", none = text.replaceAll("static int.*?}", "")
            .replaceAll("java.util.*;", "");
        Class<?> c = MethodHandles.lookup().defineClass(compile(text));
        var lambdas = new java.util.ArrayList<java.util.function.IntSupplier>();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 2; i++) {
                var r = reference(c);
                var own = c.getDeclaredConstructor();
                own.setAccessible(true);
                var l = c.getDeclaredField("l");
                l.setAccessible(true);
                lambdas.add(r);
                lambdas.add((java.util.function.IntSupplier) l.get(own.newInstance()));
                for (int k = 1; k <= 2 && i == 1; k++) lambdas.get(lambdas.size() - k).getAsInt();
            }
            redefine(c, compile(none), false);
            if (round == 1) for (var x : lambdas) attempt(x::getAsInt);
            if (round < 2) undo(c);
            else redefine(c, compile(text), false);
            StringBuilder answers = new StringBuilder();
            for (var x : lambdas) answers.append(' ').append(attempt(x::getAsInt));
            System.out.println("references, " + (round < 2 ? "undone" : "redefined") + ":" + answers);
        }
        redefine(c, compile(none), false);
        System.out.println("gone: " + attempt(lambdas.get(0)::getAsInt) + ", " + attempt(lambdas.get(1)::getAsInt));
    }

    static Class<?> swapped;
    static byte[] nextVersion;

    /** What a migration hook calls: another redefinition of its class. */
    public static void nested() { System.out.println("in the hook: " + redefine(swapped, nextVersion, false) + ", " + migrations().trim()); }

    /** Migration hooks: what is told, undo and restore, a hook that redefines its own class. */
    static void migrated() throws Throwable {
        String first = "public class T { public String name = \"a b\"; public static int n = 1; }";
        String second = "public class T { public String last; public static int n = 1; private static void $migrate(T t, java.util.Map<String, Object> old) {"
            + " t.last = ((String) old.get(\"name\")).split(\" \")[1]; n++; } public static void $migrate(int i) { } }";
        String third = "public class T { public String last; public static int n = 1; public char[] chars;"
            + " static void $migrate(T t) { t.chars = String.valueOf(t.last).toCharArray(); n++; } }";
        Class<?> c = define(compile(first));
        Object a = c.getConstructor().newInstance(), b = c.getConstructor().newInstance();
        System.out.println("nothing: \"" + migrations() + "\"");
        System.out.println("dry: " + redefine(c, compile(second), true) + "\n" + migrations() + "n " + c.getField("n").get(null));
        System.out.println("really: " + redefine(c, compile(second), false) + "\n" + migrations() + "n " + c.getField("n").get(null)
            + ", last " + c.getField("last").get(a) + c.getField("last").get(b));
        c.getField("last").set(a, "c");
        System.out.println("undo: " + undo(c) + " \"" + migrations() + "\", n " + c.getField("n").get(null) + ", name " + c.getField("name").get(a));
        System.out.println("undo that: " + undo(c) + " \"" + migrations() + "\", n " + c.getField("n").get(null) + ", last " + c.getField("last").get(a));
        System.out.println("third: " + redefine(c, compile(third), false) + "\n" + migrations() + "n " + c.getField("n").get(null)
            + ", chars " + java.util.Arrays.toString((char[]) c.getField("chars").get(a)));
        System.out.println("two back: " + restore(c, compile(first)) + " \"" + migrations() + "\", n " + c.getField("n").get(null)
            + ", name " + c.getField("name").get(a));
        nextVersion = compile(third.replace("n++", "n += 100"));
        swapped = c;
        c.getField("n").set(null, 0);
        System.out.println("nested: " + redefine(c, compile(second.replace("t.last =", "if (n == 0) redefine.Extension.nested(); t.last =")), false) + "\n"
            + migrations() + "n " + c.getField("n").get(null) + ", last " + c.getField("last").get(b));
        System.out.println("a body only: " + redefine(c, compile(third.replace("n++", "n += 1000")), false) + "\n" + migrations());
        reachable(a, b);
    }
    static void reachable(Object... objects) { }

    /** Classes that changed shape and their records go with their loaders. */
    static void unloaded(byte[] now, byte[] old) throws Throwable {
        java.lang.ref.WeakReference<Class<?>> first = null;
        for (int k = 0; k < 200; k++) {
            Class<?> c = define(old);
            if (first == null) first = new java.lang.ref.WeakReference<>(c);
            Object o = c.getConstructor().newInstance();
            redefine(c, now, false);
            c.getField("s").set(o, "text");
            c.getField("st").set(null, k);
            if (c.getField("st").getInt(null) != k || !c.getField("s").get(o).equals("text")) System.out.println("wrong " + k);
        }
        for (int k = 0; k < 5 && first.get() != null; k++) System.gc();
        System.out.println("unloaded: " + (first.get() == null));
    }

    /** Clones have the fields that there are, while records of fields that are gone for good still lie about. */
    static void cloned() throws Throwable {
        String text = "public class T implements Cloneable { public Object copy() throws Exception { return clone(); } FIELDS }";
        Class<?> c = define(compile(text.replace("FIELDS", "")));
        Object o = c.getConstructor().newInstance();
        int right = 0;
        for (int k = 0; k < 10; k++) {
            String fields = "public int n" + k + "; public Object o" + k + "; public void set() { n" + k + " = " + k + "; o" + k + " = this; } "
                + "public boolean ok(Object x) { return n" + k + " == " + k + " && o" + k + " == x; }";
            redefine(c, compile(text.replace("FIELDS", fields)), false);
            invoke(o, "set");
            Object copy = invoke(o, "copy");
            if ((Boolean) c.getMethod("ok", Object.class).invoke(copy, o)) right++;
        }
        System.out.println("clones right: " + right);
    }

    /** Records live as long as their objects. */
    static void many(Class<?> c) throws Throwable {
        Field s = c.getField("s"), list = c.getField("list");
        Object[] kept = new Object[200];
        for (int k = 0; k < 20000; k++) {
            Object o = c.getConstructor().newInstance();
            s.set(o, "v" + k);
            list.set(o, List.of(String.valueOf(k), "x".repeat(50)));
            if (k % 100 == 0) kept[k / 100] = o;
            if (k % 5000 == 0) System.gc();
        }
        System.gc();
        for (int k = 0; k < 200; k++)
            if (!s.get(kept[k]).equals("v" + k * 100) || !((List<?>) list.get(kept[k])).get(0).equals(String.valueOf(k * 100)))
                System.out.println("wrong: " + k);
        kept = null;
        System.gc();
        redefine(c, compile(NEW.replace("return kept", "return kept + 1")), false);
        int records = Integer.parseInt(report().replaceAll(".*; (\\d+) records.*", "$1"));
        System.out.println("records of dead objects " + (records < 2000 ? "are gone" : "stay: " + records));
    }
}
