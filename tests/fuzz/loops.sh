#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# Random programs of loops over arrays (loops.py), optimised at once, in time, with vectors of 16 bytes, and left at every seventh point, tell what the reference
# tells.
. "$(dirname "$0")/common.sh"
begin loops 3 300
modes "-Xcomp -XX:+OptimizeAll" "-Xcomp -XX:+OptimizeAll -XX:UseAVX=1" "-XX:+OptimizeAll -XX:CompileThreshold=10" "-Xcomp -XX:+OptimizeAll -XX:DeoptimizeInterval=7"
compare() {
    local mode
    expect Loops
    for mode in "${modes[@]}"; do
        tell Loops $mode && continue
        wrong Loops "$mode: which methods differ"
        diff expected told | grep '^>' | head -3
    done
}
each loops.py Loops compare
exit $bad
