#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# modes: !xint
# CompiledMethodLoad with maps, CompiledMethodUnload, GenerateEvents.
. "$(dirname "$0")/common.sh"
compile "$here/Code.java"
same code "$(agent agent_code)" Code
grep -q "^unloaded: true" code.hotspot.out || { echo "the reference did not run to the end"; cat code.hotspot.raw; failed=1; }
exit $failed
