#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 240
# modes: !gcstress !optdrop (javac optimised again and again: 720 s at half a processor were not enough)
#
# Extension functions graft.redefinition.*; JNI, reflection, handles, clone, heap walks and collections at fields that came later.
jdk=$1 tested=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$scratch"; mkdir -p "$scratch" && cd "$scratch" || exit 1
"$jdk/bin/javac" -nowarn -g -d classes "$here"/{Extension,Sources}.java || exit 1
native=$BUILD/tests/native
"$tested/bin/java" ${MODE_OPTIONS-} -Djava.library.path="$native" -agentpath:"$native/libagent_extension.so" -cp classes \
    redefine.Extension </dev/null >out 2>err || { echo "exit code $?"; cat out err; exit 1; }
diff "$here/extension.expected" out || exit 1
