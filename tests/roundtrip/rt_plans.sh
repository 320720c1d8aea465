#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
#
# Every class of the JDK image and of some jars changed by plans (rt_plans.c). Results for the JDK are verified by
# our verifier; those for the jars, which are of all versions, by that and by the reference VM with -Xverify:all.
#     rt_plans.sh JDK TESTED SCRATCH [PLAN...]
set -u
jdk=$1 scratch=$(realpath -m "$3"); shift 3
plans=${*:-finally calls-frames ${FULL:+entry exits exits-frames finally-frames latency blocks calls places places-frames natives}}
here=$(cd "$(dirname "$0")" && pwd) top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$scratch"
jars=() deps=
wanted="groovy clojure eclipse-jdt-core"
[ -z "${FULL-}" ] || wanted+=" scala-library scala-compiler jruby-core jython kotlin-compiler bcprov batik-all guava derby
    netty-all aspectjweaver closure-compiler lucene-core fastutil icu4j fop byte-buddy"
for j in $wanted; do [ ! -e /usr/share/java/$j.jar ] || jars+=(/usr/share/java/$j.jar); done
for j in /usr/share/java/*.jar; do deps+=$j:; done
"${CC:-gcc}" -std=gnu11 -O2 ${SANITIZE-} -Wno-unused-parameter -I"$top/bci-lib" -I"$top/classfile" -I"$top/classfile/base" \
    "$here/rt_frames.c" "$here/rt_plans.c" "$here/world.c" "$here/corpus.c" "$BUILD/libbci.a" "$BUILD/libclassfile.a" \
    -lzip -o "$scratch/rt_frames" || exit 1
"$jdk/bin/javac" -d "$scratch" "$here/LinkEach.java" || exit 1
failed=0
for plan in $plans; do
    "$scratch/rt_frames" -v -m "plan-$plan" "$jdk/lib/modules" || failed=1
    [ ${#jars[@]} -gt 0 ] || continue
    "$scratch/rt_frames" -v -m "plan-$plan" -c .jar: -o "$scratch/jars" "$jdk/lib/modules" "${jars[@]}" || failed=1
    (cd "$scratch" && exec "$jdk/bin/java" -Xverify:all -Xshare:off -XX:TieredStopAtLevel=1 -cp "$scratch" LinkEach \
        -cp "$deps" "$scratch"/jars/*) 2>"$scratch/err" ||
        { failed=1; grep -v -e '^WARNING' -e deprecated "$scratch/err" | head -5; }
    rm -rf "$scratch/jars"
done
exit $failed
