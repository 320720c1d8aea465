#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: fonts-dejavu-core libfreetype6 libfontconfig1 libharfbuzz0b
# extent: suite
#
# java.desktop without a display: Java2D, fonts, image codecs, filters, printing to a stream, beans.
. "$(dirname "$0")/common.sh"
driver AwtApp <<'JAVA'
import java.awt.*;
import java.awt.color.*;
import java.awt.font.*;
import java.awt.geom.*;
import java.awt.image.*;
import java.beans.*;
import java.io.*;
import java.util.*;
import javax.imageio.*;
import javax.swing.*;
import javax.swing.text.*;
import javax.swing.text.html.*;
import javax.swing.tree.*;

public class AwtApp {
    public static class Bean {
        private int size; private final PropertyChangeSupport s = new PropertyChangeSupport(this);
        public int getSize() { return size; }
        public void setSize(int n) { s.firePropertyChange("size", size, size = n); }
        public boolean isBig() { return size > 9; }
        public void addPropertyChangeListener(PropertyChangeListener l) { s.addPropertyChangeListener(l); }
        public void removePropertyChangeListener(PropertyChangeListener l) { s.removePropertyChangeListener(l); }
    }
    static int sum(BufferedImage i) { return Arrays.hashCode(i.getRGB(0, 0, i.getWidth(), i.getHeight(), null, 0, i.getWidth())); }
    public static void main(String[] a) throws Exception {
        System.out.println(GraphicsEnvironment.isHeadless());
        for (int type : new int[] {BufferedImage.TYPE_INT_ARGB, BufferedImage.TYPE_INT_RGB, BufferedImage.TYPE_3BYTE_BGR, BufferedImage.TYPE_BYTE_GRAY, BufferedImage.TYPE_BYTE_INDEXED, BufferedImage.TYPE_USHORT_565_RGB}) {
            BufferedImage im = new BufferedImage(200, 120, type);
            Graphics2D g = im.createGraphics();
            g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            g.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            g.setPaint(new LinearGradientPaint(0, 0, 200, 0, new float[] {0, .3f, 1}, new Color[] {Color.RED, Color.GREEN, Color.BLUE}));
            g.fillRect(0, 0, 200, 120);
            g.setColor(new Color(255, 255, 255, 128));
            g.fill(new Ellipse2D.Double(20.5, 10.25, 120, 80));
            g.setStroke(new BasicStroke(4.5f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND, 1, new float[] {9, 5}, 0));
            g.setColor(Color.BLACK);
            g.draw(new CubicCurve2D.Double(0, 0, 80, 160, 120, -60, 200, 120));
            g.setFont(new Font("DejaVu Sans", Font.BOLD, 18));
            g.drawString("Graphics \u00e4\u00f6 \u0416", 15, 60);
            AffineTransform t = AffineTransform.getRotateInstance(0.4);
            g.setTransform(t);
            g.setComposite(AlphaComposite.getInstance(AlphaComposite.SRC_OVER, 0.4f));
            g.fill(new Area(new Rectangle(40, 0, 60, 50)) {{ exclusiveOr(new Area(new Rectangle(60, 20, 60, 50))); }});
            g.dispose();
            System.out.println(type + " " + sum(im));
            for (String f : new String[] {"png", "jpg", "bmp", "gif"}) {
                ByteArrayOutputStream o = new ByteArrayOutputStream();
                if (!ImageIO.write(im, f, o)) { System.out.println("no " + f); continue; }
                BufferedImage back = ImageIO.read(new ByteArrayInputStream(o.toByteArray()));
                System.out.println(f + " " + o.size() + " " + sum(back));
            }
            if (type == BufferedImage.TYPE_INT_ARGB) {
                ImageIO.write(im, "png", new File("a.png"));
                System.out.println(sum(new ConvolveOp(new Kernel(3, 3, new float[] {.1f, .1f, .1f, .1f, .2f, .1f, .1f, .1f, .1f})).filter(im, null)));
                System.out.println(sum(new AffineTransformOp(AffineTransform.getScaleInstance(.5, 2), AffineTransformOp.TYPE_BICUBIC).filter(im, null)));
                System.out.println(sum(new ColorConvertOp(ColorSpace.getInstance(ColorSpace.CS_GRAY), null).filter(im, null)));
            }
        }
        FontRenderContext frc = new FontRenderContext(null, true, true);
        Font font = new Font("DejaVu Sans", Font.PLAIN, 12);
        System.out.println(font.getFamily() + " " + font.getStringBounds("AVAT fi", frc) + " " + font.canDisplay('\u0416'));
        TextLayout l = new TextLayout("bidi \u05d0\u05d1 text", font, frc);
        System.out.println(l.getAdvance() + " " + l.isLeftToRight() + " " + new LineBreakMeasurer(new java.text.AttributedString("some words to break") {{ addAttribute(TextAttribute.FONT, font); }}.getIterator(), frc).nextLayout(60).getCharacterCount());
        Bean b = new Bean();
        b.addPropertyChangeListener(e -> System.out.println(e.getPropertyName() + " " + e.getOldValue() + " " + e.getNewValue()));
        for (PropertyDescriptor p : Introspector.getBeanInfo(Bean.class).getPropertyDescriptors()) System.out.println(p.getName() + " " + p.getPropertyType() + " " + p.isBound());
        new Statement(b, "setSize", new Object[] {12}).execute();
        ByteArrayOutputStream xml = new ByteArrayOutputStream();
        try (XMLEncoder e = new XMLEncoder(xml)) { e.writeObject(b); e.writeObject(new ArrayList<>(java.util.List.of(1, "x"))); }
        try (XMLDecoder d = new XMLDecoder(new ByteArrayInputStream(xml.toByteArray()))) { System.out.println(((Bean) d.readObject()).getSize() + " " + d.readObject()); }
        DefaultStyledDocument doc = new DefaultStyledDocument();
        doc.insertString(0, "hello world", null);
        doc.setCharacterAttributes(0, 5, new SimpleAttributeSet() {{ StyleConstants.setBold(this, true); }}, false);
        System.out.println(doc.getDefaultRootElement().getElement(0).getElementCount());
        HTMLDocument h = new HTMLDocument();
        new HTMLEditorKit().read(new StringReader("<p>one <b>two</b><ul><li>x</ul>"), h, 0);
        System.out.println(h.getText(0, h.getLength()).trim());
        DefaultTreeModel tm = new DefaultTreeModel(new DefaultMutableTreeNode("root") {{ add(new DefaultMutableTreeNode("leaf")); }});
        System.out.println(tm.getChildCount(tm.getRoot()));
        SwingUtilities.invokeAndWait(() -> System.out.println(Thread.currentThread().getName().startsWith("AWT-EventQueue")));
        JLabel label = new JLabel("text");
        label.setFont(font);
        label.setSize(80, 20);
        BufferedImage li = new BufferedImage(80, 20, BufferedImage.TYPE_INT_ARGB);
        SwingUtilities.invokeAndWait(() -> label.paint(li.getGraphics()));
        System.out.println(sum(li));
        try { new Frame(); } catch (HeadlessException e) { System.out.println(e.getClass()); }
        try { new Robot(); } catch (AWTException e) { System.out.println(e.getMessage()); }
    }
}
JAVA
run() { vm "$1" -Djava.awt.headless=true -Duser.home=. -Djava.util.prefs.userRoot=. AwtApp; local c=$?; rm -rf .java; return $c; }
compare run
