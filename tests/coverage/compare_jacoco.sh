#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs one program twice on HotSpot, under JaCoCo and under our agent, and compares line by line.
#   compare_jacoco.sh NAME CLASSES CLASSPATH MAIN [ARGS...]
# CLASSES: folder or jar that is measured. Debian's agent jar is made usable first: it lacks the
# Premain-Class and the core and ASM classes. Environment: BUILD, JDK, OUT (scratch), INCLUDE (pattern).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
BUILD=${BUILD:-build/release}
JDK=${JDK:-/usr/lib/jvm/java-17-openjdk-amd64}
OUT=${OUT:-$(mktemp -d)}
name=$1 classes=$2 cp=$3
shift 3
mkdir -p "$OUT"
share=/usr/share/java
tools=$share/org.jacoco.core.jar:$share/org.jacoco.report.jar:$share/asm.jar:$share/asm-tree.jar:$share/asm-commons.jar:$share/asm-analysis.jar

if [ ! -f "$OUT/jacocoagent.jar" ]; then
    rm -rf "$OUT/agent" && mkdir -p "$OUT/agent"
    (cd "$OUT/agent"
     for j in org.jacoco.agent.rt org.jacoco.core asm asm-tree asm-commons asm-analysis; do
         "$JDK/bin/jar" xf $share/$j.jar
     done
     rm -rf META-INF module-info.class
     printf 'Premain-Class: org.jacoco.agent.rt.internal.PreMain\nAutomatic-Module-Name: org.jacoco.agent.rt\n' > ../agent.mf
     "$JDK/bin/jar" cfm ../jacocoagent.jar ../agent.mf .)
    "$JDK/bin/javac" -nowarn -cp "$tools" -d "$OUT" "$here/JacocoXml.java"
fi

# JaCoCo's agent opens java.lang to the program; both runs and both results get that.
opens=--add-opens=java.base/java.lang=ALL-UNNAMED
rm -f "$OUT/$name.exec" "$OUT/$name.dat"
"$JDK/bin/java" -javaagent:"$OUT/jacocoagent.jar=destfile=$OUT/$name.exec,includes=${INCLUDE:-*},excludes=org.jacoco.*" \
    $opens -cp "$cp" "$@" > "$OUT/$name.jacoco.out" 2>&1
"$JDK/bin/java" -cp "$OUT:$tools" JacocoXml "$OUT/$name.exec" "$OUT/$name.jacoco.xml" "$classes"
"$JDK/bin/java" -agentpath:"$BUILD/agents/libgraft-coverage.so=file=$OUT/$name.dat,xml=$OUT/$name.xml,classes=$classes,include=${INCLUDE:-*}" \
    $opens -cp "$cp" "$@" > "$OUT/$name.out" 2> "$OUT/$name.err"
cmp -s "$OUT/$name.jacoco.out" "$OUT/$name.out" || echo "note: the program's output differs between the runs"
python3 "$here/compare_jacoco.py" "$OUT/$name.jacoco.xml" "$OUT/$name.xml"
