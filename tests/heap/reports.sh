#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Snapshots on request and at exit, on both VMs: exact counts of the program's objects, what they retain, growth, holders and paths.
set -u
jdk=$1 tested=$2 out=$3
agent=$BUILD/agents/libgraft-heap.so failed=0
fail() { echo "$side: $*"; failed=1; }
. "$(dirname "$0")/../answers.sh"
answer_agents=1
"$jdk/bin/javac" -d "$out" tests/heap/HeapLeak.java || exit 1
has() { grep -qE -- "$1" "$report" || fail "missing: $1"; }
row() { # section class column: of the last snapshot
    awk -v s="$1" -v c="$2" -v k="$3" '/^=== /{on = 0} index($0, s) == 1 {on = 1} /^$/ {on = 0} on && $NF == c {v = $k} END {print v + 0}' "$report"
}
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    report=$out/$side.txt; rm -f "$report"
    "$home/bin/java" -Xint $([ $side = graft ] && echo "${MODE_OPTIONS-}") -agentpath:"$agent=file=$report,top=400" -cp "$out" HeapLeak "$report" \
        >"$out/$side.out" 2>"$out/$side.err" || fail "exit code $?"
    grep -qx '10 7000' "$out/$side.out" || fail "the program did not end"
    [ "$(grep -c '^=== Heap snapshot' "$report")" = 3 ] || fail "number of snapshots"
    grep -q '^=== Heap snapshot 3, at exit' "$report" || fail "none at exit"
    s='Classes by what they retain'
    [ "$(row "$s" 'HeapLeak$Session' 2)" = 6000 ] || fail "sessions: $(row "$s" 'HeapLeak$Session' 2)"
    bytes=$(row "$s" 'HeapLeak$Session' 3) arrays=$((6000 * 80))
    [ "$(row "$s" 'HeapLeak$Session' 1)" = $((bytes + arrays)) ] || fail "sessions retain $(row "$s" 'HeapLeak$Session' 1)"
    # The registry: its list, the list's array, 6000 entries.
    registry=$(row "$s" 'HeapLeak$Registry' 1) entries=$(row "$s" 'HeapLeak$Entry' 3)
    [ "$registry" -gt "$entries" ] && [ "$registry" -lt $((entries + 6000 * 8 + 1000)) ] || fail "the registry retains $registry, entries are $entries"
    # At the second snapshot the local variables of main were there, at exit they are not.
    awk '/^=== Heap snapshot 2/{on = 1} /^=== Heap snapshot 3/{on = 0} on' "$report" >"$report.2"
    [ "$(awk '/^Classes by what/{on = 1} /^$/{on = 0} on && $NF == "HeapLeak$Shared" {print $1 - $3}' "$report.2")" = 4016 ] || fail "shared"
    [ "$(awk '/^Classes by what/{on = 1} /^$/{on = 0} on && $NF == "HeapLeak$Local" {print ($1 > 100 && $1 < 300) + 0}' "$report.2")" = 1 ] || fail "what a local variable holds too is retained"
    grep -q 'HeapLeak$Weakly$' "$report.2" && awk '/^Classes by what/{on = 1} /^$/{on = 0} on && $NF == "HeapLeak$Weakly" && $1 > 0 {exit 1}' "$report.2" ||
        ! grep -q 'HeapLeak$Weakly$' "$report.2" || fail "what is only weakly reached is retained"
    grep -qE '\+[0-9]+ +\+5000 +[0-9]+  HeapLeak\$Session$' "$report.2" || fail "growth of sessions"
    grep -qE '\+[0-9]+ +\+5000 +[0-9]+  HeapLeak\$Entry$' "$report.2" || fail "growth of entries"
    grep -qE '^Suspect: HeapLeak\$Session, 5000 new, 5000 of them held by one class HeapLeak ' "$report.2" || fail "suspect: sessions"
    grep -qE '^Suspect: HeapLeak\$Entry, 5000 new, 5000 of them held by one java.lang.Object\[\] ' "$report.2" || fail "suspect: entries"
    grep -A7 '^Suspect: HeapLeak\$Entry' "$report.2" >"$report.path"
    for step in 'class HeapLeak.registry$' 'HeapLeak\$Registry.entries$' 'java.util.ArrayList.elementData$' '-> java.lang.Object\[\]$'; do
        grep -qE -- "$step" "$report.path" || fail "path: $step"
    done
    [ $side = graft ] || settle
done
exit $failed
