// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 -XX:-OmitStackTraceInFastThrow
import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/*
 * Calls by Object, CharSequence, Comparable whose receivers are of one class of the class library for long, for whose methods C or machine code
 * stands; then of others, null, and with arguments that are refused.
 */
public class ReceiversLibrary {
    static final class Own implements CharSequence, Comparable<Object> {
        final int n;
        Own(int n) { this.n = n; }
        @Override public int hashCode() { return n; }
        @Override public boolean equals(Object o) { return o instanceof Own && ((Own) o).n == n; }
        @Override public int length() { return n; }
        @Override public char charAt(int i) { return (char) ('a' + i + n); }
        @Override public CharSequence subSequence(int from, int to) { return new Own(to - from); }
        @Override public int compareTo(Object o) { return n - o.hashCode(); }
        @Override public String toString() { return "own " + n; }
    }
    static String own(int n) { return "own " + n; }

    static int hash(Object o) { return o.hashCode(); }
    static boolean same(Object a, Object b) { return a.equals(b); }
    static int length(CharSequence s) { return s.length(); }
    static char at(CharSequence s, int i) { return s.charAt(i); }
    static boolean empty(CharSequence s) { return s.isEmpty(); }
    @SuppressWarnings("unchecked")
    static int compare(Object a, Object b) { return ((Comparable<Object>) a).compareTo(b); }
    static double value(Number n) { return n.doubleValue() + n.intValue(); }

    static long all(Object a, Object b, int i) {
        long k = i * 3L;
        double d = i / 2.0;
        k = k * 31 + hash(a) + (same(a, b) ? 1 : 2) * 5L;
        if (a instanceof CharSequence) {
            CharSequence s = (CharSequence) a;
            k = k * 31 + length(s) + (empty(s) ? 7 : 8);
            for (int j = 0; j < length(s) && j < 5; j++) k = k * 3 + at(s, j);
        }
        if (a instanceof Comparable) k = k * 31 + compare(a, b);
        if (a instanceof Number) k += (long) value((Number) a);
        return k + (long) d;
    }

    static String failing(String what, Object a, Object b, int i) {
        try {
            switch (what) {
            case "hash": return "" + hash(a);
            case "same": return "" + same(a, b);
            case "length": return "" + length((CharSequence) a);
            case "at": return "" + at((CharSequence) a, i);
            default: return "" + compare(a, b);
            }
        } catch (RuntimeException e) {
            StringBuilder s = new StringBuilder(e.toString().replaceAll("class [^ ]* cannot", "cannot"));
            for (StackTraceElement f : e.getStackTrace()) {
                if (f.getMethodName().equals("failing")) break;
                s.append(' ').append(f.getMethodName()).append(':').append(f.getLineNumber());
            }
            return s.toString();
        }
    }
    static void failures() {
        for (int k = 0; k < 3; k++)
            for (String what : new String[] {"hash", "same", "length", "at", "compare"}) {
                System.out.println(what + " " + failing(what, null, "x", 0));
                System.out.println(what + " " + failing(what, "text", null, 4));
                System.out.println(what + " " + failing(what, "text", "u", -1));
                System.out.println(what + " " + failing(what, new StringBuilder("b"), new StringBuilder("b"), 1).replaceAll("\\d{4,}", "#"));
            }
    }

    static long maps(Map<Object, Object> m, Object[] keys, int n) {
        long s = 0;
        for (int i = 0; i < n; i++) {
            Object k = keys[i % keys.length];
            m.put(k, i);
            Object v = m.get(k instanceof String ? new StringBuilder((String) k).toString() : k);
            s = s * 3 + (Integer) v + (m.containsKey("none") ? 1 : 0);
        }
        return s;
    }
    static long lists(List<?> l, int n) {
        long s = 0;
        for (int i = 0; i < n; i++) {
            for (Object o : l) s = s * 3 + o.hashCode();
            Iterator<?> it = l.iterator();
            while (it.hasNext()) if (it.next().equals("c")) s++;
            s += l.indexOf("c") + l.size();
        }
        return s;
    }

    public static void main(String[] args) {
        long sum = 0;
        Object[] strings = {"a", "bc", "\u0430\u0431", "", new String("a"), "bc"};
        for (int i = 0; i < 2000; i++) sum = sum * 7 + all(strings[i % 6], strings[(i + i / 6) % 6], i);
        System.out.println(sum);
        failures();
        for (int i = 0; i < 200; i++) sum = sum * 7 + all(i, i / 2, i) + all(new Own(i % 3), new Own(1), i) + all((long) i, 3L, i) + all('c', 'd', i);
        for (int i = 0; i < 200; i++) sum = sum * 7 + (i % 2 == 0 ? length(new StringBuilder("abc")) : length(CharBuffer.wrap("abcd"))) + at(CharBuffer.wrap("xyz"), i % 3);
        System.out.println(sum);
        failures();
        System.out.println(maps(new HashMap<>(), new Object[] {"a", "b", "c", "longer key"}, 3000));
        System.out.println(maps(new HashMap<>(), new Object[] {1, 2, 3, 70000}, 3000));
        System.out.println(maps(new java.util.LinkedHashMap<>(), new Object[] {"a", 2, new Own(3), 'c', null == args ? "" : 4L}, 3000));
        System.out.println(maps(new java.util.concurrent.ConcurrentHashMap<>(), new Object[] {"a", "b", 5}, 3000));
        List<Object> l = new ArrayList<>(List.of("a", "b", "c"));
        System.out.println(lists(l, 1000) + " " + lists(List.of("a", "c"), 500) + " " + lists(new ArrayList<>(List.of(1, 2, 3)), 500) + " " + lists(new java.util.LinkedList<>(l), 300));
        try {
            for (Object o : l) if (o.equals("b")) l.remove(o); else l.add("d");
        } catch (java.util.ConcurrentModificationException e) {
            System.out.println(e.getStackTrace()[0] + " " + e.getStackTrace()[1]);
        }
    }
}
