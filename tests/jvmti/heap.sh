#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 240
#
# Heap walks: kinds and numbers of references, values, filters, tags, counts, roots, walks among running threads.
. "$(dirname "$0")/common.sh"
compile "$here/HeapGraph.java"
for part in kinds order values filters tags errors concurrent; do
    same $part "$(agent agent_heap)" HeapGraph $part
done
same counts -Xmx512m "$(agent agent_heap)" HeapGraph counts
# Compiled frames of the reference forget locals that are not needed any more.
same roots -Xint "$(agent agent_heap)" HeapGraph roots
# The reference does not report arguments of native methods.
"$tested/bin/java" ${MODE_OPTIONS-} "$(agent agent_heap)" -cp classes HeapGraph arguments >arguments.out 2>&1
[ "$(grep -cE '^JNILOCAL (352|353) thread 0 id positive depth 3 argument @-1 slot -1$' arguments.out)" = 2 ] ||
    { echo "arguments of a native method:"; head -5 arguments.out; failed=1; }
# A debugger asks the tested VM and the reference.
compile "$here/HeapDebugger.java"
ask() { "$jdk/bin/java" -cp classes HeapDebugger "$1" 2>&1; }
reference() { ask "$jdk" >debugger.hotspot.out; }
kept debugger debugger.hotspot.out -- reference
{ cat debugger.hotspot.out; ask "$tested"; } >debugger.out
[ "$(head -4 debugger.out)" = "$(tail -4 debugger.out)" ] && [ "$(wc -l <debugger.out)" = 8 ] && grep -q '^instances 7, at most three: 3$' debugger.out ||
    { echo "debugger:"; cat debugger.out; failed=1; }
echo "$compared comparisons"
exit $failed
