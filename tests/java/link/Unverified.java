// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote
import java.lang.reflect.*;
import java.util.*;
import jdk.internal.org.objectweb.asm.*;

/** Class files with illegal names, flags and duplicates are accepted where classes are not verified. */
public class Unverified implements Opcodes {
    static class Loader extends ClassLoader {
        Class<?> define(byte[] b) { return defineClass(null, b, 0, b.length); }
    }

    interface Members { void add(ClassWriter w); }
    static void define(String name, int access, Members members) {
        ClassWriter w = new ClassWriter(0);
        w.visit(V1_8, access, name, null, "java/lang/Object", null);
        members.add(w);
        try {
            Class<?> c = new Loader().define(w.toByteArray());
            System.out.println(c.getName() + " " + c.getModifiers() + " " + Arrays.toString(c.getDeclaredFields()) + Arrays.toString(c.getDeclaredMethods()) + Arrays.toString(c.getDeclaredConstructors()));
        } catch (Throwable e) {
            System.out.println(name + ": " + e);
        }
    }

    static void field(int access, String name, String desc, int times) {
        define("F", ACC_PUBLIC | ACC_SUPER, w -> {
            for (int i = 0; i < times; i++) w.visitField(access, name, desc, null, null);
        });
    }

    static void method(int access, String name, String desc, int times) {
        define("M", ACC_PUBLIC | ACC_SUPER, w -> {
            for (int i = 0; i < times; i++) {
                MethodVisitor m = w.visitMethod(access, name, desc, null, null);
                if ((access & ACC_ABSTRACT) != 0) continue;
                m.visitInsn(RETURN);
                m.visitMaxs(0, 5);
            }
        });
    }

    public static void main(String[] args) {
        for (String name : new String[] {"a.b", "a;b", "[a", "a//b", "/b", "b/", "a<b"}) define(name, ACC_PUBLIC | ACC_SUPER, w -> { });
        define("A", ACC_PUBLIC | ACC_FINAL | ACC_ABSTRACT, w -> { });
        define("A", ACC_PUBLIC | ACC_INTERFACE, w -> { });
        for (String name : new String[] {"a.b", "a/b", "<x>", "a;"}) field(ACC_PUBLIC, name, "I", 1);
        field(7, "x", "I", 1);
        field(ACC_PUBLIC, "x", "I", 2);
        for (String name : new String[] {"a.b", "a/b", "<a", "a>b", "<b>"}) method(ACC_PUBLIC | ACC_STATIC, name, "()V", 1);
        method(15, "a", "()V", 1);
        method(ACC_ABSTRACT | ACC_FINAL, "a", "()V", 1);
        method(ACC_PUBLIC | ACC_STATIC, "a", "()V", 2);
        method(ACC_PUBLIC | ACC_STATIC, "<init>", "()V", 1);
        method(ACC_STATIC, "<clinit>", "(I)V", 1);
        method(ACC_PUBLIC, "<init>", "()I", 1);
    }
}
