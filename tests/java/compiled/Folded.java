// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=2
/* What is known when code is made: static finals, comparisons of them, divisions by constants. */
public class Folded {
    static final boolean YES = Boolean.parseBoolean("true"), NO = !YES;
    static final byte B = (byte) Integer.parseInt("-7");
    static final char C = "\uffee".charAt(0);
    static final short S = Short.parseShort("-30000");
    static final int I = Integer.parseInt("-123456789");
    static final long L = Long.parseLong("-1234567890123456789");
    static final float F = Float.parseFloat("-0.0");
    static final double D = Double.parseDouble("NaN"), E = Double.parseDouble("2.5");
    static class Early { /* its code is made while the class is initialized */
        static final int LATE;
        static int seen;
        static { for (int k = 0; k < 200; k++) seen += look(); LATE = 42; for (int k = 0; k < 200; k++) seen += look(); }
        static int look() { return LATE; }
    }

    static String all(int k) {
        StringBuilder b = new StringBuilder();
        b.append(YES).append(NO).append(B).append(C).append(S).append(I).append(' ').append(L).append(F).append(D).append(E * k);
        return b.append(YES ? k : -k).append(NO ? k : -k).append(B + k).append(C * k).append(S << k).append(1 / F).append(L % 1000 * k).toString();
    }
    static int branches(int k) {
        int r = 0;
        if (YES) r += k; else r -= call(k);
        if (NO) r *= call(r); else if (B < -8) r = -1;
        if (I == -123456789 && S > 0) r += 1000;
        while (NO) r++;
        do { r += 3; if (YES && r > 20) break; } while (YES);
        for (int i = 0; YES; i++) { if (i > k) break; r += C > 5 ? i : call(i); }
        switch (B) { case -7: r += 7; break; default: r = 0; }
        return (L < 0 ? D != D ? r : 1 : 2) + (E > 2 ? 5 : call(6)) + (F == 0 ? 1 : 0);
    }
    static int call(int x) { return x * 31; }
    static boolean on() { return YES; }
    static int inlined(int k) { return on() ? k : call(k); }

    static long divided(long x) {
        return x / 3 + 3 * (x / 5) + 5 * (x / 7) + 7 * (x / 10) + 11 * (x / 100) + 13 * (x / 1000) + 17 * (x / 641) + 19 * (x / 1000000000) + 23 * (x / 2147483647)
            + 29 * (x / 65537) + 31 * (x / 6) + 37 * (x / 1431655765) + 41 * (x / 1073741825);
    }
    static long remainders(long x) {
        return x % 3 + 3 * (x % 5) + 5 * (x % 7) + 7 * (x % 10) + 11 * (x % 100) + 13 * (x % 1000) + 17 * (x % 641) + 19 * (x % 1000000000) + 23 * (x % 2147483647)
            + 29 * (x % 65537) + 31 * (x % 6) + 37 * (x % 1431655765) + 41 * (x % 1073741825);
    }
    static long byInts(int x) { return x / 3 + 5L * (x % 7) + 7L * (x / 1000003) + 11L * (x % 2147483647) + 13L * (x / 641); }
    static long pressed(long a, long b, long c, long d) { return (a + 1) - ((b + 2) ^ ((c + 3) - ((d + 4) * ((a + 5) / 7 + ((b + 6) % 10 - (c * d) / 1000))))); }

    public static void main(String[] args) {
        long x = 1, hash = 0;
        for (int k = 0; k < 60; k++) {
            System.out.println(all(k) + " " + branches(k) + " " + inlined(k) + " " + Early.seen + Early.look());
            long[] some = {x, -x, Long.MAX_VALUE - k, Long.MIN_VALUE + k, (1L << k) - 1, 1L << k, -(1L << k) - 1, k - 30, Integer.MIN_VALUE + (long) k, 2147483647L * k};
            for (long v : some) {
                hash = hash * 31 + divided(v) + 7 * remainders(v) + byInts((int) v) + pressed(v, x, k, v ^ x);
                System.out.print(divided(v) + " " + remainders(v) + " ");
            }
            System.out.println(hash);
            x = x * 6364136223846793005L + 1442695040888963407L;
        }
    }
}
