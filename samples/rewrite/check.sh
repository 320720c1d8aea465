#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The agent makes Hello name its methods; the program's own output stays.
set -u
jdk=$1 tested=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd)
"$jdk/bin/javac" -d "$scratch" "$here/Hello.java" || exit 1
want=$'> Hello.main\n> Hello.<init>\n> Hello.twice\n42'
failed=0
for java in "$jdk" "$tested"; do
    [ -x "$java/bin/java" ] || { echo "no java in $java"; failed=1; continue; }
    got=$("$java/bin/java" -Xverify:all -agentpath:"$BUILD/samples/librewrite.so" -cp "$scratch" Hello 2>&1)
    [ "$got" = "$want" ] || { echo "$java:"; echo "$got"; failed=1; }
done
exit $failed
