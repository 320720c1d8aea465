#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
# Options for the size of the heap and for what happens at an OutOfMemoryError.
. "$(dirname "$0")/common.sh"
prepare "$here/HeapOptions.java"

sizes() {
    local o
    for o in -Xmx100m "-Xms50m -Xmx50m" -XX:MaxHeapSize=64m -XX:MaxRAM=1g "-XX:MaxRAM=1g -XX:MaxRAMPercentage=50" \
        "-XX:MaxRAM=1g -XX:MaxRAMPercentage=12.5" -XX:MaxRAM=200m "-XX:MaxRAM=200m -XX:MinRAMPercentage=25" \
        -XX:MaxRAM=300m "-XX:MaxRAM=2g -XX:MaxRAMPercentage=100" -XX:-UseContainerSupport -XX:MaxRAMPercentage=x \
        "-XX:+UseG1GC -XX:SoftRefLRUPolicyMSPerMB=10 -XX:InitialRAMPercentage=2.5"; do
        echo "$o"
        "$1/bin/java" $O $o -cp "$work/classes" HeapOptions max 2>/dev/null
    done
}
errors() {
    local java="$1/bin/java $O -Xmx20m -cp $work/classes"
    $java HeapOptions fill
    $java HeapOptions array
    $java -Xmx200m -XX:MaxMetaspaceSize=24m HeapOptions classes
}
actions() {
    local java="$1/bin/java $O -Xmx20m -cp $work/classes"
    $java -XX:+ExitOnOutOfMemoryError HeapOptions fill; echo "exit code $?"
    $java -XX:+ExitOnOutOfMemoryError HeapOptions array; echo "exit code $?"
    $java -Xlog:os+thread=off -XX:+ExitOnOutOfMemoryError HeapOptions thread; echo "exit code $?" # lets it be: what follows is for memory
    $java -Xlog:os+thread=off -XX:+CrashOnOutOfMemoryError -XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=none.hprof \
        "-XX:OnOutOfMemoryError=echo none" HeapOptions thread; echo "exit code $?"
    [ ! -e none.hprof ] || echo "dumped for a thread"
    $java "-XX:OnOutOfMemoryError=echo one %%; echo two" HeapOptions fill; echo "exit code $?"
    $java -XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=some.hprof HeapOptions fill | sed 's/\[.*\]/[N bytes]/'
    [ -s some.hprof ] && echo dumped; rm -f some.hprof
}
compare sizes
compare errors
compare actions
