#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# Random programs of loops in loops over fields (nests.py) print what they print on the reference.
. "$(dirname "$0")/common.sh"
begin nests 2 100
profiled="-XX:CompileThreshold=10"
modes "-Xcomp -XX:+OptimizeAll" "$profiled -Xbatch" "$profiled -XX:+OptimizeAll -XX:DeoptimizeInterval=7" "$profiled -XX:+OptimizeAll -XX:DropCodeInterval=5000"
compare() {
    local mode
    expect Nests
    for mode in "${modes[@]}"; do
        tell Nests $mode || wrong Nests "$mode: $(diff expected told | grep '^>' | head -3)"
    done
}
each nests.py Nests compare
exit $bad
