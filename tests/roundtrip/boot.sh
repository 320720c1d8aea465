#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# The reference VM boots and runs javac with -Xverify:all while every method of java.base calls a probe
# at its entry and at each return (Object.finalize, whose body is empty, is left alone by the library).
#     boot.sh JDK TESTED SCRATCH
set -u
jdk=$1 scratch=$(realpath -m "$3")
. "$(dirname "$0")/common.sh"
rt_frames
mkdir -p "$scratch/src"
cat >"$scratch/src/Say.java" <<'J'
public class Say {
    public static void main(String[] a) throws Exception {
        System.out.println(java.util.stream.Stream.of(a).map(String::toUpperCase).toList());
        Class<?> probe = Class.forName("java.lang.BootProbe");
        for (String f : new String[] {"entries", "exits"})
            if (probe.getField(f).getLong(null) < 10000)
                throw new AssertionError(f + ": java.base is not instrumented");
    }
}
J
# The reference VM made of what is in $jdk_out
boots() { # mode
    local got options=(-Xverify:all -Xshare:off --patch-module java.base="$jdk_out/java.base:$jdk_out/java.base.jar")
    "$jdk/bin/javac" "${options[@]/#/-J}" -d "$scratch" "$scratch/src/Say.java" >"$scratch/out" 2>&1 &&
        [ -e "$scratch/Say.class" ] || { echo "$1: javac"; head -5 "$scratch/out"; return 1; }
    got=$("$jdk/bin/java" "${options[@]}" -cp "$scratch" Say a b 2>"$scratch/err")
    [ "$got" = "[A, B]" ] || { echo "$1: $got"; grep -v '^WARNING\|deprecated' "$scratch/err" | head -5; return 1; }
}
failed=0
for mode in boot boot-frames; do
    jdk_out=$scratch/$mode/jdk
    rm -rf "${scratch:?}/$mode" "$scratch/Say.class"
    "$scratch/rt_frames" -m "plan-$mode" -c /java.base/ -o "$scratch/$mode" "$jdk/lib/modules" || failed=1
    rt_probe "$jdk_out" || failed=1
    answer_inputs="$jdk_out $scratch/src"
    kept $mode -- boots $mode || failed=1
    rm -rf "${scratch:?}/$mode"
done
exit $failed
