#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Traces taken before a retransformation keep their lines. On our VM alone: the reference forgets them.
. "$(dirname "$0")/common.sh"
agent redefine.Lines
"$tested/bin/java" ${MODE_OPTIONS-} -javaagent:agent.jar -cp classes redefine.Lines
