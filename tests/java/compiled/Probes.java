// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.misc=ALL-UNNAMED --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.misc=ALL-UNNAMED --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
import java.lang.invoke.*;
import jdk.internal.misc.Unsafe;
import jdk.internal.org.objectweb.asm.*;

/** What the program is compiled against; Probes.probes() makes the class that runs. */
class Hits {
    static native void hit(int i);
    static native void put4(int i);
    static native void put8(int i);
    static native void add4(int i);
    static native void add8(int i);
}

/**
 * Probes as agents insert them: a short method that stores to, or adds to, a word of native memory whose address it has as a constant. The methods
 * that call them have loops, branches, exceptions, objects that nobody else sees; what is left in memory is exact, also for indices that are no constants.
 */
public class Probes implements Opcodes {
    static final Unsafe U = Unsafe.getUnsafe();
    static final int WORDS = 64, MIDDLE = 16;
    static final long MEMORY = U.allocateMemory(8 * WORDS);

    /** hit, put4, put8, add4, add8 with the index 0 in the middle of the memory. */
    static byte[] probes() {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        w.visit(V11, ACC_PUBLIC, "Hits", null, "java/lang/Object", null);
        probe(w, "hit", 0, 1, "putByte", "B", false);
        probe(w, "put4", 2, -7, "putInt", "I", false);
        probe(w, "put8", 3, -2, "putLong", "J", false);
        probe(w, "add4", 2, 3, "getAndAddInt", "I", true);
        probe(w, "add8", 3, 1, "getAndAddLong", "J", true);
        w.visitEnd();
        return w.toByteArray();
    }

    static void probe(ClassWriter w, String name, int shift, int value, String what, String type, boolean result) {
        MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, name, "(I)V", null, null);
        m.visitCode();
        m.visitFieldInsn(GETSTATIC, "Probes", "U", "Ljdk/internal/misc/Unsafe;");
        m.visitInsn(ACONST_NULL);
        m.visitLdcInsn(MEMORY + 8 * MIDDLE);
        m.visitVarInsn(ILOAD, 0);
        m.visitInsn(I2L);
        if (shift != 0) {
            m.visitInsn(ICONST_0 + shift);
            m.visitInsn(LSHL);
        }
        m.visitInsn(LADD);
        if (!type.equals("J")) m.visitIntInsn(BIPUSH, value);
        else if (value == 1) m.visitInsn(LCONST_1);
        else {
            m.visitIntInsn(BIPUSH, value);
            m.visitInsn(I2L);
        }
        m.visitMethodInsn(INVOKEVIRTUAL, "jdk/internal/misc/Unsafe", what, "(Ljava/lang/Object;J" + type + ")" + (result ? type : "V"), false);
        if (result) m.visitInsn(type.equals("J") ? POP2 : POP);
        m.visitInsn(RETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();
    }

    static class Pair {
        int a, b;
        Pair(int a, int b) {
            Hits.add8(1);
            this.a = a;
            this.b = b;
        }
        int sum() {
            Hits.add8(2);
            return a + b;
        }
    }

    static int loop(int[] x, int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            Hits.add8(3);
            if ((x[i] & 1) == 0) {
                Hits.hit(-1);
                s += new Pair(x[i], i).sum();
            } else {
                Hits.add4(-4);
                s -= x[i];
            }
        }
        return s;
    }

    static int caught(int[] x, int i) {
        try {
            Hits.add8(4);
            return x[i];
        } catch (ArrayIndexOutOfBoundsException e) {
            Hits.add8(5);
            return -1;
        }
    }

    static void any(int i) {
        Hits.put4(8 + (i & 3));
        Hits.put8(-8 + (i & 7));
        Hits.add8(20 + i % 5);
    }

    static String memory() {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < WORDS; i++) {
            long v = U.getLong(MEMORY + 8 * i);
            if (v != 0) b.append(i).append('=').append(Long.toHexString(v)).append(' ');
            U.putLong(MEMORY + 8 * i, 0);
        }
        return b.toString();
    }

    /** One store in a loop is seen while the loop runs. */
    static boolean seenMeanwhile() throws InterruptedException {
        boolean[] stop = new boolean[1];
        Thread t = new Thread(() -> {
            while (!isSet(stop)) Hits.hit(-2);
        });
        t.start();
        boolean all = true;
        for (int i = 0; i < 5; i++) {
            U.putByte(MEMORY + 8 * MIDDLE - 2, (byte) 0);
            long end = System.nanoTime() + 20_000_000_000L;
            while (U.getByteVolatile(null, MEMORY + 8 * MIDDLE - 2) == 0 && System.nanoTime() < end) Thread.onSpinWait();
            all &= U.getByteVolatile(null, MEMORY + 8 * MIDDLE - 2) == 1;
            Thread.sleep(20);
        }
        synchronized (stop) {
            stop[0] = true;
        }
        t.join();
        memory();
        return all;
    }

    static boolean isSet(boolean[] b) {
        synchronized (b) {
            return b[0];
        }
    }

    public static void main(String[] args) throws Exception {
        MethodHandles.lookup().defineClass(probes());
        memory();
        int[] x = new int[1000];
        for (int i = 0; i < x.length; i++) x[i] = i * 7;
        for (int round = 0; round < 300; round++) {
            int s = loop(x, x.length);
            for (int i = 0; i < 1000; i++) {
                s += caught(x, i % 500 == 499 ? -1 : i);
                any(i);
            }
            if (round % 50 < 2) System.out.println(round + " " + s + " " + memory());
        }
        System.out.println(memory());
        System.out.println(seenMeanwhile());
    }
}
