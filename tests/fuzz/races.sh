#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# Random programs of threads that share fields (races.py) show no outcome that the memory model forbids: interpreted, compiled, optimised at once and in time.
# With no outcome allowed each of them fails. By hand: with `volatile int v, w, f` made plain, three programs of three show some that are forbidden.
#     races.sh JDK TESTED SCRATCH [COUNT [SEED]]
set -u
here=$(cd "$(dirname "$0")" && pwd)
jdk=$1 tested=$2 scratch=$(realpath -m "$3") count=${4:-1${FULL:+00}} seed=${5:-1}
rm -rf "$scratch/races"; mkdir -p "$scratch/races/none"; cd "$scratch/races" || exit 1
modes=("-Xint -Drounds=3" "-Xcomp -XX:-UseOptimizingCompiler -Drounds=10" "-Xcomp -XX:+OptimizeAll -Drounds=10" "-Drounds=40")
[ -z "${MODE_OPTIONS:-}" ] || modes=("$MODE_OPTIONS")
bad=0
for ((s = seed; s < seed + count; s++)); do
    ((s > seed && (s - seed) % 20 == 0)) && echo "$((s - seed)) programs" >&2
    python3 "$here/races.py" "$s" >Main.java && "$jdk/bin/javac" -nowarn Main.java || { echo "seed $s: no program"; exit 1; }
    for mode in "${modes[@]}"; do
        "$tested/bin/java" $mode -cp . Main >told 2>err && continue
        bad=1
        echo "seed $s, $mode"
        head -5 told; grep -v outcomes err | head -5
        cp Main.java "../Main-$s.java"
    done
    sed 's/ALLOWED\.split/"".split/' Main.java >none/Main.java && "$jdk/bin/javac" -nowarn none/Main.java
    "$tested/bin/java" -Drounds=1 -cp none Main >told 2>&1 && { echo "seed $s: nothing is allowed, and nothing is told"; bad=1; }
done
exit $bad
