#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Exception events: who will catch what passes native code.  An order to leave a frame that is being left: kept or refused.
. "$(dirname "$0")/common.sh"
# A type of a handler that may not be used when it runs.
mkdir -p shut/shut
echo 'package shut; public class Off extends RuntimeException { }' >shut/shut/Off.java
compile "$here/Catchers.java" shut/shut/Off.java
sed -i 's/public //' shut/shut/Off.java
compile shut/shut/Off.java
same catchers "$(agent agent_catchers)" Catchers
"$tested/bin/java" ${MODE_OPTIONS-} -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -cp classes "$(agent agent_catchers)" Catchers leave >leave.out 2>&1 || { echo "leaving: exit $?"; failed=1; }
[ "$(grep -c '^kept: ' leave.out)" = 10 ] || { echo "leaving:"; grep -v '^kept' leave.out | head; failed=1; }
exit $failed
