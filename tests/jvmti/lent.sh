#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Objects that compiled code makes for frames alone: an agent comes that reads locals, and changes one.
. "$(dirname "$0")/common.sh"
compile "$here/Lent.java"
same lent "$(agent agent_lent)" Lent
same optimised -XX:+IgnoreUnrecognizedVMOptions -XX:+UseOptimizingCompiler -XX:CompileThreshold=100 "$(agent agent_lent)" Lent
same all -XX:+IgnoreUnrecognizedVMOptions -Xcomp -XX:+OptimizeAll "$(agent agent_lent)" Lent
exit $failed
