#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# What is wrong gets a clear message and its exit code: the table below, processes that are none, are dead, are deaf, belong to others;
# files of other users in the places of sockets and performance data.
. "$(dirname "$0")/common.sh"
while IFS='|' read -r code pattern words; do
    check "graft $words" "$code" "$pattern" -- "$graft" $words
done <<'T'
125|^graft COMMAND|
125|no command 'frob'; 'graft help' lists|frob
125|no command 'covrage' .did you mean 'coverage'|covrage
125|no command '-x'|-x
125|no command is given|run
125|no command is given|coverage --html=x
125|unknown option '--imgae' .did you mean '--image'|run --imgae=x -- true
125|unknown option '--htm' .did you mean '--html'|coverage --htm=x -- true
125|unknown option '--frobnicate'; 'graft help trace'|trace --frobnicate -- true
125|unknown option '--no-top'|heap --no-top -- true
125|unknown option '-x'|trace -x -- true
125|bad value 'xml' of option '--format' .text|trace --format=xml -- true
125|bad value 'maybe' of option '--jdk'|coverage --jdk=maybe -- true
125|bad value '99999999999999999999' of option '--top'|heap --top=99999999999999999999 -- true
125|'--include' needs a value|trace --include
125|'--html' needs a value|coverage --html -- true
125|'--html' needs a value|coverage --html --source=x -- true
125|trace: --rows is for --live|trace --rows=3 -- true
125|unknown option '--output'; 'graft help hotswap'|hotswap --output=x -- true
125|'--output' needs a value|trace -o
127|/no/such: no such command|run -- /no/such
127|nosuch: no such command|coverage -- nosuch
126|/etc/passwd: Permission denied|run -- /etc/passwd
126|/etc/passwd: Permission denied|heap -- /etc/passwd
125|there is no process 4000000|heap --attach 4000000
125|there is no process 0|top 0
125|no process 99999999999|top 99999999999
125|no process 0;|redefine --list 0
125|called 'NoSuchClass'; 'graft ps'|trace --attach NoSuchClass
125|judge what CMD did|coverage --attach 1 --fail-under=line=1
125|which process|top
125|which process|redefine
125|no class files are given|redefine 1
125|take no files|redefine --undo 1 a.class
125|take no files|redefine 1 --undo a.class
125|there is no process 4000000|top 4000000 --once
125|unknown option '--frob'|redefine 1 a.class --frob
0|^  verify +what|class --help
125|--undo=0: must be at least 1|redefine --undo=0 1
125|--interval=0: must be at least 1|top --interval=0 1
125|takes no arguments|ps x
125|takes no arguments|doctor x
125|no command 'frob'|help frob
T
sleep 1000 & other=$!
check "no JVM" 125 "process $other is no Java VM" -- "$graft" heap --attach $other
for side in hotspot graft; do
    home=$jdk; [ $side = graft ] && home=$tested
    start "$home" -XX:+DisableAttachMechanism
    check deaf 125 'DisableAttachMechanism' -- "$graft" heap --attach $pid
    stop
    start "$home" -Xrs
    # HotSpot then listens from the start
    if is_graft "$home"; then check "no signals" 125 'does not handle SIGQUIT' -- "$graft" heap --attach $pid
    else check "no signals" 0 'Heap snapshot' -- "$graft" heap --attach $pid; fi
    stop
    start "$home"
    first=$pid; exec 8>&9
    start "$home"
    check "two of a name" 125 "2 processes are called '$main'" -- "$graft" heap --attach $main
    stop; kill -9 $first; wait $first 2>/dev/null; exec 8>&-
    check "a dead one" 125 "there is no process $first" -- "$graft" heap --attach $first
    long=$(printf 'x%.0s' $(seq 1100))
    start "$home"
    # a socket that is somebody else's, or leads elsewhere
    mkdir -p trap
    ln -s "$scratch/trap/sock" /tmp/.java_pid$pid
    check "a link for a socket" 125 'not trusted' -- "$graft" heap --attach $pid
    rm -f /tmp/.java_pid$pid
    rm -f up # of the other side
    python3 -c "import socket, time; s = socket.socket(socket.AF_UNIX); s.bind('/tmp/.java_pid$pid'); s.listen(1); print('up', flush=True); time.sleep(1000)" >up & fake=$!
    for i in $(seq 600); do grep -qs up up && break; sleep 0.1; done
    chmod 600 /tmp/.java_pid$pid
    check "a socket of another process" 125 'not trusted' -- "$graft" heap --attach $pid
    chmod 666 /tmp/.java_pid$pid
    check "a socket open to others" 125 'not trusted' -- "$graft" heap --attach $pid
    kill $fake; wait $fake 2>/dev/null; rm -f /tmp/.java_pid$pid
    check "afterwards" 0 'Heap snapshot' -- "$graft" heap --attach $pid
    check "too long" 125 'too long for a running JVM' -- "$graft" trace --attach $pid --include=$long
    check "report in no folder" 0 '' -- "$graft" trace --attach $pid --include=Target -o /no/such/dir/x
    check "report in no folder, the end" 125 'could not write the file of an earlier start .--file.: No such file' -- "$graft" trace --attach $pid --stop
    has "report in no folder" 'No such file' target.err
    stop
