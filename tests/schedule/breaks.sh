#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Between the look at a method and the pause that sets a breakpoint in it, the method is redefined (the breakpoint is in the new
# one), or its class is unloaded (the ID is not valid any more).
. "$(dirname "$0")/common.sh"
compile "$here/Breaks.java"
rule='breakpoint_before_pause@setter>breakpoint_before_pause' # until the main thread has come to it
{
    for words in redefined "unloaded set" "unloaded clear"; do
        # shellcheck disable=SC2086
        scheduled "$rule" -agentpath:"$native/libagent_breaks.so" Breaks $words 2>&1
    done
} >out
diff out - <<'END'
redefined: NONE
set: NONE
runs 2, hits 1
set: INVALID_METHODID
clear: INVALID_METHODID
END
