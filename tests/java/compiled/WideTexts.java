// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=20 -XX:-OmitStackTraceInFastThrow

/**
 * Texts with letters of two bytes in loops: bounds that counting keeps are not asked, and what lies outside throws as ever, with its stack, seldom and often;
 * letters that C functions know nothing of, alone and among those that they know.
 */
public class WideTexts {
    static final String[] TEXTS = {
        "\u0410\u0411\u0412\u0431\u0432x", "\u4e00\u4e01 12\uff11", "\ud835\udc00\ud835\udc01a", "\u20ac", "\u0130\u0131\u00df\u01c5\u1e9e", "plain ascii 42",
        "\u0660\u0661 \u00aa\u2160\u3007", "\ud800x\udc00"};

    static String shown(Throwable e) {
        StringBuilder b = new StringBuilder(e.toString());
        for (StackTraceElement f : e.getStackTrace())
            if (!f.getMethodName().equals("main")) b.append(" < ").append(f.getMethodName());
        return b.toString();
    }

    static long sum(String s, int from, int to) {
        long n = 0;
        for (int i = from; i < to; i++) n = n * 31 + s.charAt(i);
        return n;
    }

    static long downwards(StringBuilder b, int from) {
        long n = 0;
        for (int i = from; i >= 0; i -= 2) n = n * 31 + b.charAt(i);
        return n;
    }

    static String moved(String s, int by) {
        StringBuilder b = new StringBuilder(s);
        for (int i = 0; i + by < b.length(); i++) b.setCharAt(i, b.charAt(i + by));
        for (int i = 0; i < b.length(); i++) b.setCharAt(i, (char) (b.charAt(i) + 1));
        return b.reverse().toString();
    }

    static void outside(StringBuilder b, int at, char c) {
        for (int i = 0; i < at; i++) b.setCharAt(i, c);
    }

    static long letters(String s) {
        long n = 0;
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            n = n * 3 + (Character.isLetter(c) ? 1 : 0) + (Character.isDigit(c) ? 5 : 0) + (Character.isWhitespace(c) ? 7 : 0);
            n = n * 5 + (Character.isUpperCase(c) ? 1 : 0) + (Character.isLowerCase(c) ? 2 : 0) + (Character.isLetterOrDigit(c) ? 4 : 0);
            n = n * 7 + Character.toUpperCase(c) + Character.toLowerCase(c) + Character.digit(c, 10) + Character.digit(c, 36);
            n = n * 11 + (Character.isJavaIdentifierStart(c) ? 1 : 0) + (Character.isJavaIdentifierPart(c) ? 2 : 0);
        }
        return n;
    }

    static long codePoints(String s) {
        long n = 0;
        for (int i = 0; i < s.length(); i += Character.charCount(s.codePointAt(i))) n = n * 31 + Character.toUpperCase(s.codePointAt(i));
        return n + s.codePoints().filter(Character::isLetter).sum() + s.codePoints().map(Character::getType).sum();
    }

    static String tried(int kind, String s, int n) {
        try {
            switch (kind) {
                case 0: return "" + sum(s, 0, n);
                case 1: return "" + sum(s, n - s.length() - 1, s.length());
                case 2: return "" + downwards(new StringBuilder(s), n - 1);
                case 3: {
                    StringBuilder b = new StringBuilder(s);
                    outside(b, n, n % 2 == 0 ? 'y' : '\u1234');
                    return b.toString();
                }
                default: return "" + s.codePointAt(n) + s.codePointBefore(n);
            }
        } catch (IndexOutOfBoundsException e) {
            return shown(e);
        }
    }

    public static void main(String[] args) {
        long all = 0;
        for (int round = 0; round < 400; round++)
            for (String s : TEXTS) {
                all = all * 31 + sum(s, 0, s.length()) + letters(s) + codePoints(s) + moved(s, round % 3).hashCode();
                all = all * 31 + downwards(new StringBuilder(s), s.length() - 1) + s.replace(s.charAt(0), '\u0101').hashCode();
                all = all * 31 + s.toUpperCase().hashCode() + s.toLowerCase().hashCode();
                if (round % 100 == 99) System.out.println(all);
            }
        for (int often = 0; often < 2; often++)
            for (String s : TEXTS)
                for (int kind = 0; kind < 5; kind++) {
                    String last = null;
                    for (int i = 0; i < (often == 0 ? 1 : 300); i++) {
                        String seen = tried(kind, s, s.length() + 1);
                        if (last != null && !last.equals(seen)) System.out.println("differs: " + seen);
                        last = seen;
                    }
                    System.out.println(kind + " " + last);
                }
    }
}
