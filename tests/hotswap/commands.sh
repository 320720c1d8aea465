#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
#
# The command channel on both VMs (port and socket), the agent loaded into a running VM, options.
. "$(dirname "$0")/common.sh"
ask_agent() { # command pattern: over the connection on descriptor 7
    local answer=
    printf '%s\r\n' "$1" >&7
    read -r -t 180 -u 7 answer
    grep -qE -e "$2" <<<"$answer" || fail "command '$1': $answer"
    compared=$((compared + 1))
}
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    base $side
    sock=$scratch/$side.sock
    server "structural=off,port=0,socket=$sock,auto=off,hook=SwapServer.flush"
    await 'commands on 127.0.0.1:[0-9]*$'
    port=$(sed -n 's/.*commands on 127.0.0.1:\([0-9]*\)$/\1/p' "$log")
    exec 7<>"/dev/tcp/127.0.0.1/$port" || fail "no connection"
    ask 'greet a' 'Hello a 1. 1'
    ask_agent status '^\{"ok":true,"swaps":0,.*"files":3,"dirty":0,.*"auto":false,"watch":\["/.*"\]\}$'
    ask_agent list '^\{"ok":true,"classes":\[\]\}$'
    greeter Hi; build "$src/Greeter.java"
    ask_agent "try $dir/Greeter.class" '^\{"ok":true,"possible":\["Greeter"\],"refused":\[\],"waiting":\[\],"notLoaded":\[\],"added":\[\],"migrated":\[\],'
    ask 'greet b' 'Hello b 2. 2'
    ask_agent "swap $dir/Greeter.class" '^\{"ok":true,"swapped":\["Greeter"\],"refused":\[\],"waiting":\[\],"notLoaded":\[\],"added":\[\],"migrated":\[\],"plugins":\[\],"unchanged":0,"ms":[0-9.]+\}$'
    ask 'greet c' 'Hi c 3. 3'
    ask_agent "swap $dir/Greeter.class" '"swapped":\[\],.*"unchanged":1'
    greeter Hi 'int twice(int a) { return 2 * a; }'; build "$src/Greeter.java"
    ask_agent "try $dir/Greeter.class" '^\{"ok":false,"possible":\[\],"refused":\[\{"class":"Greeter","reason":"method added: int twice'
    for i in 1 2; do
        ask_agent "swap$([ $i = 2 ] && echo " $dir/Greeter.class")" '^\{"ok":false,"swapped":\[\],"refused":\[\{"class":"Greeter","reason":"method added: int twice\(int\) \('
    done
    ask_agent list '^\{"ok":true,"classes":\[\{"class":"Greeter","file":"/.*/Greeter.class","swaps":1,"waiting":false,"refused":"method added'
    echo 'class' >"$dir/Tail.class"
    ask_agent swap '"refused":\[\{"class":"/.*/Tail.class","reason":"no valid class file'
    ask_agent 'swap /no/such.class' '^\{"ok":false,"error":"/no/such.class: no such file"\}$'
    ask_agent 'frobnicate "x"' '^\{"ok":false,"error":"unknown command .frobnicate.; help lists them"\}$'
    ask_agent help '"commands":"swap'
    # back, and forth again by writing the file once more
    ask_agent undo '^\{"ok":true,"undone":\["Greeter"\],"refused":\[\],.*"ms":[0-9.]+\}$'
    ask 'greet c' 'Hello c 4. 4'
    ask_agent undo '^\{"ok":false,"error":"no swap to take back"\}$'
    ask_agent 'undo x' '^\{"ok":false,"error":"undo x: not a number of swaps"\}$'
    ask_agent swap '"swapped":\[\]'
    tail_class '?'; build "$src/Tail.java"; ask_agent swap '"swapped":\["Tail"\]'
    for text in One Two Three; do greeter $text; build "$src/Greeter.java"; ask_agent swap '"swapped":\["Greeter"\]'; done
    ask 'greet c' 'Three c 5? 5'
    ask_agent status '"undoable":4,'
    ask_agent 'undo 2' '"undone":\["Greeter"\]'
    ask 'greet c' 'One c 6? 6'
    ask_agent 'undo 9' '"undone":\["(Tail","Greeter|Greeter","Tail)"\]'
    ask 'greet c' 'Hello c 7. 7'
    ask_agent 'swap '"$dir/Greeter.class $dir/Tail.class" '"swapped":\["(Tail","Greeter|Greeter","Tail)"\]'
    ask 'greet c' 'Three c 8? 8'
    exec 7>&-
    # another class file of the same class, from elsewhere, over the socket
    mkdir -p "else where.$side"; greeter Far; "$jdk/bin/javac" -d "else where.$side" "$src/Greeter.java"
    [ "$(stat -c %a "$sock")" = 600 ] || fail "mode of the socket: $(stat -c %a "$sock")"
    perl -MIO::Socket::UNIX -e '$s = IO::Socket::UNIX->new($ARGV[0]) or die; print $s "swap\t$ARGV[1]\nstatus\n"; print scalar <$s>, scalar <$s>' \
        "$sock" "$scratch/else where.$side/Greeter.class" >answers || fail "socket"
    grep -q '"swapped":\["Greeter"\]' answers && grep -q '"swaps":7' answers || { fail "socket"; cat answers; }
    ask 'greet d' 'Far d 9? 9'
    perl -MIO::Socket::UNIX -e '$s = IO::Socket::UNIX->new($ARGV[0]) or die; print $s "undo\n"; print scalar <$s>' "$sock" >answers
    grep -q '"undone":\["Greeter"\]' answers || { fail "undo of a file from elsewhere"; cat answers; }
    ask 'greet e' 'Three e 10? 10'
    stop
    [ -e "$sock" ] && fail "the socket is left behind"

    # into a running VM; the directory is that of the class path
    base $side
    server ""
    ask 'greet a' 'Hello a 1. 1'
    cat >Load.java <<'J'
