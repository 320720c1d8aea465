// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED -Xss1m
/* Class files that no compiler writes: each instruction at the ends of what its operands may be. */
import java.lang.invoke.*;
import java.util.*;
import jdk.internal.org.objectweb.asm.*;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

public class OddCode {
    interface Body { void emit(MethodVisitor m); }
    static int made;
    static class Loader extends ClassLoader {
        Class<?> define(String n, byte[] b) { return defineClass(n.replace('/', '.'), b, 0, b.length); }
    }
    static ClassWriter begin(int version, int access, String name, String sup, String... itfs) {
        ClassWriter w = new ClassWriter(version >= 50 ? ClassWriter.COMPUTE_FRAMES | ClassWriter.COMPUTE_MAXS : ClassWriter.COMPUTE_MAXS) {
            protected String getCommonSuperClass(String a, String b) { return "java/lang/Object"; }
        };
        w.visit(version, access, name, null, sup, itfs);
        return w;
    }
    static void method(ClassWriter w, int access, String name, String desc, Body b) {
        MethodVisitor m = w.visitMethod(access, name, desc, null, null);
        m.visitCode();
        b.emit(m);
        m.visitMaxs(0, 0);
        m.visitEnd();
    }
    static void init(ClassWriter w, String sup) {
        method(w, ACC_PUBLIC, "<init>", "()V", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(INVOKESPECIAL, sup, "<init>", "()V", false);
            m.visitInsn(RETURN);
        });
    }
    static String show(Object o) {
        if (o == null) return "null";
        if (o instanceof Float f) return "f" + Integer.toHexString(Float.floatToRawIntBits(f));
        if (o instanceof Double d) return "d" + Long.toHexString(Double.doubleToRawLongBits(d));
        if (o instanceof Character c) return "c" + (int) c;
        if (o instanceof String t) return "\"" + t.replaceAll("[^ -~]", "?") + "\" " + t.hashCode();
        if (o.getClass().isArray()) return o.getClass().getName().length() > 40 ? "array" : o.getClass().getName();
        return o.getClass().getSimpleName() + " " + o;
    }
    static void run(String what, Class<?> c, Object... args) {
        for (int i = 0; i < 3; i++) {
            String r;
            try {
                for (var mm : c.getDeclaredMethods())
                    if (mm.getName().equals("t")) {
                        mm.setAccessible(true);
                        r = show(mm.invoke(null, args));
                        if (i != 1) System.out.println(what + " " + i + ": " + r);
                    }
            } catch (java.lang.reflect.InvocationTargetException e) {
                Throwable t = e.getCause();
                StackTraceElement[] st = t.getStackTrace();
                if (i != 1) System.out.println(what + " " + i + ": " + t + (st.length > 0 && !(t instanceof OutOfMemoryError) ? " @" + st[0].getMethodName() : ""));
            } catch (Throwable t) {
                if (i != 1) System.out.println(what + " " + i + ": outside " + t);
                return;
            }
        }
    }
    static void one(String what, int version, String desc, Body b, Object... args) {
        String name = "Odd" + made++;
        try {
            ClassWriter w = begin(version, ACC_PUBLIC | ACC_SUPER, name, "java/lang/Object");
            method(w, ACC_PUBLIC | ACC_STATIC, "t", desc, b);
            run(what, new Loader().define(name, w.toByteArray()), args);
        } catch (Throwable t) {
            System.out.println(what + ": " + t);
        }
    }

    /* ---- constants ---- */
    public static boolean z(MethodHandles.Lookup l, String n, Class<?> t) { return n.equals("yes"); }
    public static byte b(MethodHandles.Lookup l, String n, Class<?> t) { return (byte) Integer.parseInt(n.substring(1)); }
    public static short s(MethodHandles.Lookup l, String n, Class<?> t) { return (short) Integer.parseInt(n.substring(1)); }
    public static char c(MethodHandles.Lookup l, String n, Class<?> t) { return (char) Integer.parseInt(n.substring(1)); }
    public static int i(MethodHandles.Lookup l, String n, Class<?> t) { return Integer.parseInt(n.substring(1)); }
    public static long j(MethodHandles.Lookup l, String n, Class<?> t) { return Long.parseLong(n.substring(1)); }
    public static float f(MethodHandles.Lookup l, String n, Class<?> t) { return Float.intBitsToFloat(Integer.parseUnsignedInt(n.substring(1), 16)); }
    public static double d(MethodHandles.Lookup l, String n, Class<?> t) { return Double.longBitsToDouble(Long.parseUnsignedLong(n.substring(1), 16)); }
    public static Object o(MethodHandles.Lookup l, String n, Class<?> t) {
        return n.equals("nil") ? null : n.equals("cls") ? String.class : n.equals("arr") ? new int[] {1} : n;
    }
    static void condy(String type, String bsm, String... names) {
        for (String n : names)
            one("condy " + type + " " + n, 61, "()" + type, m -> {
                m.visitLdcInsn(new ConstantDynamic(n, type, new Handle(H_INVOKESTATIC, "OddCode", bsm,
                    "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)" + type, false)));
                m.visitInsn(Type.getType(type).getOpcode(IRETURN));
            });
    }
    static void constants() {
        condy("Z", "z", "yes", "no");
        condy("B", "b", "x0", "x-128", "x127");
        condy("S", "s", "x0", "x-32768");
        condy("C", "c", "x0", "x65535");
        condy("I", "i", "x0", "x-1", "x-2147483648");
        condy("J", "j", "x0", "x-1", "x-9223372036854775808", "x4294967296");
        condy("F", "f", "x0", "x80000000", "x7fc00001", "x7f800001", "xffc00000");
        condy("D", "d", "x0", "x8000000000000000", "x7ff8000000000001", "xfff8000000000000");
        condy("Ljava/lang/Object;", "o", "nil", "cls", "text", "arr");
        condy("Ljava/lang/Integer;", "o", "nil", "text");
        for (Object k : new Object[] {0, 1 << 30, 0L, 1L << 40, 0f, -0f, 0d, -0d, Float.intBitsToFloat(0x7f800001),
                Double.longBitsToDouble(0x7ff0000000000001L), "", "\0\ud800\udc00\ud800"})
            one("ldc", 61, "()" + (k instanceof Integer ? "I" : k instanceof Long ? "J" : k instanceof Float ? "F" : k instanceof Double ? "D"
                : "Ljava/lang/Object;"), m -> {
                m.visitLdcInsn(k);
                m.visitInsn(k instanceof Integer ? IRETURN : k instanceof Long ? LRETURN : k instanceof Float ? FRETURN
                    : k instanceof Double ? DRETURN : ARETURN);
            });
        for (Type k : new Type[] {Type.getType("[[I"), Type.getMethodType("(IJ[D)V"), Type.getType("[".repeat(255) + "Ljava/lang/String;"),
                Type.getMethodType("(" + "J".repeat(127) + "I)V"), Type.getObjectType("Missing"), Type.getMethodType("(LMissing;)V")})
            one("ldc " + (k.toString().length() > 30 ? k.toString().length() : k), 61, "()Ljava/lang/Object;", m -> {
                m.visitLdcInsn(k);
                m.visitInsn(ARETURN);
            });
        int[] kinds = {H_INVOKEVIRTUAL, H_INVOKEINTERFACE, H_INVOKESTATIC, H_NEWINVOKESPECIAL, H_GETFIELD, H_INVOKESPECIAL};
        String[][] refs = {{"java/lang/Object", "hashCode", "()I"}, {"java/util/List", "hashCode", "()I"}, {"java/util/List", "of", "()Ljava/util/List;"},
            {"java/lang/Object", "<init>", "()V"}, {"java/awt/Point", "x", "I"}, {"java/lang/Object", "toString", "()Ljava/lang/String;"}};
        for (int n = 0; n < kinds.length; n++) {
            int at = n;
            one("ldc handle " + kinds[n], 61, "()Ljava/lang/Object;", m -> {
                m.visitLdcInsn(new Handle(kinds[at], refs[at][0], refs[at][1], refs[at][2], refs[at][0].equals("java/util/List")));
                m.visitInsn(ARETURN);
            });
        }
    }

    /* ---- numbers ---- */
    static void numbers() {
        int[] ints = {0, 1, -1, 31, 32, 33, 63, 64, -33, Integer.MIN_VALUE, Integer.MAX_VALUE};
        for (int op : new int[] {IDIV, IREM, ISHL, ISHR, IUSHR, IMUL, ISUB}) {
            StringBuilder sb = new StringBuilder();
            for (int a : ints) for (int b : ints) {
                if (b == 0 && (op == IDIV || op == IREM)) continue;
                sb.append(value("()I", IRETURN, m -> { m.visitLdcInsn(a); m.visitLdcInsn(b); m.visitInsn(op); })).append(' ');
            }
            System.out.println(op + " " + sb);
        }
        long[] longs = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32};
        for (int op : new int[] {LDIV, LREM, LMUL, LCMP}) {
            StringBuilder sb = new StringBuilder();
            for (long a : longs) for (long b : longs) {
                if (b == 0 && (op == LDIV || op == LREM)) continue;
                sb.append(op == LCMP ? value("()I", IRETURN, m -> { m.visitLdcInsn(a); m.visitLdcInsn(b); m.visitInsn(op); })
                    : value("()J", LRETURN, m -> { m.visitLdcInsn(a); m.visitLdcInsn(b); m.visitInsn(op); })).append(' ');
            }
            System.out.println(op + " " + sb);
        }
        for (int op : new int[] {LSHL, LSHR, LUSHR}) {
            StringBuilder sb = new StringBuilder();
            for (long a : longs) for (int b : ints)
                sb.append(value("()J", LRETURN, m -> { m.visitLdcInsn(a); m.visitLdcInsn(b); m.visitInsn(op); })).append(' ');
            System.out.println(op + " " + sb);
        }
        double[] ds = {0, -0d, 1.5, -1.5, 0.9999999, -0.9999999, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0x1p31, -0x1p31,
            0x1p31 - 0.5, -0x1p31 - 0.5, -0x1p31 - 1, 0x1p63, -0x1p63, Math.nextUp(-0x1p63), Math.nextDown(0x1p63), 1e300, 5e-324, 0x1p24 + 1, 0x1.000001p0, 0x1.0000010000001p0};
        StringBuilder sb = new StringBuilder();
        for (double a : ds) {
            sb.append(value("()I", IRETURN, m -> { m.visitLdcInsn(a); m.visitInsn(D2I); })).append(' ');
            sb.append(value("()J", LRETURN, m -> { m.visitLdcInsn(a); m.visitInsn(D2L); })).append(' ');
            sb.append(value("()F", FRETURN, m -> { m.visitLdcInsn(a); m.visitInsn(D2F); })).append(' ');
            sb.append(value("()I", IRETURN, m -> { m.visitLdcInsn((float) a); m.visitInsn(F2I); })).append(' ');
            sb.append(value("()J", LRETURN, m -> { m.visitLdcInsn((float) a); m.visitInsn(F2L); })).append('\n');
            for (double b : ds) {
                for (int op : new int[] {DCMPL, DCMPG}) sb.append(value("()I", IRETURN, m -> { m.visitLdcInsn(a); m.visitLdcInsn(b); m.visitInsn(op); }));
                for (int op : new int[] {FCMPL, FCMPG})
                    sb.append(value("()I", IRETURN, m -> { m.visitLdcInsn((float) a); m.visitLdcInsn((float) b); m.visitInsn(op); }));
                if (a == a && b == b) sb.append(value("()D", DRETURN, m -> { m.visitLdcInsn(a); m.visitLdcInsn(b); m.visitInsn(DREM); }).replace("dfff8", "d7ff8"));
            }
            sb.append('\n');
        }
        System.out.println(sb);
    }
    /* many small methods of one class would be quicker, but one each is alone in its code */
    static String value(String desc, int ret, Body b) {
        String name = "Odd" + made++;
        ClassWriter w = begin(49, ACC_PUBLIC | ACC_SUPER, name, "java/lang/Object");
        method(w, ACC_PUBLIC | ACC_STATIC, "t", desc, m -> { b.emit(m); m.visitInsn(ret); });
        try {
            return show(MethodHandles.lookup().defineHiddenClass(w.toByteArray(), false).lookupClass().getMethod("t").invoke(null)).replaceFirst("^\\w+ ", "");
        } catch (Throwable t) {
            return t.toString();
        }
    }

    /* ---- switches ---- */
    static void switches() {
        int[][] ranges = {{Integer.MIN_VALUE, Integer.MIN_VALUE + 2}, {Integer.MAX_VALUE - 2, Integer.MAX_VALUE}, {-1, 1}, {5, 5}};
        for (int[] r : ranges) {
            for (int key : new int[] {Integer.MIN_VALUE, Integer.MIN_VALUE + 2, Integer.MIN_VALUE + 3, -2, -1, 0, 1, 2, 4, 5, 6, Integer.MAX_VALUE - 3,
                    Integer.MAX_VALUE - 2, Integer.MAX_VALUE})
                for (boolean table : new boolean[] {true, false})
                    one("switch " + r[0] + " " + key + " " + table, 49, "(I)I", m -> {
                        Label d = new Label();
                        Label[] ls = new Label[r[1] - r[0] + 1];
                        int[] keys = new int[ls.length];
                        for (int k = 0; k < ls.length; k++) { ls[k] = new Label(); keys[k] = r[0] + k; }
                        m.visitVarInsn(ILOAD, 0);
                        if (table) m.visitTableSwitchInsn(r[0], r[1], d, ls);
                        else m.visitLookupSwitchInsn(d, keys, ls);
                        for (int k = 0; k < ls.length; k++) { m.visitLabel(ls[k]); m.visitIntInsn(BIPUSH, 10 + k); m.visitInsn(IRETURN); }
                        m.visitLabel(d);
                        m.visitInsn(ICONST_M1);
                        m.visitInsn(IRETURN);
                    }, key);
        }
        one("switch empty", 49, "(I)I", m -> {
            Label d = new Label();
            m.visitVarInsn(ILOAD, 0);
            m.visitLookupSwitchInsn(d, new int[0], new Label[0]);
            m.visitLabel(d);
            m.visitInsn(ICONST_3);
            m.visitInsn(IRETURN);
        }, 1);
        int[] far = {Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE};
        for (int key : new int[] {Integer.MIN_VALUE, Integer.MIN_VALUE + 1, -1, 0, 1, 2, Integer.MAX_VALUE})
            one("lookup " + key, 49, "(I)I", m -> {
                Label d = new Label();
                Label[] ls = new Label[far.length];
                for (int k = 0; k < ls.length; k++) ls[k] = new Label();
                m.visitVarInsn(ILOAD, 0);
                m.visitLookupSwitchInsn(d, far, ls);
                for (int k = 0; k < ls.length; k++) { m.visitLabel(ls[k]); m.visitIntInsn(BIPUSH, 10 + k); m.visitInsn(IRETURN); }
                m.visitLabel(d);
                m.visitInsn(ICONST_M1);
                m.visitInsn(IRETURN);
            }, key);
    }

    /* ---- arrays ---- */
    static void arrays() {
        String deep = "[".repeat(255) + "I";
        one("multi 255", 61, "()Ljava/lang/Object;", m -> {
            for (int k = 0; k < 255; k++) m.visitInsn(ICONST_1);
            m.visitMultiANewArrayInsn(deep, 255);
            m.visitInsn(ARETURN);
        });
        one("multi 255 partial", 61, "()Ljava/lang/Object;", m -> {
            for (int k = 0; k < 3; k++) m.visitInsn(ICONST_2);
            m.visitMultiANewArrayInsn(deep, 3);
            m.visitInsn(ARETURN);
        });
        for (int[] d : new int[][] {{0, -1}, {2, -1}, {-1, 0}, {0, 0}, {-2, -3}, {3, 0}, {0, Integer.MIN_VALUE}})
            one("multi " + Arrays.toString(d), 61, "()Ljava/lang/Object;", m -> {
                m.visitLdcInsn(d[0]);
                m.visitLdcInsn(d[1]);
                m.visitMultiANewArrayInsn("[[[Ljava/lang/String;", 2);
                m.visitInsn(ARETURN);
            });
        one("multi 1", 61, "(I)Ljava/lang/Object;", m -> {
            m.visitVarInsn(ILOAD, 0);
            m.visitMultiANewArrayInsn("[J", 1);
            m.visitInsn(ARETURN);
        }, -7);
        one("multi missing", 61, "(I)Ljava/lang/Object;", m -> {
            m.visitVarInsn(ILOAD, 0);
            m.visitMultiANewArrayInsn("[LMissing;", 1);
            m.visitInsn(ARETURN);
        }, -7);
        one("anewarray 255", 61, "()Ljava/lang/Object;", m -> {
            m.visitInsn(ICONST_1);
            m.visitTypeInsn(ANEWARRAY, deep);
            m.visitInsn(ARETURN);
        });
        one("anewarray 254", 61, "()Ljava/lang/Object;", m -> {
            m.visitInsn(ICONST_1);
            m.visitTypeInsn(ANEWARRAY, deep.substring(1));
            m.visitInsn(ARETURN);
        });
        one("anewarray missing negative", 61, "()Ljava/lang/Object;", m -> {
            m.visitInsn(ICONST_M1);
            m.visitTypeInsn(ANEWARRAY, "Missing");
            m.visitInsn(ARETURN);
        });
        for (int t = T_BOOLEAN; t <= T_LONG; t++) {
            int type = t;
            for (int n : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE - 1})
            one("newarray " + t + " " + n, 61, "()Ljava/lang/Object;", m -> {
                m.visitLdcInsn(n);
                m.visitIntInsn(NEWARRAY, type);
                m.visitInsn(ARETURN);
            });
        }
        String[] types = {"[Ljava/lang/Comparable;", "[[Ljava/lang/Object;", "[Ljava/lang/Cloneable;", "[Ljava/io/Serializable;", "java/lang/Cloneable", "[I",
            "[[I", "[Ljava/lang/Object;", "[[Ljava/lang/Cloneable;", "[Ljava/lang/Runnable;", "java/lang/Runnable", "LMissing;", "[LMissing;", "[[LMissing;"};
        Object[] values = {new String[1], new String[1][1], new int[1], new int[1][1], new Comparable[0], new Integer[1][1][1], new Object[0], null, "text"};
        for (String t : types)
            for (Object v : values) {
                if (t.equals("LMissing;")) continue;
                one("checkcast " + t + " " + show(v), 61, "(Ljava/lang/Object;)Ljava/lang/Object;", m -> {
                    m.visitVarInsn(ALOAD, 0);
                    m.visitTypeInsn(CHECKCAST, t);
                    m.visitInsn(ARETURN);
                }, v);
                one("instanceof " + t + " " + show(v), 61, "(Ljava/lang/Object;)I", m -> {
                    m.visitVarInsn(ALOAD, 0);
                    m.visitTypeInsn(INSTANCEOF, t);
                    m.visitInsn(IRETURN);
                }, v);
            }
        Object[] arrays = {new String[1][], new Cloneable[1], new Comparable[1], new Object[1], new Object[0], new Object[1][], null};
        Object[] elems = {new String[0], new int[0], "text", 1, null, new int[0][]};
        for (Object a : arrays)
            for (Object e : elems)
                one("aastore " + show(a) + " " + show(e), 61, "(Ljava/lang/Object;Ljava/lang/Object;)I", m -> {
                    m.visitVarInsn(ALOAD, 0);
                    m.visitTypeInsn(CHECKCAST, "[Ljava/lang/Object;");
                    m.visitInsn(ICONST_0);
                    m.visitVarInsn(ALOAD, 1);
                    m.visitInsn(AASTORE);
                    m.visitInsn(ICONST_5);
                    m.visitInsn(IRETURN);
                }, a, e);
        one("clone", 61, "([[I)Ljava/lang/Object;", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(INVOKEVIRTUAL, "[[I", "clone", "()Ljava/lang/Object;", false);
            m.visitInsn(ARETURN);
        }, (Object) new int[2][2]);
        /* an array in place of a class, which is looked for */
        for (String owner : new String[] {"[LMissing;", "Missing", "java/lang/String", "[Ljava/lang/Runnable;", "java/lang/Cloneable", "[Ljava/io/Serializable;"})
            one("array for " + owner, 61, "([[I)Ljava/lang/Object;", m -> {
                m.visitVarInsn(ALOAD, 0);
                m.visitMethodInsn(INVOKEVIRTUAL, owner, "getClass", "()Ljava/lang/Class;", false);
                m.visitInsn(ARETURN);
            }, (Object) new int[2][2]);
    }

    /* ---- control ---- */
    static void subroutines() {
        /* jsr within jsr, ret by wide, return address stored in two locals, jsr in a loop */
        one("jsr nested", 48, "(I)I", m -> {
            Label s1 = new Label(), s2 = new Label(), loop = new Label(), out = new Label();
            m.visitInsn(ICONST_0); m.visitVarInsn(ISTORE, 1);
            m.visitLabel(loop);
            m.visitVarInsn(ILOAD, 0); m.visitJumpInsn(IFLE, out);
            m.visitJumpInsn(JSR, s1);
            m.visitIincInsn(0, -1);
            m.visitJumpInsn(GOTO, loop);
            m.visitLabel(out);
            m.visitJumpInsn(JSR, s2);
            m.visitVarInsn(ILOAD, 1); m.visitInsn(IRETURN);
            m.visitLabel(s1);
            m.visitVarInsn(ASTORE, 300);
            m.visitJumpInsn(JSR, s2);
            m.visitIincInsn(1, 1000);
            m.visitVarInsn(RET, 300);
            m.visitLabel(s2);
            m.visitVarInsn(ASTORE, 2);
            m.visitIincInsn(1, 1);
            m.visitVarInsn(RET, 2);
        }, 7);
        one("jsr throws", 48, "(I)I", m -> {
            Label s = new Label(), from = new Label(), to = new Label(), h = new Label();
            m.visitTryCatchBlock(from, to, h, null);
            m.visitJumpInsn(JSR, s);
            m.visitIntInsn(BIPUSH, 77); m.visitInsn(IRETURN);
            m.visitLabel(from);
            m.visitLabel(s);
            m.visitVarInsn(ASTORE, 1);
            m.visitInsn(ICONST_1); m.visitVarInsn(ILOAD, 0); m.visitInsn(IDIV); m.visitInsn(POP);
            m.visitVarInsn(RET, 1);
            m.visitLabel(to);
            m.visitLabel(h);
            m.visitInsn(POP);
            m.visitIntInsn(BIPUSH, 88); m.visitInsn(IRETURN);
        }, 0);
    }
    static void jumps() {
        one("goto_w", 49, "(I)I", m -> {
            Label far = new Label(), back = new Label(), near = new Label();
            m.visitJumpInsn(GOTO, far);
            m.visitLabel(near);
            m.visitVarInsn(ILOAD, 0); m.visitInsn(IRETURN);
            for (int k = 0; k < 34000; k++) m.visitInsn(NOP);
            m.visitInsn(ICONST_0); m.visitInsn(IRETURN);
            m.visitLabel(far);
            m.visitIincInsn(0, -32768);
            m.visitVarInsn(ILOAD, 0);
            m.visitJumpInsn(IFLT, near);
            m.visitJumpInsn(GOTO, near);
        }, 5);
        one("jsr_w", 48, "(I)I", m -> {
            Label far = new Label();
            m.visitJumpInsn(JSR, far);
            m.visitJumpInsn(JSR, far);
            m.visitVarInsn(ILOAD, 0); m.visitInsn(IRETURN);
            for (int k = 0; k < 34000; k++) m.visitInsn(NOP);
            m.visitInsn(ICONST_0); m.visitInsn(IRETURN);
            m.visitLabel(far);
            m.visitVarInsn(ASTORE, 1);
            m.visitIincInsn(0, 32767);
            m.visitVarInsn(RET, 1);
        }, 5);
        one("wide all", 49, "()Ljava/lang/String;", m -> {
            m.visitLdcInsn(Integer.MIN_VALUE); m.visitVarInsn(ISTORE, 256); m.visitIincInsn(256, -1);
            m.visitLdcInsn(-1L); m.visitVarInsn(LSTORE, 65000);
            m.visitLdcInsn(-0f); m.visitVarInsn(FSTORE, 65533);
            m.visitLdcInsn(1e300); m.visitVarInsn(DSTORE, 65531);
            m.visitLdcInsn("s"); m.visitVarInsn(ASTORE, 65534);
            m.visitVarInsn(ALOAD, 65534);
            m.visitVarInsn(ILOAD, 256); m.visitMethodInsn(INVOKESTATIC, "java/lang/String", "valueOf", "(I)Ljava/lang/String;", false);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "concat", "(Ljava/lang/String;)Ljava/lang/String;", false);
            m.visitVarInsn(LLOAD, 65000); m.visitMethodInsn(INVOKESTATIC, "java/lang/String", "valueOf", "(J)Ljava/lang/String;", false);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "concat", "(Ljava/lang/String;)Ljava/lang/String;", false);
            m.visitVarInsn(FLOAD, 65533); m.visitMethodInsn(INVOKESTATIC, "java/lang/String", "valueOf", "(F)Ljava/lang/String;", false);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "concat", "(Ljava/lang/String;)Ljava/lang/String;", false);
            m.visitVarInsn(DLOAD, 65531); m.visitMethodInsn(INVOKESTATIC, "java/lang/String", "valueOf", "(D)Ljava/lang/String;", false);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "concat", "(Ljava/lang/String;)Ljava/lang/String;", false);
            m.visitInsn(ARETURN);
        });
    }
    static void handlers() {
        one("handler of itself", 49, "()I", m -> {
            Label from = new Label(), to = new Label(), h = new Label(), out = new Label();
            m.visitTryCatchBlock(from, to, h, null);
            m.visitInsn(ICONST_0); m.visitVarInsn(ISTORE, 0);
            m.visitInsn(ACONST_NULL);
            m.visitLabel(from);
            m.visitInsn(ATHROW);
            m.visitLabel(h);
            m.visitIincInsn(0, 1);
            m.visitVarInsn(ILOAD, 0); m.visitIntInsn(BIPUSH, 100); m.visitJumpInsn(IF_ICMPGE, out);
            m.visitInsn(ATHROW);
            m.visitLabel(to);
            m.visitLabel(out);
            m.visitVarInsn(ILOAD, 0); m.visitInsn(IRETURN);
        });
        one("handler at throw", 49, "()I", m -> {
            Label from = new Label(), to = new Label();
            m.visitTryCatchBlock(from, to, from, "java/lang/NullPointerException");
            m.visitTryCatchBlock(from, to, to, "java/lang/IllegalStateException");
            m.visitInsn(ACONST_NULL);
            m.visitLabel(from);
            m.visitInsn(POP);
            m.visitMethodInsn(INVOKESTATIC, "OddCode", "next", "()Ljava/lang/Throwable;", false);
            m.visitInsn(ATHROW);
            m.visitLabel(to);
            m.visitInsn(POP);
            m.visitInsn(ICONST_4);
            m.visitInsn(IRETURN);
        });
        for (int kind = 0; kind < 9; kind++) {
            int k = kind;
            one("monitors " + kind, 49, "(Ljava/lang/Object;)I", m -> {
                Label from = new Label(), to = new Label(), h = new Label();
                if (k >= 4) m.visitTryCatchBlock(from, to, h, k == 8 ? "java/lang/IllegalMonitorStateException" : null);
                m.visitLabel(from);
                switch (k) {
                case 0: m.visitVarInsn(ALOAD, 0); m.visitInsn(MONITOREXIT); m.visitInsn(ICONST_0); m.visitInsn(IRETURN); break;
                case 1: m.visitVarInsn(ALOAD, 0); m.visitInsn(MONITORENTER); m.visitInsn(ICONST_0); m.visitInsn(IRETURN); break;
                case 2: m.visitVarInsn(ALOAD, 0); m.visitInsn(MONITORENTER); m.visitInsn(ACONST_NULL); m.visitInsn(ATHROW); break;
                case 3: m.visitInsn(ACONST_NULL); m.visitInsn(MONITOREXIT); m.visitInsn(ICONST_0); m.visitInsn(IRETURN); break;
                case 4: m.visitVarInsn(ALOAD, 0); m.visitInsn(MONITOREXIT); m.visitInsn(ICONST_0); m.visitInsn(IRETURN); break;
                case 5: m.visitVarInsn(ALOAD, 0); m.visitInsn(MONITORENTER); m.visitInsn(ICONST_1); m.visitInsn(ICONST_0); m.visitInsn(IDIV); m.visitInsn(IRETURN); break;
                case 6: m.visitVarInsn(ALOAD, 0); m.visitInsn(MONITORENTER); m.visitVarInsn(ALOAD, 0); m.visitInsn(MONITOREXIT);
                    m.visitVarInsn(ALOAD, 0); m.visitInsn(MONITOREXIT); m.visitInsn(ICONST_0); m.visitInsn(IRETURN); break;
                case 7: m.visitVarInsn(ALOAD, 0); m.visitInsn(MONITORENTER); m.visitInsn(ICONST_0); m.visitInsn(IRETURN); break;
                case 8: m.visitVarInsn(ALOAD, 0); m.visitInsn(MONITORENTER); m.visitInsn(ICONST_0); m.visitInsn(IRETURN); break;
                }
                m.visitLabel(to);
                if (k >= 4) {
                    m.visitLabel(h);
                    m.visitInsn(POP);
                    if (k == 5 || k == 7 || k == 8) { m.visitVarInsn(ALOAD, 0); m.visitInsn(MONITOREXIT); }
                    m.visitIntInsn(BIPUSH, 9); m.visitInsn(IRETURN);
                }
            }, new Object());
        }
    }
    static int turn;
    public static Throwable next() { return turn++ % 5 < 4 ? new NullPointerException() : new IllegalStateException(); }

    /* ---- frames as large as can be ---- */
    static void frames() throws Exception {
        ClassWriter w = begin(49, ACC_PUBLIC | ACC_SUPER, "Huge", "java/lang/Object");
        method(w, ACC_PUBLIC | ACC_STATIC, "deep", "(I)I", m -> {
            Label end = new Label();
            m.visitVarInsn(ILOAD, 0); m.visitVarInsn(ISTORE, 65534);
            m.visitVarInsn(ILOAD, 65534); m.visitJumpInsn(IFEQ, end);
            m.visitVarInsn(ILOAD, 65534); m.visitInsn(ICONST_1); m.visitInsn(ISUB);
            m.visitMethodInsn(INVOKESTATIC, "Huge", "deep", "(I)I", false);
            m.visitVarInsn(ILOAD, 65534); m.visitInsn(IADD); m.visitInsn(IRETURN);
            m.visitLabel(end);
            m.visitInsn(ICONST_0); m.visitInsn(IRETURN);
        });
        method(w, ACC_PUBLIC | ACC_STATIC | ACC_SYNCHRONIZED, "sync", "()V", m -> {
            m.visitInsn(LCONST_0); m.visitVarInsn(LSTORE, 65533);
            m.visitMethodInsn(INVOKESTATIC, "Huge", "sync", "()V", false); m.visitInsn(RETURN);
        });
        method(w, ACC_PUBLIC | ACC_STATIC, "catching", "(I)I", m -> {
            Label from = new Label(), to = new Label(), h = new Label();
            m.visitTryCatchBlock(from, to, h, "java/lang/StackOverflowError");
            m.visitLabel(from);
            m.visitInsn(ICONST_0); m.visitVarInsn(ISTORE, 65534);
            m.visitMethodInsn(INVOKESTATIC, "Huge", "sync", "()V", false);
            m.visitInsn(ICONST_M1); m.visitInsn(IRETURN);
            m.visitLabel(to);
            m.visitLabel(h);
            m.visitInsn(POP);
            m.visitVarInsn(ILOAD, 0); m.visitInsn(IRETURN);
        });
        method(w, ACC_PUBLIC | ACC_STATIC, "stack", "()I", m -> { /* 65,535 operands */
            for (int k = 0; k < 16000; k++) m.visitInsn(LCONST_1);
            for (int k = 0; k < 15999; k++) m.visitInsn(LADD);
            m.visitInsn(L2I); m.visitInsn(IRETURN);
        });
        Class<?> c = new Loader().define("Huge", w.toByteArray());
        Thread t = new Thread(null, () -> {
            for (int k = 0; k < 3; k++)
                try {
                    System.out.println(c.getMethod("deep", int.class).invoke(null, 5));
                    System.out.println(c.getMethod("stack").invoke(null));
                    System.out.println(c.getMethod("catching", int.class).invoke(null, 8));
                    c.getMethod("deep", int.class).invoke(null, 1 << 30);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    System.out.println(e.getCause().getClass() + " " + Thread.holdsLock(c));
                } catch (Throwable e) {
                    System.out.println(e);
                }
        }, "large", 16 << 20);
        t.start();
        t.join();
    }
    /* ---- operand stack ---- */
    static void operands() {
        int[] ops = {DUP2, DUP2_X1, DUP2_X2, DUP_X1, DUP_X2, SWAP, POP2};
        String[] names = {"dup2", "dup2_x1", "dup2_x2", "dup_x1", "dup_x2", "swap", "pop2"};
        String[] shapes = {"IIII", "IIJ", "JJ", "JII", "IJI", "IIFI", "AIAI", "DJ", "FD", "JI", "IJ", "AJ", "JA"};
        for (int o = 0; o < ops.length; o++)
            for (String shape : shapes) {
                int op = ops[o];
                one(names[o] + " " + shape, 61, "()Ljava/lang/String;", m -> {
                    m.visitFieldInsn(GETSTATIC, "OddCode", "sink", "Ljava/util/List;");
                    m.visitInsn(POP);
                    int n = 0;
                    for (char k : shape.toCharArray()) {
                        n++;
                        if (k == 'I') m.visitLdcInsn(n * 0x11111111);
                        if (k == 'J') m.visitLdcInsn(n * 0x1111111111111111L);
                        if (k == 'F') m.visitLdcInsn(n * 1.5f);
                        if (k == 'D') m.visitLdcInsn(n * 1.5);
                        if (k == 'A') m.visitLdcInsn("s" + n);
                    }
                    m.visitInsn(op);
                    for (char k : after(op, shape).toCharArray())
                        m.visitMethodInsn(INVOKESTATIC, "OddCode", "eat", "(" + (k == 'A' ? "Ljava/lang/String;" : "" + k) + ")V", false);
                    m.visitMethodInsn(INVOKESTATIC, "OddCode", "eaten", "()Ljava/lang/String;", false);
                    m.visitInsn(ARETURN);
                });
            }
    }
    public static List<Object> sink = new ArrayList<>();
    public static void eat(int v) { sink.add(v); }
    public static void eat(long v) { sink.add(v); }
    public static void eat(float v) { sink.add(v); }
    public static void eat(double v) { sink.add(v); }
    public static void eat(String v) { sink.add(v); }
    public static String eaten() { String s = sink.toString(); sink.clear(); return s; }
    /* Kinds from the top down, after the instruction; for forms that do not fit, as if they did: the verifier answers. */
    static String after(int op, String shape) {
        List<Character> cells = new ArrayList<>();
        for (char c : shape.toCharArray()) { cells.add(c); if (c == 'J' || c == 'D') cells.add('-'); }
        int n = cells.size();
        List<Character> r = new ArrayList<>(cells);
        try {
            switch (op) {
            case DUP2: r.addAll(cells.subList(n - 2, n)); break;
            case DUP2_X1: r.addAll(n - 3, cells.subList(n - 2, n)); break;
            case DUP2_X2: r.addAll(n - 4, cells.subList(n - 2, n)); break;
            case DUP_X1: r.addAll(n - 2, cells.subList(n - 1, n)); break;
            case DUP_X2: r.addAll(n - 3, cells.subList(n - 1, n)); break;
            case SWAP: Collections.swap(r, n - 1, n - 2); break;
            case POP2: r = new ArrayList<>(cells.subList(0, n - 2)); break;
            }
        } catch (RuntimeException e) { }
        StringBuilder sb = new StringBuilder();
        for (char c : r) if (c != '-') sb.insert(0, c);
        return sb.toString();
    }

    public static void main(String[] a) throws Exception {
        constants();
        numbers();
        switches();
        arrays();
        subroutines();
        jumps();
        handlers();
        frames();
        operands();
    }
}
