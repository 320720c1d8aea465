// SPDX-License-Identifier: Apache-2.0
/** Strings put together: StringBuilder, concatenation, insertion, numbers, characters beyond Latin 1. */
public class StringBuilding {
    public static void main(String[] a) {
        long t = System.nanoTime();
        int h = 0;
        for (int round = 0; round < 40; round++) {
            StringBuilder b = new StringBuilder();
            for (int i = 0; i < 5000; i++) b.append("item ").append(i).append(": ").append(i * 0x9e3779b97f4aL).append(i % 3 == 0).append('\n');
            h = h * 31 + b.toString().hashCode();
            b.setLength(0);
            for (int i = 0; i < 1000; i++) b.append((char) ('a' + i % 26));
            for (int i = 0; i < 200; i++) b.insert(i * 3, (char) (0x400 + i)).deleteCharAt(i);
            h = h * 31 + b.reverse().toString().hashCode();
            String s = "";
            for (int i = 0; i < 400; i++) s = s + i + ',' + (i & 7);
            h = h * 31 + s.hashCode();
        }
        System.out.println(h);
        Bench.done(t);
    }
}
