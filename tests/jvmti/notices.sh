#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# ObjectFree before it is turned off and before heap walks, the extension event of class unloading, options as given to agents,
# classes of a loader with their arrays, can_generate_compiled_method_load_events.
. "$(dirname "$0")/common.sh"
compile "$here/Notices.java"
sorted() { grep -v '^?' | sort; } # the reference tells of some inside the walk
for options in '' = =text; do
    same "options$options" filter=sorted "$(agent agent_notices)$options" -Xint Notices
done
grep -q 'unloaded Notices$Gone,' options.hotspot.out || { echo "the reference did not unload"; failed=1; }
grep '^?' options*.graft.raw && failed=1
exit $failed
