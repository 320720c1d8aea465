#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
# Every line of CoverShapes.java has JaCoCo's status, compiled by javac and by ecj. (Release 16: Debian's JaCoCo cannot
# read sealed classes, which enums with bodies are since 17.)
set -eu
export JDK=$1 OUT=$3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$OUT/javac" "$OUT/ecj"
"$JDK/bin/javac" --release 16 -g -nowarn -d "$OUT/javac" "$here/CoverShapes.java" 2>"$OUT/javac.log"
"$here/compare_jacoco.sh" javac 100 "$OUT/javac" -cp "$OUT/javac" CoverShapes
ecj=/usr/share/java/eclipse-jdt-core.jar
[ -f $ecj ] || { echo "needs libeclipse-jdt-core-java"; exit 77; }
. "$here/../answers.sh"
kept ecj "$OUT/ecj" -- "$JDK/bin/java" -cp $ecj org.eclipse.jdt.internal.compiler.batch.Main -16 -g -nowarn -proc:none -d "$OUT/ecj" "$here/CoverShapes.java"
"$here/compare_jacoco.sh" ecj 100 "$OUT/ecj" -cp "$OUT/ecj" CoverShapes
