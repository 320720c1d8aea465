// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.lang.invoke.*;
import java.lang.reflect.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

/**
 * ClassChurn CLASSES: loads that many classes through short-lived loaders and as hidden classes, uses them (reflection, lambdas,
 * proxies, method handles, exceptions with traces), and drops them. Resident memory must be flat over the second half.
 */
public class ClassChurn {
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

    static long residentKb() throws IOException {
        for (String l : Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1))
            if (l.startsWith("VmRSS")) return Long.parseLong(l.replaceAll("[^0-9]", ""));
        throw new Error();
    }

    public static void main(String[] args) throws Throwable {
        int classes = Integer.parseInt(args[0]);
        template = read(Template.class);
        second = read(Second.class);
        plain = read(Plain.class);
        long made = 0, middle = 0, most = 0;
        int sum = 0, tenth = Math.max(classes / 10, 1), next = tenth;
        for (int i = 0; made < classes; i++) {
            sum += byLoader(i) + hidden(i);
            made += 4; /* Template, its lambda, Second, Plain */
            if (made < next) continue;
            next += tenth;
            System.gc();
            long kb = residentKb();
            if (args.length > 1) System.err.println(made + " classes, " + kb + " KB");
            if (made <= classes / 2) middle = Math.max(middle, kb);
            else most = Math.max(most, kb);
        }
        if (sum == 42) System.out.println();
        /* 100,000 classes that leaked 100 bytes each would be 5 MB over the second half */
        System.out.println(most < middle + 4096 ? "flat" : "grew from " + middle + " to " + most + " KB");
    }
}
