#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Random programs of objects, boxes, texts, collections, lambdas, exceptions and monitors (objects.py) tell what the reference tells: optimised at once, optimised by
# what they showed, left at every seventh point, with code thrown away, and
# while classes are retransformed, stacks taken and collections made (Disturb.java).
#     objects.sh JDK TESTED SCRATCH [COUNT [SEED]]
set -u
here=$(cd "$(dirname "$0")" && pwd)
jdk=$1 tested=$2 scratch=$(realpath -m "$3") count=${4:-1${FULL:+00}} seed=${5:-1}
rm -rf "$scratch/objects"; mkdir -p "$scratch/objects"; cd "$scratch/objects" || exit 1
"$jdk/bin/javac" -d agent "$here/Disturb.java" && printf 'Premain-Class: Disturb\nCan-Retransform-Classes: true\n' >manifest &&
    "$jdk/bin/jar" cfm disturb.jar manifest -C agent . || exit 1
profiled="-XX:+OptimizeAll -XX:CompileThreshold=10"
modes=("-Xcomp -XX:+OptimizeAll" "$profiled -Xbatch" "$profiled -XX:DeoptimizeInterval=7" "$profiled -XX:DropCodeInterval=50"
    "$profiled -javaagent:disturb.jar=$seed")
[ -z "${MODE_OPTIONS:-}" ] || modes=("$MODE_OPTIONS")
bad=0
for ((s = seed; s < seed + count; s++)); do
    rm -f ./*.class
    ((s > seed && (s - seed) % 20 == 0)) && echo "$((s - seed)) programs" >&2
    python3 "$here/objects.py" "$s" >Main.java && "$jdk/bin/javac" -nowarn Main.java || { echo "seed $s: no program"; exit 1; }
    "$jdk/bin/java" -XX:TieredStopAtLevel=1 -cp . Main >expected || { echo "seed $s: the reference fails"; exit 1; }
    for mode in "${modes[@]}"; do
        "$tested/bin/java" -Xmx16m $mode -cp . Main >told 2>&1
        cmp -s expected told && continue
        bad=1
        echo "seed $s, $mode: which methods of Main.java differ"
        diff expected told | grep '^>' | head -3
        cp Main.java "../Main-$s.java"
    done
done
exit $bad
