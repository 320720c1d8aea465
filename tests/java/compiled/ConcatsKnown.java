// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=20

/** Texts made with constants of all short lengths, of one byte a letter and of two, between texts of both kinds and numbers. */
public class ConcatsKnown {
    static final String[] TEXTS = {"", "a", "bc", "\u00ff", "\u0416", "seven77", "eight888", "\u4e00\u4e8c", "sixteen letters!", "seventeen letters", null};

    static int of(String s, String t, int i, long l) {
        int h = (s + t).hashCode();
        h = h * 31 + (s + "1" + t).hashCode();
        h = h * 31 + ("12" + s + i).hashCode();
        h = h * 31 + (i + "123" + t + l).hashCode();
        h = h * 31 + (s + "1234" + t + "56789").hashCode();
        h = h * 31 + ("123456" + i + "1234567" + s + "12345678").hashCode();
        h = h * 31 + (s + "123456789" + l + "1234567890" + t).hashCode();
        h = h * 31 + ("12345678901" + s + "123456789012").hashCode();
        h = h * 31 + (s + "1234567890123" + i + "12345678901234").hashCode();
        h = h * 31 + ("123456789012345" + t + "1234567890123456" + s + "12345678901234567").hashCode();
        h = h * 31 + (s + "\u0416" + t).hashCode();
        h = h * 31 + ("\u0416\u0417" + i + "\u0418\u0419\u041a" + s).hashCode();
        h = h * 31 + (s + "\u0416\u0417\u0418\u0419" + l + "\u0416a\u0417b\u0418c\u0419d" + t + "\u0416a\u0417b\u0418c\u0419de").hashCode();
        h = h * 31 + (s + 'x' + t + (char) (i + 0x400) + (i % 2 == 0) + 1.5f + l).hashCode();
        StringBuilder b = new StringBuilder();
        b.append("12").append(s).append("\u00fe").append(t).append("").append("123456789").append(i).append("\u0100").append(l);
        return h * 31 + b.append("1").append("12345678901234567890").toString().hashCode();
    }

    public static void main(String[] args) {
        long all = 0;
        for (int round = 0; round < 60; round++) {
            for (String s : TEXTS)
                for (String t : TEXTS) all = all * 31 + of(s, t, round * 7919 - 100000, round * 1000003L * (round - 150));
            if (round % 20 == 19) System.out.println(all);
        }
    }
}
