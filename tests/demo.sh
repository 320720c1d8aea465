#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make demo: the JDK's compiler (1,000 classes, not ours) compiles commons-lang3 on Graft, under the coverage agent;
# then the summary and the place of the report, with the compiler's own sources in colours.
set -eu
cd "$(dirname "$0")/.."
image=$(realpath "${IMAGE:-build/image}") PATH=$(realpath "${BUILD:-build/release}")/bin:$PATH
out=build/demo
rm -rf "$out"; mkdir -p "$out"
find build/sources/lang3 -name '*.java' | sort >"$out/files"

"$image/bin/java" -version
echo
echo "javac compiles $(wc -l <"$out/files") files of commons-lang3 under the coverage agent ..."
JAVA_HOME=$image graft coverage --quiet --include='com.sun.tools.javac.*' --file="$out/javac.dat" --title=javac --html="$out/html" \
    --source=build/sources/jdk/jdk.compiler -- \
    "$image/bin/javac" -nowarn -Xlint:none -proc:none -encoding UTF-8 -g -d "$out/classes" "@$out/files" 2>"$out/said" || { cat "$out/said"; exit 1; }
echo "compiled to $(find "$out/classes" -name '*.class' | wc -l) classes"
echo
graft report "$out/javac.dat"
echo
echo "report: $PWD/$out/html/index.html"
