#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
# modes: !gcstress
#
# Random edits without limits of classes that threads run (Storm.java): no crash, kept state stays, nothing is refused while
# nobody runs them. STORM_SEED and STORM_EDITS make it another or a longer one.
jdk=$1 tested=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$scratch"; mkdir -p "$scratch" && cd "$scratch" || exit 1
"$jdk/bin/javac" -nowarn -g -d classes "$here/Storm.java" || exit 1
printf 'Premain-Class: redefine.Storm\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n' >manifest
. "$here/../answers.sh"
kept agent agent.jar -- "$jdk/bin/jar" cfm agent.jar manifest || exit 1
kept edits edits.bin -- "$jdk/bin/java" -cp classes redefine.Storm compile "${STORM_SEED-7}" 20 edits.bin || exit 1
"$tested/bin/java" ${MODE_OPTIONS-} -XX:+EnhancedRedefinition -Xlog:redefine+class:file=redefine.log -javaagent:agent.jar -cp classes \
    redefine.Storm edits.bin "${STORM_EDITS-60}" </dev/null >out 2>err || { echo "exit code $?"; cat out err; exit 1; }
cat out
grep -q 'kept state right; refused while nobody ran: {}' out
