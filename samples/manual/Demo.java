// SPDX-License-Identifier: Apache-2.0
/** The class that the manual's examples read and change. */
public class Demo {
    static int total;
    int n;

    static int sum(int[] a) {
        int s = 0;
        for (int x : a) {
            if (x > 0)
                s += x;
            else
                s--;
        }
        return s;
    }

    String name(Object o) {
        try {
            return o.toString();
        } catch (RuntimeException e) {
            return null;
        }
    }

    int kind(int k) {
        switch (k) {
        case 1: return 10;
        case 2: return 20;
        default: return n;
        }
    }

    static native long length(String s);

    @Deprecated(since = "2", forRemoval = true)
    static <T extends Comparable<? super T>> T first(java.util.List<T> list) {
        return new java.util.ArrayList<>(list).get(0);
    }
}
