#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs one program twice on HotSpot, under JaCoCo and under our agent, and compares line by line.
#   compare_jacoco.sh NAME MINIMUM CLASSES JAVA-ARGUMENTS...      (absolute paths: it runs in OUT/cwd)
# CLASSES: folder or jar that is measured (all of its classes count, loaded or not). Environment: BUILD, JDK, OUT
# (scratch folder), INCLUDE (class-name pattern). Debian's agent jar is made usable first: it lacks the
# Premain-Class entry and the core and ASM classes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
BUILD=$(realpath -m "${BUILD:-build/release}")
JDK=${JDK:-/usr/lib/jvm/java-17-openjdk-amd64}
OUT=$(realpath -m "${OUT:-$(mktemp -d)}")
name=$1 minimum=$2 classes=$3
shift 3
mkdir -p "$OUT/cwd"
share=/usr/share/java
tools=$OUT
for j in org.jacoco.core org.jacoco.report asm asm-tree asm-commons asm-analysis; do tools=$tools:$share/$j.jar; done
[ -f $share/org.jacoco.core.jar ] || { echo "needs libjacoco-java"; exit 77; }

. "$here/../answers.sh"
. "$here/common.sh"
if [ ! -f "$OUT/jacocoagent.jar" ]; then
    kept "agent $OUT" "$OUT/jacocoagent.jar" -- jacoco_agent
    "$JDK/bin/javac" -nowarn -cp "$tools" -d "$OUT" "$here/JacocoXml.java" "$here/CompareLines.java"
fi

# JaCoCo's agent opens java.lang to the program, which reflective code can see: both runs get that.
opens=--add-opens=java.base/java.lang=ALL-UNNAMED
include=${INCLUDE:-*}
rm -f "$OUT/$name.exec" "$OUT/$name.dat"
answer_inputs=$classes
cd "$OUT/cwd"
jacoco() {
    "$JDK/bin/java" -javaagent:"$OUT/jacocoagent.jar=destfile=$OUT/$name.exec,includes=$include,excludes=org.jacoco.*" \
        $opens "$@" > "$OUT/$name.jacoco.out" 2>&1 &&
        "$JDK/bin/java" -cp "$tools" JacocoXml "$OUT/$name.exec" "$OUT/$name.jacoco.xml" "$classes"
}
kept "jacoco $name $include $classes" "$OUT/$name.jacoco."{out,xml} -- jacoco "$@"
# Both runs are the reference's: the second and the comparison are kept under the hash of the agent.
ours() {
    "$JDK/bin/java" -agentpath:"$BUILD/agents/libgraft-coverage.so=file=$OUT/$name.dat,xml=$OUT/$name.xml,classes=$classes,include=$include,oldfilters" \
        $opens "$@" > "$OUT/$name.out" 2> "$OUT/$name.err" || { cat "$OUT/$name.err"; return 1; }
    cmp -s "$OUT/$name.jacoco.out" "$OUT/$name.out" || echo "note: the program's output differs between the runs"
    "$JDK/bin/java" -cp "$OUT" CompareLines "$OUT/$name.jacoco.xml" "$OUT/$name.xml" "$minimum"
}
answer_agents=1
kept "ours $name $minimum $include $classes" -- ours "$@"
