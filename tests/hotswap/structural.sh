#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Edits that JVM TI does not know: a VM that offers redefinition without limits takes them, with state kept, and says why when
# it does not; the reference refuses them and goes on.
. "$(dirname "$0")/common.sh"
base graft
server "watch=$dir,verbose"
await 'watching'
grep -q 'members and super types may change' "$log" || { stop; echo "this VM offers no more than JVM TI"; exit 77; }
ask 'greet a' 'Hello a 1. 1'
greeter Hi 'int twice(int a) { return 2 * a; } int extra = twice(4);' 'public class Greeter implements Runnable { public void run() { }'
build "$src/Greeter.java"
await 'swapped 1 class in'
await '  Greeter: .*method added: int twice(int)'
ask 'greet b' 'Hi b 2. 2'
stop
finish
