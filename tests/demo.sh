#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make demo: Eclipse's compiler (over 1,000 classes, not ours) compiles commons-lang3 on Graft, under
# the coverage agent; then the summary and the place of the report.
set -eu
cd "$(dirname "$0")/.."
image=${IMAGE:-build/image} agent=$(realpath "${BUILD:-build/release}")/agents/libgraft-coverage.so
out=build/demo jar=/usr/share/java/eclipse-jdt-core.jar
rm -rf "$out"; mkdir -p "$out"
find build/sources/lang3 -name '*.java' | sort >"$out/files"
cp=$(ls /usr/share/java/eclipse-*.jar /usr/share/java/equinox-*.jar /usr/share/java/ecj.jar 2>/dev/null | tr '\n' ':')

"$image/bin/java" -version
echo
echo "ecj compiles $(wc -l <"$out/files") files of commons-lang3 under the coverage agent ..."
"$image/bin/java" \
    "-agentpath:$agent=file=$out/ecj.dat,html=$out/html,summary=on,title=ecj,include=org.eclipse.jdt.*,classes=$jar" \
    -cp "$cp" org.eclipse.jdt.internal.compiler.batch.Main -11 -g -warn:none -proc:none -encoding UTF-8 \
    -d "$out/classes" "@$out/files"
echo
echo "compiled to $(find "$out/classes" -name '*.class' | wc -l) classes"
echo "report: $PWD/$out/html/index.html"
