#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Sampled allocations on both VMs: collapsed stacks with sums near the truth, as the error that they tell says; exact ones without
# sampling; what is alive only; a page that is one file and whose data can be read; pprof.
set -u
jdk=$1 tested=$2 out=$3
agent=$BUILD/agents/libgraft-heap.so failed=0
fail() { echo "$side: $*"; failed=1; }
. "$(dirname "$0")/../answers.sh"
answer_agents=1
"$jdk/bin/javac" -d "$out" tests/heap/HeapAllocs.java tests/heap/HeapFirst.java || exit 1
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
    sum() { grep -F -- "$1" "$out/$side.txt" | awk '{n += $NF} END {printf "%d\n", n}'; }
    near "big arrays" "$(sum 'HeapAllocs.big;long[] [new]')" 20000000 28000000
    near "small objects" "$(sum 'HeapAllocs.small;HeapAllocs$Small [new]')" 20000000 28000000
    near "small objects of main" "$(sum 'main;HeapAllocs.main;HeapAllocs.small;')" 6500000 9500000
    grep -q '^worker <&"1">:;java.lang.Thread.run;' "$out/$side.txt" || fail "no thread as outermost frame"
    grep -qvE ' [0-9]+$' "$out/$side.txt" && fail "a line without weight"
    grep -qE '(src|href)=' "$out/$side.html" && fail "the page needs another file"
    grep -q '<title>Title &lt;b&gt;</title>' "$out/$side.html" || fail "title"
    grep -q '"worker \\u003c&\\"1\\">;"' "$out/$side.html" || fail "names are not quoted"
    # The rows of the page add up to the collapsed stacks.
    page=$(sed -n '/^const ROWS=\[/,/^\];/p' "$out/$side.html" | tr -d '\n' | sed 's/const ROWS=\[//; s/\];//' |
        tr ',' '\n' | awk 'NR % 4 == 3 {n += $1} END {printf "%d\n", n}')
    [ "$page" = "$(awk '{n += $NF} END {printf "%d\n", n}' "$out/$side.txt")" ] || fail "page and stacks differ: $page"
    # All of them: each object counts once, so sums are multiples of their number.
    run() { # options words...
        local o=$1; shift
        "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -agentpath:"$agent=exit=off,quiet,$o" -cp "$out" HeapAllocs "$@" >"$out/o" 2>&1 ||
            { fail "$o: exit code $?"; head -5 "$out/o"; }
    }
    of() { grep -F -- "$2" "$out/$side.$1" | awk '{n += $NF} END {printf "%d\n", n}'; }
    run "sample=0,collapsed=$out/$side.all,flame=$out/$side.all.html" 3000
    small=$(of all 'HeapAllocs.small;HeapAllocs$Small [new]') big=$(of all 'HeapAllocs.big;long[] [new]') keep=$(of all 'HeapAllocs.keep;byte[] [new]')
    [ "$small" -gt 0 ] && [ $((small % 9000)) = 0 ] && [ $((small / 9000)) -le 16 ] || fail "exact: small objects $small"
    [ "$big" -ge 24000000 ] && [ $((big % 300)) = 0 ] && [ $((big / 300)) -le 80024 ] || fail "exact: big arrays $big"
    [ $((keep % 4000)) = 0 ] && [ $((keep / 4000)) -ge 10000 ] && [ $((keep / 4000)) -le 10032 ] || fail "exact: kept arrays $keep"
    grep -qE 'NOTE="allocated bytes: all [0-9]+ objects"' "$out/$side.all.html" || fail "exact: note"
    # The first objects of the main thread, too.
    "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -agentpath:"$agent=exit=off,quiet,sample=0,collapsed=$out/$side.first" -cp "$out" HeapFirst || fail "first: exit code $?"
    first=$(of first 'HeapFirst.main;HeapFirst$Small [new]')
    [ $((first % 5000)) = 0 ] && [ "$first" -ge 80000 ] && [ "$first" -le 160000 ] || fail "the first objects: $first bytes for 5000"
    [ "$(sed -n 's/^byte\[\] \[new\] //p' "$out/$side.first" | awk '{n += $1} END {print n + 0}')" -lt 16384 ] || fail "first: the agent's own arrays"
    # What the error says: the estimate of all is no farther from the truth than five times that.
    all=$(of all '')
    run "sample=50000,collapsed=$out/$side.some,flame=$out/$side.some.html,pprof=$out/$side.pb.gz" 3000
    read -r estimate error < <(sed -nE 's/.*NOTE="allocated bytes, estimated from [0-9]+ samples, one in 50000 bytes: ([0-9.]+) MB, standard error ([0-9.]+) MB".*/\1 \2/p' "$out/$side.some.html")
    awk -v a="$all" -v e="${estimate:-0}" -v s="${error:-0}" 'BEGIN {d = a / 1e6 - e; exit !(s > 0 && s < e / 4 && d < 5 * s && d > -5 * s)}' ||
        fail "estimate ${estimate-none}, error ${error-none}, all $all"
    gzip -dc "$out/$side.pb.gz" >"$out/$side.pb" || fail "pprof is not packed"
    for word in samples alloc_space bytes 'HeapAllocs.big' 'long\[\] \[new\]'; do grep -qa "$word" "$out/$side.pb" || fail "pprof: no $word"; done
    # Alive: 1,000 of 4,000 arrays, no big ones.
    run "sample=0,live,collapsed=$out/$side.live,flame=$out/$side.live.html" 3000
    [ "$(of live 'HeapAllocs.keep;byte[] [new]')" = $((keep / 4)) ] || fail "alive: $(of live 'HeapAllocs.keep;byte[] [new]'), not $((keep / 4))"
    [ "$(of live 'HeapAllocs.big;long[] [new]')" -le $((big / 150)) ] || fail "alive: $(of live 'HeapAllocs.big;long[] [new]') of big arrays"
    grep -q 'NOTE="bytes that are alive: all ' "$out/$side.live.html" || fail "alive: note"
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
