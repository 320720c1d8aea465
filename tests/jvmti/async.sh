#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 200
# modes: !opt !optdeopt !optdrop (making code takes most of the time that is sampled)
#
# AsyncGetCallTrace out of a SIGPROF handler.
. "$(dirname "$0")/common.sh"
compile "$here/Async.java"
same sampling -Xint "$(agent agent_async)" Async
# Graft alone: at least 99 stacks of a hundred have the IDs of all their frames.
"$tested/bin/java" ${MODE_OPTIONS-} -cp classes -Djava.library.path="$native" "$(agent agent_async=1)" Async >ids.out 2>&1
grep -q 'stack right' ids.out && ! grep without ids.out || { cat ids.out; failed=1; }
# Bodies whose frames nobody has written (vm/jit/body_frames.c).
compile "$here/Chains.java"
"$tested/bin/java" ${MODE_OPTIONS-} -cp classes "$(agent agent_async=chains)" Chains >chains.out 2>&1
diff chains.out - <<'EOF' || failed=1
end
deep stacks
EOF
echo "$compared comparisons"
exit $failed
