// SPDX-License-Identifier: Apache-2.0
import java.util.Random;

/** equals, startsWith and endsWith of texts of all lengths around those of one and two machine words; prefixes that are constants; places outside. */
public class TextsCompared {
    private static int places(String s) {
        int h = 0;
        if (s.endsWith("7")) h |= 1;
        if (s.endsWith("12345678")) h |= 2;
        if (s.startsWith("ab")) h |= 4;
        if (s.startsWith("cd", 2)) h |= 8;
        if (s.endsWith("\u00e9")) h |= 16;
        if (s.startsWith("abc", -1)) h |= 32;
        if (s.startsWith("x", s.length())) h |= 64;
        if (s.startsWith("x", s.length() - 1)) h |= 128;
        if (s.endsWith("\u0416")) h |= 256;
        if (s.endsWith("abcdefg")) h |= 512;
        if (s.startsWith("x", Integer.MIN_VALUE)) h |= 1024;
        if (s.startsWith("x", Integer.MAX_VALUE)) h |= 2048;
        if (s.endsWith("")) h |= 4096;
        if (s.endsWith("zzzzzzzzz")) h |= 8192;
        if (s.startsWith("12345678", s.length() >> 1)) h |= 16384;
        return h;
    }

    private static int same(String a, String b) {
        return a.equals(b) ? 1 : 0;
    }

    private static int known(String a) {
        return (a.equals("") ? 1 : 0) | (a.equals("a") ? 2 : 0) | (a.equals("aaaaaaaa") ? 4 : 0) | (a.equals("aaaaaaaaa") ? 8 : 0) | (a.equals("aaaaaaaaaaaaaaab") ? 16 : 0)
            | (a.equals("aaaaaaaaaaaaaaaa") ? 32 : 0) | (a.equals("aaaaaaaaaaaaaaaaa") ? 64 : 0) | (a.equals("\u0416\u0416\u0416\u0416\u0416") ? 128 : 0);
    }

    public static void main(String[] args) {
        Random random = new Random(3);
        String[] parts = {"", "7", "12345678", "ab", "cd", "\u00e9", "x", "abcdefg", "\u0416", "zzzzzzzzz"}, texts = new String[120];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = "";
            for (int k = random.nextInt(4); k > 0; k--) texts[i] += parts[random.nextInt(parts.length)];
        }
        long h = 0;
        for (int k = 0; k < 200; k++)
            for (String s : texts) h = h * 31 + places(s);
        System.out.println(h);
        String[] letters = new String[130];
        for (int i = 0; i < letters.length; i++) {
            char[] c = new char[i % 26];
            java.util.Arrays.fill(c, random.nextInt(6) == 0 ? '\u0416' : 'a');
            if (c.length > 0 && random.nextInt(3) > 0) c[random.nextInt(c.length)] = 'b';
            letters[i] = new String(c);
        }
        int equal = 0;
        for (int k = 0; k < 4; k++)
            for (String s : letters)
                for (String t : letters) equal += same(s, t) + same(s, new String(t.toCharArray())) + known(s);
        System.out.println(equal);
    }
}
