#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# packages: libjaxb-java libjaxb-api-java
# extent: suite
#
# JAXB: xjc makes classes of a schema, which are compiled, filled, written, read and validated.
. "$(dirname "$0")/common.sh"
jars jaxb-{core,runtime,xjc} jaxb-api istack-commons-runtime txw2
cp+=$(ls $share/{istack-commons-tools,rngom,xsom,codemodel,dtd-parser,relaxngDatatype}.jar 2>/dev/null | tr "\n" ":")
cat >"$work/s.xsd" <<'XSD'
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="shop"><xs:complexType><xs:sequence><xs:element name="item" type="item" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>
<xs:complexType name="item"><xs:sequence><xs:element name="name"><xs:simpleType><xs:restriction base="xs:string"><xs:maxLength value="5"/></xs:restriction></xs:simpleType></xs:element><xs:element name="when" type="xs:date"/><xs:element name="price" type="xs:decimal"/></xs:sequence><xs:attribute name="kind" type="kind"/></xs:complexType>
<xs:simpleType name="kind"><xs:restriction base="xs:string"><xs:enumeration value="food"/><xs:enumeration value="tool"/></xs:restriction></xs:simpleType></xs:schema>
XSD
cat >"$work/Main.java" <<'JAVA'
import generated.*;
import java.io.*;
import java.math.*;
import javax.xml.bind.*;
import javax.xml.datatype.*;
import javax.xml.validation.*;
public class Main {
    public static void main(String[] a) throws Exception {
        JAXBContext c = JAXBContext.newInstance("generated");
        Shop s = new ObjectFactory().createShop();
        for (int i = 0; i < 3; i++) { Item t = new Item(); t.setName("n" + i); t.setKind(Kind.values()[i % 2]); t.setPrice(new BigDecimal("1.50").multiply(BigDecimal.valueOf(i))); t.setWhen(DatatypeFactory.newInstance().newXMLGregorianCalendar("2024-02-2" + i)); s.getItem().add(t); }
        StringWriter w = new StringWriter();
        Marshaller m = c.createMarshaller(); m.setProperty(Marshaller.JAXB_FORMATTED_OUTPUT, true); m.marshal(s, w);
        System.out.println(w);
        Unmarshaller u = c.createUnmarshaller();
        u.setSchema(SchemaFactory.newInstance("http://www.w3.org/2001/XMLSchema").newSchema(new File("s.xsd")));
        System.out.println(((Shop) u.unmarshal(new StringReader(w.toString()))).getItem().get(2).getPrice());
        try { u.unmarshal(new StringReader(w.toString().replace("n1", "toolong"))); } catch (UnmarshalException e) { System.out.println(e.getLinkedException().getMessage()); }
        try { JAXBContext.newInstance(Main.class, Thread.class, java.util.concurrent.locks.Lock.class); } catch (JAXBException e) { System.out.println(e.toString().lines().findFirst().get()); }
    }
}
JAVA
run() {
    cp "$work/s.xsd" "$work/Main.java" .; mkdir out
    vm "$1" com.sun.tools.xjc.XJCFacade -no-header -d . s.xsd
    "$1/bin/javac" $J -nowarn -cp "$cp" -d out Main.java generated/*.java && "$1/bin/java" $O -cp "$cp:out" Main
}
compare run