public class Load {
    public static void main(String[] a) throws Exception {
        com.sun.tools.attach.VirtualMachine vm = com.sun.tools.attach.VirtualMachine.attach(a[0]);
        vm.loadAgentPath(a[1], a[2]);
        vm.detach();
    }
}
J
    "$jdk/bin/javac" -d load Load.java || exit 1
    # what failed leaves nothing: not its options, its watches, its sockets
    for bad in port=0,tries=1,socket=/no/such/dir/s,structural=off "project=no-such-project,watch=$dir" hook=x port=70000; do
        "$jdk/bin/java" -cp load Load $pid "$agent" $bad >o 2>&1 && fail "$bad accepted in a running VM"
    done
    "$jdk/bin/java" -cp load Load $pid "$agent" wait=50 >o 2>&1 || { fail "loading into a running VM"; head -5 o; }
    "$jdk/bin/java" -cp load Load $pid "$agent" wait=50 >o 2>&1 && fail "loaded twice"
    await 'commands on 127'
    await 'socket /no/such/dir/s: No such file'
    await 'project no-such-project: No such file'
    await 'hook x: not of the form'
    await 'port 70000: no such port'
    await 'watching 3 class files'
    await 'already at work'
    port=$(sed -n 's/.*commands on 127.0.0.1:\([0-9]*\)$/\1/p' "$log")
    (exec 7<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && fail "the port of a start that failed is open"
    greeter Hi; build "$src/Greeter.java"
    await '  Greeter: changed: greet(String)'
    ask 'greet b' 'Hi b 2. 2'
    stop

    java "-agentpath:$agent=help" SwapServer | grep -q 'hook=CLASS.METHOD' || fail "help"
    for bad in bogus=1 wait=x wait=-1 tries=0 port hook=x hook=a.b:c hook=a.; do
        java "-agentpath:$agent=$bad" SwapServer "$dir" >o 2>&1 </dev/null && fail "$bad accepted"
        grep -q '^\[hotswap\] ' o || fail "$bad: no message"
    done
    for bad in port=70000 socket=/no/such/dir/s; do
        java "-agentpath:$agent=$bad" SwapServer "$dir" >o 2>&1 </dev/null || fail "$bad ends the program"
        grep -q '^\[hotswap\] nothing will be swapped' o || fail "$bad: no message"
    done
    [ $side = graft ] || settle
done
finish
