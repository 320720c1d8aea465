// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.util.*;

/** Loader constraints: two loaders that share a method or field whose types they see differently; package-private across loaders. */
public class Constraints {
    public static class Arg { public String toString() { return "Arg"; } }
    public static class Callee { public static String take(Arg a) { return "took " + a; } public static Arg field = new Arg(); public Arg give() { return new Arg(); } static String pkg() { return "package"; } protected void over(Arg a) {} }
    public static class Caller { public static Object call(int k) { switch (k) { case 0: return Callee.take(new Arg()); case 1: return Callee.field; case 2: return new Callee().give(); case 3: return Callee.pkg(); default: return new Sub(); } } }
    public static class Sub extends Callee { @Override protected void over(Arg a) {} }

    static class L extends ClassLoader {
        final Set<String> own;
        L(String n, ClassLoader p, String... own) { super(n, p); this.own = new HashSet<>(List.of(own)); }
        @Override protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            if (!own.contains(n)) return super.loadClass(n, r);
            Class<?> c = findLoadedClass(n);
            if (c == null)
                try (InputStream in = Constraints.class.getResourceAsStream(n + ".class")) { byte[] b = in.readAllBytes(); c = defineClass(n, b, 0, b.length); } catch (IOException e) { throw new ClassNotFoundException(n); }
            return c;
        }
        @Override public String toString() { return getName(); }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(Caller.call(0));
        for (String[] own : new String[][] {{"Constraints$Caller", "Constraints$Arg", "Constraints$Sub"}, {"Constraints$Caller"}, {"Constraints$Caller", "Constraints$Sub"}, {"Constraints$Caller", "Constraints$Arg", "Constraints$Callee", "Constraints$Sub"}})
            for (int k = 0; k < 5; k++) {
                L l = new L("loader-" + own.length, Constraints.class.getClassLoader(), own);
                try {
                    Object o = l.loadClass("Constraints$Caller").getMethod("call", int.class).invoke(null, k);
                    System.out.println(own.length + " " + k + " " + o.toString().replaceAll("@[0-9a-f]+", ""));
                } catch (java.lang.reflect.InvocationTargetException e) {
                    System.out.println(own.length + " " + k + " " + e.getCause().getClass().getName() + ": " + e.getCause().getMessage().replaceAll("@[0-9a-f]+", "@H"));
                }
            }
    }
}
