#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Probes, timeline, spans and budget changed while the program runs, on both VMs; spans as OpenTelemetry's protocol has them. The threshold is
# that of a thread which the machine does not let run: with few milliseconds such a call was a span, too.
. "$(dirname "$0")/common.sh"
compile "$here/../trace/TraceSteps.java" "$here/../trace/TraceDrive.java"
plain() { sed -E 's/  \[[0-9.]+ ms, main\]$//' "$1"; }
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    rm -f lines* table* spans* chrome*
    at=$PWD
    "$jdk/bin/java" -cp classes TraceDrive "$home/bin/java" classes "$trace" \
        . "probe=TraceSteps.step when arg0 == 3,argsfile=$at/lines1,file=$at/table1" . \
        "probe=TraceSteps.step when arg1 == 'even' and arg0 > 5 capture n=arg0,argsfile=$at/lines2,file=$at/table2" . . \
        "probe=TraceSteps.step when arg0 =,file=$at/none" . \
        "include=TraceSteps,threshold=40ms,otlp=$at/spans,chrome=$at/chrome,file=$at/table3,budget=50%" . dump . stop . \
        "include=TraceSteps.step,file=$at/table4,format=csv" . stop >out.$side 2>err.$side
    { printf 'round %s\n' 1 2 3 4; echo refused; printf 'round %s\n' 5 6 7 8 9; echo 'exit 0'; } >expected
    check output expected out.$side
    for contrary in times=off,chrome=none otlp=none,times=off weight=bytes,html=none; do
        "$home/bin/java" "-agentpath:$trace=$contrary,include=TraceSteps" -version >found 2>&1 && fail "$contrary is accepted"
        grep -q '^\[trace\] .* wants\? ' found || fail "$contrary: $(head -2 found)"
    done
    check 'the first probe' <(echo 'TraceSteps.step(3, "odd") -> 3') <(plain lines1)
    check 'the second probe' <(for i in 1 2 3; do printf 'TraceSteps.step n=%s\n' 6 8; done) <(plain lines2)
    check 'what was traced' <(echo 30) <(awk '$5 ~ /TraceSteps.step/ {print $1}' table2)
    check 'refused' <(echo '[trace] probe: column 27: equal is written ==') <(grep column err.$side)
    check 'a budget that comes too late' <(echo 1) <(grep -c 'no budget: the first start had none' err.$side)
    python3 "$here/../trace/otlp_check.py" spans >found || fail "the spans are not as they should be"
    check spans <(for i in 1 2; do echo 'TraceSteps.inner TraceSteps.outer 2 main'; done
                  for i in 1 2; do echo 'TraceSteps.outer TraceSteps.round 0 main'; done
                  for i in 1 2; do echo 'TraceSteps.round - 0 main'; done
                  for i in 1 2; do echo 'TraceSteps.slowFailure TraceSteps.inner 2 main'; done) found
    check 'timeline' <(echo 8) <(grep -c '"ph":"X"' chrome)
    check 'after the stop' <(echo '"TraceSteps.step(int, java.lang.String)",10,0') <(sed -E 's/,[0-9]+,[0-9]+$//; /^method/d' table4)
    [ $side = graft ] || settle
done
echo "$compared comparisons"
exit $failed
