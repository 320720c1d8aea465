#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# modes: !gcstress !gcoften (each allocation that fails is followed by a collection: 50 minutes, and not over)
# modes: !opt !optdeopt !optdrop (javac of all cases is optimised: over ten minutes; opthot has the optimiser)
#
# Memory runs out in the middle of a redefinition: every native allocation and every one on the heap fails once (without --full:
# one of some in each case), in all cases of the matrix without limits. Refused and unchanged, or done and right.
. "$(dirname "$0")/common.sh"
cases
native=$BUILD/tests/native
stride=12
[ -n "${MODE_OPTIONS-}" ] && stride=40
[ -n "${FULL-}" ] && stride=1
for kind in native heap; do
    LD_PRELOAD=$native/libagent_starve.so "$tested/bin/java" ${MODE_OPTIONS-} -XX:+EnhancedRedefinition -Djava.library.path="$native" \
        -agentpath:"$native/libagent_starve.so" -javaagent:agent.jar -cp classes redefine.Starve $kind ${STRIDE-$stride} cases \
        "$here"/*.cases </dev/null >out.$kind 2>err.$kind
    code=$?
    cat out.$kind
    [ $code = 0 ] || { echo "$kind: exit code $code"; tail -20 err.$kind; exit 1; }
    tail -1 err.$kind
done
