#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: libbatik-java
# extent: suite
#
# Batik: SVG files to PNG, and Java2D drawing to SVG.
. "$(dirname "$0")/common.sh"
need $share/batik-all.jar
cp=$(ls $share/{batik-all,xmlgraphics-commons,commons-io,commons-logging,xml-apis-ext,xercesImpl,js}.jar 2>/dev/null | tr '\n' ':')
cat >"$work/a.svg" <<'XML'
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="150" viewBox="0 0 200 150"><style>.c { fill: #3a7; stroke-width: 3 } circle:first-child { opacity: .5 }</style>
<defs><radialGradient id="r"><stop offset="0" stop-color="yellow"/><stop offset="1" stop-color="#a0f"/></radialGradient><filter id="b"><feGaussianBlur stdDeviation="2"/><feOffset dx="3" dy="3"/></filter>
<clipPath id="k"><circle cx="50" cy="50" r="40"/></clipPath><pattern id="p" width="10" height="10" patternUnits="userSpaceOnUse"><path d="M0 0L10 10" stroke="black"/></pattern></defs>
<g transform="rotate(10) scale(1.1)"><circle class="c" cx="50" cy="50" r="45" stroke="navy"/><rect x="60" y="20" width="100" height="60" fill="url(#r)" clip-path="url(#k)"/><path filter="url(#b)" fill-rule="evenodd" d="M100 100 h60 v30 h-60 z m10 5 h20 v10 h-20 z"/></g>
<rect x="120" y="90" width="60" height="50" fill="url(#p)" stroke="red" stroke-dasharray="4 2"/><path d="M10 140 C 40 10, 65 10, 95 80 S 150 150, 180 80 A 20 10 30 1 0 190 20" fill="none" stroke="#f80" stroke-linejoin="round"/></svg>
XML
driver BatikApp <<'JAVA'
import java.awt.*;
import java.awt.geom.*;
import java.io.*;
import org.apache.batik.dom.GenericDOMImplementation;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.transcoder.*;
import org.apache.batik.transcoder.image.*;
public class BatikApp {
    public static void main(String[] a) throws Exception {
        PNGTranscoder t = new PNGTranscoder();
        t.addTranscodingHint(PNGTranscoder.KEY_WIDTH, 300f);
        try (OutputStream o = new FileOutputStream("a.png")) { t.transcode(new TranscoderInput(new File(a[0]).toURI().toString()), new TranscoderOutput(o)); }
        SVGGraphics2D g = new SVGGraphics2D(GenericDOMImplementation.getDOMImplementation().createDocument("http://www.w3.org/2000/svg", "svg", null));
        g.setPaint(new GradientPaint(0, 0, Color.RED, 50, 50, Color.BLUE));
        g.fill(new Ellipse2D.Double(10, 10, 80, 40));
        g.setStroke(new BasicStroke(3, BasicStroke.CAP_ROUND, BasicStroke.JOIN_BEVEL, 1, new float[] {4, 2}, 1));
        g.draw(new Area(new Rectangle(0, 0, 30, 30)) {{ subtract(new Area(new Ellipse2D.Float(10, 10, 15, 15))); }});
        g.rotate(0.3);
        g.draw(new QuadCurve2D.Double(0, 0, 50, 100, 100, 0));
        g.stream(new FileWriter("b.svg"));
        try { t.transcode(new TranscoderInput(new StringReader("<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0 Z Q'/></svg>")), new TranscoderOutput(new ByteArrayOutputStream())); }
        catch (TranscoderException e) { System.out.println(String.valueOf(e.getMessage()).split("\n")[0]); }
    }
}
JAVA
run() { vm "$1" -Djava.awt.headless=true BatikApp "$work/a.svg" && [ -s a.png ]; }
compare run
