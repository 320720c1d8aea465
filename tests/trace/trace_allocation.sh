#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Bytes that calls allocate, by path, on both VMs and on newer JDKs where there are some: to the byte.
. "$(dirname "$0")/common.sh"
compile "$here/../trace/TracedAllocation.java"
outer='TracedAllocation.outer()'
cat >expected <<END
1016.0 TracedAllocation.thousand()
10408.0 $outer
32.0 TracedAllocation.fails(int)
END
for n in 300:main 100:run; do
    case $n in *main) top='TracedAllocation.main(java.lang.String[])' ;; *) top='TracedAllocation$1.run()' ;; esac
    printf '%s\n' "$top;$outer $((216 * ${n%:*}))" "$top;$outer;TracedAllocation.fails(int) $((32 * ${n%:*}))" "$top;$outer;TracedAllocation.thousand() $((10160 * ${n%:*}))"
done | LC_ALL=C sort >paths.expected
try() { # side, java-home
    side=$1 home=$2
    java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp classes "$@"; }
    java "-agentpath:$trace=include=TracedAllocation*,alloc,tree=tree,weight=bytes,collapsed=paths,file=table" TracedAllocation >out 2>&1
    check paths paths.expected <(grep ';.* ' paths | LC_ALL=C sort)
    check 'bytes a call' expected <(awk '/outer|thousand|fails/ {print $9, $10}' tree | LC_ALL=C sort -u)
    java "-agentpath:$trace=include=TracedAllocation*,alloc,times=off,weight=bytes,collapsed=paths,file=table" TracedAllocation >out 2>&1
    check 'only bytes' paths.expected <(grep ';.* ' paths | LC_ALL=C sort)
    java "-agentpath:$trace=include=*,alloc,weight=bytes,collapsed=paths,file=table,depth=50" TracedAllocation >out 2>&1
    check 'everything' /dev/null out
    grep -qxF "TracedAllocation.main(java.lang.String[]);$outer;TracedAllocation.thousand() 3048000" paths || fail "everything: no such path"
}
settled || { try hotspot "$jdk"; settle; }
try graft "$tested"
for newer in $(newer_jdks 21); do try "$newer" "$newer"; done
echo "$compared comparisons"
exit $failed
