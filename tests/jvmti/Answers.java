// SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.*;
import java.util.*;
import java.util.stream.*;
import jdk.internal.org.objectweb.asm.*;

/** Asks agent_answers.c: signatures of hidden classes and their arrays, SourceDebugExtension of old classes, StopThread without exception, modules. */
public class Answers {
    static native String signature(Class<?> c);
    static native String extension(Class<?> c);
    static native String stop(Thread t, Object x);
    static native Module[] modules();

    static byte[] make(String name, int version, String extension) {
        ClassWriter w = new ClassWriter(0);
        w.visit(version, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, name, null, "java/lang/Object", null);
        w.visitSource("S.java", extension);
        w.visitEnd();
        return w.toByteArray();
    }
    static class Loader extends ClassLoader {
        Loader(ClassLoader parent) { super("own", parent); }
        Class<?> define(byte[] b) { return defineClass(null, b, 0, b.length); }
    }
    static String plain(String s) { return s.replaceAll("([.+/])0x[0-9a-f]+", "$1H"); }

    public static void main(String[] a) throws Exception {
        Class<?> hidden = MethodHandles.lookup().defineHiddenClass(make("Answers$Made", Opcodes.V11, null), false).lookupClass();
        for (Class<?> c : List.of(hidden, hidden.arrayType(), hidden.arrayType().arrayType(), ((Runnable) () -> {}).getClass().arrayType(), String[][].class, int[].class, int.class))
            System.out.println(plain(signature(c)) + " " + plain(c.getName()));
        Loader l = new Loader(Answers.class.getClassLoader());
        for (int v : new int[] {Opcodes.V1_1, Opcodes.V1_3, Opcodes.V1_4, Opcodes.V1_5, Opcodes.V1_6, Opcodes.V11, Opcodes.V17})
            System.out.println((v & 0xffff) + " " + extension(l.define(make("K" + (v & 0xffff), v, "SMAP " + (v & 0xffff)))));
        System.out.println("none " + extension(Answers.class) + " " + extension(int[].class));
        Thread t = new Thread(() -> { try { Thread.sleep(100_000); } catch (InterruptedException e) { } });
        System.out.println("not started " + stop(t, new Error()) + " " + stop(t, null));
        t.setDaemon(true);
        t.start();
        System.out.println("null " + stop(t, null) + ", no thread " + stop(null, new Error()) + ", neither " + stop(null, null));
        System.out.println(Arrays.stream(modules()).filter(m -> !m.isNamed()).map(m -> "unnamed of " + (m.getClassLoader() == null ? "boot" : m.getClassLoader().getName())).sorted().toList());
        System.out.println(Arrays.stream(modules()).filter(Module::isNamed).map(Module::getName).collect(Collectors.toSet()).equals(ModuleLayer.boot().modules().stream().map(Module::getName).collect(Collectors.toSet())));
    }
}
