// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:CompileThreshold=20
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** equals, hashCode and toString of records in compiled code: trees of handles of one level a field, whose branches are first seldom, then often taken. */
public class RecordsCompared {
    record Cell(int x, int y) {}
    record All(boolean z, byte b, char c, short s, int i, long j, float f, double d, Object o, int[] a) {}
    record Wide(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n) {}
    record Pair<A, B>(A first, B second) {}
    record None() {}
    sealed interface Shape permits Circle, Box {}
    record Circle(double r) implements Shape {}
    record Box(double w, double h) implements Shape {}
    record Own(int x, String s) {
        @Override
        public boolean equals(Object o) {
            return o instanceof Own w && w.x == x;
        }
    }

    static final int[] SHARED = {1};

    static All all(int k) {
        return new All((k & 1) != 0, (byte) k, (char) (k * 7), (short) -k, k, (long) k << 33, k % 3 == 0 ? Float.NaN : k, k % 5 == 0 ? -0.0 : 0.0,
            k % 4 == 0 ? null : "o" + k % 4, k % 2 == 0 ? SHARED : null);
    }

    static Wide wide(int k, int differs) {
        int[] v = new int[14];
        for (int i = 0; i < 14; i++) v[i] = k + i + (i == differs ? 1 : 0);
        return new Wide(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13]);
    }

    static int compare(Object[] all, int from, int to) {
        int equal = 0;
        for (int i = from; i < to; i++)
            if (all[i % all.length].equals(all[i * 7 % all.length])) equal++;
        return equal;
    }

    static int ofKind(Object a, Object b) {
        return a.equals(b) ? 1 : 0;
    }

    static long mixed() {
        long s = 0;
        Object[] cells = new Object[64], alls = new Object[60], wides = new Object[30], others = new Object[40];
        for (int i = 0; i < cells.length; i++) cells[i] = new Cell(i % 8, i % 3);
        for (int i = 0; i < alls.length; i++) alls[i] = all(i % 30);
        for (int i = 0; i < wides.length; i++) wides[i] = wide(5, i % 16);
        for (int i = 0; i < others.length; i++)
            others[i] = switch (i % 6) {
                case 0 -> new Pair<>(new Cell(i % 4, 1), null);
                case 1 -> new Pair<>("a", List.of(i % 3));
                case 2 -> new Circle(i % 2);
                case 3 -> new Box(i % 2, 1);
                case 4 -> new Own(i % 5, "s" + i);
                default -> new None();
            };
        for (int turn = 0; turn < 40; turn++) {
            /* first alike, then other answers: branches that had been taken seldom become frequent */
            Object[] same = turn < 10 ? new Object[] {cells[0], cells[24]} : cells;
            s = s * 31 + compare(same, 0, 2000);
            s = s * 31 + compare(alls, turn, turn + 600);
            s = s * 31 + compare(wides, 0, 600);
            s = s * 31 + compare(others, turn, turn + 800);
            for (Object o : alls) s = s * 31 + (hasArray(o) ? 1 : ((All) o).hashCode());
            for (Object o : wides) s = s * 31 + o.hashCode();
            for (Object o : others) s = s * 31 + o.toString().length();
        }
        return s;
    }

    /** The hash of an array is another one in each run. */
    static boolean hasArray(Object o) {
        return ((All) o).a() != null;
    }

    public static void main(String[] a) {
        System.out.println("mixed " + mixed());
        Map<Cell, Integer> m = new HashMap<>();
        for (int i = 0; i < 20000; i++) m.merge(new Cell(i % 37, i % 11), 1, Integer::sum);
        System.out.println(m.size() + " " + m.get(new Cell(3, 3)) + " " + m.get(new Cell(40, 3)));
        Set<Shape> shapes = new HashSet<>();
        for (int i = 0; i < 5000; i++) shapes.add(i % 2 == 0 ? new Circle(i % 50) : new Box(i % 20, i % 7));
        System.out.println(shapes.size());
        Cell c = new Cell(1, 2);
        int n = 0;
        for (int i = 0; i < 3000; i++) n += ofKind(c, i % 3 == 0 ? "no" : i % 3 == 1 ? new Cell(1, 2) : null);
        System.out.println(n + " " + c + " " + all(7).toString().replaceAll("@.*", "") + " " + new None() + " " + wide(1, 3));
        System.out.println(Objects.hash(c, new Pair<>(c, null)));
    }
}
