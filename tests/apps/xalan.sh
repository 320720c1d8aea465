#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: libjaxp1.3-java libxalan2-java libxerces2-java
#
# Xalan over Xerces: XSLT interpreted and compiled (XSLTC), XPath, schema validation; the JDK's own versions of both.
. "$(dirname "$0")/common.sh"
jars xalan2 serializer xercesImpl xml-apis
driver XmlApp <<'JAVA'
import java.io.*;
import javax.xml.parsers.*;
import javax.xml.transform.*;
import javax.xml.transform.dom.*;
import javax.xml.transform.stream.*;
import javax.xml.validation.*;
import javax.xml.xpath.*;
import org.w3c.dom.*;
import org.xml.sax.*;

public class XmlApp {
    static final String XML = "<!DOCTYPE shop [<!ENTITY co 'Acme &amp; Sons'>]><shop xmlns:x='urn:x'><item price='3.5' n='2'>nut</item>"
        + "<item price='10' n='1' x:hot='yes'>bolt &co;</item><item price='0.25' n='100'><![CDATA[<screw>]]></item></shop>";
    static final String XSL = "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:output method='html' indent='yes'/>"
        + "<xsl:param name='p' select=\"'none'\"/><xsl:key name='k' match='item' use='@n'/><xsl:variable name='t' select='sum(//item/@price)'/>"
        + "<xsl:template match='/'><html><body p='{$p}'><xsl:apply-templates select='shop/item'><xsl:sort select='@price' data-type='number' order='descending'/>"
        + "</xsl:apply-templates><p><xsl:value-of select='format-number($t, \"#,##0.00\")'/> <xsl:value-of select='key(\"k\", \"2\")'/></p><xsl:call-template name='r'>"
        + "<xsl:with-param name='n' select='5'/></xsl:call-template></body></html></xsl:template>"
        + "<xsl:template match='item'><li><xsl:number/>. <xsl:value-of select='translate(., \"abc\", \"ABC\")'/> <xsl:if test='@n &gt; 1'> many</xsl:if></li></xsl:template>"
        + "<xsl:template name='r'><xsl:param name='n'/><xsl:if test='$n &gt; 0'><b><xsl:value-of select='$n * $n'/></b><xsl:call-template name='r'><xsl:with-param name='n' select='$n - 1'/></xsl:call-template></xsl:if></xsl:template></xsl:stylesheet>";
    static final String XSD = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='shop'><xs:complexType><xs:sequence><xs:element name='item' maxOccurs='2'>"
        + "<xs:complexType><xs:simpleContent><xs:extension base='xs:string'><xs:attribute name='price' type='xs:decimal'/><xs:attribute name='n' type='xs:byte'/></xs:extension></xs:simpleContent></xs:complexType>"
        + "</xs:element></xs:sequence></xs:complexType></xs:element></xs:schema>";
    public static void main(String[] a) throws Exception {
        DocumentBuilderFactory df = DocumentBuilderFactory.newInstance();
        df.setNamespaceAware(true);
        System.out.println(df.getClass().getName());
        Document d = df.newDocumentBuilder().parse(new InputSource(new StringReader(XML)));
        for (String f : a) {
            TransformerFactory tf = f.isEmpty() ? TransformerFactory.newInstance() : TransformerFactory.newInstance(f, null);
            System.out.println(tf.getClass().getName());
            Transformer t = tf.newTemplates(new StreamSource(new StringReader(XSL))).newTransformer();
            t.setParameter("p", "given");
            t.transform(new DOMSource(d), new StreamResult(System.out));
            System.out.println();
            try { tf.newTemplates(new StreamSource(new StringReader(XSL.replace("match='/'", "match='//['")))); System.out.println("compiled"); }
            catch (TransformerConfigurationException e) { System.out.println(e.getClass().getName()); }
        }
        XPath xp = XPathFactory.newInstance().newXPath();
        for (String e : new String[] {"count(//item)", "//item[@price > 1][last()]/text()", "sum(//@n) div 2", "name(//@*[namespace-uri() = 'urn:x'])", "substring-after('a=b', '=')"})
            System.out.println(e + " = " + xp.evaluate(e, d));
        try { xp.evaluate("//item[", d); } catch (XPathExpressionException e) { System.out.println(e.getMessage()); }
        Validator v = SchemaFactory.newInstance("http://www.w3.org/2001/XMLSchema").newSchema(new StreamSource(new StringReader(XSD))).newValidator();
        v.setErrorHandler(new ErrorHandler() {
            public void warning(SAXParseException e) { System.out.println("w " + e.getMessage()); }
            public void error(SAXParseException e) { System.out.println("e " + e.getMessage()); }
            public void fatalError(SAXParseException e) { System.out.println("f " + e.getMessage()); }
        });
        v.validate(new DOMSource(d));
        for (String bad : new String[] {"<a><b></a>", "<a>&no;</a>", "", "<a x='1' x='2'/>"}) {
            try { DocumentBuilder b = df.newDocumentBuilder(); b.setErrorHandler(null); b.parse(new InputSource(new StringReader(bad))); }
            catch (SAXException e) { System.out.println(e.getMessage()); }
        }
    }
}
JAVA
debian() { vm "$1" XmlApp "" org.apache.xalan.xsltc.trax.TransformerFactoryImpl 2>&1; }
own() { "$1/bin/java" $O -cp "$work/classes" XmlApp "" 2>&1; }
compare debian
compare own
