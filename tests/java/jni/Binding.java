// SPDX-License-Identifier: Apache-2.0
// modes: !checkjni
import java.io.InputStream;

/** Which C function a native method gets: registered for a class that inherits it, or found by a name with letters of all kinds; what is asked for in vain. */
public class Binding {
    static native void inherit(Class<?> derived);
    static native void unregister(Class<?> c);
    static native void unknown(Class<?> field, Class<?> shared, Class<?> method);
    static native void define(ClassLoader loader, byte[] bytes);

    static class Base {
        native int inherited();
        static native int shared();
        private native int hidden();
        native int own();
        int callHidden() { return hidden(); }
    }
    static class Derived extends Base {
        native int own();
        int plain() { return 1; }
    }
    static class Field1 { static { System.out.println("initialiser of Field1"); } int f; }
    static class Shared { static { System.out.println("initialiser of Shared"); } static int f; }
    static class Method1 { static { System.out.println("initialiser of Method1"); } void f() {} }
    static abstract class Abstract {}

    static class $Names_1 {
        static native int a_b$c(int[] a, String[][] s, $Names_1 n);
        static native int \u00e9\ud835\udc00x();
        static native int f(int a);
        static native int f(long a);
        static native int f_1(int a);
        static native int _0abc();
        static native int x_2y();
        static native int $0();
        static native int over();
        static native int over(int a);
        static native int only(double[][] a);
        static native int only(float[][] a);
    }

    interface Call { Object run(); }
    static void show(String what, Call c) {
        try {
            System.out.println(what + ": " + c.run());
        } catch (UnsatisfiedLinkError e) {
            System.out.println(what + ": " + e);
        }
    }

    static void calls() {
        Base base = new Base();
        Derived derived = new Derived();
        show("inherited", () -> base.inherited() + derived.inherited());
        show("shared", () -> Base.shared());
        show("hidden", () -> derived.callHidden());
        show("own of the base", () -> base.own());
        show("own", () -> derived.own());
    }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("Binding");
        calls();
        inherit(Derived.class);
        calls();
        unregister(Derived.class);
        calls();
        unregister(Base.class);
        calls();
        unknown(Field1.class, Shared.class, Method1.class);
        try (InputStream in = Binding.class.getResourceAsStream("Binding$Abstract.class")) {
            define(new ClassLoader() {}, in.readAllBytes());
        }
        show("names", () -> $Names_1.a_b$c(null, null, null) + " " + $Names_1.\u00e9\ud835\udc00x() + " " + $Names_1.f(1) + " " + $Names_1.f(1L) + " " + $Names_1.f_1(1));
        show("names", () -> $Names_1._0abc() + " " + $Names_1.x_2y() + " " + $Names_1.$0() + " " + $Names_1.over() + " " + $Names_1.over(1));
        show("only", () -> $Names_1.only(new double[0][]));
        show("only", () -> $Names_1.only(new float[0][]));
    }
}
