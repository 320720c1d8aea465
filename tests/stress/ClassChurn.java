// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.lang.invoke.*;
import java.lang.management.ManagementFactory;
import java.lang.reflect.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import javax.management.*;

/**
 * ClassChurn CLASSES: loads that many classes through short-lived loaders and as hidden classes, uses them (reflection, lambdas,
 * proxies, method handles, exceptions with traces), and drops them. Resident memory must be flat over the second half: the least
 * of its last tenths is hardly more than that of the last tenths of the first half. What a compiler worked with for a moment is
 * not counted: it is in some tenths only, or is given back (System.trim_native_heap).
 */
public class ClassChurn {
    static final int TENTHS = 10;

    public interface Shape { int area(int x); }

    /** What is loaded again and again, under its own name. */
    public static class Template implements Shape {
        static int made;
        static final Object[] KEPT = {new byte[100], "text"};
        int side;
        public Template() { made++; side = made; }
        public int area(int x) {
            java.util.function.IntUnaryOperator square = v -> v * side;
            return square.applyAsInt(x) + KEPT.length;
        }
        public int fail(String s) { return Integer.parseInt(s); }
    }

    /** What becomes a hidden class: no lambda in it, whose class would name the nameless one. */
    public static class Plain implements Shape {
        static final StringBuilder TEXT = new StringBuilder("plain");
        public int area(int x) { return x + TEXT.length(); }
        public int fail(String s) { return Integer.parseInt(s); }
    }

    static byte[] template, second, plain;

    static byte[] read(Class<?> c) throws IOException {
        try (InputStream in = c.getResourceAsStream(c.getName().replace('.', '/') + ".class")) { return in.readAllBytes(); }
    }

    public static class Second extends Template { public int area(int x) { return super.area(x) + 1; } }

    static final class Own extends ClassLoader {
        Own() { super(ClassChurn.class.getClassLoader()); }
        @Override public Class<?> loadClass(String n, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(n)) {
                Class<?> c = findLoadedClass(n);
                if (c != null) return c;
                if (n.equals(Template.class.getName())) return defineClass(n, template, 0, template.length);
                if (n.equals(Second.class.getName())) return defineClass(n, second, 0, second.length);
                return super.loadClass(n, resolve);
            }
        }
    }

    static int use(Class<?> c, int i) throws Throwable {
        Shape s = (Shape) c.getConstructor().newInstance();
        int sum = s.area(i);
        Method m = c.getMethod("fail", String.class);
        try {
            m.invoke(s, "no number");
            throw new Error("no exception");
        } catch (InvocationTargetException e) {
            sum += e.getCause().getStackTrace().length > 2 ? 1 : 0;
        }
        if (i % 4 == 0) {
            MethodHandle h = MethodHandles.publicLookup().findVirtual(c.isHidden() ? Shape.class : c, "area", MethodType.methodType(int.class, int.class));
            sum += (int) h.invoke(s, 3);
        }
        return sum + Array.newInstance(c, 2).getClass().getName().length();
    }

    /** Two classes by a loader of their own and the lambda class that each makes; a proxy now and then. */
    static int byLoader(int i) throws Throwable {
        Own l = new Own();
        int sum = use(l.loadClass(Template.class.getName()), i) + use(l.loadClass(Second.class.getName()), i);
        if (i % 8 == 0)
            sum += ((Shape) Proxy.newProxyInstance(l, new Class<?>[] {Shape.class}, (p, m, a) -> 7)).area(1);
        return sum;
    }

    static int hidden(int i) throws Throwable {
        Class<?> c = MethodHandles.lookup().defineHiddenClass(plain, true).lookupClass();
        return use(c, i);
    }

    static void giveBack() throws JMException {
        ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"),
            "systemTrimNativeHeap", null, null);
    }

    static int residentKb() throws IOException {
        for (String l : Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1))
            if (l.startsWith("VmRSS")) return Integer.parseInt(l.replaceAll("[^0-9]", ""));
        throw new Error();
    }

    /** Of the three tenths before this one. */
    static int least(int[] atTenth, int end) { return Arrays.stream(atTenth, end - 3, end).min().getAsInt(); }

    public static void main(String[] args) throws Throwable {
        int classes = Integer.parseInt(args[0]);
        template = read(Template.class);
        second = read(Second.class);
        plain = read(Plain.class);
        int[] atTenth = new int[TENTHS];
        int sum = 0, made = 0;
        for (int i = 0, tenth = 0; tenth < TENTHS; i++) {
            sum += byLoader(i) + hidden(i);
            made += 4; /* Template, its lambda, Second, Plain */
            if (made < (tenth + 1L) * classes / TENTHS) continue;
            System.gc();
            giveBack();
            atTenth[tenth++] = residentKb();
            if (args.length > 1) System.err.println(made + " classes, " + atTenth[tenth - 1] + " KB");
        }
        if (sum == 42) System.out.println();
        int middle = least(atTenth, TENTHS / 2), last = least(atTenth, TENTHS);
        /* 100,000 classes that leaked 50 bytes each would be 2.5 MB between the two */
        System.out.println(last < middle + 2048 ? "flat" : "grew from " + middle + " to " + last + " KB");
    }
}
