// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.lang.reflect.*;

/**
 * Two loaders must agree about a class: one thread makes them promise it (resolving a method that both must see with the same types)
 * while another defines the class differently. Whoever comes second fails: one of the two, always.
 */
public class Agree {
    public static class Arg { }
    public static class Callee { public static String take(Arg a) { return "taken"; } }
    public static class Caller { public static String call() { return Callee.take(null); } }

    /** Has a Caller and an Arg of its own. */
    static class L extends ClassLoader {
        static { registerAsParallelCapable(); } // a lock for each name
        @Override protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            if (!n.equals("Agree$Caller") && !n.equals("Agree$Arg")) return super.loadClass(n, r);
            synchronized (getClassLoadingLock(n)) {
                Class<?> c = findLoadedClass(n);
                if (c != null) return c;
                try (InputStream in = Agree.class.getResourceAsStream(n + ".class")) {
                    byte[] b = in.readAllBytes();
                    return defineClass(n, b, 0, b.length);
                } catch (IOException e) { throw new ClassNotFoundException(n); }
            }
        }
    }
    static abstract class Actor extends Thread {
        Object result;
        Actor(String name) { super(name); }
        abstract Object act() throws Throwable;
        @Override public void run() {
            try { result = act(); }
            catch (InvocationTargetException e) { result = e.getCause().getClass(); }
            catch (Throwable e) { result = e.getClass(); }
        }
        boolean failed() { return result == LinkageError.class; }
    }
    /** Both under these names; the second begins when the first is at its point, or through. */
    static void round(String defines, String links, boolean definerFirst, long lead) throws Exception {
        L l = new L();
        Method call = l.loadClass("Agree$Caller").getMethod("call");
        Actor definer = new Actor(defines) { @Override Object act() throws Throwable { return l.loadClass("Agree$Arg"); } };
        Actor linker = new Actor(links) { @Override Object act() throws Throwable { return call.invoke(null); } };
        (definerFirst ? definer : linker).start();
        Thread.sleep(lead);
        (definerFirst ? linker : definer).start();
        definer.join();
        linker.join();
        System.out.println(definer.failed() != linker.failed() ? "one of them fails" : definer.result + ", " + linker.result);
    }
    public static void main(String[] first) throws Exception {
        Callee.take(new Arg());
        round("loads", "all classes", true, 0); // that the actors need: the points do not stop them for others
        round("definer", "linker", first[0].equals("definer"), 500);
    }
}
