#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What sampling profilers look for: a writable function table, a pthread key and a first word of the native thread, park by RegisterNatives.
. "$(dirname "$0")/common.sh"
compile "$here/Profiled.java"
quiet() { grep -v "Re-registering of platform native"; } # a log line of the reference
same profiled filter=quiet "$(agent agent_profiled)" --add-opens java.base/java.lang=ALL-UNNAMED Profiled
grep -q "^given back true" profiled.hotspot.out || { echo "the reference did not run to the end"; cat profiled.hotspot.raw; failed=1; }
exit $failed
