#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# All of java.base is instrumented at load (tests/jvmti/instrument_all.c); programs must behave as without.
set -u
jdk=$1 tested=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd)
agent=$BUILD/tests/native/libinstrument_all.so
mkdir -p "$scratch/classes" "$scratch/plain" && cd "$scratch" || exit 1
"$jdk/bin/javac" -d classes "$here/InstrumentAll.java" || exit 1
failed=0
. "$here/../answers.sh"
answer_agents=1

# try NAME JDK WANTED-OUTPUT-FILE COMMAND...: runs COMMAND of JDK's bin under the agent
try() {
    local name=$1 home=$2 want=$3 tool=$4; shift 4
    local opt=-agentpath:$agent=$scratch/$name.count
    [ "$tool" = java ] || opt=-J$opt
    "$home/bin/$tool" "$opt" "$@" >"$name.out" 2>"$name.err" || { echo "$name: exit $?"; head -5 "$name.err"; failed=1; }
    cmp -s "$want" "$name.out" || { echo "$name: output differs"; diff "$want" "$name.out" | head -5; failed=1; }
    read -r _ classes _ methods _ fails _ entries _ returns _ throws <"$name.count"
    echo "$name: ${classes:-0} classes, ${methods:-0} methods, entries ${entries:-0}, returns ${returns:-0}, throws ${throws:-0}"
    [ "${classes:-0}" -gt 400 ] && [ "${fails:-1}" = 0 ] && [ "${entries:-0}" -gt 20000 ] || { echo "$name: too little was instrumented"; head -5 "$name.err"; failed=1; }
}

"$jdk/bin/javac" -d plain "$here/InstrumentAll.java" >javac.want 2>&1 || exit 1
wanted() { "$jdk/bin/java" -cp classes InstrumentAll >program.want && "$jdk/bin/javap" -c -p java.lang.String >javap.want; }
kept wanted program.want javap.want -- wanted || exit 1
(cd classes && "$jdk/bin/jar" --create --file ../x.jar . && "$jdk/bin/jar" --list --file ../x.jar) >jar.want || exit 1

homes=("$jdk"); [ -x "$tested/bin/java" ] && [ "$(realpath "$tested")" != "$(realpath "$jdk")" ] && homes+=("$tested")
for home in "${homes[@]}"; do
    [ "$home" != "$jdk" ] || ! settled || continue
    n=$([ "$home" = "$jdk" ] && echo hotspot || echo graft)
    try $n-verify "$home" program.want java -Xverify:all -cp classes InstrumentAll
    try $n-int "$home" program.want java -Xint -cp classes InstrumentAll
    try $n-javap "$home" javap.want javap -c -p java.lang.String
    try $n-jar "$home" jar.want jar --list --file x.jar
    rm -rf made; mkdir made
    try $n-javac "$home" javac.want javac -d made "$here/InstrumentAll.java"
    diff -r plain made || failed=1
    [ "$home" != "$jdk" ] || settle
done
exit $failed
