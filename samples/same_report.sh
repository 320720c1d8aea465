# SPDX-License-Identifier: Apache-2.0
# Shared by the samples whose agent prints a report; sourced by their check.sh with the arguments of the test, after
# `main` is set to the class that the agent watches: on both VMs the output is the folder's expected.txt.
set -u
jdk=$1 tested=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd)
"$jdk/bin/javac" -d "$scratch" "$here/$main.java" || exit 1
want=$(cat "$here/expected.txt")
failed=0
for java in "$jdk" "$tested"; do
    [ -x "$java/bin/java" ] || { echo "no java in $java"; failed=1; continue; }
    got=$("$java/bin/java" -Xverify:all -agentpath:"$BUILD/samples/lib${here##*/}.so=$main" -cp "$scratch" "$main" 2>&1)
    [ "$got" = "$want" ] || { echo "$java:"; diff <(echo "$want") <(echo "$got"); failed=1; }
done
exit $failed
