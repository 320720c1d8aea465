// SPDX-License-Identifier: Apache-2.0
// modes: !checkjni
// stderr: any
import java.io.IOException;

/** JNI exceptions, monitors, classes, reflection, registration, buffers. */
public class Throwing {
    static class Quiet extends RuntimeException { Quiet() { super("quiet"); } }
    static class NoString extends Exception { NoString(int n) { super("int only"); } }
    static class Thrower { Thrower(String s) { System.out.println("  constructed " + s); } }
    static abstract class AbstractError extends Error { AbstractError(String s) { super(s); } }
    static class BadInit extends RuntimeException { static int x = 1 / Integer.parseInt("0"); BadInit(String s) { super(s); } }
    static class FailingCtor extends Exception { FailingCtor(String s) throws IOException { throw new IOException("from the constructor of an exception"); } }

    static native void exceptions(Throwable t, Class<?> badInit);
    static native void throwing(int kind) throws Throwable;
    static native void describe();
    static native void monitors(Object o);
    static native boolean tryExit(Object o);
    static native void leaveLocked(Object o);
    static native void classes(Object[] samples, Class<?>[] kinds);
    static native void modules();
    static native void registration();
    native int later(int a);
    static native String laterStatic(String a);
    static native synchronized int laterSync(int a);
    int notNative(int a) { return a; }
    static native void reflection(Object method, Object ctor, Object field, Object sfield, Object smethod);
    static native void buffers(java.nio.ByteBuffer d, java.nio.ByteBuffer h, Object other, java.nio.ByteBuffer slice, java.nio.IntBuffer view, java.nio.ByteBuffer ro);
    static native Class<?> define(String name, ClassLoader l, byte[] b) throws Throwable;
    static native Class<?> find(String name) throws Throwable;

    int field = 3; static int sfield = 4;
    public int method(int a) { return a + field; }
    public static int smethod(int a) { return a + sfield; }

    static void show(String what, Call c) {
        try { System.out.println(what + ": " + c.run()); }
        catch (Throwable t) { System.out.println(what + ": " + t.toString().replaceAll("@[0-9a-f]+", "@") + (t.getCause() != null ? " caused by " + t.getCause() : "")); }
    }
    interface Call { Object run() throws Throwable; }

    public static void main(String[] args) throws Throwable {
        System.loadLibrary("Throwing");
        exceptions(new Quiet(), BadInit.class);
        for (int i = 0; i < 6; i++) { int k = i; show("throwing " + i, () -> { throwing(k); return "nothing"; }); }
        describe();
        Object lock = new Object();
        monitors(lock);
        show("exit without owning", () -> tryExit(lock));
        leaveLocked(lock);
        System.out.println(Thread.holdsLock(lock));
        classes(new Object[] {"s", new int[1], new String[1][1], 5, Thread.State.NEW}, new Class<?>[] {Runnable.class, int.class, void.class, int[].class, String[].class, Object.class, Integer.class, Number.class, Thread.State.class, Comparable.class, Object[].class, Cloneable.class});
        modules();
        show("unregistered", () -> new Throwing().later(1));
        registration();
        show("after", () -> new Throwing().later(1));
        reflection(Throwing.class.getMethod("method", int.class), Throwing.class.getDeclaredConstructor(), Throwing.class.getDeclaredField("field"), Throwing.class.getDeclaredField("sfield"), Throwing.class.getMethod("smethod", int.class));
        java.nio.ByteBuffer d = java.nio.ByteBuffer.allocateDirect(100);
        d.position(10).limit(60);
        buffers(d, java.nio.ByteBuffer.allocate(10), "no buffer", d.slice(), d.asIntBuffer(), d.asReadOnlyBuffer());
        byte[] b;
        try (var in = Throwing.class.getResourceAsStream("Throwing$Quiet.class")) { b = in.readAllBytes(); }
        ClassLoader l = new ClassLoader(Throwing.class.getClassLoader()) { };
        Class<?> c = define("Throwing$Quiet", l, b);
        System.out.println(c + " " + (c.getClassLoader() == l) + " " + (c != Quiet.class));
        show("define twice", () -> define("Throwing$Quiet", l, b));
        show("define with another name", () -> define("Other", new ClassLoader() { }, b));
        show("define without name", () -> define(null, new ClassLoader(Throwing.class.getClassLoader()) { }, b));
        show("define garbage", () -> define(null, l, new byte[] {1, 2, 3, 4, 5}));
        show("define truncated", () -> define(null, l, java.util.Arrays.copyOf(b, b.length - 5)));
        show("define empty", () -> define(null, l, new byte[0]));
        show("define java/lang/X", () -> define("java/lang/X", l, b));
        show("define on boot", () -> define("Throwing$Quiet", null, b).getClassLoader());
        for (String s : new String[] {"java/lang/String", "java.lang.String", "Ljava/lang/String;", "[Ljava/lang/String;", "[I", "I", "int", "[Lno/Such;", "no/Such", "", "[", "[[", "Throwing$Quiet", "[LThrowing;", "a//b", "/a", "[V", "Throwing;", "java/lang/string"})
            show("find " + s, () -> find(s));
        show("find null", () -> find(null));
    }
}
