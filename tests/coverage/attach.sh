#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
# Attached to a running VM: loaded classes are covered from there on, also those loaded later; stop takes the probes out;
# attached again, another file begins; epochs by command. Pruning: what has run is still in the data when its probes are gone.
set -eu
jdk=$1 tested=$2 out=$3
agent=$(realpath "$BUILD/agents/libgraft-coverage.so") tool=$BUILD/bin/graft-coverage
fail() { echo "$side: $*"; exit 1; }
"$jdk/bin/javac" -g -d "$out" tests/coverage/Cover{Wait,Attach}.java
line() { grep -nF "$1" tests/coverage/CoverWait.java | head -1 | cut -d: -f1; }
drive() { ERR=$out/err.$side "$jdk/bin/java" -cp "$out" CoverAttach "$home/bin/java" "$out" "$agent" "$@" > "$out/out.$side" 2> "$out/err.$side" || fail "$(cat "$out/err.$side")"; }
covered() { # FILE WORD...: exactly these methods of even odd value run rare ran
    "$tool" report "$1" --no-summary --lcov=- "${OPTS[@]}" | sed -nE 's/^FNDA:[1-9][0-9]*,CoverWait[^:]*::(even|odd|value|run|rare)\(.*/\1/p' | sort | tr '\n' ' ' > "$out/found"
    [ "$(cat "$out/found")" = "${*:2} " ] || fail "$1: covered $(cat "$out/found"), not ${*:2}"
}
OPTS=()
. "tests/answers.sh"
answer_agents=1
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    f=$out/$side
    drive even "+file=$f.1,quiet" odd late +stop rare +stop "+file=$f.2,quiet" even hot +bogus=1 +summary
    tr '\n' ' ' < "$out/out.$side" > "$out/line"
    [ "$(cat "$out/line")" = "even 2 odd -2 late 3 rare 9 refused even 2 hot 2400 refused refused exit 0 " ] || fail "$(cat "$out/line")"
    covered "$f.1" odd value
    covered "$f.2" even run
    grep -q 'no coverage is running' "$out/err.$side" || fail "a second stop: $(cat "$out/err.$side")"
    # the same file again, in one process; the first part is gone
    drive "+file=$f.3,quiet" even +stop "+file=$f.3,quiet" odd "+epoch=a" late "+epoch=b" rare +dump
    covered "$f.3" odd rare value
    OPTS=(--epoch=a); covered "$f.3" value; OPTS=()
    # started with the VM, stopped by attach; with pruning, twice
    drive "+file=$f.4,prune=50,verbose" hot even '=lost probes that have passed' hot hot rare odd '=lost probes that have passed' hot \
        +epoch=x +stop
    covered "$f.4" even odd rare run
    [ "$(grep -c '^seen' "$out/out.$side")" = 2 ] || fail "nothing was pruned"
    grep -q 'no epochs with prune' "$out/err.$side" || fail "an epoch with prune"
    # nobody asked for pruning, and it was done: an epoch gets all probes back
    export JAVA_TOOL_OPTIONS=-Xint # JDK 8 knows no JDK_JAVA_OPTIONS
    drive "+file=$f.5,verbose" even busy '=lost probes that have passed' rare +epoch=a even hot +epoch=b rare +stop
    unset JAVA_TOOL_OPTIONS
    grep -q '^seen' "$out/out.$side" || fail "pruning did not begin by itself"
    covered "$f.5" even odd rare run
    OPTS=(--epoch=a); covered "$f.5" even run
    OPTS=(--epoch=b); covered "$f.5" rare; OPTS=()
    "$tool" report "$f.4" --no-summary --lcov=- | grep -q "^DA:$(line 's +='),1" || fail "a pruned line is not covered"
    [ $side = graft ] || settle
done
