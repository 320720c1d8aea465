#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Jars on both VMs: a jar that is replaced brings its changed classes; only these; a jar that is missing or broken is
# waited for; refusals name the member.
. "$(dirname "$0")/common.sh"
pack() { (cd "$dir" && "$jdk/bin/jar" cf "$scratch/new.$side.jar" ./*.class) && mv "$scratch/new.$side.jar" "$jar"; }
for side in hotspot graft; do
    base $side
    jar=$scratch/app.$side.jar
    pack
    log=$scratch/$side.log seen=0
    : >"$log"
    coproc SERVER { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp "$jar" \
        "-agentpath:$agent=structural=off,watch=$jar:$scratch/late.$side.jar,hook=SwapServer.flush" SwapServer "$jar" 2>"$log"; }
    exec 5<&"${SERVER[0]}" 6>&"${SERVER[1]}"
    read -r -t 60 -u 5 word pid || fail "no server"
    await 'watching 3 class files in 2 jars'
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
    stop
done
finish
