#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
#
# A JVM in process and mount namespaces of its own, with another /tmp: seen, attached to, looked at and changed from outside.
unshare -fpm --mount-proc true 2>/dev/null || { echo "no namespaces can be made here"; exit 77; }
case $(realpath -m "$3") in /tmp/*) echo "the scratch folder would be hidden"; exit 77 ;; esac
. "$(dirname "$0")/common.sh"
for side in hotspot graft; do
    home=$jdk vm=HotSpot; [ $side = graft ] && home=$tested vm=Graft
    rm -f in target.out; mkfifo in
    unshare -fpm --mount-proc sh -c "mount -t tmpfs none /tmp && exec '$home/bin/java' -cp classes $main serve" <in >target.out 2>target.err &
    pid=$!
    exec 9>in
    for i in $(seq 1200); do grep -qs '^ready' target.out && break; sleep 0.1; done
    inside=$(pgrep -P $pid)
    check ps 0 "^ *$inside  $vm .* $main serve \[container\]$" -- "$graft" ps
    check heap 0 "^graft: /proc/$inside/root/tmp/h.txt:$" -- "$graft" heap --attach $main -o /tmp/h.txt
    has "heap" 'Heap snapshot 1' out
    is "its socket" "$(ls -A /proc/$inside/root/tmp | grep java_pid)" .java_pid1
    check top 0 "^vm $vm .* agents heap$" -- "$graft" top --once --interval=1 "$inside"
    has "top: threads" '^ *[0-9.]+ % .* (main|Attach Listener)$' out
    check "no such file" 125 "No such file" -- "$graft" redefine $main "$scratch/none.class"
    sed 's/hello/changed/' "$here/Target.java" >Target.java
    "$jdk/bin/javac" -g -d new Target.java
    check redefine 0 '^redefined +Target$' -- "$graft" redefine $main new/Target.class
    tell greet 'changed 1'
    check undo 0 '^taken back +Target$' -- "$graft" redefine --undo "$inside"
    tell greet 'hello 2'
    stop
done
finish
