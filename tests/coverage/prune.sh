#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# Probes that have passed are taken out of compiled code after a while: the data is what it is without that, JaCoCo's beside it, too. A class that
# loops on a stack keeps them.
set -eu
jdk=$1 tested=$2 out=$3
export JDK=$1 OUT=$3
. tests/coverage/common.sh
agent=$BUILD/agents/libgraft-coverage.so tool=$BUILD/bin/graft-coverage
fail() { echo "$vm: $*"; exit 1; }
[ "$(nproc)" -gt 1 ] || { echo "on one processor it is not seen which probes pass all the time"; exit 77; }
mkdir -p "$out/classes"
"$jdk/bin/javac" -g -d "$out/classes" tests/coverage/Cover{Prune,Loop}.java
jacoco=
if [ -e /usr/share/java/org.jacoco.agent.rt.jar ] && "$jdk/bin/java" -version 2>&1 | grep -q '"1[1-7]'; then jacoco=1 && jacoco_agent; fi
run() { # NAME OPTIONS: log and data by NAME
    local n=$1 log=$out/log.$1
    echo "no lost probes" > "$out/told"
    : > "$log"
    [ "$2" = quiet,prune=off ] && log=$out/told
    "$home/bin/java" "${more[@]}" "-agentpath:$agent=file=$out/d.$n,include=Cover*,$2" -cp "$out/classes" CoverPrune "$log" > "$out/out.$n" 2> "$out/log.$n" ||
        { cat "$out/log.$n"; fail "$n"; }
    "$tool" dump "$out/d.$n" > "$out/dump.$n"
}
same() { diff "$out/$1.$2" "$out/$1.$3" || fail "$1 of $2 and $3"; }
. "tests/answers.sh"
answer_agents=1
for vm in ref our; do
    [ $vm = our ] || ! settled "$out/dump.off.ref" || continue
    [ $vm = ref ] && home=$jdk || home=$tested
    more=()
    run off.$vm quiet,prune=off
    run pruned.$vm verbose,prune=on
    grep -q 'taken out after 4000 ms of processor time' "$out/log.pruned.$vm" || fail "not announced"
    same dump off.$vm pruned.$vm
    same out off.$vm pruned.$vm
    same dump off.$vm off.ref
    grep -q 'Circle.*1' "$out/dump.off.$vm" || fail "nothing covered"
    # main never ends, and so goes on with its probes: nothing is rewritten
    "$home/bin/java" "-agentpath:$agent=file=$out/loop,verbose,prune=on" -cp "$out/classes" CoverLoop 9 > "$out/loop.out" 2>&1
    grep -q 'lost probes' "$out/loop.out" && { cat "$out/loop.out"; fail "a class lost probes while it looped"; }
    if [ $vm = ref ] && [ $jacoco ]; then
        tools=$(echo /usr/share/java/{org.jacoco.core,org.jacoco.report,asm,asm-commons,asm-tree,asm-analysis}.jar | tr ' ' :)
        "$jdk/bin/javac" -cp "$tools" -d "$out" tests/coverage/JacocoXml.java
        for n in off pruned; do
            more=("-javaagent:$out/jacocoagent.jar=destfile=$out/$n.exec,includes=Cover*" --add-opens=java.base/java.lang=ALL-UNNAMED)
            run beside_$n.$vm "$([ $n = off ] && echo quiet,prune=off || echo verbose,prune=on)"
            "$jdk/bin/java" -cp "$out:$tools" JacocoXml "$out/$n.exec" "$out/$n.xml" "$out/classes"
            sed -i 's/<sessioninfo[^>]*>//g' "$out/$n.xml"
        done
        same dump beside_off.$vm beside_pruned.$vm
        cmp "$out/off.xml" "$out/pruned.xml" || fail "JaCoCo's data differs"
        grep -q 'counter type="LINE".*covered="[1-9]' "$out/off.xml" || fail "JaCoCo saw nothing"
    fi
    [ $vm = our ] || settle
done
