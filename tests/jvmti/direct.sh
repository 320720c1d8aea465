#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Callbacks that compiled code calls without asking anybody else, and what they do there: references, exceptions, early returns,
# listeners that come and go.
. "$(dirname "$0")/common.sh"
compile "$here/Direct.java"
same direct -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:-BackgroundCompilation -XX:CompileThreshold=100 "$(agent agent_direct)" Direct
same leaving -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -Xcomp -XX:DeoptimizeInterval=3 "$(agent agent_direct)" Direct
exit $failed
