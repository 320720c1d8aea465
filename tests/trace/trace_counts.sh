#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
#
# The trace agent on both VMs: the program behaves as without it; exact counts by method and by call path (recursion,
# exceptions, constructors, threads, after a stack overflow); options and forms.
. "$(dirname "$0")/common.sh"
compile "$here/../trace/Traced.java"
cat >expected.csv <<'END'
"Traced$Base.<init>(boolean)",1,0
"Traced$Base.<init>(int)",13,1
"Traced$Base.check(int)",14,1
"Traced$Derived.<init>(int)",11,1
"Traced$Shape.area()",9,0
"Traced$Square.<init>(int)",9,0
"Traced$Square.side()",18,0
"Traced.a0(int)",200,0
"Traced.a1(int)",200,0
"Traced.a2(int)",200,0
"Traced.a3(int)",200,0
"Traced.a4(int)",200,0
"Traced.after()",1,0
"Traced.caught(int)",10,0
"Traced.deep(int)",910,910
"Traced.even(int)",151,0
"Traced.fib(int)",1973,0
"Traced.lambda$main$0(int)",25,0
"Traced.lambda$main$1()",6,0
"Traced.lambda$main$2()",40,0
"Traced.m(int, int)",1000,0
"Traced.main(java.lang.String[])",1,0
"Traced.odd(int)",151,0
"Traced.overflow()",1,0
"Traced.slow()",1,0
"Traced.tidy()",30410,0
"Traced.wide(long, double, int)",100,0
"Traced.work(int)",46,0
END
cut_times() { sed -E 's/,[0-9]+,[0-9]+$//; /^method,/d' "$1"; }
for side in hotspot graft; do
    [ $side = graft ] || ! settled hotspot.sorted || continue
    home=$jdk; [ $side = graft ] && home=$tested
    java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp classes "$@"; }
    java Traced >plain.$side 2>&1
    # a stack overflow comes when it comes: `endless` has no fixed number of calls
    java "-agentpath:$trace=format=csv,sort=name,file=$side.csv,exclude=*.endless:java.*:jdk.*:sun.*,collapsed=$side.folded,weight=calls,html=$side.html,tree=$side.tree,levels=4,chrome=$side.json,threshold=50ms" \
        Traced >traced.$side 2>&1
    check output plain.$side traced.$side
    check counts expected.csv <(cut_times $side.csv)
    awk -F, '/Traced.slow/ && $(NF - 1) >= 60000000 && $NF == $(NF - 1) {ok = 1} END {exit !ok}' $side.csv || fail "the time of slow"
    awk -F, '/Traced.main/ && $(NF - 1) > $NF {ok = 1} END {exit !ok}' $side.csv || fail "total and self of main"
    for path in 'Traced.main(java.lang.String[]);Traced.overflow();Traced.after() 1' \
        'Traced.lambda$main$1();Traced.work(int);Traced.tidy() 30000' \
        'Traced.lambda$main$2();Traced.work(int);Traced.tidy() 400' \
        'Traced.main(java.lang.String[]);Traced.m(int, int);Traced.a3(int) 200' \
        'Traced.main(java.lang.String[]);Traced$Derived.<init>(int) 11'; do
        grep -qxF "$path" $side.folded || fail "no path $path"
    done
    LC_ALL=C sort $side.folded >$side.sorted
    # the tree: calls and failures by path, to the fourth level; a call's time holds those of what it called, and the longest of them
    sed -E 's/^ *[0-9.]+ +[0-9.]+ +[0-9.]+ +([0-9]+) +([0-9]+) +[0-9.]+ +[0-9.]+  /\1 \2 /' $side.tree >tree
    for path in '1 0 Traced.main(java.lang.String[])' '1 0   Traced.slow()' '4 0       Traced.fib(int)'; do
        grep -qxF "$path" tree || fail "no '$path' in the tree"
    done
    [ "$(grep -c 'Traced.fib' tree)" = 3 ] || fail "levels of the tree"
    awk '/Traced.slow/ && $1 >= 60 && $1 == $3 && $6 >= 60000 && $7 == $6 {ok = 1} END {exit !ok}' $side.tree || fail "the times of slow in the tree"
    grep -q '</html>' $side.html && grep -q 'Traced.fib' $side.html || fail "flame graph"
    python3 - $side.json <<'PY' || fail "timeline"
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
calls = [e["name"] for e in events if e["ph"] == "X"]
assert "Traced.slow()" in calls and "Traced.main(java.lang.String[])" in calls and "Traced.a0(int)" not in calls, calls
assert any(e["ph"] == "M" and e["args"]["name"].startswith("main") for e in events)
PY
    # overflow inside and beside probes: what comes afterwards is in its place
    java "-agentpath:$trace=format=csv,sort=name,file=all.csv,collapsed=all.folded,weight=calls,depth=50" Traced >traced.$side 2>&1
    check "output with overflow" plain.$side traced.$side
    check "counts with overflow" expected.csv <(cut_times all.csv | grep -v endless)
    grep -qxF 'Traced.main(java.lang.String[]);Traced.overflow();Traced.after() 1' all.folded || fail "the path after an overflow"
    # patterns, sizes, threads apart, no times
    java "-agentpath:$trace=include=Traced.f*:Traced\$Square,format=csv,sort=calls,top=2,times=off" Traced 2>part >out
    printf '%s\n' '"Traced.fib(int)",1973,0' '"Traced$Square.side()",18,0' >part.expected
    check include part.expected <(cut_times part)
    java "-agentpath:$trace=minsize=6,include=Traced.*,exclude=*.endless,format=csv" Traced 2>part >out
    grep -q Traced.fib part && ! grep -q Traced.tidy part || fail "minsize"
    java "-agentpath:$trace=threads=separate,include=Traced.work,collapsed=apart,weight=calls,file=table,tree=tree" Traced >out 2>&1
    # each of the 46 threads has a line, or is one of the small ones: where one has to wait, the others are
    awk '/^ +[0-9.]+ +[0-9.]+ +0.000 +(worker|Thread-[0-9]+) #[0-9]+$/ {n++}
        match($0, /[(][0-9]+ small ones[)]$/) {n += substr($0, RSTART + 1) + 0}
        END {exit n != 46}' tree && grep -q ' worker #' tree || fail "threads in the tree"
    [ "$(grep -c '^worker #[0-9]*;Traced.work(int) 1$' apart)" = 6 ] || fail "threads=separate"
    java "-agentpath:$trace=include=Traced.caught:Traced.deep:Traced.tidy,levels=2,tree=tree,file=table" Traced >out 2>&1
    grep -qE ' 10 +0 .*  Traced.caught\(int\)$' tree && grep -qE ' 10 +10 .*    Traced.deep\(int\)$' tree || fail "failures in the tree"
    # the class library too
    java "-agentpath:$trace=include=*,file=jdk.txt,collapsed=jdk.folded,depth=50" Traced >traced.$side 2>&1
    check "output, all classes" plain.$side traced.$side
    grep -q 'java.lang.Thread.start()' jdk.txt || fail "no JDK methods with include=*"
    for bad in bogus=1 format=xml threshold=fast depth=0 levels=0 top=-1 minsize=-1 memory=0 stop dump snapshot=x; do
        java "-agentpath:$trace=$bad" Traced >out 2>&1 && fail "$bad is accepted"
        grep -q "^\[trace\] .*${bad%%=*}" out || fail "no message for $bad"
    done
    java "-agentpath:$trace=help" Traced 2>&1 | grep -q 'threshold' || fail help
    [ $side = graft ] || settle
done
side=both
check "paths" hotspot.sorted graft.sorted
echo "$compared comparisons"
exit $failed
