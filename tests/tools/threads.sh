#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Thread dumps: by SIGQUIT and by jstack -l, equal to HotSpot's for the program's own threads and
# the deadlock report, addresses and times masked.
set -u
ref=$1 tested=$2 dir=$3
. "$(dirname "$0")/common.sh"

mask() { # addresses, ids, times, hidden class numbers; then only our threads and the deadlock
    sed -E 's/0x[0-9a-f]+/0x/g; s/(cpu|elapsed)=[0-9.]+m?s/\1/g; s/#[0-9]+ /# /; s|Lambda\$[0-9]+|Lambda|g; s/ +$//' "$1" |
        awk '/^Found one Java-level/ { all = 1 }
             /^(Heap|Found 1 deadlock|JNI global refs)/ { if (/^Found/) print; all = on = 0; next }
             /^"/ { on = $1 ~ /^"(waiter|parker|holder|queued|left|right)"/ }
             all || on'
}
for vm in ref tested; do
    [ $vm = tested ] || ! settled "$dir"/ref.{quit,jstack} || continue
    start_target "${!vm}"
    kill -QUIT $pid
    for _ in $(seq 600); do grep -q '^Heap' "$dir/out" && break; sleep 0.05; done
    sleep 0.2
    grep -q '^Full thread dump' "$dir/out" || fail "$vm: no dump on SIGQUIT"
    mask "$dir/out" >"$dir/$vm.quit"
    "$ref/bin/jstack" -l $pid >"$dir/$vm.raw" || fail "$vm: jstack fails"
    mask "$dir/$vm.raw" >"$dir/$vm.jstack"
    end_target
    [ $vm = tested ] || settle
done
[ "$(wc -l <"$dir/ref.quit")" -gt 60 ] || fail "mask keeps too little"
diff "$dir/ref.quit" "$dir/tested.quit" && diff "$dir/ref.jstack" "$dir/tested.jstack"
