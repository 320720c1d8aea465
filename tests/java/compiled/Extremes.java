// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED -XX:CompileThreshold=2 -Xbatch -Dsun.reflect.inflationThreshold=0
// timeout: 300
import java.lang.reflect.Method;
import jdk.internal.org.objectweb.asm.*;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

/** Methods as large, as wide and as tangled as class files allow: compiled or left to the interpreter, they tell the same. */
public class Extremes {
    interface Code { void write(MethodVisitor m); }
    static ClassWriter cw;
    static void method(String name, String desc, int stack, int locals, Code c) {
        MethodVisitor m = cw.visitMethod(ACC_PUBLIC | ACC_STATIC, name, desc, null, null);
        m.visitCode();
        c.write(m);
        m.visitMaxs(stack, locals);
        m.visitEnd();
    }
    static void open(String name) {
        cw = new ClassWriter(0);
        cw.visit(49, ACC_PUBLIC | ACC_SUPER, name, null, "java/lang/Object", null);
    }
    static Class<?> close(String name) {
        byte[] b = cw.toByteArray();
        return new ClassLoader(Extremes.class.getClassLoader()) { Class<?> d() { return defineClass(name, b, 0, b.length); } }.d();
    }
    static void run(String name, Class<?> c, Object... args) throws Exception {
        Method m = null;
        for (Method x : c.getDeclaredMethods()) if (x.getName().equals(name)) m = x;
        Object last = null;
        int same = 0;
        for (int i = 0; i < 8; i++) {
            Object r;
            try {
                r = m.invoke(null, args);
            } catch (java.lang.reflect.InvocationTargetException e) {
                r = e.getCause().getClass().getName();
            }
            if (i == 0) System.out.print(name + " " + r);
            else if (!String.valueOf(r).equals(String.valueOf(last))) System.out.print(" then " + r);
            last = r;
        }
        System.out.println();
    }

    /** As many bytes as there may be: sums, with branches forwards over a few and back over all. */
    static void longest(int n) throws Exception {
        open("Longest");
        method("longest", "(II)I", 4, 4, m -> {
            Label top = new Label(), end = new Label();
            m.visitInsn(ICONST_0); m.visitVarInsn(ISTORE, 2);
            m.visitLabel(top);
            for (int i = 0; i < n; i++) {
                Label over = new Label();
                m.visitVarInsn(ILOAD, 2); m.visitVarInsn(ILOAD, i & 1); m.visitInsn(i % 3 == 0 ? IADD : IXOR); m.visitVarInsn(ISTORE, 2);
                if (i % 7 == 0) { m.visitVarInsn(ILOAD, 2); m.visitJumpInsn(IFGT, over); m.visitIincInsn(2, i % 100); }
                m.visitLabel(over);
                m.visitIincInsn(0, 1); m.visitInsn(NOP); m.visitInsn(NOP);
            }
            m.visitIincInsn(1, -1);
            m.visitVarInsn(ILOAD, 1); m.visitJumpInsn(IFLE, end);
            m.visitJumpInsn(200 /* goto_w */ - 33, top); // GOTO, widened by the writer
            m.visitLabel(end);
            m.visitVarInsn(ILOAD, 2); m.visitInsn(IRETURN);
        });
        run("longest", close("Longest"), 5, 20);
    }

