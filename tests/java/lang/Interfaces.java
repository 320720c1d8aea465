// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** Default, static and private interface methods; diamonds; most specific default; class wins; super calls. */
public class Interfaces {
    interface A { default String hi() { return "A"; } static String st() { return "A.st"; } }
    interface B extends A { default String hi() { return "B" + A.super.hi() + priv(); } private String priv() { return "p" + sp(); } private static String sp() { return "s"; } }
    interface C extends A {}
    interface D extends A { default String hi() { return "D"; } }
    static class BC implements B, C {}
    static class CB implements C, B {}
    static class BD implements B, D { public String hi() { return B.super.hi() + "+" + D.super.hi(); } }
    static class Base { public String hi() { return "class"; } }
    static class Wins extends Base implements B {}
    interface Re extends B { String hi(); }
    static abstract class Abs implements Re {}
    static class Conc extends Abs { public String hi() { return "conc"; } }
    interface Tr { int T = init("Tr"); default void x() {} }
    interface NoDef { int T = init("NoDef"); void y(); }
    static class Impl implements Tr, NoDef { static { System.out.println("Impl init"); } public void y() {} }
    static int init(String s) { System.out.println("init " + s); return s.length(); }

    interface Stack2<T> extends Iterable<T> {
        Deque<T> d();
        default Stack2<T> push(T t) { d().push(t); return this; }
        default T pop() { return d().pop(); }
        default Iterator<T> iterator() { return d().iterator(); }
        static <T> Stack2<T> make() { Deque<T> q = new ArrayDeque<>(); return () -> q; }
    }

    // Many implementors of many interfaces through one call site: megamorphic interface calls.
    interface Op { int op(int x); }
    static class O1 implements Comparable<O1>, Op, Runnable { public int op(int x) { return x + 1; } public int compareTo(O1 o) { return 0; } public void run() {} }
    static class O2 implements Runnable, Op { public int op(int x) { return x * 2; } public void run() {} }
    static class O3 extends O1 { public int op(int x) { return x - 3; } }
    static class O4 extends O2 implements Cloneable {}
    enum E implements Op { P { public int op(int x) { return x ^ 1; } }, Q { public int op(int x) { return x | 8; } } }

    static int run(Op[] ops, int n) {
        int v = 1;
        for (int i = 0; i < n; i++)
            v = ops[i % ops.length].op(v) & 0xffff;
        return v;
    }

    public static void main(String[] args) {
        System.out.println(new BC().hi() + " " + new CB().hi() + " " + new BD().hi() + " " + new Wins().hi() + " " + new Conc().hi() + " " + A.st());
        System.out.println(((A) new Wins()).hi() + ((B) new BC()).hi() + ((C) new BC()).hi());
        new Impl();
        System.out.println("after Impl");
        System.out.println(NoDef.T);
        Stack2<String> s = Stack2.make();
        s.push("x").push("y").push("z");
        System.out.print(s.pop());
        for (String t : s)
            System.out.print(t);
        System.out.println();
        Op[] ops = {new O1(), new O2(), new O3(), new O4(), E.P, E.Q, x -> x * 7, new Op() { public int op(int x) { return ~x; } }};
        System.out.println(run(ops, 100000) + " " + E.P.getClass() + " " + E.P.getDeclaringClass());
        Comparator<String> c = Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder());
        List<String> l = new ArrayList<>(List.of("bb", "a", "ccc", "aa", "c"));
        l.sort(c.reversed());
        System.out.println(l);
        Object o = new BC();
        System.out.println((o instanceof A) + " " + (o instanceof D) + " " + (o instanceof Cloneable));
        try {
            D d = (D) o;
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }
}