done
side=
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    as() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
    chmod 755 "$scratch"; mkdir -p /tmp/hsperfdata_nobody.$$; rmdir /tmp/hsperfdata_nobody.$$
    start "$jdk"
    check "as another user" 125 "belongs to user 0" -- as "$graft" heap --attach $pid
    check "ps as another user" 0 '' -- as "$graft" ps
    grep -q "^ *$pid " out && bad "others see the process" out || good
    # its performance data replaced by a file of another user, and by a link
    data=/tmp/hsperfdata_root/$pid
    if [ -e "$data" ]; then
        cp "$data" data; chown 65534 data; mv "$data" own; cp -p data "$data"; chown 65534 "$data"
        check "performance data of another user" 0 "^ *$pid  JVM " -- "$graft" ps
        rm "$data"; ln -s "$PWD/own" "$data"
        check "performance data by a link" 0 "^ *$pid  JVM " -- "$graft" ps
        rm "$data"; head -c 40 own >"$data"
        check "performance data cut off" 0 "^ *$pid  JVM " -- "$graft" ps
        rm "$data"; cp own "$data"; printf '\377\377\377\177' | dd of="$data" bs=1 seek=32 conv=notrunc 2>dd
        check "performance data with a wrong length" 0 "^ *$pid  JVM " -- "$graft" ps
        rm "$data"; mv own "$data"
    fi
    stop
    as mkdir -p "/tmp/graft-test-$$"
    mv "/tmp/graft-$(id -u)" saved 2>/dev/null; mv "/tmp/graft-test-$$" "/tmp/graft-$(id -u)"
    start "$jdk"
    check "the folder of another user" 125 'not trusted' -- "$graft" redefine --list $pid
    rm -rf "/tmp/graft-$(id -u)"; mv saved "/tmp/graft-$(id -u)" 2>/dev/null
    stop
    # root attaches to a process of another user, as that user
    rm -f in; mkfifo in; chmod 666 in; mkdir -p theirs; chmod 777 theirs
    as "$jdk/bin/java" -cp classes $main serve <in >target.out 2>target.err & pid=$!
    exec 9>in
    for i in $(seq 1200); do grep -qs '^ready' target.out && break; sleep 0.1; done
    pid=$(pgrep -u 65534 -f "$main serve" | head -1)
    check "root, a process of another user" 0 'Heap snapshot 1' -- "$graft" heap --attach "$pid" -o theirs/heap.txt
    is "written by" "$(stat -c %u theirs/heap.txt)" 65534
    exec 9>&-
fi
kill $other
finish
