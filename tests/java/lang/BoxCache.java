// SPDX-License-Identifier: Apache-2.0
// options: -XX:AutoBoxCacheMax=190
/** As many boxes are shared as the command line says. */
public class BoxCache {
    static boolean shared(int n) { return Integer.valueOf(n) == Integer.valueOf(n); }

    public static void main(String[] args) {
        for (int n : new int[] {-129, -128, 127, 128, 190, 191, 1000}) System.out.println(n + " " + shared(n));
        int count = 0;
        for (int i = 0; i < 200000; i++)
            if (shared(i % 400 - 200)) count++;
        System.out.println(count + " " + System.getProperty("java.lang.Integer.IntegerCache.high"));
    }
}
