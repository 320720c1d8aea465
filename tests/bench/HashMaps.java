// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** HashMap and TreeMap with boxed and string keys. */
public class HashMaps {
    public static void main(String[] x) {
        long t = System.nanoTime();
        Map<Integer, Integer> m = new HashMap<>();
        long sum = 0;
        for (int r = 0; r < 6; r++)
            for (int i = 0; i < 100000; i++) { m.merge(i * 31 & 0xffff, 1, Integer::sum); Integer v = m.get(i); if (v != null) sum += v; }
        Map<String, Integer> s = new HashMap<>();
        for (int i = 0; i < 120000; i++) s.put("key" + i % 5000, i);
        for (Map.Entry<String, Integer> e : s.entrySet()) sum += e.getValue() + e.getKey().length();
        TreeMap<Integer, Integer> tm = new TreeMap<>();
        for (int i = 0; i < 120000; i++) tm.put(i * 7919 % 40009, i);
        for (int k : tm.keySet()) sum += k;
        System.out.println(sum + " " + m.size() + " " + tm.size());
        Bench.done(t);
    }
}
