// SPDX-License-Identifier: Apache-2.0
// options: -Xmx256m -Xcomp
// modes: !gcstress !gcoften
import java.util.*;

/** Small objects that stay all over the heap, and much compiled code: large arrays still find blocks in a row, since nothing that code only seems to name stays where it is. */
public class TightLarge {
    static final class Entry { // 16 bytes
        final int key;
        Entry next;
        Entry(int key, Entry next) { this.key = key; this.next = next; }
    }

    public static void main(String[] args) {
        for (int round = 0; round < 3; round++) {
            Entry kept = null;
            for (int i = 0; i < 13_000_000; i++) {
                Entry e = new Entry(i, kept);
                if (i % 8 == 0) kept = e;
            }
            int[][] large = new int[10][];
            for (int i = 0; i < large.length; i++) { // 160 MB, about 200 are free
                large[i] = new int[(16 << 20) / 4];
                large[i][i] = i + 1;
            }
            long sum = 0, n = 0;
            for (Entry e = kept; e != null; e = e.next, n++) sum = sum * 7 + e.key;
            for (int i = 0; i < large.length; i++) n += large[i][i];
            System.out.println(round + " " + n + " " + sum);
        }
    }
}
