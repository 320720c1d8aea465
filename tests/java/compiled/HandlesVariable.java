// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2
/*
 * Method handles and VarHandles that compiled code does not know: from arrays, parameters and fields, of all kinds, null ones, null receivers,
 * wrong types, abstract methods. Caller-sensitive methods through small bodies; modifiers of all sorts of classes, asked again and again.
 */
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.invoke.WrongMethodTypeException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

public class HandlesVariable {
    static final MethodHandles.Lookup L = MethodHandles.lookup();
    interface Named { String name(int i); default String twice(int i) { return name(i) + name(i); } }
    static class A implements Named {
        int n = 3;
        public String name(int i) { return "A" + i; }
        String own(int i) { return "own" + (n + i); }
        String superName(int i) { return "s" + i; }
    }
    static class B extends A {
        public String name(int i) { return "B" + i; }
        String superName(int i) { return "no"; }
        static MethodHandle special() throws ReflectiveOperationException {
            return MethodHandles.lookup().findSpecial(A.class, "superName", MethodType.methodType(String.class, int.class), B.class);
        }
    }
    static final class C extends A {
        public String name(int i) { if (i == 13) throw new IllegalArgumentException("13"); return "C" + i; }
    }
    static abstract class Half implements Named { }
    static String plain(A a, int i) { return a + "" + i; }
    static String fixed(A a, int i) { return (a == null ? "null" : a.name(0)) + i; }
    static long sum(long a, double b, int c) { return a + (long) b + c; }

    static String call(MethodHandle h, A a, int i) {
        try {
            return (String) h.invokeExact(a, i);
        } catch (NullPointerException e) {
            return "NPE";
        } catch (WrongMethodTypeException e) {
            return e.getMessage();
        } catch (Throwable e) {
            return e.toString();
        }
    }
    static String loosely(MethodHandle h, Object a, Integer i) {
        try {
            return "" + h.invoke(a, i);
        } catch (NullPointerException e) {
            return "NPE";
        } catch (Throwable e) {
            return e.toString();
        }
    }
    static long wide(MethodHandle h, int i) throws Throwable { return (long) h.invokeExact((long) i, i * 2.5, i); }

    static void handles() throws Throwable {
        MethodType t = MethodType.methodType(String.class, int.class), u = MethodType.methodType(String.class, A.class, int.class);
        MethodHandle[] hs = {
            L.findVirtual(A.class, "name", t), L.findVirtual(A.class, "own", t), L.findStatic(HandlesVariable.class, "fixed", u),
            L.findVirtual(Named.class, "name", t).asType(u), L.findVirtual(Named.class, "twice", t).asType(u), L.findVirtual(B.class, "name", t),
            B.special(), MethodHandles.dropArguments(L.bind(new C(), "name", t), 0, A.class),
            MethodHandles.filterReturnValue(L.findVirtual(A.class, "name", t), L.findVirtual(String.class, "trim", MethodType.methodType(String.class))), null
        };
        A[] as = {new A(), new B(), new C(), null};
        for (int round = 0; round < 60; round++)
            for (int h = 0; h < hs.length; h++) {
                StringBuilder b = new StringBuilder();
                for (A a : as) b.append(call(hs[h], a, round == 50 ? 13 : round)).append(' ').append(loosely(hs[h], a, h)).append("; ");
                if (round % 25 == 0) System.out.println(h + " " + b);
            }
        MethodHandle[] sums = {L.findStatic(HandlesVariable.class, "sum", MethodType.methodType(long.class, long.class, double.class, int.class)), null};
        sums[1] = MethodHandles.permuteArguments(sums[0], sums[0].type(), 0, 1, 2);
        long s = 0;
        for (int i = 0; i < 100; i++) s += wide(sums[i & 1], i);
        System.out.println(s);
    }

    int x;
    volatile long y;
    static Object z;
    static String access(VarHandle v, HandlesVariable o, int i) {
        try {
            v.setVolatile(o, i);
            boolean c = v.compareAndSet(o, i, i + 1);
            return "" + (int) v.getAcquire(o) + c + (int) v.getAndAdd(o, 5) + (int) v.get(o);
        } catch (RuntimeException e) {
            return e.getClass().getName();
        }
    }
    static void vars() throws Exception {
        VarHandle[] vs = {L.findVarHandle(HandlesVariable.class, "x", int.class), L.findVarHandle(HandlesVariable.class, "y", long.class),
            L.findStaticVarHandle(HandlesVariable.class, "z", Object.class), MethodHandles.arrayElementVarHandle(int[].class), null};
        HandlesVariable o = new HandlesVariable();
        for (int i = 0; i < 60; i++)
            for (int k = 0; k < vs.length; k++) {
                String s = access(vs[k], i % 7 == 3 ? null : o, i);
                if (i % 20 == 3) System.out.println(k + " " + s + " " + o.x + " " + o.y);
            }
    }

    /* --- who asks --- */
    static class Caller {
        static Class<?> looks() { return MethodHandles.lookup().lookupClass(); }
        static Class<?> deeper() { return looks(); }
        static Object open(Method m, Object o) throws Exception { return m.invoke(o); }
        static int read(Field f, Object o) throws Exception { return f.getInt(o); }
    }
    private int secret() { return 42; }
    private int hidden = 7;
    static class Stranger { private int mine() { return 1; } }
    static void callers() throws Throwable {
        Class<?> a = null, b = null;
        Method m = HandlesVariable.class.getDeclaredMethod("secret"), look = MethodHandles.class.getMethod("lookup"), copy = Integer.class.getDeclaredMethod("stringSize", int.class);
        Field f = HandlesVariable.class.getDeclaredField("hidden");
        HandlesVariable o = new HandlesVariable();
        MethodHandle h = L.unreflect(look);
        int r = 0;
        for (int i = 0; i < 60; i++) {
            a = Caller.looks();
            b = Caller.deeper();
            r += (Integer) Caller.open(m, o) + Caller.read(f, o);
        }
        System.out.println(a + " " + b + " " + r + " " + ((MethodHandles.Lookup) look.invoke(null)).lookupClass() + " " + ((MethodHandles.Lookup) h.invokeExact()).lookupClass().getName().split("/")[0]);
        for (int i = 0; i < 20; i++) {
            try {
                copy.invoke(null, 5);
                System.out.println("open");
            } catch (IllegalAccessException e) {
                if (i == 19) System.out.println(e.getMessage());
            }
        }
    }

    private static class Nested { }
    protected interface Inner { enum E { X, Y { } } @interface Note { } }
    static int ask(Class<?> c) { return c.getModifiers(); }
    static void modifiers() throws Exception {
        class Local { }
        Runnable r = () -> { };
        Object anonymous = new Object() { };
        List<Class<?>> all = new ArrayList<>(List.of(int.class, void.class, int[].class, Nested.class, Nested[][].class, Inner.class, Inner.E.class, Inner.Note.class,
            Inner.E.Y.getClass(), Local.class, anonymous.getClass(), Thread.State.class, Half.class, String.class, Object[].class, HandlesVariable.class, java.util.Map.Entry.class, Stranger[].class));
        for (int i = 0; i < 40; i++)
            for (Class<?> c : all) {
                int m = ask(c);
                if (i == 0 || i == 39) System.out.println(c.getName() + " " + m + " " + Modifier.toString(m));
            }
        System.out.println(Modifier.toString(ask(r.getClass()) & ~Modifier.FINAL));
        try {
            ask(null);
        } catch (NullPointerException e) {
            System.out.println("NPE");
        }
    }

    public static void main(String[] args) throws Throwable {
        handles();
        vars();
        callers();
        modifiers();
    }
}
