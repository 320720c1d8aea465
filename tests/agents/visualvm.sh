#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# extent: suite
#
# VisualVM's profiler, unmodified (Debian's visualvm), without its windows: its client attaches its agent to a program, calibrates, counts calls
# (classes are redefined), then objects (java.lang.Object is), and leaves.  Counts and results are the same on both VMs.  See README.md.
set -u
jdk=$1 tested=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd) home=${VISUALVM_HOME:-/usr/share/visualvm} port=$((20000 + $$ % 20000))
client=$(ls "$home"/visualvm/modules/org-graalvm-visualvm-lib-jfluid*.jar "$home"/platform/{lib,core}/*.jar 2>/dev/null | paste -sd:)
library=$home/visualvm/lib/deployed/jdk16/linux-amd64/libprofilerinterface.so
[ -n "$client" ] && [ -f "$library" ] || { echo "no VisualVM at $home (Debian package visualvm)"; exit 77; }
mkdir -p "$scratch"/home.{hotspot,graft} && cd "$scratch" || exit 1
"$jdk/bin/javac" -nowarn -cp "$client" -d . "$here"/Visual.java "$here"/Profiled.java || exit 1
for side in hotspot graft; do
    vm=$jdk; [ $side = hotspot ] || vm=$tested port=$((port + 1))
    timeout 250 "$jdk/bin/java" --add-opens java.base/java.lang=ALL-UNNAMED -Djava.awt.headless=true -Duser.home="$scratch/home.$side" \
        -cp ".:$client" Visual "$vm" "$home/visualvm/lib" $port >$side.raw 2>$side.err </dev/null
    echo "exit $?" >>$side.raw
    grep -v '^Profiler Agent: \|^Starting calibration' $side.raw >$side.out
done
grep -q '^objects .*Thing 100' hotspot.out && grep -q '^exit 0' hotspot.out || { echo "the profiler does not run on the reference:"; tail -5 hotspot.out; exit 1; }
diff hotspot.out graft.out || { echo "^ < reference, > here"; head -5 graft.err; exit 1; }
