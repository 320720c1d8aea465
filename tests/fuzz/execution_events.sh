#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 400
#
# Random programs (execution/run), those kept in execution/corpus first, in both VMs while an agent turns events on and off and
# retransforms their classes: what the programs tell and what the agent is told must be equal, in its order. Interpreted, and compiled.
#     execution_events.sh JDK TESTED SCRATCH [COUNT [SEED]]
set -u
here=$(cd "$(dirname "$0")" && pwd)
AGENT=1 FUZZ_OPTIONS=${FUZZ_OPTIONS-${MODE_OPTIONS:--Xint | -Xcomp}} OUT=$3 JDK=$1 IMAGE=$2 COUNT=${4:-40${FULL:+0}} SEED=${5:-1} BATCH=20 ROUNDS=4 FUEL=300 \
    SHRINK_SECONDS=60 FOUND=2 FUZZ_SECONDS=3000 "$here/execution/run" "$here"/execution/corpus/*
