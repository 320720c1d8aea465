#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
# modes: !xint
#
# An agent holds a lock that its ObjectFree or CompiledMethodLoad callback wants, while it walks the heap or turns the event off; the
# thread that runs these callbacks.
. "$(dirname "$0")/common.sh"
compile "$here/Told.java"
same told "$(agent agent_told)" Told all
# Here the reference waits for ever.
"$tested/bin/java" ${MODE_OPTIONS-} "$(agent agent_told)" -cp classes -Djava.library.path="$native" Told off >off.out 2>&1
diff off.out - <<'EOF' || failed=1
turned off, monitor: while a callback waits
told: all
EOF
exit $failed
