// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED -XX:CompileThreshold=2 -Xbatch
import jdk.internal.org.objectweb.asm.*;
import static jdk.internal.org.objectweb.asm.Opcodes.*;
import java.lang.invoke.*;

/** Locals of bodies and roots that change their kind while copies of them wait on the operand stack. */
public class Overlaps {
    interface Code { void write(MethodVisitor m); }
    static ClassWriter cw;
    static void method(String name, String desc, int stack, int locals, Code c) {
        MethodVisitor m = cw.visitMethod(ACC_PUBLIC | ACC_STATIC, name, desc, null, null);
        m.visitCode();
        c.write(m);
        m.visitMaxs(stack, locals);
        m.visitEnd();
    }
    public static void main(String[] a) throws Throwable {
        cw = new ClassWriter(0);
        cw.visit(50, ACC_PUBLIC | ACC_SUPER, "G", null, "java/lang/Object", null);
        /* int body(int a, long b, int c): push c; store b+1 as a long over (c-1, c); result c + (int) long */
        method("body", "(IJI)I", 8, 6, m -> {
            m.visitVarInsn(ILOAD, 3);
            m.visitVarInsn(LLOAD, 1);
            m.visitInsn(LCONST_1);
            m.visitInsn(LADD);
            m.visitVarInsn(LSTORE, 2); /* over half of b, and c */
            m.visitVarInsn(LLOAD, 2);
            m.visitInsn(L2I);
            m.visitInsn(IADD);
            m.visitInsn(IRETURN);
        });
        method("root", "(IJI)I", 8, 6, m -> {
            m.visitVarInsn(ILOAD, 0); m.visitVarInsn(LLOAD, 1); m.visitVarInsn(ILOAD, 3); m.visitInsn(ICONST_1); m.visitInsn(IADD);
            m.visitMethodInsn(INVOKESTATIC, "G", "body", "(IJI)I", false);
            m.visitVarInsn(ILOAD, 3);
            m.visitVarInsn(LLOAD, 1); m.visitVarInsn(LSTORE, 2);
            m.visitInsn(ISUB);
            m.visitVarInsn(LLOAD, 2); m.visitInsn(L2I); m.visitInsn(IXOR);
            m.visitInsn(IRETURN);
        });
        /* double over int and reference, with the reference on the stack */
        method("body2", "(Ljava/lang/String;IID)I", 8, 6, m -> {
            m.visitVarInsn(ILOAD, 2);
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(DLOAD, 3);
            m.visitVarInsn(DSTORE, 1);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I", false);
            m.visitInsn(ISUB);
            m.visitVarInsn(DLOAD, 1); m.visitInsn(D2I); m.visitInsn(IADD);
            m.visitInsn(IRETURN);
        });
        method("root2", "(Ljava/lang/String;IID)I", 8, 6, m -> {
            m.visitVarInsn(ALOAD, 0); m.visitVarInsn(ILOAD, 1); m.visitInsn(ICONST_1); m.visitInsn(IADD); m.visitVarInsn(ILOAD, 2); m.visitInsn(ICONST_2); m.visitInsn(IADD); m.visitVarInsn(DLOAD, 3); m.visitInsn(DCONST_1); m.visitInsn(DADD);
            m.visitMethodInsn(INVOKESTATIC, "G", "body2", "(Ljava/lang/String;IID)I", false);
            m.visitInsn(IRETURN);
        });
        /* the second half of a wide argument becomes an int while the wide one waits */
        method("body3", "(JI)J", 8, 4, m -> {
            m.visitVarInsn(LLOAD, 0);
            m.visitVarInsn(ILOAD, 2);
            m.visitVarInsn(ISTORE, 1);
            m.visitVarInsn(ILOAD, 1); m.visitVarInsn(ILOAD, 2); m.visitInsn(IMUL); m.visitInsn(I2L);
            m.visitInsn(LADD);
            m.visitVarInsn(ILOAD, 1); m.visitInsn(I2L); m.visitInsn(LSUB);
            m.visitInsn(LRETURN);
        });
        method("root3", "(JI)J", 8, 4, m -> {
            m.visitVarInsn(LLOAD, 0);m.visitInsn(LCONST_1); m.visitInsn(LADD); m.visitVarInsn(ILOAD, 2); m.visitInsn(ICONST_3); m.visitInsn(IADD);
            m.visitMethodInsn(INVOKESTATIC, "G", "body3", "(JI)J", false);
            m.visitVarInsn(LLOAD, 0); m.visitInsn(LXOR);
            m.visitInsn(LRETURN);
        });
        /* two-cell dup forms over arguments: dup2 stored elsewhere */
        method("body4", "(JD)D", 8, 6, m -> {
            m.visitVarInsn(LLOAD, 0); m.visitInsn(DUP2);
            m.visitVarInsn(LSTORE, 1);  /* over itself's half and half of d */
            m.visitInsn(L2D);
            m.visitVarInsn(LLOAD, 1); m.visitInsn(L2D); m.visitInsn(DADD);
            m.visitInsn(DRETURN);
        });
        method("root4", "(JD)D", 8, 6, m -> {
            m.visitVarInsn(LLOAD, 0); m.visitInsn(LCONST_1); m.visitInsn(LADD); m.visitVarInsn(DLOAD, 2); m.visitInsn(DCONST_1); m.visitInsn(DMUL);
            m.visitMethodInsn(INVOKESTATIC, "G", "body4", "(JD)D", false);
            m.visitVarInsn(DLOAD, 2); m.visitInsn(DSUB);
            m.visitInsn(DRETURN);
        });
        cw.visitEnd();
        byte[] b = cw.toByteArray();
        Class<?> g = new ClassLoader() { Class<?> d() { return defineClass("G", b, 0, b.length); } }.d();
        for (int i = 0; i < 40; i++) {
            Object r1 = g.getMethod("root", int.class, long.class, int.class).invoke(null, i, i * 100L, i * 7 + 3);
            Object r2 = g.getMethod("root2", String.class, int.class, int.class, double.class).invoke(null, "abc" + i, i, i + 5, i * 9.5);
            Object r3 = g.getMethod("root3", long.class, int.class).invoke(null, i * 1000000007L, i);
            Object r4 = g.getMethod("root4", long.class, double.class).invoke(null, i * 1000000007L, i * 0.5);
            System.out.println(i + " " + r1 + " " + r2 + " " + r3 + " " + r4);
        }
    }
}
