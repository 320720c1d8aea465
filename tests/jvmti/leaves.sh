#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Methods so short that they may run without a frame: entry, exit, step, breakpoint, watched field and redefinition reach them all the same.
. "$(dirname "$0")/common.sh"
open="--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"
compile $open "$here/Leaves.java"
mkdir -p src second
sed 's/return number;/return number + 1;/; s/(byte) 9/(byte) 8/; s/return text;/return null;/; s/void nothing() { }/void nothing() { other++; }/
    s/, 2); }/, 3); }/; s/return large;/return large ^ tiny;/' "$here/Leaves.java" >src/Leaves.java
"$jdk/bin/javac" -nowarn -g $open -d second src/Leaves.java || exit 1
same leaves "$(agent agent_leaves)" $open Leaves second/Leaf.class
echo "$compared comparisons, $(grep -c '^  ' leaves.hotspot.out) events"
exit $failed
