// SPDX-License-Identifier: Apache-2.0
// modes: !checkjni
import java.io.*;
import java.net.*;
import java.nio.file.*;

/** Native threads that attach, and the loader context of FindClass: native methods, JNI_OnLoad, attached threads. */
public class Attach {
    static native String attached(String name, ThreadGroup group, boolean daemon, int what);
    static native void loop(int n);

    static Object lock = new Object();
    static int counter;

    // called by attached threads
    static String describe() {
        Thread t = Thread.currentThread();
        StackTraceElement[] trace = new Throwable().getStackTrace();
        return t.getName().replaceAll("\\d+", "N") + " group " + t.getThreadGroup().getName() + " prio " + t.getPriority() + " daemon " + t.isDaemon() + " state " + t.getState()
            + " alive " + t.isAlive() + " frames " + trace.length + " loader " + (t.getContextClassLoader() == ClassLoader.getSystemClassLoader());
    }
    static void fail() { throw new IllegalStateException("thrown to a native thread"); }
    static void count() { synchronized (lock) { counter++; lock.notifyAll(); } }
    static Class<?> forName(String n) throws Exception { return Class.forName(n); }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("Attach");
        ThreadGroup g = new ThreadGroup("own group");
        g.setMaxPriority(3);
        System.out.println(attached("given", null, false, 0));
        System.out.println(attached(null, null, false, 0));
        System.out.println(attached("d", g, true, 0));
        System.out.println("in group " + g.activeCount());
        for (int i = 1; i <= 9; i++) System.out.println(i + ": " + attached("t" + i, null, false, i));
        System.out.println(attached("main thread itself", null, false, 100));
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.out.println("uncaught in " + t.getName() + ": " + e));
        System.out.println(attached("with exception", null, false, 20));
        loop(300);
        System.out.println(counter);

        // a class of its own loader: FindClass sees that loader's classes, and so does JNI_OnLoad
        Path dir = Path.of(Attach.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        URLClassLoader l = new URLClassLoader(new URL[] {dir.toUri().toURL()}, null) {
            @Override protected Class<?> findClass(String n) throws ClassNotFoundException {
                if (n.equals("AttachOnlyHere")) System.out.println("  loader asked for " + n);
                return super.findClass(n);
            }
        };
        Class<?> inner = l.loadClass("Attach$Inner");
        System.out.println(inner.getClassLoader() == l);
        Path copy = Files.createTempDirectory("attach").resolve(System.mapLibraryName("AttachCopy"));
        for (String p : System.getProperty("java.library.path").split(":")) {
            Path lib = Path.of(p, System.mapLibraryName("Attach"));
            if (Files.exists(lib)) { Files.copy(lib, copy); break; }
        }
        inner.getMethod("load", String.class).invoke(null, copy.toString());
        System.out.println(inner.getMethod("find", String.class).invoke(null, "Attach$Inner"));
        System.out.println(inner.getMethod("findLoader").invoke(null));
        // the same file for a second loader
        try {
            System.load(copy.toString());
        } catch (UnsatisfiedLinkError e) { System.out.println(e.getMessage().replace(copy.toString(), "COPY")); }
        Files.delete(copy);
        Files.delete(copy.getParent());
    }

    public static class Inner {
        public static void load(String file) { System.load(file); }
        public static native String find(String name);
        public static String findLoader() { return "" + (Inner.class.getClassLoader() != ClassLoader.getSystemClassLoader()); }
    }
}
