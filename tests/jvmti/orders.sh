#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# Orders in which agents come: hooks of four environments of every kind, capabilities and events in every order; early hooks;
# every sequence of up to four native prefixes under every order of environments, looked up and registered.
. "$(dirname "$0")/common.sh"
compile "$here/Orders.java" "$here/Layers.java"
same kinds "$(agent agent_orders)" Orders narl
same permuted "$(agent agent_orders)" Orders nr permuted
same both "$(agent agent_orders)" Orders bl permuted
for kinds in eeee nnnn aaaa neax xaen rrrr yyyy nrey yern ayxr; do
    same early_$kinds -Xshare:off "$(agent agent_orders=early=$kinds)" Orders
done
for gaps in none gaps; do
    "$jdk/bin/java" -cp classes Layers source $gaps >Layered.java && compile Layered.java
    same layers_$gaps "$(agent agent_orders)" Layers run
done
grep -L "exit 0" ./*.hotspot.err | grep . && { echo "^ fails on HotSpot"; failed=1; }
echo "$compared comparisons, $(cat ./*.hotspot.out | wc -l) lines"
exit $failed
