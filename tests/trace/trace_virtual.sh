#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
#
# Virtual threads under the trace agent on each JDK of version 21 or later that this machine has: exact counts and paths, though threads change their carriers
# in the midst of calls; trees are used again; threads apart; spans; arguments; one carrier; every class of the JDK traced.
. "$(dirname "$0")/common.sh"
homes=$(newer_jdks 21)
[ -n "$homes" ] || { echo "no JDK of version 21 or later"; exit 77; }
cut_times() { sed -E 's/,[0-9]+,[0-9]+$//; /^method,/d' "$1"; }
expect() { # threads at once, one after the other
    local n=$1 more=$2
    cat <<END
"TracedVirtual.counted(int)",$n,0
"TracedVirtual.fails(int)",$((4 * n)),$((4 * n))
"TracedVirtual.fib(int)",$((15 * n + 5)),0
"TracedVirtual.leaf(int)",$((10 * n + more + 5)),0
"TracedVirtual.platform()",$((more + 5)),0
"TracedVirtual.task(int)",$n,0
"TracedVirtual.waits(int)",$((3 * n)),0
END
}
for side in $homes; do
    rm -rf classes; mkdir classes
    "$side/bin/javac" -g -d classes "$here/../trace/TracedVirtual.java" || { failed=1; continue; }
    java() { "$side/bin/java" -cp classes "$@" 2>err; }
    plan=exclude=*main*:*clinit*,include=TracedVirtual,format=csv,sort=name
    java "-agentpath:$trace=$plan,file=counts,collapsed=paths,weight=calls" TracedVirtual 2000 100 >out
    check output <(echo true) out
    check counts <(expect 2000 100) <(cut_times counts)
    awk -F, '/waits/ && $(NF - 1) >= 6000000000 {ok = 1} END {exit !ok}' counts || fail "the time of waits"
    waits='TracedVirtual.task(int);TracedVirtual.waits(int)'
    for path in "$waits;TracedVirtual.waits(int);TracedVirtual.waits(int) 2000" "$waits;TracedVirtual.leaf(int) 6000" 'TracedVirtual.task(int) 2000' \
        'TracedVirtual.platform();TracedVirtual.leaf(int) 105'; do
        grep -qxF "$path" paths || fail "no path $path"
    done
    [ "$(wc -l <paths)" = 23 ] || fail "$(wc -l <paths) paths, not 23"
    # a thousand trees would not fit
    java "-agentpath:$trace=$plan,file=counts,memory=1" TracedVirtual 20 5000 >out
    check 'used again' <(expect 20 5000) <(cut_times counts)
    java "-agentpath:$trace=$plan,file=counts" -Djdk.virtualThreadScheduler.parallelism=1 TracedVirtual 500 10 >out
    check 'one carrier' <(expect 500 10) <(cut_times counts)
    java "-agentpath:$trace=$plan,file=counts" -XX:+UnlockExperimentalVMOptions -XX:-VMContinuations TracedVirtual 50 10 >out
    check 'without continuations' <(expect 50 10) <(cut_times counts)
    java "-agentpath:$trace=$plan,file=counts,times=off,budget=50%" TracedVirtual 50 10 >out
    check 'only counted' <(expect 50 10) <(grep -v '^#' counts | cut_times -)
    java "-agentpath:$trace=$plan,file=counts,threads=separate,collapsed=apart,weight=calls" TracedVirtual 30 10 >out
    check 'threads apart' <(expect 30 10) <(cut_times counts)
    [ "$(grep -c '^virtual #[0-9]*;TracedVirtual.task(int) 1$' apart)" = 30 ] || fail "threads apart"
    java "-agentpath:$trace=include=*,format=csv,file=counts" TracedVirtual 200 10 >out
    check 'everything, output' <(echo true) out
    check everything <(expect 200 10) <(grep '"TracedVirtual' counts | grep -v -e main -e clinit | LC_ALL=C sort | cut_times -)
    java "-agentpath:$trace=probe=TracedVirtual.fib when arg0 == 3,argsfile=lines,file=table,otlp=spans,chrome=chrome,threshold=3ms,include=TracedVirtual" TracedVirtual 4 0 >out
    check 'arguments' <(for i in 1 2 3 4; do echo 'TracedVirtual.fib(3) -> 2 virtual #'; done; echo 'TracedVirtual.fib(3) -> 2 named') \
        <(grep 'fib(3)' lines | sed -E 's/  \[[0-9.]+ ms, (virtual #)?[0-9]*(.*)\]$/ \1\2/' | awk '!/virtual/ || n++ % 2 == 0')
    check spans <(for i in 1 2 3 4; do echo 'TracedVirtual.task TracedVirtual.lambda$main$0 0 virtual'; done) \
        <(python3 "$here/../trace/otlp_check.py" spans | grep '^TracedVirtual.task ')
    grep -q '"name":"virtual #[0-9]*"' chrome || fail "timeline"
    ! grep . err || fail "something was written to standard error"
done
echo "$compared comparisons"
exit $failed
