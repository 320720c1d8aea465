#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# -Xcheck:jni: every scenario of CheckJni in a process of its own; text on standard output and exit code
# as the reference's (addresses apart).
set -u
jdk=$1 image=$2 dir=$3 bad=0
mkdir -p "$dir/classes"
"$jdk/bin/javac" -d "$dir/classes" tests/jni/CheckJni.java || exit 1
cache=$BUILD/tests/checkjni.expected
native=$BUILD/tests/native/libCheckedJni.so
{ [ "$cache/done" -nt "$native" ] && cmp -s "$jdk/release" "$cache/release"; } || { rm -rf "$cache"; mkdir -p "$cache"; }
checked() { # java-home classes arguments...
    local home=$1 classes=$2; shift 2
    "$home/bin/java" -Xcheck:jni -Djava.library.path="$BUILD/tests/native" -cp "$classes" "$@" \
        </dev/null >"$dir/out" 2>"$dir/err"
    local code=$?
    sed -E '/^Native frames:/,/^$/d; /^GuardedMemory\(|^  (Header|Trailer) guard|^  User data/d
        s/0x[0-9a-f]+/0x/g; s/Lambda\$[0-9]+/Lambda/' "$dir/out" |
        awk -v drop="$drop" '!/^\tat / {skip = drop != "" && $0 ~ drop} !skip'
    echo "code $code"
}
both() { # name classes arguments...
    local name=$1; shift
    [ -e "$cache/$name" ] || checked "$jdk" "$@" >"$cache/$name" 2>/dev/null
    checked "$image" "$@" >"$dir/actual" 2>/dev/null
    cmp -s "$cache/$name" "$dir/actual" || { echo "$name (< HotSpot, > Graft):"; diff "$cache/$name" "$dir/actual"; bad=1; }
}
ulimit -c 0
cd "$dir" || exit 1
# Early updates of the reference (17.0.15) count local references wrongly and do not tell critical arrays from copied ones:
# on them that is left out.
drop= left_out=
if checked "$jdk" classes CheckJni refs | grep -q 'exceeds capacity'; then
    drop='^WARNING: JNI local refs: ' left_out=' critical_as_elements elements_as_critical '
fi
for s in $("$jdk/bin/java" -Djava.library.path="$BUILD/tests/native" -cp classes CheckJni list); do
    [[ $left_out == *" $s "* ]] || both "$s" classes CheckJni "$s"
done
# whole programs that look at few exceptions: what is said about each call
for p in Calls Natives Refs Throwing Values; do
    [ -e "$BUILD/tests/java/jni/$p/.compiled" ] && both "$p" "$BUILD/tests/java/jni/$p" "$p"
done
cp "$jdk/release" "$cache/"; touch "$cache/done"
exit $bad
