// SPDX-License-Identifier: Apache-2.0
import java.nio.file.*;
import org.objectweb.asm.*;

/** TailCalls FOLDER: a class as later kotlinc than 1.3 make it of functions that hand a call that may suspend on and return nothing themselves. */
public class TailCalls implements Opcodes {
    static final String SUSPEND = "(Lkotlin/coroutines/Continuation;)Ljava/lang/Object;";

    static MethodVisitor begin(ClassWriter c, String name, String desc, int line) {
        MethodVisitor m = c.visitMethod(ACC_PUBLIC | ACC_STATIC, name, desc, null, null);
        m.visitCode();
        Label at = new Label();
        m.visitLabel(at);
        m.visitLineNumber(line, at);
        return m;
    }
    static void end(MethodVisitor m) {
        m.visitMaxs(0, 0);
        m.visitEnd();
    }
    static void suspended(MethodVisitor m) {
        m.visitMethodInsn(INVOKESTATIC, "kotlin/coroutines/intrinsics/IntrinsicsKt", "getCOROUTINE_SUSPENDED", "()Ljava/lang/Object;", false);
    }
    public static void main(String[] a) throws Exception {
        ClassWriter c = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
        c.visit(V1_8, ACC_PUBLIC | ACC_FINAL, "k/Tails", null, "java/lang/Object", null);
        c.visitSource("Tails.kt", null);
        c.visitAnnotation("Lkotlin/Metadata;", true).visitEnd();
        MethodVisitor m = begin(c, "now", SUSPEND, 3);
        m.visitLdcInsn("now");
        m.visitInsn(ARETURN);
        end(m);
        m = begin(c, "handsOn", SUSPEND, 5);
        Label goesOn = new Label(), line = new Label();
        m.visitVarInsn(ALOAD, 0);
        m.visitMethodInsn(INVOKESTATIC, "k/Tails", "now", SUSPEND, false);
        m.visitInsn(DUP);
        suspended(m);
        m.visitJumpInsn(IF_ACMPNE, goesOn);
        m.visitInsn(ARETURN);
        m.visitLabel(goesOn);
        m.visitInsn(POP);
        m.visitLabel(line);
        m.visitLineNumber(6, line);
        m.visitFieldInsn(GETSTATIC, "kotlin/Unit", "INSTANCE", "Lkotlin/Unit;");
        m.visitInsn(ARETURN);
        end(m);
        m = begin(c, "main", "([Ljava/lang/String;)V", 9);
        m.visitInsn(ACONST_NULL);
        m.visitMethodInsn(INVOKESTATIC, "k/Tails", "handsOn", SUSPEND, false);
        m.visitInsn(POP);
        m.visitInsn(RETURN);
        end(m);
        c.visitEnd();
        Path to = Path.of(a[0], "k");
        Files.createDirectories(to);
        Files.write(to.resolve("Tails.class"), c.toByteArray());
    }
}
