// SPDX-License-Identifier: Apache-2.0
import java.nio.charset.*;
import java.util.*;
import java.util.stream.*;

/** String: Latin-1 and UTF-16 forms, interning, concatenation by indy in every shape, builders, charsets. */
public class Strings1 {
    static final String CONST = "con" + "stant" + 1 + 'c' + 2.0 + true + null;

    static String esc(String s) {
        StringBuilder b = new StringBuilder();
        for (char c : s.toCharArray())
            b.append(c < 127 && c >= 32 ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        return b.toString();
    }

    static String hex(byte[] b) {
        return IntStream.range(0, b.length).mapToObj(i -> String.format("%02x", b[i])).collect(Collectors.joining());
    }

    public static void main(String[] args) throws Exception {
        String a = "abc", b = new String("abc"), nul = null;
        System.out.println((a == b) + " " + (a == b.intern()) + " " + (a == "a" + "bc") + " " + CONST + " " + (("con" + "stant1c2.0truenull") == CONST.intern()));
        boolean z = true; byte by = -1; char c = 'é'; short s = -300; int i = 42; long l = 1L << 45; float f = 1.1f; double d = 1e-10; Object o = new int[0].getClass(); char wide = '\u4e2d';
        System.out.println(esc("" + z + by + c + s + i + l + f + d + o + nul + a + wide));
        System.out.println(esc(i + "x" + wide + c + "\u0001\u0002" + l) + esc(c + 1 + "a" + c + 1));
        String acc = "";
        for (int k = 0; k < 20; k++)
            acc += k + (k % 3 == 0 ? "é" : k % 5 == 0 ? "中" : ",");
        System.out.println(esc(acc) + acc.length() + " " + acc.hashCode());
        String many = a + i + a + l + a + f + a + d + a + z + a + c + a + by + a + s + a + o + a + nul + a + i + i + i + i + i + i + i + i + i + i + i + i + i;
        System.out.println(esc(many));
        String[] t = {"", "a", "é", "中", "😀", "a\uD800b", "ÀÿĀ", "mixed é 中 😀"};
        for (String x : t) {
            System.out.println(esc(x) + " " + x.length() + " " + x.codePointCount(0, x.length()) + " " + x.hashCode() + " " + esc(x.toUpperCase()) + " " + esc(new StringBuilder(x).reverse().toString())
                + " " + hex(x.getBytes("UTF-8")) + " " + hex(x.getBytes("UTF-16")) + " " + hex(x.getBytes("ISO-8859-1")) + " " + hex(x.getBytes("US-ASCII")) + " " + esc(new String(x.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)));
        }
        System.out.println(esc(new String(new byte[] {(byte) 0xc3, (byte) 0x28, (byte) 0xe2, (byte) 0x82, 'x', (byte) 0xff}, "UTF-8")) + " " + esc(new String(new byte[] {(byte) 0xa4, (byte) 0x80}, "windows-1252"))
            + " " + hex("中é".getBytes("GBK")) + " " + hex("あ".getBytes("Shift_JIS")) + " " + hex("€".getBytes("ISO-8859-15")) + " " + hex("é".getBytes("IBM850")) + Charset.defaultCharset());
        System.out.println("  trim \u2003 ".trim().length() + " " + "  strip \u2003 ".strip().length() + " " + "a,b,,c,,".split(",").length + " " + Arrays.toString("a1b22c".split("\\d+", -1)) + " " + "x".repeat(5) + " " + String.join("/", List.of("a", "b"))
            + " " + "Hello".chars().sum() + " " + "hello world".indexOf("wor") + " " + "aXbX".lastIndexOf('X') + " " + "abc".compareTo("abd") + " " + "a".compareTo("abc") + " " + "ABC".equalsIgnoreCase("abc") + " " + "é".compareToIgnoreCase("É")
            + " " + "abcabc".replace("bc", "中") + " " + "abc".replace('b', 'é').length() + " " + "abc".contains("") + " " + "abc".regionMatches(true, 1, "xBC", 1, 2) + " " + "  ".isBlank() + " " + "abc".contentEquals(new StringBuilder("abc")) + "a\nb\r\nc".lines().toList());
        StringBuilder sb = new StringBuilder();
        sb.append(1).append('x').append(2.5f).append(true).append((Object) null).append(new char[] {'c'}).append("中").insert(0, -7L).insert(3, "ins").deleteCharAt(1).replace(0, 2, "RR").setCharAt(1, 'é');
        sb.setLength(sb.length() + 2);
        sb.appendCodePoint(0x1F600).delete(2, 4);
        System.out.println(esc(sb.toString()) + sb.capacity() + " " + sb.indexOf("中") + " " + new StringBuffer("sync").append(1).reverse());
        try { "abc".substring(-1); } catch (StringIndexOutOfBoundsException e) { System.out.println(e.getMessage()); }
        try { sb.charAt(99); } catch (IndexOutOfBoundsException e) { System.out.println(e.getMessage()); }
        try { "x".getBytes("nope"); } catch (java.io.UnsupportedEncodingException e) { System.out.println(e.getMessage()); }
        try { "x".repeat(-1); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        Set<String> interned = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int k = 0; k < 20000; k++)
            interned.add(("dyn" + k % 1000).intern());
        System.out.println(interned.size());
        char[] cs = {'d', 'a', 'c'};
        Arrays.sort(cs);
        System.out.println(String.valueOf(cs) + String.copyValueOf(cs, 1, 2) + new String(new int[] {0x1F600, 65}, 0, 2).length() + "ß".toUpperCase() + "İ".toLowerCase().length() + "TITLE".toLowerCase(new Locale("tr")).codePointAt(1) + "ΑΣ".toLowerCase().codePointAt(1));
    }
}
