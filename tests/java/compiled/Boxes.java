// SPDX-License-Identifier: Apache-2.0
// options: -Xmx48m
// modes: !gcstress !gcoften
import java.util.*;
import java.util.function.*;

/** Boxes in compiled code: gone where only the value is wanted, made where they are named, and which of them are one object. */
public class Boxes {
    static Object seen;
    static Integer kept;
    static int count, zero;
    static void see(Object o) { seen = o; count++; }

    /** Values around the ends of the caches. */
    static final int[] ENDS = {-129, -128, -127, -1, 0, 1, 126, 127, 128, 129, 255, 256, 65535, -32768, 32767, Integer.MIN_VALUE, Integer.MAX_VALUE};

    static int sameOrNot(int x) {
        Integer a = x, b = x, c = x + zero;
        Long l = (long) x, m = (long) x;
        Short s = (short) x, t = (short) x;
        Byte y = (byte) x, z = (byte) x;
        Character d = (char) x, e = (char) x;
        int bits = 0;
        if (a == b) bits |= 1;
        if (a == a) bits |= 2;
        if (b != c) bits |= 4;
        if (l == m) bits |= 8;
        if (s == t) bits |= 16;
        if (y == z) bits |= 32;
        if (d == e) bits |= 64;
        if ((Object) a == (Object) l) bits |= 128;
        if (a == null) bits |= 256;
        if (a.equals(b) && l.equals(m) && s.equals(t) && y.equals(z) && d.equals(e)) bits |= 512;
        if (a == kept) bits |= 1024;
        if (new Integer(x) == a) bits |= 2048;
        if ((Object) a instanceof Long || !((Object) l instanceof Number)) bits |= 4096;
        return bits;
    }

    /** Boxes that are only asked for, among what others made: shared ones are the same, new ones are not, whatever is in them. */
    static int among(Object[] all, int x) {
        Integer a = x;
        Long l = (long) x * 0x100000001L;
        Character d = (char) x;
        Short s = (short) x;
        Byte y = (byte) x;
        int h = 0;
        for (Object o : all) {
            h = h * 31 + (o == a ? 1 : 0) + (o == l ? 2 : 0) + (d == o ? 4 : 0) + (s != o ? 8 : 0) + (o != y ? 16 : 0);
            h += a.equals(o) ? 32 : l.equals(o) ? 64 : d.equals(o) ? 96 : 0;
        }
        return h;
    }
    /** One that was asked for, and is named after all. */
    static Object asked(Object[] all, int x) {
        Integer a = x;
        for (Object o : all) if (o == a || (x == 128 && o == null)) return a;
        return null;
    }
    static String maps(Map<Object, Integer> m, int n) {
        int h = 0;
        for (int i = -n; i < n; i++) {
            Integer v = m.get(i), w = m.get((long) i), c = m.get((char) i);
            h = h * 31 + (v == null ? 7 : v) + (w == null ? 5 : w) + (c == null ? 3 : c) + (m.containsKey((short) i) ? 1 : 0);
            if (i % 100 == 99) m.merge(i, 1, Integer::sum);
        }
        return h + " " + m.size();
    }

    /** One name after another for one box: its identity outlives the phi. */
    static int names(int n) {
        Integer last = -1, before = null;
        int same = 0;
        for (int i = 0; i < n; i++) {
            Integer now = (i & 3) == 0 ? last : Integer.valueOf(i);
            if (now == last) same++;
            if (now == before) same += 1000;
            before = last;
            last = now;
        }
        return same * 31 + last;
    }

    static int sum(int n) {
        Integer s = 0;
        Long t = 1L;
        Character c = 'a';
        for (int i = 0; i < n; i++) {
            s += i;
            t = t * 3 + s;
            c++;
            if (c > 'z') c = 'a';
        }
        return s + (int) (long) t + c;
    }

