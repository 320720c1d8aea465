#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#     tests/agents/async_soak.sh JAVA-HOME LIBRARY [SECONDS [CSTACK]]
#
# A sampler (async-profiler's library) at 1 kHz while classes are redefined and loaders come and go (Churn.java).  Fails if the program does, or
# if less than 99 in 100 of the samples with Java frames reach from the leaf to where the thread began.  Classes that were unloaded before the
# report have no names on any VM: their frames count as frames.  Not part of any suite; half an hour is the length to run before a release.
set -u
[ $# -ge 2 ] || { sed -n 4p "$0"; exit 2; }
home=$1 lib=$2 seconds=${3-1800} cstack=${4-no}
here=$(cd "$(dirname "$0")" && pwd) work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" && "$home/bin/javac" -d . "$here/Churn.java" || exit 1
printf 'Premain-Class: Churn\nCan-Redefine-Classes: true\n' >manifest && "$home/bin/jar" cfm churn.jar manifest ./*.class || exit 1
"$home/bin/java" -Xint -Xmx256m -cp churn.jar -javaagent:churn.jar \
    -agentpath:"$lib=start,event=itimer,interval=1ms,file=samples,collapsed,cstack=$cstack" Churn "$seconds"
status=$?
[ $status = 0 ] || { echo "the program ends with $status"; exit 1; }
awk '{
    n = $NF; s = substr($0, 1, length($0) - length(n) - 1); all += n
    if (s !~ /java\/|Churn/) other += n
    else if (s !~ /(^|;)(java\/lang\/Thread\.run|Churn\.main)(;|$)/ || s ~ /unknown_Java|not_walkable|jvmtiError|break_/) cut += n
} END {
    java = all - other
    printf "samples %d, without Java frames %d, whole %.2f%%\n", all, other, java ? 100 * (java - cut) / java : 0
    exit !(java > 0 && cut <= java / 100)
}' samples
