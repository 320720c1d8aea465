// SPDX-License-Identifier: Apache-2.0
import jdk.internal.org.objectweb.asm.*;

/**
 * Methods that are expensive to analyse (60 KB of code, thousands of handlers over all of it, tens of thousands of locals): a heap
 * walk and a debugger's look at a frame of one, and verification.  Arguments: "frames" or "verify", numbers of handlers.  With
 * -Dbench it prints milliseconds, without what was found.
 */
public class Hostile implements Opcodes {
    static class Loader extends ClassLoader { Class<?> define(byte[] b) { return defineClass(null, b, 0, b.length); } }
    static native boolean walk(Object kept, int depth, double[] times);
    static final boolean bench = Boolean.getBoolean("bench");
    static final double[] times = new double[2];
    static double collection;
    static boolean found;

    public static Object called(Object kept) {
        found = walk(kept, 2, times);
        long start = System.nanoTime();
        System.gc();
        collection = (System.nanoTime() - start) / 1e6;
        return kept;
    }
    /* 15,000 times a constant stored, then a call, all within `handlers` ranges; frames as version 52 wants them. */
    static byte[] method(String name, int version, int handlers, int locals) {
        ClassWriter w = new ClassWriter(0);
        w.visit(version, ACC_PUBLIC, name, null, "java/lang/Object", null);
        MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "m", "(Ljava/lang/Object;)Ljava/lang/Object;", null, null);
        m.visitCode();
        Label start = new Label(), end = new Label();
        m.visitLabel(start);
        for (int i = 0; i < 15_000; i++) { m.visitInsn(ICONST_1); m.visitVarInsn(ISTORE, 1 + i % Math.min(locals - 1, 200)); }
        m.visitVarInsn(ALOAD, 0);
        m.visitMethodInsn(INVOKESTATIC, "Hostile", "called", "(Ljava/lang/Object;)Ljava/lang/Object;", false);
        m.visitInsn(ARETURN);
        m.visitLabel(end);
        for (int i = 0; i < handlers; i++) {
            Label h = new Label();
            m.visitTryCatchBlock(start, end, h, "java/lang/Error");
            m.visitLabel(h);
            if (version >= V1_7) m.visitFrame(F_FULL, 1, new Object[] {"java/lang/Object"}, 1, new Object[] {"java/lang/Error"});
            m.visitInsn(ATHROW);
        }
        m.visitMaxs(2, locals);
        m.visitEnd();
        w.visitEnd();
        return w.toByteArray();
    }
    static void frame(int handlers, int locals) throws Exception {
        Object kept = new Object();
        /* Version 49: its verifier is the reference's own library and not ours to bound; the program runs without. */
        Class<?> c = new Loader().define(method("H" + handlers + "L" + locals, V1_5, handlers, locals));
        boolean same = c.getMethod("m", Object.class).invoke(null, kept) == kept;
        if (bench) System.out.printf("%6d handlers %6d locals: collection %8.2f ms, heap walk %8.2f ms, local %8.2f ms%n",
                                     handlers, locals, collection, times[0], times[1]);
        else System.out.println(c.getName() + " same " + same + " found " + found);
    }
    static void verify(int handlers, int locals) throws Exception {
        byte[] b = method("V" + handlers + "L" + locals, V1_8, handlers, locals);
        String outcome = "verified";
        Class<?> c = new Loader().define(b);
        long start = System.nanoTime();
        try { java.lang.invoke.MethodHandles.lookup().ensureInitialized(c); }
        catch (VerifyError e) { outcome = e.getMessage().lines().findFirst().get(); }
        double ms = (System.nanoTime() - start) / 1e6;
        if (bench) System.out.printf("%6d handlers %6d locals: %d bytes, verification %8.2f ms, %s%n", handlers, locals, b.length, ms, outcome);
        else System.out.println(handlers + " handlers: " + outcome);
    }
    public static void main(String[] a) throws Exception {
        System.loadLibrary("agent_hostile");
        for (int i = 1; i < a.length; i++)
            if (a[0].equals("verify")) verify(Integer.parseInt(a[i]), 300);
            else for (int locals : new int[] {3, 300, 65_000}) frame(Integer.parseInt(a[i]), locals);
    }
}
