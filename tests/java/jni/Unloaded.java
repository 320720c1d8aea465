// SPDX-License-Identifier: Apache-2.0
// modes: !checkjni !gcstress
import java.io.InputStream;

/** A library that goes with the loader of its class: whose classes its functions find. */
public class Unloaded {
    static volatile boolean gone;

    public static class Inner {
        static { System.loadLibrary("Unloaded"); }
        static native int answer();
        public static int ask() { return answer(); }
    }

    static class Own extends ClassLoader {
        Own() { super(null); }
        @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream in = Unloaded.class.getResourceAsStream(name + ".class")) {
                if (in == null) throw new ClassNotFoundException(name);
                byte[] b = in.readAllBytes();
                return defineClass(name, b, 0, b.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static void ask() throws ReflectiveOperationException {
        System.out.println(new Own().loadClass("Unloaded$Inner").getMethod("ask").invoke(null));
    }

    static void twice() throws ReflectiveOperationException {
        try {
            System.out.println(Inner.ask());
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage().replaceAll("/.*/", ""));
        }
    }

    public static void main(String[] args) throws Exception {
        ask();
        twice();
        for (int i = 0; i < 500 && !gone; i++) { /* the cleaner's thread unloads it */
            System.gc();
            Thread.sleep(20);
        }
        System.out.println("gone: " + gone);
    }
}
