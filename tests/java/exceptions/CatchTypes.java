// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// stderr: any
import jdk.internal.org.objectweb.asm.*;

/** Types of handlers that cannot be resolved: the failure is looked for in all rows again, as thrown by the handler's first instruction. */
public class CatchTypes implements Opcodes {
    static class Loader extends ClassLoader {
        Class<?> define(byte[] b) { return defineClass(null, b, 0, b.length); }
        @Override protected Class<?> findClass(String n) throws ClassNotFoundException {
            System.out.println("asked for " + n);
            throw new ClassNotFoundException(n);
        }
    }
    interface Rows { void add(MethodVisitor m, Label start, Label end, Label h1, Label h2, Label h3); }

    /** Throws at start; handlers return 1, 2 and 3, in this order of code. */
    static void run(String name, Rows rows) throws Exception {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        w.visit(V1_6, ACC_PUBLIC, "K", null, "java/lang/Object", null); // version 50, without frames: by inference
        MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "m", "()I", null, null);
        m.visitCode();
        Label start = new Label(), end = new Label(), h1 = new Label(), h2 = new Label(), h3 = new Label();
        rows.add(m, start, end, h1, h2, h3);
        m.visitLabel(start);
        m.visitInsn(ICONST_1);
        m.visitInsn(ICONST_0);
        m.visitInsn(IDIV);
        m.visitInsn(IRETURN);
        m.visitLabel(end);
        int k = 1;
        for (Label h : new Label[] {h1, h2, h3}) {
            m.visitLabel(h);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/Object", "getClass", "()Ljava/lang/Class;", false);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/Class", "getName", "()Ljava/lang/String;", false);
            m.visitFieldInsn(GETSTATIC, "java/lang/System", "out", "Ljava/io/PrintStream;");
            m.visitInsn(SWAP);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/io/PrintStream", "println", "(Ljava/lang/String;)V", false);
            m.visitIntInsn(BIPUSH, k++);
            m.visitInsn(IRETURN);
        }
        m.visitMaxs(0, 0);
        m.visitEnd();
        w.visitEnd();
        try {
            System.out.println(name + ": " + new Loader().define(w.toByteArray()).getMethod("m").invoke(null));
        } catch (java.lang.reflect.InvocationTargetException e) {
            System.out.println(name + ": " + e.getCause());
        }
    }
    public static void main(String[] a) throws Exception {
        String missing = "no/Such", other = "no/Other", any = null, error = "java/lang/NoClassDefFoundError";
        run("not resolved for others", (m, s, e, h1, h2, h3) -> m.visitTryCatchBlock(s, e, h1, "java/lang/ArithmeticException"));
        run("fails", (m, s, e, h1, h2, h3) -> m.visitTryCatchBlock(s, e, h1, missing));
        run("later row covers the handler", (m, s, e, h1, h2, h3) -> { m.visitTryCatchBlock(s, e, h1, missing); m.visitTryCatchBlock(h1, h2, h2, error); });
        run("earlier row covers the handler", (m, s, e, h1, h2, h3) -> { m.visitTryCatchBlock(h1, h2, h2, error); m.visitTryCatchBlock(s, e, h1, missing); });
        run("earlier row for any", (m, s, e, h1, h2, h3) -> { m.visitTryCatchBlock(h1, h2, h3, any); m.visitTryCatchBlock(s, e, h1, missing); m.visitTryCatchBlock(s, e, h2, any); });
        run("two failures", (m, s, e, h1, h2, h3) -> {
            m.visitTryCatchBlock(h2, h3, h3, error);
            m.visitTryCatchBlock(h1, h2, h2, other);
            m.visitTryCatchBlock(s, e, h1, missing);
        });
        run("the row after is not for the first exception", (m, s, e, h1, h2, h3) -> { m.visitTryCatchBlock(s, e, h1, missing); m.visitTryCatchBlock(s, e, h2, any); });
    }
}
