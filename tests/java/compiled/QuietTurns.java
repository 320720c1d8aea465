// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** Loops most turns of which call nothing: what is skipped, what calls, changes what is counted, leaves, throws, and what the caller sees of the turn. */
public class QuietTurns {
    static int calls;
    static final List<String> told = new ArrayList<>();

    static void tell(String s) {
        if (told.size() < 400) told.add(s);
        calls++;
    }

    static boolean same(Object x, Object y) {
        calls++;
        return x.equals(y);
    }

    /** Each element meets its like; the ones before it are skipped. */
    static int match(Object[] all, Object[] of) {
        boolean[] met = new boolean[of.length];
        int n = 0;
        for (Object x : all)
            for (int i = 0; i < of.length; i++) {
                if (met[i]) continue;
                if (same(x, of[i])) {
                    met[i] = true;
                    n += i;
                    break;
                }
            }
        return n;
    }

    /** The counter and the sum at the call are those of the turn. */
    static long letters(byte[] text, int from, int to) {
        long sum = 0;
        int words = 0;
        for (int i = from; i < to; i++) {
            if (text[i] == ' ') {
                words++;
                tell(i + ":" + sum + ":" + words);
            }
            sum = sum * 31 + text[i];
        }
        return sum + words;
    }

    static long down(int[] a) {
        long sum = 0;
        for (int i = a.length - 1; i >= 0; i -= 2) {
            if ((a[i] & 63) == 5) sum += new int[a[i] & 7].length + calls++;
            sum ^= (long) a[i] << (i & 7);
        }
        return sum;
    }

    /** A call skips some. */
    static int skipping(byte[] text) {
        int sum = 0;
        for (int i = 0; i < text.length; i++) {
            if (text[i] == '"') i = endOf(text, i + 1);
            sum += i;
        }
        return sum;
    }

    static int endOf(byte[] text, int i) {
        while (i < text.length && text[i] != '"') i++;
        calls++;
        return i;
    }

    static double mixed(double[] a, float[] b, Object lock) {
        double sum = 0;
        float other = 1;
        for (int i = 0; i < a.length; i++) {
            if (a[i] < 0) {
                synchronized (lock) {
                    sum -= Math.floorMod(calls++, 7);
                }
            } else if (b[i] == 0) {
                tell("zero at " + i + " " + sum);
                other = -other;
            }
            sum += a[i] * other;
        }
        return sum;
    }

    /** Leaves by what is thrown in some turn, in and behind the call. */
    static int throwing(int[] a, int[] b) {
        int i = 0, got = 0;
        try {
            for (i = 0; i < a.length; i++) {
                if (a[i] == 3) got += check(i);
                got += b[i];
            }
        } catch (IllegalStateException e) {
            return -i * 1000 - got;
        } catch (ArrayIndexOutOfBoundsException e) {
            return i * 1000 + got;
        }
        return got;
    }

    static int check(int i) {
        if (++calls % 97 == 0) throw new IllegalStateException();
        return i;
    }

    /** Wraps, or ends near the largest number. */
    static int edges(int from, int to) {
        int n = 0;
        for (int i = from; i < to; i++) {
            if ((i & 15) == 3) n += check2(i);
            n++;
        }
        for (int i = from; i <= to && n < 100000; i++) n += (i & 31) == 7 ? check2(i) : 1;
        return n;
    }

    static int check2(int i) {
        calls++;
        return i & 3;
    }

    static int nested(int[][] rows) {
        int sum = 0;
        for (int r = 0; r < rows.length; r++) {
            int[] row = rows[r];
            if (row == null) {
                tell("no row " + r);
                continue;
            }
            for (int i = 0; i < row.length; i++) {
                if (row[i] == r) sum += check2(i);
                if (row[i] > 90 && sum % 11 == 0) break;
                sum++;
            }
        }
        return sum;
    }

    static Object kept;

    /** Objects that are made in some turns and live on. */
    static int linked(int[] a) {
        Object last = null;
        int n = 0;
        for (int i = 0; i < a.length; i++) {
            if (a[i] % 23 == 0) {
                last = new Object[] {last, i};
                kept = last;
            }
            n += a[i] & 1;
        }
        for (Object[] o = (Object[]) last; o != null; o = (Object[]) o[0]) n = n * 7 + (Integer) o[1];
        return n;
    }

    public static void main(String[] args) {
        Random r = new Random(7);
        byte[] text = new byte[500];
        int[] a = new int[301], b = new int[301];
        double[] d = new double[200];
        float[] f = new float[200];
        int[][] rows = new int[20][];
        long sum = 0;
        for (int round = 0; round < 600; round++) {
            for (int i = 0; i < text.length; i++) text[i] = (byte) (r.nextInt(40) == 0 ? ' ' : r.nextInt(60) == 0 ? '"' : 'a' + r.nextInt(26));
            for (int i = 0; i < a.length; i++) {
                a[i] = r.nextInt(100);
                b[i] = r.nextInt();
            }
            for (int i = 0; i < d.length; i++) {
                d[i] = r.nextInt(30) == 0 ? -1 : r.nextDouble();
                f[i] = r.nextInt(30) == 0 ? 0 : 1;
            }
            for (int i = 0; i < rows.length; i++) rows[i] = r.nextInt(10) == 0 ? null : Arrays.copyOf(a, r.nextInt(a.length));
            Object[] all = new Object[60], of;
            for (int i = 0; i < all.length; i++) all[i] = i % 2 == 0 ? (Object) ("s" + i) : (Object) i;
            of = all.clone();
            if (round % 3 == 0) Collections.shuffle(Arrays.asList(of), r);
            sum = sum * 31 + match(all, of);
            sum = sum * 31 + letters(text, 0, text.length);
            sum = sum * 31 + letters(text, round % 400, round % 500);
            sum = sum * 31 + down(a);
            sum = sum * 31 + skipping(text);
            sum = sum * 31 + Double.doubleToLongBits(mixed(d, f, text));
            sum = sum * 31 + throwing(a, round % 50 == 0 ? Arrays.copyOf(b, 100) : b);
            sum = sum * 31 + edges(round % 200 - 100, round % 120);
            sum = sum * 31 + edges(Integer.MAX_VALUE - round % 40, Integer.MAX_VALUE - round % 5);
            sum = sum * 31 + nested(rows);
            sum = sum * 31 + linked(a);
            if (round % 60 == 0) System.out.println(round + " " + sum + " " + calls);
        }
        for (String s : told) sum = sum * 31 + s.hashCode();
        System.out.println(sum + " " + calls + " " + told.subList(0, 20));
    }
}
