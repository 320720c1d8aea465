#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
# modes: default
#
# Hello World while one request for memory, a mapping or a thread fails, or all from one on: it works, or an OutOfMemoryError is
# thrown, or the start is refused with a line that says why. In release and debug.
. "$(dirname "$0")/common.sh"
"$jdk/bin/javac" -d classes "$here/Hello.java" || exit 1
in_build() {
    local part=1
    [ "$1" != debug ] || part=10 # five times as slow
    runs "hello-$1" "$2" "$(sample 150 $((20000 / part)))" -- -cp "$scratch/classes" Hello
    runs "hello-$1-all" "$2" "$(sample 60 $((4000 / part)))" -a -- -cp "$scratch/classes" Hello
    runs "hello-$1-verify" "$2" "$(sample 20 $((2000 / part)))" -- -XX:+VerifyHeapAfterGC -Xmx8m -cp "$scratch/classes" Hello 20000
}
each
