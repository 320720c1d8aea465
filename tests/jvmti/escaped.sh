#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Objects that compiled code does without, in locals of a suspended thread: they are there, and what is changed in them counts.
. "$(dirname "$0")/common.sh"
compile "$here/Escaped.java"
same escaped "$(agent agent_escaped)" Escaped
same optimised -XX:+IgnoreUnrecognizedVMOptions -XX:+UseOptimizingCompiler -XX:CompileThreshold=100 "$(agent agent_escaped)" Escaped
same all -XX:+IgnoreUnrecognizedVMOptions -Xcomp -XX:+OptimizeAll "$(agent agent_escaped)" Escaped
exit $failed
