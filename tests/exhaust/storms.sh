#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
# modes: default
#
# The operations of Exhaust.java and agent_exhaust.c in one VM, every one again and again while its Nth request fails (or all from
# there on): loading, hidden classes, handles, proxies, modules, threads, dumps, strings, collections, jcmd over the attach
# socket, redefinition, JVM TI with tags and heap walks, JNI. The short form takes one of some requests.
. "$(dirname "$0")/common.sh"
"$jdk/bin/javac" -nowarn -g -parameters -d classes "$here"/{Exhaust,Family}.java 2>/dev/null || exit 1
"$jdk/bin/javac" -d module "$here"/module/module-info.java "$here"/module/mod/In.java || exit 1
printf 'Premain-Class: exhaust.Exhaust\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n' >manifest
"$jdk/bin/jar" cfm agent.jar manifest
storm() { # home mode stride operations [option]
    EXHAUST=wait EXHAUST_LOG=$scratch/log LD_PRELOAD=$native/libexhaust.so timeout -k 5 $((600 * (${FULL:-0} * 11 + 1))) "$1/bin/java" ${5-} \
        -agentpath:"$native/libagent_exhaust.so" -javaagent:agent.jar -Dexhaust.lib="$native/libexhaust.so" \
        -Dexhaust.agent="$native/libagent_exhaust.so" -Dexhaust.family=classes/exhaust/family -Dexhaust.module=module \
        -cp classes exhaust.Exhaust "$2" "$4" "$3" 1 </dev/null 2>err
}
# A VM that dies takes the operation with it; the others go on in a new one.
all_operations() { # name home mode stride [option]
    local left at out code
    left=$(storm "$2" one 1 list)
    [ "$(wc -w <<<"$left")" -gt 40 ] || { echo "$1: the operations are not listed"; head -5 err; failed=1; return; }
    while [ -n "$left" ]; do
        out=$(storm "$2" "$3" "$4" "$(paste -sd, <<<"$left")" "${5-}")
        code=$?
        [ $code = 0 ] || failed=1
        grep -v -e ' attempts, ' -e '\[warning\]' <<<"$out" | head -40 | places "$2"
        grep ' attempts, ' <<<"$out" >>"$1.counts"
        at=$(grep -c ' attempts, ' <<<"$out")
        left=$(tail -n +$((at + 1)) <<<"$left")
        [ -n "$left" ] || break
        echo "$1: $(head -1 <<<"$left"): the VM ended with code $code"
        grep -v -e warning -e UncaughtExceptionHandler err | tail -8
        left=$(tail -n +2 <<<"$left")
    done
    awk -v n="$1" '{ sub(/^[^:]*: /, ""); a += $1; w += $4; o += $6; f += $8 } END {
        printf "%s: %d operations, %d attempts, works %d, OutOfMemoryError %d, forbidden %d\n", n, NR, a, w, o, f }' "$1.counts"
}
in_build() {
    local wide=$(sample 17 1)
    rm -f "$1"*.counts
    all_operations "$1" "$2" one "$wide" -XX:+VerifyHeapAfterGC
    [ "$1" = debug ] && [ -z "${FULL-}" ] || all_operations "$1-all" "$2" all "$wide"
}
each
