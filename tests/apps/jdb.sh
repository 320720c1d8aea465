#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# extent: suite
# modes: !safepoint !gcstress
#
# jdb, running on the VM under test, debugs a program on HotSpot: breakpoints, steps, locals, expressions, exceptions, threads.
. "$(dirname "$0")/common.sh"
driver Debuggee -g <<'JAVA'
import java.util.*;
public class Debuggee {
    int field = 7;
    static String name = "n";
    int twice(int x) {
        int y = x * 2;
        field += y;
        return y;
    }
    public static void main(String[] args) {
        Debuggee d = new Debuggee();
        List<String> list = new ArrayList<>(List.of("a", "b"));
        for (int i = 0; i < 3; i++) {
            int r = d.twice(i);
            list.add(name + r);
        }
        try {
            Object o = list.get(10);
        } catch (IndexOutOfBoundsException e) {
            System.out.println("caught");
        }
        System.out.println(list);
    }
}
JAVA
# jdb tells stops and prompts apart only in order, so commands are paced (too fast for slow modes).
# Its input stays open until it has ended by itself: at the end of input it stops listening to the program.
commands() {
    local c
    while IFS= read -r c; do sleep 2; echo "$c"; done <<'CMD'
stop in Debuggee.twice
stop at Debuggee:19
catch java.lang.IndexOutOfBoundsException
run
where
locals
print this.field
next
print y
dump this
set y = 50
step up
locals
clear Debuggee.twice
cont
where
cont
print list
print list.size()
eval name + list.get(0)
methods Debuggee
fields Debuggee
class Debuggee
lines Debuggee
cont
CMD
    until [ -e over ]; do sleep 0.2; done
}
run() {
    rm -f over
    commands | {
        "$1/bin/jdb" $J -sourcepath "$work" \
            -connect "com.sun.jdi.CommandLineLaunch:home=$ref,options=-cp $work/classes,main=Debuggee"
        touch over
    } 2>&1 |
        sed -E 's/^(> |[a-z]+\[[0-9]\] )+//; s/0x[0-9a-f]+/ID/g; s/id=[0-9]+/id=N/g'
}

compare run
