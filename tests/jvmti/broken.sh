#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Breakpoints in compiled code: at each location of hot methods, and what their callbacks do there.
. "$(dirname "$0")/common.sh"
compile "$here/Broken.java"
same broken -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:-BackgroundCompilation -XX:CompileThreshold=50 "$(agent agent_broken)" Broken
same leaving -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -Xcomp -XX:DeoptimizeInterval=3 -Dhot=20 "$(agent agent_broken)" Broken

# Two environments: the reference lets one have breakpoints, for a while after it was disposed of; interpreted and compiled code must agree.
run() { "$tested/bin/java" "$@" -XX:-BackgroundCompilation -XX:CompileThreshold=50 -Dtwo=true "$(agent agent_broken=two)" -cp classes \
    -Djava.library.path="$native" Broken 2>&1; }
run -Xint >two.int
run >two.jit
grep -q done two.int && diff two.int two.jit >two.diff || { echo "two environments:"; head -20 two.diff; failed=1; }
exit $failed
