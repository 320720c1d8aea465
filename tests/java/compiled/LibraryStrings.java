// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 -XX:-OmitStackTraceInFastThrow
import java.nio.CharBuffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/* Methods of String, StringBuilder and coders that C code stands for, with corner values: lengths around words, bounds, null, what does not fit. */
public class LibraryStrings {
    static long sum;
    static int failures;
    static void add(long v) { sum = sum * 31 + v; }
    static void add(String s) { add(s == null ? -7 : s.length()); for (int i = 0; s != null && i < s.length(); i++) add((long) s.charAt(i)); }
    static void show(String what) { System.out.println(what + " " + Long.toHexString(sum)); sum = 0; }

    interface Call { long run() throws Exception; }

    /** What it gives or throws, with the methods of the trace that are ours or the library's. */
    static void attempt(Call c) {
        try {
            add(c.run());
        } catch (Throwable e) {
            failures++;
            add(e.getClass().getName());
            add(e.getMessage());
            for (StackTraceElement f : e.getStackTrace()) {
                if (f.getMethodName().startsWith("lambda")) break;
                add(f.getMethodName());
                add(f.getLineNumber());
            }
        }
    }

    static final String[] TEXTS = new String[40];
    static {
        int n = 0;
        for (int len : new int[] {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 100}) {
            StringBuilder latin = new StringBuilder(), wide = new StringBuilder();
            for (int i = 0; i < len; i++) {
                latin.append((char) (i % 7 == 6 ? 0xe0 + i % 30 : 'a' + i % 26));
                wide.append((char) (i % 3 == 1 ? 'b' : 0x430 + i));
            }
            TEXTS[n++] = latin.toString();
            TEXTS[n++] = wide.toString();
        }
        TEXTS[n++] = "ABCdefGHI";
        TEXTS[n++] = "abcDEFghi";
        TEXTS[n++] = "\u00b5\u00ff\u00df\u00e0";
        TEXTS[n++] = "\u00b5\u00ff\u00df\u00c0";
        TEXTS[n++] = "\ud83d\ude00a\ud83d";
        TEXTS[n++] = "\u0000\u0001\u0000";
    }

    static void pairs(String a, String b) {
        add(a.equals(b) ? 1 : 0);
        add(a.equals(new String(a.toCharArray())) ? 1 : 0);
        add(a.equals((Object) "x") || a.equals(null) || a.equals((Object) 1) ? 1 : 0);
        add(a.compareTo(b));
        add(a.equalsIgnoreCase(b) ? 1 : 0);
        add(a.compareToIgnoreCase(b));
        add(a.indexOf(b));
        add(a.lastIndexOf(b));
        add(a.contains(b) ? 1 : 0);
        add(a.startsWith(b) ? 1 : 0);
        add(a.endsWith(b) ? 1 : 0);
        for (int i = -1; i < 4; i++) {
            add(a.startsWith(b, i) ? 1 : 0);
            add(a.indexOf(b, i));
            add(a.regionMatches(true, i, b, 1, 2) ? 1 : 0);
            add(a.regionMatches(false, 1, b, i, 2) ? 1 : 0);
        }
        add(a + b);
        add(new StringBuilder(a).append(b).append(7).append('c').append('\u0431').insert(0, b).toString());
        if (!b.isEmpty()) add(a.replace(b, "<>"));
        add(a.contentEquals(new StringBuilder(b)) ? 1 : 0);
    }

    /* Of texts of all lengths, as they are hashed in steps. */
    static void hashes(String a) {
        String text = a.repeat(60);
        for (int n = 0; n <= text.length() && n < 300; n++) add(text.substring(n % 7 < n ? n % 7 : 0, n).hashCode());
    }

