// SPDX-License-Identifier: Apache-2.0
/** Letters of strings of both kinds: in loops up to their length, by any index, of strings that are constants. */
public class Letters {
    static int hash(String s) {
        int h = 0;
        for (int i = 0; i < s.length(); i++) h = 31 * h + s.charAt(i);
        return h;
    }

    static int backwards(String s) {
        int h = 0;
        for (int i = s.length() - 1; i >= 0; i--) h = 31 * h + s.charAt(i);
        return h;
    }

    static int vowels(String s) {
        int n = 0;
        for (int i = 0, end = s.length(); i < end; i++) {
            char c = s.charAt(i);
            if (c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == '\u00e4' || c == '\u4e2d') n++;
            else if (Character.isDigit(c)) n += 2;
        }
        return n;
    }

    static boolean isPalindrome(String s) {
        for (int i = 0, j = s.length() - 1; i < j;)
            if (s.charAt(i++) != s.charAt(j--)) return false;
        return true;
    }

    static int asked(CharSequence s, int from, int to) {
        int n = 0;
        for (int i = from; i < to; i++)
            try {
                n = n * 7 + s.charAt(i);
            } catch (IndexOutOfBoundsException e) {
                n -= i;
            }
        return n;
    }

    static int same(String s, int at, int turns) {
        int n = 0;
        for (int i = 0; i < turns; i++) n += s.charAt(at) + i;
        return n;
    }

    static int ofConstants(int i) {
        return "narrow letters".charAt(i % 14) * 31 + "w\u00efde \u4e2d letters".charAt(i % 12) + "".length() + (i == 77777 ? "abc".charAt(i) : 0);
    }

    static int words(String s) {
        int n = 0;
        boolean in = false;
        for (char c : s.toCharArray()) {
            boolean letter = Character.isLetter(c);
            if (letter && !in) n++;
            in = letter;
        }
        return n * 1000 + (int) s.chars().filter(c -> c > 'm').count();
    }

    public static void main(String[] x) {
        String[] texts = {"", "a", "\u4e2d", "abcba", "\u4e2db\u4e2d", "letters of a string, 123", "w\u00efde l\u00e9tters 123", "mixed \u4e2d\u6587 letters 45",
            "\u4e2d\u6587\u5b57\u7b26 only", "ends in wide \uffff", "the same as many others the same as many others the same as many others"};
        for (int round = 0; round < 40; round++) {
            long sum = 0;
            for (String s : texts) {
                for (int i = 0; i < 20; i++)
                    sum = sum * 31 + hash(s) + backwards(s) + vowels(s) + (isPalindrome(s) ? 1 : 0) + asked(s, -2, 2 * s.length() + 3) + words(s);
                if (!s.isEmpty()) sum += same(s, s.length() - 1, 30);
                try {
                    sum += same(s, s.length(), round == 39 ? 3 : 0);
                } catch (StringIndexOutOfBoundsException e) {
                    sum += e.getMessage().hashCode();
                }
            }
            for (int i = 0; i < 200; i++) sum = sum * 17 + ofConstants(i);
            if (round % 13 == 0) System.out.println(sum);
        }
        try {
            ofConstants(77777);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
