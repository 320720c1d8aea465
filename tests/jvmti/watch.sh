#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Watched fields: every type, quickened and fresh code, JNI, reflection and handles, subclasses.
. "$(dirname "$0")/common.sh"
compile "$here/Watched.java"
same watch "$(agent agent_watch)" Watched
echo "$compared comparisons, $(grep -c '^  [gs]et' watch.hotspot.out) events"
exit $failed