    static void widest() throws Exception {
        open("Widest");
        StringBuilder ints = new StringBuilder("("), longs = new StringBuilder("(");
        for (int i = 0; i < 255; i++) ints.append('I');
        for (int i = 0; i < 127; i++) longs.append(i % 2 == 0 ? 'J' : 'D');
        method("ints", ints + ")I", 4, 255, m -> {
            m.visitInsn(ICONST_0);
            for (int i = 0; i < 255; i++) { m.visitVarInsn(ILOAD, i); m.visitInsn(i % 2 == 0 ? IADD : ISUB); }
            m.visitInsn(IRETURN);
        });
        method("wides", longs + "I)D", 6, 255, m -> {
            m.visitInsn(DCONST_0);
            for (int i = 0; i < 127; i++) {
                if (i % 2 == 0) { m.visitVarInsn(LLOAD, 2 * i); m.visitInsn(L2D); } else m.visitVarInsn(DLOAD, 2 * i);
                m.visitInsn(i % 3 == 0 ? DSUB : DADD);
            }
            m.visitVarInsn(ILOAD, 254); m.visitInsn(I2D); m.visitInsn(DADD);
            m.visitInsn(DRETURN);
        });
        method("callsInts", "(I)I", 260, 2, m -> {
            for (int i = 0; i < 255; i++) { m.visitVarInsn(ILOAD, 0); m.visitIincInsn(0, i); }
            m.visitMethodInsn(INVOKESTATIC, "Widest", "ints", ints + ")I", false);
            m.visitInsn(IRETURN);
        });
        method("callsWides", "(I)D", 260, 2, m -> {
            for (int i = 0; i < 127; i++) { m.visitVarInsn(ILOAD, 0); m.visitInsn(i % 2 == 0 ? I2L : I2D); m.visitIincInsn(0, i); }
            m.visitVarInsn(ILOAD, 0);
            m.visitMethodInsn(INVOKESTATIC, "Widest", "wides", longs + "I)D", false);
            m.visitInsn(DRETURN);
        });
        for (int k : new int[] {400, 65535}) method("locals" + k, "(I)J", 6, k, m -> {
            m.visitVarInsn(ILOAD, 0); m.visitVarInsn(ISTORE, k - 1);
            for (int i = 0; i < k / 210; i++) { m.visitVarInsn(ILOAD, k - 1); m.visitInsn(I2L); m.visitVarInsn(LSTORE, 200 * i + 7); m.visitIincInsn(k - 1, i * 3); }
            m.visitInsn(LCONST_0);
            for (int i = 0; i < k / 210; i++) { m.visitVarInsn(LLOAD, 200 * i + 7); m.visitInsn(i % 2 == 0 ? LADD : LXOR); }
            m.visitInsn(LRETURN);
        });
        for (int k : new int[] {498, 30000}) method("stack" + k, "(I)I", k + 1, 1, m -> {
            for (int i = 0; i < k; i++) m.visitVarInsn(ILOAD, 0);
            for (int i = 0; i < k - 1; i++) m.visitInsn(i % 2 == 0 ? IADD : IXOR);
            m.visitInsn(IRETURN);
        });
        for (int k : new int[] {990, 20000}) method("recursive" + k, "(I)I", 6, k, m -> {
            Label end = new Label();
            m.visitVarInsn(ILOAD, 0); m.visitJumpInsn(IFLE, end);
            m.visitVarInsn(ILOAD, 0); m.visitVarInsn(ISTORE, k - 1);
            m.visitVarInsn(ILOAD, 0); m.visitInsn(ICONST_1); m.visitInsn(ISUB);
            m.visitMethodInsn(INVOKESTATIC, "Widest", "recursive" + k, "(I)I", false);
            m.visitVarInsn(ILOAD, k - 1); m.visitInsn(IADD); m.visitInsn(IRETURN);
            m.visitLabel(end);
            m.visitInsn(ICONST_0); m.visitInsn(IRETURN);
        });
        Class<?> c = close("Widest");
        run("callsInts", c, 3);
        run("callsWides", c, 4);
        run("locals400", c, 5);
        run("locals65535", c, 5);
        run("stack498", c, 6);
        run("stack30000", c, 6);
        run("recursive990", c, 20);
        run("recursive990", c, 1000000);
        run("recursive20000", c, 1);
        run("recursive20000", c, 1000000);
    }

