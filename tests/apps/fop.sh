#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 400
# packages: libfop-java fonts-dejavu-core
# extent: suite
#
# FOP renders a document with tables, an SVG (Batik) and embedded fonts to PDF and PNG.
. "$(dirname "$0")/common.sh"
need $share/fop.jar
cp=$(ls $share/{fop,fop-core,fop-util,fop-events,batik-all,xmlgraphics-commons,commons-io,commons-logging,fontbox2,xml-apis-ext,xercesImpl,xalan2,serializer}.jar 2>/dev/null | tr '\n' ':')
cat >"$work/d.fo" <<'XML'
<fo:root xmlns:fo="http://www.w3.org/1999/XSL/Format"><fo:layout-master-set><fo:simple-page-master master-name="p" page-width="12cm" page-height="14cm" margin="1cm"><fo:region-body/></fo:simple-page-master></fo:layout-master-set>
<fo:page-sequence master-reference="p"><fo:flow flow-name="xsl-region-body"><fo:block font-size="16pt" font-family="Helvetica" hyphenate="true" language="en">Heading with kerning AVAW</fo:block>
<fo:block text-align="justify" font-family="serif" space-before="6pt">Justified text that runs over several lines so that the line breaking of Knuth and Plass has something to decide about; and again, justified text that runs over several lines.</fo:block>
<fo:table table-layout="fixed" width="100%" border="1pt solid red"><fo:table-column column-width="3cm"/><fo:table-column/><fo:table-body><fo:table-row><fo:table-cell padding="2pt"><fo:block>a</fo:block></fo:table-cell><fo:table-cell border-left="1pt dotted blue"><fo:block>b <fo:inline font-weight="bold">bold</fo:inline></fo:block></fo:table-cell></fo:table-row></fo:table-body></fo:table>
<fo:block><fo:instream-foreign-object><svg xmlns="http://www.w3.org/2000/svg" width="100" height="60"><defs><linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient></defs><rect x="5" y="5" width="90" height="50" rx="8" fill="url(#g)"/><path d="M10 50 Q 50 0 90 50" stroke="white" fill="none"/></svg></fo:instream-foreign-object></fo:block>
<fo:list-block><fo:list-item><fo:list-item-label end-indent="label-end()"><fo:block>1.</fo:block></fo:list-item-label><fo:list-item-body start-indent="body-start()"><fo:block>item</fo:block></fo:list-item-body></fo:list-item></fo:list-block>
</fo:flow></fo:page-sequence></fo:root>
XML
run() {
    local out
    for out in pdf png; do
        "$1/bin/java" $O -Djava.awt.headless=true -cp "$cp" org.apache.fop.cli.Main -q "$work/d.fo" -$out out.$out 2>&1 | grep -v -e '^[A-Z][a-z]\{2\} [0-9]' -e '^INFO'
    done
    "$1/bin/java" $O -Djava.awt.headless=true -cp "$cp" org.apache.fop.cli.Main -q "$work/d.fo" -txt out.txt 2>/dev/null
    "$1/bin/java" $O -Djava.awt.headless=true -cp "$cp" org.apache.fop.cli.Main "$work/missing.fo" -pdf x.pdf 2>&1 | grep -c missing.fo
    LC_ALL=C sed -i -E 's/CreationDate|D:[0-9+'"'"']+//g; s/<[0-9A-F]{32}>/ID/g; s/<(xmp:[A-Za-z]*Date|dc:date)>[^<]*//g' out.pdf
    [ -s out.png ] && [ -s out.pdf ]
}
compare run
