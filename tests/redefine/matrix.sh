#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
#
# Every case of the redefinition matrix on both VMs, without options: accepted and refused alike, with the same error, and
# the same behaviour afterwards. Where the reference is wrong and we say so in the case, we must be right.
. "$(dirname "$0")/common.sh"
cases
hotspot() { matrix "$jdk" "" run cases "$here"/*.cases >hotspot.out 2>hotspot.err || { cat hotspot.err; exit 1; }; }
graft() { matrix "$tested" "${MODE_OPTIONS-}" run cases "$here"/*.cases >graft.out 2>graft.err; code=$?; }
alike() {
    sed -E 's/, reference wrong: .*/, right/; s/, reference right$/, WRONG THERE NO MORE/' hotspot.out >expected.out
    sed -E 's/, reference (wrong: .*|right)$/, \1/' graft.out >got.out
    diff expected.out got.out >differences && [ $code = 0 ] && diff hotspot.err graft.err >>differences && return
    echo "exit code $code (< HotSpot, > Graft):"
    cat differences
    return 1
}
agreed matrix hotspot graft alike hotspot.{out,err} || exit 1
tail -1 got.out; grep -c "accepted, right" got.out
