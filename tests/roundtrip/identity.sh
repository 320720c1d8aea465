#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Every class of the JDK image and of the jars in /usr/share/java: read, check, write identically, verify.
#     identity.sh JDK TESTED SCRATCH
set -u
export ASAN_OPTIONS=detect_leaks=0   # the corpus stays until exit; fuzz/classfile looks for leaks
jdk=$1 scratch=$(realpath -m "$3")
here=$(cd "$(dirname "$0")" && pwd) top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$scratch"
"${CC:-gcc}" -std=gnu11 -O2 ${SANITIZE-} -Wno-unused-parameter -I"$top/classfile" -I"$top/classfile/base" \
    "$here/roundtrip.c" "$here/corpus.c" "$here/world.c" "$BUILD/libclassfile.a" -lzip -o "$scratch/roundtrip" || exit 1
jars=()
for j in commons-lang3 commons-math3 clojure groovy h2 hsqldb guava eclipse-jdt-core; do
    [ -e /usr/share/java/$j.jar ] && jars+=(/usr/share/java/$j.jar)
done
"$scratch/roundtrip" -b "$jdk/lib/modules" "${jars[@]}"