    /** n blocks that all go to two others, none in the order of the code; loops with many entries. */
    static void tangled(int n, int handlers, int cases) throws Exception {
        open("Tangled");
        method("tangled", "(II)I", 4, 6, m -> {
            Label[] l = new Label[n];
            for (int i = 0; i < n; i++) l[i] = new Label();
            Label end = new Label();
            m.visitInsn(ICONST_1); m.visitVarInsn(ISTORE, 2);
            m.visitInsn(LCONST_1); m.visitVarInsn(LSTORE, 3);
            m.visitJumpInsn(GOTO, l[n / 2]);
            for (int i = 0; i < n; i++) {
                m.visitLabel(l[i]);
                m.visitIincInsn(1, -1);
                m.visitVarInsn(ILOAD, 1); m.visitJumpInsn(IFLT, end);
                m.visitVarInsn(ILOAD, 2); m.visitVarInsn(ILOAD, 0); m.visitInsn(IMUL); m.visitIntInsn(SIPUSH, i); m.visitInsn(IADD); m.visitVarInsn(ISTORE, 2);
                m.visitVarInsn(LLOAD, 3); m.visitVarInsn(ILOAD, 2); m.visitInsn(LSHL); m.visitInsn(LCONST_1); m.visitInsn(LADD); m.visitVarInsn(LSTORE, 3);
                m.visitVarInsn(ILOAD, 2); m.visitInsn(ICONST_4); m.visitInsn(IAND);
                m.visitJumpInsn(IFEQ, l[(i * 7 + 13) % n]);
                m.visitJumpInsn(GOTO, l[(i * 11 + n / 2) % n]);
            }
            m.visitLabel(end);
            m.visitVarInsn(ILOAD, 2); m.visitVarInsn(LLOAD, 3); m.visitInsn(L2I); m.visitInsn(IXOR); m.visitInsn(IRETURN);
        });
        method("handlers", "(I)I", 4, 3, m -> {
            int k = handlers;
            Label[] from = new Label[k], to = new Label[k], h = new Label[k];
            for (int i = 0; i < k; i++) { from[i] = new Label(); to[i] = new Label(); h[i] = new Label(); m.visitTryCatchBlock(from[i], to[i], h[i], i % 2 == 0 ? "java/lang/ArithmeticException" : null); }
            m.visitInsn(ICONST_0); m.visitVarInsn(ISTORE, 1);
            for (int i = 0; i < k; i++) {
                m.visitLabel(from[i]);
                m.visitIincInsn(1, 1);
                m.visitVarInsn(ILOAD, 1); m.visitVarInsn(ILOAD, 1); m.visitIntInsn(SIPUSH, 8191); m.visitInsn(IAND); m.visitVarInsn(ILOAD, 0); m.visitInsn(IREM); m.visitInsn(IDIV); m.visitVarInsn(ISTORE, 2);
                m.visitLabel(to[i]);
                Label next = new Label();
                m.visitJumpInsn(GOTO, next);
                m.visitLabel(h[i]);
                m.visitInsn(POP); m.visitIincInsn(1, i % 3);
                m.visitLabel(next);
            }
            m.visitVarInsn(ILOAD, 1); m.visitInsn(IRETURN);
        });
        method("nest", "(I)I", 4, 2, m -> { /* many cases, dense, then half as many, sparse */
            Label end = new Label(), d = new Label();
            Label[] t = new Label[cases];
            Label[] shared = new Label[50];
            for (int i = 0; i < 50; i++) shared[i] = new Label();
            for (int i = 0; i < t.length; i++) t[i] = shared[i * 31 % 50];
            m.visitInsn(ICONST_0); m.visitVarInsn(ISTORE, 1);
            m.visitVarInsn(ILOAD, 0);
            m.visitTableSwitchInsn(-1000, cases - 1001, d, t);
            for (int i = 0; i < 50; i++) { m.visitLabel(shared[i]); m.visitIincInsn(1, i + 1); if (i % 5 == 0) m.visitJumpInsn(GOTO, d); }
            m.visitLabel(d);
            int[] keys = new int[cases / 2];
            Label[] s = new Label[cases / 2];
            Label a = new Label(), b = new Label();
            for (int i = 0; i < keys.length; i++) { keys[i] = i * 70001 - 100000000; s[i] = i % 3 == 0 ? a : b; }
            m.visitVarInsn(ILOAD, 0); m.visitLdcInsn(70001); m.visitInsn(IMUL);
            m.visitLookupSwitchInsn(end, keys, s);
            m.visitLabel(a); m.visitIincInsn(1, 1000);
            m.visitLabel(b); m.visitIincInsn(1, 2000);
            m.visitLabel(end);
            m.visitVarInsn(ILOAD, 1); m.visitInsn(IRETURN);
        });
        Class<?> c = close("Tangled");
        run("tangled", c, 3, 10);
        run("tangled", c, 5, 30000);
        run("handlers", c, 1);
        run("handlers", c, 5);
        run("handlers", c, 8192);
        for (int k : new int[] {-2000, -1428, -1000, 0, 77, 1571, 4999, 5000}) run("nest", c, k);
    }

