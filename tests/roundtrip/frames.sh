#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 1800
#
# Every class of the JDK image and of five jars: rewritten by bci-lib in several ways (see rt_frames.c), then verified by our
# verifier, and linked by the reference VM with -Xverify:all.
#     frames.sh JDK TESTED SCRATCH [MODE...]
set -u
export ASAN_OPTIONS=detect_leaks=0   # the corpus stays until exit; fuzz/classfile looks for leaks
jdk=$1 scratch=$(realpath -m "$3"); shift 3
modes=${*:-rebuild edges insert ${FULL:+keep count compact copied}}
. "$(dirname "$0")/common.sh"
rt_jars 5
rt_deps
rt_frames
rt_build roundtrip roundtrip.c rt_views.c rt_flow.c

failed=0
for mode in open same analyse; do
    "$scratch/rt_frames" -m $mode "$jdk/lib/modules" "${jars[@]}" || failed=1
done
for mode in $modes; do
    out=$scratch/$mode
    rm -rf "$out"; mkdir -p "$out"
    "$scratch/rt_frames" -m "$mode" -o "$out" "$jdk/lib/modules" "${jars[@]}" || failed=1
    "$scratch/roundtrip" "$out"/jdk/* "$out"/jars/* || failed=1
    [ $mode != copied ] || rm "$out/jdk/java.base.jar"     # the VM relies on class attributes of its own classes
    rt_patch "$out/jdk"
    rt_link "${patches[@]}" LinkEach "$out"/jdk/* || failed=1
    rt_link LinkEach -cp "$deps" "$out"/jars/* || failed=1
    rm -rf "$out"
done
exit $failed
