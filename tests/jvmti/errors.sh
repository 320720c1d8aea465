#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# The error each function answers to wrong arguments, phases and capabilities.
. "$(dirname "$0")/common.sh"
compile "$here/Errors.java"
same errors "$(agent agent_errors)" Errors
echo "$compared comparisons, $(grep -c '^  ' errors.hotspot.out) calls"
exit $failed
