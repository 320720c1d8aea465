// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2
/** Quotients and remainders by constants, which compiled code gets without dividing; switches by tables and by search. */
public class Constants {
    static int q0(int x) { return x / 1 + 31 * (x % 1); }
    static int q1(int x) { return x / 2 + 31 * (x % 2); }
    static int q2(int x) { return x / 3 + 31 * (x % 3); }
    static int q3(int x) { return x / 4 + 31 * (x % 4); }
    static int q4(int x) { return x / 5 + 31 * (x % 5); }
    static int q5(int x) { return x / 6 + 31 * (x % 6); }
    static int q6(int x) { return x / 7 + 31 * (x % 7); }
    static int q7(int x) { return x / 8 + 31 * (x % 8); }
    static int q8(int x) { return x / 9 + 31 * (x % 9); }
    static int q9(int x) { return x / 10 + 31 * (x % 10); }
    static int q10(int x) { return x / 11 + 31 * (x % 11); }
    static int q11(int x) { return x / 12 + 31 * (x % 12); }
    static int q12(int x) { return x / 13 + 31 * (x % 13); }
    static int q13(int x) { return x / 25 + 31 * (x % 25); }
    static int q14(int x) { return x / 60 + 31 * (x % 60); }
    static int q15(int x) { return x / 64 + 31 * (x % 64); }
    static int q16(int x) { return x / 100 + 31 * (x % 100); }
    static int q17(int x) { return x / 125 + 31 * (x % 125); }
    static int q18(int x) { return x / 127 + 31 * (x % 127); }
    static int q19(int x) { return x / 128 + 31 * (x % 128); }
    static int q20(int x) { return x / 255 + 31 * (x % 255); }
    static int q21(int x) { return x / 256 + 31 * (x % 256); }
    static int q22(int x) { return x / 641 + 31 * (x % 641); }
    static int q23(int x) { return x / 1000 + 31 * (x % 1000); }
    static int q24(int x) { return x / 1023 + 31 * (x % 1023); }
    static int q25(int x) { return x / 1024 + 31 * (x % 1024); }
    static int q26(int x) { return x / 3600 + 31 * (x % 3600); }
    static int q27(int x) { return x / 4095 + 31 * (x % 4095); }
    static int q28(int x) { return x / 10007 + 31 * (x % 10007); }
    static int q29(int x) { return x / 65535 + 31 * (x % 65535); }
    static int q30(int x) { return x / 65536 + 31 * (x % 65536); }
    static int q31(int x) { return x / 65537 + 31 * (x % 65537); }
    static int q32(int x) { return x / 86400 + 31 * (x % 86400); }
    static int q33(int x) { return x / 1000000 + 31 * (x % 1000000); }
    static int q34(int x) { return x / 1048576 + 31 * (x % 1048576); }
    static int q35(int x) { return x / 16777213 + 31 * (x % 16777213); }
    static int q36(int x) { return x / 123456789 + 31 * (x % 123456789); }
    static int q37(int x) { return x / 536870913 + 31 * (x % 536870913); }
    static int q38(int x) { return x / 1073741824 + 31 * (x % 1073741824); }
    static int q39(int x) { return x / 1073741825 + 31 * (x % 1073741825); }
    static int q40(int x) { return x / 2147483629 + 31 * (x % 2147483629); }
    static int q41(int x) { return x / 2147483647 + 31 * (x % 2147483647); }
    static int q42(int x) { return x / -1 + 31 * (x % -1); }
    static int q43(int x) { return x / -2 + 31 * (x % -2); }
    static int q44(int x) { return x / -3 + 31 * (x % -3); }
    static int q45(int x) { return x / -7 + 31 * (x % -7); }
    static int q46(int x) { return x / -8 + 31 * (x % -8); }
    static int q47(int x) { return x / -10 + 31 * (x % -10); }
    static int q48(int x) { return x / -1000 + 31 * (x % -1000); }
    static int q49(int x) { return x / -2147483648 + 31 * (x % -2147483648); }
    static long l0(long x) { return x / 2L + 31 * (x % 2L); }
    static long l1(long x) { return x / 3L + 31 * (x % 3L); }
    static long l2(long x) { return x / 8L + 31 * (x % 8L); }
    static long l3(long x) { return x / 10L + 31 * (x % 10L); }
    static long l4(long x) { return x / 64L + 31 * (x % 64L); }
    static long l5(long x) { return x / 1000L + 31 * (x % 1000L); }
    static long l6(long x) { return x / 1048576L + 31 * (x % 1048576L); }
    static long l7(long x) { return x / 1073741824L + 31 * (x % 1073741824L); }
    static long l8(long x) { return x / 2147483648L + 31 * (x % 2147483648L); }
    static long l9(long x) { return x / 1099511627776L + 31 * (x % 1099511627776L); }
    static long l10(long x) { return x / -2L + 31 * (x % -2L); }
    static long l11(long x) { return x / -8L + 31 * (x % -8L); }
    static long l12(long x) { return x / 7L + 31 * (x % 7L); }
    static int both(int x, int y) { return (x + y) / 7 * ((x - y) % 8) + (x ^ y) / (y | 1) - (x / 16) / ((y & 15) + 1); }
    static int dense(int k, int x) {
        int r = x;
        switch (k) {
            case -3: r += 1; break;
            case -2: r += 2;
            case -1: r *= 3; break;
            case 0: return r;
            case 1: case 4: r -= 4; break;
            case 2: r = ~r; break;
            case 5: while (r > 10) r -= 7; break;
            case 7: throw new IllegalStateException("k " + k + " x " + x);
            default: r = -r;
        }
        return r * 2 + k;
    }
    static int edges(int k) {
        switch (k) {
            case Integer.MIN_VALUE: return 1;
            case Integer.MIN_VALUE + 1: return 2;
            case Integer.MIN_VALUE + 2: return 3;
            case Integer.MIN_VALUE + 3: return 4;
            case Integer.MIN_VALUE + 5: return 5;
            default: return 6;
        }
    }
    static int top(int k) {
        switch (k) {
            case Integer.MAX_VALUE - 6: return 1;
            case Integer.MAX_VALUE - 4: return 2;
            case Integer.MAX_VALUE - 3: return 3;
            case Integer.MAX_VALUE - 1: return 4;
            case Integer.MAX_VALUE: return 5;
            default: return 6;
        }
    }
    static int sparse(int k) {
        switch (k) {
            case -2000000000: return 1;
            case -5: return 2;
            case 0: return 3;
            case 100: return 4;
            case 70000: return 5;
            case 2000000000: return 6;
            default: return 7;
        }
    }
    /** A loop whose head is where cases lead back to. */
    static long machine(int[] code) {
        long a = 1, steps = 0;
        int pc = 0;
        double d = 0.5;
        while (true) {
            steps++;
            switch (code[pc++]) {
                case 0: a += 3; continue;
                case 1: a *= 5; break;
                case 2: a ^= steps; continue;
                case 3: d += a; break;
                case 4: if (steps < 1000) pc = 0; break;
                case 5: return a + (long) d;
                default: a--;
            }
            a &= 0xffffff;
        }
    }
    static int from(String s) { return s.hashCode(); }

