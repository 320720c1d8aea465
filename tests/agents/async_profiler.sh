#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
# extent: suite
#
# async-profiler, unmodified, on both VMs: start and attach; cpu, itimer, wall, alloc, lock, native memory, a method; collapsed and JFR.  The
# hottest stacks of the processor must agree in names and, within 10 points, in shares.  See README.md.
set -u
jdk=$1 tested=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd)
lib=${ASYNC_PROFILER_LIB:-}
asprof=${lib%/lib/*}/bin/asprof
[ -f "$lib" ] && [ -x "$asprof" ] || { echo "ASYNC_PROFILER_LIB names no library with ../bin/asprof"; exit 77; }
mkdir -p "$scratch" && cd "$scratch" || exit 1
failed=0
"$jdk/bin/javac" -d . "$here/Workload.java" || exit 1

profile() { # side java-home event options
    timeout 120 "$2/bin/java" -Xint -cp . -agentpath:"$lib=start,event=$3,file=$1.$3.txt,collapsed${4-}" Workload 4000 >"$1.$3.out" 2>&1 ||
        { echo "$3 on $1 ends with $?"; head -3 "$1.$3.out"; failed=1; }
    [ -s "$1.$3.txt" ] || { echo "$3 on $1: no samples"; failed=1; }
}
# "share leaf < caller < caller" of the Java frames; numbers in names of hidden classes do not count
shares() {
    sed -E 's/(Lambda\$[0-9]+).0x[0-9a-f]+/\1/g; s/_\[[a-z0-9]+\]//g' "$1" | awk '{
        n = split(substr($0, 1, length($0) - length($NF) - 1), f, ";"); s = ""; k = 0
        for (i = n; i > 0 && k < 3; i--) if (f[i] ~ /^Workload|^java\/|^jdk\//) { s = s (k++ ? " < " : "") f[i] }
        if (k) { c[s] += $NF; all += $NF } }
        END { for (s in c) printf "%.1f %s\n", 100 * c[s] / all, s }' | sort -rn
}
for event in itimer cpu wall alloc lock nativemem Workload.mixed; do
    options=
    case $event in alloc) options=,interval=10k ;; cpu | itimer) options=,interval=1777us ;; esac
    profile hotspot "$jdk" $event $options
    profile graft "$tested" $event $options
done
for event in itimer cpu; do
    shares hotspot.$event.txt >hotspot.top; shares graft.$event.txt >graft.top
    echo "$event: share on the reference, here, stack"
    head -10 hotspot.top | while read -r share stack; do
        mine=$(grep -F " $stack" graft.top | awk -v s="$stack" 'substr($0, index($0, " ") + 1) == s {print $1}')
        printf '%6s %6s  %s\n' "$share" "${mine:-0}" "$stack"
        awk -v a="$share" -v b="${mine:-0}" 'BEGIN {exit !(a - b <= 10 && b - a <= 10)}' || { echo "^ differs by more than 10 points"; touch differs; }
    done
done
[ ! -e differs ] || failed=1
"$tested/bin/java" -cp . Workload 9000 & pid=$!
sleep 2
"$asprof" -d 2 -e cpu -o jfr -f attached.jfr $pid >attach.out 2>&1 || { cat attach.out; failed=1; }
wait $pid || { echo "the program ends with $? after the attach"; failed=1; }
"$jdk/bin/jfr" summary attached.jfr 2>/dev/null | awk '$1 == "jdk.ExecutionSample" && $2 > 10 {ok = 1} END {exit !ok}' || { echo "the recording has no samples"; failed=1; }
exit $failed
