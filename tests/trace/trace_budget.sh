#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 240
#
# A budget on both VMs: what is called all the time is let go, also if it begins late or is one of hundreds, what is called rarely is kept and counted exactly, and the table
# says so. What the rest costs is measured elsewhere (docs/figures.md): it depends on the machine.
. "$(dirname "$0")/common.sh"
for i in {0..29}; do
    {
        echo "public class TracedFlat$i implements TracedFlat.Part { public int turn(int n) { return $(printf 'm%d(' {0..8})n$(printf ')%.0s' {0..8}); }"
        for m in {0..8}; do echo "static int m$m(int n) { return n * 31 + $m; }"; done
        echo "}"
    } >"TracedFlat$i.java"
done
compile "$here/../trace/TracedBudget.java" "$here/../trace/Traced.java" "$here/../trace/TracedHidden.java" "$here/../trace/TracedFlat.java" TracedFlat{0..29}.java
fail() { echo "$side: $*"; cat table; failed=1; }
has() { grep -qE "$1" table || fail "no $1"; compared=$((compared + 1)); }
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp classes "$@"; }
    java "-agentpath:$trace=include=TracedBudget.*,max-overhead=2%,file=table" TracedBudget >out 2>&1
    diff <(echo end) out || fail output
    has '>[0-9]+ .*TracedBudget.hot\(int\)  \[in [0-9.]+ % of the time\]'
    has '>[0-9]+ .*TracedBudget.second\(int\)  \[in [0-9.]+ % of the time\]'
    has '^ +[0-9]+ .*TracedBudget.quiet\(int\)$'
    has '^ +1 .*TracedBudget.main\(java.lang.String\[\]\)$'
    has '^ +2 .*TracedBudget.work\(long\)$'
    has '^[0-9]+ methods were let go'
    has '^budget 2%: the probes cost about [0-9.]+ % of the processor time'
    # where none of three hundred methods is dear, all are let go
    java "-agentpath:$trace=include=TracedFlat*,budget=2%,file=table" TracedFlat >out 2>&1
    diff <(echo end) out || fail output
    has '^(29[0-9]|30[0-9]) methods were let go'
    # hidden classes, too
    java "-agentpath:$trace=format=csv,sort=name,budget=50%,include=TracedHidden*,file=table" TracedHidden >out 2>&1
    has '^"TracedHidden\$Made.inner\(int\)",12,1'
    # a condition on a method that is let go goes with it; without need all is kept and exact
    java "-agentpath:$trace=format=csv,sort=name,budget=50%,include=Traced.slow:Traced.wide:Traced.main,file=table" Traced >out 2>&1
    has '^"Traced.wide\(long, double, int\)",100,0'
    has '^# all were kept$'
    for bad in 0 101 2x -1; do
        java "-agentpath:$trace=budget=$bad" Traced >out 2>&1 && fail "budget=$bad is accepted"
    done
    [ $side = graft ] || settle
done
echo "$compared comparisons"
exit $failed
