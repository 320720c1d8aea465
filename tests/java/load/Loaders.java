// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.jar.*;

/** Class loaders: delegation, own definitions, same name twice, URLClassLoader on directory and jar, resources, errors of defineClass, packages. */
public class Loaders {
    public static class Victim {
        static { System.out.println("init by " + Victim.class.getClassLoader().getClass().getSimpleName()); }
        public static String hello() { return "hello"; }
        public static Object friend() { return new Friend(); }
    }
    public static class Friend {}

    static class Child extends ClassLoader {
        final List<String> asked = new ArrayList<>();
        Child(ClassLoader p) { super("child-loader", p); }
        @Override protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(n)) {
                asked.add(n);
                if (!n.startsWith("Loaders$")) return super.loadClass(n, r);
                Class<?> c = findLoadedClass(n);
                if (c == null) { byte[] b = bytes(n); c = defineClass(n, b, 0, b.length); }
                return c;
            }
        }
        Class<?> define(String n, byte[] b) { return defineClass(n, b, 0, b.length); }
        Class<?> loaded(String n) { return findLoadedClass(n); }
    }

    static class Par extends ClassLoader {
        static { registerAsParallelCapable(); }
        static final ConcurrentHashMap<String, Integer> DEF = new ConcurrentHashMap<>();
        Par() { super(Loaders.class.getClassLoader()); }
        @Override protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            if (!n.equals("Loaders$Friend")) return super.loadClass(n, r);
            synchronized (getClassLoadingLock(n)) {
                Class<?> c = findLoadedClass(n);
                if (c != null) return c;
                DEF.merge(n, 1, Integer::sum);
                byte[] b = bytes(n);
                return defineClass(n, b, 0, b.length);
            }
        }
    }

    static class Liar extends ClassLoader {
        @Override protected Class<?> findClass(String n) throws ClassNotFoundException { if (n.equals("Lie")) return String.class; throw new ClassNotFoundException("liar has no " + n); }
    }

    static byte[] bytes(String n) {
        try (InputStream in = Loaders.class.getResourceAsStream(n.replace('.', '/') + ".class")) { return in.readAllBytes(); } catch (IOException e) { throw new UncheckedIOException(e); }
    }

    interface Act { Object run() throws Throwable; }
    static void show(String w, Act a) { try { System.out.println(w + ": " + a.run()); } catch (Throwable t) { System.out.println(w + " threw " + t.getClass().getName() + ": " + String.valueOf(t.getMessage()).replaceAll("@[0-9a-f]+", "@H")); } }

    public static void main(String[] args) throws Throwable {
        ClassLoader app = Loaders.class.getClassLoader();
        System.out.println(app.getName() + " " + app.getParent().getName() + " " + app.getParent().getParent() + " " + String.class.getClassLoader() + " " + (app == ClassLoader.getSystemClassLoader()) + (app == Thread.currentThread().getContextClassLoader()) + ClassLoader.getPlatformClassLoader().getName() + int[].class.getClassLoader() + Loaders[].class.getClassLoader().getName());
        Child ch = new Child(app);
        Class<?> v = ch.loadClass("Loaders$Victim");
        System.out.println("loaded not initialised " + (v != Victim.class) + " " + v.getName().equals(Victim.class.getName()));
        System.out.println(v.getMethod("hello").invoke(null) + " " + v.getMethod("friend").invoke(null).getClass().getClassLoader().getName() + " " + ch.asked);
        show("cast", () -> (Friend) v.getMethod("friend").invoke(null));
        show("duplicate", () -> ch.define("Loaders$Victim", bytes("Loaders$Victim")));
        show("wrong name", () -> ch.define("Other", bytes("Loaders$Friend")));
        show("java package", () -> ch.define("java.lang.Evil", bytes("Loaders$Friend")));
        show("garbage", () -> ch.define(null, new byte[] {(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe}));
        show("magic", () -> ch.define(null, "hello world".getBytes()));
        show("version", () -> { byte[] b = bytes("Loaders$Friend"); b[7] = 99; return ch.define("Loaders$Friend", b); });
        show("truncated", () -> { byte[] b = bytes("Loaders$Friend"); return new Child(app).define("Loaders$Friend", Arrays.copyOf(b, b.length - 3)); });
        show("extra bytes", () -> { byte[] b = bytes("Loaders$Friend"); return new Child(app).define("Loaders$Friend", Arrays.copyOf(b, b.length + 3)); });
        show("loaded", () -> ch.loaded("Loaders$Victim") == v && ch.loaded("Nope") == null);
        show("initiating", () -> ch.loaded("java.lang.Object") == Object.class);
        show("liar", () -> Class.forName("Lie", true, new Liar()));
        show("liar 2", () -> Class.forName("Truth", true, new Liar()));
        show("boot", () -> Class.forName("java.util.List", false, null) + " " + Class.forName("[LLoaders$Friend;", false, ch).getComponentType().getClassLoader().getName());
        show("boot lacks app", () -> Class.forName("Loaders", false, null));
        Par par = new Par();
        Set<Class<?>> got = ConcurrentHashMap.newKeySet();
        Thread[] ts = new Thread[8];
        for (int i = 0; i < 8; i++) (ts[i] = new Thread(() -> { try { got.add(par.loadClass("Loaders$Friend")); } catch (ClassNotFoundException e) { } })).start();
        for (Thread t : ts) t.join();
        System.out.println(got.size() + " " + Par.DEF);
        Path dir = Files.createTempDirectory("loaders");
        Files.write(dir.resolve("Loaders$Friend.class"), bytes("Loaders$Friend"));
        Path jar = dir.resolve("x.jar");
        Manifest mf = new Manifest();
        mf.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        mf.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_TITLE, "Title");
        try (JarOutputStream jo = new JarOutputStream(Files.newOutputStream(jar), mf)) {
            jo.putNextEntry(new JarEntry("Loaders$Victim.class")); jo.write(bytes("Loaders$Victim"));
            jo.putNextEntry(new JarEntry("res/text.txt")); jo.write("resource text".getBytes());
        }
        try (URLClassLoader u = new URLClassLoader("url", new URL[] {dir.toUri().toURL(), jar.toUri().toURL()}, null)) {
            Class<?> uv = u.loadClass("Loaders$Victim");
            System.out.println(uv.getMethod("friend").invoke(null).getClass().getClassLoader().getName() + " " + uv.getProtectionDomain().getCodeSource().getLocation().toString().endsWith("x.jar") + " " + new String(u.getResourceAsStream("res/text.txt").readAllBytes()) + " " + Collections.list(u.getResources("res/text.txt")).size() + uv.getPackage().getImplementationTitle() + u.getResource("none"));
            show("url none", () -> u.loadClass("Loaders"));
        }
        for (String f : new String[] {"Loaders$Friend.class", "x.jar", ""}) Files.delete(dir.resolve(f));
        System.out.println(Loaders.class.getResource("Loaders.class").getProtocol() + " " + String.class.getResource("String.class") + " " + ClassLoader.getSystemResource("java/lang/Object.class") + " " + Loaders.class.getResource("/nothing"));
        new ClassLoader(null) { /* supertypes in the reference's order */
            protected Class<?> findClass(String n) throws ClassNotFoundException {
                System.out.println("find " + n);
                try { byte[] b = bytes(n); return defineClass(n, b, 0, b.length); } catch (Exception e) { throw new ClassNotFoundException(n, e); }
            }
        }.loadClass("Loaders$Derived");
        Class<?> holder = Class.forName("Loaders$Lazy", false, app);
        System.out.println("before");
        System.out.println(Lazy.CONST + Lazy.class.getSimpleName() + new Lazy[1].length);
        System.out.println(Lazy.val);
    }

    interface First { }
    interface Second extends First { }
    static class Base implements Runnable { public void run() { } }
    static class Derived extends Base implements Second, Comparable<Derived> { public int compareTo(Derived d) { return 0; } }
    static class LazySuper { static { System.out.println("super init"); } }
    static class Lazy extends LazySuper { static final String CONST = "inlined"; static { System.out.println("lazy init"); } static int val = 3; }
}
