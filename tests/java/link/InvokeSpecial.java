// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
import java.lang.reflect.InvocationTargetException;
import java.util.*;
import jdk.internal.org.objectweb.asm.*;

/** What invokespecial reaches in hierarchies that no compiler makes: static and abstract methods on the way, conflicting defaults, the wrong constant, no ACC_SUPER. */
public class InvokeSpecial implements Opcodes {
    static final String TEXT = "()Ljava/lang/String;";

    static class Loader extends ClassLoader {
        final Map<String, byte[]> files = new HashMap<>();
        @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] b = files.get(name);
            if (b == null) throw new ClassNotFoundException(name);
            return defineClass(name, b, 0, b.length);
        }
    }

    static void constructor(ClassWriter w, String sup) {
        MethodVisitor m = w.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        m.visitVarInsn(ALOAD, 0);
        m.visitMethodInsn(INVOKESPECIAL, sup, "<init>", "()V", false);
        m.visitInsn(RETURN);
        m.visitMaxs(1, 1);
    }

    static void method(ClassWriter w, int access, String text) {
        MethodVisitor m = w.visitMethod(access, "f", TEXT, null, null);
        if ((access & ACC_ABSTRACT) != 0) return;
        m.visitLdcInsn(text);
        m.visitInsn(ARETURN);
        m.visitMaxs(1, 1);
    }

    /** A line "NAME EXTENDS [IMPLEMENTS...]: kinds of f, itf, noflag". */
    static byte[] file(int version, String line, int op, String named, boolean itf) {
        String[] halves = line.split(": *", -1), names = halves[0].split(" ");
        List<String> words = List.of(halves[1].split(" "));
        boolean isInterface = words.contains("itf");
        int access = ACC_PUBLIC | (isInterface ? ACC_INTERFACE | ACC_ABSTRACT : words.contains("noflag") ? 0 : ACC_SUPER);
        if (words.contains("abs")) access |= ACC_ABSTRACT;
        String sup = names[1].equals("-") ? "java/lang/Object" : names[1];
        ClassWriter w = new ClassWriter(0);
        w.visit(version, access, names[0], null, sup, Arrays.copyOfRange(names, 2, names.length));
        if (!isInterface) constructor(w, sup);
        if (words.contains("f")) method(w, ACC_PUBLIC, names[0]);
        if (words.contains("abs.f")) method(w, ACC_PUBLIC | ACC_ABSTRACT, names[0]);
        if (words.contains("static.f")) method(w, ACC_PUBLIC | ACC_STATIC, names[0]);
        if (words.contains("private.f")) method(w, ACC_PRIVATE, names[0]);
        if (names[0].equals("C")) {
            MethodVisitor m = w.visitMethod(ACC_PUBLIC, "g", TEXT, null, null);
            if (op != INVOKESTATIC) m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(op, named, "f", TEXT, itf);
            m.visitInsn(ARETURN);
            m.visitMaxs(1, 1);
        }
        return w.toByteArray();
    }

    static void run(String what, int version, int op, String named, boolean itf, String... lines) {
        String result;
        try {
            Loader l = new Loader();
            for (String line : lines) l.files.put(line.split(" ")[0], file(version, line, op, named, itf));
            Class<?> c = l.loadClass("C");
            result = (String) c.getMethod("g").invoke(c.getConstructor().newInstance());
        } catch (InvocationTargetException e) {
            result = e.getCause().toString();
        } catch (Throwable e) {
            result = e.toString();
        }
        System.out.println(what + ": " + result.split("\n")[0]);
    }

    static void special(String what, String named, boolean itf, String... lines) { run(what, V1_8, INVOKESPECIAL, named, itf, lines); }

    public static void main(String[] args) {
        for (int version : new int[] {V1_1, V1_5, V17})
            for (String flag : new String[] {"", " noflag"})
                run(version + flag, version, INVOKESPECIAL, "A", false, "A -: f", "B A: f", "C B: f" + flag);
        special("abstract", "A", false, "A -: abs abs.f", "C A: ");
        special("abstract, inherited", "B", false, "A -: abs abs.f", "B A: abs", "C B: f");
        special("abstract again", "A", false, "A -: f", "B A: abs abs.f", "C B: f");
        special("abstract in an interface", "I", true, "I -: itf abs.f", "C - I: f");
        special("abstract in its superinterface", "J", true, "I -: itf abs.f", "J - I: itf", "C - J: f");
        special("abstract in the interface of a class", "B", false, "I -: itf abs.f", "B - I: abs", "C B: f");
        special("default in the interface of a class", "B", false, "I -: itf f", "B - I: ", "C B: f");
        special("conflict in a class", "B", false, "I -: itf f", "J -: itf f", "B - I J: abs", "C B: f");
        special("conflict in the class itself", "C", false, "I -: itf f", "J -: itf f", "C - I J: ");
        special("conflict in an interface", "K", true, "I -: itf f", "J -: itf f", "K - I J: itf", "C - K: f");
        special("no conflict: the lower one", "K", true, "I -: itf f", "J - I: itf f", "K - I J: itf", "C - K: f");
        special("static", "A", false, "A -: static.f", "C A: ");
        special("static in an interface", "I", true, "I -: itf static.f", "C - I: ");
        special("static between", "A", false, "A -: f", "B A: static.f", "C B: ");
        special("static between, default above", "B", false, "I -: itf f", "A - I: ", "B A: f", "C B: ");
        special("private between", "A", false, "A -: f", "B A: private.f", "C B: f");
        special("own", "C", false, "C -: f");
        special("own, private", "C", false, "C -: private.f");
        special("own, abstract in an interface", "C", false, "I -: itf abs.f", "C - I: ");
        special("gone", "A", false, "A -: ", "C A: f");
        special("gone from an interface", "I", true, "I -: itf", "C - I: f");
        special("indirect", "I", true, "I -: itf f", "J - I: itf", "C - J: f");
        special("interface by Methodref", "I", false, "I -: itf f", "C - I: f");
        special("class by InterfaceMethodref", "A", true, "A -: f", "C A: f");
        run("static of an interface by Methodref", V1_8, INVOKESTATIC, "I", false, "I -: itf static.f", "C - I: ");
        run("static of a class by InterfaceMethodref", V1_8, INVOKESTATIC, "A", true, "A -: static.f", "C A: ");
        run("virtual on an interface", V1_8, INVOKEVIRTUAL, "I", false, "I -: itf f", "C - I: ");
        run("interface call on a class", V1_8, INVOKEINTERFACE, "A", true, "A -: f", "C A: ");
        run("instance method, called as static", V1_8, INVOKESTATIC, "A", false, "A -: f", "C A: ");
    }
}
