#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packages: tidy
# timeout: 120
# The HTML report: ways that branches took and never took, catch clauses, how often by shade; tables of many rows are data for the
# script, whole and well-formed, tables of few rows are not. Pages are valid HTML as far as tidy knows, their headings skip no level.
set -eu
jdk=$1 tested=$2 out=$3
agent=$BUILD/agents/libgraft-coverage.so tool=$BUILD/bin/graft-coverage
fail() { echo "$*"; exit 1; }
rm -rf "$out"/{src,t,many,html,big}; mkdir -p "$out/src" "$out/t" "$out/many"
cat > "$out/src/Ways.java" <<'J'
public class Ways {
    static int f(int n) {
        if (n > 3 && n < 9)
            return 1;
        switch (n) {
            case 1:
                return 5;
            case 2:
                return 6;
            default:
                return 7;
        }
    }
    static int g(String s) {
        try {
            return Integer.parseInt(s);
        } catch (NumberFormatException e) {
            return 0;
        } catch (IllegalStateException e) {
            return 1;
        }
    }
    static int half(int n) {
        return 1 + g("x") + fail(n);
    }
    static int fail(int n) { throw new IllegalStateException(); }
    public static void main(String[] a) {
        for (int i = 0; i < 100; i++)
            f(1);
        f(5);
        try { half(1); } catch (IllegalStateException e) { }
    }
}
J
{ echo 'package many;'; for i in $(seq 600); do echo "class C$i { int f() { return $i; } }"; done; echo 'class Esc$lt { int f() { return 1; } }'; } > "$out/src/Many.java"
"$jdk/bin/javac" -g -d "$out/t" "$out/src/Ways.java"
"$jdk/bin/javac" -g -d "$out/many" "$out/src/Many.java"
page=$out/html/default/Ways.java.html
row() { grep "^<tr id=L$1[ >]" "$page"; }
has() { row "$1" | grep -qF -- "$2" || { row "$1"; fail "$home: line $1 has no '$2'"; }; }
for home in "$jdk" "$tested"; do
    "$home/bin/java" "-agentpath:$agent=quiet,counts,file=$out/d" -cp "$out/t" Ways > "$out/stdout"
    "$tool" report "$out/d" --html="$out/html" --source="$out/src" --no-summary > "$out/o"
    has 3 'title="1 of 4 branches missed&#10;straight on (this line): taken; jump to line 5: taken&#10;straight on to line 4: taken; jump to line 5: never"'
    has 3 '<em>never jump to line 5</em>'
    has 5 'title="2 of 3 branches missed&#10;case to line 7: taken; case to line 9: never; default to line 11: never"'
    has 5 '<em>never case to line 9, default to line 11</em>'
    has 17 'catch of java/lang/NumberFormatException: entered'
    has 19 'catch of java/lang/IllegalStateException: never entered'
    has 3 '<td class=r style="--h:1.00">101'
    row 30 | grep -q 'style="--h:0.1' || { row 30; fail "$home: shade of a line that ran once"; }
    row 9 | grep -q '<td class=r>0' || { row 9; fail "$home: shade of a line that never ran"; }
done
# no counts, no column
"$tested/bin/java" "-agentpath:$agent=quiet,file=$out/flags" -cp "$out/t" Ways > "$out/stdout"
"$tool" report "$out/flags" --html="$out/html" --source="$out/src" --no-summary > "$out/o"
! grep -q '<td class=r' "$page" || fail "a column of counts without counts"
! grep -q 'application/json' "$out/html/index.html" && grep -q '<a href="default/Ways.java.html#L1">Ways</a>' "$out/html/index.html" || fail "a small table is data"
# many rows
"$tool" report "$out/flags" --html="$out/big" --classes="$out/many" --no-summary > "$out/o"
[ "$(grep -c '<tr' "$out/big/index.html")" -lt 20 ] || fail "a big table is in the document"
python3 - "$out/big/index.html" "$out/big/many/index.html" <<'P' || fail "data of a big table"
import json, re, sys
for page, names in zip(sys.argv[1:], ('many.', '')):
    tables = re.findall(r'<script type="application/json">(.*?)</script>', open(page).read(), re.S)
    rows = json.loads(tables[-1])
    assert len(rows) == 601 + (names != ''), len(rows)
    c = [r for r in rows if r[1] == names + 'C7'][0]
    assert c == [('many/' if names else '') + 'Many.java.html#L8', names + 'C7', 'never loaded', 0, 1, 0, 0, 0, 5, 0, 2], c
P
for page in "$out"/big/index.html "$out"/big/many/*.html "$out"/html/index.html "$out"/html/default/*.html; do
    headings=$(grep -o '<h[1-6]' "$page" | uniq | tr -d '\n')
    [[ $headings =~ ^\<h1(\<h2)?$ ]] || fail "$page: headings $headings"
    command -v tidy > /dev/null || continue
    tidy -qe "$page" 2> "$out/tidy" || [ $? -lt 2 ] || { cat "$out/tidy"; fail "$page is not valid"; }
    ! grep -vE 'trimming empty|inserting implicit <body>' "$out/tidy" || fail "$page: what tidy says"
done
