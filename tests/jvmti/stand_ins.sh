#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Entries, breakpoints, watched fields and replaced natives where compiled code has C or machine code in place of the call.
. "$(dirname "$0")/common.sh"
compile "$here/StandIns.java"
graft_only=-XX:+IgnoreUnrecognizedVMOptions\ -XX:+UseBaseCompiler\ -XX:-BackgroundCompilation
same stand_ins -Xlog:jni+resolve=off $graft_only -XX:CompileThreshold=2 "$(agent agent_stand_ins)" StandIns
same interpreted -Xlog:jni+resolve=off -Xint "$(agent agent_stand_ins)" StandIns
echo "$compared comparisons, $(grep -c '^  ' stand_ins.hotspot.out) counts"
exit $failed
