#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 200
# packages: libdom4j-java libjdom2-java libjaxen-java libxmlunit-java
# extent: suite
#
# dom4j, JDOM, Jaxen and XMLUnit: trees, XPath, differences.
. "$(dirname "$0")/common.sh"
jars dom4j jdom2 jaxen
driver Trees <<'JAVA'
import java.io.*;
import java.util.*;
public class Trees {
    public static void main(String[] a) throws Exception {
        StringBuilder x = new StringBuilder("<r xmlns:n='urn:n'>");
        for (int i = 0; i < 300; i++) x.append("<n:e id='").append(i).append("'><v>").append(i * 7 % 13).append("</v><![CDATA[<").append(i).append(">]]></n:e>");
        x.append("</r>");
        org.dom4j.Document d = org.dom4j.DocumentHelper.parseText(x.toString());
        System.out.println(d.selectNodes("//v[. > 10]").size() + " " + d.numberValueOf("sum(//v)") + " " + d.selectSingleNode("//*[@id='17']/v").getText() + " " + d.selectSingleNode("//*[@id='17']").getPath());
        d.getRootElement().addElement("added").addAttribute("k", "<&>").addText("t");
        StringWriter w = new StringWriter();
        new org.dom4j.io.XMLWriter(w, org.dom4j.io.OutputFormat.createPrettyPrint()).write(d);
        System.out.println(w.toString().hashCode() + " " + w.toString().length());
        org.jdom2.Document j = new org.jdom2.input.SAXBuilder().build(new StringReader(x.toString()));
        System.out.println(org.jdom2.xpath.XPathFactory.instance().compile("//v[../@id mod 50 = 0]/text()").evaluate(j).size());
        j.getRootElement().getChildren().removeIf(e -> Integer.parseInt(e.getAttributeValue("id")) > 3);
        System.out.println(new org.jdom2.output.XMLOutputter(org.jdom2.output.Format.getPrettyFormat()).outputString(j));
        try { new org.jdom2.input.SAXBuilder().build(new StringReader("<a><b></a>")); } catch (org.jdom2.JDOMException e) { System.out.println(e.getMessage()); }
        try { d.selectNodes("//["); } catch (RuntimeException e) { System.out.println(e.getMessage()); }
    }
}
JAVA
run() { vm "$1" Trees; }
compare run
