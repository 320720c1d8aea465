#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# Options: what is refused, with which text and exit code; files of options; listings.
set -u
ref=$1 tested=$2 dir=$3
fail() { echo "$*"; exit 1; }
cd "$dir" || exit 1
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS
rm -f .hotspotrc
printf -- '-Dx=y -XX:MinHeapFreeRatio=31\n-Dz="a b"\n' >good.options
printf '# settings\n+PrintConcurrentLocks\nMinHeapFreeRatio=21 MaxHeapFreeRatio=80 # end\n' >good.settings
printf -- '-XX:+NoSuch\n' >bad.options
printf 'MinHeapFreeRatio=121\n' >bad.settings
cat >Props.java <<'J'
public class Props {
    public static void main(String[] a) throws Exception {
        System.out.println(System.getProperty("x") + " " + System.getProperty("z"));
        var d = java.lang.management.ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class);
        for (String n : new String[] {"MinHeapFreeRatio", "MaxHeapFreeRatio", "PrintConcurrentLocks", "UseCompressedOops", "MaxRAMPercentage", "OnError"}) {
            var v = d.getVMOption(n);
            System.out.println(n + "=" + v.getValue() + " " + v.getOrigin() + " " + v.isWriteable());
        }
    }
}
J
"$ref/bin/javac" Props.java || exit 1
run() { # all of one set of options on one VM: output, then exit code
    "${!1}/bin/java" "${@:2}" 2>&1 | sed -E '/^(openjdk|OpenJDK|Graft) [^w]*(version|build|Environment|VM)/d; s/^\[[0-9.]+s\]//'
    echo "exit ${PIPESTATUS[0]}"
}
cat >lines <<'O'
-XX:+NoSuchFlag -version
-XX:NoSuch=3 -version
-XX:+UseG1GCC -version
-XX:+DisableAttachMechanismm -version
-XX:MaxHeapSiz=3 -version
-XX: -version
-XX:+ -version
-XX:+AggressiveOpts -version
-XX:MaxPermSize=10m -version
-XX:+UseConcMarkSweepGC -version
-XX:MaxHeapSize -version
-XX:+MaxHeapSize -version
-XX:MaxHeapSize=abc -version
-XX:UseG1GC=true -version
-XX:UseG1GC -version
-XX:MinHeapFreeRatio=101 -version
-XX:MinHeapFreeRatio=-1 -version
-XX:MinHeapFreeRatio=1x -version
-XX:CICompilerCount=-3 -version
-XX:MaxRAMPercentage=101 -version
-XX:MaxRAMPercentage=x -version
-XX:InitialRAMPercentage=200 -version
-XX:HeapDumpPath -version
-XX:+HeapDumpPath -version
-XX:ErrorFile -version
-XX:ParallelGCThreads=abc -version
-XX:ObjectAlignmentInBytes=7 -version
-XX:+PrintInlining -version
-XX:+UseEpsilonGC -version
-XX:LogFile=x -version
-XX:hashCode=2 -version
-XX:-BytecodeVerificationRemote -version
-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -version
-XX:+UnlockExperimentalVMOptions -XX:hashCode=2 -version
-XX:+IgnoreUnrecognizedVMOptions -XX:+NoSuch -XX:+PrintInlining -version
-XX:ThreadStackSize=abc -version
-XX:ThreadStackSize=9999999999 -version
-XX:+UseBiasedLocking -version
-XX:+FlightRecorder -version
-XX:MaxDirectMemorySize=x -version
-XX:NewSize=-1 -version
-XX:+UseG1GC -XX:+UseSerialGC -version
-Xmx -version
-Xmx0 -version
-Xmxabc -version
-Xmx1 -version
-Xms9g -Xmx1g -version
-Xss1k -version
-Xss2g -version
-Xssx -version
-Xmn0x -version
-Xmn-1 -version
-Xfoo -version
-foo -version
--foo -version
-Xincgc -version
-d64 -version
-Xint:x -version
-Xshare:foo -version
-Xcheck:foo -version
-Xprof -version
-Xminfx -version
-Xmaxf2y -version
-Xbootclasspath:x -version
-Xbootclasspath/p:x -version
-Xverify:none -version
-XX:Flags=/nonexist -version
-XX:VMOptionsFile=/nonexist -version
-XX:VMOptionsFile=bad.options -version
-XX:Flags=bad.settings -version
-XX:VMOptionsFile=good.options -cp . Props
-XX:Flags=good.settings -cp . Props
-XX:MinHeapFreeRatio=25 -XX:MaxRAMPercentage=37.5 -XX:OnError=true -cp . Props
-Xminf0.2 -Xmaxf0.9 -cp . Props
@/nonexist -version
-XshowSettings:locale -version
-X
O

