#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# Random programs of threads that share fields (races.py) show no outcome that the memory model forbids: interpreted, compiled, optimised at once and in time.
# With no outcome allowed each of them fails. By hand: with `volatile int v, w, f` made plain, three programs of three show some that are forbidden.
. "$(dirname "$0")/common.sh"
begin races 1 100
modes "-Xint -Drounds=3" "-Xcomp -XX:-UseOptimizingCompiler -Drounds=10" "-Xcomp -XX:+OptimizeAll -Drounds=10" "-Drounds=40"
judge() {
    local mode
    for mode in "${modes[@]}"; do
        timeout 200 "$tested/bin/java" $mode -cp . Main >told 2>err && continue
        wrong Main "$mode, exit status $?" # 124: a thread waits for ever
        head -5 told; grep -v outcomes err | head -5
    done
    mkdir -p none
    sed 's/ALLOWED\.split/"".split/' Main.java >none/Main.java && "$jdk/bin/javac" -nowarn none/Main.java
    "$tested/bin/java" -Drounds=1 -cp none Main >told 2>&1 && wrong Main "nothing is allowed, and nothing is told"
}
each races.py Main judge
exit $bad
