// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// stderr: any
import java.lang.invoke.*;
import java.util.function.Supplier;
import jdk.internal.org.objectweb.asm.*;

/**
 * JVMS 5.4.3: a reference has one outcome.  Every kind of constant is resolved by one thread while another resolves it too, and
 * comes to the other result; and once more after a failure, when it could succeed.
 *
 * Not compared, because the reference differs from itself: method types and dynamic constants whose two attempts end differently
 * (its loser throws its own error although a result stands, and a result overrides the error that was thrown first): here
 * is shown only that there is one outcome from then on; and the cause of a call site's failure when it is thrown again.
 */
public class Outcomes implements Opcodes {
    static final String[] KINDS = {"class", "cast", "method type", "method handle", "field", "method", "dynamic", "call site"};

    /** What the n-th attempt to load X, or to run the bootstrap method, does. */
    static Supplier<Throwable>[] attempts; // null or a supplier of null: succeeds
    static int attempt;
    static void next() throws Throwable {
        int n;
        synchronized (Outcomes.class) { n = attempt++; }
        Throwable t = n < attempts.length ? attempts[n].get() : null;
        if (t != null) throw t;
    }

    static class Loader extends ClassLoader {
        static { registerAsParallelCapable(); }
        Loader() { super(Outcomes.class.getClassLoader()); }
        Class<?> define(byte[] b) { return defineClass(null, b, 0, b.length); }
        @Override protected Class<?> loadClass(String n, boolean link) throws ClassNotFoundException {
            if (!n.equals("X")) return super.loadClass(n, link);
            try {
                next();
            } catch (RuntimeException | Error | ClassNotFoundException e) {
                throw e;
            } catch (Throwable e) {
                throw new ClassNotFoundException(n, e);
            }
            synchronized (this) {
                Class<?> c = findLoadedClass(n);
                return c != null ? c : define(x());
            }
        }
    }
    static byte[] x() {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        w.visit(V11, ACC_PUBLIC, "X", null, "java/lang/Object", null);
        w.visitField(ACC_PUBLIC | ACC_STATIC | ACC_FINAL, "f", "I", null, 7).visitEnd();
        MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "m", "()I", null, null);
        m.visitCode();
        m.visitIntInsn(BIPUSH, 8);
        m.visitInsn(IRETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();
        return w.toByteArray();
    }
    public static Object constant(MethodHandles.Lookup l, String name, Class<?> type) throws Throwable {
        next();
        return "constant";
    }
    public static CallSite site(MethodHandles.Lookup l, String name, MethodType type) throws Throwable {
        next();
        return new ConstantCallSite(MethodHandles.constant(Object.class, "linked"));
    }
    static byte[] user(String kind) {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        w.visit(V11, ACC_PUBLIC, "U", null, "java/lang/Object", new String[] {"java/util/function/Supplier"});
        MethodVisitor i = w.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        i.visitCode();
        i.visitVarInsn(ALOAD, 0);
        i.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        i.visitInsn(RETURN);
        i.visitMaxs(0, 0);
        i.visitEnd();
        MethodVisitor m = w.visitMethod(ACC_PUBLIC, "get", "()Ljava/lang/Object;", null, null);
        m.visitCode();
        switch (kind) {
        case "class": m.visitLdcInsn(Type.getObjectType("X")); break;
        case "cast": m.visitVarInsn(ALOAD, 0); m.visitTypeInsn(INSTANCEOF, "X"); box(m); break;
        case "method type": m.visitLdcInsn(Type.getMethodType("(LX;)V")); break;
        case "method handle": m.visitLdcInsn(new Handle(H_INVOKESTATIC, "X", "m", "()I", false)); break;
        case "field": m.visitFieldInsn(GETSTATIC, "X", "f", "I"); box(m); break;
        case "method": m.visitMethodInsn(INVOKESTATIC, "X", "m", "()I", false); box(m); break;
        case "dynamic":
            m.visitLdcInsn(new ConstantDynamic("c", "Ljava/lang/Object;", new Handle(H_INVOKESTATIC, "Outcomes", "constant",
                "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;", false)));
            break;
        default:
            m.visitInvokeDynamicInsn("c", "()Ljava/lang/Object;", new Handle(H_INVOKESTATIC, "Outcomes", "site",
                "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;", false));
        }
        m.visitInsn(ARETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();
        return w.toByteArray();
    }
    static void box(MethodVisitor m) {
        m.visitMethodInsn(INVOKESTATIC, "java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;", false);
    }

    static Supplier<?> user;
    static boolean callSite, quiet;
    static String result() {
        try {
            Object o = user.get();
            return o instanceof MethodHandle ? "handle " + ((MethodHandle) o).type() : String.valueOf(o);
        } catch (Throwable t) {
            StringBuilder s = new StringBuilder().append(t);
            if (!callSite && t.getCause() != null) s.append(" <- ").append(t.getCause());
            return s.toString();
        }
    }
    static Supplier<Throwable> meanwhile(Supplier<Throwable> then) {
        return () -> {
            String[] r = new String[1];
            Thread t = new Thread(() -> r[0] = result());
            t.start();
            try { t.join(); } catch (InterruptedException e) { }
            if (!quiet) System.out.println("    meanwhile: " + r[0]);
            return then.get();
        };
    }
    @SafeVarargs static void run(String what, Supplier<Throwable>... list) throws Exception {
        System.out.println(what);
        for (String kind : KINDS) {
            System.out.println("  " + kind);
            attempts = list;
            attempt = 0;
            callSite = kind.equals("call site");
            quiet = what.endsWith("while another succeeds") && !what.startsWith("runs") || what.endsWith("while another fails") && what.startsWith("succeeds");
            quiet &= kind.equals("method type") || kind.equals("dynamic");
            user = (Supplier<?>) new Loader().define(user(kind)).getDeclaredConstructor().newInstance();
            String[] r = {result(), result(), result()};
            if (quiet) System.out.println("    one outcome from then on: " + r[1].equals(r[2]));
            for (int i = 0; !quiet && i < 3; i++) System.out.println("    " + (i + 1) + ": " + r[i]);
            System.out.println("    attempts: " + attempt);
        }
    }
    public static void main(String[] a) throws Exception {
        Supplier<Throwable> ok = () -> null, missing = () -> new ClassNotFoundException("gone"), missing2 = () -> new ClassNotFoundException("gone too"),
            link = () -> new IncompatibleClassChangeError("link"), odd = () -> new IllegalStateException("odd"),
            full = () -> new OutOfMemoryError("full");
        run("fails, then would succeed", missing, ok);
        run("fails to link, then would succeed", link, ok);
        run("another exception", odd, ok);
        run("another error", full, ok);
        run("fails while another succeeds", meanwhile(missing), ok);
        run("fails to link while another succeeds", meanwhile(link), ok);
        run("succeeds while another fails", meanwhile(ok), missing);
        run("fails while another fails", meanwhile(missing), link);
        run("both fail alike", meanwhile(missing), missing2);
        run("runs out of memory while another succeeds", meanwhile(full), ok);
    }
}
