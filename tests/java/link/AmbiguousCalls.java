// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
import jdk.internal.org.objectweb.asm.*;

/** A class that uses hundreds of references to methods in two ways each: super.m() and o.m(). */
public class AmbiguousCalls implements Opcodes {
    static final int N = 600;
    static class Loader extends ClassLoader {
        Class<?> define(ClassWriter w) { byte[] b = w.toByteArray(); return defineClass(null, b, 0, b.length); }
    }
    static MethodVisitor begin(ClassWriter w, String name, String desc) {
        MethodVisitor m = w.visitMethod(ACC_PUBLIC, name, desc, null, null);
        m.visitCode();
        return m;
    }
    static void end(MethodVisitor m, int op) {
        m.visitInsn(op);
        m.visitMaxs(0, 0);
        m.visitEnd();
    }
    static ClassWriter type(String name, String superName) {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        w.visit(V11, ACC_PUBLIC, name, null, superName, null);
        MethodVisitor m = begin(w, "<init>", "()V");
        m.visitVarInsn(ALOAD, 0);
        m.visitMethodInsn(INVOKESPECIAL, superName, "<init>", "()V", false);
        end(m, RETURN);
        return w;
    }
    public static void main(String[] a) throws Exception {
        ClassWriter s = type("S", "java/lang/Object"), d = type("D", "S");
        MethodVisitor all = begin(d, "all", "(LS;)J");
        all.visitInsn(LCONST_0);
        for (int i = 0; i < N; i++) {
            MethodVisitor m = begin(s, "m" + i, "()I");
            m.visitIntInsn(SIPUSH, i);
            end(m, IRETURN);
            m = begin(d, "m" + i, "()I");
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(INVOKESPECIAL, "S", "m" + i, "()I", false);
            m.visitInsn(ICONST_1);
            m.visitInsn(IADD);
            end(m, IRETURN);
            all.visitLdcInsn(31L);
            all.visitInsn(LMUL);
            all.visitVarInsn(ALOAD, 1);
            all.visitMethodInsn(INVOKEVIRTUAL, "S", "m" + i, "()I", false);
            all.visitInsn(I2L);
            all.visitInsn(LADD);
        }
        end(all, LRETURN);
        Loader l = new Loader();
        Object base = l.define(s).getDeclaredConstructor().newInstance();
        Class<?> derived = l.define(d);
        Object o = derived.getDeclaredConstructor().newInstance();
        for (int i = 0; i < 3; i++) System.out.println(derived.getMethod("all", base.getClass()).invoke(o, o) + " " + derived.getMethod("all", base.getClass()).invoke(o, base));
    }
}
