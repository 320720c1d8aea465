#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 240
#
# Sampled allocations, allocations by the VM, collections and freed objects.
. "$(dirname "$0")/common.sh"
compile "$here/Allocs.java"
for part in vm sampled collections; do
    same $part -Xmx256m "$(agent agent_alloc)" Allocs $part
done
echo "$compared comparisons"
exit $failed
