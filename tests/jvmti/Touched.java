// SPDX-License-Identifier: Apache-2.0
import java.lang.instrument.*;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.concurrent.Callable;

/** A transformer that touches the class whose bytes it is just given: by name, by its loader, by a constant. */
public class Touched {
    static Callable<?> touch;
    static String wanted;

    static String outcome(Callable<?> c) {
        try { return "" + c.call(); } catch (Throwable t) { return t + (t.getCause() == null ? "" : " of " + t.getCause()); }
    }
    static byte[] replaced(byte[] b, String from, String to) {
        String s = new String(b, StandardCharsets.ISO_8859_1);
        return s.replace(from, to).getBytes(StandardCharsets.ISO_8859_1);
    }

    static class Transformer implements ClassFileTransformer {
        int depth;
        @Override public byte[] transform(ClassLoader l, String name, Class<?> redefined, ProtectionDomain d, byte[] b) {
            if (!wanted.equals(name) || depth > 2) return null;
            depth++;
            System.out.println("  transformer at depth " + depth + ": " + outcome(touch));
            depth--;
            return replaced(b, "original", "replaced");
        }
    }

    static class One { public String toString() { return "original"; } }
    static class Two { public String toString() { return "original"; } }
    static class Three { public String toString() { return "original"; } }
    static class Own extends ClassLoader {
        Own() { super(Touched.class.getClassLoader()); }
        @Override protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            if (!n.startsWith("Touched$")) return super.loadClass(n, r);
            Class<?> c = findLoadedClass(n);
            if (c != null) return c;
            try (var in = Touched.class.getResourceAsStream(n + ".class")) {
                byte[] b = in.readAllBytes();
                return defineClass(n, b, 0, b.length);
            } catch (java.io.IOException e) { throw new ClassNotFoundException(n); }
        }
    }

    static void attempt(String what, String name, Callable<?> t, Callable<?> use) {
        System.out.println(what);
        wanted = name;
        touch = t;
        for (int i = 0; i < 2; i++) {
            System.out.println("  use: " + outcome(use));
        }
    }

    public static void premain(String args, Instrumentation i) throws Exception {
        i.addTransformer(new Transformer());
        if (args != null) i.appendToBootstrapClassLoaderSearch(new java.util.jar.JarFile(args));
        wanted = "";
    }
    public static void main(String[] a) throws Exception {
        Transformer.class.getName();
        attempt("boot, by name", "BootOne", () -> Class.forName("BootOne"), () -> Class.forName("BootOne").getDeclaredConstructor().newInstance());
        attempt("boot, by constant", "BootTwo", () -> BootTwo.class, () -> new BootTwo());
        attempt("boot, by null loader", "BootThree", () -> Class.forName("BootThree", false, null), () -> Class.forName("BootThree", true, null).getDeclaredConstructor().newInstance());
        attempt("boot, by a subclass", "BootFour", () -> new BootSub(), () -> new BootFour());
        attempt("application, by name", "Touched$One", () -> Class.forName("Touched$One"), () -> new One());
        attempt("application, by constant", "Touched$Two", () -> Two.class, () -> new Two());
        attempt("application, by loader", "Touched$Three", () -> Touched.class.getClassLoader().loadClass("Touched$Three"), () -> new Three());
        Own own = new Own();
        attempt("own, by name", "Touched$One", () -> Class.forName("Touched$One", true, own), () -> Class.forName("Touched$One", true, own).getDeclaredConstructor().newInstance());
        Own two = new Own();
        attempt("own, by loader", "Touched$Two", () -> two.loadClass("Touched$Two"), () -> Class.forName("Touched$Two", true, two).getDeclaredConstructor().newInstance());
    }
}
