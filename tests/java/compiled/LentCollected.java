// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:CompileCommand=quiet -XX:CompileCommand=dontinline,LentCollected.first -XX:CompileCommand=dontinline,LentCollected.second -XX:CompileCommand=dontinline,LentCollected.between -XX:+OptimizeAll -XX:CompileThreshold=10 -Xbatch -XX:GCStressInterval=3
// modes: !gcstress !gcoften !compact
/** An object that only frames of calls name is there for the second of them, when memory was collected in between to make another one. */
public class LentCollected {
    static final class Pair {
        int x, y;
        Pair(int x) {
            this.x = x;
            this.y = ~x;
        }
    }
    static final class Other {
        int p = 0x11111111, q = 0x22222222;
    }
    static volatile boolean fails;
    static int sink;
    static Other kept;
    static Object[] others = new Object[4];

    static void first(int i) { sink += i; }
    static void second(int i) {
        sink += i;
        for (int k = 0; k < 4; k++) others[k] = new Other(); /* where it lay, if it is gone */
        if (fails) throw new IllegalStateException();
    }

    static int between(int i) {
        Pair pair = new Pair(i);
        if ((i & 15) == 3) {
            first(i);
            kept = new Other();
            i++;
            try {
                second(i);
            } catch (IllegalStateException e) {
                if (pair.x != i - 1 || pair.y != ~pair.x) System.out.println(pair.getClass() + " " + pair.x + " " + pair.y + ", not " + (i - 1));
                return pair.x;
            }
            return pair.x + pair.y;
        }
        return pair.x * 3;
    }

    public static void main(String[] args) {
        long sum = 0;
        for (int i = 0; i < 400; i++) sum += between(i);
        fails = true;
        for (int i = 0; i < 40; i++) sum += between(3 + 16 * i);
        System.out.println(sum + " " + sink);
    }
}
