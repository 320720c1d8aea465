#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Every class of the JDK image and of the jars in /usr/share/java: read, check, write identically, verify.
#     identity.sh JDK TESTED SCRATCH
set -u
export ASAN_OPTIONS=detect_leaks=0   # the corpus stays until exit; fuzz/classfile looks for leaks
jdk=$1 scratch=$(realpath -m "$3")
. "$(dirname "$0")/common.sh"
rt_build roundtrip roundtrip.c
rt_jars 8
"$scratch/roundtrip" -b "$jdk/lib/modules" "${jars[@]}"
