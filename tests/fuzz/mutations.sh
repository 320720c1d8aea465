#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# Every fuzz target, plainly, over class files of a jar and 10,000 mutations of them: no crash, no hang.
set -u
jdk=$1 scratch=$3
jar=/usr/share/java/commons-lang3.jar
[ -e $jar ] || { echo "$jar is not installed"; exit 77; }
mkdir -p "$scratch/corpus" && cd "$scratch/corpus" && "$jdk/bin/jar" xf $jar || exit 1
files=$(find . -name '*.class' -size -12k | sort | awk 'NR % 3 == 0' | head -100)
failed=0 found=0
for target in "$BUILD"/tests/fuzz/fuzz_*; do
    [ -x "$target" ] || continue
    found=1
    timeout 120 "$target" -n 10000 -o "$scratch/input" $files >"$scratch/out" 2>&1 || {
        echo "$(basename "$target"): exit code $?"; tail -5 "$scratch/out"; ls "$scratch/input"; failed=1
    }
done
[ $found = 1 ] || { echo "no fuzz target is built"; exit 77; }
exit $failed