asked() { # side: all lines; files of options and the environment; listings
    local vm=$1 home=${!1} n=0 line
    rm -rf $vm.d; mkdir $vm.d
    while read -r line; do n=$((n + 1)); run $vm $line </dev/null >$vm.d/$n; done <lines
    in_environment() { env $2 bash -c '"$0"/bin/java "$@" 2>&1' "$home" "${@:3}" >"$vm.d/$1"; }
    in_environment arguments A=b @arguments Props
    in_environment JAVA_TOOL_OPTIONS JAVA_TOOL_OPTIONS=-XX:MinHeapFreeRatio=33 -cp . Props
    in_environment _JAVA_OPTIONS _JAVA_OPTIONS=-Dx=last -Dx=first -cp . Props
    in_environment JDK_JAVA_OPTIONS JDK_JAVA_OPTIONS=-Dx=jdk -cp . Props
    in_environment bad "JAVA_TOOL_OPTIONS=-XX:+NoSuch" -cp . Props
    cp good.settings .hotspotrc
    in_environment hotspotrc A=b -cp . Props
    rm .hotspotrc
    # The same flags, types, kinds and origins; values where ours do not differ on purpose.
    "$home/bin/java" -Xmx32m -XX:MinHeapFreeRatio=12 -XX:+PrintFlagsFinal -version 2>/dev/null |
        awk 'NR == 1 || / (MinHeapFreeRatio|MaxHeapFreeRatio|HeapDumpPath|MaxHeapSize|OnOutOfMemoryError|DisableExplicitGC|UseCompressedOops|MaxTenuringThreshold|StringTableSize|Xyz) /' |
        sed 's/{ergonomic}/{default}/; s/{product lp64_product}/{lp64_product}/; s/  */ /g' >$vm.d/flags
    "$home/bin/java" -XX:+PrintFlagsFinal -version 2>/dev/null | names >$vm.d/names
    "$home/bin/java" -XX:+PrintFlagsInitial -XX:MinHeapFreeRatio=3 -version 2>&1 | names >$vm.d/initial
    "$home/bin/java" -XX:+PrintVMOptions -Xmx20m -XX:+UseSerialGC -XX:MinHeapFreeRatio=3 -version 2>/dev/null >$vm.d/options
    "$home/bin/java" -Xinternalversion Nothing >$vm.internal || fail "$vm: -Xinternalversion"
    [ "$(wc -l <$vm.internal)" = 1 ] || fail "$vm: internal version"
}
names() { awk '{ print $1, $2 }' | grep -vE 'GCStress|CompactAlways|VerifyHeapAfterGC|SafepointStress|Enhanced(Class)?Redefinition|UseBaseCompiler|UseOptimizingCompiler|OptimizeAll|PrintForm|DescribeJitCode|DumpJitCode|DeoptimizeInterval|DropCodeInterval'; } # ours
ask_reference() { asked ref; }
ask_tested() { asked tested; }
judge() {
    local n
    diff -r ref.d tested.d >differences && return
    for n in $(diff -qr ref.d tested.d | sed -n 's|^Files ref.d/\([0-9]*\) and.*|\1|p'); do echo "$n: $(sed -n ${n}p lines)"; done
    cat differences
    return 1
}
. "$(dirname "$0")/../answers.sh"
printf -- '-Dx=file\n-cp .\n' >arguments
agreed flags ask_reference ask_tested judge ref.d || exit 1
[ "$(ls tested.d | wc -l)" = $(($(wc -l <lines) + 10)) ] || fail "not everything was asked"
