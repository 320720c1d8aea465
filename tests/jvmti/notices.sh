#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# ObjectFree before it is turned off and around heap walks, the extension event of class unloading, options as given to agents,
# classes of a loader with their arrays, can_generate_compiled_method_load_events.
. "$(dirname "$0")/common.sh"
compile "$here/Notices.java"
# The reference sometimes posts its frees inside the walk, or when the event is off: that is asked of Graft alone.
sorted() { grep -vE '^(\?|before it is off: )' | sort; }
for options in '' = =text; do
    same "options$options" filter=sorted "$(agent agent_notices)$options" -Xint Notices
done
grep -q 'unloaded Notices$Gone,' options.hotspot.out || { echo "the reference did not unload"; failed=1; }
for run in options*.graft.raw; do
    grep '^?' "$run" && failed=1
    [ "$(grep -cE '^before it is off: all$' "$run")" = 5 ] || { grep -H '^before' "$run"; failed=1; }
done
exit $failed
