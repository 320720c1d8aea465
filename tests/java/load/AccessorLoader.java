// SPDX-License-Identifier: Apache-2.0
// What a generated reflection accessor needs is looked up in the loader of the class it serves, in what that has
// loaded already: no loadClass of a program runs for the sixteenth reflective call, nor for a constructor or a field.
import java.io.InputStream;

public class AccessorLoader {
    public static class Target {
        public static int calls;
        public final int id;

        public Target(int id) { this.id = id; }

        public String twice(String s, Target other) { calls++; return s + s + other.id; }
    }

    static class Telling extends ClassLoader {
        Telling() { super(AccessorLoader.class.getClassLoader()); }

        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            System.out.println("loadClass " + name);
            if (!name.equals("AccessorLoader$Target")) return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                Class<?> c = findLoadedClass(name);
                if (c != null) return c;
                try (InputStream in = getParent().getResourceAsStream(name + ".class")) {
                    byte[] b = in.readAllBytes();
                    return defineClass(name, b, 0, b.length);
                } catch (java.io.IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Class<?> c = Class.forName("AccessorLoader$Target", true, new Telling());
        var make = c.getConstructor(int.class);
        var twice = c.getMethod("twice", String.class, c);
        var calls = c.getField("calls");
        Object o = null;
        for (int i = 0; i < 20; i++) {
            o = make.newInstance(i);
            System.out.println("made " + i + ", " + twice.invoke(o, "x", o) + ", " + calls.getInt(null));
        }
        System.out.println(o.getClass().getClassLoader().getClass().getName());
    }
}
