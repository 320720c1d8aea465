#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: libjacoco-java libasm-java
# extent: suite
#
# JaCoCo's own java agent, as a user starts it: under it a program with every shape of branch, and commons-lang3 poked with some
# 5,000 calls, behave as without; JaCoCo's XML report of the run is equal to that of the run on the reference.
. "$(dirname "$0")/common.sh"
need $share/org.jacoco.{agent.rt,core,report}.jar $share/asm{,-tree,-commons,-analysis}.jar
tools=$work/classes
for j in org.jacoco.core org.jacoco.report asm asm-tree asm-commons asm-analysis; do tools=$tools:$share/$j.jar; done
prepare -cp "$tools" "$here/../coverage/JacocoXml.java"
prepare "$here/../coverage/Poke.java"
# The distribution's agent jar lacks its libraries: they are put together as JaCoCo's build does.
mkdir -p "$work/agent" && (cd "$work/agent" && for j in org.jacoco.agent.rt org.jacoco.core asm asm-tree asm-commons asm-analysis; do
    "$ref/bin/jar" xf $share/$j.jar; done; rm -rf META-INF
    printf 'Premain-Class: org.jacoco.agent.rt.internal.PreMain\n' >../agent.mf; "$ref/bin/jar" cfm ../jacocoagent.jar ../agent.mf .)
mkdir -p "$work/shapes"
"$ref/bin/javac" --release 16 -g -nowarn -d "$work/shapes" "$here/../coverage/CoverShapes.java" 2>"$work/javac.log" || exit 1
opens="--add-opens java.base/java.lang=ALL-UNNAMED"     # this JaCoCo is older than Java 17

under() { # HOME INCLUDE CLASSES java-argument...: the program, then the report of the reference's JaCoCo, without times
    local home=$1 include=$2 classes=$3; shift 3
    "$home/bin/java" $O -javaagent:"$work/jacocoagent.jar=destfile=run.exec,includes=$include,excludes=org.jacoco.*,sessionid=run" $opens "$@" || return
    [ -s run.exec ] || { echo "no data"; return 1; }
    "$ref/bin/java" -cp "$tools" JacocoXml run.exec report.xml "$classes" || return
    sed -E 's/ (start|dump)="[0-9]+"//g' report.xml | sed 's/></>\n</g' >lines.xml
    grep -q 'covered="[1-9]' lines.xml || { echo "nothing is covered"; return 1; }
    rm -f run.exec report.xml
}
shapes() { under "$1" 'Cover*' "$work/shapes" -cp "$work/shapes" CoverShapes; }
compare shapes

if [ -d "$src/lang3" ]; then
    mkdir -p "$work/lang3"
    find "$src/lang3" -name '*.java' >"$work/files"
    "$ref/bin/javac" --release 8 -nowarn -g -encoding UTF-8 -d "$work/lang3" "@$work/files" >"$work/javac.log" 2>&1 || exit 1
    # without what depends on time; the report without the class whose branches depend on when the collector clears a WeakHashMap
    cp -r "$work/lang3" "$work/reported"
    rm "$work"/reported/org/apache/commons/lang3/builder/ToStringStyle*
    (cd "$work/lang3" && find . -name '*.class') | grep -v -e '\$[0-9]' -e /concurrent/ -e /time/ | sed 's|^\./||; s|/|.|g; s|\.class$||' |
        LC_ALL=C sort >"$work/list"
    lang() {
        under "$1" 'org.apache.*' "$work/reported" '-Dpoke.skip=.*[.](concurrent|time)[.].*' -cp "$work/classes:$work/lang3" Poke "$work/list" 2
    }
    compare lang
fi
