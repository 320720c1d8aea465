// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;

/** A breakpoint is set while its method is redefined, or while its class is unloaded. */
public class Breaks {
    public static class Target { public static int run() { return 1; } }

    static native void keep(int slot, Method m);   // its ID alone
    static native String set(int slot);
    static native String clear(int slot);
    static native String redefine(Class<?> k, byte[] bytes);
    static native int hits();

    static class L extends ClassLoader {
        L() { super(null); }
        Class<?> define(byte[] b) { return defineClass("Breaks$Target", b, 0, b.length); }
    }
    static byte[] bytes() throws IOException {
        try (InputStream in = Breaks.class.getResourceAsStream("Breaks$Target.class")) { return in.readAllBytes(); }
    }
    /** The only instruction that differs: iconst_1, ireturn. */
    static byte[] changed(byte[] b) {
        for (int i = 0; i + 1 < b.length; i++) if (b[i] == 4 && (b[i + 1] & 0xff) == 0xac) b[i] = 5;
        return b;
    }
    static void keepMethodOf(Class<?> k, int slot) throws Exception {
        Method m = k.getMethod("run");
        m.invoke(null);
        keep(slot, m);
    }
    static WeakReference<Class<?>> unloadable(int slot) throws Exception {
        Class<?> k = new L().define(bytes());
        keepMethodOf(k, slot);
        return new WeakReference<>(k);
    }
    static String inThread(int slot, boolean set, Runnable meanwhile) throws Exception {
        String[] said = new String[1];
        Thread t = new Thread(() -> said[0] = set ? set(slot) : clear(slot), "setter");
        t.start();
        Thread.sleep(300);
        meanwhile.run();
        clear(3); // the setter goes on
        t.join();
        return said[0];
    }
    static void collect(WeakReference<?> r) {
        for (int i = 0; i < 100 && r.get() != null; i++) { System.gc(); byte[] b = new byte[1 << 16]; }
    }
    public static void main(String[] what) throws Exception {
        keep(3, Breaks.class.getMethod("main", String[].class));
        if (what[0].equals("redefined")) {
            keepMethodOf(Target.class, 0);
            byte[] b = changed(bytes());
            System.out.println("set: " + inThread(0, true, () -> System.out.println("redefined: " + redefine(Target.class, b))));
            System.out.println("runs " + Target.run() + ", hits " + hits());
        } else {
            WeakReference<Class<?>> k = unloadable(1);
            String said = inThread(1, what[1].equals("set"), () -> collect(k));
            System.out.println(what[1] + ": " + (k.get() == null ? said : "still there"));
        }
    }
}
