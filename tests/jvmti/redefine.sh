#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
#
# RedefineClasses and RetransformClasses: what is refused and in which order, what reaches the new version, frames of old
# code, chains of hooks, redefinition inside hooks and of the classes that everything uses, under load, memory.
. "$(dirname "$0")/common.sh"
compile "$here/Redefine.java" "$here/RedefineTargets.java"
mkdir -p classes2 && sed 's/version1/version2/g; s,//only2,,' "$here/RedefineTargets.java" >RedefineTargets.java &&
    "$jdk/bin/javac" -nowarn -g -d classes2 -cp classes RedefineTargets.java || exit 1
same use "$(agent agent_redefine)" Redefine use
same errors "$(agent agent_redefine)" Redefine errors
same pairs "$(agent agent_redefine)" Redefine pairs
same noted "$(agent agent_redefine)" Redefine noted
same active "$(agent agent_redefine)" Redefine active
same break "$(agent agent_redefine)" Redefine break
same hooks "$(agent agent_redefine)" Redefine hooks
same jdk "$(agent agent_redefine)" Redefine jdk
for letters in A a aB Ab ABab aAbB AbaB bBAa; do
    same chain_$letters "$(agent agent_redefine=chain=$letters)" Redefine chain $letters
done
rounds=200 many=30000 # 280 bytes a round would be seen
[ -n "${MODE_OPTIONS-}" ] && rounds=20 many=1600 # modes cost
same storm "$(agent agent_redefine)" Redefine storm $rounds 4
# memory: ours alone, the reference grows
"$tested/bin/java" ${MODE_OPTIONS-} -Xmx64m -cp classes "$(agent agent_redefine)" Redefine many $many >many.out 2>&1
grep -q 'traces true, grown by less than 8 MB: true' many.out || { echo "many:"; cat many.out; failed=1; }
echo "$compared comparisons"
exit $failed
