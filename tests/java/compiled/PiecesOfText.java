// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=20 -Xbatch -XX:-OmitStackTraceInFastThrow
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Few bytes and few digits: numbers as text, short copies that lie over each other or do not fit, texts of both kinds that are put together, signs of
 * bytes, characters of two bytes, bits turned round.
 */
public class PiecesOfText {
    static final int[] INTS = new int[80];
    static final long[] LONGS = new long[140];

    static {
        int n = 0;
        for (long p = 1; p <= 1000000000L; p *= 10)
            for (int d = -1; d <= 1; d++) {
                INTS[n++] = (int) (p + d);
                INTS[n++] = (int) -(p + d);
            }
        INTS[n++] = Integer.MIN_VALUE;
        INTS[n++] = Integer.MAX_VALUE;
        INTS[n++] = 0;
        n = 0;
        for (long p = 1; n < 114; p *= 10)
            for (int d = -1; d <= 1; d++) {
                LONGS[n++] = p + d;
                LONGS[n++] = -(p + d);
            }
        LONGS[n++] = Long.MIN_VALUE;
        LONGS[n++] = Long.MAX_VALUE;
        LONGS[n++] = 0x100000000L;
        LONGS[n++] = 0x10000270fL;
        LONGS[n++] = -0x100000000L;
    }

    static String text(int x) { return Integer.toString(x); }
    static String text(long x) { return Long.toString(x); }
    static String appended(StringBuilder b, int x, long y) {
        b.setLength(0);
        return b.append(x).append(' ').append(y).append(',').append(x).toString();
    }
    static String appendedWide(StringBuilder b, int x, long y) {
        b.setLength(0);
        return b.append('\u4e2d').append(x).append('\u00e4').append(y).toString();
    }
    static String joined(String s, int x, long y, String t) { return s + x + t + y + s; }

    static void copy(byte[] from, int at, byte[] to, int there, int n) { System.arraycopy(from, at, to, there, n); }
    static void copyAny(Object from, int at, Object to, int there, int n) { System.arraycopy(from, at, to, there, n); }
    static void copyFive(byte[] from, byte[] to) { System.arraycopy(from, 1, to, 2, 5); }
    static void copyChars(char[] from, int at, char[] to, int there, int n) { System.arraycopy(from, at, to, there, n); }
    static byte[] within(byte[] all, int at, int there, int n) {
        all[at] = 77;
        System.arraycopy(all, at, all, there, n);
        all[there] += 1;
        return all;
    }
    static String copied(Object from, int at, Object to, int there, int n) {
        try {
            copyAny(from, at, to, there, n);
            return "copied";
        } catch (RuntimeException e) {
            StackTraceElement[] t = e.getStackTrace();
            int i = t[0].getMethodName().equals("arraycopy") ? 1 : 0;
            return e + " " + t[i].getMethodName() + ":" + t[i].getLineNumber();
        }
    }
    static int bytes(String s) { return Arrays.hashCode(s.getBytes(StandardCharsets.UTF_8)); }
    static String decoded(byte[] b) { return new String(b, StandardCharsets.UTF_8); }
    static String part(String s, int from, int to) { return s.substring(from, to); }
    static String repeated(StringBuilder b, String s, int n) {
        b.setLength(0);
        for (int i = 0; i < n; i++) b.append(s);
        return b.toString();
    }
    static int wide(StringBuilder b, String s) {
        b.setLength(0);
        b.append(s);
        int h = 0;
        for (int i = 0; i < b.length(); i++) {
            char c = b.charAt(i);
            b.setCharAt(i, (char) (c + 1));
            h = h * 31 + c + b.charAt(i);
        }
        b.insert(b.length() / 2, s).reverse();
        return h * 31 + b.toString().hashCode() + (b.length() > 0 ? b.codePointAt(0) : 0);
    }
    static int reversed(int x) { return Integer.reverse(x); }
    static long reversed(long x) { return Long.reverse(x); }
    static String failing(StringBuilder b, int at) {
        try {
            b.setCharAt(at, 'x');
            return "" + b.charAt(at + 1);
        } catch (IndexOutOfBoundsException e) {
            return e.getMessage() + e.getStackTrace().length;
        }
    }

