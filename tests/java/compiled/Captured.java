// SPDX-License-Identifier: Apache-2.0
// options: -Xmx32m
// modes: !gcstress !gcoften
import java.util.*;
import java.util.function.*;

/** What lambdas and records keep: known where they are made, read once elsewhere; functions of functions, as deep as they go. */
public class Captured {
    static <A, X, C> Function<A, C> compose(Function<A, X> f, Function<X, C> g) { return a -> g.apply(f.apply(a)); }

    static long nested(int n) {
        Function<Integer, Integer> inc = x -> x + 1, twice = x -> x * 2, square = x -> x * x % 10007;
        Function<Integer, Integer> h = compose(inc, compose(twice, compose(square, compose(inc, compose(twice, compose(square, inc))))));
        long s = 0;
        for (int i = 0; i < n; i++) s += h.apply(i & 1023);
        return s;
    }

    /** The same function in all levels, and itself in itself. */
    static int again(Function<Integer, Integer> f, int depth, int x) { return depth == 0 ? f.apply(x) : again(f, depth - 1, f.apply(x)); }
    static int deep(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s = s * 31 + again(x -> x + 1, 9, i);
        return s;
    }
    static int deeper(Supplier<Integer> s, int depth) { return depth == 0 ? s.get() : deeper(() -> s.get() + depth, depth - 1); }
    static int grows(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            int k = i;
            s = s * 31 + deeper(() -> k, 12);
        }
        return s;
    }

    static long chains(int n) {
        Function<Integer, Integer> f = x -> x + 3;
        Function<Integer, Integer> g = f.andThen(x -> x * 5).compose((Integer x) -> x - 1).andThen(x -> x % 1000).andThen(f);
        Predicate<Integer> p = x -> x % 3 == 0, q = p.negate().and(x -> x > 10).or(x -> x == 6);
        BinaryOperator<Integer> m = BinaryOperator.minBy(Comparator.<Integer>naturalOrder().reversed());
        long s = 0;
        for (int i = 0; i < n; i++) s += g.apply(i) + (q.test(i) ? 1 : 0) + m.apply(i, 500) + m.andThen(f).apply(i, 7);
        return s;
    }

    record Person(String name, int age, Long rank, double weight, boolean old) {
        Person {
            old = age > 40;
        }
    }
    record Pair<A, B>(A left, B right) {
        <C> Pair<A, C> with(C c) { return new Pair<>(left, c); }
    }
    static long records(int n) {
        long s = 0;
        for (int i = 0; i < n; i++) {
            Pair<Integer, Function<Integer, Integer>> p = new Pair<>(i, "").with(x -> x + 1);
            Person q = new Person("n" + (i & 3), i & 63, (long) i, i / 3.0, false);
            s += p.right().apply(p.left()) + q.age() + q.rank() + (long) q.weight() + (q.old() ? 7 : 0) + q.name().length();
            if (!p.equals(new Pair<>(i, p.right())) || q.equals(p)) s++;
        }
        return s;
    }

    static String sorted(int n) {
        List<Person> l = new ArrayList<>();
        Random r = new Random(5);
        for (int i = 0; i < n; i++) l.add(new Person("n" + r.nextInt(20), r.nextInt(30), (long) r.nextInt(10), r.nextInt(4), false));
        l.sort(Comparator.comparing(Person::age).thenComparing(Person::name, Comparator.reverseOrder()).thenComparing(Person::rank)
            .thenComparingDouble(Person::weight));
        int h = 0;
        for (Person p : l) h = h * 31 + p.hashCode();
        return h + " " + l.get(n / 2);
    }

    /** Nothing but a function has them: collections must find them there. */
    static Object garbage;
    static void litter() { for (int i = 0; i < 40; i++) garbage = new byte[5000]; }
    static long kept(int n) {
        long s = 0;
        for (int i = 0; i < n; i++) {
            int[] a = {i, i + 1};
            StringBuilder b = new StringBuilder().append(i);
            Supplier<Integer> one = () -> a[0] + a[1] + b.length(), two = () -> one.get() * 2;
            Pair<Supplier<Integer>, int[]> p = new Pair<>(two, new int[] {i});
            litter();
            s = s * 31 + two.get();
            litter();
            s += p.left().get() + p.right()[0];
        }
        return s;
    }

    /** Captured and stored to between its making and its use. */
    static final class Cell {
        int v;
        Cell next;
    }
    static int changed(int n) {
        int h = 0;
        Cell last = new Cell();
        for (int i = 0; i < n; i++) {
            Cell c = new Cell();
            c.next = last;
            IntSupplier s = () -> c.v + c.next.v;
            c.v = i;
            h = h * 31 + s.getAsInt();
            c.next.v += 3;
            h += s.getAsInt();
            last = c;
        }
        return h;
    }

    interface Shape {
        private int twice(int x) { return 2 * x + side(); }
        int side();
        default IntUnaryOperator scale() { return x -> twice(x) + this.side(); }
        default int area() { return twice(side()); }
    }
    record Square(int side) implements Shape { }
    static final class Dot implements Shape {
        public int side() { return 0; }
        @Override public int area() { return -1; }
    }
    static int shapes(int n) {
        Shape[] all = {new Square(3), new Dot(), new Square(5), () -> 9};
        int h = 0;
        for (int i = 0; i < n; i++) h = h * 31 + all[i & 3].scale().applyAsInt(i) + all[i % 3].area();
        return h;
    }

    /** Kinds of captured things. */
    static String kinds(int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            boolean z = (i & 1) != 0;
            byte b = (byte) i;
            short s = (short) (i * 77);
            char c = (char) (i * 1001);
            float f = i / 3f;
            double d = i / 7.0;
            long j = (long) i << 33;
            Supplier<String> text = () -> z + " " + b + " " + s + " " + (int) c + " " + f + " " + d + " " + j;
            LongSupplier sum = () -> (z ? 1 : 0) + b + s + c + (long) f + (long) d + j;
            h = h * 31 + sum.getAsLong();
            if (i % 5000 == 4999) h = h * 31 + text.get().hashCode();
        }
        return "" + h;
    }

    static Optional<Integer> find(int i) { return (i & 7) == 0 ? Optional.empty() : (i & 7) == 1 ? Optional.ofNullable(null) : Optional.of(i); }

    /** Objects that meet, and what is in them. */
    static int optionals(int n) {
        int h = 0;
        Optional<Integer> last = Optional.of(5);
        Pair<Integer, String> p = new Pair<>(1, "a");
        for (int i = 0; i < n; i++) {
            int k = i;
            h = h * 31 + find(i).map(x -> x * 3).filter(x -> (x & 1) == 0).map(x -> x + 7).orElse(-1);
            h = h * 31 + find(i).flatMap(x -> find(x + 1)).or(() -> Optional.of(k)).map(x -> x * 2).orElseGet(() -> 5);
            h += last.isPresent() ? last.get() : 77;
            if (i % 3 == 0) last = find(i + 1);
            Pair<Integer, String> q = (i & 1) == 0 ? new Pair<>(i, "b") : (i & 2) == 0 ? p : new Pair<>(i * 2, "c");
            h = h * 31 + q.left() + q.right().length() + (q == p ? 3 : 0);
            if (i % 5 == 0) p = q;
            OptionalInt o = (i & 1) == 0 ? OptionalInt.empty() : OptionalInt.of(i);
            h += o.orElse(3) + (o.isPresent() ? 1 : 0);
        }
        return h;
    }

    /** Fields of what was just made: stored to on one way, by a call, by another name, in a loop. */
    static Cell shown;
    static void poke() { shown.v += 100; }
    static Cell same(Cell c) { return c; }
    static int fields(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Cell c = new Cell(), d = new Cell();
            h += c.v;
            if ((i & 1) == 0) c.v = 7;
            h = h * 31 + c.v;
            d.v = 9;
            if (c.next == null) c.next = (i & 2) == 0 ? d : c;
            c.next.v += 2;
            h = h * 31 + c.v + d.v;
            shown = d;
            poke();
            h = h * 31 + d.v;
            for (int k = 0; k < 3; k++) {
                h = h * 31 + d.v;
                same(d).v += k;
            }
            Cell e = (i & 3) == 0 ? c : d;
            e.v = 1;
            h = h * 31 + c.v + d.v;
        }
        return h;
    }

    static class Lazy<T> {
        Supplier<T> s;
        T v;
        boolean done;
        Lazy(Supplier<T> s) { this.s = s; }
        T get() {
            if (!done) {
                v = s.get();
                done = true;
            }
            return v;
        }
        <R> Lazy<R> map(Function<T, R> f) { return new Lazy<>(() -> f.apply(get())); }
    }
    static int lazy(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            int k = i;
            Lazy<Integer> a = new Lazy<>(() -> k + 1), b = a.map(x -> x * 2).map(x -> x - 1).map(x -> x ^ 3);
            if ((i & 3) == 0) h += a.get();
            h = h * 31 + b.get() + b.get() + a.get();
        }
        return h;
    }

    public static void main(String[] args) {
        for (int r = 0; r < 4; r++) {
            System.out.println(nested(20000) + " " + deep(10000) + " " + grows(5000) + " " + chains(20000));
            System.out.println(records(8000) + " " + changed(20000) + " " + shapes(20000) + " " + kinds(20000));
            System.out.println(optionals(20000) + " " + fields(20000) + " " + lazy(20000));
            System.out.println(sorted(500) + " " + kept(60));
        }
    }
}
