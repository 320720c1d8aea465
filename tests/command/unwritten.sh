#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# Agents in running JVMs: a file that cannot be written is told with its name and why, and the command fails; what was asked is done all the same (probes are
# gone after a stop). Options that come with a later dump or stop are taken, or refused. Fifty starts and stops.
. "$(dirname "$0")/common.sh"
for side in hotspot graft; do
    home=$jdk; [ $side = graft ] && home=$tested
    start "$home"
    full='No space left on device' none='No such file or directory' no=/no/such/file
    missing="could not write $no \(--"
    check "trace, arguments nowhere" 125 "${missing}argsfile\): $none" -- "$graft" trace --attach $pid --args=Target.greet --include=Target -o t.txt --argsfile=$no
    check "... and nothing is traced" 0 'done$' -- "$graft" trace --attach $pid --stop
    check "trace into it" 0 'data goes to' -- "$graft" trace --attach $pid --include=Target -o t.txt --threshold=0 --chrome=c1.json
    tell greet 'hello 1'; tell twice 42
    check "dump to a full disk" 125 "could not write /dev/full \(--file\): $full" -- "$graft" trace --attach $pid --dump -o /dev/full
    check "... the others are written" 125 "could not write /dev/full \(--file\): $full" -- "$graft" trace --attach $pid --dump --tree=t.tree -o /dev/full
    has "... tree" 'Target.greet' t.tree
    check "a tree nowhere" 125 "${missing}tree\): $none" -- "$graft" trace --attach $pid --dump -o t.txt --tree=$no
    check "a dump with other reports" 0 'done$' -- "$graft" trace --attach $pid --dump -o t.csv --tree=t.tree --format=csv --top=1 --sort=name --chrome=c2.json --otlp=o2.json
    is "... form and order of the table" "$(cut -d, -f1,2 t.csv | tr '\n' ' ')" 'method,calls "Target.greet()",1 '
    has "... timeline" '"Target.twice\(int\)"' c2.json
    has "... spans" '"Target.twice\(int\)"' o2.json
    check "what the start settles" 125 'the trace agent refuses' -- "$graft" trace --attach $pid --dump --include=Other
    has "... and why" '^\[trace\] include: settled by the start' target.err
    check "stop to nowhere" 125 "${missing}html\): $none" -- "$graft" trace --attach $pid --stop --html=$no
    tell greet 'hello 2'
    check "... it has stopped" 0 'done$' -- "$graft" trace --attach $pid --dump -o late.txt --format=text --top=0
    has "... it has stopped" ' 1 +0 .*Target.greet' late.txt
    check "trace without a timeline" 0 'data goes to' -- "$graft" trace --attach $pid --include=Target -o /dev/full
    check "... to a full disk" 125 "could not write the file of an earlier start \(--file\): $full" -- "$graft" trace --attach $pid --dump
    check "a timeline that comes too late" 125 'the trace agent refuses' -- "$graft" trace --attach $pid --stop --chrome=c3.json
    has "... and why" '^\[trace\] chrome, otlp: the start had none' target.err
    check "... then without" 0 'done$' -- "$graft" trace --attach $pid --stop -o t2.txt

    check "coverage, data nowhere" 125 "${missing}file\): $none" -- "$graft" coverage --attach $pid --include=Target -o $no
    check "coverage into it" 0 'data goes to' -- "$graft" coverage --attach $pid --include=Target -o c.dat
    tell greet 'hello 3'
    check "coverage, a report to a full disk" 125 "could not write /dev/full \(--xml\): $full" -- "$graft" coverage --attach $pid --dump --xml=/dev/full
    check "coverage, pages nowhere" 125 "could not write /proc/no \(--html\): " -- "$graft" coverage --attach $pid --dump --xml=c.xml --html=/proc/no
    check "coverage, another title" 0 'done$' -- "$graft" coverage --attach $pid --dump --xml=c.xml --html=pages --title=Other
    has "... in the report" '<report name="Other"' c.xml
    check "coverage, what the start settles" 125 'the coverage agent refuses' -- "$graft" coverage --attach $pid --dump --counts
    has "... and why" '^\[coverage\] counts: settled by the start' target.err
    check "coverage, another data file" 125 'the coverage agent refuses' -- "$graft" coverage --attach $pid --stop -o other.dat
    check "coverage, stop to nowhere" 125 "${missing}lcov\): $none" -- "$graft" coverage --attach $pid --stop --lcov=$no
    check "... it has stopped" 125 'the coverage agent refuses' -- "$graft" coverage --attach $pid --stop

    check "heap, nowhere" 125 "${missing}file\): $none" -- "$graft" heap --attach $pid -o $no
    check "heap, a page to a full disk" 125 "could not write /dev/full \(--html\): $full" -- "$graft" heap --attach $pid -o h.txt --html=/dev/full
    check "heap, a report to a full disk" 125 "could not write /dev/full \(--file\): $full" -- "$graft" heap --attach $pid -o /dev/full --html=h.html
    check "heap, samples that come too late" 125 'the heap agent refuses' -- "$graft" heap --attach $pid -o h.txt --flame=f.html
    check "heap" 0 'Heap snapshot' -- "$graft" heap --attach $pid -o h.txt --html=h2.html

    check "natives, nowhere" 125 "${missing}file\): $none" -- "$graft" natives --attach $pid --jni -o $no
    check "natives, to a full disk" 125 "could not write /dev/full \(--file\): $full" -- "$graft" natives --attach $pid --jni -o /dev/full
    check "natives" 0 'JNI functions' -- "$graft" natives --attach $pid --jni -o j.txt

    # by the JDK's own attaching, which is faster than fifty commands
    cat >Turns.java <<'J'
public class Turns {
    public static void main(String[] args) throws Exception {
        com.sun.tools.attach.VirtualMachine vm = com.sun.tools.attach.VirtualMachine.attach(args[0]);
        for (int i = 0; i < 50; i++) for (int k = 2; k < args.length; k++)
            try { vm.loadAgentPath(args[k].replaceAll("=.*", ""), args[k].replaceFirst("[^=]*=", "")); }
            catch (com.sun.tools.attach.AgentLoadException e) { if (!"0".equals(e.getMessage())) throw e; } // JDK 8 tells success so
        vm.detach();
        System.out.println("fifty turns");
    }
}
J
    "$jdk/bin/javac" -d classes Turns.java || exit 1
    a=$(realpath "$(dirname "$graft")/../agents")
    check "fifty turns" 0 'fifty turns' -- "$jdk/bin/java" -cp classes Turns $pid - "$a/libgraft-trace.so=include=Target,file=$PWD/turns.txt,quiet" \
        "$a/libgraft-coverage.so=include=Target,file=$PWD/turns.dat,quiet" "$a/libgraft-coverage.so=stop" "$a/libgraft-trace.so=stop"
    tell greet 'hello 4'
    check "once more" 0 'data goes to' -- "$graft" trace --attach $pid --include=Target -o last.txt
    tell greet 'hello 5'
    check "... and it counts" 0 ' 1 +0 .*Target.greet' -- "$graft" trace --attach $pid --stop -o last.txt
    stop
    rm -f t.txt t.tree t.csv *.json late.txt last.txt h.txt h*.html c.dat c.xml turns.*
done
finish
