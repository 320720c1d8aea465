// SPDX-License-Identifier: Apache-2.0

/** One element that System.arraycopy copies is written whole: whoever reads it meanwhile sees one of the values that were copied (JLS 17.6). */
public class CopiesTorn {
    static final char[] chars = new char[4];
    static final short[] shorts = new short[4];
    static final int[] ints = new int[4];
    static volatile boolean stop;
    static volatile int turn;

    static void copy(char[] from, short[] from2, int[] from3) {
        System.arraycopy(from, 0, chars, 0, 1);
        System.arraycopy(from2, 0, shorts, 1, 1);
        System.arraycopy(from3, 0, ints, 1, 1);
    }

    static void write() {
        char[] c0 = {0}, c1 = {0xffff};
        short[] s0 = {0}, s1 = {-1};
        int[] i0 = {0}, i1 = {-1};
        while (!stop) {
            for (int i = 0; i < 1000; i++) {
                copy(c0, s0, i0);
                copy(c1, s1, i1);
            }
        }
    }

    static int torn() {
        int torn = 0;
        char[] c = chars;
        short[] s = shorts;
        int[] n = ints;
        for (int i = 0; i < 100000; i++) {
            turn = i;
            char x = c[0];
            short y = s[1];
            int z = n[1];
            if (x != 0 && x != 0xffff || y != 0 && y != -1 || z != 0 && z != -1) torn++;
        }
        return torn;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(CopiesTorn::write);
        writer.start();
        long torn = 0, until = System.nanoTime() + 1_500_000_000L;
        while (System.nanoTime() < until) torn += torn();
        stop = true;
        writer.join();
        System.out.println(torn > 0 ? "torn" : "whole");
    }
}
