#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
# The demo on both VMs: new code in the next request, the count goes on. HotSpot can only change bodies and refuses the added
# field by its name; Graft takes it.
set -u
jdk=$1 tested=$2 scratch=$3 bad=0
here=$(cd "$(dirname "$0")" && pwd)
requests='Welcome, visitor 1
Welcome, visitor 2
Nice to see you, number 3
Nice to see you, number 4
[hotswap] swapped 1 class in N ms
[hotswap]   HotPage: changed: text(int)'
refused='[hotswap] refused 1 of 1 class; nothing was changed
[hotswap]   HotPage: field added: int added (this VM cannot change the fields of a loaded class)'
taken='[hotswap] swapped 1 class in N ms
[hotswap]   HotPage: field added: int added'
. "$here/../../tests/answers.sh"
answer_agents=1
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk last=$refused
    [ $side = graft ] && home=$tested last=$taken
    "$here/demo.sh" "$home" "$BUILD/agents/libgraft-hotswap.so" "$scratch/$side" "$jdk/bin/javac" 2>&1 |
        sed 's/in [0-9.]* ms/in N ms/' >"$scratch/out"
    diff <(echo "$requests"; echo "$last") "$scratch/out" || { echo "$side differs"; bad=1; }
    [ $side = graft ] || failed=$bad settle
done
exit $bad
