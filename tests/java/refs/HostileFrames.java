// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// stderr: any
// modes: !gcstress
// timeout: 120
import java.lang.ref.WeakReference;
import jdk.internal.org.objectweb.asm.*;

/** Collections while a method runs that has 60 KB of code, thousands of handlers over all of it, and up to 65,000 locals. */
public class HostileFrames implements Opcodes {
    static class Loader extends ClassLoader { Class<?> define(byte[] b) { return defineClass(null, b, 0, b.length); } }
    static int calls;

    public static Object called(Object kept) {
        calls++;
        WeakReference<?> w = new WeakReference<>(new Object());
        byte[][] garbage = new byte[64][];
        for (int i = 0; i < 2000; i++) garbage[i & 63] = new byte[10_000];
        for (int i = 0; i < 5 && w.get() != null; i++) System.gc();
        return kept;
    }
    static Object run(String name, int handlers, int locals) throws Exception {
        ClassWriter w = new ClassWriter(0);
        w.visit(V1_6, ACC_PUBLIC, name, null, "java/lang/Object", null);
        MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "m", "(Ljava/lang/Object;)Ljava/lang/Object;", null, null);
        m.visitCode();
        Label start = new Label(), end = new Label();
        m.visitLabel(start);
        for (int i = 0; i < 15_000; i++) { m.visitInsn(ICONST_1); m.visitVarInsn(ISTORE, 1 + i % Math.min(locals - 1, 200)); }
        m.visitVarInsn(ALOAD, 0);
        m.visitMethodInsn(INVOKESTATIC, "HostileFrames", "called", "(Ljava/lang/Object;)Ljava/lang/Object;", false);
        m.visitInsn(ARETURN);
        m.visitLabel(end);
        for (int i = 0; i < handlers; i++) {
            Label h = new Label();
            m.visitTryCatchBlock(start, end, h, "java/lang/Error");
            m.visitLabel(h);
            m.visitInsn(ATHROW);
        }
        m.visitMaxs(2, locals);
        m.visitEnd();
        w.visitEnd();
        return new Loader().define(w.toByteArray()).getMethod("m", Object.class).invoke(null, "kept " + name);
    }
    public static void main(String[] a) throws Exception {
        for (int handlers : new int[] {0, 100, 10_000})
            for (int locals : new int[] {3, 300, 65_000}) System.out.println(run("H" + handlers + "L" + locals, handlers, locals) + " " + calls);
    }
}
