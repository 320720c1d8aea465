# SPDX-License-Identifier: Apache-2.0
#
# Sourced by those who compare random Java programs of a generator: NAME.sh JDK TESTED SCRATCH [COUNT [SEED]]. A program that fails is kept as CLASS-SEED.java in SCRATCH.
#
#   begin NAME COUNT ALL       in SCRATCH/NAME; COUNT programs as a rule, ALL with FULL
#   modes OPTIONS...           of the tested VM, unless the runner gives its own
#   each GENERATOR CLASS FUNCTION [JAVAC OPTIONS]   makes programs and calls FUNCTION for each
#   expect CLASS               `expected` is what the reference prints
#   tell CLASS OPTIONS...      `told` is what the tested VM prints; false: something else than `expected`
#   wrong CLASS TEXT           the program is kept; the script will fail
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
jdk=$1 tested=$2 scratch=$(realpath -m "$3") asked=${4-} seed=${5:-1} bad=0

begin() {
    count=${asked:-$([ -n "${FULL-}" ] && echo "$3" || echo "$2")}
    rm -rf "$scratch/$1"; mkdir -p "$scratch/$1"; cd "$scratch/$1" || exit 1
}
modes() {
    modes=("$@")
    [ -z "${MODE_OPTIONS-}" ] || modes=("$MODE_OPTIONS")
}
each() {
    local generator=$1 class=$2 function=$3 first=$seed; shift 3
    for (( ; seed < first + count; seed++)); do
        ((seed > first && (seed - first) % 20 == 0)) && echo "$((seed - first)) programs" >&2
        rm -f ./*.class
        python3 "$here/$generator" "$seed" >"$class.java" && "$jdk/bin/javac" -nowarn "$@" "$class.java" || { echo "seed $seed: no program"; exit 1; }
        "$function"
    done
}
expect() { "$jdk/bin/java" -XX:TieredStopAtLevel=1 -cp . "$1" >expected || { echo "seed $seed: the reference fails"; exit 1; }; }
tell() {
    local class=$1; shift
    "$tested/bin/java" "$@" -cp . "$class" >told 2>&1
    cmp -s expected told
}
wrong() {
    bad=1
    echo "seed $seed, $2"
    cp "$1.java" "../$1-$seed.java"
}
