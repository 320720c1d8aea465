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
    interface Body { Object run() throws Throwable; }
    static String outcome(Body b) {
        try { return String.valueOf(b.run()); }
        catch (InvocationTargetException e) { return e.getCause().getClass().getName(); }
        catch (Throwable e) { return e.getClass().getName(); }
    }
    public static void main(String[] first) throws Exception {
        new Arg();
        L l = new L();
        Method call = l.loadClass("Agree$Caller").getMethod("call");
        outcome(() -> Callee.take(null));
        String[] said = new String[2];
        Thread definer = new Thread(() -> said[0] = outcome(() -> "defined " + (l.loadClass("Agree$Arg") != Arg.class)), "definer");
        Thread linker = new Thread(() -> said[1] = outcome(() -> call.invoke(null)), "linker");
        Thread early = first[0].equals("definer") ? definer : linker, late = early == definer ? linker : definer;
        early.start();
        Thread.sleep(500);
        late.start();
        definer.join();
        linker.join();
        boolean defined = said[0].equals("defined true"), promised = said[1].equals("taken"), failed = (said[0] + said[1]).contains("java.lang.LinkageError");
        System.out.println(defined != promised && failed ? "one of them" : said[0] + ", " + said[1]);
    }
}