    static long numbers() {
        long h = 0;
        StringBuilder b = new StringBuilder(), w = new StringBuilder();
        for (int i = 0; i < LONGS.length; i++) {
            int x = INTS[i % INTS.length];
            long y = LONGS[i];
            String s = text(x) + "/" + text(y) + "/" + appended(b, x, y) + appendedWide(w, x, y) + joined("a", x, y, "\u00fc") + joined("\u4e2d", x, y, "");
            if (Integer.parseInt(text(x)) != x || Long.parseLong(text(y)) != y) throw new IllegalStateException(s);
            h = h * 31 + s.hashCode();
        }
        return h;
    }
    static long copies() {
        long h = 0;
        for (int n = 0; n <= 20; n++)
            for (int from = 0; from < 24; from += 3)
                for (int to = 0; to < 24; to += 5) {
                    byte[] all = new byte[44];
                    for (int i = 0; i < all.length; i++) all[i] = (byte) (i * 7 - 100);
                    h = h * 31 + Arrays.hashCode(within(all, from, to, n));
                    byte[] other = new byte[44];
                    copy(all, from, other, to, n);
                    h = h * 31 + Arrays.hashCode(other);
                    char[] chars = new char[44];
                    for (int i = 0; i < 44; i++) chars[i] = (char) (i * 3000);
                    copyChars(chars, from, chars, to, n);
                    copyFive(all, all);
                    h = h * 31 + Arrays.hashCode(chars) + Arrays.hashCode(all);
                }
        return h;
    }
    static String failures(boolean show) {
        StringBuilder b = new StringBuilder();
        Object[] arrays = {new byte[10], new byte[3], new byte[0], new int[10], new boolean[10], new Object[10], new String[10], new char[10], null, "no array"};
        int[] at = {0, 1, 10, 11, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}, counts = {0, 1, 3, 10, 11, 17, -1, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (Object x : arrays)
            for (Object y : arrays)
                for (int from : at)
                    for (int n : counts) {
                        String s = copied(x, from, y, 0, n) + copied(x, 0, y, from, n);
                        if (show && x == arrays[0]) b.append(s).append('\n');
                        else b.append(s.hashCode()).append(' ');
                    }
        return show ? b.toString() : "" + b.toString().hashCode();
    }
    /* Into an array of a class that not all elements may have. */
    static String fitting(Object[] from, Object[] to, int n) {
        String s = "";
        try {
            System.arraycopy(from, 1, to, 0, n);
        } catch (ArrayStoreException e) {
            s = e.getMessage() + e.getStackTrace()[e.getStackTrace().length - 2].getLineNumber();
        }
        return s + Arrays.toString(to);
    }
    static String allFitting() {
        Object[] mixed = {"a", "b", null, "c", 4, "d"}, numbers = {1, 2, 3L, null, 5.0, 6};
        Comparable<?>[] some = {"a", 1, "c", 'd', "e", null};
        String s = "";
        for (Object[] x : new Object[][] {mixed, numbers, some, new Integer[6], {new int[1], new Object[0], new String[2], null, new int[0][], 1}})
            for (int n = 0; n <= 5; n++)
                s += fitting(x, new String[5], n) + fitting(x, new Number[5], n) + fitting(x, new Comparable<?>[5], n) + fitting(x, new Object[5], n) + shape(x, n);
        return s;
    }
    static String shape(Object[] x, int n) {
        Object[] to = new Object[5][];
        try {
            System.arraycopy(x, 1, to, 0, n);
        } catch (ArrayStoreException e) {
            return e.getMessage();
        }
        return to[0] + "" + (n > 1 ? to[1] == x[2] : "");
    }
    static long texts() {
        long h = 0;
        StringBuilder b = new StringBuilder(), w = new StringBuilder("\u4e2d");
        String[] parts = {"", "a", "bc", "def", "ghij", "klmno", "pqrstuv", "wxyzABCD", "EFGHIJKLM", "NOPQRSTUVWXYZ012", "3456789 and some 1", "\u00e4", "x\u00e4yzxyzy",
                          "eightchr\u00fc", "and nine more \u00f1", "sixteen letters\u00e9", "\u4e2d", "a\u4e2d", "wide \u4e2d\u6587 text", "\ud83d\ude00 pair", "\ud83d"};
        for (String s : parts) {
            for (int i = 0; i < 4; i++) h = h * 31 + repeated(b, s, i).hashCode() + repeated(w, s + "\u4e2d", i).hashCode();
            h = h * 31 + bytes(s) + wide(b, s) + wide(w, s + '\u6587');
            byte[] raw = s.getBytes(StandardCharsets.UTF_8);
            h = h * 31 + decoded(raw).hashCode();
            for (int i = 0; i < raw.length; i++) {
                byte was = raw[i];
                raw[i] = (byte) (was | 0x80);
                h = h * 31 + decoded(raw).hashCode();
                raw[i] = was;
            }
            for (int i = 0; i <= s.length(); i++) h = h * 31 + part(s, 0, i).hashCode() + part(s, i, s.length()).hashCode();
        }
        return h;
    }

    public static void main(String[] args) {
        long h = 0;
        for (int turn = 0; turn < 5; turn++) {
            h = h * 31 + numbers() + copies() + texts();
            h = h * 31 + allFitting().replaceAll("@[0-9a-f]+", "").hashCode();
            if (turn == 3) h = h * 31 + failures(false).hashCode();
            for (int i = 0; i < 64; i++)
                h = h * 31 + reversed(1 << i) + reversed(1L << i) + reversed(i * 0x9e3779b9) + reversed(i * 0x9e3779b97f4a7c15L) + reversed(-1 >>> i) + reversed(-1L >>> i);
            h = h * 31 + failing(new StringBuilder("ab\u4e2d"), turn % 5 - 1).hashCode() + failing(new StringBuilder("abc"), turn % 5 - 1).hashCode();
        }
        System.out.println(h);
        System.out.print(failures(true));
        System.out.println(allFitting().replaceAll("@[0-9a-f]+", ""));
        for (int x : INTS) System.out.print(text(x) + " ");
        for (long x : LONGS) System.out.print(text(x) + " ");
        System.out.println(failing(new StringBuilder("ab\u4e2d"), 2) + failing(new StringBuilder("ab"), -1));
    }
}
