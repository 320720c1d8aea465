// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** Building, splitting, searching, formatting and hashing of strings. */
public class Strings {
    public static void main(String[] x) {
        long t = System.nanoTime();
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 80000; i++) b.append("word").append(i % 977).append(i % 10 == 0 ? '\n' : ' ');
        String text = b.toString();
        int n = 0, h = 0;
        for (String line : text.split("\n")) for (String w : line.split(" ")) { n += w.length(); h = h * 31 + w.toUpperCase().hashCode(); }
        for (int i = 0, p; (p = text.indexOf("word97", i)) >= 0; i = p + 1) n++;
        String acc = "";
        for (int i = 0; i < 20000; i++) { acc = "v" + i + ":" + acc.length() + ";" + (acc.length() > 100 ? "" : acc); h ^= acc.hashCode(); }
        for (int i = 0; i < 8000; i++) h += String.format("%05d|%s|%.2f", i, "s" + i, i / 3.0).hashCode();
        char[] c = text.toCharArray();
        for (int i = 0, j = c.length - 1; i < j; i++, j--) { char s = c[i]; c[i] = c[j]; c[j] = s; }
        System.out.println(n + " " + h + " " + new String(c).hashCode() + " " + text.replace("word", "w").length());
        Bench.done(t);
    }
}
