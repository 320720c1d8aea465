#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# modes: !gcstress
# timeout: 120
# Threads in hot code, compiled or not, are suspended at random places: their locals are set to what they are, frames run again (PopFrame), pops
# notified, exceptions sent, single steps turned on and off. Nobody's result may change.
. "$(dirname "$0")/common.sh"
"$jdk/bin/javac" -g -nowarn -d "$work" "$here/Shove.java" # GetLocal asks the table of variables
stress "-agentpath:$BUILD/tests/native/libagent_shove.so" Shove 4000 -- "results right"
