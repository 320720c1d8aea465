#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# modes: !gcstress
# timeout: 180
# Tools do everything they can to a program that runs: tags, heap walks, events, breakpoints, watches, suspension, retransformation,
# while classes and threads come and go.
. "$(dirname "$0")/common.sh"
stress "-Xmx128m -agentpath:$BUILD/tests/native/libagent_meddle.so" Meddled 2000 -- "results right"
