// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** What the servers answer: a page of ROWS made of the parameters, without state. */
public class Page {
    static final Map<String, String> ESCAPES = Map.of("<", "&lt;", ">", "&gt;", "&", "&amp;", "\"", "&quot;");

    static String escape(String s) {
        StringBuilder b = new StringBuilder();
        for (String c : s.split("")) b.append(ESCAPES.getOrDefault(c, c));
        return b.toString();
    }

    static String render(Map<String, String[]> parameters) {
        StringBuilder b = new StringBuilder("<html><body><h1>Orders</h1><ul>");
        new TreeMap<>(parameters).forEach((k, v) -> b.append("<li>").append(escape(k)).append(": ").append(escape(String.join(", ", v))).append("</li>"));
        int seed = parameters.containsKey("q") ? parameters.get("q")[0].hashCode() : 0;
        List<Integer> rows = new ArrayList<>();
        for (int i = 0; i < 40; i++) rows.add((seed = seed * 1103515245 + 12345) >>> 16);
        rows.sort(Comparator.reverseOrder());
        b.append("</ul><table>");
        for (int row : rows) b.append(String.format("<tr><td>%05d</td><td>%s</td></tr>", row, escape("<item " + Integer.toString(row, 36) + ">")));
        return b.append("</table></body></html>").toString();
    }
}
