// SPDX-License-Identifier: Apache-2.0
import java.beans.*;
import java.io.*;
import java.lang.management.*;
import java.util.*;
import java.util.logging.*;
import javax.script.*;
import javax.xml.parsers.*;
import javax.xml.transform.*;
import javax.xml.transform.dom.*;
import javax.xml.transform.stream.*;
import javax.xml.xpath.*;
import org.w3c.dom.*;
import org.xml.sax.*;
import org.xml.sax.helpers.DefaultHandler;

/** Wide library use: XML (DOM, SAX, XPath, XSLT), logging, management beans, beans, resource bundles. */
public class Services {
    public static class Bean { private int size; private String name; private final PropertyChangeSupport pcs = new PropertyChangeSupport(this); public int getSize() { return size; } public void setSize(int s) { int o = size; size = s; pcs.firePropertyChange("size", o, s); } public boolean isReady() { return true; } public String getName() { return name; } public void setName(String n) { name = n; } public void addPropertyChangeListener(PropertyChangeListener l) { pcs.addPropertyChangeListener(l); } }
    public static class Res extends ListResourceBundle { protected Object[][] getContents() { return new Object[][] {{"k", "base"}, {"only", 1}}; } }
    public static class Res_de extends ListResourceBundle { protected Object[][] getContents() { return new Object[][] {{"k", "deutsch"}}; } }

    public static void main(String[] args) throws Exception {
        String xml = "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY e 'entity'>]><r a='1'><b>text &e;</b><!-- c --><b x='2'><![CDATA[<raw>]]></b><n:c xmlns:n='urn:n'/></r>";
        Document d = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
        System.out.println(d.getDocumentElement().getAttribute("a") + d.getElementsByTagName("b").getLength() + d.getDocumentElement().getTextContent());
        System.out.println(XPathFactory.newInstance().newXPath().evaluate("count(//b[@x>1]) + string-length(/r/b[1])", d));
        StringWriter w = new StringWriter();
        Transformer t = TransformerFactory.newInstance().newTransformer();
        t.setOutputProperty(OutputKeys.INDENT, "yes");
        t.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
        t.transform(new DOMSource(d), new StreamResult(w));
        System.out.println(w);
        String xsl = "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:output method='text'/><xsl:template match='/'><xsl:for-each select='//b'><xsl:sort select='.' order='descending'/>[<xsl:value-of select='position()'/>:<xsl:value-of select='.'/>]</xsl:for-each></xsl:template></xsl:stylesheet>";
        StringWriter o = new StringWriter();
        TransformerFactory.newInstance().newTransformer(new StreamSource(new StringReader(xsl))).transform(new StreamSource(new StringReader(xml)), new StreamResult(o));
        System.out.println(o);
        StringBuilder sax = new StringBuilder();
        SAXParserFactory.newInstance().newSAXParser().parse(new ByteArrayInputStream(xml.getBytes()), new DefaultHandler() { @Override public void startElement(String u, String l, String q, Attributes a) { sax.append(q).append(a.getLength()); } @Override public void characters(char[] c, int s, int n) { sax.append(c, s, n); } });
        System.out.println(sax);
        try { DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader("<a><b></a>"))); } catch (SAXParseException e) { System.out.println(e.getMessage() + e.getLineNumber()); }
        Logger log = Logger.getLogger("graft.test");
        log.setUseParentHandlers(false);
        log.setLevel(Level.FINE);
        List<String> recs = new ArrayList<>();
        log.addHandler(new Handler() { @Override public void publish(LogRecord r) { recs.add(r.getLevel() + ":" + new SimpleFormatter().formatMessage(r) + ":" + r.getSourceClassName() + "." + r.getSourceMethodName()); } @Override public void flush() {} @Override public void close() {} });
        log.info("info"); log.log(Level.FINE, "p {0} {1}", new Object[] {1, "x"}); log.finer("no"); log.entering("c", "m");
        System.out.println(recs);
        BeanInfo bi = Introspector.getBeanInfo(Bean.class, Object.class);
        for (PropertyDescriptor p : bi.getPropertyDescriptors()) System.out.print(p.getName() + ":" + p.getPropertyType().getSimpleName() + (p.getWriteMethod() != null ? "rw " : "r "));
        Bean b = new Bean();
        b.addPropertyChangeListener(e -> System.out.println(e.getPropertyName() + e.getOldValue() + e.getNewValue()));
        b.setSize(9);
        System.out.println(ResourceBundle.getBundle("Services$Res", Locale.GERMAN).getString("k") + ResourceBundle.getBundle("Services$Res", Locale.GERMAN).getObject("only") + ResourceBundle.getBundle("Services$Res", Locale.forLanguageTag("xx")).getString("k"));
        try { ResourceBundle.getBundle("none"); } catch (MissingResourceException e) { System.out.println(e.getMessage()); }
        RuntimeMXBean rt = ManagementFactory.getRuntimeMXBean();
        System.out.println((rt.getUptime() > 0) + " " + rt.getName().contains("@") + " " + rt.getInputArguments().stream().anyMatch(x -> x.startsWith("-Djava.library.path")) + " " + (ManagementFactory.getThreadMXBean().getThreadCount() > 0) + (ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() > 0) + (ManagementFactory.getClassLoadingMXBean().getLoadedClassCount() > 300) + (ManagementFactory.getThreadMXBean().findDeadlockedThreads() == null) + (ManagementFactory.getGarbageCollectorMXBeans().size() > 0) + ManagementFactory.getPlatformMBeanServer().isRegistered(new javax.management.ObjectName("java.lang:type=Runtime")));
        System.out.println(new ScriptEngineManager().getEngineByName("none"));
    }
}
