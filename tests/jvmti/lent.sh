#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Objects that compiled code makes for frames alone: an agent comes that reads locals, and changes one.
. "$(dirname "$0")/common.sh"
same_optimised Lent agent_lent
exit $failed