    public static void main(String[] args) {
        int[] xs = {0, 1, -1, 2, -2, 3, -3, 6, 7, 8, -7, -8, -9, 15, 16, 17, 99, 100, 101, -100, 255, 256, 1023, -1024, 65535, -65536, 1000003, -1000003,
                    Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE - 1, Integer.MIN_VALUE + 1, 1 << 30, -(1 << 30), 0x55555555, 0xaaaaaaaa};
        int seed = 12345, sum = 0;
        long sums = 0;
        int[] all = java.util.Arrays.copyOf(xs, 3000);
        for (int i = xs.length; i < all.length; i++) all[i] = (seed = seed * 1103515245 + 12345) >> (i % 31);
        sum = 0; for (int x : all) sum = sum * 31 + q0(x); System.out.println("by 1: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q1(x); System.out.println("by 2: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q2(x); System.out.println("by 3: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q3(x); System.out.println("by 4: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q4(x); System.out.println("by 5: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q5(x); System.out.println("by 6: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q6(x); System.out.println("by 7: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q7(x); System.out.println("by 8: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q8(x); System.out.println("by 9: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q9(x); System.out.println("by 10: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q10(x); System.out.println("by 11: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q11(x); System.out.println("by 12: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q12(x); System.out.println("by 13: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q13(x); System.out.println("by 25: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q14(x); System.out.println("by 60: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q15(x); System.out.println("by 64: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q16(x); System.out.println("by 100: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q17(x); System.out.println("by 125: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q18(x); System.out.println("by 127: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q19(x); System.out.println("by 128: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q20(x); System.out.println("by 255: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q21(x); System.out.println("by 256: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q22(x); System.out.println("by 641: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q23(x); System.out.println("by 1000: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q24(x); System.out.println("by 1023: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q25(x); System.out.println("by 1024: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q26(x); System.out.println("by 3600: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q27(x); System.out.println("by 4095: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q28(x); System.out.println("by 10007: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q29(x); System.out.println("by 65535: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q30(x); System.out.println("by 65536: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q31(x); System.out.println("by 65537: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q32(x); System.out.println("by 86400: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q33(x); System.out.println("by 1000000: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q34(x); System.out.println("by 1048576: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q35(x); System.out.println("by 16777213: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q36(x); System.out.println("by 123456789: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q37(x); System.out.println("by 536870913: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q38(x); System.out.println("by 1073741824: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q39(x); System.out.println("by 1073741825: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q40(x); System.out.println("by 2147483629: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q41(x); System.out.println("by 2147483647: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q42(x); System.out.println("by -1: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q43(x); System.out.println("by -2: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q44(x); System.out.println("by -3: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q45(x); System.out.println("by -7: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q46(x); System.out.println("by -8: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q47(x); System.out.println("by -10: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q48(x); System.out.println("by -1000: " + sum);
        sum = 0; for (int x : all) sum = sum * 31 + q49(x); System.out.println("by -2147483648: " + sum);
        sums = 0; for (int x : all) sums = sums * 31 + l0((long) x * 1234567891 + x) + l0(x); System.out.println("by 2L: " + sums);
        sums = 0; for (int x : all) sums = sums * 31 + l1((long) x * 1 + x) + l1(x); System.out.println("by 3L: " + sums);
        sums = 0; for (int x : all) sums = sums * 31 + l2((long) x * 1234567891 + x) + l2(x); System.out.println("by 8L: " + sums);
        sums = 0; for (int x : all) sums = sums * 31 + l3((long) x * 1 + x) + l3(x); System.out.println("by 10L: " + sums);
        sums = 0; for (int x : all) sums = sums * 31 + l4((long) x * 1234567891 + x) + l4(x); System.out.println("by 64L: " + sums);
        sums = 0; for (int x : all) sums = sums * 31 + l5((long) x * 1 + x) + l5(x); System.out.println("by 1000L: " + sums);
        sums = 0; for (int x : all) sums = sums * 31 + l6((long) x * 1234567891 + x) + l6(x); System.out.println("by 1048576L: " + sums);
        sums = 0; for (int x : all) sums = sums * 31 + l7((long) x * 1 + x) + l7(x); System.out.println("by 1073741824L: " + sums);
        sums = 0; for (int x : all) sums = sums * 31 + l8((long) x * 1234567891 + x) + l8(x); System.out.println("by 2147483648L: " + sums);
        sums = 0; for (int x : all) sums = sums * 31 + l9((long) x * 1 + x) + l9(x); System.out.println("by 1099511627776L: " + sums);
        sums = 0; for (int x : all) sums = sums * 31 + l10((long) x * 1234567891 + x) + l10(x); System.out.println("by -2L: " + sums);
        sums = 0; for (int x : all) sums = sums * 31 + l11((long) x * 1 + x) + l11(x); System.out.println("by -8L: " + sums);
        sums = 0; for (int x : all) sums = sums * 31 + l12((long) x * 1234567891 + x) + l12(x); System.out.println("by 7L: " + sums);
        sum = 0;
        for (int x : all) sum = sum * 31 + both(x, sum);
        System.out.println("both " + sum);
        for (int k = -6; k < 12; k++)
            for (int t = 0; t < 4; t++)
                try { sum = sum * 31 + dense(k, t * 9); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
        for (int t = 0; t < 3; t++)
            for (int x : xs)
                for (int k = -6; k < 7; k++) sum = sum * 31 + dense(x + k == 7 ? 8 : x + k, x) + edges(x + k) + top(x + k) + sparse(x + k);
        for (int t = 0; t < 3; t++)
            for (int k : new int[] {-2000000000, -5, 0, 100, 70000, 2000000000, -4, 99}) sum = sum * 31 + sparse(k);
        System.out.println("switches " + sum);
        for (int t = 0; t < 5; t++) System.out.println(machine(new int[] {0, 1, 2, 3, 6, 4, 5}));
    }
}
