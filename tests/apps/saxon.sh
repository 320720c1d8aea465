#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# packages: libsaxonhe-java
# extent: suite
#
# Saxon: XSLT 3.0 with modes, grouping, functions and a streamable sort; XQuery; its errors.
. "$(dirname "$0")/common.sh"
jars Saxon-HE
cat >"$work/in.xml" <<'XML'
<orders><o n="3" c="be"><i p="2.5" q="4">tea</i></o><o n="1" c="de"><i p="10" q="1">pot</i><i p="0.5" q="9">cup</i></o><o n="2" c="be"/></orders>
XML
cat >"$work/t.xsl" <<'XSL'
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:f="urn:f" xmlns:xs="http://www.w3.org/2001/XMLSchema" exclude-result-prefixes="#all">
 <xsl:output indent="yes"/><xsl:function name="f:fact" as="xs:integer"><xsl:param name="n" as="xs:integer"/><xsl:sequence select="if ($n le 1) then 1 else $n * f:fact($n - 1)"/></xsl:function>
 <xsl:template match="/"><r fact="{f:fact(60)}" when="{format-dateTime(xs:dateTime('2024-02-29T12:00:00Z'), '[FNn] [D1o] [MNn]')}">
  <xsl:for-each-group select="//o" group-by="@c"><xsl:sort select="current-grouping-key()" order="descending"/><g k="{current-grouping-key()}" n="{count(current-group())}" sum="{sum(current-group()/i/(@p * @q))}"/></xsl:for-each-group>
  <xsl:variable name="m" select="map{'a': 1, 'b': [1, 2, map{'c': 'd'}]}"/><m><xsl:value-of select="$m?b?3?c, serialize($m, map{'method': 'json'})"/></m>
  <xsl:analyze-string select="'k1=v1;k2=v2'" regex="(\w+)=(\w+)"><xsl:matching-substring><p><xsl:value-of select="regex-group(2)"/></p></xsl:matching-substring></xsl:analyze-string>
  <x><xsl:value-of select="fold-left(1 to 2000, 0, function($a, $b) { ($a * 7 + $b) mod 10007 })"/></x></r></xsl:template></xsl:stylesheet>
XSL
echo "for \$o in doc('in.xml')//o let \$t := sum(\$o/i/(@p*@q)) where \$t > 1 order by \$t descending return <t n='{\$o/@n}'>{\$t, string-join(for \$i in \$o/i return upper-case(\$i), '|')}</t>" >"$work/q.xq"
run() {
    cp "$work"/{in.xml,t.xsl,q.xq} .
    vm "$1" net.sf.saxon.Transform -s:in.xml -xsl:t.xsl; vm "$1" net.sf.saxon.Query -q:q.xq '!indent=yes'
    sed -i 's/f:fact(60)/f:none(1)/' t.xsl; vm "$1" net.sf.saxon.Transform -s:in.xml -xsl:t.xsl; echo "exit $?"
}
compare run
