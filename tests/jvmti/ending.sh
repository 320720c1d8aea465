#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
#
# Functions about threads that begin and end beside collections; memory that was given back is filled, so that its use shows.
. "$(dirname "$0")/common.sh"
compile "$here/Ending.java"
export MALLOC_PERTURB_=165
same ending "$(agent agent_ending)" Ending
echo "$compared comparisons"
exit $failed
