// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.lang.ref.*;
import java.util.*;

/** Class loaders and their classes are collected when nothing uses them, and kept while an instance lives. */
public class Unloading {
    public static class Payload implements Runnable {
        static final Object[] STATIC = {new byte[1000]};
        public void run() { counter++; }
        static int counter;
    }

    static class Own extends ClassLoader {
        Own() { super(null); }
        @Override protected Class<?> findClass(String n) throws ClassNotFoundException {
            try (InputStream in = Unloading.class.getResourceAsStream(n.replace('.', '/') + ".class")) {
                byte[] b = in.readAllBytes();
                return defineClass(n, b, 0, b.length);
            } catch (IOException | NullPointerException e) {
                throw new ClassNotFoundException(n);
            }
        }
    }

    static Runnable make(List<WeakReference<?>> watch) throws Exception {
        Own l = new Own();
        Class<?> c = l.loadClass("Unloading$Payload");
        Runnable r = (Runnable) c.getConstructor().newInstance();
        r.run();
        watch.add(new WeakReference<>(l));
        watch.add(new WeakReference<>(c));
        return r;
    }

    static long alive(List<WeakReference<?>> w) { return w.stream().filter(x -> x.get() != null).count(); }

    public static void main(String[] args) throws Exception {
        List<WeakReference<?>> watch = new ArrayList<>();
        for (int i = 0; i < 50; i++) make(watch);
        List<WeakReference<?>> keep = new ArrayList<>();
        Runnable held = make(keep);
        for (int i = 0; i < 300 && alive(watch) > 0; i++) { System.gc(); Thread.sleep(2); }
        System.out.println(alive(watch) + " " + alive(keep) + " " + (held.getClass() != Payload.class) + " " + (held.getClass().getClassLoader() instanceof Own));
        held.run();
        held = null;
        for (int i = 0; i < 300 && alive(keep) > 0; i++) { System.gc(); Thread.sleep(2); }
        System.out.println(alive(keep));
    }
}
