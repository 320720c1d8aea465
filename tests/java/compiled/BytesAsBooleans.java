// SPDX-License-Identifier: Apache-2.0
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
import java.lang.invoke.MethodHandles;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

/** A method that returns a byte's field as a boolean, which no Java source can say, has one bit of it (JVMS ireturn). */
public class BytesAsBooleans {
    public abstract static class Cell {
        public byte value;
        public abstract boolean truth();
        public abstract byte number();
    }

    static void getter(ClassWriter w, String name, String desc) {
        MethodVisitor m = w.visitMethod(ACC_PUBLIC, name, desc, null, null);
        m.visitCode();
        m.visitVarInsn(ALOAD, 0);
        m.visitFieldInsn(GETFIELD, "BytesAsBooleans$Cell", "value", "B");
        m.visitInsn(IRETURN);
        m.visitMaxs(1, 1);
        m.visitEnd();
    }

    static Cell cell() throws Exception {
        ClassWriter w = new ClassWriter(0);
        w.visit(V11, ACC_PUBLIC, "OwnCell", null, "BytesAsBooleans$Cell", null);
        MethodVisitor m = w.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        m.visitCode();
        m.visitVarInsn(ALOAD, 0);
        m.visitMethodInsn(INVOKESPECIAL, "BytesAsBooleans$Cell", "<init>", "()V", false);
        m.visitInsn(RETURN);
        m.visitMaxs(1, 1);
        m.visitEnd();
        getter(w, "truth", "()Z");
        getter(w, "number", "()B");
        return (Cell) MethodHandles.lookup().defineClass(w.toByteArray()).getDeclaredConstructor().newInstance();
    }

    /** With all bits, where a boolean is kept. */
    static boolean[] kept = new boolean[1];
    static int sum(Cell c, int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            c.value = (byte) i;
            kept[0] = c.truth();
            sum = sum * 31 + (c.truth() ? 1 : 2) + (c.truth() == true ? 3 : 4) + c.number() + (kept[0] ? 5 : 6);
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Cell c = cell();
        System.out.println(sum(c, 9));
        int sum = 0;
        for (int i = 0; i < 3000; i++) sum = sum * 7 + sum(c, 300);
        System.out.println(sum + " " + sum(c, 9));
    }
}
