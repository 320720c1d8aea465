#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# modes: !gcstress
#
# The program with executors, futures and parallel streams, 40 times (FULL: 400): the same output, no hang.
. "$(dirname "$0")/common.sh"
prepare "$here/Concurrent.java"
reference() { "$ref/bin/java" -cp "$work/classes" Concurrent >"$work/want"; }
kept reference "$work/want" -- reference || exit 1
want=$(cat "$work/want")
for i in $(seq "${RUNS:-40${FULL:+0}}"); do
    got=$(timeout -k 1 30 "$jvm/bin/java" ${MODE_OPTIONS-} -cp "$work/classes" Concurrent 2>&1)
    code=$?
    [ $code = 0 ] && [ "$got" = "$want" ] || { echo "run $i: exit code $code"; diff <(echo "$want") <(echo "$got") | head; exit 1; }
done
