// SPDX-License-Identifier: Apache-2.0
/** Loops that ask in each turn what does not change in them: flags, modes, floats, references, the same thing twice; values used behind, exits. */
public class Unswitched {
    static int flags(int[] a, boolean negate, int mode) {
        int s = 0, last = -1;
        for (int i = 0; i < a.length; i++) {
            int v = a[i];
            if (negate) v = -v;
            if (mode == 2) v ^= i;
            else if (mode == 3) v += i * 3;
            if (negate) s += 2;
            else last = i;
            s = s * 31 + v;
        }
        return s + last;
    }

    static double floats(double[] a, double limit, float f) {
        double s = 0;
        for (int i = 0; i < a.length; i++) {
            if (limit < 1.5) s += a[i];
            else s -= a[i] / 2;
            if (!(f >= 2f)) a[i] += 1;
            else a[i] *= 0.5;
        }
        return s;
    }

    static long references(Object[] a, Object what, Object no) {
        long n = 0;
        int i = 0;
        for (; i < a.length; i++) {
            if (what == no) n += 3;
            else n ^= i;
            if (no == null) n *= 5;
            else n += 7;
            if (a[i] == what) break;
        }
        return n * 100 + i;
    }

    static int leaves(int[] a, int[] b, boolean strict, int n) {
        int k = 0;
        try {
            for (int i = 0; i < n; i++) {
                if (strict) k += a[i] / b[i];
                else k += a[i & 7];
                b[i] += strict ? 1 : 2;
            }
        } catch (ArithmeticException e) {
            k += 1000;
        } catch (ArrayIndexOutOfBoundsException e) {
            k += 2000;
        }
        return k;
    }

    static int nested(int n, int kind) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            boolean even = (i & 1) == 0;
            for (int j = 0; j < n; j++) {
                if (even) s += j;
                else s ^= j;
                if (kind > 1) s += i;
                else s -= i;
            }
            if (kind == 0) s++;
            else s += 2;
        }
        return s;
    }

    static long downwards(long from, int by, boolean square) {
        long p = 1;
        while (from > 0) {
            p = square ? p * p + from : p + from;
            from -= by;
        }
        return p;
    }

    static void move(byte[] from, char[] to, boolean wide, int mask) {
        for (int i = 0; i < to.length; i++) {
            int c = wide ? (from[2 * i] & 255) << 8 | (from[2 * i + 1] & 255) : from[i] & 255;
            to[i] = (char) (mask != 0 ? c & mask : c);
        }
    }

    static int twoStrings(String a, String b) {
        int d = 0;
        for (int i = 0; i < a.length() && i < b.length(); i++) d = d * 3 + (a.charAt(i) == b.charAt(i) ? 1 : a.charAt(i) - b.charAt(i));
        return d;
    }

    public static void main(String[] x) {
        int[] a = new int[37];
        for (int i = 0; i < a.length; i++) a[i] = i * 17 - 100;
        Object[] objects = {"a", "b", 1, null, 'c'};
        String[] texts = {"some letters", "some l\u00e9tters", "w\u4e2dde letters", "", "some"};
        byte[] bytes = new byte[128];
        for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) (i * 7);
        for (int round = 0; round < 100; round++) {
            long sum = 0;
            for (int k = 0; k < 8; k++) {
                sum = sum * 31 + flags(a, (k & 1) == 0, k / 2);
                double[] d = {1, 2, Double.NaN, 4.5, -0.0, round};
                d[2] = k == 3 ? Double.NaN : 9;
                sum += Double.doubleToLongBits(floats(d, k < 4 ? k : Double.NaN, k == 5 ? Float.NaN : k)) + Double.doubleToLongBits(d[4] + d[5]);
                sum = sum * 31 + references(objects, objects[k % 5], k < 3 ? null : objects[k % 3]);
                int[] b = new int[20];
                for (int i = 0; i < b.length; i++) b[i] = k == 6 && i == 11 ? 0 : i + 1;
                sum = sum * 31 + leaves(a, b, k % 2 == 0, k == 4 ? 25 : 20) + b[10] + b[19];
                sum += nested(9, k % 3) + downwards(40 + k, 1 + k % 3, k < 5);
                char[] c = new char[33];
                move(bytes, c, k < 4, k % 2 == 0 ? 0 : 0x5f5f);
                sum = sum * 31 + c[0] + c[7] + c[32];
                sum = sum * 31 + twoStrings(texts[k % 5], texts[(k + round) % 5]);
            }
            if (round % 33 == 0) System.out.println(sum);
        }
    }
}
