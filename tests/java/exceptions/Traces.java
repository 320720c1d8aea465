// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** Printed stack traces: line numbers in every situation, causes with "... n more", suppressed, circular, fillInStackTrace. */
public class Traces {
    static class Mine extends Exception {
        Mine(String m, Throwable c) { super(m, c); }
    }

    static class NoTrace extends RuntimeException {
        NoTrace() { super("no trace", null, false, false); }
    }

    static class Res implements AutoCloseable {
        final String n;
        Res(String n) { this.n = n; }
        public void close() throws Exception { throw new Exception("close " + n); }
    }

    static class Init {
        final int x;
        int y = compute(
            3);
        Init(int v) { x = 10 / v; }
        int compute(int q) { return q / (q - 3 + x); }
    }

    static void deep(int n) throws Exception {
        if (n == 0)
            throw new Exception("bottom");
        deep(n - 1);
    }

    static void wrap() throws Mine {
        try {
            deep(3);
        } catch (Exception e) {
            throw new Mine("wrapped",
                new RuntimeException(e));
        }
    }

    static void resources() throws Exception {
        try (Res a = new Res("a");
             Res b = new Res("b")) {
            throw new Exception("body");
        }
    }

    /** Only those methods of this name that the exception has make no line. */
    static class Other {
        static Throwable fillInStackTrace(Throwable t, int n) {
            if (n == 0) throw new IllegalStateException("thrown in another class's");
            if (n == 1) return t.fillInStackTrace();
            return new Quiet();
        }
        Object fillInStackTrace(int[] a) { return a[0]; }
    }

    static class Quiet extends Exception {
        Quiet() { super("overridden"); }
        @Override public synchronized Throwable fillInStackTrace() { return fillInStackTrace("x"); }
        Throwable fillInStackTrace(String s) { return super.fillInStackTrace(); }
    }

    static class Broken extends ArithmeticException {
        @Override public synchronized Throwable fillInStackTrace() { return 1 / zero() > 0 ? this : null; }
        int zero() { return 0; }
    }

    /** Makes its cause in its constructor, and throws what is no cause of it. */
    static class Nested extends Exception {
        Nested(int n) { super("level " + n, n > 0 ? new Nested(n - 1) : null); }
        Nested(boolean thrown) throws Exception { if (thrown) throw new Nested(0); else throw new Exception("of its superclass"); }
        Nested(Object o) { this(o.hashCode()); }
    }

    interface Act { void run() throws Throwable; }

    static void show(Act a) {
        try {
            a.run();
            System.out.println("no exception");
        } catch (Throwable t) {
            java.io.StringWriter w = new java.io.StringWriter();
            t.printStackTrace(new java.io.PrintWriter(w));
            // Lambda class names carry a number that depends on what was linked before.
            System.out.println(w.toString().replaceAll("Lambda\\$\\d+/0x[0-9a-f]+", "Lambda"));
        }
    }

    public static void main(String[] args) {
        show(() -> deep(2));
        show(() -> wrap());
        show(Traces::resources);
        show(() -> { throw new NoTrace(); });
        show(() -> new Init(0));
        show(() -> new Init(5));
        show(() -> List.of(3, 1, 2).stream().map(x -> 6 / (x - 1)).forEach(x -> {}));
        show(() -> new TreeMap<Object, Object>().put(new Object(), 1));
        show(() -> {
            Exception a = new Exception("a"), b = new Exception("b", a);
            a.initCause(b);
            throw a;
        });
        show(() -> {
            Exception e = new Exception("set");
            e.setStackTrace(new StackTraceElement[] {new StackTraceElement("some.Class", "method", "File.java", 42),
                new StackTraceElement("nat.Ive", "m", null, -2), new StackTraceElement("un.Known", "m", null, -1)});
            throw e;
        });
        show(() -> {
            Exception e = new Exception("refilled");
            throw (Exception) refill(e);
        });
        show(() -> Other.fillInStackTrace(null, 0));
        show(() -> { throw Other.fillInStackTrace(new Exception("filled in another class's"), 1); });
        show(() -> { throw Other.fillInStackTrace(null, 2); });
        show(() -> new Other().fillInStackTrace(new int[0]));
        show(() -> { throw new Broken(); });
        show(() -> { throw new Nested(2); });
        show(() -> new Nested(true));
        show(() -> new Nested(false));
        show(() -> new Nested((Object) null));
        show(() -> Class.forName("Traces").getDeclaredMethod("deep", int.class).invoke(null, 1));
        show(() -> { int[] a = {}; int i =
            a[
                2]; });
        show(() -> new Exception("x").addSuppressed(null));
        show(() -> { Throwable t = new Throwable(); t.initCause(t); });
        StackTraceElement e = new Throwable().getStackTrace()[0];
        System.out.println(e + " " + e.getFileName() + " " + e.getLineNumber() + " " + e.getMethodName() + " " + e.isNativeMethod() + " " + e.getModuleName());
        System.out.println(Arrays.toString(Thread.currentThread().getStackTrace()));
        try {
            rec(0);
        } catch (IllegalStateException x) {
            System.out.println(x.getStackTrace().length + " " + x.getStackTrace()[1023]);
        }
    }

    static void rec(int n) {
        if (n == 3000)
            throw new IllegalStateException();
        rec(n + 1);
    }

    static Throwable refill(Throwable t) {
        return t.fillInStackTrace();
    }
}
