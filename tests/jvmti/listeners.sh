#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Environments that are turned off and on, lose their callbacks, come and go while an event is being sent.
. "$(dirname "$0")/common.sh"
compile "$here/Listeners.java"
same listeners "$(agent agent_listeners)" Listeners
echo "$compared comparisons"
exit $failed
