// SPDX-License-Identifier: Apache-2.0
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

/** Collections and streams at size: hashing with collisions, tree bins, iteration order, comodification, collectors. */
public class Collections1 {
    static final class Key implements Comparable<Key> {
        final int v;
        Key(int v) { this.v = v; }
        @Override public int hashCode() { return v & 3; }
        @Override public boolean equals(Object o) { return o instanceof Key k && k.v == v; }
        @Override public int compareTo(Key o) { return Integer.compare(v, o.v); }
    }

    public static void main(String[] args) {
        Map<Key, Integer> collide = new HashMap<>();
        for (int i = 0; i < 2000; i++)
            collide.put(new Key(i), i);
        for (int i = 0; i < 2000; i += 3)
            collide.remove(new Key(i));
        System.out.println(collide.size() + " " + collide.get(new Key(1000)) + " " + collide.get(new Key(999)) + " " + collide.values().stream().mapToInt(x -> x).sum());
        Map<Integer, String> m = new HashMap<>();
        for (int i = 0; i < 50000; i++)
            m.merge(i * 7919 % 10007, "v", String::concat);
        System.out.println(m.size() + " " + m.get(5) + " " + m.hashCode());
        TreeMap<String, Integer> tm = new TreeMap<>();
        for (int i = 0; i < 1000; i++)
            tm.put(Integer.toString(i, 7), i);
        System.out.println(tm.firstKey() + tm.floorKey("5zz") + tm.headMap("2").size() + tm.descendingMap().firstEntry() + tm.pollLastEntry());
        LinkedHashMap<Integer, Integer> lru = new LinkedHashMap<>(16, .75f, true) {
            @Override protected boolean removeEldestEntry(Map.Entry<Integer, Integer> e) { return size() > 4; }
        };
        for (int i = 0; i < 10; i++) { lru.put(i, i); lru.get(8 - i); lru.get(6); }
        System.out.println(lru);
        PriorityQueue<int[]> pq = new PriorityQueue<>((a, b) -> a[0] != b[0] ? a[0] - b[0] : b[1] - a[1]);
        for (int i = 0; i < 20; i++) pq.add(new int[] {i * 13 % 7, i});
        StringBuilder sb = new StringBuilder();
        while (!pq.isEmpty()) { int[] e = pq.poll(); sb.append(e[0]).append(':').append(e[1]).append(' '); }
        System.out.println(sb);
        try {
            List<Integer> l = new ArrayList<>(List.of(1, 2, 3));
            for (Integer x : l) l.remove(x);
        } catch (ConcurrentModificationException e) {
            System.out.println("comodified " + e.getMessage());
        }
        try { List.of(1).add(2); } catch (UnsupportedOperationException e) { System.out.println("immutable " + e.getMessage()); }
        try { new ArrayList<>().get(0); } catch (IndexOutOfBoundsException e) { System.out.println(e.getMessage()); }
        try { new ArrayDeque<>().pop(); } catch (NoSuchElementException e) { System.out.println(e.getMessage()); }
        try { List.of(1, null); } catch (NullPointerException e) { System.out.println("null element"); }
        BitSet bits = new BitSet();
        for (int i = 2; i < 1000; i++) bits.set(i);
        for (int i = 2; i * i < 1000; i++) if (bits.get(i)) for (int j = i * i; j < 1000; j += i) bits.clear(j);
        System.out.println(bits.cardinality() + " " + bits.nextSetBit(900) + " " + bits.hashCode());
        System.out.println(IntStream.rangeClosed(1, 20).boxed().collect(Collectors.partitioningBy(x -> x % 3 == 0, Collectors.summingInt(x -> x))));
        System.out.println(Stream.iterate(1L, x -> x * 3).limit(12).map(Long::toHexString).collect(Collectors.joining("|", "<", ">")));
        System.out.println(Stream.of("delta", "alpha", "charlie", "bravo").sorted(Comparator.comparing((String s) -> s.charAt(s.length() - 1)).thenComparing(Function1::len)).toList());
        System.out.println((Object) Arrays.stream("the quick brown fox jumps over the lazy dog the end".split(" "))
            .collect(Collectors.groupingBy(String::length, TreeMap::new, Collectors.mapping(s -> s.toUpperCase(), Collectors.toCollection(TreeSet::new)))));
        System.out.println(IntStream.range(0, 100000).parallel().filter(x -> x % 7 == 3).mapToLong(x -> (long) x * x).sum() + " "
            + IntStream.range(0, 1000).summaryStatistics() + " " + Stream.of(1, 2, 3, 4).reduce(1, (a, b) -> a * b)
            + " " + Stream.of(List.of(1, 2), List.of(3)).flatMap(List::stream).map(String::valueOf).collect(Collectors.toList())
            + " " + DoubleStream.of(1, 2, 4).average().getAsDouble() + " " + Stream.of(5, 3, 8).max(Comparator.naturalOrder()).get()
            + " " + IntStream.iterate(1, x -> x < 500, x -> x * 2).takeWhile(x -> x < 100).dropWhile(x -> x < 8).boxed().toList());
        ConcurrentSkipListMap<Integer, String> sk = new ConcurrentSkipListMap<>();
        for (int i = 0; i < 500; i++) sk.put(i * 31 % 503, "" + i);
        System.out.println(sk.ceilingEntry(250) + " " + sk.subMap(10, 20).keySet());
        List<Integer> shuffled = IntStream.range(0, 30).boxed().collect(Collectors.toList());
        Collections.shuffle(shuffled, new Random(3));
        System.out.println(shuffled + " " + Collections.frequency(shuffled, 3) + Collections.max(shuffled) + Collections.nCopies(3, "n"));
        ListIterator<Integer> li = shuffled.listIterator();
        while (li.hasNext()) { int x = li.next(); if (x % 2 == 0) li.remove(); else li.set(-x); }
        System.out.println(shuffled + " " + new HashSet<>(shuffled).equals(Set.copyOf(shuffled)));
        IdentityHashMap<String, Integer> id = new IdentityHashMap<>();
        id.put(new String("k"), 1); id.put(new String("k"), 2);
        System.out.println(id.size() + " " + Objects.hash(1, "a", null) + " " + Objects.requireNonNullElse(null, "dflt"));
    }

    static class Function1 { static int len(String s) { return s.length(); } }
}
