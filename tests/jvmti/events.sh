#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Order and arguments of the events of a small program and of the ways a program ends.
. "$(dirname "$0")/common.sh"
compile "$here/Events.java"
A=$(agent agent_events)
same plain "$A" Events
same exit "$A" Events exit
same halt "$A" Events halt
same throw "$A" Events throw
same daemon "$A" Events daemon
# The reference announces this event in its log, on standard output.
same memory -Xlog:disable -Xlog:all=off -Xmx40m "$A" Events memory
same verify_all -Xverify:all "$A" Events
same no_main "$A" Events\$Pair
echo "$compared comparisons"
exit $failed
