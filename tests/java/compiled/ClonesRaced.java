// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=20 -XX:CompileCommand=quiet -XX:CompileCommand=dontinline,ClonesRaced::other

/** Who copies an array that another thread writes looks at the copy as often as he likes, and sees the same each time. */
public class ClonesRaced {
    static final int[] shared = new int[4];
    static volatile boolean done;
    static Object kept;

    static void other(int i) {
        if (i < 0) kept = new Object[i];
    }

    static boolean same(int[] a, int i, int k) {
        int[] own = a.clone();
        int first = own[k];
        other(i);
        return first == own[k];
    }

    static boolean checked(int[] a) {
        int[] own = a.clone();
        int sum = 0;
        for (int i = 0; i < own.length; i++) sum += own[i];
        for (int i = 0; i < own.length; i++) sum -= own[i];
        return sum == 0;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            for (int i = 0; !done; i++) shared[i & 3] = i;
        });
        writer.start();
        int differ = 0;
        for (int i = 0; i < 400000; i++) {
            if (!same(shared, i, i & 3)) differ++;
            if (!checked(shared)) differ++;
        }
        done = true;
        writer.join();
        System.out.println(differ);
    }
}
