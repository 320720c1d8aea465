// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED --add-exports java.base/jdk.internal.reflect=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED --add-opens java.base/java.lang=ALL-UNNAMED --add-exports java.base/jdk.internal.reflect=ALL-UNNAMED
import java.lang.reflect.Method;
import java.util.*;
import jdk.internal.org.objectweb.asm.*;
import jdk.internal.reflect.ConstantPool;

/** Reflection on a class that cannot be linked: a method of it does not verify.  What links it fails, and nothing else. */
public class Unlinked implements Opcodes {
    record Point(int x, int y) { }
    interface Use { Object of(Class<?> c) throws Throwable; }

    static class Loader extends ClassLoader {
        Class<?> define(byte[] b) { return defineClass(null, b, 0, b.length); }
    }
    static byte[] bad(boolean record) {
        ClassWriter w = new ClassWriter(0);
        w.visit(V17, ACC_PUBLIC | ACC_FINAL | ACC_SUPER, "B", "Ljava/lang/Object;", record ? "java/lang/Record" : "java/lang/Object", null);
        w.visitSource("B.java", null);
        w.visitAnnotation("Ljava/lang/Deprecated;", true).visitEnd();
        w.visitTypeAnnotation(0x10ffff00, null, "Ljava/lang/Deprecated;", true).visitEnd();
        w.visitOuterClass("Unlinked", "main", "([Ljava/lang/String;)V");
        w.visitInnerClass("B$I", "B", "I", ACC_STATIC);
        w.visitField(ACC_PUBLIC, "f", "I", null, null).visitEnd();
        if (record) w.visitRecordComponent("f", "I", null).visitEnd();
        for (String name : new String[] {"<init>", "m"}) {
            MethodVisitor m = w.visitMethod(ACC_PUBLIC, name, "()V", null, null);
            m.visitCode();
            m.visitMethodInsn(INVOKEVIRTUAL, "B", "m", "()V", false);
            m.visitInsn(IADD);
            m.visitInsn(RETURN);
            m.visitMaxs(2, 1);
            m.visitEnd();
        }
        w.visitEnd();
        return w.toByteArray();
    }
    static Object call(Class<?> c, String name) throws Throwable {
        Method m = Class.class.getDeclaredMethod(name);
        m.setAccessible(true);
        try {
            return m.invoke(c);
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw e.getCause();
        }
    }
    static void use(String what, boolean record, Use u) throws Exception {
        Class<?> c = new Loader().define(bad(record)); // a class of its own each time
        try {
            Object o = u.of(c);
            String s = o instanceof Object[] ? Arrays.toString((Object[]) o) : String.valueOf(o);
            System.out.println(what + ": " + s.replaceAll("@[0-9a-f]+", ""));
        } catch (Throwable t) {
            System.out.println(what + ": " + t.getClass().getName());
        }
    }
    public static void main(String[] a) throws Exception {
        use("forName", false, c -> Class.forName("B", false, c.getClassLoader()));
        for (String name : new String[] {"getConstantPool", "getRawAnnotations", "getRawTypeAnnotations", "getGenericSignature0", "getModifiers",
            "getSuperclass", "getInterfaces", "getEnclosingMethod0", "getSimpleBinaryName0", "getDeclaringClass0", "getDeclaredClasses0",
            "getNestHost", "isHidden", "isRecord0", "getRecordComponents0", "getPermittedSubclasses0", "getDeclaredFields",
            "getDeclaredMethods", "getDeclaredConstructors", "getAnnotations", "getAnnotatedSuperclass", "getProtectionDomain",
            "getSigners", "desiredAssertionStatus", "getGenericSuperclass", "getTypeParameters", "toGenericString", "getNestMembers",
            "getSimpleName", "getEnclosingClass", "isEnum", "getFields", "getMethods", "getConstructors"})
            use(name, false, c -> call(c, name));
        use("record: isRecord0", true, c -> call(c, "isRecord0"));
        use("record: getRecordComponents0", true, c -> ((Object[]) call(c, "getRecordComponents0")).length);
        use("record: isRecord", true, c -> c.isRecord());
        use("pool then link", false, c -> { call(c, "getConstantPool"); return c.getDeclaredConstructor().newInstance(); });
        use("pool entries", false, c -> {
            ConstantPool p = (ConstantPool) call(c, "getConstantPool");
            StringBuilder s = new StringBuilder();
            for (int i = 1; i < p.getSize(); i++)
                if (p.getTagAt(i) == ConstantPool.Tag.METHODREF) s.append(p.getMethodAt(i)).append(' ').append(p.getClassAt(p.getClassRefIndexAt(i)));
            return s;
        });
        use("accessor found before linking", false, c -> {
            Class<?> p = Class.forName("Unlinked$Point", false, Unlinked.class.getClassLoader());
            Method y = p.getRecordComponents()[1].getAccessor();
            return y.invoke(p.getDeclaredConstructors()[0].newInstance(3, 4));
        });
        use("isInstance", false, c -> c.isInstance(""));
        use("array", false, c -> java.lang.reflect.Array.newInstance(c, 1).getClass());
    }
}
