// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=20

import java.util.Arrays;

/** Copies of arrays of which an element or the length alone is wanted need not be made; what is stored before or behind, into copy or original, is seen where it should be. */
public class ClonesLooked {
    enum Color {
        RED, GREEN, BLUE;
        Color next() { return values()[(ordinal() + 1) % values().length]; }
    }

    static int[] numbers = {1, 2, 3, 4, 5};
    static Object kept;

    static int element(int[] a, int i) { return a.clone()[i]; }
    static int length(int[] a) { return a.clone().length; }
    static Color named(int i) { return Color.values()[i]; }

    static int original(int[] a, int i, int j) {
        int[] b = a.clone();
        a[j] = 100 + i;
        return b[i] * 1000 + a[i];
    }

    static int copy(int[] a, int i, int j) {
        int[] b = a.clone();
        b[j] = 200 + i;
        return b[i] * 1000 + a[i];
    }

    static int between(int[] a, int i, int j) {
        int[] b = a.clone();
        int x = b[i];
        a[j]++;
        int y = b[i];
        b[j] = 7;
        return x * 10000 + y * 100 + b[i];
    }

    static int twice(int[] a, int i) {
        int[] b = a.clone(), c = b.clone();
        b[i]++;
        return c[i] * 100 + b[i] * 10 + c.clone().length;
    }

    static int onAWay(int[] a, int i, boolean store) {
        int[] b = a.clone();
        if (store) a[i] = -a[i];
        return b[i] - a[i];
    }

    static int seen(int[] a, int i) {
        int[] b = a.clone();
        kept = i % 3 == 0 ? b : null;
        return b[i] + b.length;
    }

    static int inTurns(int[] a) {
        int sum = 0;
        for (int i = 0; i < a.clone().length; i++) {
            int[] b = a.clone();
            a[i] += sum & 3;
            sum += b[i] * 3 + a.clone()[i];
        }
        return sum;
    }

    static String strings(String[] s, int i) {
        String[] t = s.clone();
        String was = t[i];
        s[i] = was + "'";
        return was + t[i] + s.clone()[i].charAt(0);
    }

    static String tried(int[] a, int i) {
        try {
            return "" + element(a, i) + length(a);
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName() + " " + e.getMessage() + " " + e.getStackTrace()[0].getMethodName();
        }
    }

    public static void main(String[] args) {
        long all = 0;
        Color c = Color.RED;
        for (int i = 0; i < 20000; i++) {
            int[] a = numbers.clone();
            int k = i % 5, j = i % 7 % 5;
            all = all * 31 + element(a, k) + length(a) + original(a, k, j) + copy(a, k, j) + between(a, j, k);
            all = all * 31 + twice(a, k) + onAWay(a, k, i % 4 == 0) + seen(a, k) + inTurns(a) + Arrays.hashCode(a);
            all = all * 31 + strings(new String[] {"a", "b", "c"}, i % 3).hashCode();
            all = all * 31 + (c = c.next()).ordinal() + named(i % 3).name().length();
            if (kept != null) all += ((int[]) kept)[k];
            if (i % 4000 == 3999) System.out.println(all + " " + c);
        }
        for (int i = 0; i < 200; i++) all += (tried(numbers, 5) + tried(numbers, -1) + tried(null, 0)).hashCode();
        System.out.println(all + tried(numbers, 5) + tried(numbers, -1) + tried(null, 0));
        try {
            named(3);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage() + " " + e.getStackTrace()[0].getMethodName());
        }
    }
}
