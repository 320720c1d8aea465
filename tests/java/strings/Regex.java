// SPDX-License-Identifier: Apache-2.0
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;

/** java.util.regex: groups, lookaround, backreferences, possessive and reluctant, unicode, deep recursion. */
public class Regex {
    public static void main(String[] args) {
        Matcher m = Pattern.compile("(?<year>\\d{4})-(?<month>\\d\\d)(?:-(\\d\\d))?").matcher("on 2024-02-29 and 1999-12 end");
        while (m.find())
            System.out.println(m.group() + " " + m.group("year") + " " + m.group(3) + " " + m.start() + "-" + m.end("month"));
        String[][] cases = {{"a*?b", "aaab"}, {"(a+)+b", "aaaaaaaaab"}, {"(\\w)\\1", "hello"}, {"(?<=\\$)\\d+", "cost $45"}, {"\\bfoo\\b(?!bar)", "foo foobar"}, {"a++b", "aab"}, {"[a-z&&[^aeiou]]+", "education"},
            {"(?i)straße", "STRASSE straße"}, {"\\p{Lu}\\p{L}*", "die Übung"}, {"^\\s*#", "x\n  # c"}, {"(?m)^\\s*#", "x\n  # c"}, {"(?s)a.c", "a\nc"}, {"(a|ab)(c|bcd)(d*)", "abcd"}, {"x{2,3}?", "xxxx"}, {"\\Q.*\\E", "a.*b"}, {"[\\u4e00-\\u9fff]+", "ab中文cd"}, {"(?:)", ""}, {"\\R", "a\r\nb"}, {"\\X", "e\u0301x"}};
        for (String[] c : cases) {
            Matcher x = Pattern.compile(c[0]).matcher(c[1]);
            System.out.println(c[0] + " -> " + (x.find() ? x.start() + ":" + x.group().length() + " groups " + IntStream.rangeClosed(1, x.groupCount()).mapToObj(x::group).collect(Collectors.toList()) : "none") + " " + Pattern.matches(c[0], c[1]));
        }
        System.out.println("John Smith; Jane Doe".replaceAll("(\\w+) (\\w+)", "$2, ${x}".replace("${x}", "$1")) + " " + Pattern.compile("\\d+").matcher("a1b22").replaceAll(r -> "<" + r.group().length() + ">") + " " + "a.b.c".replaceFirst("\\.", Matcher.quoteReplacement("$")));
        System.out.println(Pattern.compile(",").splitAsStream("a,b,,c").toList() + " " + Pattern.compile("[aeiou]").asPredicate().test("xyz") + " " + Pattern.compile("o").matcher("foo boo").results().map(MatchResult::start).toList());
        for (String bad : new String[] {"(", "[a", "*", "a{2,1}", "\\k<n>", "(?<1>x)", "(?<=a+)b"})
            try { Pattern.compile(bad); System.out.println("compiled " + bad); } catch (PatternSyntaxException e) { System.out.println(e.getMessage().replace("\n", " / ")); }
        try { "x".replaceAll("x", "$1"); } catch (IndexOutOfBoundsException e) { System.out.println(e.getMessage()); }
        StringBuilder text = new StringBuilder();
        Random r = new Random(8);
        for (int i = 0; i < 20000; i++)
            text.append((char) ('a' + r.nextInt(5)));
        Matcher big = Pattern.compile("(ab|ba)+c(?=d)").matcher(text);
        int n = 0, len = 0;
        while (big.find()) { n++; len += big.group().length(); }
        System.out.println(n + " " + len);
        try {
            System.out.println(Pattern.matches("(a|b)*", "ab".repeat(200000)));
        } catch (StackOverflowError e) {
            System.out.println("overflow");
        }
    }
}
