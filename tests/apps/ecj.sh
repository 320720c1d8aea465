#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: ecj libeclipse-jdt-core-java
#
# Eclipse's compiler compiles the same tree as javac.sh: class files and messages identical.
. "$(dirname "$0")/common.sh"
need "$src/math3" $share/eclipse-jdt-core.jar
find "$src/math3" -name '*.java' | sort >"$work/files"
cp=$(ls $share/eclipse-*.jar $share/equinox-*.jar $share/org.eclipse.*.jar $share/ecj.jar 2>/dev/null | tr '\n' ':')
run() {
    "$1/bin/java" $O -cp "$cp" org.eclipse.jdt.internal.compiler.batch.Main -11 -g -warn:none -proc:none \
        -encoding UTF-8 -d classes "@$work/files"
}
compare run
