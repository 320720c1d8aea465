#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Random programs of objects, boxes, texts, collections, lambdas, exceptions and monitors (objects.py) tell what the reference tells: optimised at once, optimised by
# what they showed (all that could be, and what users have), left at every seventh point, with code thrown away, with objects moved, and while classes are retransformed, stacks taken and collections made (Disturb.java).
. "$(dirname "$0")/common.sh"
begin objects 1 100
"$jdk/bin/javac" -d agent "$here/Disturb.java" && printf 'Premain-Class: Disturb\nCan-Retransform-Classes: true\n' >manifest &&
    "$jdk/bin/jar" cfm disturb.jar manifest -C agent . || exit 1
profiled="-XX:+OptimizeAll -XX:CompileThreshold=10" own="-XX:CompileCommand=quiet"
for class in 'Main*' Node Base 'C*' Shape Pair Kind Stop Quiet Held 'java.lang.invoke.*'; do own+=" -XX:CompileCommand=compileonly,$class::*"; done # the library's is in theirs
modes "-Xcomp -XX:+OptimizeAll" "$profiled -Xbatch $own" "$profiled -XX:DeoptimizeInterval=7 $own" "$profiled -XX:DropCodeInterval=5000 $own" \
    "$profiled -XX:+CompactAlways -XX:GCStressInterval=5000 $own" \
    "-XX:CompileThreshold=10 -Xbatch" "$profiled -javaagent:disturb.jar=$seed"
compare() {
    local mode
    expect Main
    set -f # patterns are the VM's
    for mode in "${modes[@]}"; do
        tell Main -Xmx16m $mode && continue
        wrong Main "$mode: which methods differ"
        diff expected told | grep '^>' | head -3
    done
    set +f
}
each objects.py Main compare
exit $bad
