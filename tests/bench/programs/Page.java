// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** What the servers answer: a page of ROWS made of the parameters, without state. */
public class Page {
    static String escape(String s) {
        StringBuilder b = new StringBuilder(s.length() + 16);
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            switch (c) {
            case '<': b.append("&lt;"); break;
            case '>': b.append("&gt;"); break;
            case '&': b.append("&amp;"); break;
            case '"': b.append("&quot;"); break;
            default: b.append(c);
            }
        }
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
        for (int row : rows) b.append("<tr><td>").append(row).append("</td><td>").append(escape("<item " + Integer.toString(row, 36) + ">")).append("</td></tr>");
        return b.append(String.format("</table><p>%d orders, least %05d</p></body></html>", rows.size(), rows.get(rows.size() - 1))).toString();
    }
}
