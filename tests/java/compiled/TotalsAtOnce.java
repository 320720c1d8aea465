// SPDX-License-Identifier: Apache-2.0
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Loops that make totals of arrays, arithmetic on bytes, chars and shorts, roots and signs: lengths around what fits, polls in their midst, and loops that look
 * at a total where several turns at once do not have it. Once more in a VM whose vectors have 16 bytes.
 */
public class TotalsAtOnce {
    static int sum(int[] a, int from, int to, int s) { for (int i = from; i < to; i++) s += a[i]; return s; }
    static int less(int[] a, int n, int s) { for (int i = 0; i < n; i++) s -= a[i] ^ 5; return s; }
    static long longs(long[] a, int n) { long s = 7; for (int i = 0; i < n; i++) s += a[i] << 1; return s; }
    static long lessLongs(long[] a, long[] b, int n) { long s = 7; for (int i = 0; i < n; i++) s = s - (a[i] & b[i]); return s; }
    static int dot(int[] a, int[] b, int n) { int s = 0; for (int i = 0; i < n; i++) s = a[i] * b[i] + s; return s; }
    static int product(int[] a, int n) { int s = 1; for (int i = 0; i < n; i++) s *= a[i] | 1; return s; }
    static int and(int[] a, int n) { int s = -1; for (int i = 0; i < n; i++) s &= a[i] | 0x11; return s; }
    static long or(long[] a, int n) { long s = 0; for (int i = 0; i < n; i++) s |= a[i] >>> 9; return s; }
    static long xor(long[] a, long x, int n) { for (int i = 0; i < n; i++) x ^= a[i]; return x; }
    static int two(int[] a, int[] b, int n) {
        int s = 0, t = 0;
        for (int i = 0; i < n; i++) {
            s += a[i];
            t ^= b[i] - 3;
        }
        return s * 31 + t;
    }
    static int three(int[] a, int n) {
        int s = 0, t = 0, u = 1;
        for (int i = 0; i < n; i++) {
            s += a[i];
            t ^= a[i];
            u *= a[i] | 1;
        }
        return s * 31 + t + u;
    }
    static int both(int[] a, int[] b, int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            b[i] = a[i] + 3;
            s += b[i];
        }
        return s;
    }
    static int prefix(int[] a, int[] b, int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            s += a[i];
            b[i] = s;
        }
        return s;
    }
    static int twice(int[] a, int n) { int s = 0; for (int i = 0; i < n; i++) s += s + a[i]; return s; }
    static int crossed(int[] a, int n) {
        int s = 0, t = 1;
        for (int i = 0; i < n; i++) {
            int was = s;
            s += a[i];
            t += was;
        }
        return s ^ t;
    }
    static int ofCounter(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
    static int last(int[] a, int n) { int s = 0, l = 0; for (int i = 0; i < n; i++) { l = a[i]; s += l; } return s + l; }
    static double inOrder(double[] a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
    static long ofInts(int[] a, int n) { long s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
    static int ofBytes(byte[] a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
    static int until(int[] a, int n, int end) { int s = 0; for (int i = 0; i < n; i++) { if (a[i] == end) break; s += a[i]; } return s; }
    static int greatest(int[] a, int n, int m) { for (int i = 0; i < n; i++) m = Math.max(m, a[i]); return m; }
    static int least(int[] a, int n) { int m = 1 << 30; for (int i = 0; i < n; i++) if (a[i] < m) m = a[i]; return m; }
    static int greatestOfSums(int[] a, int[] b, int n) { int m = Integer.MIN_VALUE; for (int i = 0; i < n; i++) { int s = a[i] + b[i]; if (m <= s) m = s; } return m; }
    static int span(int[] a, int n) {
        int lo = Integer.MAX_VALUE, hi = Integer.MIN_VALUE;
        for (int i = 0; i < n; i++) {
            lo = Math.min(a[i], lo);
            hi = Math.max(a[i], hi);
        }
        return hi - lo;
    }
    static int count(int[] a, int n, int x) { int s = 0; for (int i = 0; i < n; i++) if (a[i] == x) s++; return s; }
    static int countOthers(int[] a, int[] b, int n) { int s = 0; for (int i = 0; i < n; i++) if (a[i] != b[i] + 1) s += 3; return s; }
    static int sumOfSome(int[] a, int n, int x) { int s = 0; for (int i = 0; i < n; i++) if (a[i] >= x) s += a[i]; return s; }
    static int lessSome(int[] a, int[] b, int n) { int s = 9; for (int i = 0; i < n; i++) if (a[i] < b[i]) s -= b[i]; return s; }
    static int eitherOr(int[] a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] > 5 ? 0 : a[i]; return s; }
    static int joinSome(int[] a, int[] b, int n) { int s = 0; for (int i = 0; i < n; i++) if (a[i] <= b[i]) s |= a[i]; else s ^= b[i]; return s; }
    static void keepSome(int[] a, int[] b, int n) { for (int i = 0; i < n; i++) b[i] = a[i] > b[i] ? a[i] & 255 : 0; }
    static int countBytes(byte[] a, int n) { int s = 0; for (int i = 0; i < n; i++) if (a[i] == 7) s++; return s; }
    static int countFlags(boolean[] a, int n) { int s = 0; for (int i = 0; i < n; i++) if (a[i]) s++; return s; }
    static long countLongs(long[] a, int n) { long s = 0; for (int i = 0; i < n; i++) if (a[i] < 0) s += 2; return s; }
    static int countDoubles(double[] a, int n) { int s = 0; for (int i = 0; i < n; i++) if (!(a[i] > 0.5)) s++; return s; }
    static int countNot(byte[] a, byte[] b, int n) { int s = 5; for (int i = 0; i < n; i++) if (a[i] != b[i]) s -= 3; return s; }
    static int countUnsigned(byte[] a, int n) { int s = 0; for (int i = 0; i < n; i++) if ((a[i] & 0xff) == 200) s++; return s; }
    static int countNever(byte[] a, int n) { int s = 0; for (int i = 0; i < n; i++) if (a[i] == 200) s++; return s; }
    static int countAny(byte[] a, int n, int x) { int s = 0; for (int i = 0; i < n; i++) if (a[i] == x) s++; return s; }
    static int countChars(char[] a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] == 0xfffe ? 0 : 2; return s; }
    static int countMixed(char[] a, short[] b, int n) { int s = 0; for (int i = 0; i < n; i++) if (a[i] == b[i]) s++; return s; }
    static int countUnset(boolean[] a, int n) { int s = 0; for (int i = 0; i < n; i++) if (!a[i]) s++; return s; }
    static int countIn(String a, int n) { int s = 0; for (int i = 0; i < n; i++) if (a.charAt(i) == 'c') s++; return s; }
    static int byItself(int[] a, int n) { int s = 0; for (int i = 0; i < n; i++) if (s < 1000) s += a[i] & 255; return s; }
    static int countTwo(int[] a, int n) { int s = 0, t = 0; for (int i = 0; i < n; i++) { if ((a[i] & 1) == 0) s++; if (a[i] < 0) t += s; } return s * 31 + t; }
    static int where(int[] a, int n) { int m = 0; for (int i = 0; i < n; i++) if (a[i] > a[m]) m = i; return m; }
    static void clamp(int[] a, int[] b, int n) { for (int i = 0; i < n; i++) b[i] = Math.min(Math.max(a[i], -1000), 70000); }
    static void lesser(int[] a, int[] b, int n) { for (int i = 0; i < n; i++) b[i] = a[i] < b[i] ? a[i] : b[i]; }
    static long lessInts(int[] a, int[] b, int n) { long s = 1L << 40; for (int i = 0; i < n; i++) s -= a[i] * b[i]; return s; }
    static long mixed(int[] a, long[] b, int n) { long s = 0; for (int i = 0; i < n; i++) s += a[i] + b[i]; return s; }
    static long xorInts(int[] a, int n) { long s = 0; for (int i = 0; i < n; i++) s ^= a[i]; return s; }
    static long greatestLong(long[] a, int n) { long m = 0; for (int i = 0; i < n; i++) m = Math.max(m, a[i]); return m; }
    static double greatestDouble(double[] a, int n) { double m = 0; for (int i = 0; i < n; i++) m = Math.max(m, a[i]); return m; }
    static int down(int[] a, int n) { int s = 0; for (int i = n - 1; i >= 0; i--) s += a[i]; return s; }

    static void addBytes(byte[] a, byte[] b, int x, int n) { for (int i = 0; i < n; i++) b[i] = (byte) (a[i] + b[i] - x); }
    static void flip(byte[] a, int n) { for (int i = 0; i < n; i++) a[i] = (byte) ((a[i] & 0xff ^ 0x155) | 2); }
    static void timesBytes(byte[] a, byte[] b, int n) { for (int i = 0; i < n; i++) b[i] = (byte) (a[i] * b[i]); }
    static void lowerChars(char[] a, char[] b, int n) { for (int i = 0; i < n; i++) b[i] = (char) (a[i] | 0x20); }
    static void mixShorts(short[] a, char[] b, int x, int n) { for (int i = 0; i < n; i++) a[i] = (short) (a[i] * b[i] + x ^ -a[i]); }
    static void toByteFirst(short[] a, short[] b, int n) { for (int i = 0; i < n; i++) b[i] = (byte) (a[i] + 1); }
    static void toCharFirst(byte[] a, byte[] b, int n) { for (int i = 0; i < n; i++) b[i] = (byte) (char) (a[i] - 1); }
    static void shiftChars(char[] a, char[] b, int n) { for (int i = 0; i < n; i++) b[i] = (char) (a[i] >> 3); }
    static void halfBytes(byte[] a, byte[] b, int n) { for (int i = 0; i < n; i++) b[i] = (byte) (a[i] / 2 + b[i] % 3); }
    static void flags(boolean[] a, boolean[] b, int n) { for (int i = 0; i < n; i++) b[i] = a[i] ^ b[i] | !a[i]; }

    static void roots(double[] a, double[] b, int n) { for (int i = 0; i < n; i++) b[i] = Math.sqrt(a[i]) - a[i]; }
    static void rootsOfFloats(float[] a, float[] b, int n) { for (int i = 0; i < n; i++) b[i] = (float) Math.sqrt(a[i]); }
    static void signs(double[] a, double[] b, int n) { for (int i = 0; i < n; i++) b[i] = -a[i] + Math.abs(b[i]); }
    static void signsOfFloats(float[] a, float[] b, int n) { for (int i = 0; i < n; i++) b[i] = -Math.abs(a[i]); }
    static void negated(int[] a, int[] b, int n) { for (int i = 0; i < n; i++) b[i] = -a[i] * 3; }
    static void negatedLongs(long[] a, int n) { for (int i = 0; i < n; i++) a[i] = -a[i] ^ 0x5555; }
    static void absolute(int[] a, int[] b, int n) { for (int i = 0; i < n; i++) b[i] = Math.abs(a[i]); }

    static long round(int n, int seed) {
        int m = n + 3;
        int[] a = new int[m], b = new int[m], c = new int[m];
        long[] la = new long[m], lb = new long[m];
        double[] da = new double[m], db = new double[m];
        float[] fa = new float[m], fb = new float[m];
        byte[] ba = new byte[m], bb = new byte[m];
        char[] ca = new char[m], cb = new char[m];
        short[] sa = new short[m], sb = new short[m];
        boolean[] za = new boolean[m], zb = new boolean[m];
        for (int i = 0; i < m; i++) {
            a[i] = (i + seed) * 0x9e3779b1;
            b[i] = i == 5 ? Integer.MIN_VALUE : i * 77 - seed;
            la[i] = a[i] * 0x123456789abcdefL;
            lb[i] = ~la[i] + i;
            da[i] = i % 7 == 3 ? Double.NaN : i % 7 == 4 ? -0.0 : a[i] / 3.0;
            db[i] = i % 5 == 1 ? Double.NEGATIVE_INFINITY : i;
            fa[i] = i % 6 == 2 ? Float.POSITIVE_INFINITY : a[i] * 0.25f;
            ba[i] = (byte) a[i];
            bb[i] = (byte) (b[i] >> 3);
            ca[i] = (char) a[i];
            sa[i] = (short) (a[i] >> 5);
            sb[i] = (short) b[i];
            za[i] = a[i] < 0;
        }
        long h = sum(a, n / 3, n, seed) + less(a, n, 3) * 3L + longs(la, n) * 5 + lessLongs(la, lb, n) * 7 + dot(a, b, n) * 11L + product(a, n) * 13L;
        h = h * 31 + and(a, n) + or(la, n) * 3 + xor(lb, seed, n) * 5 + two(a, b, n) * 7L + three(a, n) * 11L + both(a, c, n) * 13L + prefix(a, c, n) * 17L;
        h = h * 31 + Arrays.hashCode(c) + twice(a, n) + crossed(a, n) * 3L + ofCounter(n) * 5L + last(a, n) * 7L + Double.doubleToRawLongBits(inOrder(db, n));
        h = h * 31 + ofInts(a, n) + ofBytes(ba, n) * 3L + until(a, n, a[n / 2]) * 5L + down(a, n) * 7L;
        h = h * 31 + greatest(a, n, seed) + least(b, n) * 3L + greatestOfSums(a, b, n) * 5L + span(a, n) * 7L + where(a, n) * 11L;
        h = h * 31 + lessInts(a, b, n) + mixed(a, lb, n) * 3 + xorInts(a, n) * 5 + greatestLong(la, n) * 7 + Double.hashCode(greatestDouble(db, n));
        h = h * 31 + count(a, n, a[n / 2]) + countOthers(a, b, n) * 3L + sumOfSome(a, n, seed) * 5L + lessSome(a, b, n) * 7L + eitherOr(a, n) * 11L + joinSome(a, b, n) * 13L;
        h = h * 31 + countBytes(ba, n) + countFlags(za, n) * 3L + countLongs(la, n) * 5L + countDoubles(da, n) * 7L + byItself(a, n) * 11L + countTwo(a, n) * 13L;
        String text = seed % 2 == 0 ? new String(ba, 0, n, java.nio.charset.StandardCharsets.ISO_8859_1) : new String(ca, 0, n);
        h = h * 31 + countNot(ba, bb, n) + countUnsigned(ba, n) * 3L + countNever(ba, n) * 5L + countAny(ba, n, seed) * 7L + countChars(ca, n) * 11L;
        h = h * 31 + countMixed(ca, sa, n) + countUnset(za, n) * 3L + countIn(text, n) * 5L;
        keepSome(a, c, n);
        h = h * 31 + Arrays.hashCode(c);
        clamp(a, c, n);
        lesser(b, a, n);
        h = h * 31 + Arrays.hashCode(c) + Arrays.hashCode(a) * 3L;
        addBytes(ba, bb, seed, n);
        flip(ba, n);
        timesBytes(ba, bb, n);
        h = h * 31 + Arrays.hashCode(ba) + Arrays.hashCode(bb) * 3L;
        lowerChars(ca, cb, n);
        mixShorts(sa, ca, seed * 1001, n);
        h = h * 31 + Arrays.hashCode(cb) + Arrays.hashCode(sa) * 3L;
        toByteFirst(sa, sb, n);
        toCharFirst(ba, bb, n);
        shiftChars(ca, cb, n);
        halfBytes(ba, ba, n);
        flags(za, zb, n);
        h = h * 31 + Arrays.hashCode(sb) + Arrays.hashCode(bb) * 3L + Arrays.hashCode(cb) * 5L + Arrays.hashCode(ba) * 7L + Arrays.hashCode(zb);
        roots(da, db, n);
        rootsOfFloats(fa, fb, n);
        h = h * 31 + Arrays.hashCode(db) + Arrays.hashCode(fb) * 3L;
        signs(da, db, n);
        signsOfFloats(fa, fb, n);
        negated(a, c, n);
        negatedLongs(la, n);
        absolute(b, a, n);
        return h * 31 + Arrays.hashCode(db) + Arrays.hashCode(fb) * 3L + Arrays.hashCode(c) * 5L + Arrays.hashCode(la) * 7L + Arrays.hashCode(a) * 11L;
    }

    static String all() {
        StringBuilder s = new StringBuilder();
        long h = 0;
        for (int seed = 0; seed < 90; seed++)
            for (int n = 0; n < 140; n += 1 + n / 40 * (seed % 3)) h = h * 31 + round(n, seed);
        s.append(h).append('\n');
        int[] big = new int[1 << 20];
        for (int i = 0; i < big.length; i++) big[i] = i * 0x9e3779b1;
        for (int i = 0; i < 10; i++) s.append(sum(big, i, big.length - i * 3, i)).append(' ').append(dot(big, big, big.length - i)).append('\n');
        return s.toString();
    }

    static String inAnotherVM(String option) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process p = new ProcessBuilder(java, option, "-cp", System.getProperty("java.class.path"), "TotalsAtOnce", "here").redirectErrorStream(true).start();
        StringBuilder s = new StringBuilder();
        try (BufferedReader r = new BufferedReader(new InputStreamReader(p.getInputStream()))) {
            for (String line; (line = r.readLine()) != null;) s.append(line).append('\n');
        }
        return s + (p.waitFor() == 0 ? "" : "exit code " + p.exitValue());
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> { /* polls in their midst */
            try {
                for (int i = 0; i < 40; i++) {
                    Thread.sleep(5);
                    System.gc();
                }
            } catch (InterruptedException e) {
                return;
            }
        });
        other.setDaemon(true);
        other.start();
        String here = all();
        System.out.print(here);
        if (args.length == 0) System.out.println(inAnotherVM("-XX:UseAVX=1").equals(here) ? "the same with 16 bytes" : "not the same with 16 bytes");
    }
}
