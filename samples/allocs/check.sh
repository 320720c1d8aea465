#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The agent's report is the same on both VMs.
set -u
jdk=$1 tested=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd)
"$jdk/bin/javac" -d "$scratch" "$here/HelloAllocs.java" || exit 1
want=$(cat "$here/expected.txt")
failed=0
for java in "$jdk" "$tested"; do
    [ -x "$java/bin/java" ] || { echo "no java in $java"; failed=1; continue; }
    got=$("$java/bin/java" -Xverify:all -agentpath:"$BUILD/samples/liballocs.so=HelloAllocs" -cp "$scratch" HelloAllocs 2>&1)
    [ "$got" = "$want" ] || { echo "$java:"; diff <(echo "$want") <(echo "$got"); failed=1; }
done
exit $failed
