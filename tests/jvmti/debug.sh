#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# A debugger's events: entry, exit with values, steps, breakpoints, frame pops, exceptions; tags and freed objects.
. "$(dirname "$0")/common.sh"
compile "$here/Debugged.java"
same debug "$(agent agent_debug)" Debugged
grep -q "tags 10450 freed most true none kept true" debug.hotspot.out || { echo "the reference did not run to the end"; failed=1; }
echo "$compared comparisons"
exit $failed
