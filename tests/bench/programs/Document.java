// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.sax.SAXResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.fop.apps.*;

/** FOP: a report of SECTIONS with justified text, tables, lists and page references, laid out to PDF. */
public class Document {
    static final String[] WORDS = ("typesetting justified paragraph hyphenation column kerning measure a of the in to line breaking "
            + "by optimum fit considers all feasible breaks at once and chooses").split(" ");

    static String text(Random r, int words) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < words; i++) b.append(WORDS[r.nextInt(WORDS.length)]).append(' ');
        return b.toString();
    }

    static void section(StringBuilder b, Random r, int n, int sections) {
        b.append("<fo:block id='s").append(n).append("' font-size='14pt' font-weight='bold' space-before='10pt' keep-with-next='always'>Section ").append(n)
                .append(", before page <fo:page-number-citation ref-id='s").append((n + 1) % sections).append("'/></fo:block>");
        for (int i = 0; i < 4; i++) b.append("<fo:block text-align='justify' space-before='6pt'>").append(text(r, 90)).append("<fo:inline font-style='italic'>").append(text(r, 5)).append("</fo:inline></fo:block>");
        b.append("<fo:table table-layout='fixed' width='100%' border='1pt solid black'><fo:table-column column-number='1'/><fo:table-column column-number='2'/><fo:table-column column-number='3'/><fo:table-body>");
        for (int i = 0; i < 12; i++) {
            b.append("<fo:table-row>");
            for (int k = 0; k < 3; k++) b.append("<fo:table-cell padding='2pt' border='0.5pt solid gray'><fo:block>").append(text(r, 4)).append("</fo:block></fo:table-cell>");
            b.append("</fo:table-row>");
        }
        b.append("</fo:table-body></fo:table><fo:list-block provisional-distance-between-starts='1cm'>");
        for (int i = 0; i < 4; i++)
            b.append("<fo:list-item><fo:list-item-label end-indent='label-end()'><fo:block>").append(i).append("</fo:block></fo:list-item-label>")
                    .append("<fo:list-item-body start-indent='body-start()'><fo:block>").append(text(r, 25)).append("</fo:block></fo:list-item-body></fo:list-item>");
        b.append("</fo:list-block>");
    }

    static String report(int sections) {
        StringBuilder b = new StringBuilder("<fo:root xmlns:fo='http://www.w3.org/1999/XSL/Format'><fo:layout-master-set><fo:simple-page-master master-name='p' page-width='21cm' page-height='29.7cm' margin='2cm'>"
                + "<fo:region-body margin-bottom='1cm'/><fo:region-after extent='1cm'/></fo:simple-page-master></fo:layout-master-set><fo:page-sequence master-reference='p'>"
                + "<fo:static-content flow-name='xsl-region-after'><fo:block text-align='center'>page <fo:page-number/></fo:block></fo:static-content><fo:flow flow-name='xsl-region-body' font-family='serif'>");
        Random r = new Random(sections);
        for (int n = 0; n < sections; n++) section(b, r, n, sections);
        return b.append("</fo:flow></fo:page-sequence></fo:root>").toString();
    }

    public static void main(String[] a) throws Exception {
        FopFactory factory = FopFactory.newInstance(new File(".").toURI());
        FOUserAgent agent = factory.newFOUserAgent();
        agent.setCreationDate(new Date(0));
        ByteArrayOutputStream pdf = new ByteArrayOutputStream();
        Fop fop = factory.newFop("application/pdf", agent, pdf);
        TransformerFactory.newInstance().newTransformer().transform(new StreamSource(new StringReader(report(Integer.parseInt(a[0])))), new SAXResult(fop.getDefaultHandler()));
        String text = pdf.toString(StandardCharsets.ISO_8859_1).replaceAll("<[0-9A-F]{32}>", "ID").replaceAll("Date>[^<]*<", "DATE");
        System.out.println(fop.getResults().getPageCount() + " pages " + text.length() + " " + text.hashCode());
    }
}
