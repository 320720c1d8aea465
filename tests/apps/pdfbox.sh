#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# packages: libpdfbox2-java fonts-dejavu-core
# extent: suite
#
# PDFBox: a document is made, encrypted, read, searched and rendered; drawing goes through java.desktop.
. "$(dirname "$0")/common.sh"
jars pdfbox2 fontbox2 commons-logging
driver Pdf <<'JAVA'
import java.awt.image.BufferedImage;
import java.io.*;
import org.apache.pdfbox.pdmodel.*;
import org.apache.pdfbox.pdmodel.encryption.*;
import org.apache.pdfbox.pdmodel.font.*;
import org.apache.pdfbox.pdmodel.interactive.form.*;
import org.apache.pdfbox.rendering.PDFRenderer;
import org.apache.pdfbox.text.PDFTextStripper;
public class Pdf {
    public static void main(String[] a) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PDDocument d = new PDDocument()) {
            PDFont sans = PDType0Font.load(d, new File("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"));
            for (int p = 0; p < 12; p++) {
                PDPage page = new PDPage();
                d.addPage(page);
                try (PDPageContentStream c = new PDPageContentStream(d, page)) {
                    c.beginText(); c.setFont(p % 2 == 0 ? sans : PDType1Font.HELVETICA, 14); c.newLineAtOffset(50, 700);
                    c.showText(p % 2 == 0 ? "Seite \u00e9\u0416 " + p : "page " + p); c.endText();
                    c.setNonStrokingColor(20 * p, 100, 30); c.addRect(60, 300, 20 * p + 5, 90); c.fill();
                }
            }
            d.protect(new StandardProtectionPolicy("owner", "user", new AccessPermission()));
            d.save(out);
        }
        try (PDDocument d = PDDocument.load(out.toByteArray(), "user")) {
            System.out.println(d.getNumberOfPages() + " pages, encrypted " + d.isEncrypted());
            System.out.println(new PDFTextStripper().getText(d));
            PDFRenderer r = new PDFRenderer(d);
            for (int p = 0; p < 4; p++) {
                BufferedImage i = r.renderImageWithDPI(p, 40);
                long sum = 0;
                for (int y = 0; y < i.getHeight(); y++) for (int x = 0; x < i.getWidth(); x++) sum = sum * 31 + i.getRGB(x, y);
                System.out.println(i.getWidth() + "x" + i.getHeight() + " " + sum);
            }
        }
        try { PDDocument.load(out.toByteArray(), "wrong"); } catch (InvalidPasswordException e) { System.out.println(e.getMessage()); }
        try { PDDocument.load("no document".getBytes()); } catch (IOException e) { System.out.println(e.getMessage()); }
    }
}
JAVA
run() { vm "$1" -Djava.awt.headless=true -Duser.home=. Pdf; local c=$?; rm -f .pdfbox.cache; return $c; }
compare run
