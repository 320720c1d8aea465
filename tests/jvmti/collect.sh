#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Events of the collector, and the functions that may be called in them.
. "$(dirname "$0")/common.sh"
compile "$here/Collect.java"
same collect -Xmx64m "$(agent agent_collect)" Collect
echo "$compared comparisons"
exit $failed
