// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
import java.lang.invoke.*;
import java.lang.reflect.InvocationTargetException;
import java.util.*;
import jdk.internal.org.objectweb.asm.*;

/** Classes of unusual extent: long chains of superclasses and superinterfaces, many nest members, more call sites than a pool has entries. */
public class LongChains implements Opcodes {
    public static final List<String> initialised = Collections.synchronizedList(new ArrayList<>());
    public static void ran(String name) { initialised.add(name); }

    static ClassWriter start(int access, String name, String sup, String... interfaces) {
        ClassWriter w = new ClassWriter(0);
        w.visit(V11, access, name, null, sup, interfaces);
        return w;
    }

    static void initialiser(ClassWriter w, String name, boolean fails) {
        MethodVisitor m = w.visitMethod(ACC_STATIC, "<clinit>", "()V", null, null);
        m.visitLdcInsn(name);
        m.visitMethodInsn(INVOKESTATIC, "LongChains", "ran", "(Ljava/lang/String;)V", false);
        if (fails) {
            m.visitInsn(ACONST_NULL);
            m.visitInsn(ATHROW);
        } else {
            m.visitInsn(RETURN);
        }
        m.visitMaxs(1, 0);
    }

    static class Chain extends ClassLoader {
        final boolean interfaces;
        final int length, fails;

        Chain(boolean interfaces, int length, int fails) {
            this.interfaces = interfaces;
            this.length = length;
            this.fails = fails;
            for (int i = 0; i < length; i++) define("D" + i, file(i));
        }

        Class<?> define(String name, byte[] b) { return defineClass(name, b, 0, b.length); }
        Class<?> last(boolean initialise) throws Exception { return Class.forName("D" + (length - 1), initialise, this); }

        byte[] file(int i) {
            String above = i == 0 ? null : "D" + (i - 1);
            ClassWriter w = !interfaces ? start(ACC_PUBLIC | ACC_SUPER, "D" + i, i == 0 ? "java/lang/Object" : above)
                          : start(ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, "D" + i, "java/lang/Object", i == 0 ? new String[0] : new String[] {above});
            if (i % 100 == 0 || i == fails) initialiser(w, "D" + i, i == fails);
            if (i == 0) w.visitField(ACC_PUBLIC | ACC_STATIC | (interfaces ? ACC_FINAL : 0), "top", "I", null, 5).visitEnd();
            if (interfaces && i % 100 == 0) {
                MethodVisitor m = w.visitMethod(ACC_PUBLIC, "f" + i, "()V", null, null);
                m.visitInsn(RETURN);
                m.visitMaxs(0, 1);
            }
            return w.toByteArray();
        }
    }

    interface Use { Object of() throws Throwable; }
    static void show(String what, Use u) {
        Object o;
        try {
            o = u.of();
        } catch (Throwable e) {
            if (e instanceof InvocationTargetException) e = e.getCause();
            o = e + (e.getCause() == null ? "" : " <- " + e.getCause());
        }
        System.out.println(what + ": " + o + " " + initialised);
        initialised.clear();
    }

    static void chains() throws Exception {
        Chain good = new Chain(false, 1000, -1), bad = new Chain(false, 1000, 450), interfaces = new Chain(true, 1000, -1);
        show("loaded", () -> good.last(false));
        show("initialised", () -> good.last(true));
        show("field", () -> MethodHandles.lookup().findStaticGetter(good.last(true), "top", int.class).invoke());
        show("fails in the middle", () -> bad.last(true));
        show("has failed below", () -> bad.last(true));
        show("has failed there", () -> Class.forName("D450", true, bad));
        show("not above", () -> Class.forName("D449", true, bad));
        show("interfaces", () -> interfaces.last(true));
        show("field of an interface", () -> MethodHandles.lookup().findStaticGetter(interfaces.last(true), "top", int.class).invoke());
        show("implementing", () -> Class.forName(interfaces.define("C", start(ACC_PUBLIC | ACC_SUPER, "C", "java/lang/Object", "D999").toByteArray()).getName(), true, interfaces));
    }

    static byte[] nest(int members) {
        ClassWriter w = start(ACC_PUBLIC | ACC_SUPER, "Host", "java/lang/Object");
        for (int i = 0; i < members; i++) w.visitNestMember("Host");
        return w.toByteArray();
    }

    static void nests() throws Exception {
        Class<?> host = new Chain(false, 0, -1).define("Host", nest(65_535));
        Thread small = new Thread(null, () -> show("nest members", () -> host.getNestMembers().length), "small", 100_000);
        small.start();
        small.join();
    }

    /** javac makes one of each expression: more than 65,535 of them, in methods of 10,000. */
    static void callSites() throws Exception {
        ClassWriter w = start(ACC_PUBLIC | ACC_SUPER, "Sites", "java/lang/Object");
        Handle h = new Handle(H_INVOKESTATIC, "LongChains", "site", "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;", false);
        for (int k = 0; k < 7; k++) {
            MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "m" + k, "(Z)I", null, null);
            Label end = new Label();
            m.visitVarInsn(ILOAD, 0);
            m.visitJumpInsn(IFEQ, end);
            for (int i = 0; i < 10_000; i++) m.visitInvokeDynamicInsn("f", "()V", h);
            m.visitLabel(end);
            m.visitFrame(F_SAME, 0, null, 0, null);
            m.visitInvokeDynamicInsn("f", "()V", h);
            m.visitIntInsn(SIPUSH, k);
            m.visitInsn(IRETURN);
            m.visitMaxs(1, 1);
        }
        Class<?> c = new Chain(false, 0, -1).define("Sites", w.toByteArray());
        for (int k = 0; k < 7; k++) {
            String name = "m" + k;
            show("call sites", () -> c.getMethod(name, boolean.class).invoke(null, false));
        }
    }
    public static CallSite site(MethodHandles.Lookup l, String name, MethodType t) { ran(l.lookupClass().getName()); return new ConstantCallSite(MethodHandles.empty(t)); }

    public static void main(String[] args) throws Exception {
        chains();
        nests();
        callSites();
    }
}
