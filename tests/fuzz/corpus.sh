#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Every fuzz target over the inputs kept in corpus/: small ones that libFuzzer chose for what they reach (edit-*, plan-*) and
# those that once found a defect (found-*).
set -u
scratch=$3 failed=0 found=0
here=$(cd "$(dirname "$0")" && pwd)
for target in "$BUILD"/tests/fuzz/fuzz_*; do
    [ -x "$target" ] || continue
    found=1
    timeout 180 "$target" -o "$scratch/input" "$here"/corpus/* >"$scratch/out" 2>&1 || {
        echo "$(basename "$target"): exit code $? at $(for f in "$here"/corpus/*; do cmp -s "$f" "$scratch/input" && basename "$f"; done)"
        tail -5 "$scratch/out"; failed=1
    }
done
[ $found = 1 ] || { echo "no fuzz target is built"; exit 77; }
exit $failed