    /** Deep stacks of mixed kinds over branches and loops, dup forms under pressure, monitors without end. */
    static void odd() throws Exception {
        open("Odd");
        method("deepStack", "(IJ)J", 300, 4, m -> {
            Label top = new Label(), other = new Label();
            for (int i = 0; i < 40; i++) { m.visitVarInsn(ILOAD, 0); m.visitVarInsn(LLOAD, 1); m.visitInsn(L2D); m.visitVarInsn(LLOAD, 1); m.visitVarInsn(ILOAD, 0); m.visitInsn(I2F); }
            m.visitLabel(top);
            m.visitIincInsn(0, -1);
            m.visitVarInsn(ILOAD, 0); m.visitInsn(ICONST_1); m.visitInsn(IAND); m.visitJumpInsn(IFEQ, other);
            m.visitInsn(FCONST_2); m.visitInsn(FMUL);
            m.visitLabel(other);
            m.visitVarInsn(ILOAD, 0); m.visitJumpInsn(IFGT, top);
            for (int i = 0; i < 40; i++) {
                m.visitInsn(F2L); m.visitInsn(LADD); m.visitInsn(L2D); m.visitInsn(DADD); m.visitInsn(D2I); m.visitInsn(IADD);
                if (i < 39) m.visitInsn(I2F);
                if (i < 39) { m.visitInsn(FADD); }
            }
            m.visitInsn(I2L); m.visitInsn(LRETURN);
        });
        method("locks", "(Ljava/lang/Object;I)I", 4, 3, m -> {
            for (int i = 0; i < 400; i++) { m.visitVarInsn(ALOAD, 0); m.visitInsn(MONITORENTER); m.visitIincInsn(1, i); }
            for (int i = 0; i < 400; i++) { m.visitVarInsn(ALOAD, 0); m.visitInsn(MONITOREXIT); }
            m.visitVarInsn(ILOAD, 1); m.visitInsn(IRETURN);
        });
        method("loopLocks", "(Ljava/lang/Object;I)I", 4, 3, m -> { /* structure that nobody can count: 6.5 allows what comes */
            Label top = new Label(), out = new Label(), end = new Label();
            m.visitVarInsn(ILOAD, 1); m.visitVarInsn(ISTORE, 2);
            m.visitLabel(top);
            m.visitVarInsn(ALOAD, 0); m.visitInsn(MONITORENTER);
            m.visitIincInsn(2, -1); m.visitVarInsn(ILOAD, 2); m.visitJumpInsn(IFGT, top);
            m.visitLabel(out);
            m.visitVarInsn(ALOAD, 0); m.visitInsn(MONITOREXIT);
            m.visitIincInsn(2, 1); m.visitVarInsn(ILOAD, 2); m.visitVarInsn(ILOAD, 1); m.visitJumpInsn(IF_ICMPLT, out);
            m.visitLabel(end);
            m.visitVarInsn(ILOAD, 2); m.visitInsn(IRETURN);
        });
        method("self", "(I)I", 4, 2, m -> { /* a handler that covers itself; a loop of handlers */
            Label a = new Label(), b = new Label(), h = new Label(), end = new Label();
            m.visitTryCatchBlock(a, end, h, null);
            m.visitInsn(ICONST_0); m.visitVarInsn(ISTORE, 1);
            m.visitLabel(a);
            m.visitInsn(ICONST_1); m.visitVarInsn(ILOAD, 0); m.visitInsn(IDIV); m.visitInsn(POP);
            m.visitJumpInsn(GOTO, end);
            m.visitLabel(h);
            m.visitInsn(POP);
            m.visitIincInsn(1, 1);
            m.visitVarInsn(ILOAD, 1); m.visitIntInsn(SIPUSH, 5000); m.visitJumpInsn(IF_ICMPGT, end);
            m.visitInsn(ICONST_1); m.visitInsn(ICONST_0); m.visitInsn(IDIV); m.visitInsn(POP);
            m.visitLabel(end);
            m.visitVarInsn(ILOAD, 1); m.visitInsn(IRETURN);
        });
        method("emptyLoop", "(I)I", 2, 2, m -> {
            Label top = new Label(), end = new Label();
            m.visitLabel(top);
            m.visitIincInsn(0, -1);
            m.visitVarInsn(ILOAD, 0); m.visitJumpInsn(IFGT, top);
            m.visitVarInsn(ILOAD, 0); m.visitInsn(IRETURN);
        });
        method("dead", "(I)I", 3, 1, m -> { /* no way leads to most of it */
            Label l = new Label(), x = new Label();
            m.visitVarInsn(ILOAD, 0); m.visitJumpInsn(GOTO, l);
            for (int i = 0; i < 500; i++) m.visitInsn(NOP);
            m.visitLabel(x); m.visitInsn(ATHROW);
            m.visitLabel(l); m.visitInsn(ICONST_1); m.visitInsn(IADD); m.visitInsn(IRETURN);
        });
        Class<?> c = close("Odd");
        run("deepStack", c, 5, 77L);
        run("deepStack", c, 500, -3L);
        Object lock = new Object();
        run("locks", c, lock, 5);
        System.out.println(Thread.holdsLock(lock));
        run("loopLocks", c, lock, 30);
        System.out.println(Thread.holdsLock(lock));
        run("self", c, 0);
        run("self", c, 2);
        run("emptyLoop", c, 1000000);
        run("dead", c, 6);
    }

    public static void main(String[] args) throws Exception {
        longest(1200);
        longest(5400);
        widest();
        tangled(480, 700, 1500);
        tangled(1800, 2900, 6000);
        odd();
    }
}
