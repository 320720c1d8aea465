#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# graft ps, top --once and doctor on both VMs; class and report lead to the tools.
. "$(dirname "$0")/common.sh"
for side in hotspot graft; do
    home=$jdk vm=HotSpot; [ $side = graft ] && home=$tested
    is_graft "$home" && vm=Graft
    start "$home"
    tell spin spins
    check ps 0 "^ *$pid  $vm +[0-9][^ ]* +[0-9]+ (s|min.*) +- +$main serve$" -- "$graft" ps
    check top 0 '^[ 0-9.]+ % Target.spin$' -- "$graft" top --once --interval=1 $pid
    has "top: VM" "^vm $vm [0-9][^ ,]*, up " out
    # JDK 8 does not tell it
    has "top: allocation" '^cpu [0-9]+ %, allocation ([0-9.]+ .?B/s|not told)$' out
    has "top: collector" '^heap [0-9].* collections [0-9]+ ' out
    has "top: threads" '^ *[0-9.]+ % .*RUNNABLE +spinner$' out
    has "top: stack" 'Target.spin\(Target.java:[0-9]+\)' out
    is "top: the heaviest method" "$(grep -A1 'cpu  method' out | tail -1 | sed 's/.*% //')" Target.spin
    check "top by name" 0 '^vm ' -- "$graft" top --once --interval=1 --rows=1 $main
    grep -q $'\033' out && bad "control sequences in a file" out || good
    stop
    # orders to a terminal, of one byte and of two; a thread named so
    argument=$'a\u009bb\ec'
    start "$home"
    check "ps, what a program is called with" 0 "^ *$pid  .* $main serve a +b c$" -- "$graft" ps
    grep -q -e $'\u009b' -e $'\e' out && bad "an order to the terminal" out || good
    stop
    argument=
    # names: a jar with a blank, a source file that is launched; options behind the name
    "$jdk/bin/jar" cfe "my $main.jar" $main -C classes . && mkdir -p sources && sed "s/Target/$main/g" "$here/Target.java" >sources/$main.java
    named() { # NAME JAVA_WORD...: found by it?
        local name=$1 i; shift
        rm -f in target.out; mkfifo in
        "$home/bin/java" "$@" serve <in >target.out 2>target.err &
        pid=$!
        exec 9>in
        for i in $(seq 1200); do grep -qs '^ready' target.out && break; sleep 0.1; done
        check "named $name" 0 '^vm ' -- "$graft" top "$name" --once --interval=1
        stop
    }
    named "my $main.jar" -jar "my $main.jar"
    named "my $main" -jar "$PWD/my $main.jar"
    [ ! -e "$home/lib/modules" ] || named $main.java sources/$main.java
    start "$home" -XX:-UsePerfData
    check "ps without performance data" 0 "^ *$pid  .* $main serve$" -- "$graft" ps
    check "top without performance data" 0 'no performance data' -- "$graft" top --once --interval=1 $pid
    check "attach without performance data" 0 'Heap snapshot 1' -- "$graft" heap --attach $pid
    stop
done
side=
if is_graft "$tested"; then
    check doctor 0 '^ok +image +/' -- "$graft" doctor
    has "doctor: agents" '^ok +agent +.*libgraft-coverage.so$' out
fi
check "doctor, JAVA_HOME" 1 '^problem +java +JAVA_HOME=/none: .*set it to a JDK' -- env JAVA_HOME=/none "$graft" doctor
check "doctor, no java" 1 '^problem +java +no java in PATH' -- env -u JAVA_HOME PATH=/none "$graft" doctor
for place in lib lib/jli lib/amd64/jli; do # of JDK 12, 9, 8
    rm -rf other; mkdir -p other/bin other/$place; touch other/$place/libjli.so; printf '#!/bin/sh\n' >other/bin/java; chmod +x other/bin/java
    echo 'JAVA_VERSION="11.0.1"' >other/release
    check "doctor, a JDK with $place" 0 "^ok +java +.*/other/bin/java \\(.*/other, 11.0.1\\)" -- env -u JAVA_HOME PATH="$scratch/other/bin:$PATH" "$graft" doctor
done
check "doctor, deaf JVMs" 1 '^problem +options ' -- env JAVA_TOOL_OPTIONS=-XX:+DisableAttachMechanism "$graft" doctor
mkdir -p bare/bin; cp "$graft" bare/bin/
check "doctor, nothing else installed" 1 '^problem +agent +agents/libgraft-trace.so: missing' -- bare/bin/graft doctor
has "doctor, how many" '^[0-9]+ problems$' out
check "no agent" 125 'libgraft-trace.so is not there' -- bare/bin/graft trace -- java -version
check "no tool" 125 'graft-coverage is not there' -- bare/bin/graft report x
check class 0 'Target' -- "$graft" class dump classes/Target.class
check report 1 'none.dat' -- "$graft" report none.dat
check 'report compare' 1 'none.dat' -- "$graft" report compare none.dat none.dat
check affected 1 "coverage.dat" -- "$graft" affected --since=HEAD
check 'report affected' 1 'none.dat' -- "$graft" report affected none.dat --since=HEAD
check heapdiff 1 'none.heap' -- "$graft" heapdiff none.heap none.heap
check version 0 '^graft [0-9.]+$' -- "$graft" --version
check help 0 '^  coverage ' -- "$graft" help
for c in $("$graft" help --words); do
    check "help $c" 0 "^graft $c" -- "$graft" help "$c"
    [ "$c" = class ] || [ "$c" = report ] || check "$c --help" 0 "^graft $c" -- "$graft" "$c" --help
done
"$graft" help --man >graft.1
check manual 0 '' -- sh -c 'test -z "$(man --warnings -l graft.1 2>&1 >/dev/null)"'
finish
