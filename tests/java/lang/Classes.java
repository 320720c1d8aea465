// SPDX-License-Identifier: Apache-2.0
import java.util.*;
import java.util.function.*;

/** Inner, local, anonymous, nested classes; captured variables; construction order; private access in a nest. */
public class Classes {
    private int secret = 7;
    private static int counter;
    private static String note(String s) { System.out.println("  " + s); return s; }

    static class Base {
        String a = note("base field");
        { note("base block"); }
        Base() { note("base ctor"); hook(); }
        void hook() { note("base hook"); }
        static String who() { return "Base"; }
        String name = "base name";
        String get() { return name; }
    }

    static class Derived extends Base {
        String b = note("derived field");
        final String c = "constant";
        String name = "derived name";
        { note("derived block"); }
        Derived() { super(); note("derived ctor"); }
        Derived(int x) { this(); note("derived ctor int " + x); }
        @Override void hook() { note("derived hook b=" + b + " c=" + c); }
        static String who() { return "Derived"; }
        @Override String get() { return name + "/" + super.name + "/" + super.get() + "/" + ((Base) this).name; }
    }

    class Inner {
        private int own = secret * 2;
        class Deeper {
            int sum() { return own + secret + Classes.this.secret++; }
        }
    }

    interface Greeter { String greet(String n); default Greeter twice() { return n -> greet(greet(n)); } }

    abstract static class Shape {
        abstract double area();
        public String toString() { return getClass().getSimpleName() + String.format("[%.2f]", area()); }
    }

    static Shape square(double s) {
        class Square extends Shape {
            double area() { return s * s; }
        }
        return new Square();
    }

    static class Covariant { Number value() { return 1; } Object self() { return this; } }
    static class Covariant2 extends Covariant { @Override Integer value() { return 2; } @Override Covariant2 self() { return this; } }
    static class Gen<T extends Comparable<T>> { T max(List<? extends T> l) { T m = null; for (T t : l) if (m == null || t.compareTo(m) > 0) m = t; return m; } }
    static class IntGen extends Gen<Integer> { @Override Integer max(List<? extends Integer> l) { return super.max(l) + 1000; } }

    static String over(Object o) { return "Object"; }
    static String over(String o) { return "String"; }
    static String over(Integer o) { return "Integer"; }
    static String over(int o) { return "int"; }
    static String over(long o) { return "long"; }
    static String over(Object... o) { return "varargs " + o.length; }

    public static void main(String[] args) {
        new Derived(3);
        Base b = new Derived();
        System.out.println(b.get() + " " + b.name + " " + Base.who() + Derived.who());
        Classes c = new Classes();
        Inner in = c.new Inner();
        Inner.Deeper d = in.new Deeper();
        System.out.println(d.sum() + " " + d.sum() + " " + c.secret + " " + in.own);
        int captured = 5;
        String text = "cap";
        Greeter g = new Greeter() {
            int calls = captured;
            public String greet(String n) { counter++; return text + ++calls + "(" + n + ")"; }
        };
        System.out.println(g.twice().greet("x") + " " + counter + " " + g.getClass().getName() + " " + g.getClass().isAnonymousClass());
        Shape circle = new Shape() { double area() { return Math.PI; } };
        System.out.println(square(3) + " " + circle + " " + square(1).getClass().getName());
        Covariant cv = new Covariant2();
        System.out.println(cv.value() + " " + (cv.self() == cv) + " " + new IntGen().max(List.of(3, 9, 4)));
        Gen raw = new IntGen();
        try {
            raw.max(List.of("a"));
        } catch (ClassCastException e) {
            System.out.println("bridge cast: " + e.getMessage());
        }
        byte by = 1; char ch = 'c'; Object ob = "s";
        System.out.println(over(by) + over(ch) + over(1L) + over(ob) + over("s") + over((Integer) 1) + over(1, 2) + over() + over(1f));
        Supplier<Supplier<String>> nested = () -> () -> text + captured + c.secret;
        System.out.println(nested.get().get());
        Iterator<Integer> it = new Iterator<>() {
            int i;
            public boolean hasNext() { return i < 3; }
            public Integer next() { return i++; }
        };
        Iterable<Integer> able = () -> it;
        for (int x : able)
            System.out.print(x + " ");
        System.out.println(Classes.Inner.Deeper.class.getName() + " " + Map.Entry.class.getCanonicalName());
        new Object() { void hello() { System.out.println("method of an anonymous class"); } }.hello();
    }
}
