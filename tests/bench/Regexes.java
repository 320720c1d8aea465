// SPDX-License-Identifier: Apache-2.0
import java.util.regex.*;

/** Regular expressions: groups, backtracking, replacement, splitting. */
public class Regexes {
    public static void main(String[] x) {
        long t = System.nanoTime();
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 4000; i++)
            b.append("user").append(i % 97).append("@host").append(i % 13).append(".example.org; 2021-0").append(1 + i % 9)
                .append("-1").append(i % 10).append(" aaaaab=").append(i * 31).append('\n');
        String text = b.toString();
        long s = 0;
        Matcher m = Pattern.compile("(?<name>[a-z]+\\d*)@((?:[a-z0-9]+\\.)+[a-z]{2,})").matcher(text);
        while (m.find()) s += m.group("name").length() * 31L + m.end(2);
        m = Pattern.compile("\\b(\\d{4})-(\\d\\d)-(\\d\\d)\\b").matcher(text);
        s += m.replaceAll("$3.$2.$1").hashCode();
        m = Pattern.compile("(a+)+b=(\\d+)$", Pattern.MULTILINE).matcher(text);
        while (m.find()) s += Integer.parseInt(m.group(2));
        for (String line : Pattern.compile("\\s*[;\\n]\\s*").split(text)) s += line.length();
        m = Pattern.compile("USER(?:1|3|5)\\d(?=@)", Pattern.CASE_INSENSITIVE).matcher(text);
        while (m.find()) s += m.start();
        System.out.println(s);
        Bench.done(t);
    }
}
