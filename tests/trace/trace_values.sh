#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# The trace agent on both VMs: arguments and results as text, bounded, above a time only; selection by annotation; the call
# graph; a profile for pprof with the same calls as the collapsed stacks, read by a decoder of its own.
. "$(dirname "$0")/common.sh"
compile "$here/../trace/TracedValues.java" "$here/../trace/Traced.java"
cat >values <<'END'
TracedValues.ints(-1, 300, 'x', 70000) -> 70419
TracedValues.wide(1099511627776, 1.5, 0.25, true) -> 1099511627778.75
TracedValues.odd(3) -> true
TracedValues.text("café € \"q\"\n", java.lang.StringBuilder@HASH) -> "café € \"q\"\nb"
TracedValues.text(null, "t") -> null
TracedValues.text("012345678901"...(200), "") -> "012345678901"...(200)
TracedValues.nothing() -> void
TracedValues.arrays(int[3]{1, 2, 3}, java.lang.Object[4]{"s", null, 4, int[1]{5}}, long[2][]{long[3], long[3]}) -> int[3]{1, 2, 3}
TracedValues.colour(GREEN, 7, '\'') -> GREEN
TracedValues$Point.<init>(1, 2) -> void
TracedValues.point(TracedValues$Point@HASH, RED) -> TracedValues$Point@HASH
TracedValues$Point.<init>(-9, 0) threw java.lang.IllegalArgumentException: x\n-9
TracedValues.fails(0) threw java.lang.IllegalStateException
TracedValues.fails(1) threw java.lang.IllegalStateException
TracedValues.fails(2) threw java.lang.IllegalStateException
TracedValues.inner() -> void
TracedValues.watched(4) -> 5
TracedValues$Marked.twice(21) -> 42
TracedValues.slow(60) -> 60
TracedValues.slow(1) -> 1
END
names='TracedValues.?*:TracedValues$Point:TracedValues$Marked'
plain() { sed -E 's/  \[[0-9.]+ ms, main\]$//; s/@[0-9a-f]+/@HASH/g' "$1"; }
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp classes "$@"; }
    common=include=$names,exclude=*.main:*Values.\<init\>:*Color*,file=table
    java "-agentpath:$trace=$common,args=$names,argsfile=found,argssize=12" TracedValues >out 2>&1
    check output <(echo end) out
    check values values <(plain found)
    java "-agentpath:$trace=$common,args=TracedValues.slow:*.fails,argsover=50ms,times=off" TracedValues >out 2>found
    check "slow calls" <(echo 'TracedValues.slow(60) -> 60') <(plain found)
    java "-agentpath:$trace=$common,args=$names,argsfile=found,argsmax=2,tostring" TracedValues >out 2>&1
    check "two lines" <(head -2 values; echo '... no more: the limit of 2 lines is reached') <(plain found)
    java "-agentpath:$trace=$common,args=*.point:*.same,argsfile=found,tostring" TracedValues >out 2>&1
    check toString <(echo 'TracedValues.point((1,2), RED) -> (1,2)') <(plain found)
    # annotations of methods and classes, also those that the VM does not keep; values of annotations are no matches
    java "-agentpath:$trace=include=Traced*,annotation=*Watched,format=csv,sort=name" TracedValues 2>found >out
    check annotation <(printf '%s\n' 'TracedValues$Marked.twice(int)' 'TracedValues.watched(int)') <(sed -nE 's/^"(.*)",1,0,.*/\1/p' found)
    java "-agentpath:$trace=include=Traced*,annotation=none:TracedValues\$Other,format=csv" TracedValues 2>found >out
    check "other annotation" <(echo 'TracedValues.inner()') <(sed -nE 's/^"(.*)",1,0,.*/\1/p' found)
    # graph and profile
    java "-agentpath:$trace=exclude=*.endless:java.*:jdk.*:sun.*,collapsed=folded,weight=calls,pprof=$side.pb.gz,graph=$side.graph,file=table" \
        Traced >out 2>&1
    python3 "$here/../trace/pprof_text.py" $side.pb.gz >profile || fail "the profile cannot be read"
    LC_ALL=C sort folded >folded.sorted
    # pprof keeps the same path of several threads apart
    LC_ALL=C awk '{n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n} END {for (k in sum) print k, sum[k]}' profile | LC_ALL=C sort >profile.sorted
    check "profile" folded.sorted profile.sorted
    sed -E 's/^( *[0-9]+) +[0-9.]+  /\1  /; s/ \[self [0-9.]+\]//' $side.graph | awk '/^ *1973  Traced.fib/ {on = 1} /^$/ {on = 0} on' >fib
    check "graph" <(printf '%s\n' '        1973  Traced.fib(int) ' '        1972      -> Traced.fib(int)') fib
    for bad in argsover=x argsmax=0 argssize=0; do
        java "-agentpath:$trace=$bad" Traced >out 2>&1 && fail "$bad is accepted"
    done
    [ $side = graft ] || settle
done
echo "$compared comparisons"
exit $failed
