#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# The trace agent attached to running VMs: exact counts from the attach to the stop, none of what is called afterwards.
. "$(dirname "$0")/../jvmti/common.sh"
compile "$here/../trace/TraceWait.java" "$here/../trace/TraceAttach.java"
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    "$jdk/bin/java" -cp classes TraceAttach "$home/bin/java" classes "$(realpath "$BUILD/agents/libgraft-trace.so")" "$PWD/$side" \
        >out.$side 2>&1
    { printf 'calls %s\n' 100 200 300; echo 'dumped true'; printf 'calls %s\n' 400 500 600 700; echo 'exit 0'; } >expected
    diff expected <(grep -v ^WARNING: out.$side) || { echo "$side: output"; failed=1; }
    for n in 1:3 2:1; do
        printf '"TraceWait.round()",%d,0\n"TraceWait.step()",%d,0\n' ${n#*:} ${n#*:}00 >expected
        diff expected <(sed -E 's/,[0-9]+,[0-9]+$//; /^method,/d' $side${n%:*}.csv) || { echo "$side: file ${n%:*}"; failed=1; }
        compared=$((compared + 1))
    done
    [ $side = graft ] || settle
done
echo "$compared comparisons"
exit $failed
