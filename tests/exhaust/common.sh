# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the scripts here: NAME.sh REFERENCE_JDK TESTED_JDK SCRATCH_FOLDER. What fails and how it is counted: exhaust.c.
#
#   each BUILD_MODE...          calls the function `in_build NAME JAVA_HOME` for the release build and, if it is there, the debug build
#   runs NAME HOME N WORD...    exhaust_run: N runs of java, each with another request that fails (N=0: every one)
#   SAMPLE_SHORT, SAMPLE_FULL   how many of them; EXHAUST_N overrides both
#   own_tmp                     skips where no file system may be mounted, or a /tmp of our own would hide the tree
#   known FILE                  puts source places behind the addresses of libjvm.so
set -u
jdk=$1 tested=$2 scratch=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
native=$BUILD/tests/native
mkdir -p "$scratch" && cd "$scratch" || exit 1
unset JAVA_TOOL_OPTIONS
ulimit -c 0
failed=0

each() {
    in_build release "$tested"
    [ ! -x "$DEBUG_IMAGE/bin/java" ] || [ "$DEBUG_IMAGE" = "$tested" ] || in_build debug "$DEBUG_IMAGE"
    [ $failed = 0 ]
}
own_tmp() {
    unshare -m mount -t tmpfs none /mnt 2>/dev/null || { echo "may not mount a file system (unshare -m)"; exit 77; }
    case $here in /tmp/*) echo "mounts a /tmp of its own, and the tree lies in /tmp: run it from elsewhere"; exit 77 ;; esac
}
sample() { echo "${EXHAUST_N:-$([ -n "${FULL-}" ] && echo "$2" || echo "$1")}"; }
places() { # home: addresses on standard input get their function, file and line
    local lib line at
    lib=$(readlink -f "$1/lib/server/libjvm.so")
    while IFS= read -r line; do
        at=$(grep -o -m1 'libjvm.so+0x[0-9a-f]*' <<<"$line" | head -1)
        [ -z "$at" ] || line+=" [$(addr2line -fie "$lib" "$(printf '0x%x' $((${at#*+} - 1)))" | sed 's|.*/\(vm\|jvmti\|classfile\)/|\1/|' | paste -sd' ' | cut -c1-150)]"
        printf '%s\n' "$line"
    done
}
runs() { # name home n [exhaust_run options --] java words
    local name=$1 home=$2 n=$3 options=; shift 3
    while [ "$1" != -- ]; do options+=" $1"; shift; done
    shift
    "$BUILD/tests/tool/exhaust_run" -p "$native/libexhaust.so" -d "$scratch/$name" -n "$n" -j "${JOBS:-2}" $options "$name" "$home/bin/java" \
        "$@" >"$name.out" || failed=1
    places "$home" <"$name.out"
    rm -rf "$scratch/$name"/w*
}
