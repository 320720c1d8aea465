// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.util.*;
import jdk.internal.org.objectweb.asm.*;

/** CONSTANT_MethodHandle of every kind for members of every sort, named as of a class and of an interface; a dynamic constant that needs itself. */
public class HandleConstants implements Opcodes {
    static class Loader extends ClassLoader {
        Class<?> define(byte[] b) { return defineClass(null, b, 0, b.length); }
    }

    public static Object same(MethodHandles.Lookup l, String name, Class<?> type, Object... args) { return name + Arrays.toString(args); }
    static final Handle SAME = new Handle(H_INVOKESTATIC, "HandleConstants", "same",
        "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;[Ljava/lang/Object;)Ljava/lang/Object;", false);

    static byte[] loading(Object constant) {
        ClassWriter w = new ClassWriter(0);
        w.visit(V17, ACC_PUBLIC | ACC_SUPER, "G", null, "java/lang/Object", null);
        MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "m", "()Ljava/lang/Object;", null, null);
        m.visitLdcInsn(constant);
        m.visitInsn(ARETURN);
        m.visitMaxs(1, 0);
        return w.toByteArray();
    }

    static void show(String what, byte[] file, boolean classOnly) {
        for (int i = 0; i < 2; i++) {
            String s;
            try {
                s = String.valueOf(new Loader().define(file).getMethod("m").invoke(null));
            } catch (InvocationTargetException e) {
                s = classOnly ? e.getCause().getClass().getName() : e.getCause() + " <- " + e.getCause().getCause();
            } catch (Throwable e) {
                s = e.toString();
            }
            System.out.println(what + ": " + s.replaceAll("@[0-9a-f]+", "@"));
        }
    }

    static final String[][] MEMBERS = {{"java/lang/String", "length", "()I"}, {"java/lang/String", "valueOf", "(I)Ljava/lang/String;"}, {"java/util/List", "size", "()I"},
        {"java/util/List", "of", "()Ljava/util/List;"}, {"java/lang/String", "<init>", "()V"}, {"java/lang/System", "out", "Ljava/io/PrintStream;"}, {"java/lang/String", "hash", "I"},
        {"java/lang/String", "gone", "()I"}, {"Gone", "gone", "()I"}, {"java/lang/Object", "clone", "()Ljava/lang/Object;"}, {"[I", "clone", "()Ljava/lang/Object;"},
        {"java/lang/String", "<clinit>", "()V"}, {"java/lang/Object", "finalize", "()V"}, {"java/lang/Number", "intValue", "()I"}};

    /** Both dynamic constants get the bootstrap method with the argument that is the first of them. */
    static byte[] circle() {
        ConstantDynamic inner = new ConstantDynamic("inner", "Ljava/lang/Object;", SAME, 1);
        byte[] b = loading(new ConstantDynamic("outer", "Ljava/lang/Object;", SAME, inner));
        int count = (b[8] & 255) << 8 | b[9] & 255, at = 10, first = 0;
        for (int i = 1; i < count; i++) {
            int tag = b[at];
            if (tag == 17 && first == 0) first = at;
            else if (tag == 17) b[first + 2] = b[at + 2];
            if (tag == 1) at += 3 + ((b[at + 1] & 255) << 8 | b[at + 2] & 255);
            else at += tag == 7 || tag == 8 || tag == 16 ? 3 : tag == 15 ? 4 : 5; // longs there are none
        }
        return b;
    }

    public static void main(String[] args) {
        for (int kind = H_GETFIELD; kind <= H_INVOKEINTERFACE; kind++)
            for (String[] m : MEMBERS) {
                if ((kind <= H_PUTSTATIC) == m[2].startsWith("(")) continue;
                for (boolean itf : new boolean[] {false, true}) {
                    if (itf && kind <= H_PUTSTATIC) continue;
                    show(kind + " " + m[0] + "." + m[1] + (itf ? " of an interface" : ""), loading(new Handle(kind, m[0], m[1], m[2], itf)), false);
                }
            }
        show("constant that needs itself", circle(), true);
    }
}
