#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Sampled allocations on both VMs: collapsed stacks with sums near the truth, a page that is one file and whose data can be read.
set -u
jdk=$1 tested=$2 out=$3
agent=$BUILD/agents/libgraft-heap.so failed=0
fail() { echo "$side: $*"; failed=1; }
. "$(dirname "$0")/../answers.sh"
answer_agents=1
"$jdk/bin/javac" -d "$out" tests/heap/HeapAllocs.java || exit 1
near() { # what is least most
    [ "$2" -ge "$3" ] && [ "$2" -le "$4" ] || fail "$1: $2 is not between $3 and $4"
}
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") \
        -agentpath:"$agent=exit=off,sample=20000,flame=$out/$side.html,collapsed=$out/$side.txt,threads,title=Title <b>" \
        -cp "$out" HeapAllocs >"$out/$side.out" 2>"$out/$side.err" || { fail "exit code $?"; cat "$out/$side.err"; continue; }
    [ ! -e heap.txt ] || fail "a report although exit=off"
    sum() { awk -v p="$1" 'index($0, p) {n += $NF} END {printf "%d\n", n}' "$out/$side.txt"; }
    near "big arrays" "$(sum 'HeapAllocs.big;long[] [new]')" 20000000 28000000
    near "small objects" "$(sum 'HeapAllocs.small;HeapAllocs$Small [new]')" 20000000 28000000
    near "small objects of main" "$(sum 'main;HeapAllocs.main;HeapAllocs.small;')" 6500000 9500000
    grep -q '^worker <&"1">:;java.lang.Thread.run;' "$out/$side.txt" || fail "no thread as outermost frame"
    grep -qvE ' [0-9]+$' "$out/$side.txt" && fail "a line without weight"
    grep -qE '(src|href)=' "$out/$side.html" && fail "the page needs another file"
    grep -q '<title>Title &lt;b></title>' "$out/$side.html" || fail "title"
    grep -q '"worker \\u003c&\\"1\\">;"' "$out/$side.html" || fail "names are not quoted"
    # The rows of the page add up to the collapsed stacks.
    page=$(sed -n '/^const ROWS=\[/,/^\];/p' "$out/$side.html" | tr -d '\n' | sed 's/const ROWS=\[//; s/\];//' |
        tr ',' '\n' | awk 'NR % 4 == 3 {n += $1} END {printf "%d\n", n}')
    [ "$page" = "$(awk '{n += $NF} END {printf "%d\n", n}' "$out/$side.txt")" ] || fail "page and stacks differ: $page"
    "$home/bin/java" -agentpath:"$agent=exit=off,sample=20000,collapsed=$out/$side.cut,depth=2" -cp "$out" HeapAllocs >/dev/null 2>&1
    grep -q '^deeper stacks \[cut\];HeapAllocs.both;HeapAllocs.big;long\[\] \[new\] ' "$out/$side.cut" || fail "depth"
    if command -v node >/dev/null; then # the script has no syntax error
        sed -n '/^<script>/,/^<\/script>/p' "$out/$side.html" | sed '1d;$d' >"$out/$side.js"
        sed 's|</script></body></html>$||' -i "$out/$side.js"
        node --check "$out/$side.js" || fail "script"
    fi
    [ $side = graft ] || settle
done
exit $failed
