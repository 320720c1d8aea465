#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 240
#
# A JDI client that does what IDEs do: frames with typed locals, evaluation, stepping into lambdas, exception breakpoints caught and
# not, watchpoints, results of methods, drop to frame, force return, redefinition, monitors, stopping a thread.  It runs on the reference;
# what it prints about a program on each VM must be equal.
. "$(dirname "$0")/common.sh"
compile "$here/IdeTarget.java" "$here/IdeClient.java"
mkdir -p changed
sed 's/return "old"/return "new"/' "$here/IdeTarget.java" >changed/IdeTarget.java
"$jdk/bin/javac" -nowarn -g -d changed changed/IdeTarget.java || exit 1
# A thread of the JDWP agent that asks for its environment while the VM ends (GetEnv: JNI_EDETACHED, on both) says so, or is too late.
session() {
    "$jdk/bin/java" -cp classes IdeClient "$2" "$PWD/classes" "$here/IdeTarget.java" "changed/IdeTarget\$Swapped.class" >$1.raw 2>$1.err
    local code=$?
    grep -vE '^err .*JDWP.*(Unable to get JNI 1.2 environment|AGENT_ERROR_NO_JNI_ENV)' $1.raw >$1.out
    return $code
}
hotspot() { session hotspot "$jdk"; }
graft() { session graft "$tested"; }
alike() { diff hotspot.out graft.out >ide.diff || { echo "the sessions differ (< HotSpot, > Graft):"; head -${LINES_SHOWN:-40} ide.diff; return 1; }; }
agreed session hotspot graft alike hotspot.{out,err} || failed=1
grep -qx 'out stopped by client' hotspot.out || { echo "the reference session did not come to the end"; tail -15 hotspot.out; failed=1; }
echo "$(wc -l <hotspot.out) lines"
exit $failed
