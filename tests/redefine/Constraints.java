// SPDX-License-Identifier: Apache-2.0
package redefine;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Loading constraints (JVMS 5.3.4) after a change of shape: a method that overrides one of another loader must mean the same
 * classes by its descriptor. Base, Middle and Face are the parent's; Sub is the child's; T is each one's own, or the parent's.
 */
public final class Constraints {
    static Instrumentation inst;
    public static void premain(String options, Instrumentation i) { inst = i; }

    static final class Loader extends ClassLoader {
        final Map<String, byte[]> own = new HashMap<>();

        Loader(ClassLoader parent, Map<String, byte[]> from, String... names) {
            super(parent);
            for (String name : names) own.put(name, from.get(name));
        }

        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> c = findLoadedClass(name);
            if (c != null) return c;
            byte[] b = own.get(name);
            return b == null ? super.loadClass(name, resolve) : defineClass(name, b, 0, b.length);
        }
    }

    static final String T = "public class T { }", BASE = "public class Base { }", MIDDLE = "public class Middle extends Base { }",
        FACE = "public interface Face { }", SUB = "public class Sub extends Middle implements Face { public String f(T t) { return \"sub\"; } }";
    static final String F = "{ public String f(T t) { return \"base\"; } }", OTHER = "public class Other extends Base " + F;
    static final Map<String, byte[]> old = Sources.compile(T, BASE, MIDDLE, FACE, SUB, OTHER);

    static String redefine(Class<?> c, String... texts) throws Exception {
        try {
            inst.redefineClasses(new ClassDefinition(c, Sources.compile(texts).get(c.getName())));
            return "accepted";
        } catch (UnsupportedOperationException e) {
            return "refused";
        }
    }

    static String attempt(java.util.concurrent.Callable<?> body) {
        try {
            return String.valueOf(body.call());
        } catch (Throwable t) {
            return (t.getCause() == null ? t : t.getCause()).toString().replaceAll("@[0-9a-f]+", "@").replaceAll("(violation).*", "$1");
        }
    }

    /** Two loaders, the child with a T of its own or not; Sub is linked, and the T of whom is told is loaded. */
    static Loader[] loaders(boolean ownT, boolean parentHasT, boolean childHasT) throws Exception {
        Loader parent = new Loader(null, old, "T", "Base", "Middle", "Face", "Other");
        Loader child = new Loader(parent, old, ownT ? new String[] { "T", "Sub" } : new String[] { "Sub" });
        child.loadClass("Sub").getConstructor().newInstance();
        if (parentHasT) parent.loadClass("T");
        if (childHasT) child.loadClass("T");
        return new Loader[] { parent, child };
    }

    public static void main(String[] args) throws Exception {
        Loader[] l = loaders(true, true, true);
        System.out.println("overridden by another loader's: " + redefine(l[0].loadClass("Base"), "public class Base " + F, T));
        System.out.println("methods " + l[0].loadClass("Base").getDeclaredMethods().length);
        System.out.println("one that says the same: " + redefine(l[0].loadClass("Base"), "public class Base { public String f(Object t) { return \"base\"; } }", T));
        System.out.println("implemented by another loader's: " + redefine(l[0].loadClass("Face"), "public interface Face { String f(T t); }", T));
        System.out.println("another superclass: " + redefine(l[0].loadClass("Middle"), "public class Middle extends Other { }", T, BASE, OTHER));
        l = loaders(false, true, false);
        System.out.println("the same class: " + redefine(l[0].loadClass("Base"), "public class Base " + F, T) + ", "
            + call(l[0].loadClass("Base"), l[1].loadClass("Sub"), l[0].loadClass("T")));
        l = loaders(true, true, false);
        System.out.println("not loaded yet: " + redefine(l[0].loadClass("Base"), "public class Base " + F, T));
        Loader child = l[1];
        System.out.println("then: " + attempt(() -> child.loadClass("T")));
        l = loaders(true, false, false);
        System.out.println("by neither: " + redefine(l[0].loadClass("Base"), "public class Base " + F, T));
        Loader parent = l[0], late = l[1];
        System.out.println("then: " + attempt(() -> parent.loadClass("T")) + ", " + attempt(() -> late.loadClass("T")));
    }

    static String call(Class<?> base, Class<?> sub, Class<?> t) {
        return attempt(() -> base.getMethod("f", t).invoke(sub.getConstructor().newInstance(), t.getConstructor().newInstance()));
    }
}
