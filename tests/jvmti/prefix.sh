#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Native method prefixes of several environments, RegisterNatives through them, NativeMethodBind with redirection; natives that a library and an
# agent have.
. "$(dirname "$0")/common.sh"
compile "$here/Prefixed.java" "$here/Namesakes.java"
same prefix "$(agent agent_prefix)" Prefixed
same binds "$(agent agent_prefix=binds)" Prefixed
same namesakes "$(agent agent_prefix)" Namesakes
echo "$compared comparisons, $(cat ./*.hotspot.out | wc -l) lines"
exit $failed
