#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Frames as a debugger sees and changes them: locals at every instruction with and without debug attributes,
# frames left early, threads in every state.
. "$(dirname "$0")/common.sh"
compile "$here/Frames.java" "$here/Variables.java" "$here/Left.java"
same steps "$(agent agent_frames)" Frames steps
same variables "$(agent agent_frames)" Frames variables
same lefts "$(agent agent_frames)" Frames lefts
same lefts-exits "$(agent agent_frames=exits)" Frames lefts
same threads "$(agent agent_frames)" Frames threads
same running "$(agent agent_frames)" Frames running
"$jdk/bin/javac" -nowarn -g:none -d classes -cp classes "$here/Variables.java" || exit 1
# Numbers in slots without a variable are garbage there and refused here: references only.
only_references() { sed 's/ [IJFD][=:][^ ]*//g'; }
same plain filter=only_references "$(agent agent_frames)" Frames plain
# The reference reads beside the frame.
"$tested/bin/java" ${MODE_OPTIONS-} "$(agent agent_frames)" -cp classes -Djava.library.path="$native" Frames edges >edges.out 2>&1
[ "$(grep -c ': INVALID_SLOT$' edges.out)" = 30 ] || { grep -v ': INVALID_SLOT$' edges.out; failed=1; }
echo "$compared comparisons, $(cat ./*.hotspot.out | wc -l) lines"
exit $failed
