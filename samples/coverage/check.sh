#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commands of the README, on both VMs; the table and the coloured source are there.
set -u
jdk=$1 tested=$2 scratch=$3 bad=0
here=$(cd "$(dirname "$0")" && pwd)
"$jdk/bin/javac" -g -d "$scratch" "$here/Parking.java" || exit 1
for home in "$jdk" "$tested"; do
    got=$("$home/bin/java" "-agentpath:$BUILD/agents/libgraft-coverage.so=file=$scratch/c.dat,summary,html=$scratch/html,source=$here" \
        -cp "$scratch" Parking 2>"$scratch/err")
    [ "$got" = "income 23" ] || { echo "$home: $got"; bad=1; }
    grep -q 'total: 2 classes, 14 lines' "$scratch/err" || { echo "$home:"; cat "$scratch/err"; bad=1; }
    grep -q 'class=m' "$scratch/html/default/Parking.java.html" || { echo "$home: no missed line in the HTML"; bad=1; }
done
"$BUILD/bin/graft-coverage" report "$scratch/c.dat" --lcov=- --no-summary | grep -q '^SF:Parking.java' || { echo "no LCOV"; bad=1; }
exit $bad
