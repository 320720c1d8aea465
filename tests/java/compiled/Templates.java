// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:CompileThreshold=20
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;

/** Methods of abstract classes that call what their subclasses have, called by the names of these; classes that come later have others. */
public class Templates {
    abstract static class Shape {
        int n;
        final int all(int times) {
            int sum = 0;
            for (int i = 0; i < times; i++) sum += once(i);
            return sum;
        }
        private int once(int i) { return before(i) + step(i) + twice(this, i); }
        int before(int i) { return i & 1; }
        abstract int step(int i);
        static int twice(Shape s, int i) { return s.step(i) - s.step(i + 1); }
        int chain(int i) { return i == 0 ? step(n) : chain(i - 1) + step(i); }
    }
    static class Square extends Shape { @Override int step(int i) { return n += i * i; } }
    static class Line extends Shape { @Override int step(int i) { return n += i; } @Override int before(int i) { return super.before(i) + 2; } }
    static class Odd extends Shape { @Override int step(int i) { return n ^= 2 * i + 1; } }
    /** Comes when the code has been made. */
    static class LongLine extends Line { @Override int step(int i) { return n += 3 * i; } }

    static int squares(Square s, int k) { return s.all(k); }
    static int lines(Line l, int k) { return l.all(k) + l.chain(3); }
    static int odds(Odd o, int k) { return o.all(k); }

    /** The receiver of a body is not what is called in it: another object of another subclass. */
    abstract static class Pair {
        Pair other;
        int sum(int i) { return other.value(i) * 3 + value(i); }
        int swap(Pair p, int i) { Pair q = this; if ((i & 1) == 0) q = p; return q.value(i); }
        abstract int value(int i);
    }
    static class Left extends Pair { @Override int value(int i) { return i; } }
    static class Right extends Pair { @Override int value(int i) { return -i * 2; } }
    static int pairs(Left l, Right r, int i) { return l.sum(i) + r.sum(i) + l.swap(r, i) * 7 + r.swap(l, i) * 5; }

    static class Ints extends AbstractList<Integer> {
        final int k;
        Ints(int k) { this.k = k; }
        @Override public Integer get(int i) { return i * k; }
        @Override public int size() { return 5; }
    }
    static int lists(Ints a) { return a.hashCode() + a.indexOf(8) + (a.contains(9) ? 1 : 0); }
    static int others(List<Integer> a) { return a.hashCode() + a.indexOf(8); }

    public static void main(String[] args) throws Exception {
        Square s = new Square();
        Line l = new Line();
        Odd o = new Odd();
        Left left = new Left();
        Right right = new Right();
        left.other = right;
        right.other = left;
        long sum = 0;
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < 4000; i++) {
                sum = sum * 31 + squares(s, 7) + lines(l, 5) + odds(o, 6) + pairs(left, right, i);
                sum = sum * 31 + lists(new Ints(i & 7)) + others(i % 3 == 0 ? new Ints(i) : new ArrayList<>(List.of(1, i, 8)));
            }
            System.out.println(sum + " " + s.n + " " + l.n + " " + o.n);
            if (round == 1) l = (Line) Class.forName("Templates$LongLine").getDeclaredConstructor().newInstance();
        }
        try {
            lines(null, 1);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage() + " " + e.getStackTrace()[0]);
        }
    }
}
