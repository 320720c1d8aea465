// SPDX-License-Identifier: Apache-2.0
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

/** Class files before version 53 may assign a final field in any method of the class: static ones, and those of hidden classes, when code has read them often. */
public class FinalsLate {
    public interface Cell {
        int number();
        String text();
        int own();
        void assign(int n, String s);
        void assignOwn(int n);
    }

    static void method(ClassWriter w, String name, String desc, java.util.function.Consumer<MethodVisitor> body) {
        MethodVisitor m = w.visitMethod(ACC_PUBLIC, name, desc, null, null);
        m.visitCode();
        body.accept(m);
        m.visitMaxs(0, 0);
        m.visitEnd();
    }

    static byte[] file(String name, int version) {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        w.visit(version, ACC_PUBLIC | ACC_SUPER, name, null, "java/lang/Object", new String[] {"FinalsLate$Cell"});
        w.visitField(ACC_STATIC | ACC_FINAL, "number", "I", null, null).visitEnd();
        w.visitField(ACC_STATIC | ACC_FINAL, "text", "Ljava/lang/String;", null, null).visitEnd();
        w.visitField(ACC_FINAL, "own", "I", null, null).visitEnd();
        MethodVisitor m = w.visitMethod(ACC_STATIC, "<clinit>", "()V", null, null);
        m.visitIntInsn(BIPUSH, 7);
        m.visitFieldInsn(PUTSTATIC, name, "number", "I");
        m.visitLdcInsn("seven");
        m.visitFieldInsn(PUTSTATIC, name, "text", "Ljava/lang/String;");
        m.visitInsn(RETURN);
        m.visitMaxs(0, 0);
        method(w, "<init>", "()V", i -> {
            i.visitVarInsn(ALOAD, 0);
            i.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
            i.visitVarInsn(ALOAD, 0);
            i.visitIntInsn(BIPUSH, 9);
            i.visitFieldInsn(PUTFIELD, name, "own", "I");
            i.visitInsn(RETURN);
        });
        method(w, "number", "()I", i -> {
            i.visitFieldInsn(GETSTATIC, name, "number", "I");
            i.visitInsn(IRETURN);
        });
        method(w, "text", "()Ljava/lang/String;", i -> {
            i.visitFieldInsn(GETSTATIC, name, "text", "Ljava/lang/String;");
            i.visitInsn(ARETURN);
        });
        method(w, "own", "()I", i -> {
            i.visitVarInsn(ALOAD, 0);
            i.visitFieldInsn(GETFIELD, name, "own", "I");
            i.visitInsn(IRETURN);
        });
        method(w, "assign", "(ILjava/lang/String;)V", i -> {
            i.visitVarInsn(ILOAD, 1);
            i.visitFieldInsn(PUTSTATIC, name, "number", "I");
            i.visitVarInsn(ALOAD, 2);
            i.visitFieldInsn(PUTSTATIC, name, "text", "Ljava/lang/String;");
            i.visitInsn(RETURN);
        });
        method(w, "assignOwn", "(I)V", i -> {
            i.visitVarInsn(ALOAD, 0);
            i.visitVarInsn(ILOAD, 1);
            i.visitFieldInsn(PUTFIELD, name, "own", "I");
            i.visitInsn(RETURN);
        });
        return w.toByteArray();
    }

    static Cell defined(int version) throws Exception {
        return made(new ClassLoader(FinalsLate.class.getClassLoader()) {
            Class<?> define(byte[] file) { return defineClass(null, file, 0, file.length); }
        }.define(file("Cells" + version, version)));
    }

    static Cell made(Class<?> c) throws Exception {
        Constructor<?> init = c.getDeclaredConstructor();
        init.setAccessible(true);
        return (Cell) init.newInstance();
    }

    static final Cell SHOWN, HIDDEN;
    static {
        try {
            SHOWN = defined(51);
            HIDDEN = made(MethodHandles.lookup().defineHiddenClass(file("HiddenCells", 51), true).lookupClass());
        } catch (Exception e) {
            throw new Error(e);
        }
    }

    static int shown(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += SHOWN.number() * 3 + SHOWN.text().length() + SHOWN.own() ^ i;
        return sum;
    }
    static int hidden(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += HIDDEN.number() * 3 + HIDDEN.text().length() + HIDDEN.own() ^ i;
        return sum;
    }

    public static void main(String[] args) throws Exception {
        int sum = 0;
        for (int i = 0; i < 20000; i++) sum += shown(100) ^ hidden(100);
        System.out.println(sum + " " + shown(10) + " " + hidden(10));
        HIDDEN.assignOwn(20);
        System.out.println(shown(10) + " " + hidden(10));
        SHOWN.assign(30, "thirty");
        System.out.println(shown(10) + " " + hidden(10));
        HIDDEN.assign(40, "forty and more");
        SHOWN.assignOwn(50);
        System.out.println(shown(10) + " " + hidden(10));
        int wrong = 0;
        for (int i = 0; i < 100000; i++) {
            SHOWN.assign(i, "x");
            HIDDEN.assignOwn(i);
            if (SHOWN.number() != i || HIDDEN.own() != i) wrong++;
        }
        System.out.println(wrong + " " + shown(10) + " " + hidden(10));
        try {
            defined(53).assign(1, "never");
        } catch (IllegalAccessError e) {
            System.out.println("refused, since version 53");
        }
    }
}
