// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;

/** Burns processor time in main > middle > hot, with calls and allocation below it. */
public class Async {
    static int sink;
    static int leaf(int n) { return n * 31 + 7; }
    static int hot(int n) {
        int h = n;
        ArrayList<Integer> list = new ArrayList<>();
        for (int i = 0; i < 20000; i++) {
            h = leaf(h);
            if (i % 16 == 0) list.add(h);
        }
        return h + list.size();
    }
    static void middle(long until) {
        while (System.nanoTime() < until) sink += hot(sink);
    }
    public static void main(String[] args) {
        middle(System.nanoTime() + 1_500_000_000L);
        System.out.println("end");
    }
}
