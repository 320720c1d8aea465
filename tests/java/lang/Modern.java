// SPDX-License-Identifier: Apache-2.0
import java.util.*;
import java.util.stream.*;

/** Records, sealed types, pattern matching, text blocks, var, enhanced instanceof: Java 9 to 17. */
public class Modern {
    sealed interface Expr permits Num, Add, Mul, Neg {}
    record Num(double v) implements Expr {}
    record Add(Expr l, Expr r) implements Expr {}
    record Mul(Expr l, Expr r) implements Expr {}
    static final class Neg implements Expr { final Expr e; Neg(Expr e) { this.e = e; } }

    static double eval(Expr e) {
        if (e instanceof Num n) return n.v();
        if (e instanceof Add a) return eval(a.l) + eval(a.r);
        if (e instanceof Mul m) return eval(m.l()) * eval(m.r());
        return -eval(((Neg) e).e);
    }

    record Range(int lo, int hi) implements Comparable<Range> {
        static int made;
        Range {
            if (lo > hi)
                throw new IllegalArgumentException(lo + ">" + hi);
            made++;
        }
        Range(int n) { this(0, n); }
        int length() { return hi - lo; }
        public int compareTo(Range o) { return Integer.compare(length(), o.length()); }
        static Range of(String s) { var p = s.split("-"); return new Range(Integer.parseInt(p[0]), Integer.parseInt(p[1])); }
    }

    record Generic<T, U extends List<T>>(T t, U u, int... rest) {}
    record All(boolean z, byte b, char c, short s, int i, long l, float f, double d, String str, int[] arr) {}
    record Empty() {}
    enum Planet {
        EARTH(5.97e24, 6.37e6), MARS(6.42e23, 3.39e6);
        final double mass, radius;
        Planet(double m, double r) { mass = m; radius = r; }
        double gravity() { return 6.67e-11 * mass / (radius * radius); }
    }

    static String describe(Object o) {
        return o instanceof Integer i && i > 10 ? "big " + i
            : o instanceof String s && !s.isEmpty() ? "text " + s.length()
            : !(o instanceof Range r) ? "other" : "range " + r.length();
    }

    public static void main(String[] args) {
        System.out.println(eval(new Add(new Num(2), new Mul(new Num(3), new Neg(new Num(4))))));
        var r = new Range(3, 9);
        System.out.println(r + " " + r.equals(Range.of("3-9")) + " " + r.hashCode() + " " + r.lo() + " " + new Range(4).compareTo(r) + " " + Range.made);
        try {
            new Range(5, 1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        var g = new Generic<>("t", List.of("u"), 1, 2);
        System.out.println(g.t() + g.u() + g.rest().length + new Empty() + new Empty().equals(new Empty()) + new Empty().hashCode());
        var all = new All(true, (byte) -1, 'c', (short) 300, 1 << 30, 1L << 50, 1.5f, Double.NaN, null, null);
        System.out.println(all + " " + all.hashCode() + " " + all.equals(new All(true, (byte) -1, 'c', (short) 300, 1 << 30, 1L << 50, 1.5f, Double.NaN, null, null)));
        System.out.println(Arrays.stream(All.class.getRecordComponents()).map(c -> c.getType().getSimpleName() + " " + c.getName()).collect(Collectors.joining(", ")));
        System.out.println(Expr.class.isSealed() + " " + Arrays.stream(Expr.class.getPermittedSubclasses()).map(Class::getSimpleName).collect(Collectors.toList()) + Num.class.isRecord());
        System.out.println(describe(42) + "," + describe(3) + "," + describe("hello") + "," + describe("") + "," + describe(r) + "," + describe(null));
        String block = """
            {
              "name": "graft",\tx
              "joined \
            line": "q\"""q"
            }   \s
            """;
        System.out.print(block);
        System.out.println(block.length() + " " + block.lines().count() + " " + "  a\n b".stripIndent() + " " + "x\\ty".translateEscapes() + " " + "%d-%s".formatted(1, "z"));
        for (var p : Planet.values())
            System.out.printf("%s %.2f %s%n", p, p.gravity(), p.getClass().isEnum());
        var map = new TreeMap<String, List<? extends Number>>();
        map.put("a", List.of(1, 2.5));
        for (var e : map.entrySet())
            for (var n : e.getValue())
                System.out.print(e.getKey() + n.intValue() + " ");
        record Local(String k, long n) {}
        System.out.println(Stream.of("x", "y", "x").collect(Collectors.groupingBy(s -> s, TreeMap::new, Collectors.counting()))
            .entrySet().stream().map(e -> new Local(e.getKey(), e.getValue())).toList());
    }
}
