#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# modes: !gcstress
#
# The program with executors, futures and parallel streams, 100 times: the same output, no hang.
. "$(dirname "$0")/common.sh"
prepare "$here/Concurrent.java"
want=$("$ref/bin/java" -cp "$work/classes" Concurrent)
for i in $(seq "${RUNS:-100}"); do
    got=$(timeout -k 1 30 "$jvm/bin/java" ${MODE_OPTIONS-} -cp "$work/classes" Concurrent 2>&1)
    code=$?
    [ $code = 0 ] && [ "$got" = "$want" ] || { echo "run $i: exit code $code"; diff <(echo "$want") <(echo "$got") | head; exit 1; }
done
