#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 400
#
# Random programs executed by both VMs tell the same (execution/run): those of execution/corpus, which once differed, and 300 new ones;
# interpreted, compiled, compiled while compiled code is left at every third point, and optimised.
#     execution.sh JDK TESTED SCRATCH [COUNT [SEED]]
set -u
here=$(cd "$(dirname "$0")" && pwd)
modes="-Xint | -Xcomp | -Xcomp -XX:DeoptimizeInterval=3 | -Xcomp -XX:+OptimizeAll"
FUZZ_OPTIONS=${FUZZ_OPTIONS-${MODE_OPTIONS:-$modes}} OUT=$3 JDK=$1 IMAGE=$2 COUNT=${4:-300${FULL:+0}} SEED=${5:-1} SHRINK_SECONDS=60 FOUND=2 FUZZ_SECONDS=3000 \
    "$here/execution/run" "$here"/execution/corpus/*
