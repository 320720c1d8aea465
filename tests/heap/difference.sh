#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Two saved snapshots, of one run and of two, on both VMs: what grew, by class and by holder, as text and as a page; files
# that are damaged or something else.
set -u
jdk=$1 tested=$2 out=$3
agent=$BUILD/agents/libgraft-heap.so heap=$BUILD/bin/graft-heap failed=0
fail() { echo "$side: $*"; failed=1; }
. "$(dirname "$0")/../answers.sh"
answer_agents=1
"$jdk/bin/javac" -cp tests/heap -d "$out" tests/heap/HeapPage.java tests/heap/HeapLeak.java || exit 1
has() { grep -qE -- "$1" "$out/diff" || fail "missing: $1"; }
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    report=$out/$side.txt a=$out/$side.1.heap b=$out/$side.2.heap page=$out/$side.html
    rm -f "$report" "$out/$side".*.heap
    "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -agentpath:"$agent=file=$report,save=$out/$side.%n.heap" -cp "$out" HeapPage \
        "$report" more >"$out/o" 2>&1 || fail "exit code $?"
    "$heap" "$a" "$b" --html="$page" >"$out/diff" || fail "exit code of the difference: $?"
    has '^before  Heap snapshot 1, requested, .* \(HeapPage .* more on .*, process [0-9]+\): [0-9]+ objects'
    has '^after   Heap snapshot 2, at exit'
    has '^ +\+[0-9]+ +\+5000 +[0-9]+  HeapPage\$Grown$'
    # below the class, its map, the map's array, the nodes
    awk '/^Where it grew/{on = 1} on' "$out/diff" | grep -A4 ' class HeapPage$' | awk '{$1 = ""; print}' >"$out/tree"
    printf ' %s\n' '+0 class HeapPage' '+0 java.util.HashMap' '+0 java.util.HashMap$Node[]' '+5000 java.util.HashMap$Node' '+5000 HeapPage$Grown' |
        diff - "$out/tree" || fail "the tree"
    # the same numbers as the agent tells at the second snapshot
    sed -n '/^Growth/,/^$/p' "$report" | sed 1d >"$out/told"
    sed -n '/^Growth/,/^$/p' "$out/diff" | sed 1d | diff "$out/told" - >"$out/d" || { fail "growth differs from the report:"; head -5 "$out/d"; }
    grep -q 'data-v="5000"' "$page" && grep -q '>HeapPage$Grown <small>+5,000 objects of 5,100' "$page" || fail "page"
    if command -v tidy >/dev/null; then tidy -q -e "$page" >"$out/tidy" 2>&1 || { fail "page is not valid"; head -5 "$out/tidy"; }; fi
    # nothing differs from itself; the other way round it shrinks
    "$heap" "$a" "$a" >"$out/diff" || fail "exit code"
    grep -q '+' "$out/diff" && fail "grown against itself"
    "$heap" "$b" "$a" --top=3 >"$out/diff" || fail "exit code"
    grep -q 'HeapPage$Grown' "$out/diff" && fail "grown the other way round"
    # two runs
    "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -agentpath:"$agent=file=$report.2,save=$out/$side.other.heap" -cp "$out" HeapPage \
        >"$out/o" 2>&1 || fail "exit code $?"
    "$heap" "$out/$side.other.heap" "$b" >"$out/diff" || fail "exit code"
    has '^ +\+[0-9]+ +\+5000 +[0-9]+  HeapPage\$Grown$'
    [ $side = graft ] || settle
done
side=files
refused() { # code message words...
    local code=$1 message=$2; shift 2
    "$heap" "$@" >"$out/o" 2>"$out/e"; local rc=$?
    [ $rc = "$code" ] && grep -qF -- "$message" "$out/e" || fail "$*: exit code $rc, $(head -1 "$out/e")"
}
a=$out/graft.1.heap bad=$out/bad.heap
refused 2 'BEFORE AFTER' "$a"
refused 2 "bad value 'x' of --top" --top=x "$a" "$a"
refused 2 '--nothing' --nothing "$a" "$a"
refused 1 'No such file' "$a" "$out/none.heap"
refused 1 'Is a directory' "$a" "$out"
refused 1 '/no/such/dir/x: No such file' "$a" "$a" --html=/no/such/dir/x
refused 1 'not a saved snapshot' "$a" "$agent"
sed '1s/1/2/' "$a" >"$bad"; refused 1 'a snapshot of another version than this program reads' "$bad" "$a"
: >"$bad"; refused 1 'not a saved snapshot' "$bad" "$a"
head -20 "$a" >"$bad"; refused 1 'bad.heap:20: damaged, or cut off' "$bad" "$a"
refused 1 'bad.heap:20: damaged, or cut off' "$a" "$bad"
head -c 300 "$a" >"$bad"; refused 1 'damaged, or cut off' "$bad" "$a"
for line in '3 1 1 too.Deep' '0 1 1 x' '1 -1 1 x' '1 1 99999999999999999999 x' '1 1 1' 'x' '61 1 1 x' ''; do
    sed "8s/.*/$line/" "$a" >"$bad"; refused 1 'bad.heap:8: damaged' "$bad" "$a"
done
sed '$a 1 1 1 x' "$a" >"$bad"; refused 1 damaged "$bad" "$a"
# what others wrote gives no orders to a terminal
printf 'graft-heap 1\ntitle a\033[2Jb\303\244\302\233\nnote c\nclasses 1\nreferences 1\ntypes\n1 1 1 x\nend\n' >"$bad"
"$heap" "$bad" "$bad" >"$out/o" && grep -q '^before  a?\[2Jbä' "$out/o" && ! LC_ALL=C grep -q "$(printf '[\033\233]')" "$out/o" || fail "control characters"
"$heap" "$a" "$a" >/dev/full 2>"$out/e" && fail "a full disk is not noticed"
exit $failed
