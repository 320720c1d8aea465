// SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.*;
import java.security.*;
import java.util.List;

/** Exceptions that pass native code on their way to who catches them; orders to leave a frame that is already being left.  See agent_catchers.c. */
public class Catchers {
    static native void call(Runnable r);
    static native boolean swallow(Runnable r);
    static native void raise(Throwable t);
    static native void order(String what);
    static native String answer();
    static native void notifyPop();

    static class Bad extends RuntimeException { Bad() { super("bad"); } }
    static class Worse extends Error { }
    static class Starts { static { if (true) throw new Bad(); } static void touch() { } }
    static class Loaded { static { if (true) throw new Bad(); } }
    static class Erring { static { if (true) throw new Worse(); } static void touch() { } }
    static class ErringNamed { static { if (true) throw new Worse(); } }
    static class ErringSuper { static { if (true) throw new Worse(); } }
    static class ErringSub extends ErringSuper { ErringSub() { } }
    static class ErringInner { static int v = first(); static int first() { new ErringSuper2(); return 1; } }
    static class ErringSuper2 { static { if (true) throw new Worse(); } }
    static class Made { public Made() { throw new Bad(); } }
    static class Loader extends ClassLoader {
        @Override protected Class<?> findClass(String n) { throw new Bad(); }
    }
    public static void thrower() { throw new Bad(); }
    static void inner() {
        try { thrower(); } catch (Worse w) { System.out.println("never"); }
    }
    static void cleans() {
        try { thrower(); } finally { System.out.println("  cleaned"); }
    }
    static void shut() {
        try { thrower(); } catch (shut.Off e) { System.out.println("never"); }
    }
    static void overShut() {
        try { shut(); } catch (Worse w) { System.out.println("never"); }
    }
    static synchronized void locked() { thrower(); }

    interface Body { void run() throws Throwable; }
    static void caught(String what, Body b) {
        System.out.println(what);
        try {
            b.run();
        } catch (Throwable t) {
            System.out.println("  so: " + t.getClass().getName());
        }
    }

    // --- leaving ---
    static int entered;
    static int victim(boolean fails, boolean pops) {
        if (pops) notifyPop();
        if (++entered == 1 && fails) throw new Bad();
        return entered;
    }
    static void left(String event, String how, boolean fails) {
        entered = 0;
        order(event + ":" + how);
        String result;
        try {
            result = String.valueOf(victim(fails, event.equals("frame")));
        } catch (Bad b) {
            result = "Bad";
        }
        String answer = answer();
        order("");
        boolean none = answer.equals("NONE"), took = how.equals("pop") ? entered == 2 : result.equals("99");
        if (answer.equals("not asked") || none != took)
            System.out.println("! " + event + " " + how + (fails ? " by exception" : "") + ": " + answer + ", entered " + entered + ", result " + result);
        else System.out.println("kept: " + event + " " + how + " " + fails);
    }
    // --- leaving while a handler is looked for ---
    static class Missing extends RuntimeException { }
    public static class Search implements java.util.function.IntSupplier {
        final Runnable body;
        public Search(Runnable body) { this.body = body; }
        public int getAsInt() {
            try {
                body.run();
                return 1;
            } catch (Missing m) {
                return -1;
            }
        }
    }
    /** Not parallel: the VM takes its lock before it asks for a class. */
    static class Locked extends ClassLoader {
        @Override protected Class<?> loadClass(String n, boolean link) throws ClassNotFoundException {
            if (!n.equals("Catchers$Search") && !n.equals("Catchers$Missing")) return super.loadClass(n, link);
            try (var in = Catchers.class.getResourceAsStream("/" + n + ".class")) {
                byte[] b = in.readAllBytes();
                return defineClass(n, b, 0, b.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(n, e);
            }
        }
    }
    static native void leaveOther(Thread t, boolean pop);
    static void leftSearching(boolean pop) throws Exception {
        Locked l = new Locked();
        var s = (java.util.function.IntSupplier) l.loadClass("Catchers$Search", false).getConstructor(Runnable.class)
            .newInstance((Runnable) () -> { if (++entered == 2) throw new Bad(); });
        String[] result = new String[1];
        entered = 0;
        s.getAsInt(); // all that it names is resolved, but for the type of the handler
        order("");
        Thread t = new Thread(() -> {
            try {
                result[0] = String.valueOf(s.getAsInt());
            } catch (Bad b) {
                result[0] = "Bad";
            }
        });
        synchronized (l) {
            t.start();
            while (entered < 2 || t.getState() != Thread.State.BLOCKED) Thread.sleep(5);
            leaveOther(t, pop);
        }
        t.join();
        boolean none = answer().equals("NONE"), took = pop ? entered == 3 : result[0].equals("99");
        System.out.println((none == took ? "kept: " : "! ") + "searching, pop " + pop + ": " + answer() + ", entered " + entered + ", result " + result[0]);
    }
    public static void main(String[] a) throws Throwable {
        if (a.length > 0) {
            for (String event : new String[] {"exit", "frame"})
                for (String how : new String[] {"pop", "return"})
                    for (boolean fails : new boolean[] {false, true}) left(event, how, fails);
            for (boolean pop : new boolean[] {true, false}) leftSearching(pop);
            return;
        }
        caught("directly", () -> thrower());
        caught("a handler that does not fit", () -> inner());
        caught("finally", () -> cleans());
        for (int i = 0; i < 3; i++) {
            caught("a handler's type that may not be used", () -> shut());
            caught("the same, one frame further", () -> overShut());
            caught("the same, behind JNI", () -> call(() -> overShut()));
        }
        caught("synchronized", () -> locked());
        caught("JNI", () -> call(() -> thrower()));
        caught("JNI twice", () -> call(() -> call(() -> inner())));
        caught("JNI with finally inside", () -> call(() -> cleans()));
        caught("JNI swallows", () -> System.out.println("  " + swallow(() -> thrower())));
        caught("thrown by a native", () -> raise(new Bad()));
        caught("thrown by a native, again by Java", () -> {
            try { raise(new Bad()); } catch (Bad b) { throw b; }
        });
        caught("swallowed, then thrown again", () -> {
            Bad[] kept = new Bad[1];
            swallow(() -> { kept[0] = new Bad(); throw kept[0]; });
            throw kept[0];
        });
        caught("initializer", () -> Starts.touch());
        caught("Class.forName", () -> Class.forName("Catchers$Loaded"));
        caught("initializer, an Error", () -> Erring.touch());
        caught("initializer, an Error again", () -> Erring.touch());
        caught("Class.forName, an Error", () -> Class.forName("Catchers$ErringNamed"));
        caught("initializer of a superclass, an Error", () -> new ErringSub());
        caught("initializer in an initializer, an Error", () -> System.out.println(ErringInner.v));
        caught("Class.forName, a loader that throws", () -> Class.forName("no.Such", true, new Loader()));
        caught("Method.invoke", () -> Catchers.class.getMethod("thrower").invoke(null));
        caught("newInstance", () -> Made.class.getConstructor().newInstance());
        caught("doPrivileged", () -> AccessController.doPrivileged((PrivilegedAction<Void>) () -> { thrower(); return null; }));
        caught("lambda", () -> List.of(1).forEach(x -> thrower()));
        caught("a thread's last", () -> {
            Thread t = new Thread(() -> thrower(), "dies");
            t.setUncaughtExceptionHandler((x, e) -> System.out.println("  handler got " + e.getClass().getName()));
            t.start();
            t.join();
        });
    }
}
