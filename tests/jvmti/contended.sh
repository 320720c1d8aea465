#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Who waits for a monitor and in it; suspended waiters, a waiter that sits in its callback; raw monitors and interrupts.
. "$(dirname "$0")/common.sh"
compile "$here/Contended.java"
same contended "$(agent agent_contended)" -XX:-UsePerfData Contended
grep -q 'raw wait timed out' contended.hotspot.out || { echo "the reference did not run to the end"; failed=1; }
# Graft alone: the reference catches it inside (interpreted), outside (C1), or dies (C2).
"$tested/bin/java" ${MODE_OPTIONS-} "$(agent agent_contended)" -cp classes -Djava.library.path="$native" Contended refused >refused.out 2>&1
grep -qx 'refused: caught outside, at 3, 0 entered, false' refused.out || { cat refused.out; failed=1; }
exit $failed
