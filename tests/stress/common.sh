# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the stress tests: NAME.sh REFERENCE_JDK TESTED_JDK SCRATCH_FOLDER
#
#   stress "OPTIONS" CLASS ARGS -- LINE...    runs the program on the tested VM only (models inside the programs
#                                             tell what is right) and wants exactly these lines of output
# The tests are short; tests/stress/soak runs the same programs for as long as wished.
set -u
jdk=$1 jvm=$2 work=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../answers.sh"
rm -rf "$work"; mkdir -p "$work"
"$jdk/bin/javac" -nowarn -Xlint:none -d "$work" "$here"/*.java 2>"$work/javac" || { cat "$work/javac"; exit 1; }

stress() { # options class args -- lines
    local options=$1 command=(); shift
    while [ "$1" != -- ]; do command+=("$1"); shift; done
    shift
    "$jvm/bin/java" ${MODE_OPTIONS-} $options -cp "$work" "${command[@]}" >"$work/out" 2>"$work/err"
    local code=$?
    printf '%s\n' "$@" >"$work/want"
    [ $code = 0 ] && cmp -s "$work/want" "$work/out" && { echo "${command[*]}: $(paste -sd, "$work/out")"; return; }
    echo "${command[*]}: exit code $code"
    diff "$work/want" "$work/out"
    head -30 "$work/err"
    exit 1
}
