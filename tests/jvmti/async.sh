#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# AsyncGetCallTrace out of a SIGPROF handler.
. "$(dirname "$0")/common.sh"
compile "$here/Async.java"
same sampling -Xint "$(agent agent_async)" Async
echo "$compared comparisons"
exit $failed
