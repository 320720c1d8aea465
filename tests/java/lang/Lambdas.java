// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.util.*;
import java.util.function.*;

/** Lambdas and method references of every kind: capture shapes, boxing adaptation, constructors, varargs, super, serializable. */
public class Lambdas {
    interface Tri<A, B, C, R> { R apply(A a, B b, C c); }
    interface Prims { double go(byte b, char c, short s, int i, long l, float f, double d, boolean z); }
    interface Thrower<E extends Exception> { void run() throws E; }
    interface SerFn extends Function<String, Integer>, Serializable {}
    interface Vararg { String join(String... s); }
    interface WithDefault { int x(int i); default WithDefault then(WithDefault o) { return i -> o.x(x(i)); } }

    final String name;
    Lambdas(String n) { name = n; }
    Lambdas() { this("none"); }
    Lambdas(int n, long m) { this(n + ":" + m); }
    String me(String s) { return name + s; }
    static int twice(int x) { return 2 * x; }
    static String cat(Object... o) { return Arrays.toString(o); }
    private String priv() { return "private " + name; }

    static class Sub extends Lambdas {
        Sub() { super("sub"); }
        @Override String me(String s) { return "overridden"; }
        Function<String, String> sup() { return super::me; }
        Function<String, String> ths() { return this::me; }
    }

    static <T, R> R call(Function<T, R> f, T t) { return f.apply(t); }
    static int depth(IntUnaryOperator f, int n) { return n == 0 ? f.applyAsInt(1) : depth(x -> f.applyAsInt(x) + n, n - 1); }

    public static void main(String[] args) throws Exception {
        int i = 3; long l = 4; double d = 2.5; String s = "cap"; float f = 1.5f; byte b = 1; char c = 'q'; short sh = 9; boolean z = true; int[] arr = {1};
        Supplier<String> many = () -> s + i + l + d + f + b + c + sh + z + arr[0]++;
        System.out.println(many.get() + " " + many.get());
        Prims p = (b1, c1, s1, i1, l1, f1, d1, z1) -> b1 + c1 + s1 + i1 + l1 + f1 + d1 + (z1 ? 1 : 0);
        System.out.println(p.go((byte) 1, 'a', (short) 2, 3, 4, 5f, 6.5, true));
        Function<Integer, Integer> boxed = Lambdas::twice;
        IntFunction<Object> mixed = Lambdas::twice;
        ToLongFunction<Integer> widen = Lambdas::twice;
        System.out.println(boxed.apply(4) + " " + mixed.apply(5) + " " + widen.applyAsLong(6) + " " + boxed.andThen(x -> x + 1).compose((String x) -> x.length()).apply("four"));
        Supplier<Lambdas> ctor = Lambdas::new;
        Function<String, Lambdas> ctor1 = Lambdas::new;
        BiFunction<Integer, Integer, Lambdas> ctor2 = Lambdas::new;
        IntFunction<int[][]> actor = int[][]::new;
        System.out.println(ctor.get().name + ctor1.apply("one").name + ctor2.apply(1, 2).name + actor.apply(3).length);
        BiFunction<Lambdas, String, String> unbound = Lambdas::me;
        Function<String, String> bound = new Lambdas("bound")::me;
        Function<Lambdas, String> pr = Lambdas::priv;
        System.out.println(unbound.apply(new Lambdas("un"), "!") + bound.apply("?") + pr.apply(new Lambdas("x")) + new Sub().sup().apply("^") + new Sub().ths().apply("^"));
        Tri<Integer, String, Double, String> va = Lambdas::cat;
        Vararg vj = x -> String.join("-", x);
        System.out.println(va.apply(1, "2", 3.0) + vj.join("a", "b", "c"));
        Thrower<IOException> t = () -> { throw new IOException("checked"); };
        try { t.run(); } catch (IOException e) { System.out.println(e.getMessage()); }
        try {
            Lambdas nul = null;
            Function<String, String> bad = nul::me;
        } catch (NullPointerException e) {
            System.out.println("bound null");
        }
        WithDefault w = x -> x + 1;
        System.out.println(w.then(x -> x * 10).then(Math::abs).x(-5));
        System.out.println(depth(x -> x, 50));
        SerFn sf = x -> x.length() + i;
        ByteArrayOutputStream bo = new ByteArrayOutputStream();
        try (ObjectOutputStream o = new ObjectOutputStream(bo)) { o.writeObject(sf); }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bo.toByteArray()))) {
            System.out.println("deserialized " + ((SerFn) in.readObject()).apply("hello"));
        }
        Runnable r1 = (Runnable & Serializable) () -> System.out.println("intersection");
        r1.run();
        System.out.println((r1 instanceof Serializable) + " " + r1.getClass().isHidden() + " " + r1.getClass().isSynthetic() + " " + r1.getClass().getSimpleName().startsWith("Lambdas$$Lambda"));
        Supplier<Runnable> nonCap = () -> () -> {};
        System.out.println(nonCap.get() == nonCap.get());
        BinaryOperator<UnaryOperator<Integer>> comp = (x, y) -> v -> y.apply(x.apply(v));
        System.out.println(comp.apply(x -> x + 1, x -> x * x).apply(4));
        Callable3<String> rec = new Callable3<>();
        rec.f = n -> n <= 1 ? "1" : n + "*" + rec.f.apply(n - 1);
        System.out.println(rec.f.apply(6) + call(x -> "<" + x + ">", 5) + Optional.of("o").map(String::toUpperCase).orElseGet(String::new));
    }

    static class Callable3<T> { IntFunction<T> f; }
}
