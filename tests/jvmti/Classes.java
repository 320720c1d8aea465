// SPDX-License-Identifier: Apache-2.0
import java.io.Serializable;
import java.util.*;
import java.util.function.*;

/** Shapes of classes, methods and fields for agent_classes. */
public class Classes {
    static native void dump(Class<?>[] handed);

    interface Plain { int one(); }
    interface Defaults<T> extends Plain { default T two(T t) { return t; } static void three() { } private void four() { } }
    @interface Note { int value() default 3; String[] names() default {}; }
    enum Kind { A { int f() { return 1; } }, B { int f() { return 2; } }; abstract int f(); }
    record Point<T extends Comparable<T>>(T x, int y) { Point { Objects.requireNonNull(x); } }
    sealed interface Sealed permits Left, Right { }
    static final class Left implements Sealed { }
    static non-sealed class Right implements Sealed { }
    static abstract class Base<K, V extends Number> implements Defaults<K>, Serializable {
        private static final long serialVersionUID = 42L;
        static final String CONSTANT = "c";
        protected transient volatile int changing;
        Map<K, List<? super V>> generic;
        @Deprecated public static synchronized void locked() { }
        protected strictfp double math(double a, long b, Object... rest) throws IllegalStateException { return a * b; }
        abstract V missing();
        native int inNative(long a);
        public int one() { return changing; }
    }
    private class Inner {
        int read() { return secret; }
        class Deeper { int read() { return secret + Inner.this.read(); } }
    }
    static class NeverLoaded { }
    static class LoadedOnly { int x; void m() { } }
    static class Broken { static { if (true) throw new IllegalStateException("broken"); } }
    protected static class Protected { }
    private static class Hidden { }
    public static class Exposed extends Base<String, Integer> {
        Integer missing() { return 7; }
    }

    private int secret = 5;
    int big(int n) {
        switch (n) {
        case 1: return 10;
        case 200: return 20;
        case 3000: return 30;
        default:
            long a = 1; double b = 2;
            for (int i = 0; i < n; i++) { String s = "x" + i; a += s.length(); b /= 3; }
            try { List<String> l = new ArrayList<>(); l.add("k"); return l.size(); }
            catch (RuntimeException e) { return (int) a; }
            finally { secret++; }
        }
    }

    public static void main(String[] args) throws Exception {
        Classes c = new Classes();
        c.big(4);
        c.new Inner().new Deeper().read();
        Kind.B.f();
        new Point<>("a", 1).hashCode();
        new Exposed().two("x");
        new Left(); new Right();
        Sealed[] sealed = {new Left()};
        Class<?> loaded = Class.forName("Classes$LoadedOnly", false, Classes.class.getClassLoader());
        try { new Broken(); } catch (Throwable t) { System.out.println(t); }
        Runnable r = new Runnable() { public void run() { class Local { int z = args.length; } new Local(); } };
        r.run();
        Function<Integer, Integer> f = x -> x + args.length;
        f.apply(1);
        new BitSet(3).set(1);
        System.out.println(Note.class + " " + Protected[].class);
        System.loadLibrary("agent_classes");
        dump(new Class<?>[] {int.class, void.class, boolean.class, double.class, int[].class, long[][].class, String[].class,
            Kind[].class, Hidden[][].class, Protected[].class, Exposed[].class, Hidden.class, Plain.class, Note.class, loaded, Broken.class});
    }
}
