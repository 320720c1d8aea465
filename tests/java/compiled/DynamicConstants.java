// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
import java.lang.invoke.*;
import jdk.internal.org.objectweb.asm.*;

/**
 * ldc of dynamic constants of all types, of method types and handles, again and again: the bootstrap method is asked once (JVMS 5.4.3), code that is made
 * later has the value. Zeros, null, one that fails each time, and one that is reached only after the code was made.
 */
public class DynamicConstants implements Opcodes {
    static int asked;

    public static Object value(MethodHandles.Lookup l, String name, Class<?> type) {
        asked++;
        boolean zero = name.startsWith("zero");
        if (name.startsWith("bad")) throw new IllegalStateException(name);
        if (type == int.class) return zero ? 0 : -77;
        if (type == boolean.class) return !zero;
        if (type == byte.class) return (byte) -3;
        if (type == char.class) return (char) 0xfffe;
        if (type == short.class) return (short) -300;
        if (type == long.class) return zero ? 0L : -1L << 40;
        if (type == float.class) return zero ? 0f : -2.5f;
        if (type == double.class) return zero ? 0.0 : Math.PI;
        return zero ? null : type == String.class ? "text" : type == boolean[].class ? new boolean[8] : new Object[] {name};
    }

    public abstract static class Reader {
        public abstract long sum();
        public abstract Object object(int which);
        public abstract int flags(int i);
        public abstract int late(boolean now);
        public abstract int bad();
    }

    static ConstantDynamic dynamic(String name, String type) {
        return new ConstantDynamic(name, type, new Handle(H_INVOKESTATIC, "DynamicConstants", "value",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;", false));
    }

    static MethodVisitor method(ClassWriter w, String name, String type) {
        MethodVisitor m = w.visitMethod(ACC_PUBLIC, name, type, null, null);
        m.visitCode();
        return m;
    }

    static void end(MethodVisitor m, int op) {
        m.visitInsn(op);
        m.visitMaxs(0, 0);
        m.visitEnd();
    }

    static byte[] reader() {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
        w.visit(V11, ACC_PUBLIC, "Reads", null, "DynamicConstants$Reader", null);
        MethodVisitor m = method(w, "<init>", "()V");
        m.visitVarInsn(ALOAD, 0);
        m.visitMethodInsn(INVOKESPECIAL, "DynamicConstants$Reader", "<init>", "()V", false);
        end(m, RETURN);

        m = method(w, "sum", "()J");
        m.visitInsn(LCONST_0);
        String types = "IZBCSIZ";
        for (int i = 0; i < types.length(); i++) {
            m.visitLdcInsn(dynamic((i < 5 ? "n" : "zero") + i, types.substring(i, i + 1)));
            m.visitInsn(I2L);
            m.visitInsn(LADD);
        }
        for (String name : new String[] {"n", "zero"}) {
            m.visitLdcInsn(dynamic(name, "J"));
            m.visitInsn(LADD);
            m.visitLdcInsn(dynamic(name, "F"));
            m.visitInsn(F2L);
            m.visitInsn(LADD);
            m.visitLdcInsn(dynamic(name, "D"));
            m.visitInsn(D2L);
            m.visitInsn(LADD);
        }
        end(m, LRETURN);

        m = method(w, "object", "(I)Ljava/lang/Object;");
        Object[] values = {dynamic("o", "[Ljava/lang/Object;"), dynamic("s", "Ljava/lang/String;"), dynamic("zero", "Ljava/lang/Object;"), Type.getMethodType("(IJ)V"),
            new Handle(H_INVOKESTATIC, "java/lang/Math", "max", "(II)I", false)};
        for (int i = 0; i < values.length; i++) {
            Label next = new Label();
            m.visitVarInsn(ILOAD, 1);
            m.visitIntInsn(BIPUSH, i);
            m.visitJumpInsn(IF_ICMPNE, next);
            m.visitLdcInsn(values[i]);
            m.visitInsn(ARETURN);
            m.visitLabel(next);
        }
        m.visitInsn(ACONST_NULL);
        end(m, ARETURN);

        m = method(w, "flags", "(I)I"); /* as a coverage agent does it */
        m.visitLdcInsn(dynamic("flags", "[Z"));
        m.visitInsn(DUP);
        m.visitVarInsn(ILOAD, 1);
        m.visitInsn(ICONST_1);
        m.visitInsn(BASTORE);
        m.visitInsn(ARRAYLENGTH);
        end(m, IRETURN);

        m = method(w, "late", "(Z)I");
        Label not = new Label();
        m.visitVarInsn(ILOAD, 1);
        m.visitJumpInsn(IFEQ, not);
        m.visitLdcInsn(dynamic("late", "I"));
        m.visitInsn(IRETURN);
        m.visitLabel(not);
        m.visitInsn(ICONST_5);
        end(m, IRETURN);

        m = method(w, "bad", "()I");
        m.visitLdcInsn(dynamic("bad", "I"));
        end(m, IRETURN);
        w.visitEnd();
        return w.toByteArray();
    }

    static String text(Object o) {
        return o instanceof Object[] ? "array of " + ((Object[]) o)[0] : String.valueOf(o);
    }

    public static void main(String[] args) throws Throwable {
        Reader r = (Reader) MethodHandles.lookup().defineClass(reader()).getConstructor().newInstance();
        long sum = 0;
        int failed = 0;
        Object[] first = new Object[6];
        for (int i = 0; i < 6; i++) first[i] = r.object(i);
        for (int i = 0; i < 20000; i++) {
            sum += r.sum() + r.flags(i & 7) + r.late(i > 15000);
            if (r.object(i % 6) != first[i % 6]) throw new AssertionError("another object: " + i % 6);
            if (i % 1000 == 0)
                try {
                    r.bad();
                } catch (BootstrapMethodError | IllegalStateException e) {
                    failed++;
                }
            if (i % 5000 == 4999) System.out.println(i + " " + sum + " asked " + asked + " failed " + failed);
        }
        for (Object o : first) System.out.println(text(o));
        System.out.println((int) ((MethodHandle) first[4]).invokeExact(3, 9));
    }
}
