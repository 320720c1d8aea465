// SPDX-License-Identifier: Apache-2.0
import java.io.*;

/** A class is found, linked and instantiated by another thread before the one that defines it has come back; a call is compiled meanwhile. */
public class Found {
    public static class A { public int f() { return 1; } }
    public static class B extends A { @Override public int f() { return 2; } }
    static class Next { }

    static class L extends ClassLoader {
        static { registerAsParallelCapable(); }
        Class<?> define(String n, byte[] b) { return defineClass(n, b, 0, b.length); }
        Class<?> found(String n) { return findLoadedClass(n); }
    }
    static byte[] bytes(String n) throws IOException {
        try (InputStream in = Found.class.getResourceAsStream(n + ".class")) { return in.readAllBytes(); }
    }
    static int call(A a) { return a.f(); }

    public static void main(String[] none) throws Exception {
        L l = new L();
        l.define("Found$A", bytes("Found$A")).getConstructor().newInstance(); // all that is needed below
        byte[] b = bytes("Found$B");
        L other = new L();
        Class.forName("Found$A", false, other); // what B needs of it
        A a = new A();
        Thread definer = new Thread(() -> other.define("Found$B", b), "definer");
        definer.start();
        Class<?> k;
        while ((k = other.found("Found$B")) == null) Thread.sleep(1);
        A o = (A) k.getConstructor().newInstance();
        int sum = 0;
        for (int i = 0; i < 200_000; i++) sum += call(a); // compiled, for all subclasses there are
        int got = call(o);
        boolean waits = definer.isAlive();
        new Next(); // the definer goes on
        definer.join();
        System.out.println(sum + " " + got + " " + call(o) + (waits ? "" : ", too late"));
    }
}
