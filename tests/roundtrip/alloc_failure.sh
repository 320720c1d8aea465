#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 3600
#
# Every allocation of classfile and bci-lib fails once, in every operation of rt_alloc.c, on some classes of the JDK
# (FULL=1: larger ones too, with the sanitizers; minutes).
#     alloc_failure.sh JDK TESTED SCRATCH
set -u
jdk=$1 scratch=$(realpath -m "$3")
here=$(cd "$(dirname "$0")" && pwd) top=$(cd "$here/../.." && pwd)
mkdir -p "$scratch"
export ASAN_OPTIONS=detect_leaks=0
classes=(java/lang/Shutdown java/lang/Override java/lang/Enum java/util/Locale\$Category)
[ -z "${FULL-}" ] || classes+=(java/lang/Integer java/util/Optional java/util/concurrent/TimeUnit
    java/lang/Runtime\$Version java/lang/ModuleLayer)
"${CC:-gcc}" -std=gnu11 -D_GNU_SOURCE -O1 -g ${SANITIZE-}${FULL:+ -fsanitize=address,undefined} -DCF_ARENA_EACH -DGRAFT_VERSION='"tested"' -Wno-unused-parameter \
    -I"$top/bci-lib" -I"$jdk/include" -I"$jdk/include/linux" -I"$top/classfile" -I"$top/classfile/base" "$here/rt_alloc.c" "$here/corpus.c" \
    "$top"/classfile/*.c "$top"/classfile/base/*.c $(ls "$top"/bci-lib/*/*.c | grep -v bci_agent) \
    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free -lzip -o "$scratch/rt_alloc" || exit 1
"$scratch/rt_alloc" "$jdk/lib/modules" "${classes[@]}"
