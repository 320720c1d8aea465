#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# modes: !gcstress
# timeout: 900
# Instrument, change, remove over 200 classes while 8 threads run them; at full length: tests/stress/soak redefinition.
. "$(dirname "$0")/common.sh"
kept compiled "$work/storm" -- "$jdk/bin/java" -cp "$work" InstrumentStorm compile "$work/storm" && cp "$work"/storm/1/*.class "$work" || exit 1
rounds=5
[ -n "${MODE_OPTIONS-}" ] && rounds=3
stress "-Xmx256m -agentpath:$BUILD/tests/native/libagent_storm.so" \
    InstrumentStorm run "$work/storm" $rounds -- "results right" "bytes as given" "probes came and went" "classes flat"
