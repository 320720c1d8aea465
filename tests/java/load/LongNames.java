// SPDX-License-Identifier: Apache-2.0
// options: --add-opens java.base/jdk.internal.misc=ALL-UNNAMED --add-exports java.base/jdk.internal.misc=ALL-UNNAMED
// javac: --add-exports java.base/jdk.internal.misc=ALL-UNNAMED
import java.lang.invoke.*;

/** Names at and above 65,535 bytes, the longest that a class file can hold: of classes that are looked for and defined, of members. */
public class LongNames {
    interface Use { Object of() throws Throwable; }
    static void show(String what, Use u) {
        StringBuilder s = new StringBuilder(what);
        try {
            s.append(": ").append(u.of());
        } catch (Throwable t) {
            for (Throwable x = t; x != null; x = x.getCause()) s.append(" <- ").append(x).append(" (").append(x.toString().length()).append(')');
        }
        System.out.println(s.toString().replaceAll("a{100,}", "A").replaceAll("\u1234{100,}", "U"));
    }

    static class Loader extends ClassLoader {
        Class<?> define(String name) { return defineClass(name, new byte[0], 0, 0); }
        Class<?> loaded(String name) { return findLoadedClass(name); }
    }

    static void classes(String what, String name) {
        ClassLoader app = LongNames.class.getClassLoader();
        show(what + " forName", () -> Class.forName(name));
        show(what + " of a loader", () -> Class.forName(name, false, app));
        show(what + " loadClass", () -> app.loadClass(name));
        show(what + " found by a lookup", () -> MethodHandles.lookup().findClass(name));
        show(what + " is loaded", () -> new Loader().loaded(name));
        show(what + " in a module", () -> Class.forName(Object.class.getModule(), name));
    }

    public static void main(String[] args) {
        for (int length : new int[] {65_535, 65_536, 70_000, 131_072}) {
            String name = "a".repeat(length);
            classes(length + "", name);
            classes(length + " array", "[L" + name + ";");
            if (length == 65_535) continue;
            show(length + " of the boot loader", () -> Class.forName(name, false, null));
            show(length + " defined", () -> new Loader().define(name));
            show(length + " defined by Unsafe", () -> jdk.internal.misc.Unsafe.getUnsafe().defineClass(name, new byte[0], 0, 0, null, null));
            show(length + " in a descriptor", () -> MethodType.fromMethodDescriptorString("(L" + name + ";)V", null));
            show(length + " method", () -> MethodHandles.lookup().findStatic(LongNames.class, name, MethodType.methodType(void.class)));
            show(length + " field", () -> MethodHandles.lookup().findStaticGetter(LongNames.class, name, int.class));
        }
        classes("Unicode", "\u1234".repeat(21_846));
    }
}
