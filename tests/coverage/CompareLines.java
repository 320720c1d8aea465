/* SPDX-License-Identifier: Apache-2.0 */
// CompareLines JACOCO.xml OURS.xml MINIMUM: two reports in JaCoCo's XML, line by line.
// Status of a line is what its colour shows (missed, partly, covered) and its missed and taken branches. A line that
// only one report has is different. Exit 1 if the share of equal lines is below MINIMUM percent.
import java.io.*;
import java.nio.file.*;
import java.util.*;
import javax.xml.stream.*;

public class CompareLines {
    final Map<String, int[]> lines = new TreeMap<>();
    final Map<String, String> totals = new LinkedHashMap<>();

    CompareLines(String file) throws Exception {
        XMLInputFactory f = XMLInputFactory.newInstance();
        f.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        XMLStreamReader r = f.createXMLStreamReader(new BufferedInputStream(new FileInputStream(file)));
        String pkg = "", src = "";
        int depth = 0;
        while (r.hasNext()) {
            int e = r.next();
            if (e == XMLStreamConstants.END_ELEMENT) depth--;
            if (e != XMLStreamConstants.START_ELEMENT) continue;
            depth++;
            switch (r.getLocalName()) {
            case "package": pkg = r.getAttributeValue(null, "name"); break;
            case "sourcefile": src = r.getAttributeValue(null, "name"); break;
            case "line":
                int[] v = new int[4];
                String[] names = {"mi", "ci", "mb", "cb"};
                for (int i = 0; i < 4; i++) v[i] = Integer.parseInt(r.getAttributeValue(null, names[i]));
                lines.put(String.format("%s/%s:%5s", pkg, src, r.getAttributeValue(null, "nr")), v);
                break;
            case "counter":
                if (depth == 2)
                    totals.put(r.getAttributeValue(null, "type"), r.getAttributeValue(null, "missed") + " missed, "
                        + r.getAttributeValue(null, "covered") + " covered");
                break;
            default:
            }
        }
    }

    static String status(int[] v) {
        return v == null ? "none" : (v[1] == 0 ? "missed" : v[0] > 0 ? "partly" : "covered") + " " + v[2] + "/" + v[3];
    }

    public static void main(String[] a) throws Exception {
        CompareLines ref = new CompareLines(a[0]), our = new CompareLines(a[1]);
        Set<String> keys = new TreeSet<>(ref.lines.keySet());
        keys.addAll(our.lines.keySet());
        int same = 0;
        for (String k : keys) {
            int[] x = ref.lines.get(k), y = our.lines.get(k);
            if (status(x).equals(status(y))) same++;
            else System.out.println(k + "  jacoco " + Arrays.toString(x) + " ours " + Arrays.toString(y));
        }
        for (String t : ref.totals.keySet())
            System.out.printf("%-12s jacoco %-32s ours %s%n", t, ref.totals.get(t), our.totals.get(t));
        double share = keys.isEmpty() ? 0 : 100.0 * same / keys.size();
        System.out.printf("%d of %d lines have the same status (%.3f %%)%n", same, keys.size(), share);
        System.exit(share >= Double.parseDouble(a[2]) ? 0 : 1);
    }
}
