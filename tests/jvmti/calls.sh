#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Entries and exits of the class library's methods, native or replaced by C code; breakpoints in them; monitor events.
. "$(dirname "$0")/common.sh"
compile "$here/Calls.java"
same calls "$(agent agent_calls)" Calls
echo "$compared comparisons, $(wc -l <calls.hotspot.out) lines"
exit $failed
