#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Entries and exits of hot methods: of all threads, of one, switched on and off, with frames of either kind, out of callbacks.
. "$(dirname "$0")/common.sh"
compile "$here/Reported.java"
same reported -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:-BackgroundCompilation -XX:CompileThreshold=100 "$(agent agent_reported)" Reported
same batch -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -Xcomp "$(agent agent_reported)" Reported
exit $failed
