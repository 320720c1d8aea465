// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=20 -Xbatch
/** Kinds of characters, asked in hot code: of each of the first 600, of chars and of ints, of what is no character, of constants. */
public class Characters {
    static int ints(int c) {
        int n = 0;
        if (Character.isLetter(c)) n |= 1;
        if (Character.isDigit(c)) n |= 2;
        if (Character.isLetterOrDigit(c)) n |= 4;
        if (Character.isWhitespace(c)) n |= 8;
        if (Character.isUpperCase(c)) n |= 16;
        if (Character.isLowerCase(c)) n |= 32;
        if (Character.isJavaIdentifierStart(c)) n |= 64;
        if (Character.isJavaIdentifierPart(c)) n |= 128;
        return n * 31 + Character.toLowerCase(c) * 7 + Character.toUpperCase(c) * 11 + Character.digit(c, 16) + Character.digit(c, 36);
    }
    static int chars(char c) {
        int n = Character.isLetterOrDigit(c) ? 1 : Character.isWhitespace(c) ? 2 : Character.isJavaIdentifierStart(c) ? 3 : 4;
        return n * 5 + (Character.isJavaIdentifierPart(c) ? Character.toLowerCase(c) : Character.toUpperCase(c));
    }
    static boolean both(int c) { return Character.isLetterOrDigit(c) && !Character.isWhitespace(c); }
    static int constants() {
        return (Character.isLetterOrDigit('a') ? 1 : 0) + (Character.isWhitespace(' ') ? 2 : 0) + (Character.isWhitespace('\u2003') ? 4 : 0) +
               (Character.isJavaIdentifierStart('@') ? 8 : 0) + (Character.isJavaIdentifierPart('9') ? 16 : 0) + (Character.isLetterOrDigit('@') ? 32 : 0) +
               (Character.isLetterOrDigit('?') ? 64 : 0) + (Character.isLetterOrDigit(127) ? 128 : 0);
    }
    static int words(String s) {
        int n = 0;
        for (int i = 0; i < s.length(); i++)
            if (Character.isLetterOrDigit(s.charAt(i)) && (i == 0 || Character.isWhitespace(s.charAt(i - 1)))) n++;
        return n;
    }

    public static void main(String[] args) {
        int[] odd = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x10ffff, 0x110000, 0x1d7ce, 0xffff, 0x3000, 0x2160, 0x1f600};
        long sum = 0;
        for (int turn = 0; turn < 100; turn++) {
            for (int c = 0; c < 600; c++) sum = sum * 31 + ints(c) + chars((char) c) + (both(c) ? 3 : 0);
            for (int c : odd) sum = sum * 31 + ints(c) + chars((char) c) + (both(c) ? 3 : 0);
            sum = sum * 31 + constants() + words("some words, 4 or 5 \u00e4nd \u4e2d too");
        }
        System.out.println(sum);
        for (int c = 0; c < 300; c++) System.out.print(ints(c) + " ");
        System.out.println(constants());
    }
}
