// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:CompileThreshold=20 -XX:-OmitStackTraceInFastThrow

/** Letters of one byte made of two, and the other way: of all short lengths, at all places, with what does not fit at each of them. Digits of all radixes. */
public class LetterWidths {
    static long h;

    static void note(String s) {
        for (int i = 0; i < s.length(); i++) h = h * 31 + s.charAt(i);
        h = h * 31 + s.length();
    }

    static String made(char[] all, int from, int n) { return new String(all, from, n); }
    static int madeAndHashed(char[] all, int from, int n) { return new String(all, from, n).hashCode(); }
    static boolean madeAndEqual(char[] all, int from, int n, String other) { return new String(all, from, n).equals(other); }
    static String five(char[] all) { return new String(all, 1, 5); }
    static String eight(char[] all) { return new String(all, 1, 8); }
    static String twelve(char[] all) { return new String(all, 1, 12); }
    static char[] chars(String s) { return s.toCharArray(); }
    static void put(String s, int begin, int end, char[] to, int at) { s.getChars(begin, end, to, at); }
    /* The builder has letters of two bytes in between, and gets rid of them. */
    static String widened(String s, char c) { return new StringBuilder().append(s).append(c).toString(); }
    static String narrowed(StringBuilder wide, int from) { return wide.substring(from); }
    static int digit(char c, int radix) { return Character.digit(c, radix); }
    static int digit(int c, int radix) { return Character.digit(c, radix); }
    static int decimal(char c) { return Character.digit(c, 10); }
    static int octal(char c) { return Character.digit(c, 8); }
    static int hex(char c) { return Character.digit(c, 16); }
    static int most(char c) { return Character.digit(c, 36); }
    static int none(char c) { return Character.digit(c, 37); }

    static void lengths(char[] all) {
        for (int from = 0; from < 3; from++)
            for (int n = 0; n + from <= all.length && n < 22; n++) {
                String s = made(all, from, n);
                note(s);
                h = h * 31 + madeAndHashed(all, from, n) + (madeAndEqual(all, from, n, s) ? 1 : 0);
                char[] back = chars(s);
                if (!s.equals(String.valueOf(back))) System.out.println("not equal " + s);
                char[] room = "....................................".toCharArray();
                for (int at = 0; at < 3; at++) put(s, Math.min(at, n), n, room, at + 1);
                note(new String(room));
                note(widened(s, '\u0416'));
                note(widened(s, 'x'));
                note(narrowed(new StringBuilder("\u0416\u0416").append(s), 2));
            }
        note(five(all));
        note(eight(all));
        note(twelve(all));
    }

    static void wrong(String s, int begin, int end, char[] to, int at) {
        try {
            put(s, begin, end, to, at);
            h = h * 31 + to[0];
        } catch (RuntimeException e) {
            h = h * 31 + e.toString().hashCode() + e.getStackTrace().length;
        }
    }

    public static void main(String[] args) {
        String text = "The quick brown fox jumps";
        for (int round = 0; round < 60; round++) lengths(text.toCharArray());
        System.out.println("fitting " + h);
        for (int at = 0; at < text.length(); at++)
            for (char c : new char[] {0xff, 0x100, 0x8000, 0xffff, 0}) {
                char[] all = text.toCharArray();
                all[at] = c;
                lengths(all);
            }
        System.out.println("not fitting " + h);
        for (int round = 0; round < 200; round++)
            for (int i = -2; i < 8; i++) {
                wrong("abcdef", i, 5, new char[9], 1);
                wrong("abcdef", 1, i, new char[9], 0);
                wrong("abcdef", 0, 6, new char[9], i);
                wrong("abcdef", 0, 6, i < 0 ? null : new char[i], 0);
                wrong(i == 3 ? null : "abcdef", 2, 4, new char[2], 0);
            }
        System.out.println("wrong " + h);
        for (int radix = -2; radix < 40; radix++)
            for (int c = -3; c < 0x700; c++) {
                h = h * 31 + digit(c, radix);
                h = h * 31 + digit((char) c, radix) + decimal((char) c) + octal((char) c) * 3 + hex((char) c) * 5 + most((char) c) * 7 + none((char) c) * 11;
            }
        System.out.println("digits " + h);
    }
}
