#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 240
# The same program, the same agent binary: the data files of both VMs hold the same. commons-lang3 with some 15,000
# calls, without the timers of its package concurrent; left out is the one class whose branches depend on when the collector clears a WeakHashMap.
set -eu
jdk=$1 tested=$2
export JDK=$1 OUT=$3
. tests/coverage/common.sh
library lang3 .
mkdir -p "$OUT/cwd"     # Poke leaves files behind
. "tests/answers.sh"
answer_agents=1
for vm in ref our; do
    [ $vm = our ] || ! settled "$OUT"/ref.{out,dump} || continue
    [ $vm = ref ] && home=$jdk || home=$tested
    (cd "$OUT/cwd" && "$home/bin/java" "-agentpath:$BUILD/agents/libgraft-coverage.so=file=$OUT/$vm.dat,quiet,include=org.apache.*" \
        "-Dpoke.skip=.*[.]concurrent[.].*" -cp "$OUT:$OUT/lang3" Poke "$OUT/lang3.list") > "$OUT/$vm.out"
    "$BUILD/bin/graft-coverage" dump "$OUT/$vm.dat" | grep -v 'builder/ToStringStyle ' > "$OUT/$vm.dump"
    [ $vm = our ] || settle
done
diff "$OUT/ref.out" "$OUT/our.out"
[ "$(wc -l < "$OUT/ref.dump")" -gt 280 ] || { echo "too few classes"; exit 1; }
cmp -s "$OUT/ref.dump" "$OUT/our.dump" || { diff "$OUT/ref.dump" "$OUT/our.dump" | cut -c1-160 | head; exit 1; }
