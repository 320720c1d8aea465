#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# jps, jcmd, jinfo and jmap of the reference JDK against the tested VM, and -XX options around them.
set -u
ref=$1 tested=$2 dir=$3
. "$(dirname "$0")/common.sh"

has() { # text to find, then the command
    local want=$1 out; shift
    out=$("$@" 2>&1)
    grep -qE -- "$want" <<<"$out" || fail "$*: no '$want' in: $out"
}
jcmd() { "$ref/bin/jcmd" $pid "$@"; }
start_target "$tested" -Xmx64m -Dmy.key=value
has "^$pid Target .*-Xmx64m" "$ref/bin/jps" -lv
has "^$pid Target$" "$ref/bin/jcmd" -l
jcmd help -all >"$dir/help"
for c in Thread.print VM.flags GC.heap_dump GC.run JVMTI.agent_load VM.classloader_stats; do
    grep -qE "^Syntax ?: $c" "$dir/help" || fail "no help of $c"
done
has 'JDK 17' jcmd VM.version
has '^[0-9.]+ s$' jcmd VM.uptime
has '-XX:MaxHeapSize=67108864' jcmd VM.flags
has 'jvm_args: .*-Xmx64m -Dmy.key=value' jcmd VM.command_line
has 'my.key=value' jcmd VM.system_properties
has 'used [0-9]+K' jcmd GC.heap_info
has 'Command executed successfully' jcmd GC.run
has 'AppClassLoader' jcmd VM.classloader_stats
has '"parker" #' jcmd Thread.print -l
has 'java.lang.String \(java.base@17' jcmd GC.class_histogram
has 'Unknown diagnostic command' jcmd No.such
has "Unknown argument '-x'" jcmd Thread.print -x
has 'mandatory' jcmd GC.heap_dump
has 'my.key=value' "$ref/bin/jinfo" -sysprops $pid
has '-XX:MaxHeapSize=67108864' "$ref/bin/jinfo" -flag MaxHeapSize $pid
"$ref/bin/jinfo" -flag +HeapDumpOnOutOfMemoryError $pid
has '-XX:\+HeapDumpOnOutOfMemoryError' "$ref/bin/jinfo" -flag HeapDumpOnOutOfMemoryError $pid
has 'Total ' "$ref/bin/jmap" -histo:live $pid
has 'not loaded' jcmd JVMTI.agent_load /no/such/library.so
end_target

start_target "$tested" -XX:-UsePerfData -XX:+DisableAttachMechanism
"$ref/bin/jps" | grep -q "^$pid " && fail "listed by jps with -XX:-UsePerfData"
end_target
has 'HeapDumpPath +=.*\{manageable\} \{default\}' "$tested/bin/java" -XX:+PrintFlagsFinal -version
has '-XX:MaxHeapSize=33554432 ' "$tested/bin/java" -Xmx32m -XX:+PrintCommandLineFlags -version
