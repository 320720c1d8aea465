// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.lang.reflect.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** Class names with parentheses, which other compilers make and the class file format allows, inside descriptors. */
public class OddClassNames {
    public static class X_I_ {
        double value = 1.5;
        public native X_I_ nat(X_I_ a, int b);
        public native double dnat(X_I_ a, X_I_[] b);
        public X_I_ self(X_I_ a) { return a; }
        public double twice(X_I_ a) { return 2 * a.value; }
        public X_I_ left(X_I_ a) { return a; }
    }

    public static class User_ implements Runnable {
        @Override public void run() {
            X_I_ x = new X_I_();
            System.out.println(x.twice(x.self(x)));
            attempt(() -> System.out.println(x.self(null).value));
            attempt(() -> x.twice(null));
            attempt(() -> x.nat(x, 1));
            attempt(() -> x.dnat(x, null));
            attempt(() -> x.left(x));
            for (Method m : sorted(X_I_.class.getDeclaredMethods()))
                System.out.println(m + " " + Arrays.toString(m.getParameterTypes()) + " " + m.getReturnType());
            try {
                System.out.println(X_I_.class.getMethod("twice", X_I_.class).invoke(x, x));
                X_I_ y = (X_I_) X_I_.class.getMethod("self", X_I_.class).invoke(x, x);
                System.out.println(y == x);
            } catch (ReflectiveOperationException e) {
                System.out.println(e);
            }
        }
    }

    public static List<Method> sorted(Method[] all) {
        List<Method> l = new ArrayList<>(List.of(all));
        l.sort(Comparator.comparing(Method::getName));
        return l;
    }

    public static void attempt(Runnable r) {
        try {
            r.run();
        } catch (Throwable e) {
            System.out.println(e);
        }
    }

    /** Each byte sequence of the same length; `left` is there for the caller only. */
    static byte[] renamed(Class<?> c) throws IOException {
        try (InputStream in = c.getResourceAsStream(c.getName() + ".class")) {
            String s = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).replace("X_I_", "X)I(");
            if (c == X_I_.class)
                s = s.replace("left", "gone");
            return s.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    static class Odd extends ClassLoader {
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (this) {
                Class<?> c = findLoadedClass(name);
                if (c != null || !name.contains("$"))
                    return c != null ? c : super.loadClass(name, resolve);
                try {
                    byte[] b = renamed(name.endsWith("User_") ? User_.class : X_I_.class);
                    return defineClass(name, b, 0, b.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ((Runnable) new Odd().loadClass("OddClassNames$User_").getConstructor().newInstance()).run();
    }
}
