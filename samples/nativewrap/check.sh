#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The agent's report is the same on both VMs.
set -u
jdk=$1 tested=$2 scratch=$3 failed=0
here=$(cd "$(dirname "$0")" && pwd) lib=$BUILD/samples/libnativewrap.so
"$jdk/bin/javac" -d "$scratch" "$here/HelloNatives.java" || exit 1
for java in "$jdk" "$tested"; do
    "$java/bin/java" -Xverify:all -agentpath:"$lib=HelloNatives.twice*" -cp "$scratch" HelloNatives "$lib" >"$scratch/out" 2>"$scratch/err"
    [ "$(cat "$scratch/out")" = $'native twice\nback from twice\n42\non purpose, called true' ] ||
        { echo "$java, one method:"; head -5 "$scratch/out" "$scratch/err"; failed=1; }
    "$java/bin/java" -Xverify:all -agentpath:"$lib=HelloNatives" -cp "$scratch" HelloNatives "$lib" >"$scratch/out" 2>"$scratch/err"
    grep -v -e ' main$' -e ' <init>$' "$scratch/out" | diff "$here/expected.txt" - || { echo "$java"; head -5 "$scratch/err"; failed=1; }
done
exit $failed
