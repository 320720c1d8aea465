// SPDX-License-Identifier: Apache-2.0
// timeout: 300
// modes: !gcstress !gcoften
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;

/** Stacks are asked for while the classes of their methods are unloaded: what is told is whole. */
public class DumpedAndUnloaded {
    public static class Work implements Runnable {
        public void run() { under(); }
        void under() {
            for (long end = System.nanoTime() + 1000000; System.nanoTime() < end;) Thread.onSpinWait();
        }
    }
    static class Own extends ClassLoader {
        Own() { super(DumpedAndUnloaded.class.getClassLoader()); }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("DumpedAndUnloaded$Work")) return super.loadClass(name, resolve);
            try (InputStream in = DumpedAndUnloaded.class.getResourceAsStream(name + ".class")) {
                byte[] b = in.readAllBytes();
                return defineClass(name, b, 0, b.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
    static void deep(int n) {
        if (n > 0) deep(n - 1);
        else for (;;) LockSupport.park();
    }
    static Thread daemon(Runnable r, long stack) {
        Thread t = new Thread(null, r, "daemon", stack);
        t.setDaemon(true);
        t.start();
        return t;
    }
    static boolean isWhole(StackTraceElement[] stack) {
        for (StackTraceElement e : stack)
            if (e.getClassName().equals("DumpedAndUnloaded$Work") && !e.toString().matches(".*Work\\.(run|under|<init>)\\(DumpedAndUnloaded\\.java:\\d+\\)")) return false;
        return true;
    }

    public static void main(String[] args) {
        Thread deep = daemon(() -> deep(8000), 64 << 20);
        Thread works = daemon(() -> {
            for (;;) {
                try {
                    ((Runnable) new Own().loadClass("DumpedAndUnloaded$Work").getDeclaredConstructor().newInstance()).run();
                } catch (ReflectiveOperationException e) {
                    throw new Error(e);
                }
            }
        }, 0);
        daemon(() -> {
            for (;;) System.gc();
        }, 0);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        boolean whole = true;
        for (long end = System.nanoTime() + 4000000000L; System.nanoTime() < end;) {
            whole &= isWhole(threads.getThreadInfo(new long[] {deep.getId(), works.getId()}, Integer.MAX_VALUE)[1].getStackTrace());
            whole &= isWhole(works.getStackTrace());
        }
        System.out.println(whole);
    }
}
