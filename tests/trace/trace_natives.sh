#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Native methods under the trace agent on both VMs: exact counts, failures, paths, arguments, conditions, those of the JDK, too; probes that come and
# go while the wrappers stay; natives that came too late, which is told; intrinsic ones, which are left out.
. "$(dirname "$0")/common.sh"
compile "$here/../natives/Counted.java" "$here/../trace/TracedNatives.java"
cut_times() { sed -E 's/,[0-9]+,[0-9]+$//; /^method,/d; /^#/d' "$1"; }
cat >expected.csv <<'END'
"Counted.$graft(int)",1,0
"Counted.$graft(long)",1,0
"Counted.<clinit>()",1,0
"Counted.<init>()",2,0
"Counted.add(int, int)",3000,0
"Counted.fail(int)",10,3
"Counted.lambda$main$0()",4,0
"Counted.main(java.lang.String[])",1,0
"Counted.mix(byte, long, float, double, char)",1,0
"Counted.name(java.lang.String)",1,0
"Counted.self()",1,0
"Counted.sum(int[], byte[], long[])",1,0
END
# From JDK 24 on (which may stand in the place of our VM: jdks/run) loading a library is warned of.
version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$tested/release")
allowed=; [ "${version:-17}" -lt 22 ] || allowed=--enable-native-access=ALL-UNNAMED
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-} $allowed") -cp classes -Djava.library.path="$native" -Djdk.attach.allowAttachSelf=true "$@"; }
    # frames of wrappers have no line, wrapped natives another name: not compared
    java Counted 2>&1 | grep -v 'Native Method' | sed 's/ native//' >plain
    java "-agentpath:$trace=format=csv,sort=name,include=Counted,file=counts,collapsed=paths,weight=calls" Counted 2>&1 |
        grep -v -e 'Native Method' -e '^Counted.fail(' >traced
    check output plain traced
    check counts expected.csv <(cut_times counts)
    for path in 'Counted.main(java.lang.String[]);Counted.add(int, int) 1000' 'Counted.lambda$main$0();Counted.add(int, int) 2000' \
        'Counted.main(java.lang.String[]);Counted.fail(int) 10'; do
        grep -qxF "$path" paths || fail "no path $path"
    done
    awk -F, '/Counted.add/ && $(NF - 1) > 0 {ok = 1} END {exit !ok}' counts || fail "natives are not timed"
    # arguments and conditions
    java "-agentpath:$trace=probe=Counted.add when arg0 > 997 and return < 1000 capture a=arg0\\,r=return;Counted.fail when exception is java.io.IOException,argsfile=lines,file=table" \
        Counted >out 2>&1 || fail "exit code"
    check conditions <(echo 'Counted.add a=998, r=999'; for i in 1 4 7; do echo "Counted.fail($i) threw java.io.IOException: as asked"; done) \
        <(sed -E 's/  \[[0-9.]+ ms, main\]$//' lines)
    java "-agentpath:$trace=include=Counted.name,args=*,argsfile=lines,file=table" Counted >out 2>&1
    check arguments <(echo 'Counted.name("n-") -> "n-"') <(sed -E 's/  \[[0-9.]+ ms, main\]$//' lines)
    java "-agentpath:$trace=include=Counted,natives=off,format=csv,sort=name,file=counts" Counted >out 2>&1
    check 'natives=off' <(grep -E 'init|main' expected.csv) <(cut_times counts)
    # the JDK's: what compilers replace is left out
    java "-agentpath:$trace=include=java.util.zip.Deflater*,format=csv,sort=name,file=counts" TracedNatives "$trace" . . >out 2>&1
    grep -q '^"java.util.zip.Deflater.deflateBytesBytes(.*)",2,0,' counts || fail "no natives of the JDK"
    grep -q '^"java.util.zip.Deflater.init(int, int, boolean)",2,0,' counts || fail "no natives of the JDK"
    java "-agentpath:$trace=include=java.util.zip.CRC32:java.lang.Class*:java.lang.Object:java.lang.System,format=csv,sort=name,file=counts" TracedNatives "$trace" . >out 2>&1
    grep -qE '"java.lang.(Object.hashCode|System.arraycopy|Class.isInstance)' counts && fail "natives that compilers replace are traced"
    # wrappers stay while probes come and go
    java "-agentpath:$trace=include=Counted.add,format=csv,sort=name,file=first" TracedNatives "$trace" . stop . "include=Counted,format=csv,sort=name,file=second" . . stop . \
        "include=TracedNatives.round:Counted.fail,format=csv,sort=name,file=third" . >out 2>err
    check rounds <(for i in 1 2 3 4 5 6; do echo 'round 57'; done) out
    check 'the first time' <(echo '"Counted.add(int, int)",11,0') <(cut_times first)
    check 'the second time' <(printf '%s\n' '"Counted.add(int, int)",20,0') <(cut_times second)
    check 'the third time' <(echo '"TracedNatives.round()",1,0') <(cut_times third)
    # fail was not asked for when its class was loaded; of a class that is there before the agent no native is
    check 'what is late' <(echo '# 7 native methods are not traced: their classes were loaded before, and get no wrappers any more (verbose names them)') <(grep '^#' second)
    check 'nothing else' /dev/null err
    java TracedNatives "$trace" . "include=Counted.add:TracedNatives.round,verbose,format=csv,file=counts" . stop . >out 2>err
    check 'late' <(echo '"TracedNatives.round()",1,0') <(cut_times counts)
    check 'late, told' <(echo '[trace] Counted.add(int, int) is not traced: its class was loaded before'; echo '# 1 native methods are not traced: their classes were loaded before, and get no wrappers any more') \
        <(grep -h '^#\|Counted.add' err counts)
    # beside the natives agent
    for order in "trace natives" "natives trace"; do
        options=
        for a in $order; do options="$options -agentpath:$BUILD/agents/libgraft-$a.so=include=Counted.add,file=$a.table"; done
        java $options Counted >out 2>&1
        check "beside the natives agent, output" <(head -1 plain) <(head -1 out)
        grep -qE '^ +3000 .*Counted.add\(int, int\)' trace.table || fail "$order: no count"
    done
    [ $side = graft ] || settle
done
echo "$compared comparisons"
exit $failed
