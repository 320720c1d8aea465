// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
/* Calls that no compiler writes: each invoke instruction with each sort of method, by each sort of pool entry. */
import java.lang.invoke.*;
import java.util.*;
import jdk.internal.org.objectweb.asm.*;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

public class OddCalls {
    interface Body { void emit(MethodVisitor m); }
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
    /* Who selects a method that is not public says so by a message or not, depending on who came first. */
    static String text(Throwable t) {
        if (t instanceof IllegalAccessError && !t.toString().contains(" private ")) return t.getClass().getName();
        StackTraceElement[] st = t.getStackTrace();
        return t.toString().replaceAll("@[0-9a-f]+", "@") + (st.length > 0 ? " @" + st[0].getMethodName() : "");
    }
    static String show(Object o) { return String.valueOf(o); }
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
                if (i != 1) System.out.println(what + " " + i + ": " + text(e.getCause()));
            } catch (Throwable t) {
                if (i != 1) System.out.println(what + " " + i + ": outside " + t);
                return;
            }
        }
    }
    static Class<?>[] load(ClassWriter... ws) {
        Loader l = new Loader();
        Class<?>[] r = new Class<?>[ws.length];
        for (int i = 0; i < ws.length; i++) { byte[] b = ws[i].toByteArray(); r[i] = l.define(new ClassReader(b).getClassName(), b); }
        return r;
    }
    static void group(String what, Object[] args, ClassWriter... ws) {
        try {
            Class<?>[] cs = load(ws);
            run(what, cs[cs.length - 1], args);
        } catch (Throwable t) {
            System.out.println(what + ": " + t);
        }
    }
    static void constant(ClassWriter w, int access, String name, int value) {
        method(w, access, name, "()I", m -> { m.visitIntInsn(SIPUSH, value); m.visitInsn(IRETURN); });
    }
    static Object fresh(Class<?> c) throws Exception { var k = c.getDeclaredConstructor(); k.setAccessible(true); return k.newInstance(); }

    /* ---- calls ---- */
    static ClassWriter itf(String name, String... sup) {
        ClassWriter w = begin(61, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, name, "java/lang/Object", sup);
        return w;
    }
    static void interfaces() throws Exception {
        ClassWriter i = itf("I");
        constant(i, ACC_PUBLIC, "def", 1);
        constant(i, ACC_PRIVATE, "priv", 2);
        i.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "abs", "()I", null, null).visitEnd();
        String[] calls = {"def", "priv", "abs", "hashCode", "missing", "finalize", "stat"};
        constant(i, ACC_PUBLIC | ACC_STATIC, "stat", 3);
        for (String n : calls)
            for (String self : new String[] {"I", "J"})
                method(i, ACC_PUBLIC | ACC_STATIC, "call_" + n + "_" + self, "(Ljava/lang/Object;)I", m -> {
                    m.visitVarInsn(ALOAD, 0);
                    if (self.equals("I")) m.visitTypeInsn(CHECKCAST, "I");
                    m.visitMethodInsn(INVOKEINTERFACE, "I", n, "()I", true);
                    m.visitInsn(IRETURN);
                });
        method(i, ACC_PUBLIC, "sp", "()I", m -> { m.visitVarInsn(ALOAD, 0); m.visitMethodInsn(INVOKESPECIAL, "I", "def", "()I", true); m.visitInsn(IRETURN); });
        method(i, ACC_PUBLIC, "spp", "()I", m -> { m.visitVarInsn(ALOAD, 0); m.visitMethodInsn(INVOKESPECIAL, "I", "priv", "()I", true); m.visitInsn(IRETURN); });
        method(i, ACC_PUBLIC, "spa", "()I", m -> { m.visitVarInsn(ALOAD, 0); m.visitMethodInsn(INVOKESPECIAL, "I", "abs", "()I", true); m.visitInsn(IRETURN); });
        method(i, ACC_PUBLIC, "spo", "()I", m -> { m.visitVarInsn(ALOAD, 0); m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "hashCode", "()I", false); m.visitInsn(POP); m.visitInsn(ICONST_5); m.visitInsn(IRETURN); });
        ClassWriter good = begin(61, ACC_PUBLIC | ACC_SUPER, "Good", "java/lang/Object", "I");
        init(good, "java/lang/Object");
        constant(good, ACC_PUBLIC, "abs", 4);
        constant(good, ACC_PUBLIC, "hashCode", 5);
        constant(good, ACC_PUBLIC, "priv", 6);
        ClassWriter part = begin(61, ACC_PUBLIC | ACC_SUPER, "Part", "java/lang/Object", "I");
        init(part, "java/lang/Object");
        constant(part, ACC_PUBLIC, "hashCode", 20);
        constant(part, ACC_PRIVATE, "abs", 7);
        ClassWriter prot = begin(61, ACC_PUBLIC | ACC_SUPER, "Prot", "java/lang/Object", "I");
        init(prot, "java/lang/Object");
        constant(prot, ACC_PUBLIC, "hashCode", 20);
        constant(prot, ACC_PROTECTED, "abs", 8);
        constant(prot, ACC_PROTECTED, "def", 9);
        ClassWriter none = begin(61, ACC_PUBLIC | ACC_SUPER, "None", "java/lang/Object", "I");
        init(none, "java/lang/Object");
        constant(none, ACC_PUBLIC, "hashCode", 20);
        ClassWriter other = begin(61, ACC_PUBLIC | ACC_SUPER, "Other", "java/lang/Object");
        init(other, "java/lang/Object");
        constant(other, ACC_PUBLIC, "hashCode", 20);
        constant(other, ACC_PUBLIC, "abs", 8);
        constant(other, ACC_PUBLIC, "def", 9);
        constant(other, ACC_PUBLIC, "priv", 10);
        ClassWriter stat = begin(61, ACC_PUBLIC | ACC_SUPER, "Stat", "java/lang/Object", "I");
        init(stat, "java/lang/Object");
        constant(stat, ACC_PUBLIC, "hashCode", 20);
        constant(stat, ACC_PUBLIC | ACC_STATIC, "abs", 11);
        ClassWriter two = itf("K");
        constant(two, ACC_PUBLIC, "def", 12);
        ClassWriter both = begin(61, ACC_PUBLIC | ACC_SUPER, "Both", "Good", "K");
        init(both, "Good");
        Class<?>[] cs = load(i, two, good, part, prot, none, other, stat, both);
        for (int round = 0; round < 2; round++)
            for (int c = 2; c < cs.length; c++) {
                Object o = fresh(cs[c]);
                for (var m : Arrays.stream(cs[0].getDeclaredMethods()).sorted(Comparator.comparing(java.lang.reflect.Method::getName)).toList())
                    if (m.getName().equals("call_hashCode_J") && !cs[0].isInstance(o)) continue; /* not compared: docs/status.md */
                    else if (m.getName().startsWith("call_")) call(cs[c].getName() + " " + m.getName(), m, null, o);
                    else if (m.getName().startsWith("sp") && cs[0].isInstance(o)) call(cs[c].getName() + " " + m.getName(), m, o);
            }
        for (var m : cs[0].getDeclaredMethods()) if (m.getName().equals("call_priv_J")) call("null", m, null, (Object) null);
    }
    static void call(String what, java.lang.reflect.Method m, Object self, Object... args) {
        for (int i = 0; i < 3; i++)
            try {
                m.setAccessible(true);
                String r = show(m.invoke(self, args));
                if (i != 1) System.out.println(what + " " + i + " " + r);
            } catch (java.lang.reflect.InvocationTargetException e) {
                if (i != 1) System.out.println(what + " " + i + " " + text(e.getCause()));
            } catch (Throwable t) {
                System.out.println(what + " outside " + t);
                return;
            }
    }
    static void virtuals() {
        String[] ops = {"invokevirtual", "invokespecial", "invokestatic", "invokeinterface"};
        int[] codes = {INVOKEVIRTUAL, INVOKESPECIAL, INVOKESTATIC, INVOKEINTERFACE};
        for (int op : codes)
            for (boolean isInterface : new boolean[] {false, true})
                for (String target : new String[] {"C.pub", "C.stat", "C.priv", "C.fin", "C.abs", "X.def", "X.stat", "X.priv", "X.hashCode", "C.def"}) {
                    String owner = target.substring(0, 1), name = target.substring(2);
                    ClassWriter x = itf("X");
                    constant(x, ACC_PUBLIC, "def", 1);
                    constant(x, ACC_PUBLIC | ACC_STATIC, "stat", 2);
                    constant(x, ACC_PRIVATE, "priv", 3);
                    ClassWriter c = begin(61, ACC_PUBLIC | ACC_SUPER | ACC_ABSTRACT, "C", "java/lang/Object", "X");
                    init(c, "java/lang/Object");
                    constant(c, ACC_PUBLIC, "pub", 4);
                    constant(c, ACC_PUBLIC | ACC_STATIC, "stat", 5);
                    constant(c, ACC_PRIVATE, "priv", 6);
                    constant(c, ACC_PUBLIC | ACC_FINAL, "fin", 7);
                    constant(c, ACC_PUBLIC, "hashCode", 7);
                    c.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "abs", "()I", null, null).visitEnd();
                    ClassWriter d = begin(61, ACC_PUBLIC | ACC_SUPER, "D", "C");
                    init(d, "C");
                    constant(d, ACC_PUBLIC, "pub", 14);
                    constant(d, ACC_PUBLIC, "priv", 16);
                    constant(d, ACC_PUBLIC, "abs", 18);
                    method(d, ACC_PUBLIC, "go", "()I", m -> {
                        if (op != INVOKESTATIC) m.visitVarInsn(ALOAD, 0);
                        m.visitMethodInsn(op, owner, name, "()I", isInterface);
                        m.visitInsn(IRETURN);
                    });
                    method(d, ACC_PUBLIC | ACC_STATIC, "t", "()I", m -> {
                        m.visitTypeInsn(NEW, "D");
                        m.visitInsn(DUP);
                        m.visitMethodInsn(INVOKESPECIAL, "D", "<init>", "()V", false);
                        m.visitMethodInsn(INVOKEVIRTUAL, "D", "go", "()I", false);
                        m.visitInsn(IRETURN);
                    });
                    group(op + " " + isInterface + " " + target, new Object[0], x, c, d);
                }
    }
    static void nulls() throws Throwable {
        ClassWriter e = begin(61, ACC_PUBLIC | ACC_SUPER, "Empty", "java/lang/Object");
        init(e, "java/lang/Object");
        method(e, ACC_PUBLIC, "nothing", "()V", m -> m.visitInsn(RETURN));
        method(e, ACC_PUBLIC | ACC_FINAL, "fnothing", "()V", m -> m.visitInsn(RETURN));
        e.visitField(ACC_PUBLIC, "f", "I", null, null).visitEnd();
        method(e, ACC_PUBLIC | ACC_FINAL, "get", "()I", m -> { m.visitVarInsn(ALOAD, 0); m.visitFieldInsn(GETFIELD, "Empty", "f", "I"); m.visitInsn(IRETURN); });
        Class<?> c = load(e)[0];
        Object o = fresh(c);
        for (String n : new String[] {"nothing", "fnothing", "get"}) {
            MethodType t = MethodType.methodType(n.equals("get") ? int.class : void.class);
            MethodHandle h = MethodHandles.publicLookup().findVirtual(c, n, t);
            for (int k = 0; k < 4; k++)
                try {
                    Object r = h.invoke(k == 2 ? null : o);
                    System.out.println(n + " " + k + " " + r);
                } catch (Throwable x) {
                    System.out.println(n + " " + k + " " + x);
                }
            var m = c.getMethod(n);
            for (int k = 0; k < 20; k++)
                try { m.invoke(k == 18 ? null : o); } catch (Throwable x) { System.out.println(n + " " + k + " " + x.getClass()); }
        }
    }

    /* What super.m() finds between the class that is named and the one that calls (6.5 invokespecial). */
    static void specials() throws Exception {
        for (String what : new String[] {"static", "abstract", "private", "none", "default"}) {
            ClassWriter top = begin(61, ACC_PUBLIC | ACC_SUPER, "Top", "java/lang/Object");
            init(top, "java/lang/Object");
            constant(top, ACC_PUBLIC, "m", 1);
            ClassWriter mid = begin(61, ACC_PUBLIC | ACC_SUPER | ACC_ABSTRACT, "Mid", "Top");
            init(mid, "Top");
            if (what.equals("static")) constant(mid, ACC_PUBLIC | ACC_STATIC, "m", 2);
            if (what.equals("private")) constant(mid, ACC_PRIVATE, "m", 3);
            if (what.equals("abstract")) mid.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "m", "()I", null, null).visitEnd();
            ClassWriter low = begin(61, ACC_PUBLIC | ACC_SUPER, "Low", "Mid");
            init(low, "Mid");
            for (String s : new String[] {"Top", "Mid"})
            method(low, ACC_PUBLIC, "go" + s, "()I", m -> { m.visitVarInsn(ALOAD, 0); m.visitMethodInsn(INVOKESPECIAL, s, "m", "()I", false); m.visitInsn(IRETURN); });
            Class<?>[] cs = load(top, mid, low);
            Object o = fresh(cs[2]);
            for (String s : new String[] {"goTop", "goMid"}) call(what + " " + s, cs[2].getMethod(s), o);
        }
    }

    public static void main(String[] a) throws Throwable {
        interfaces();
        virtuals();
        specials();
        nulls();
    }
}
