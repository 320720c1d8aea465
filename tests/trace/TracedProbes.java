// SPDX-License-Identifier: Apache-2.0
import java.util.*;
import java.util.concurrent.*;

/** Calls for conditions over arguments, fields, results, exceptions; lists of all kinds, with sizes that are known. */
public class TracedProbes {
    enum Color { RED, GREEN { @Override public String toString() { throw new Error("toString"); } } }
    static class Named { protected final String name; final Named next; Named(String n, Named next) { name = n; this.next = next; } }
    static class User extends Named {
        private final int age; private final double weight; private final boolean admin; private final short small; private final char letter;
        final long[] scores; final float ratio; final byte b;
        User(String n, int age, Named next) {
            super(n, next);
            this.age = age; weight = age * 1.5; admin = age > 40; small = (short) -age; letter = (char) ('a' + age % 26);
            scores = new long[] {age, 2L * age}; ratio = age / 4f; b = (byte) age;
        }
    }
    static class Hostile extends ArrayList<Object> {
        @Override public int size() { throw new Error("size"); }
        @Override public boolean equals(Object o) { throw new Error("equals"); }
    }
    static class Other extends AbstractList<Object> {
        public Object get(int i) { return i; }
        public int size() { throw new Error("size"); }
    }
    private int count;
    int own(User u, int n) { count += n; n = -1; return count; }
    static Object any(Object o) { return o; }
    static int sized(Collection<?> c) { return 0; }
    static int mapped(Map<?, ?> c) { return 0; }
    static int numbers(int i, long l, double d, float f, boolean z, Integer box, Long none) { return i; }
    static String text(String s, Color c) { return s; }
    static void fails(int n) throws Exception {
        if (n == 1) throw new java.io.FileNotFoundException("gone");
        if (n == 2) throw new IllegalStateException("state");
    }
    static void slow(int ms) throws Exception { Thread.sleep(ms); }
    static void often(int n) { }
    static int deep(User u, int n) { return n == 0 ? 0 : deep(u, n - 1) + 1; }

    @SuppressWarnings("unchecked") public static void main(String[] args) throws Exception {
        User ann = new User("ann", 30, null), bob = new User("bob", 50, ann);
        TracedProbes t = new TracedProbes();
        for (int i = 0; i < 3; i++) { t.own(ann, 1); t.own(bob, 10); t.own(null, 100); }
        for (Object o : new Object[] {ann, bob, "ann", 5, 5L, 5.0, 'x', null, new int[3], new String[] {"a", "b"}, Color.GREEN}) any(o);
        List<Object> three = new ArrayList<>(List.of(1, 2, 3));
        sized(three); sized(new LinkedList<>(three)); sized(new Vector<>(three)); sized(new ArrayDeque<>(three));
        sized(new HashSet<>(three)); sized(new LinkedHashSet<>(three)); sized(new TreeSet<>(List.of(1, 2, 3))); sized(new PriorityQueue<>(three));
        sized(Arrays.asList(1, 2, 3)); sized(List.of(1)); sized(List.of(1, 2)); sized(List.of(1, 2, 3)); sized(Set.of(1)); sized(Set.of(1, 2, 3));
        sized(Collections.unmodifiableList(three)); sized(Collections.synchronizedSet(new HashSet<>(three))); sized(Collections.emptyList());
        sized(new CopyOnWriteArrayList<>(three)); sized(new LinkedBlockingQueue<>(three)); sized(new ConcurrentLinkedQueue<>(three));
        Hostile h = new Hostile(); h.add(1); h.add(2); h.add(3); h.add(4);
        sized(h); sized(new Other()); sized(null);
        Map<Object, Object> m = new HashMap<>(Map.of(1, 2, 3, 4));
        mapped(m); mapped(new TreeMap<>(m)); mapped(new LinkedHashMap<>(m)); mapped(Map.of(1, 2)); mapped(Map.of(1, 2, 3, 4));
        mapped(new Hashtable<>(m)); mapped(new ConcurrentHashMap<>(m)); mapped(Collections.unmodifiableMap(m)); mapped(new Properties());
        numbers(7, 1L << 40, 2.5, 0.25f, true, 9, null);
        numbers(-7, -1, Double.NaN, -0.0f, false, -9, 3L);
        text("caf\u00e9", Color.RED); text("na\u20acve", Color.GREEN); text(null, null); text("", Color.RED);
        for (int i = 0; i < 3; i++) try { fails(i); } catch (Exception e) { }
        slow(1); slow(400);
        for (int i = 0; i < 1000; i++) often(i);
        deep(bob, 200);
        System.out.println("end");
    }
}
