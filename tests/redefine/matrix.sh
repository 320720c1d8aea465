#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# Every case of the redefinition matrix on both VMs, without options: accepted and refused alike, with the same error, and
# the same behaviour afterwards. Where the reference is wrong and we say so in the case, we must be right.
. "$(dirname "$0")/common.sh"
cases
reference() { matrix "$jdk" "" run cases "$here"/*.cases >hotspot.out 2>hotspot.err; }
kept reference hotspot.out hotspot.err -- reference || { cat hotspot.err; exit 1; }
matrix "$tested" "${MODE_OPTIONS-}" run cases "$here"/*.cases >graft.out 2>graft.err
code=$?
sed -E 's/, reference wrong: .*/, right/; s/, reference right$/, WRONG THERE NO MORE/' hotspot.out >expected.out
sed -E 's/, reference (wrong: .*|right)$/, \1/' graft.out >got.out
diff expected.out got.out >differences && [ $code = 0 ] && diff hotspot.err graft.err >>differences && { tail -1 got.out; grep -c "accepted, right" got.out; exit; }
echo "exit code $code (< HotSpot, > Graft):"
cat differences
exit 1
