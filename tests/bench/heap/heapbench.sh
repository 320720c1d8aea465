#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heapbench.sh: JVM TI heap walks over a few million objects, Graft against HotSpot (both with their
# defaults). Each VM runs RUNS times, alternating; of each run the last of three rounds counts. Prints
# medians, the ratio (below 1: Graft is faster), and how many callbacks each got: they differ a
# little, because the VMs' own objects do.
# Environment: BUILD IMAGE JDK CC RUNS (5)
set -eu
cd "$(dirname "$0")/../../.."
jdk=$(realpath "${JDK:-/usr/lib/jvm/java-17-openjdk-amd64}") image=$(realpath "${IMAGE:-build/image}")
out=$(realpath -m "${BUILD:-build/release}")/bench-heap
rm -rf "$out"; mkdir -p "$out"
"$jdk/bin/javac" -d "$out" tests/bench/heap/HeapBench.java
${CC:-gcc} -O2 -shared -fPIC -I"$jdk/include" -I"$jdk/include/linux" -o "$out/libbench_heap.so" tests/bench/heap/bench_heap.c
for i in $(seq "${RUNS:-5}"); do
    for side in "hotspot $jdk" "graft $image"; do
        set -- $side
        "$2/bin/java" -Xmx2g -agentpath:"$out/libbench_heap.so" -cp "$out" HeapBench >"$out/now"
        awk -v s="$1" '$1 != "objects" {last[$1] = s " " $0} END {for (n in last) print last[n]}' "$out/now" >>"$out/all"
    done
done
median() { sort -n | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
of() { awk -v s="$1" -v n="$2" -v c="$3" '$1 == s && $2 == n {print $c}' "$out/all" | median; }
printf '%-16s %10s %10s    %8s   %s\n' "" "HotSpot" "Graft" ratio "callbacks"
for name in iterate follow iterate-tag iterate-tagged follow-tagged follow-tag untag find-tag collect-tagged; do
    awk -v n="$name" -v a="$(of hotspot $name 3)" -v b="$(of graft $name 3)" -v ca="$(of hotspot $name 4)" -v cb="$(of graft $name 4)" \
        'BEGIN {printf "%-16s %10.1f %10.1f ms %8.2f   %d %d\n", n, a / 1000, b / 1000, b / (a ? a : 1), ca, cb}'
done
