#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Native method prefixes of several environments, RegisterNatives through them, NativeMethodBind with redirection.
. "$(dirname "$0")/common.sh"
compile "$here/Prefixed.java"
same prefix "$(agent agent_prefix)" Prefixed
same binds "$(agent agent_prefix=binds)" Prefixed
echo "$compared comparisons, $(cat ./*.hotspot.out | wc -l) lines"
exit $failed
