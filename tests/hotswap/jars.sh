#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Jars on both VMs: a jar that is replaced brings its changed classes; only these; a jar that is missing or broken is
# waited for; refusals name the member; new classes are found.
. "$(dirname "$0")/common.sh"
pack() { (cd "$dir" && "$jdk/bin/jar" cf "$scratch/new.$side.jar" ./*.class) && mv "$scratch/new.$side.jar" "$jar"; }
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    base $side
    jar=$scratch/app.$side.jar
    echo 'public class Idle { public static String text() { return "old"; } }' >"$src/Idle.java"; build "$src/Idle.java"
    pack
    log=$scratch/$side.log seen=0
    : >"$log"
    coproc SERVER { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp "$jar" \
        "-agentpath:$agent=structural=off,watch=$jar:$scratch/late.$side.jar,hook=SwapServer.flush" SwapServer "$jar" 2>"$log"; }
    exec 5<&"${SERVER[0]}" 6>&"${SERVER[1]}"
    read -r -t 180 -u 5 word pid || fail "no server"
    await 'watching 4 class files in 2 jars'
    ask 'greet a' 'Hello a 1. 1'
    ask 'other a' 'Hello a 1 2'
    greeter Hi; build "$src/Greeter.java"; pack
    await 'swapped 1 class in'
    await '  Greeter: changed: greet(String)$'
    await 'HOOK Greeter$'
    ask 'greet b' 'Hi b 2. 3'
    ask 'other b' 'Hi b 2 4'
    touch "$dir"/*.class; pack                          # the same classes, another archive
    greeter No 'int extra;'; tail_class '!'; build "$src"/*.java; pack
    await 'refused 1 of 2 classes; nothing was changed'
    await '  Greeter: field added: int extra'
    ask 'greet c' 'Hi c 3. 5'
    head -c 700 "$jar" >"$scratch/half"; mv "$scratch/half" "$jar"; sleep 0.3       # half an archive
    greeter Hey; tail_class '?'; build "$src"/*.java; pack
    await 'swapped 2 classes in'
    ask 'greet d' 'Hey d 4? 6'
    # classes that no loader has found yet: a new one, one that it inherits from, and one that has changed unseen
    cat >"$src/New.java" <<'J'
public class New extends ZBase implements ZFace { public static String text() { return "new" + new New().base() + new New().face(); } }
J
    echo 'class ZBase { String base() { return "+base"; } }' >"$src/ZBase.java"
    echo 'interface ZFace { default String face() { return "+face"; } }' >"$src/ZFace.java"
    echo 'public class Idle { public static String text() { return "changed"; } }' >"$src/Idle.java"
    greeter '" + New.text() + "'; build "$src"/*.java; pack
    await 'swapped 1 class in'
    await '  Greeter: changed: greet(String)'
    for i in 1 2 3 4; do await 'new, defined from the jar'; done
    for c in Idle New ZBase ZFace; do grep -q "  $c: new, defined from the jar" "$log" || fail "$c is not defined"; done
    ask 'greet e' 'new+base+face e 5? 7'
    ask 'other e' 'new+base+face e 3 8'
    ask 'late New' 'new+base+face 9'
    ask 'late Idle' 'changed 10'
    sed -i 's/"+base"/"+rebased"/' "$src/ZBase.java"; build "$src/ZBase.java"; pack     # they are classes like others now
    await '  ZBase: changed: base()'
    ask 'greet f' 'new+rebased+face f 6? 11'
    stop
    [ $side = graft ] || settle
done
finish
