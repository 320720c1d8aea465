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
        return new String(all, 0, n).hashCode() + new String(all, 0, n).charAt(n - 1);
    }

    public static void main(String[] args) {
        long h = 0;
        for (int i = 0; i < 3000; i++) {
            String s = i < 1000 ? "abc" + i % 7 : i % 3 == 0 ? "\u0416abc" : "abc";
            char[] all = s.toCharArray();
            h = h * 31 + (equal(s, "\u0416abc") ? 1 : 0) + (equal(s, "abc") ? 2 : 0) + (constant() ? 4 : 0);
            h = h * 31 + length(all) + compared(all, "abc") + compared(all, "\u0416") + hashed(all, 3);
        }
        System.out.println(h);
    }
}
