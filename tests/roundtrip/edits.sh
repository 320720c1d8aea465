#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 1800
#
# Random edits that keep code right (tests/fuzz/edit_script.h) in every class of the JDK image and of some jars, with frames kept
# and computed anew: our verifier takes each result, against the real class hierarchy, and the reference VM those of the jars. fuzz_edit
# does the same to mutants, but takes every class for a subclass of every other.
#     edits.sh JDK TESTED SCRATCH [SEED...]
set -u
jdk=$1 scratch=$(realpath -m "$3"); shift 3
seeds=${*:-1 ${FULL:+2 3 4}} modes="${FULL:+tame light-rebuild} light tame-rebuild"
. "$(dirname "$0")/common.sh"
rt_jars 5
rt_deps
rt_frames
failed=0
for seed in $seeds; do
    for mode in $modes; do
        progress "seed $seed: $mode"
        "$scratch/rt_frames" -v -m $mode -s "$seed" -o "$scratch/out" "$jdk/lib/modules" "${jars[@]}" || failed=1
        [ ${#jars[@]} = 0 ] || rt_link LinkEach -cp "$deps" "$scratch"/out/jars/* || failed=1
        rm -rf "$scratch/out"
    done
    [ -z "${FULL-}" ] || "$scratch/rt_frames" -v -m tame -l 200 -s "$seed" "$jdk/lib/modules" "${jars[@]}" || failed=1     # with long methods outlined
done
exit $failed
