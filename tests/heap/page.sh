#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# The page of a snapshot on both VMs: numbers as in the report, lists as one row, ways from roots, what grew, text that
# could be tags; one file, valid, of bounded size.
set -u
jdk=$1 tested=$2 out=$3
agent=$BUILD/agents/libgraft-heap.so failed=0
fail() { echo "$side: $*"; failed=1; }
. "$(dirname "$0")/../answers.sh"
answer_agents=1
"$jdk/bin/javac" -cp tests/heap -d "$out" tests/heap/HeapPage.java tests/heap/HeapLeak.java || exit 1
text() { # the page without tags, a row or item a line
    sed -E 's@</(tr|li|summary|div)>@&\n@g' "$1" | sed -E 's@ <small>@  @g; s@</td>@ | @g; s@<[^>]*>@@g; s@&lt;@<@g; s@&gt;@>@g; s@&quot;@"@g; s@&amp;@\&@g'
}
has() { grep -qE -- "$2" "$1.text" || fail "$1: missing: $2"; }
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    page=$out/$side.html more=$out/$side.more.html report=$out/$side.txt; rm -f "$report"
    "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -agentpath:"$agent=file=$report,html=$page,top=10" -cp "$out" HeapPage \
        >"$out/$side.out" 2>"$out/$side.err" || fail "exit code $?"
    "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -agentpath:"$agent=file=$report.2,html=$more,quiet" -cp "$out" HeapPage \
        "$report.2" more >"$out/$side.out" 2>"$out/$side.err" || fail "exit code $?"
    [ -s "$out/$side.err" ] && { fail "quiet is not quiet"; head -3 "$out/$side.err"; }
    text "$page" >"$page.text"
    text "$more" >"$more.text"
    has "$page" '^Heap snapshot 1, at exit'
    has "$page" 'HeapPage on .*, process [0-9]+'
    # one row for the list, with what its links hold below it
    has "$page" '\.links HeapPage\$Link  the first of 30,000, each held by the one before'
    has "$page" 'and 29,9[0-9]{2} more byte\[\]'
    has "$page" '\.map java.util.HashMap'
    # numbers of the table are those of the report
    objects=$(awk '/^Classes by what they retain/{on = 1} /^$/{on = 0} on && $NF == "HeapPage$Link" {print $2 " " $3 " " $1}' "$report")
    [ "$(grep -oE '<tr><td>HeapPage\$Link</td>.*' "$page" | grep -oE 'data-v="[0-9]+"' | tr -dc '0-9\n' | paste -sd ' ')" = "$objects" ] ||
        fail "the row of Link is not: $objects"
    # ways: the static field; the local variable of a thread whose name looks like tags
    has "$page" 'local variable of HeapPage.hold in thread "odd <&"'"'"'> name"'
    has "$page" '^ *class HeapPage\.links'
    grep -q 'odd <&' "$page" && fail "a name is not quoted"
    grep -q 'Classes that grew' "$page" && fail "growth without a snapshot before"
    has "$more" '^HeapPage\$Grown \| \+[0-9.]+ kB \| \+5,000 \| '
    has "$more" 'HeapPage\$Grown  \+5,000 objects of 5,100, own \+'
    has "$more" '5,000 new HeapPage\$Grown  5,000 of them held by one java.util.HashMap\$Node\[\]'
    # one file, of bounded size, valid
    for file in "$page" "$more"; do
        grep -qE '(src|href)="?[^"#]' "$file" && fail "$file needs another file"
        [ "$(wc -c <"$file")" -lt 600000 ] || fail "$file has $(wc -c <"$file") bytes"
        if command -v tidy >/dev/null; then
            tidy -q -e "$file" >"$file.tidy" 2>&1 || { fail "$file is not valid:"; head -5 "$file.tidy"; }
        fi
        if command -v node >/dev/null; then
            sed -n '/^<script>$/,/^<\/script>/p' "$file" | sed '1d;$d' >"$file.js"
            [ -s "$file.js" ] && node --check "$file.js" || fail "script"
        fi
    done
    "$home/bin/java" "-agentpath:$agent=file=$report.3,html=/no/such/dir/x" -cp "$out" HeapPage >"$out/o" 2>&1 || fail "an unwritable page ends the program"
    grep -q '^\[heap\] /no/such/dir/x: No such file' "$out/o" || fail "unwritable page: no message"
    [ $side = graft ] || settle
done
exit $failed
