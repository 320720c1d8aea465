#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 240
#
# Notifications, interrupts and releases with random pauses at every schedule point: none is lost, none counts twice.
. "$(dirname "$0")/common.sh"
compile "$here/../java/threads/WaitModel.java"
for seed in 1 2 3 4 5 ${FULL:+$(seq 6 60)}; do
    scheduled "*=$seed" WaitModel 400 >out 2>&1
    [ "$(grep -cx 'tokens 0 3, interrupted true, woken by nothing false' out)" = 2 ] || { echo "seed $seed:"; cat out; exit 1; }
done
