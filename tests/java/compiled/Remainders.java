// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:CompileThreshold=20

/** x / y beside x % y, in both orders, on one way of several, in loops, by constants and by 0. */
public class Remainders {
    static long both(long x, long y) { return x / y * 31 + x % y; }
    static long turned(long x, long y) { return x % y * 31 + x / y; }
    static int both(int x, int y) { return x / y * 31 + x % y; }
    static int turned(int x, int y) { return x % y * 31 + x / y; }

    static long onOneWay(long x, long y, boolean up) {
        long q = x / y;
        if (!up) return q;
        long r = x % y;
        return r == 0 ? q : q + (r < 0 == y < 0 ? 1 : -1);
    }
    static int divisionLater(int x, int y, boolean more) {
        int r = x % y;
        if (!more) return r;
        return r + x / y;
    }
    static int apart(int x, int y, boolean first) { return first ? x / y : x % y + 7; }

    static int digits(int x) {
        int sum = 0;
        while (x != 0) {
            sum = sum * 3 + x % 10;
            x /= 10;
        }
        return sum;
    }
    static long digits(long x) {
        long sum = 0;
        do {
            long q = x / 10;
            sum = sum * 3 + (int) (x - q * 10) + x % 10;
            x = q;
        } while (x != 0);
        return sum;
    }
    static int negative(int x) { return x / -7 + x % -7 * 5; }
    static int eight(int x) { return x / 8 + x % 8 * 5; }
    static final int[] TABLE = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    static int indexed(int x) { return TABLE[x % 10] + x / 10; }
    static int hashed(int[] table, int h) { return table[h % table.length] + h / table.length; }
    static int invariant(int x, int y, int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += (x + i) / y ^ x % y ^ (x + i) % y ^ x / y;
        return sum;
    }

    static String fails(Runnable r) {
        try {
            r.run();
            return "none";
        } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) {
            return e.getMessage() + " " + e.getStackTrace()[0];
        }
    }

    public static void main(String[] args) {
        int[] ints = {0, 1, -1, 2, -2, 3, 7, -7, 10, 99, 100, 12345, -12345, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE + 1};
        long[] longs = {0, 1, -1, 2, -3, 10, 1000000007L, -1000000007L, 1L << 31, 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1, Integer.MIN_VALUE};
        long sum = 0;
        for (int round = 0; round < 60; round++) {
            for (int x : ints) {
                sum = sum * 7 + digits(x) + negative(x) + eight(x);
                if (x >= 0) sum = sum * 7 + indexed(x) + hashed(TABLE, x);
                for (int y : ints) {
                    if (y == 0) continue;
                    sum = sum * 7 + both(x, y) + turned(x, y) * 3 + divisionLater(x, y, (round & 3) == 0) + apart(x, y, (round & 1) == 0) + invariant(x, y, 3);
                }
            }
            for (long x : longs) {
                sum = sum * 7 + digits(x);
                for (long y : longs)
                    if (y != 0) sum = sum * 7 + both(x, y) + turned(x, y) * 3 + onOneWay(x, y, (round & 3) != 1);
            }
            if (round % 20 == 19) System.out.println(sum);
        }
        System.out.println(both(Long.MIN_VALUE, -1L) + " " + turned(Integer.MIN_VALUE, -1));
        System.out.println(fails(() -> both(1, 0)));
        System.out.println(fails(() -> turned(1L, 0L)));
        System.out.println(fails(() -> divisionLater(1, 0, true)));
        System.out.println(fails(() -> onOneWay(1, 0, true)));
        System.out.println(fails(() -> indexed(-3)));
        System.out.println(fails(() -> hashed(new int[0], 3)));
    }
}
