// SPDX-License-Identifier: Apache-2.0
/** A loop whose objects only the frames of seldom calls name. An agent that may read locals only comes in one of these calls: what it stores into such an object, the
 * loop finds there; and so in later ones. */
public class Lent {
    static final class Pair {
        int a;
        final int b;
        Pair(int a, int b) { this.a = a; this.b = b; }
    }
    static int n;
    /** Sets a of the object in local 3 of the frame `depth` above to `to`; what it was. */
    static native int look(int depth, int to);

    static void aside(int i, int deep) {
        n += i;
        if (deep > 0) {
            n ^= deep;
            aside(i, deep - 1);
        } else if (i == 400_000 || i == 800_000) {
            System.out.println("was " + look(5, -i));
        }
    }

    static long loop(int turns) {
        long sum = 0; // locals 1 and 2
        for (Pair p = new Pair(1, 0); p.b < turns; p = new Pair(p.a + 1, p.b + 1)) {
            if (p.b % 10_000 == 0) aside(p.b, 3);
            sum += p.a;
        }
        return sum;
    }

    public static void main(String[] a) {
        for (int i = 0; i < 20; i++) loop(100_000);
        for (int i = 0; i < 3; i++) System.out.println(loop(1_000_000));
    }
}
