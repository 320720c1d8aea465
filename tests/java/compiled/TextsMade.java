// SPDX-License-Identifier: Apache-2.0

/** A text that was just made is asked for what it has: its constructor tries one array, and takes another where letters do not fit. */
public class TextsMade {
    static boolean equal(String s, String t) {
        return t.replace('7', '\u0416').equals(String.valueOf(s.toCharArray()));
    }

    static boolean constant() {
        return "\u0416abc".replace('7', '\u0416').equals(String.valueOf("\u0416abc".toCharArray()));
    }

    static int length(char[] all) {
        return new String(all).length();
    }

    static int compared(char[] all, String s) {
        return new String(all).compareTo(s);
    }

    static int hashed(char[] all, int n) {
        return new String(all, 0, n).hashCode();
    }

    static int last(char[] all) {
        return new String(all).charAt(all.length - 1);
    }

    static String joined(char[] all) {
        return "x" + new String(all);
    }

    /** Latin-1 only at first: what takes other letters has not run when it is compiled. */
    static char[] letters(int i) {
        return (i < 1000 ? "abc" : i % 3 == 0 ? "\u0416abc" : "abcd").toCharArray();
    }

    public static void main(String[] args) {
        long h = 0;
        for (int i = 0; i < 3000; i++) h = h * 31 + hashed(letters(i), 3);
        System.out.println("hashed " + h);
        for (int i = 0; i < 3000; i++) h = h * 31 + compared(letters(i), "abc") + compared(letters(i), "\u0416");
        System.out.println("compared " + h);
        for (int i = 0; i < 3000; i++) h = h * 31 + length(letters(i)) + last(letters(i)) + joined(letters(i)).hashCode();
        System.out.println("asked " + h);
        for (int i = 0; i < 3000; i++) h = h * 31 + (equal(new String(letters(i)), "\u0416abc") ? 1 : 0) + (equal("abc", "abc") ? 2 : 0) + (constant() ? 4 : 0);
        System.out.println("equal " + h);
    }
}
