#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Entries and exits of hot methods: of all threads, of one, switched on and off, with frames of either kind, out of callbacks,
# and where code is left at every second chance.
. "$(dirname "$0")/common.sh"
compile "$here/Reported.java"
same reported -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:-BackgroundCompilation -XX:CompileThreshold=100 "$(agent agent_reported)" Reported
same batch -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -Xcomp "$(agent agent_reported)" Reported
same leaving -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -Xcomp -XX:DeoptimizeInterval=2 "$(agent agent_reported)" Reported
exit $failed
