#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 240
#
# Sources are compiled when they are saved, in the program's own VM or by a javac beside it: what changed, and what depends on a
# constant or a signature in it; errors as javac shows them change nothing; a trial of a source that is not saved yet.
. "$(dirname "$0")/common.sh"
constant() {
    mkdir -p "$src/p"
    echo "package p; public class Limits { public static final int MOST = $1; ${2-} }" >"$src/p/Limits.java"
}
ask_agent() { # command pattern
    local answer=
    printf '%s\n' "$1" >&7
    read -r -t 180 -u 7 answer
    grep -qE -e "$2" <<<"$answer" || fail "command '$1': $answer"
    compared=$((compared + 1))
}
export TMPDIR=$scratch/tmp
mkdir -p "$TMPDIR"
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    base $side
    constant 5 'public static int twice(int a) { return 2 * a; }'
    echo 'public class Tail { static String text() { return "." + p.Limits.MOST + p.Limits.twice(4); } }' >"$src/Tail.java"
    build "$src"/*.java "$src"/p/*.java
    server "structural=off,sources=$src,port=0"
    await 'compiling 3 sources of 1 directory when they are saved'
    port=$(sed -n 's/.*commands on 127.0.0.1:\([0-9]*\)$/\1/p' "$log")
    ask 'greet a' 'Hello a 1.58 1'

    greeter Hi
    await 'compiled 1 source in [0-9]* ms$'
    await 'swapped 1 class in'
    ask 'greet b' 'Hi b 2.58 2'

    # a constant lives in the code of those who use it
    constant 6 'public static int twice(int a) { return 2 * a; }'
    await 'compiled 2 sources in [0-9]* ms, with what depends on it'
    await 'swapped 2 classes in'
    ask 'greet c' 'Hi c 3.68 3'

    # what no longer compiles is shown, by its user as well; nothing is swapped and nothing written
    before=$(cksum <"$dir/p/Limits.class")
    constant 7
    await 'does not compile; nothing was changed:'
    await '/Tail.java:1: error: cannot find symbol'
    await 'symbol: *method twice(int)'
    [ "$before" = "$(cksum <"$dir/p/Limits.class")" ] || fail "a class file was written although something does not compile"
    ask 'greet d' 'Hi d 4.68 4'
    touch "$src/p/Limits.java"
    await 'does not compile yet, as before'
    # whatever is saved next, the other one goes along
    echo 'public class Tail { static String text() { return "!" + p.Limits.MOST; } }' >"$src/Tail.java"
    await 'compiled [23] sources in'
    await 'refused 1 of 2 classes'
    await 'p.Limits: method removed: int twice(int)'
    constant 8 'public static int twice(int a) { return 2 * a; }'
    await 'swapped 2 classes in'
    ask 'greet e' 'Hi e 5!8 5'

    # an editor's text that is not saved yet: what would be said
    exec 7<>"/dev/tcp/127.0.0.1/$port"
    mkdir -p "edit.$side"
    sed 's/int calls;/int calls, more;/' "$src/Greeter.java" >"edit.$side/Greeter.java"
    ask_agent "try $PWD/edit.$side/Greeter.java" '^\{"ok":false,"possible":\[\],"refused":\[\{"class":"Greeter","reason":"field added: int more'
    sed 's/"Hi/"Ho/' "$src/Greeter.java" >"edit.$side/Greeter.java"
    ask_agent "try $PWD/edit.$side/Greeter.java" '^\{"ok":true,"possible":\["Greeter"\]'
    sed 's/++calls/++calles/' "$src/Greeter.java" >"edit.$side/Greeter.java"
    ask_agent "try $PWD/edit.$side/Greeter.java" '^\{"ok":false,"error":"does not compile","text":".*Greeter.java:4: error: cannot find symbol'
    ask 'greet f' 'Hi f 6!8 6'
    sed 's/"Hi/"Ho/' "$src/Greeter.java" >"edit.$side/Greeter.java"
    ask_agent "swap $PWD/edit.$side/Greeter.java" '^\{"ok":true,"swapped":\["Greeter"\]'
    ask 'greet g' 'Ho g 7!8 7'
    exec 7>&-

    # new files and folders
    mkdir -p "$src/q"
    echo 'package q; public class Late { public static String text() { return "late"; } }' >"$src/q/Late.java"
    await 'compiled 1 source in'
    ask 'late q.Late' 'late 8'
    stop

    # a compiler beside the VM, with options of its own; agents of the environment stay out of it
    base $side
    export JAVA_TOOL_OPTIONS=-Dx=y
    server "structural=off,sources=$src,javac=$jdk/bin/javac,compiler=-parameters -Xlint:all,quiet"
    unset JAVA_TOOL_OPTIONS
    ask 'greet a' 'Hello a 1. 1'
    echo 'public class Tail { static String text() { return 5; } }' >"$src/Tail.java"
    await '/Tail.java:1: error: incompatible types: int cannot be converted to String'
    grep -q 'Picked up' <(command tail -n +2 "$log") && fail "the compiler had the agent's options"
    tail_class '?'
    for i in $(seq 300); do
        echo 'greet b' >&6; read -r -t 180 -u 5 answer
        case $answer in *\?*) break ;; esac
        sleep 0.1
    done
    case $answer in Hello*\?*) ;; *) fail "compiled beside the VM: $answer" ;; esac
    stop
    base $side
    server "sources=$src,javac=/no/such/javac"
    greeter Hi
    await '/no/such/javac: No such file'
    ask 'greet a' 'Hello a 1. 1'
    stop
    [ -z "$(ls -A "$TMPDIR")" ] || fail "left behind: $(ls -A "$TMPDIR")"
    [ $side = graft ] || settle
done
finish
