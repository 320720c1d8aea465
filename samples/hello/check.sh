#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The program makes a VM of either kind, runs Hello to its end, and reports an exception by exit code 1.
set -u
jdk=$1 tested=$2 scratch=$3 bad=0
here=$(cd "$(dirname "$0")" && pwd)
"$jdk/bin/javac" -d "$scratch" "$here/Hello.java" || exit 1
for home in "$jdk" "$tested"; do
    got=$("$BUILD/samples/hello" "$home" "$scratch" Hello one two 2>&1)
    [ "$got" = $'Hello from main with one, two\nbye' ] || { echo "$home: $got"; bad=1; }
    "$BUILD/samples/hello" "$home" "$scratch" Hello >"$scratch/out" 2>&1
    code=$?
    [ $code = 1 ] && grep -q 'IllegalArgumentException: no arguments' "$scratch/out" || { echo "$home: exit code $code"; cat "$scratch/out"; bad=1; }
done
exit $bad
