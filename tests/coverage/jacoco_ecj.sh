#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
# The Eclipse compiler, compiling commons-lang3's text package: all of its 230,000 lines, loaded or not, have JaCoCo's status.
set -eu
export JDK=$1 OUT=$3 INCLUDE='org.eclipse.*'
jar=/usr/share/java/eclipse-jdt-core.jar
[ -f $jar ] || { echo "needs libeclipse-jdt-core-java"; exit 77; }
tests/sources.sh > /dev/null || { echo "sources cannot be fetched"; exit 77; }
find "$PWD/build/sources/lang3/org/apache/commons/lang3/text" -name '*.java' > "$OUT/files"
tests/coverage/compare_jacoco.sh ecj 99.5 $jar -cp $jar org.eclipse.jdt.internal.compiler.batch.Main --release 8 -g -nowarn \
    -proc:none -encoding UTF-8 -sourcepath "$PWD/build/sources/lang3" -d "$OUT/classes" "@$OUT/files"
