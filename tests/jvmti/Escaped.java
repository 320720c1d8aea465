// SPDX-License-Identifier: Apache-2.0
/** A loop whose objects nobody else has: what an agent finds in its locals while it is suspended, and that what the agent changes there is seen by the loop. */
public class Escaped {
    static final class Pair {
        int a, b;
        Pair other;
        Pair(int a, int b) { this.a = a; this.b = b; }
    }
    static volatile boolean stop;
    static volatile int turns;
    /** Suspends t, looks at locals 1 and 2 of its youngest frame, sets a of the second to n, resumes.  0: all was as it should be. */
    static native int look(Thread t, int n);

    static int spin(int start) {
        Pair p = new Pair(start, -start), q = new Pair(1, 2);
        p.other = q;
        q.other = p;
        int n = 0;
        while (!stop) {
            p.a++;
            p.b--;
            turns = ++n;
            if (p.other.other != p) return -1;
        }
        return p.a + p.b + q.a;
    }

    public static void main(String[] a) throws Exception {
        for (int round = 1; round <= 4; round++) {
            int start = round;
            int[] result = new int[1];
            turns = 0;
            stop = false;
            Thread t = new Thread(() -> result[0] = spin(start));
            t.start();
            for (int look = 1; look <= 3; look++) {
                int from = turns;
                while (turns - from < 400_000) Thread.sleep(1);
                int found = look(t, 1000 * round + look);
                if (found != 0) System.out.println("found " + found);
            }
            int from = turns;
            while (turns == from) Thread.sleep(1);
            stop = true;
            t.join();
            System.out.println("round " + round + ": " + result[0]);
        }
    }
}
