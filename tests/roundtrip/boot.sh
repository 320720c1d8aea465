#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# The reference VM boots and runs javac with -Xverify:all while every method of java.base calls a probe
# at its entry and at each return (Object.finalize, whose body is empty, is left alone by the library).
#     boot.sh JDK TESTED SCRATCH
set -u
jdk=$1 scratch=$(realpath -m "$3")
here=$(cd "$(dirname "$0")" && pwd) top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$scratch/src"
"${CC:-gcc}" -std=gnu11 -O2 ${SANITIZE-} -Wno-unused-parameter -I"$top/bci-lib" -I"$top/classfile" -I"$top/classfile/base" \
    "$here/rt_frames.c" "$here/rt_plans.c" "$here/world.c" "$here/corpus.c" "$BUILD/libbci.a" "$BUILD/libclassfile.a" \
    -lzip -o "$scratch/rt_frames" || exit 1
cat >"$scratch/src/Say.java" <<'J'
public class Say {
    public static void main(String[] a) {
        System.out.println(java.util.stream.Stream.of(a).map(String::toUpperCase).toList());
    }
}
J
failed=0
for mode in boot boot-frames; do
    patch=$scratch/$mode/java.base
    rm -rf "${scratch:?}/$mode" "$scratch/Say.class"; mkdir -p "$scratch/$mode"
    "$scratch/rt_frames" -m "plan-$mode" -c /java.base/ -o "$scratch/$mode" "$jdk/lib/modules" || failed=1
    rm -f "$patch/module-info.class"
    "$jdk/bin/javac" --patch-module java.base="$here" -d "$patch" "$here/BootProbe.java" 2>"$scratch/err" ||
        { cat "$scratch/err"; failed=1; }
    options=(-Xverify:all -Xshare:off --patch-module java.base="$patch")
    "$jdk/bin/javac" "${options[@]/#/-J}" -d "$scratch" "$scratch/src/Say.java" >"$scratch/out" 2>&1
    [ -e "$scratch/Say.class" ] || { echo "$mode: javac"; head -5 "$scratch/out"; failed=1; }
    got=$("$jdk/bin/java" "${options[@]}" -cp "$scratch" Say a b 2>"$scratch/err")
    [ "$got" = "[A, B]" ] || { echo "$mode: $got"; grep -v '^WARNING\|deprecated' "$scratch/err" | head -5; failed=1; }
    rm -rf "${scratch:?}/$mode"
done
exit $failed
