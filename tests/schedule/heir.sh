#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A monitor's heir is suspended between its wake-up and the lock.
. "$(dirname "$0")/common.sh"
compile "$here/Heir.java"
scheduled monitor_heir_woken=1000 -agentpath:"$native/libagent_contended.so" Heir >out 2>err
diff out - <<'END' || { cat err; exit 1; }
other has it
other TERMINATED
heir has it
heir TERMINATED
END
