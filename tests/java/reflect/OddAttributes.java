// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.*;
import java.util.*;
import java.util.function.Consumer;
import jdk.internal.org.objectweb.asm.*;

/** Reflection on classes whose Synthetic, InnerClasses, EnclosingMethod and nest attributes no compiler writes: what is believed, and what throws. */
public class OddAttributes implements Opcodes {
    static class Raw extends Attribute {
        final byte[] bytes;
        Raw(String type, int... bytes) {
            super(type);
            this.bytes = new byte[bytes.length];
            for (int i = 0; i < bytes.length; i++) this.bytes[i] = (byte) bytes[i];
        }
        @Override protected ByteVector write(ClassWriter w, byte[] code, int length, int stack, int locals) {
            return new ByteVector().putByteArray(bytes, 0, bytes.length);
        }
    }

    static class Loader extends ClassLoader {
        final Map<String, byte[]> files = new HashMap<>();
        @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] b = files.get(name);
            if (b == null) throw new ClassNotFoundException(name);
            return defineClass(name, b, 0, b.length);
        }
    }

    interface Use { Object of() throws Throwable; }
    static void show(String what, Use u) {
        Object o;
        try {
            o = u.of();
            if (o instanceof Object[]) o = Arrays.toString((Object[]) o);
        } catch (Throwable e) {
            o = e + (e.getCause() == null ? "" : " <- " + e.getCause());
        }
        System.out.println(what + ": " + o);
    }

    static ClassWriter start(int version, String name) {
        ClassWriter w = new ClassWriter(0);
        w.visit(version, ACC_PUBLIC | ACC_SUPER, name, null, "java/lang/Object", null);
        return w;
    }

    static void body(MethodVisitor m, boolean constructor) {
        m.visitAttribute(new Raw("Synthetic"));
        m.visitCode();
        if (constructor) {
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        }
        m.visitInsn(RETURN);
        m.visitMaxs(1, 1);
    }

    static void synthetic(int version, boolean row) throws Exception {
        ClassWriter w = start(version, "S");
        w.visitAttribute(new Raw("Synthetic"));
        if (row) w.visitInnerClass("S", null, null, ACC_PUBLIC);
        w.visitField(ACC_PUBLIC, "f", "I", null, null).visitAttribute(new Raw("Synthetic"));
        body(w.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null), true);
        body(w.visitMethod(ACC_PUBLIC | ACC_STATIC, "m", "()V", null, null), false);
        Loader l = new Loader();
        l.files.put("S", w.toByteArray());
        Class<?> c = l.loadClass("S");
        MethodHandles.Lookup here = MethodHandles.lookup();
        show(version + " class", () -> c.isSynthetic() + " " + c.getModifiers());
        show(version + " field", () -> c.getField("f").isSynthetic() + " " + c.getField("f").getModifiers());
        show(version + " method", () -> c.getMethod("m").isSynthetic() + " " + c.getMethod("m").getModifiers());
        show(version + " constructor", () -> c.getConstructor().isSynthetic() + " " + c.getConstructor().getModifiers());
        show(version + " handle", () -> here.revealDirect(here.findStatic(c, "m", MethodType.methodType(void.class))).getModifiers());
    }

    /** MethodParameters (JVMS 4.7.24) in files that are older than the attribute: good, too short, and twice. */
    static void parameters(int version) {
        for (int kind = 0; kind < 3; kind++) {
            ClassWriter w = start(version, "P");
            MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "m", "(II)V", null, null);
            if (kind != 1) {
                m.visitParameter("first", ACC_FINAL);
                m.visitParameter("second", ACC_SYNTHETIC);
            } else m.visitAttribute(new Raw("MethodParameters", 2, 0));
            if (kind == 2) m.visitAttribute(new Raw("MethodParameters", 0));
            m.visitCode();
            m.visitInsn(RETURN);
            m.visitMaxs(0, 2);
            Loader l = new Loader();
            l.files.put("P", w.toByteArray());
            show(version + " parameters " + kind, () -> l.loadClass("P").getMethod("m", int.class, int.class).getParameters());
        }
    }

    /** Files of the names, each with what its writer adds; then everything that is asked of such classes. */
    @SafeVarargs static void classes(String what, String names, Consumer<ClassWriter>... writers) {
        System.out.println("--- " + what);
        Loader l = new Loader();
        String[] name = names.split(" ");
        for (int i = 0; i < name.length; i++) {
            ClassWriter w = start(V17, name[i]);
            writers[i].accept(w);
            l.files.put(name[i], w.toByteArray());
        }
        for (String n : name)
            try {
                ask(l.loadClass(n));
            } catch (ClassNotFoundException | LinkageError e) {
                System.out.println(e);
            }
    }

    static void ask(Class<?> c) {
        String n = c.getName();
        show(n + " declaring", c::getDeclaringClass);
        show(n + " enclosing", c::getEnclosingClass);
        show(n + " method", c::getEnclosingMethod);
        show(n + " constructor", c::getEnclosingConstructor);
        show(n + " names", () -> c.getSimpleName() + " " + c.getTypeName());
        show(n + " canonical", c::getCanonicalName);
        show(n + " sort", () -> c.isAnonymousClass() + " " + c.isLocalClass() + " " + c.isMemberClass());
        show(n + " declared", c::getDeclaredClasses);
        show(n + " modifiers", () -> Modifier.toString(c.getModifiers()));
        show(n + " nest", () -> c.getNestHost() + " " + Arrays.toString(c.getNestMembers()));
    }

    static Consumer<ClassWriter> rows(String... rows) { // INNER OUTER NAME
        return w -> {
            for (String r : rows) {
                String[] p = r.split(" ");
                w.visitInnerClass(p[0], p[1].equals("-") ? null : p[1], p[2].equals("-") ? null : p[2], ACC_PRIVATE | ACC_STATIC);
            }
        };
    }
    static Consumer<ClassWriter> enclosing(String owner, String name, String desc) { return w -> w.visitOuterClass(owner, name, desc); }

    public static void main(String[] args) throws Exception {
        for (int version : new int[] {V1_1, V1_4, V1_5, V17}) synthetic(version, version == V1_4);
        for (int version : new int[] {V1_1, V1_6, V1_7, V1_8}) parameters(version);
        Consumer<ClassWriter> none = w -> { }, circle = rows("A B A", "B A B"), text = enclosing("java/lang/String", "length", "()I");
        classes("circle of two", "A B", circle, circle);
        classes("circle of one", "A", rows("A A A"));
        classes("circle of three in one file", "A", rows("A B A", "B C B", "C A C", "X - X"));
        classes("circle of others", "A", rows("C B C", "B C B", "A - Q"));
        classes("circle and enclosing method", "A", circle.andThen(text));
        classes("long way into a circle", "A", rows("A B A", "B C B", "C D C", "D C D"));
        classes("no circle", "A", rows("A B A", "C B C", "B D B", "E A E"));
        classes("inner only", "A A$B", none, rows("A$B A B"));
        classes("outer only", "A A$B", rows("A$B A B"), none);
        classes("twice", "A", rows("A$B A B", "A$B A C"));
        classes("outer missing", "A", rows("A Gone B"));
        classes("inner missing", "A", rows("A$X A X"));
        classes("outer is an array", "A", rows("A [I B"));
        classes("inner is an array", "A", rows("[I A B"));
        classes("neither outer nor name", "A", rows("A - -"));
        classes("outer without name", "A", rows("A java/lang/String -"));
        classes("odd name", "A B", rows("B A x.y"), rows("B A x.y"));
        classes("enclosing method alone", "A", text);
        classes("enclosing method, no rows", "A", text.andThen(w -> w.visitAttribute(new Raw("InnerClasses", 0, 0))));
        classes("enclosing method, rows of others", "A", text.andThen(rows("java/util/Map$Entry java/util/Map Entry")));
        Consumer<ClassWriter> other = rows("java/util/Map$Entry java/util/Map Entry"), local = rows("A - Loc");
        classes("enclosing method gone", "A", enclosing("java/lang/String", "gone", "()I").andThen(other));
        classes("enclosing method of a type that is gone", "A", enclosing("java/lang/String", "length", "(LGone;)I").andThen(other));
        classes("enclosing constructor", "A", enclosing("java/lang/String", "<init>", "()V").andThen(other));
        classes("enclosing initialiser", "A", enclosing("java/lang/String", "<clinit>", "()V").andThen(other));
        classes("enclosing array", "A", enclosing("[I", "clone", "()Ljava/lang/Object;").andThen(other));
        classes("enclosing class gone", "A", enclosing("Gone", null, null).andThen(other));
        classes("enclosing itself", "A", enclosing("A", null, null).andThen(other));
        classes("enclosing each other", "A B", enclosing("B", null, null).andThen(other), enclosing("A", null, null).andThen(other));
        classes("local", "A B", enclosing("B", null, null).andThen(local), local);
        classes("local, unknown outside", "A", text.andThen(local));
        classes("local, a member outside", "A B", enclosing("B", null, null).andThen(local), rows("A B Loc"));
        classes("local in an array", "A", enclosing("[LA;", null, null).andThen(local));
        classes("local in what is gone", "A", enclosing("Gone", null, null).andThen(local));
        classes("member with enclosing class", "A B", enclosing("B", null, null).andThen(rows("A B Loc")), rows("A B Loc"));
        classes("nest host gone", "A", w -> w.visitNestHost("Gone"));
        classes("nest host that knows nothing", "A B", w -> w.visitNestHost("B"), none);
        classes("nest members of all sorts", "A B", w -> w.visitNestHost("B"), w -> {
            for (String m : new String[] {"A", "A", "Gone", "B", "java/lang/String"}) w.visitNestMember(m);
        });
    }
}
