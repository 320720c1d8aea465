#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
#
# What both compilers take for granted holds while they compile java/compiled's programs by what these showed: in the debug build, which checks it. What
# the programs print is java/compiled's business.
set -u
jdk=$1 scratch=$(realpath -m "$3") bad=0
image=$(realpath "$DEBUG_IMAGE") top=$PWD
[ -x "$image/bin/java" ] || { echo "no debug build (make MODE=debug image)"; exit 77; }
modes=("-XX:CompileThreshold=10") # in the background, by both
[ -z "${FULL-}" ] || modes+=("-Xcomp -XX:-UseOptimizingCompiler")
runs() { # one program
    local name=$1 options
    mkdir -p "$scratch/$name" && "$jdk/bin/javac" -nowarn -XDignore.symbol.file -d "$scratch/$name" "$top/tests/java/compiled/$name.java" 2>/dev/null || return 0 # wants exports
    for options in "${modes[@]}"; do
        (cd "$scratch/$name" && timeout 120 "$image/bin/java" -Xmx256m $options -cp . "$name" >out 2>&1)
        grep -q "fatal error: \|Problematic frame" "$scratch/$name/out" || continue
        echo "$name, $options"
        grep -m 3 "fatal error: \|Internal Error\|Problematic frame" "$scratch/$name/out"
        return 1
    done
}
for file in tests/java/compiled/*.java; do
    runs "$(basename "$file" .java)" || bad=1
done
exit $bad
