#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Coverage with counts of random programs (objects.py): the same lines, branches and numbers on the reference, interpreted, compiled, optimised, and left at every
# seventh point; and the programs tell what they tell without an agent.
#     counted.sh JDK TESTED SCRATCH [COUNT [SEED]]
set -u
here=$(cd "$(dirname "$0")" && pwd)
jdk=$1 tested=$2 scratch=$(realpath -m "$3") count=${4:-1${FULL:+00}} seed=${5:-1}
rm -rf "$scratch/counted"; mkdir -p "$scratch/counted"; cd "$scratch/counted" || exit 1
modes=("-Xint" "-Xcomp -XX:-UseOptimizingCompiler" "-XX:+OptimizeAll -XX:CompileThreshold=10" "-Xcomp -XX:+OptimizeAll -XX:DeoptimizeInterval=7")
[ -z "${MODE_OPTIONS:-}" ] || modes=("$MODE_OPTIONS")
covered() { # JAVA_HOME NAME OPTIONS...: NAME.told and NAME.info
    local home=$1 name=$2; shift 2
    "$home/bin/java" "$@" "-agentpath:$BUILD/agents/libgraft-coverage.so=file=$name.dat,counts,quiet,lcov=$name.info" -cp . Main >"$name.told" 2>&1
}
bad=0
for ((s = seed; s < seed + count; s++)); do
    rm -f ./*.class
    ((s > seed && (s - seed) % 20 == 0)) && echo "$((s - seed)) programs" >&2
    python3 "$here/objects.py" "$s" >Main.java && "$jdk/bin/javac" -nowarn -g Main.java || { echo "seed $s: no program"; exit 1; }
    "$jdk/bin/java" -XX:TieredStopAtLevel=1 -cp . Main >expected || { echo "seed $s: the reference fails"; exit 1; }
    covered "$jdk" reference -XX:TieredStopAtLevel=1
    cmp expected reference.told || bad=1
    grep -q '^DA:[0-9]*,[1-9]' reference.info || { echo "seed $s: nothing is covered"; bad=1; }
    for mode in "${modes[@]}"; do
        covered "$tested" tested -Xmx64m $mode
        cmp -s expected tested.told && cmp -s reference.info tested.info && continue
        bad=1
        echo "seed $s, $mode"
        diff expected tested.told | grep '^>' | head -3
        diff reference.info tested.info | head -6
        cp Main.java "../Main-$s.java"
    done
done
exit $bad
