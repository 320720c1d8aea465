// SPDX-License-Identifier: Apache-2.0
// options: -Xmx256m
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

/** Code that is made while some ways of it never ran: later they do, each its own; pipelines of streams that share the library's loops but have other
 * functions every time; receivers that only some turns of a loop ask. */
public class LaterWays {
    static int n;

    static String ofFloat(Object o) { return "float " + Float.floatToIntBits((Float) o); }
    static String ofDouble(Object o) { return "double " + Double.doubleToLongBits((Double) o); }
    static String ofBoolean(Object o) { return "boolean " + ((Boolean) o ? 1 : 0); }
    static String ofChar(Object o) { return "char " + (int) (Character) o; }
    static String ofLong(Object o) { return "long " + (Long) o; }
    static String ofOther(Object o) { return "other " + o; }

    /** Of these only the first runs often; the others did twice. */
    static String kind(Class<?> t, Object o) {
        if (!t.isPrimitive()) return "object";
        else if (t == float.class) return ofFloat(o);
        else if (t == double.class) return ofDouble(o);
        else if (t == boolean.class) return ofBoolean(o);
        else if (t == char.class) return ofChar(o);
        else if (t == long.class) return ofLong(o);
        else return ofOther(o);
    }

    static void kinds() {
        Object[] all = {1.5f, 2.5, true, 'x', 7L, 3, null};
        Class<?>[] of = {float.class, double.class, boolean.class, char.class, long.class, int.class, Object.class};
        for (int round = 0; round < 2; round++)
            for (int i = 0; i < all.length; i++) System.out.println(kind(of[i], all[i]));
        String[] last = new String[all.length];
        for (int i = 1; i <= 400000; i++) { /* one call for all of them: what is made for the usual ones meets the others */
            int k = i % 100000 < all.length ? i % 100000 : all.length - 1;
            last[k] = kind(of[k], all[k]);
            n += last[k].length();
        }
        for (String s : last) System.out.println(s);
    }

    interface Sink { void take(int i); }
    static final class Sum implements Sink {
        long sum;
        public void take(int i) { sum += i; }
    }
    static final class Xor implements Sink {
        long x;
        public void take(int i) { x ^= i; }
    }
    static final class Pipe implements Sink {
        final IntPredicate p;
        final Sink to;
        Pipe(IntPredicate p, Sink to) { this.p = p; this.to = to; }
        public void take(int i) { if (p.test(i)) to.take(i); }
    }

    static void drive(Sink s, int from, int to) {
        Objects.requireNonNull(s);
        for (int i = from; i < to; i++) s.take(i);
    }

    static void pipes() {
        Sum sum = new Sum();
        Xor xor = new Xor();
        IntPredicate third = i -> i % 3 == 0, odd = i -> (i & 1) != 0;
        for (int i = 0; i < 400; i++) drive(new Pipe(third, sum), 0, 200);
        for (int i = 0; i < 400; i++) drive(new Pipe(odd, xor), 0, 200);
        for (int i = 0; i < 400; i++) drive(new Pipe(third, new Pipe(odd, sum)), 0, 200);
        for (int i = 0; i < 400; i++) drive(i % 3 == 0 ? sum : i % 3 == 1 ? xor : new Pipe(j -> j > 100, xor), 0, 100);
        try {
            drive(new Pipe(i -> i == 99, null), 0, 200);
        } catch (NullPointerException e) {
            System.out.println("null at " + e.getStackTrace()[0].getMethodName());
        }
        drive(new Pipe(i -> false, null), 0, 200); /* nobody asks it */
        try {
            drive(null, 0, 1);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        System.out.println(sum.sum + " " + xor.x);
    }

    record P(String name, int age) {}

    static long streams(List<P> ps, int round) {
        return switch (round % 6) {
            case 0 -> ps.stream().filter(p -> p.age() > 20).mapToInt(P::age).sum();
            case 1 -> ps.stream().map(p -> p.age() * 2).filter(a -> a % 3 != 0).collect(Collectors.toList()).size();
            case 2 -> ps.stream().map(P::name).filter(s -> s.length() > 2).distinct().count();
            case 3 -> ps.stream().filter(p -> p.age() < 10).filter(p -> p.name().endsWith("7")).mapToLong(p -> p.age() * 3L).sum();
            case 4 -> ps.stream().mapToInt(P::age).filter(a -> a % 2 == 0).mapToObj(Integer::valueOf).collect(Collectors.toSet()).size();
            default -> IntStream.range(0, ps.size()).filter(i -> i % 5 == 0).mapToObj(ps::get).map(P::name).sorted(Comparator.reverseOrder()).limit(3).count();
        };
    }

    public static void main(String[] args) {
        kinds();
        pipes();
        List<P> ps = IntStream.range(0, 500).mapToObj(i -> new P("n" + i % 100, i % 80)).collect(Collectors.toList());
        for (int phase = 0; phase < 12; phase++) {
            long sum = 0;
            for (int i = 0; i < 60; i++) sum = sum * 31 + streams(ps, phase);
            System.out.println(phase + " " + sum);
        }
        long all = 0;
        for (int i = 0; i < 300; i++) all = all * 31 + streams(ps, i);
        System.out.println(all + " " + n);
    }
}
