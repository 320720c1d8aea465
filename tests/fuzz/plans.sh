#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# 5,000 mutants of real class files changed by plans, under ASan and UBSan; see fuzz_plan.c.
#     plans.sh JDK TESTED SCRATCH [COUNT [SEED]]
set -u
export ASAN_OPTIONS=detect_leaks=0   # the plans stay until exit
jdk=$1 scratch=$(realpath -m "$3") count=${4:-5000${FULL:+0}} seed=${5:-1}
here=$(cd "$(dirname "$0")" && pwd) top=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$scratch/seeds"; mkdir -p "$scratch/seeds"
. "$here/../answers.sh"
answer_inputs="$top/bci-lib $top/classfile"
kept program "$scratch/fuzz_plan" -- "${CC:-gcc}" -std=gnu11 -O1 -g -Wno-unused-parameter -fsanitize=address,undefined -fno-sanitize-recover=undefined \
    -fno-strict-aliasing -DGRAFT_VERSION='"tested"' -I"$top/bci-lib" -I"$top/classfile" -I"$top/classfile/base" -I"$jdk/include" \
    -I"$jdk/include/linux" "$here/fuzz_plan.c" "$here/replay.c" "$top"/bci-lib/*/*.c "$top"/classfile/*.c \
    "$top"/classfile/base/*.c -o "$scratch/fuzz_plan" || exit 1
"$jdk/bin/jimage" extract --dir "$scratch/seeds" --include \
    'regex:/java.base/java/(lang|util|time)/[A-Z].*\.class' "$jdk/lib/modules" || exit 1
find "$scratch/seeds" -name '*.class' -size -20k | sort | awk 'NR % 5 == 0' |
    xargs "$scratch/fuzz_plan" -n "$count" -s "$seed" -o "$scratch/last.class"
