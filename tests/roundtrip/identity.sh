#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Every class of the JDK image and of the jars in /usr/share/java: read, check, write identically, verify; a walk tells what
# the model has, signatures and annotations are decoded.
#     identity.sh JDK TESTED SCRATCH
set -u
export ASAN_OPTIONS=detect_leaks=0   # the corpus stays until exit; fuzz/classfile looks for leaks
jdk=$1 scratch=$(realpath -m "$3")
. "$(dirname "$0")/common.sh"
rt_build roundtrip roundtrip.c rt_views.c rt_flow.c
rt_jars 8
"$scratch/roundtrip" -b "$jdk/lib/modules" "${jars[@]}" >"$scratch/out"; rc=$?
cat "$scratch/out"
grep -qE '^walked over [1-9][0-9]+ members, [1-9][0-9]+ attributes, [1-9].*; [1-9][0-9]+ signatures, .*; [1-9][0-9]+ attributes' \
    "$scratch/out" || { echo "something was not seen at all"; rc=1; }
exit $rc
