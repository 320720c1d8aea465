#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packages: kotlin
# timeout: 300
# Every line of KotlinShapes.kt has JaCoCo's status, compiled by Debian's kotlinc (1.3).
set -eu
export JDK=$1 OUT=$3 INCLUDE='k.*'
here=$(cd "$(dirname "$0")" && pwd) library=/usr/share/java/kotlin-stdlib.jar
command -v kotlinc > /dev/null && [ -f $library ] || { echo "needs kotlin"; exit 77; }
. "$here/../answers.sh"
kept kotlinc "$OUT/kt" -- env JAVA_HOME="$JDK" kotlinc -nowarn "$here/KotlinShapes.kt" -d "$OUT/kt" 2> "$OUT/kotlinc.log" || { cat "$OUT/kotlinc.log"; exit 1; }
"$here/compare_jacoco.sh" kotlin 100 "$OUT/kt" -cp "$OUT/kt:$library" k.KotlinShapesKt
