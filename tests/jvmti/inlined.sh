#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Breakpoints, watches, locals, frame pops and forced returns in methods that are inlined into hot callers.
. "$(dirname "$0")/common.sh"
compile "$here/Inlined.java"
same inlined -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:-BackgroundCompilation "$(agent agent_inlined)" Inlined
same batch -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -Xcomp "$(agent agent_inlined)" Inlined
exit $failed
