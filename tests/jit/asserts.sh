#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
#
# What both compilers take for granted holds while they compile java/compiled's programs by what these showed: in the debug build, which checks it. What
# the programs print is java/compiled's business.
set -u
jdk=$1 scratch=$(realpath -m "$3") bad=0 ran=0
image=$(realpath "$DEBUG_IMAGE") top=$PWD
[ -x "$image/bin/java" ] || { echo "no debug build (make MODE=debug image)"; exit 77; }
modes=("-XX:CompileThreshold=10") # in the background, by both
[ -z "${FULL-}" ] || modes+=("-Xcomp -XX:-UseOptimizingCompiler")
words() { sed -n "1,9s|^// $2: ||p" "$1"; } # of a program's first lines
runs() {
    local file=$1 name mode code; name=$(basename "$file" .java)
    mkdir -p "$scratch/$name"
    # shellcheck disable=SC2046
    "$jdk/bin/javac" -nowarn -Xlint:none $(words "$file" javac) -d "$scratch/$name" "$top/$file" 2>"$scratch/$name/javac" ||
        { echo "$name: not compiled"; head -3 "$scratch/$name/javac"; return 1; }
    for mode in "${modes[@]}"; do
        # shellcheck disable=SC2046,SC2086
        (cd "$scratch/$name" && timeout 120 "$image/bin/java" -Xmx256m $(words "$top/$file" options) $mode -cp . "$name" $(words "$top/$file" args) >out 2>&1)
        code=$?
        [ $code -lt 124 ] && ! grep -q "fatal error: " "$scratch/$name/out" && continue
        echo "$name, $mode: exit code $code"
        grep -m 3 "fatal error: \|Internal Error\|Problematic frame" "$scratch/$name/out"
        return 1
    done
    ran=$((ran + 1))
}
for file in tests/java/compiled/*.java; do
    runs "$file" || bad=1
done
[ $ran -gt 50 ] || { echo "only $ran programs"; bad=1; }
exit $bad
