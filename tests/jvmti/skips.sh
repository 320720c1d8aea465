#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# An agent of bci_agent.h names the methods that it leaves alone, and says why; the others of their class are counted.
. "$(dirname "$0")/common.sh"
count=18 told=16
{
    echo 'class Skipped { static void small() { }'
    for k in $(seq $count); do     # 65,532 bytes of code
        echo "static void big$k(int a) { int i = 0;"; yes 'i++;' | head -21843; echo '}'
    done
    echo 'public static void main(String[] a) { small(); small(); } }'
} >Skipped.java
compile Skipped.java
same skips "-agentpath:$BUILD/samples/libentries.so=Skipped" Skipped
said=skips.graft.err
grep -q '^3 calls in 1 classes$' skips.graft.out || { echo "wrong count:"; cat skips.graft.out; failed=1; }
for k in $(seq $told); do
    grep -qF "sample/Entries: Skipped.big$k(I)V left as it is: code would be 655" $said || { echo "big$k is not told"; failed=1; }
done
[ "$(wc -l <$said)" = $((told + 2)) ] || { echo "wrong number of lines:"; cat $said; failed=1; }
exit $failed
