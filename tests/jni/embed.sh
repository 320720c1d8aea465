#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# A C program makes the VM itself: options, hooks, destroying, errors; the same on both VMs.
set -u
jdk=$1 image=$2 dir=$3 bad=0
tool=$BUILD/tests/tool/embed
mkdir -p "$dir/classes"
"$jdk/bin/javac" -d "$dir/classes" tests/jni/Embedded.java || exit 1
# Exit code and output; the reference's crash report and version text are its own.
once() { # java-home scenario
    LD_LIBRARY_PATH=$1/lib timeout 180 "$tool" "$1/lib/server/libjvm.so" "$dir/classes" "$2" >"$dir/$2.out" 2>"$dir/$2.err" </dev/null
    echo "code $?" >>"$dir/$2.out"
    sed -E '/^#/d; /hs_err_pid/d; s/OpenJDK|Debian|Graft|Server VM//g' "$dir/$2.err" | grep -v '^$' | sed 's/^/err: /' >>"$dir/$2.out"
    sed -i '/^Native frames:/,/^$/d' "$dir/$2.out" # the reference adds these where there is no Java frame
    rm -f hs_err_pid*.log core
    cat "$dir/$2.out"
}
ulimit -c 0
cd "$dir" || exit 1
for s in $("$tool"); do
    once "$jdk" "$s" >"$dir/expected"
    once "$image" "$s" >"$dir/actual"
    cmp -s "$dir/expected" "$dir/actual" || { echo "$s (< HotSpot, > Graft):"; diff "$dir/expected" "$dir/actual"; bad=1; }
done
exit $bad
