#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Objects that compiled code does without, in locals of a suspended thread: they are there, and what is changed in them counts.
. "$(dirname "$0")/common.sh"
same_optimised Escaped agent_escaped
exit $failed
