// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// Where the message of a frame that does not fit its stack map says that it happened: at the target when types differ, at the jump when sizes do.
import java.util.function.Consumer;
import jdk.internal.org.objectweb.asm.*;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

public class MapMismatch extends ClassLoader {
    static final Object[] NONE = {};
    static void check(String name, Consumer<MethodVisitor> code) {
        ClassWriter w = new ClassWriter(0);
        w.visit(V17, ACC_PUBLIC, "Bad", null, "java/lang/Object", null);
        MethodVisitor m = w.visitMethod(ACC_STATIC, "m", "(I)V", null, null);
        m.visitCode();
        code.accept(m);
        m.visitMaxs(4, 4);
        m.visitEnd();
        w.visitEnd();
        byte[] b = w.toByteArray();
        try {
            Class.forName("Bad", true, new MapMismatch().define(b));
            System.out.println(name + ": accepted");
        } catch (VerifyError | ClassNotFoundException e) {
            System.out.println(name + ": " + e.getMessage());
        }
    }
    ClassLoader define(byte[] b) {
        defineClass("Bad", b, 0, b.length);
        return this;
    }
    static void jump(MethodVisitor m, int op, Object[] locals, Object[] stack) {
        Label l = new Label();
        m.visitJumpInsn(op, l);
        m.visitInsn(NOP);
        m.visitLabel(l);
        m.visitFrame(F_NEW, locals.length, locals, stack.length, stack);
        m.visitInsn(RETURN);
    }
    public static void main(String[] args) {
        check("local at a branch", m -> {
            m.visitLdcInsn("s"); m.visitVarInsn(ASTORE, 1); m.visitVarInsn(ILOAD, 0);
            jump(m, IFNE, new Object[] {INTEGER, "java/lang/Integer"}, NONE);
        });
        check("stack at a branch", m -> {
            m.visitLdcInsn("s"); m.visitVarInsn(ILOAD, 0);
            jump(m, IFNE, new Object[] {INTEGER}, new Object[] {INTEGER});
        });
        check("sizes at a branch", m -> {
            m.visitLdcInsn("s"); m.visitVarInsn(ILOAD, 0);
            jump(m, IFNE, new Object[] {INTEGER}, NONE);
        });
        check("local when code runs into a map", m -> {
            Label l = new Label();
            m.visitInsn(NOP);
            m.visitLabel(l);
            Object[] want = {INTEGER, FLOAT};
            m.visitFrame(F_NEW, 2, want, 0, NONE);
            m.visitInsn(RETURN);
        });
        check("local at a handler", m -> {
            Label from = new Label(), to = new Label(), h = new Label();
            m.visitTryCatchBlock(from, to, h, null);
            m.visitLabel(from);
            m.visitInsn(NOP);
            m.visitInsn(RETURN);
            m.visitLabel(to);
            m.visitLabel(h);
            m.visitFrame(F_NEW, 1, new Object[] {FLOAT}, 1, new Object[] {"java/lang/Throwable"});
            m.visitInsn(ATHROW);
        });
        check("stack at a switch", m -> {
            m.visitLdcInsn("s"); m.visitVarInsn(ILOAD, 0);
            Label l = new Label();
            m.visitTableSwitchInsn(0, 0, l, l);
            m.visitLabel(l);
            m.visitFrame(F_NEW, 1, new Object[] {INTEGER}, 1, new Object[] {FLOAT});
            m.visitInsn(RETURN);
        });
    }
}
