#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 7200
# extent: suite
#
#     ASYNC_PROFILER_LIB=FILE SOAK_SECONDS=1800 SOAK_MODE=-Xmixed SOAK_CSTACK=no tests/run agents/async_soak
#
# A sampler (async-profiler's library) at 1 kHz while classes are redefined and loaders come and go (Churn.java).  Fails if the program does, or
# if less than 99 in 100 of the samples with Java frames reach from the leaf to where the thread began.  Classes that were unloaded before the
# report have no names on any VM: their frames count as frames.  SOAK_MODE=-Xint is the interpreter alone.  Half an hour is the length to run before a release.
set -u
jdk=$1 home=$2 work=$3
lib=${ASYNC_PROFILER_LIB:-} seconds=${SOAK_SECONDS:-60} mode=${SOAK_MODE:--Xmixed} cstack=${SOAK_CSTACK:-no}
[ -f "$lib" ] || { echo "ASYNC_PROFILER_LIB names no library"; exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$work" && cd "$work" && "$jdk/bin/javac" -d . "$here/Churn.java" || exit 1
printf 'Premain-Class: Churn\nCan-Redefine-Classes: true\n' >manifest && "$jdk/bin/jar" cfm churn.jar manifest ./*.class || exit 1
"$home/bin/java" "$mode" -Xmx256m -cp churn.jar -javaagent:churn.jar \
    -agentpath:"$lib=start,event=itimer,interval=1ms,file=samples,collapsed,cstack=$cstack" Churn "$seconds"
status=$?
[ $status = 0 ] || { echo "the program ends with $status"; exit 1; }
awk '{
    n = $NF; s = substr($0, 1, length($0) - length(n) - 1); all += n
    if (s !~ /java\/|Churn/) other += n
    else if (s !~ /(^|;)(java\/lang\/Thread\.run|java\/lang\/ref\/Reference\$ReferenceHandler\.run|Churn\.main)(;|$)/ || s ~ /unknown_Java|not_walkable|jvmtiError|break_/) cut += n
} END {
    java = all - other
    printf "samples %d, without Java frames %d, whole %.2f%%\n", all, other, java ? 100 * (java - cut) / java : 0
    exit !(java > 0 && cut <= java / 100)
}' samples