    /* Around the ends of words of eight bytes. */
    static void pieces(String text) {
        int n = Math.min(text.length(), 21);
        for (int i = 0; i < n; i++)
            for (int k = i; k <= n; k++) {
                String p = text.substring(i, k);
                add(text.compareTo(p));
                add(p.compareTo(text));
                add(p.compareTo(text.substring(n - k, n - i)));
                for (int from = -1; from <= p.length() + 1; from += 1 + (i & 1)) add(p.indexOf(text.charAt((i + k) % n), from));
                add(p.indexOf(text.charAt(n - 1)) * 31 + p.indexOf(text.charAt(n - 1) + 1));
            }
    }

    static void single(String a) {
        add(a.hashCode());
        hashes(a);
        pieces(a);
        add(new String(a.toCharArray()).hashCode());
        add(a.length());
        add(a.isEmpty() ? 1 : 0);
        for (int c : new int[] {'a', 'z', 'b', 0xe6, 0x430, 0x431, 0, -1, 255, 256, 0xffff, 0x10000, 0x1f600, 0x110000, Integer.MIN_VALUE}) {
            for (int from : new int[] {-1, 0, 1, a.length() - 1, a.length(), a.length() + 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                add(a.indexOf(c, from));
                add(a.lastIndexOf(c, from));
            }
            add(a.indexOf(c));
            add(a.lastIndexOf(c));
        }
        char[] chars = a.toCharArray();
        for (char c : chars) add(c);
        add(new String(chars));
        add(String.valueOf(chars, 0, chars.length));
        byte[] utf = a.getBytes(StandardCharsets.UTF_8), iso = a.getBytes(StandardCharsets.ISO_8859_1), ascii = a.getBytes(StandardCharsets.US_ASCII);
        add(Arrays.hashCode(utf));
        add(Arrays.hashCode(iso));
        add(Arrays.hashCode(ascii));
        add(Arrays.hashCode(a.getBytes(StandardCharsets.UTF_16LE)));
        add(new String(utf, StandardCharsets.UTF_8));
        add(new String(iso, StandardCharsets.ISO_8859_1));
        add(new String(ascii, StandardCharsets.US_ASCII));
        add(a.toUpperCase());
        add(a.toLowerCase());
        add(a.trim());
        add(a.replace('b', '\u0442'));
        add(a.replace('\u0431', 'x'));
        add(new StringBuilder(a).reverse().toString());
        for (java.nio.charset.Charset cs : new java.nio.charset.Charset[] {StandardCharsets.ISO_8859_1, StandardCharsets.US_ASCII, StandardCharsets.UTF_8}) {
            ByteBuffer to = ByteBuffer.allocate(50);
            add(cs.newEncoder().encode(CharBuffer.wrap(chars), to, true).toString());
            add(to.position());
            add(Arrays.hashCode(to.array()));
        }
    }

    static void bounds(String a) {
        int n = a.length();
        for (int i : new int[] {-1, 0, n - 1, n, n + 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            attempt(() -> a.charAt(i));
            attempt(() -> a.codePointAt(i));
            attempt(() -> a.substring(i).length());
            attempt(() -> a.substring(1, i).hashCode());
            attempt(() -> { char[] to = new char[20]; a.getChars(0, i, to, 2); return Arrays.hashCode(to); });
            attempt(() -> { char[] to = new char[20]; a.getChars(i, 3, to, 0); return Arrays.hashCode(to); });
            attempt(() -> { char[] to = new char[20]; a.getChars(0, 3, to, i); return Arrays.hashCode(to); });
            attempt(() -> new StringBuilder(a).charAt(i));
            attempt(() -> new StringBuilder(a).append(a, 0, i).length());
            attempt(() -> { StringBuilder b = new StringBuilder(a); b.setCharAt(i, 'q'); return b.toString().hashCode(); });
            attempt(() -> { StringBuilder b = new StringBuilder(a); b.setCharAt(i, '\u0431'); return b.toString().hashCode(); });
            attempt(() -> new String(a.toCharArray(), i, 2).hashCode());
            attempt(() -> new String(a.getBytes(), 0, i).hashCode());
        }
        attempt(() -> a.compareTo(null));
        attempt(() -> a.startsWith(null) ? 1 : 0);
        attempt(() -> a.startsWith(null, 3) ? 1 : 0);
        attempt(() -> a.indexOf((String) null));
        attempt(() -> a.indexOf((String) null, 1));
        attempt(() -> a.equalsIgnoreCase(null) ? 1 : 0);
        attempt(() -> a.contains(null) ? 1 : 0);
        attempt(() -> { a.getChars(0, 1, null, 0); return 1; });
        attempt(() -> a.concat(null).length());
        attempt(() -> new StringBuilder(a).append((String) null).append((Object) null).length());
    }

    static void nothing() {
        String none = null;
        attempt(() -> none.length());
        attempt(() -> none.charAt(0));
        attempt(() -> none.hashCode());
        attempt(() -> none.isEmpty() ? 1 : 0);
        attempt(() -> none.equals("a") ? 1 : 0);
        attempt(() -> none.startsWith("a") ? 1 : 0);
    }

    /* --- digits, and strings put together by call sites --- */
    static final String PREFIX = "p", WIDE_PREFIX = "\u0436";
    static void digits(long n, StringBuilder latin, StringBuilder wide) {
        int i = (int) n;
        add(Integer.toString(i));
        add(Long.toString(n));
        latin.setLength(0);
        wide.setLength(1);
        latin.append(i).append('|').append(n).append(i).append(n);
        wide.append(i).append('|').append(n).append(n).append(i);
        add(latin.toString());
        add(wide.toString());
        add("" + i);
        add(i + ":" + n);
        add(PREFIX + n + WIDE_PREFIX + i + (char) (i & 0x7ff));
        add(null + PREFIX + (i > 0) + n + 1.5f + i);
    }
    static String joined(Object a, String b, int i, long j, char c, boolean z, double d) { return a + b + i + "\u0001" + j + c + z + d + b + a; }
    static String two(String a, String b) { return a + b; }
    static String wide(String a, int i) { return "\u0416" + a + i; }
    static final Object FAILS = new Object() { @Override public String toString() { throw new IllegalStateException("no text"); } };
    static void sites(String a) {
        for (int i = -3; i < 12; i++) {
            add(joined(i % 4 == 0 ? null : a, a, i * 1000003, i * 10000000007L, (char) ('a' + i * 50), i > 2, i / 3.0));
            add(two(a, i % 2 == 0 ? null : "x" + i));
            add(wide(a, i));
        }
        add(two("", a) == a ? 1 : 0);
        attempt(() -> joined(FAILS, a, 1, 2, 'c', true, 0).length());
    }

    /* places of short texts in longer ones, of each length around sixteen, and what is nearly there */
    static void searches() {
        for (String unit : new String[] {"ab", "\u0430\u0431"})
            for (int n = 1; n < 90; n += n < 40 ? 1 : 7) {
                String text = unit.repeat(n / 2 + 1).substring(0, n);
                for (int at = 0; at < n; at += 1 + n / 9) {
                    String with = text.substring(0, at) + "zq" + text.substring(at);
                    for (String s : new String[] {"zq", "z", "qz", "qab", "bzq", "azqbab", unit + unit, text.substring(at), "z" + unit, with, with + "a"}) {
                        add(with.indexOf(s)); add(with.indexOf(s, at)); add(with.lastIndexOf(s)); add(with.indexOf(s, n - 1)); add(text.contains(s) ? 1 : 0);
                    }
                    for (char c : new char[] {'z', 'q', unit.charAt(1), 'x', '\u0436'}) { add(with.indexOf(c)); add(with.indexOf(c, at + 1)); add(with.lastIndexOf(c)); }
                    add(with.replace("zq", "<>").hashCode()); add(with.split("z").length); add(with.replace('q', '\u0436').hashCode());
                }
            }
    }

    static int naive(String text, String s) {
        for (int i = 0; i <= text.length() - s.length(); i++)
            if (text.regionMatches(i, s, 0, s.length())) return i;
        return -1;
    }

    /* long texts in wide ones whose bytes are there between characters, too, and which begin again and again */
    static void longSearches() {
        java.util.Random random = new java.util.Random(3);
        for (int round = 0; round < 200; round++) {
            StringBuilder b = new StringBuilder();
            int n = random.nextInt(500), kinds = random.nextInt(4), rare = 1 + random.nextInt(40);
            for (int i = 0; i < n; i++) b.append(random.nextInt(rare) > 0 ? 'a' : "a\u6100b\u0101".charAt(random.nextInt(kinds + 1)));
            String text = round % 5 == 0 ? "\u6161" + b + "\u0161" : round % 5 == 1 ? b.toString().replace('a', '\u6100') + "\u0061" : b + "\u0100";
            int at = random.nextInt(text.length()), end = Math.min(text.length(), at + 20 + random.nextInt(300));
            String s = text.substring(at, end), swapped = s.chars().mapToObj(c -> "" + Character.reverseBytes((char) c)).reduce("", String::concat);
            for (String t : new String[] {s, s + 'a', 'b' + s, s.substring(1) + '\u6100', swapped, "a".repeat(s.length()), "a".repeat(s.length()) + 'c'}) {
                if (text.indexOf(t) != naive(text, t)) System.out.println("not found: " + t);
                add(text.indexOf(t));
                add(text.contains(t.substring(t.length() / 3)) ? 1 : 0);
            }
        }
        String wide = "\u0100".repeat(20_000), narrow = "a".repeat(20_000);
        add(wide.indexOf(wide.substring(10_000) + 'b')); /* takes long place by place */
        add((narrow + wide).indexOf(narrow.substring(10_000) + 'b'));
    }

    static int kinds(int c) {
        int k = 0;
        if (Character.isLetter(c)) k |= 1;
        if (Character.isDigit(c)) k |= 2;
        if (Character.isLetterOrDigit(c)) k |= 4;
        if (Character.isWhitespace(c)) k |= 8;
        if (Character.isUpperCase(c)) k |= 16;
        if (Character.isLowerCase(c)) k |= 32;
        if (Character.isJavaIdentifierStart(c)) k |= 64;
        if (Character.isJavaIdentifierPart(c)) k |= 128;
        return k * 7 + Character.toLowerCase(c) * 3 + Character.toUpperCase(c);
    }
    static int kinds(char c) {
        return (Character.isLetter(c) ? 1 : 0) + (Character.isDigit(c) ? 2 : 0) + (Character.isWhitespace(c) ? 4 : 0) + Character.toLowerCase(c) + Character.toUpperCase(c)
            + (Character.isUpperCase(c) ? 8 : 0) + (Character.isJavaIdentifierPart(c) ? 16 : 0) + Character.getNumericValue(c) * 32;
    }
    static void characters() {
        for (int c = -3; c < 0x250; c++) {
            add(kinds(c)); add(kinds((char) c));
            add(Character.digit(c, 10)); add(Character.digit(c, 16)); add(Character.digit(c, 36)); add(Character.digit(c, 2)); add(Character.digit((char) c, 37)); add(Character.digit(c, 1));
            for (int radix = -1; radix < 40; radix += 3) add(Character.digit(c, radix));
        }
        for (int c : new int[] {0x660, 0x966, 0xff10, 0xff21, 0x1d7ce, 0x10400, 0x10ffff, 0x110000, Integer.MAX_VALUE, Integer.MIN_VALUE}) { add(kinds(c)); add(Character.digit(c, 10)); }
        for (String s : new String[] {"0", "-17", "+5", "7fffffff", "80000000", "zz", "", "-", "12x", "\u0661\u0662", "2147483647", "2147483648", "-2147483648", "99999999999"}) {
            attempt(() -> Integer.parseInt(s));
            attempt(() -> Integer.parseInt(s, 16));
            attempt(() -> Long.parseLong(s, 36));
            attempt(() -> Integer.parseInt(s, 1));
        }
    }

    /* widened, narrowed, with what does not fit at each place */
    static void widths() {
        for (int n = 0; n < 70; n++) {
            StringBuilder b = new StringBuilder();
            for (int i = 0; i < n; i++) b.append((char) (0x80 + i * 3 % 128));
            String latin = b.toString();
            add(new String(latin.toCharArray())); add(latin + "\u0430"); add((latin + "\u0430").substring(0, n)); add(new String(latin.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
            add(new String(latin.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.US_ASCII));
            for (int at = 0; at < n; at += 1 + n / 12)
                for (char c : new char[] {0x100, 0x7f, 0x80, '\ud800', '\u8080'}) {
                    char[] chars = "q".repeat(n).toCharArray();
                    chars[at] = c;
                    String s = new String(chars);
                    add(s); add(s.getBytes(StandardCharsets.UTF_8).length); add(Arrays.hashCode(s.getBytes(StandardCharsets.ISO_8859_1))); add(Arrays.hashCode(s.getBytes(StandardCharsets.US_ASCII)));
                    add(new String(s.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)); add(StandardCharsets.UTF_8.encode(s).hashCode()); add(StandardCharsets.ISO_8859_1.encode(s).hashCode());
                }
        }
    }

    /* String.equals: each length, and each place where two differ. */
    static String fresh(int n, char c) { return String.valueOf(c).repeat(n); }
    static int same(String a, Object b) { return a.equals(b) ? 1 : 0; }
    static int known(String a) {
        return same("", a) + same(a, "") * 2 + same("k", a) * 4 + same(a, "k") * 8 + same("kkkkkkkk", a) * 16 + same(a, "kkkkkkkkk") * 32
                + same("kkkkkkkkkkkkkkkkk", a) * 64 + same("\u0416\u0416\u0416", a) * 128 + same(a, "\u0416\u0416\u0416\u0416\u0416") * 256;
    }
    static void equality() {
        long sum = 0;
        for (int n = 0; n < 20; n++)
            for (char c : new char[] {'k', 0, '\u00ff', '\u0416'}) {
                String a = fresh(n, c), b = fresh(n, c);
                sum = sum * 31 + same(a, b) + same(a, fresh(n + 1, c)) * 2 + same(a, null) * 4 + same(a, (Object) n) * 8 + same(a, a) * 16 + known(a);
                for (int at = 0; at < n; at++)
                    for (char d : new char[] {'l', 0x16, '\u0417', 'k' ^ 0x80}) {
                        char[] other = a.toCharArray();
                        other[at] = d;
                        sum = sum * 31 + same(a, new String(other)) + same(new String(other), a) * 2;
                    }
            }
        System.out.println("equals " + sum);
    }

    public static void main(String[] args) {
        for (int k = 0; k < 3; k++) equality();
        for (int i = 0; i < 3; i++) {
            characters();
            show("characters " + failures);
            failures = 0;
            widths();
            show("widths");
        }
        searches();
        show("searches");
        longSearches();
        show("long searches");
        StringBuilder latin = new StringBuilder(), wide = new StringBuilder("\u0430");
        for (int round = 0; round < 3; round++) {
            for (long n = 1; n > 0; n *= 10)
                for (long k = -1; k < 2; k++) {
                    digits(n + k, latin, wide);
                    digits(-n - k, latin, wide);
                }
            for (long n : new long[] {Integer.MIN_VALUE, Integer.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE, Integer.MIN_VALUE - 1L, 0xffffffffL, -12345678901L}) {
                digits(n, latin, wide);
                digits(n, new StringBuilder(0), new StringBuilder("\u0430"));
            }
            show("digits");
            for (int i = 0; i < 8; i++) sites(TEXTS[i]);
            show("sites " + failures);
            failures = 0;
            for (String a : TEXTS) {
                single(a);
                for (String b : TEXTS) pairs(a, b);
            }
            show("values");
            for (int i : new int[] {0, 1, 2, 3, 8, 9, 20, 21}) bounds(TEXTS[i]);
            nothing();
            show("failures " + failures);
            failures = 0;
        }
    }
}
