#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
# extent: suite
#
# Every subcommand of jcmd with each of its options, and every option of jinfo, jmap, jstack and jstat, on both VMs.  Of each the answer's
# shape is compared: numbers, addresses, names of collectors and lists that a VM fills as it is are taken out.  What may differ stands in
# matrix.expected with its reason; a row that no longer differs fails as well.
set -u
ref=$1 tested=$2 dir=$3
. "$(dirname "$0")/common.sh"
cd "$dir" || exit 1
jdwp=-agentlib:jdwp=transport=dt_socket,server=y,onjcmd=y,address=127.0.0.1:0

# One line per question: label, then the tool's words; PID and FILE are put in.
questions() {
    local c o t
    while read -r c; do echo "jcmd PID $c"; done <"$dir/plain"
    for o in basic show-loaders "show-loaders show-classes" by-chunktype by-spacetype vslist chunkfreelist scale=KB scale=XX; do echo "jcmd PID VM.metaspace $o"; done
    for o in summary detail baseline summary.diff detail.diff shutdown statistics scale=MB scale=XX "summary detail"; do echo "jcmd PID VM.native_memory $o"; done
    for o in -l -e "-l -e" -x; do echo "jcmd PID Thread.print $o"; done
    for o in -all -parallel=2 -parallel=x; do echo "jcmd PID GC.class_histogram $o"; done
    for o in FILE "-all FILE" "-gz=1 FILE" "-gz=12 FILE" "-overwrite FILE" ""; do echo "jcmd PID GC.heap_dump $o"; done
    for o in show-classes verbose fold=false fold=maybe; do echo "jcmd PID VM.classloaders $o"; done
    for o in "-i java.util.ArrayList" "-s java.util.AbstractList" java.lang.Integer No.such; do echo "jcmd PID VM.class_hierarchy $o"; done
    for o in list "output=FILE what=gc" "what=nope" rotate disable; do echo "jcmd PID VM.log $o"; done
    for o in log=nope max=1 max=x; do echo "jcmd PID VM.events $o"; done
    for o in "" MaxHeapSize "MaxHeapSize 3" "HeapDumpPath /tmp" "No 1"; do echo "jcmd PID VM.set_flag $o"; done
    for o in VM.stringtable VM.symboltable VM.systemdictionary; do echo "jcmd PID $o -verbose"; done
    echo "jcmd PID VM.flags -all"; echo "jcmd PID VM.uptime -date"
    echo "jcmd PID JVMTI.agent_load /no/such.so"; echo "jcmd PID No.such"
    for o in name=x; do for c in check dump stop; do echo "jcmd PID JFR.$c $o"; done; done
    echo "jcmd PID help VM.start_java_debugging"; echo "jcmd PID VM.start_java_debugging"; echo "jcmd PID  VM.start_java_debugging"
    echo "jcmd PID PerfCounter.print"; echo "jcmd -l"; echo "jcmd PID -f FILE.none"
    for o in "" -flags -sysprops "-flag MaxHeapSize" "-flag +HeapDumpOnOutOfMemoryError" "-flag -HeapDumpOnOutOfMemoryError" "-flag MaxHeapSize=3" "-flag No"; do
        echo "jinfo $o PID"; done
    for o in -clstats -finalizerinfo -histo -histo:live -histo:all,file=FILE -dump:live,format=b,file=FILE2 -dump:all,gz=1,file=FILE3 -dump:format=b -heap; do
        echo "jmap $o PID"; done
    for o in "" -l -e "-l -e"; do echo "jstack $o PID"; done
    for t in class compiler gc gccapacity gccause gcmetacapacity gcnew gcnewcapacity gcold gcoldcapacity gcutil printcompilation; do
        echo "jstat -$t PID"; echo "jstat -$t -t PID 20 2"; done
    echo "jstat -nope PID"; echo "jps -lmvV"
}
# What stays of an answer: words without figures, each line once.
shape() {
    sed -E "s/\b$pid\b/PID/g; s#$dir/[a-z]*\.d#DIR#g; s#service:jmx:[^ ]*#URL#; s/\(?0x[0-9a-f]+\)?/X/g; s/-?[0-9][0-9.,:+-]*[A-Za-z%]*/N/g; s/[[:space:]]+/ /g; s/ $//" |
        awk '!seen[$0]++' | head -${1:-12}
}
ask() { # side, home
    local n=0 line words out=$dir/$1.d
    rm -rf "$out"; mkdir -p "$out"
    start_target "$2" -Xmx64m -Xint -Xshare:off -XX:+UseSerialGC -XX:NativeMemoryTracking=summary $jdwp
    grep '^[0-9]* jcmd PID ' "$dir/questions" | grep -v ' -f ' | awk -v f="$out/f" '{ gsub("FILE", f $1); sub("jcmd PID ", ""); print }' |
        timeout 200 "$ref/bin/java" --add-exports jdk.attach/sun.tools.attach=ALL-UNNAMED -cp "$dir" Asker $pid "$out" || fail "asking $1 fails"
    while read -r n line; do
        if [ ! -e "$out/$n" ]; then
            words=${line//FILE/$out/f$n}; words=${words//PID/$pid}
            timeout 180 "$ref/bin/"$words >"$out/$n" 2>&1
            echo "-- exit $?" >>"$out/$n"
            [ "${line%% *}" != jps ] && [ "$line" != "jcmd -l" ] || { grep "^$pid " "$out/$n" >"$out/$n.own"; mv "$out/$n.own" "$out/$n"; }
        fi
        shape <"$out/$n" >"$out/$n.shape"
    done <"$dir/questions"
    end_target
}
"$ref/bin/javac" -nowarn --add-exports jdk.attach/sun.tools.attach=ALL-UNNAMED -d "$dir" "$here/Asker.java" 2>/dev/null || exit 1
start_target "$ref"
"$ref/bin/jcmd" $pid help | grep -oE '^[A-Z][A-Za-z]*\.[a-zA-Z_]+$|^help$' | grep -v '^JFR.start$\|^ManagementAgent.start$' >"$dir/plain"
end_target
questions | tr -s ' ' | awk '{ printf "%03d %s\n", NR, $0 }' >"$dir/questions"
kept ref ref.d -- ask ref "$ref"
ask tested "$tested"

# How it ended: refused or not, exit code.
ending() { grep -E '^refused|^-- exit' "$1"; }
failed=0 same=0 explained=0
reason() { awk -F '  +' -v q="$1" '$1 == q { print $2 }' "$here/matrix.expected"; }
while read -r n line; do
    a=$dir/ref.d/$n b=$dir/tested.d/$n why=$(reason "$line")
    if cmp -s "$a.shape" "$b.shape"; then
        same=$((same + 1))
        [ -z "$why" ] || { echo "$line: no longer differs, but is in matrix.expected"; failed=1; }
    elif [ -n "$why" ]; then
        explained=$((explained + 1))
        case $why in *refus*) ;; *) [ "$(ending "$a")" = "$(ending "$b")" ] || { echo "$line: ends otherwise: $(ending "$a") / $(ending "$b")"; failed=1; } ;; esac
        [ -s "$b" ] || [ ! -s "$a" ] || { echo "$line: no answer"; failed=1; }
    else
        echo "$line:"; diff "$a.shape" "$b.shape" | head -${DIFF_LINES:-8}; failed=1
    fi
done <"$dir/questions"
while read -r line; do
    grep -qF " ${line%%  *}" "$dir/questions" || { echo "matrix.expected has a row that is not asked: $line"; failed=1; }
done < <(grep -v '^#' "$here/matrix.expected")
echo "$((same + explained)) of $(wc -l <"$dir/questions") questions: $same alike, $explained differ as explained"
exit $failed
