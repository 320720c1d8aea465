#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Coverage with counts of random programs (objects.py): the same lines, branches and numbers on the reference, interpreted, compiled, optimised, and left at every
# seventh point; and the programs tell what they tell without an agent.
. "$(dirname "$0")/common.sh"
begin counted 1 100
modes "-Xint" "-Xcomp -XX:-UseOptimizingCompiler" "-XX:+OptimizeAll -XX:CompileThreshold=10" "-Xcomp -XX:+OptimizeAll -XX:DeoptimizeInterval=7"
agent() { echo "-agentpath:$BUILD/agents/libgraft-coverage.so=file=$1.dat,counts,quiet,lcov=$1.info"; }
compare() {
    local mode
    expect Main
    "$jdk/bin/java" -XX:TieredStopAtLevel=1 "$(agent reference)" -cp . Main | cmp - expected || wrong Main "the reference with the agent"
    grep -q '^DA:[0-9]*,[1-9]' reference.info || wrong Main "nothing is covered"
    for mode in "${modes[@]}"; do
        tell Main -Xmx64m $mode "$(agent tested)" && cmp -s reference.info tested.info && continue
        wrong Main "$mode"
        diff expected told | grep '^>' | head -3
        diff reference.info tested.info | head -6
    done
}
each objects.py Main compare -g
exit $bad
