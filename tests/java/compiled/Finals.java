// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/**
 * What a cast to a final class, the element of an array of such, a parameter or a field of one can be: that class, or null. Sites that see many classes
 * (a map with keys of all kinds), casts that fail, nulls, arrays of arrays, values that are used as both before and behind the cast.
 */
public class Finals {
    record Point(int x, String name) {}
    static final class Leaf {
        final int v;
        Leaf(int v) { this.v = v; }
        @Override public int hashCode() { return v; }
        @Override public boolean equals(Object o) { return o instanceof Leaf && ((Leaf) o).v == v; }
    }
    enum Kind { ONE, TWO }
    String text;
    Integer number;

    static int mixed(Map<Object, Integer> m, Object[] keys) {
        int s = 0;
        for (Object k : keys) {
            Integer v = m.get(k);
            s = s * 31 + (v == null ? -1 : v);
        }
        return s;
    }

    static int strings(Map<String, Integer> m, String[] keys) {
        int s = 0;
        for (int i = 0; i < 200; i++) {
            Integer v = m.get(keys[i % keys.length]);
            s = s * 31 + (v == null ? -1 : v);
        }
        return s;
    }

    static int listed(Map<?, Integer> m, List<String> l, List<Leaf> leaves, List<Point> points) {
        int s = 0;
        for (String x : l) s = s * 31 + (x == null ? 7 : x.hashCode()) + Objects.hashCode(m.get(x));
        for (Leaf x : leaves) s = s * 31 + (m.containsKey(x) ? 1 : x.v);
        for (Point p : points) s = s * 31 + p.hashCode() + (p.equals(points.get(0)) ? 1 : 0);
        return s;
    }

    int fields(Map<Object, Integer> m) {
        Integer a = m.get(text), b = m.get(number);
        return (a == null ? 1 : a) + (b == null ? 2 : b);
    }

    static String cast(Object o) {
        try {
            String before = o == null ? "null" : o.getClass().getSimpleName();
            String s = (String) o;
            return before + (s == null ? "-" : s.length() + s.concat("!"));
        } catch (ClassCastException e) {
            return o.toString() + o.hashCode();
        }
    }

    static int bytes(Object o) {
        try {
            byte[][] b = (byte[][]) o;
            return b == null ? -1 : b[0] == null ? -2 : b[0].length + b.length;
        } catch (ClassCastException e) {
            return o instanceof int[][] ? ((int[][]) o)[0][1] : -3;
        }
    }

    static boolean store(Object[] a, Object v) {
        try {
            a[0] = v;
            return true;
        } catch (ArrayStoreException e) {
            return false;
        }
    }

    static int same(Object a, Object b) {
        int n = a == b ? 1 : 0;
        if (a instanceof String && b instanceof String) {
            String s = (String) a, t = (String) b;
            n += s == t ? 2 : 0;
            n += s == b ? 4 : 0;
            n += s.equals(t) ? 8 : 0;
        }
        return n;
    }

    public static void main(String[] args) {
        Map<Object, Integer> all = new HashMap<>();
        Object[] mix = new Object[210];
        for (int i = 0; i < mix.length; i++) {
            Object[] kinds = {i, "s" + i, (long) i, new Point(i, "p"), (char) i, new Leaf(i), Kind.values()[i & 1]};
            mix[i] = kinds[i % kinds.length];
            all.put(mix[i], i);
        }
        Map<String, Integer> words = new TreeMap<>();
        for (int i = 0; i < 40; i++) words.put("key" + i, i);
        words = new HashMap<>(words);
        String[] keys = words.keySet().toArray(new String[0]);
        Arrays.sort(keys);
        String[] withNull = keys.clone();
        withNull[3] = null;
        List<String> list = new ArrayList<>(Arrays.asList(withNull));
        List<Leaf> leaves = new ArrayList<>();
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            leaves.add(new Leaf(i));
            points.add(new Point(i & 1, "q"));
        }
        Finals f = new Finals();
        Object[] odd = {null, "text", 5, new StringBuilder("b"), "", 7L};
        Object[] arrays = {new byte[][] {{1, 2}}, new byte[][] {null}, null, new int[][] {{1, 9}}, "none", new byte[2][3]};
        int sum = 0;
        StringBuilder last = new StringBuilder();
        for (int round = 0; round < 3000; round++) {
            sum = sum * 31 + mixed(all, mix) + strings(words, keys) + strings(words, withNull) + listed(round % 3 == 0 ? all : words, list, leaves, points);
            f.text = round % 5 == 0 ? null : "s" + round % 50;
            f.number = round % 7 == 0 ? null : round % 60;
            sum = sum * 31 + f.fields(all);
            last.setLength(0);
            for (Object o : odd) last.append(o instanceof StringBuilder ? "b" : cast(o)).append(' ');
            for (Object o : arrays) last.append(bytes(o)).append(' ');
            last.append(store(new String[1], "x")).append(store(new String[1], 5)).append(store(new Object[1], 5)).append(store(new Leaf[1], leaves.get(0)))
                .append(store(new Leaf[1], "y"));
            for (Object o : odd) last.append(same(o, odd[round % odd.length])).append(same("text", o));
            sum = sum * 31 + last.toString().hashCode();
        }
        System.out.println(sum);
        System.out.println(last);
    }
}