    /** Kept in a field on few of the ways. */
    static int seldom(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Integer x = i * 3;
            if (i % 1000 == 77) kept = x;
            h = h * 31 + x + (kept == x ? 1 : 0);
        }
        return h;
    }

    /** Left by an exception while boxes are named by locals alone; what the interpreter finds is looked at. */
    static String leaves(int at, int[] a) {
        Integer small = at, big = at + 100000;
        Long wide = (long) at << 33;
        Integer again = small;
        Short s = (short) at;
        Byte b = (byte) at;
        Character c = (char) at;
        Integer none = at * 0;
        try {
            a[at] = 1;
        } catch (ArrayIndexOutOfBoundsException e) {
            return small + " " + big + " " + wide + " " + s + " " + b + " " + (int) c + " " + none + (small == again) + (none == Integer.valueOf(0))
                + (small == Integer.valueOf(at)) + (b == Byte.valueOf((byte) at)) + (s == Short.valueOf((short) at));
        }
        return null;
    }

    static <A, X, C> Function<A, C> compose(Function<A, X> f, Function<X, C> g) { return a -> g.apply(f.apply(a)); }

    static int lambdas(int n) {
        Function<Integer, Function<Integer, Function<Integer, Integer>>> curried = a -> b -> c -> a * b + c;
        Function<Integer, Integer> inc = x -> x + 1, f = compose(inc, compose(x -> x * 2, compose(inc, x -> x % 1009)));
        int h = 0;
        for (int i = 0; i < n; i++) h = h * 31 + curried.apply(i).apply(i & 7).apply(3) + f.apply(i);
        return h;
    }

    static int optional(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Optional<Integer> o = (i & 7) == 0 ? Optional.empty() : Optional.of(i);
            h = h * 31 + o.map(x -> x * 3).filter(x -> (x & 1) == 0).map(x -> x + 7).orElse(-1);
        }
        return h;
    }

    /** Boxed on one way, found on the other. */
    static int mixed(int n) {
        Map<Integer, Integer> m = new HashMap<>();
        for (int i = 0; i < 100; i++) m.put(i * 2, i * i);
        int h = 0;
        for (int i = 0; i < n; i++) {
            Integer x = m.getOrDefault(i % 200, -1), y = (i & 1) == 0 ? m.get(i % 100 & ~1) : Integer.valueOf(i);
            h = h * 31 + x + y;
            m.merge(i % 200 & ~1, 1, Integer::sum);
            if (i % 5000 == 17) see(y);
        }
        return h + (Integer) seen;
    }

    static Object choose(boolean b, int x) { return b ? (Object) Integer.valueOf(x) : (Object) Long.valueOf(x); }

    static int kinds(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Object o = choose((i & 3) != 0, i & 255);
            h += o instanceof Integer ? (Integer) o : (int) (long) (Long) o * 3;
            h = h * 31 + o.hashCode() + (o.equals(i & 255) ? 1 : 0);
        }
        return h;
    }

    static int locked(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            Integer x = i;
            synchronized (x) { h += x; }
        }
        return h;
    }

    /** Many boxes at an allocation and at a poll. */
    static long many(int n) {
        long h = 0;
        for (int i = 0; i < n; i++) {
            Integer a = i, b = i + 1;
            Long c = (long) i * i, d = c + 1;
            Object[] all = {a, b, c, d};
            for (Object o : all) h = h * 31 + ((Number) o).longValue();
            if (i % 4000 == 1) see(all);
        }
        return h;
    }

    static char narrow(char c) { return c; }

    public static void main(String[] args) {
        for (int r = 0; r < 60; r++) for (int x : ENDS) sameOrNot(x);
        kept = 127;
        for (int x : ENDS) System.out.println(x + ": " + sameOrNot(x));
        for (int r = 0; r < 5; r++) {
            System.out.println(names(20000) + " " + sum(30000) + " " + seldom(20000) + " " + kept);
            System.out.println(lambdas(20000) + " " + optional(20000) + " " + mixed(20000) + " " + kinds(20000) + " " + locked(20000) + " " + many(9000));
        }
        List<Object> all = new ArrayList<>(Arrays.asList(null, "x", new int[0], kept, 1.0, true));
        for (int x : ENDS) Collections.addAll(all, x, (long) x, (char) x, (short) x, (byte) x, new Integer(x), new Long(x), new Character((char) x));
        Object[] others = all.toArray();
        for (int r = 0; r < 300; r++) for (int x : ENDS) if (among(others, x) != among(others, x)) throw new AssertionError();
        for (int x : ENDS) {
            Object o = null;
            for (int r = 0; r < 300; r++) o = asked(others, x);
            System.out.println(among(others, x) + " " + o + " " + (o == all.get(3)) + " " + (o == Integer.valueOf(x)));
        }
        Map<Object, Integer> m = new HashMap<>();
        for (int i = -3000; i < 3000; i += 3) m.put(i % 2 == 0 ? (Object) i : (Object) (long) i, i);
        for (char c = 0; c < 300; c += 5) m.put(c, (int) c);
        for (int r = 0; r < 5; r++) System.out.println(maps(m, 2000));
        int[] a = new int[60000];
        for (int r = 0; r < 20000; r++) if (leaves(r, a) != null) throw new AssertionError();
        a = new int[0];
        for (int x : ENDS) System.out.println(leaves(x, a));
        int h = 0;
        for (int i = 0; i < 70000; i++) {
            Character c = narrow((char) i);
            h = h * 31 + c + (c == Character.valueOf((char) i) ? 1 : 0);
        }
        System.out.println(h + " " + count);
    }
}
