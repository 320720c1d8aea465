// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:CompileThreshold=20 -XX:-OmitStackTraceInFastThrow

/** Monitors that each turn of a loop takes: turns are put in a row and keep them; who throws, leaves, waits or looks finds them as they are. */
public class LocksOfTurns {
    int n, m;
    int[] data = new int[16];

    synchronized void inc() { n++; }
    synchronized int at(int i) { return data[i]; }
    synchronized void set(int i, int x) { data[i] = x; m++; }
    synchronized int divided(int x, int y) { return x / y + n; }
    synchronized void twice() { inc(); inc(); }
    static int shared;
    static synchronized void count() { shared++; }

    static void incs(LocksOfTurns o, int k) {
        for (int i = 0; i < k; i++) o.inc();
    }
    static int sums(LocksOfTurns o, int k) {
        int sum = 0;
        for (int i = 0; i < k; i++) sum += o.at(i & 15);
        return sum;
    }
    /** Leaves in the middle of turns that were put in a row. */
    static int fails(LocksOfTurns o, int k) {
        int sum = 0;
        try {
            for (int i = 0; i < k; i++) sum += o.at(i);
        } catch (ArrayIndexOutOfBoundsException e) {
            sum += Thread.holdsLock(o) ? 1000000 : e.getMessage().length();
        }
        return sum;
    }
    static int divides(LocksOfTurns o, int k) {
        int sum = 0;
        try {
            for (int i = 0; i < k; i++) sum += o.divided(i, 9 - i);
        } catch (ArithmeticException e) {
            sum += Thread.holdsLock(o) ? 1000000 : e.getMessage().length();
        }
        return sum;
    }
    static void both(LocksOfTurns a, LocksOfTurns b, int k) {
        for (int i = 0; i < k; i++) {
            a.inc();
            b.set(i & 15, i);
        }
    }
    static void nested(LocksOfTurns o, int k) {
        for (int i = 0; i < k; i++) o.twice();
    }
    static void counts(int k) {
        for (int i = 0; i < k; i++) count();
    }
    static void held(LocksOfTurns o, int k) {
        synchronized (o) {
            for (int i = 0; i < k; i++) o.inc();
        }
    }
    /* Blocks. */
    static void blocks(LocksOfTurns o, int k) {
        for (int i = 0; i < k; i++)
            synchronized (o) { o.n++; }
    }
    static int caughtInBlocks(LocksOfTurns o, int[] data, int k) {
        int sum = 0, i = 0;
        try {
            for (i = 0; i < k; i++)
                synchronized (o) { sum += data[i]; o.m++; }
        } catch (ArrayIndexOutOfBoundsException e) {
            sum += Thread.holdsLock(o) ? 1000000 : e.getMessage().length() + i;
        }
        return sum;
    }
    static int leftBlocks(LocksOfTurns o, int[] data, int k, int x) {
        for (int i = 0; i < k; i++)
            synchronized (o) {
                if (data[i & 15] == x) return i;
                o.m++;
            }
        return -1;
    }
    static void blocksInBlocks(LocksOfTurns a, LocksOfTurns b, int k) {
        for (int i = 0; i < k; i++)
            synchronized (a) {
                a.n++;
                synchronized (b) { b.n += i; }
            }
    }
    static void blocksInTurn(LocksOfTurns a, LocksOfTurns b, int k) {
        for (int i = 0; i < k; i++) {
            synchronized (a) { a.n++; }
            synchronized (b) { b.n += i; }
            synchronized (a) { a.m--; }
        }
    }
    static void blocksAndBodies(LocksOfTurns o, int k) {
        for (int i = 0; i < k; i++) {
            synchronized (o) { o.inc(); }
            o.inc();
        }
    }

    static int together(int threads, int each) throws Exception {
        LocksOfTurns o = new LocksOfTurns(), p = new LocksOfTurns();
        Thread[] all = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            int me = t;
            (all[t] = new Thread(() -> {
                for (int round = 0; round < 20; round++) {
                    incs(o, each);
                    both((me & 1) == 0 ? o : p, p, each);
                    nested(p, each);
                    counts(each);
                    blocks(o, each);
                    blocksInBlocks(o, p, each);
                    blocksInTurn((me & 1) == 0 ? o : p, p, each);
                    blocksAndBodies(o, each);
                }
            })).start();
        }
        for (Thread t : all) t.join();
        return o.n * 3 + p.n + p.m;
    }

    public static void main(String[] args) throws Exception {
        LocksOfTurns o = new LocksOfTurns(), p = new LocksOfTurns();
        for (int i = 0; i < 16; i++) o.data[i] = i * i;
        long sum = 0;
        for (int round = 0; round < 3000; round++) {
            incs(o, round % 23);
            sum = sum * 31 + sums(o, round % 40) + fails(o, round % 20) + divides(o, round % 12);
            both(o, p, round % 9);
            both(p, p, round % 7);
            nested(p, round % 11);
            counts(round % 13);
            held(p, round % 10);
            blocks(o, round % 21);
            sum = sum * 31 + caughtInBlocks(o, o.data, round % 20) + leftBlocks(p, o.data, round % 30, round % 17 * (round % 17));
            blocksInBlocks(o, p, round % 19);
            blocksInBlocks(p, p, round % 18);
            blocksInTurn(o, p, round % 9);
            blocksInTurn(p, p, round % 8);
            blocksAndBodies(o, round % 15);
            if (Thread.holdsLock(o) || Thread.holdsLock(p)) throw new AssertionError("held in round " + round);
        }
        System.out.println(sum + " " + o.n + " " + p.n + " " + p.m + " " + shared);
        try {
            incs(null, 5);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            blocks(null, 5);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        for (int i = 0; i < 4; i++) System.out.println(together(3, 500));
        System.out.println(shared);
    }
}
