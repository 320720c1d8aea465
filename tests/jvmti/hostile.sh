#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# What takes long to analyse ends all the same: a collection and a heap walk with a hostile method's frame on the stack, a look at its locals (before:
# minutes and gigabytes), verification (before: the product of stores, handlers and locals).  The reference does not bound the last.
. "$(dirname "$0")/common.sh"
exports=(--add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED)
"$jdk/bin/javac" -nowarn "${exports[@]}" -d classes "$here/Hostile.java" || exit 1
unverified=(-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote)
graft() { # OPTION... Hostile ARGUMENT...
    "$tested/bin/java" ${MODE_OPTIONS-} "${exports[@]}" "$(agent agent_hostile)" -Djava.library.path="$native" -cp classes "$@" 2>&1
}
same frames -Xshare:off "${unverified[@]}" "${exports[@]}" "$(agent agent_hostile)" Hostile frames 0 100
graft "${unverified[@]}" Hostile frames 10000 >hostile.out
[ "$(grep -c 'same true found true' frames.graft.out hostile.out | tr '\n' ' ')" = "frames.graft.out:6 hostile.out:3 " ] ||
    { echo "frames: not every object was found"; cat hostile.out; failed=1; }
graft Hostile verify 0 10 10000 >verify.out || { cat verify.out; exit 1; }
cat >verify.expected <<'X'
0 handlers: verified
10 handlers: verified
10000 handlers: Verification takes more than 10000 steps per byte of the method
X
diff verify.expected verify.out || failed=1
echo "$((compared + 1)) comparisons"
exit $failed
