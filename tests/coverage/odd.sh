#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Odd names: beyond U+FFFF, control characters, unpaired surrogates, markup; long ones that are not ASCII; packages called like files of the HTML report;
# classes without SourceFile and LineNumberTable. Each report is whole and well-formed, patterns name them, each page is another file.
set -eu
jdk=$1 tested=$2 out=$3
agent=$(realpath "$BUILD/agents/libgraft-coverage.so") tool=$(realpath "$BUILD/bin/graft-coverage") rename=$(realpath tests/tool/rename_in_class)
rm -rf "$out/work"; mkdir -p "$out/work/t" "$out/work/src"
tests/tool/odd_names "$jdk" "$out/work/t"
cd "$out/work"
fail() { echo "$side: $*"; exit 1; }
long=$(printf 'я%.0s' {1..60})
packages="dflt index.html style.css script.js plain ${long}а ${long}б a_3c a3c"
i=0
for package in $packages; do
    i=$((i + 1))
    mkdir -p "src/$i"
    printf 'package %s;\npublic class C%s { public static int f() { return %s; } }\n' "$package" $i $i >"src/$i/C$i.java"
    echo "        $package.C$i.f();" >>calls
done
{ echo 'public class Many { public static void main(String[] a) throws Exception {'; cat calls; echo '        OddNames.main(a); Unsourced.f(); Indexed.f(); } }'
  echo 'class Unsourced { static int f() { return 1; } }'; } >src/Many.java
echo 'class Indexed { static int f() { return 1; } }' >src/Indexed.java
"$jdk/bin/javac" -encoding UTF-8 -g -cp t -d t src/*.java src/*/*.java
"$jdk/bin/javac" -g:none -cp t -d t src/Many.java
"$rename" t/Indexed.class Indexed.java=index
"$rename" t/Many.class dflt/C1=default/C1
"$rename" t/dflt/C1.class dflt/C1=default/C1
"$rename" t/a_3c/C8.class a_3c=a\<; "$rename" t/Many.class a_3c=a\<; "$rename" t/a3c/C9.class a3c=a_3c; "$rename" t/Many.class a3c=a_3c
mv t/a_3c 't/a<'; mv t/a3c t/a_3c; mv t/dflt t/default
cat >look.py <<'P'
import csv, json, os, re, sys
import xml.etree.ElementTree as xml
from html.parser import HTMLParser
def read(f): return open(f, encoding='utf-8', newline='').read()
odd = {'quo"ed', 'two\\u000alines', '\\u001b]red', 'no\\u0000thing', 'half\\ud800', 'works (with brackets)', '\\ufffe'}
long = 'я' * 60
packages = {'', 'default', 'index.html', 'style.css', 'script.js', 'plain', long + 'а', long + 'б', 'a<', 'a_3c'}
x = xml.fromstring(read('r.xml'))
assert {p.get('name').replace('/', '.') for p in x.iter('package')} == packages
assert odd <= {m.get('name') for m in x.iter('method')}
assert {'OddNames$Deseret𐐀', 'Odd<&>'} <= {c.get('name') for c in x.iter('class')}
x = xml.fromstring(read('r.cob'))
assert {p.get('name') for p in x.iter('package')} == packages and odd <= {m.get('name') for m in x.iter('method')}
fn = re.findall(r'^FN:\d+,(.*)$', read('r.info'), re.M)
assert sorted(fn) == sorted(re.findall(r'^FNDA:\d+,(.*)$', read('r.info'), re.M)) and any(f.startswith('OddNames::two\\u000alines()') for f in fn)
assert all(re.match(r'(TN|SF|FN|FNDA|FNF|FNH|BRDA|BRF|BRH|DA|LF|LH):|end_of_record$', l) for l in read('r.info').splitlines())
assert {r['PACKAGE'] for r in csv.DictReader(open('r.csv', encoding='utf-8'))} == packages
assert {f['package'].replace('/', '.') for f in json.loads(read('r.json'))['files']} == packages
json.loads(read('r.sarif'))
table = [l for l in read('table').splitlines() if '%' in l and 'total' not in l]
assert len(table) == len(packages) and len({l.index('%') for l in table}) == 1, table
class Links(HTMLParser):
    def handle_starttag(self, tag, attrs):
        if tag == 'a': self.found += [v for k, v in attrs if k == 'href' and not v.startswith('#')]
def links(f):
    p = Links(); p.found = []; p.feed(read(f)); return p.found
index = links('html/index.html')
pages = {l.split('#')[0] for l in index if '/' in l}
assert len({p.split('/')[0] for p in pages}) == len(packages), pages
for f in pages: assert os.path.isfile('html/' + f), f
assert len(pages) == len(packages) + len(packages) - 1 + 4, sorted(pages) # packages; a source each; OddNames, index; Many, Unsourced
for p in pages: read('html/' + p)
assert 'OddNames$Deseret𐐀' in read('html/index.html') and 'two\\u000alines()' in read('html/default/OddNames.java.html')
P
# two class files of one name, without a source
mkdir -p same/1 same/2 same/src
for n in 1 2; do
    echo "package same; public class Same { public static int f$n() { return $n; } }" >same/src/Same.java
    "$jdk/bin/javac" -g:none -d same/$n same/src/Same.java
done
cat >same/src/Twice.java <<'J'
public class Twice {
    public static void main(String[] a) throws Exception {
        for (String n : new String[] {"1", "2"}) {
            java.net.URL at = java.nio.file.Paths.get("same/" + n + "/").toUri().toURL();
            new java.net.URLClassLoader(new java.net.URL[] {at}, null).loadClass("same.Same").getMethod("f" + n).invoke(null);
        }
    }
}
J
"$jdk/bin/javac" -d same same/src/Twice.java
for side in hotspot graft; do
    home=$jdk; [ $side = graft ] && home=$tested
    rm -rf html r.* d table
    "$home/bin/java" "-agentpath:$agent=quiet,file=d,html=html,source=$PWD/src,xml=r.xml,cobertura=r.cob,lcov=r.info,csv=r.csv,json=r.json,sarif=r.sarif,summary" \
        -cp t Many >o 2>table || fail "exit code: $(head -3 table)"
    python3 look.py || fail "what is in the reports"
    "$home/bin/java" "-agentpath:$agent=quiet,file=d,include=*Deseret𐐀:Odd<&>" -cp t Many >o 2>&1
    [ "$("$tool" report d --no-summary --csv=- | cut -d, -f3 | LC_ALL=C sort | tr '\n' ' ')" = 'CLASS Odd<&> OddNames$Deseret𐐀 ' ] ||
        fail "include: $("$tool" report d --no-summary --csv=-)"
    "$home/bin/java" "-agentpath:$agent=quiet,file=d2,html=html2,include=same.*" -cp same Twice >o 2>&1
    [ "$(grep -l 'f1()' html2/same/Same*.html | wc -l) $(grep -l 'f2()' html2/same/Same*.html | wc -l)" = '1 1' ] || fail "pages of one name: $(ls html2/same)"
done
