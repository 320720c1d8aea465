#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 240
#
# A session of jdb on each VM, debugger and program alike: breakpoints, steps, locals read and set, expressions,
# watched fields, exceptions, frames popped and entered again, threads and monitors.  The dialogues must be equal.
. "$(dirname "$0")/common.sh"
compile "$here/JdbScript.java" "$here/Debuggee.java"

# Without numbers of objects and threads, hashes, and the service threads that come and go: their lines in
# lists, and their blocks (an unindented head with a colon, indented lines).  While the program runs, jdb's prompt and
# what it says of events come from two of its threads, in any order: prompts and blank lines are left out.
normal() {
    sed -e 's/(id=[0-9]*)/(id=N)/; s/)[0-9]\{1,5\} /)N /; s/@[0-9a-f]\{4,8\}/@H/; s/Lambda\$[0-9]*.0x[0-9a-f]*/Lambda/;
            s/^\(> \|main\[1\] \)*//; s/: \(> \|main\[1\] \)*/: /; /^$/d' |
        awk '/)N / { gsub(/  +/, " ") }
             /InnocuousThread|)N *Notification Thread/ { next }
             /^[^ ].*:$/ { drop = /Notification Thread|Common-Cleaner/ }
             !/^ / && !/:$/ { drop = 0 }
             !drop'
}
dialogue() { # label java-home
    "$jdk/bin/java" -cp classes JdbScript "$here/jdb.txt" "$2/bin/jdb" -sourcepath "$here" -classpath classes Debuggee >"$1.raw" 2>&1
    normal <"$1.raw" >"$1.out"
}
hotspot() { dialogue hotspot "$jdk"; }
graft() { dialogue graft "$tested"; }
alike() { diff hotspot.out graft.out >dialogue.diff || { echo "the sessions differ (< HotSpot, > Graft):"; head -${LINES_SHOWN:-40} dialogue.diff; return 1; }; }
agreed dialogue hotspot graft alike hotspot.{raw,out} || failed=1
grep -q 'again 102' hotspot.out || { echo "the reference session did not come to the end"; tail -5 hotspot.out; failed=1; }
echo "$(grep -c '' <"$here/jdb.txt") commands, $(wc -l <hotspot.out) lines"
exit $failed
