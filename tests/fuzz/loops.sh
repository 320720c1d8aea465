#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# Random programs of loops over arrays (loops.py), optimised at once, in time, with vectors of 16 bytes, and left at every seventh point, tell what the reference
# tells.
#     loops.sh JDK TESTED SCRATCH [COUNT [SEED]]
set -u
here=$(cd "$(dirname "$0")" && pwd)
jdk=$1 tested=$2 scratch=$(realpath -m "$3") count=${4:-3${FULL:+00}} seed=${5:-1}
rm -rf "$scratch/loops"; mkdir -p "$scratch/loops"; cd "$scratch/loops" || exit 1
modes=("-Xcomp -XX:+OptimizeAll" "-Xcomp -XX:+OptimizeAll -XX:UseAVX=1" "-XX:+OptimizeAll -XX:CompileThreshold=10" "-Xcomp -XX:+OptimizeAll -XX:DeoptimizeInterval=7")
[ -z "${MODE_OPTIONS:-}" ] || modes=("$MODE_OPTIONS")
bad=0
for ((s = seed; s < seed + count; s++)); do
    python3 "$here/loops.py" "$s" >Loops.java && "$jdk/bin/javac" -nowarn Loops.java || { echo "seed $s: no program"; exit 1; }
    "$jdk/bin/java" -XX:TieredStopAtLevel=1 -cp . Loops >expected || { echo "seed $s: the reference fails"; exit 1; }
    for mode in "${modes[@]}"; do
        "$tested/bin/java" $mode -cp . Loops >told 2>&1
        cmp -s expected told && continue
        bad=1
        echo "seed $s, $mode: which methods of Loops.java differ"
        diff expected told | grep '^>' | head -3
        cp Loops.java "../Loops-$s.java"
    done
done
exit $bad
