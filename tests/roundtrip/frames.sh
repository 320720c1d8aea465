#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
#
# Every class of the JDK image and of five jars: rewritten by bci-lib in several ways (see rt_frames.c), then verified by our
# verifier, and linked by the reference VM with -Xverify:all.
#     frames.sh JDK TESTED SCRATCH [MODE...]
set -u
export ASAN_OPTIONS=detect_leaks=0   # the corpus stays until exit; fuzz/classfile looks for leaks
jdk=$1 scratch=$(realpath -m "$3"); shift 3
modes=${*:-keep rebuild edges ${FULL:+count}}
here=$(cd "$(dirname "$0")" && pwd) top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$scratch"
jars=() deps=
for j in commons-lang3 commons-math3 clojure groovy h2 hsqldb guava eclipse-jdt-core; do
    [ -e /usr/share/java/$j.jar ] && [ ${#jars[@]} -lt 5 ] && jars+=(/usr/share/java/$j.jar)
done
for j in /usr/share/java/*.jar; do deps+=$j:; done

build() { # PROGRAM SOURCE...
    local out=$1; shift
    "${CC:-gcc}" -std=gnu11 -O2 ${SANITIZE-} -Wno-unused-parameter -I"$top/bci-lib" -I"$top/classfile" -I"$top/classfile/base" \
        "$@" "$here/corpus.c" "$BUILD/libbci.a" "$BUILD/libclassfile.a" -lzip -o "$scratch/$out" || exit 1
}
build rt_frames "$here/rt_frames.c" "$here/rt_plans.c" "$here/world.c"
build roundtrip "$here/roundtrip.c" "$here/world.c"
"$jdk/bin/javac" -d "$scratch" "$here/LinkEach.java" || exit 1

failed=0
java() { (cd "$scratch" && exec "$jdk/bin/java" -Xverify:all -Xshare:off -XX:TieredStopAtLevel=1 -cp "$scratch" "$@"); }
report() { grep -v -e '^WARNING' -e deprecated "$scratch/err" | head -5; }

for mode in open same; do
    "$scratch/rt_frames" -m $mode "$jdk/lib/modules" "${jars[@]}" || failed=1
done
for mode in $modes; do
    out=$scratch/$mode
    rm -rf "$out"; mkdir -p "$out/jdk" "$out/jars"
    "$scratch/rt_frames" -m "$mode" -o "$out/jdk" "$jdk/lib/modules" || failed=1
    "$scratch/rt_frames" -m "$mode" -o "$out/jars" "${jars[@]}" || failed=1
    "$jdk/bin/jar" --create --no-compress --file "$out/all.jar" -C "$out" jdk -C "$out" jars
    "$scratch/roundtrip" "$out/all.jar" || failed=1
    rm "$out/all.jar"
    patches=()
    for m in "$out"/jdk/*; do patches+=(--patch-module "$(basename "$m")=$m"); done
    java --add-modules ALL-SYSTEM "${patches[@]}" LinkEach "$out"/jdk/* 2>"$scratch/err" || { failed=1; report; }
    java LinkEach -cp "$deps" "$out"/jars/* 2>"$scratch/err" || { failed=1; report; }
    rm -rf "$out"
done
exit $failed
