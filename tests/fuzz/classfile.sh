#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# 10,000 mutants of real class files through the fuzz target under ASan and UBSan: nothing may crash, leak or hang.
#     classfile.sh JDK TESTED SCRATCH [COUNT [SEED]]
set -u
jdk=$1 scratch=$(realpath -m "$3") count=${4:-10000${FULL:+0}} seed=${5:-1}
here=$(cd "$(dirname "$0")" && pwd) top=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$scratch/seeds"; mkdir -p "$scratch/seeds"
. "$here/../answers.sh"
answer_inputs=$top/classfile
kept program "$scratch/fuzz_classfile" -- "${CC:-gcc}" -std=gnu11 -O1 -g -Wno-unused-parameter -fsanitize=address,undefined -fno-sanitize-recover=undefined \
    -I"$top/classfile" -I"$top/classfile/base" "$here/fuzz_classfile.c" "$here/replay.c" \
    "$top"/classfile/*.c "$top"/classfile/base/*.c -o "$scratch/fuzz_classfile" || exit 1
"$jdk/bin/jimage" extract --dir "$scratch/seeds" --include \
    'regex:/java.base/(java/(lang|util|time)/[A-Z].*|module-info)\.class' "$jdk/lib/modules" || exit 1
find "$scratch/seeds" -name '*.class' -size -20k | sort | awk 'NR % 5 == 0' |
    xargs "$scratch/fuzz_classfile" -n "$count" -s "$seed" -o "$scratch/last.class"
