// SPDX-License-Identifier: Apache-2.0
/** startsWith with prefixes that are known when code is made: lengths around a word, letters of two bytes, places, null. */
public class Prefixes {
    static final String[] TEXTS = {"", "a", "ab", "abc", "abcdefg", "abcdefgh", "abcdefghi", "abcdefgx", "xbcdefgh", "\u00e4b", "\u00e4", "\u4e2dab", "ab\u4e2d",
        "abcdefgh\u4e2d", "b", "A", "a\0", "\0", new String(new char[] {'a', 'b'})};

    static int answers(String s) {
        int n = 0;
        if (s.startsWith("")) n |= 1;
        if (s.startsWith("a")) n |= 2;
        if (s.startsWith("ab")) n |= 4;
        if (s.startsWith("abc")) n |= 8;
        if (s.startsWith("abcdefg")) n |= 16;
        if (s.startsWith("abcdefgh")) n |= 32;
        if (s.startsWith("abcdefghi")) n |= 64;
        if (s.startsWith("\u00e4")) n |= 128;
        if (s.startsWith("\u4e2d")) n |= 256;
        if (s.startsWith("b", 1)) n |= 512;
        if (s.startsWith("a\0")) n |= 1024;
        if (s.startsWith("ab", 0)) n |= 2048;
        if (s.startsWith("a", -1)) n |= 4096;
        return n;
    }

    static String ofNull(String s) {
        try {
            return s.startsWith("ab") ? "yes" : "no";
        } catch (NullPointerException e) {
            return "null";
        }
    }

    public static void main(String[] args) {
        for (int round = 0; round < 4000; round++) {
            long sum = 0;
            for (int i = 0; i < TEXTS.length; i++) sum = sum * 31 + answers(TEXTS[i]);
            String odd = ofNull(round % 500 == 499 ? null : TEXTS[round % TEXTS.length]);
            if (round % 1000 == 999 || round < 2) System.out.println(round + " " + sum + " " + odd);
        }
        for (String s : TEXTS) System.out.println(answers(s));
    }
}
