#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packages: kotlin
# timeout: 300
# Every line of KotlinShapes.kt and KotlinSuspended.kt has JaCoCo's status, compiled by Debian's kotlinc (1.3), and so has what TailCalls.java
# makes as later compilers do.
set -eu
export JDK=$1 OUT=$3 INCLUDE='k.*'
here=$(cd "$(dirname "$0")" && pwd) library=/usr/share/java/kotlin-stdlib.jar
command -v kotlinc > /dev/null && [ -f $library ] || { echo "needs kotlin"; exit 77; }
. "$here/../answers.sh"
for shapes in KotlinShapes KotlinSuspended; do
    kept "kotlinc $shapes" "$OUT/$shapes" -- env JAVA_HOME="$JDK" kotlinc -nowarn "$here/$shapes.kt" -d "$OUT/$shapes" 2> "$OUT/kotlinc.log" || { cat "$OUT/kotlinc.log"; exit 1; }
    "$here/compare_jacoco.sh" "$shapes" 100 "$OUT/$shapes" -cp "$OUT/$shapes:$library" "k.${shapes}Kt"
done
mkdir -p "$OUT/maker"
"$JDK/bin/javac" -cp /usr/share/java/asm.jar -d "$OUT/maker" "$here/TailCalls.java"
"$JDK/bin/java" -cp "$OUT/maker:/usr/share/java/asm.jar" TailCalls "$OUT/tails"
"$here/compare_jacoco.sh" TailCalls 100 "$OUT/tails" -cp "$OUT/tails:$library" k.Tails
