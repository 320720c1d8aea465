#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# packages: libjfreechart-java libitext5-java fonts-dejavu-core
# extent: suite
#
# JFreeChart draws charts into images, iText writes a document with tables; both are hashed.
. "$(dirname "$0")/common.sh"
jars jfreechart jcommon itext5
driver Charts <<'JAVA'
import java.awt.*;
import java.awt.image.*;
import java.io.*;
import java.util.*;
import org.jfree.chart.*;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.data.category.*;
import org.jfree.data.general.*;
import org.jfree.data.xy.*;
public class Charts {
    static void show(String n, JFreeChart c) {
        BufferedImage i = c.createBufferedImage(300, 200);
        long h = 0; Set<Integer> colours = new HashSet<>();
        for (int y = 0; y < 200; y++) for (int x = 0; x < 300; x++) { int p = i.getRGB(x, y); h = h * 31 + p; colours.add(p); }
        System.out.println(n + " " + h + " " + colours.size());
    }
    public static void main(String[] a) throws Exception {
        DefaultPieDataset pie = new DefaultPieDataset(); for (int i = 1; i < 6; i++) pie.setValue("s" + i, i * i);
        DefaultCategoryDataset cat = new DefaultCategoryDataset(); for (int i = 0; i < 12; i++) cat.addValue(i % 5 + 1, "r" + i % 3, "c" + i / 3);
        XYSeries s = new XYSeries("sin"); for (int i = 0; i < 200; i++) s.add(i / 20.0, Math.sin(i / 20.0));
        show("pie", ChartFactory.createPieChart("pie", pie, true, false, Locale.ENGLISH));
        show("bar", ChartFactory.createStackedBarChart("bar", "x", "y", cat, PlotOrientation.HORIZONTAL, true, false, false));
        show("line", ChartFactory.createXYLineChart("line", "x", "y", new XYSeriesCollection(s)));
        com.itextpdf.text.Document d = new com.itextpdf.text.Document();
        ByteArrayOutputStream o = new ByteArrayOutputStream();
        com.itextpdf.text.pdf.PdfWriter.getInstance(d, o);
        d.open();
        com.itextpdf.text.pdf.PdfPTable t = new com.itextpdf.text.pdf.PdfPTable(4);
        for (int i = 0; i < 400; i++) t.addCell("cell " + i);
        d.add(t); d.add(new com.itextpdf.text.Paragraph("text \u00fc"));
        d.close();
        com.itextpdf.text.pdf.PdfReader r = new com.itextpdf.text.pdf.PdfReader(o.toByteArray());
        for (int p = 1; p <= r.getNumberOfPages(); p++) System.out.println(p + " " + com.itextpdf.text.pdf.parser.PdfTextExtractor.getTextFromPage(r, p).hashCode());
    }
}
JAVA
run() { vm "$1" -Djava.awt.headless=true Charts; }
compare run
