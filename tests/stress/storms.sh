#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# modes: !gcstress
# timeout: 180
# A thousand threads contending, short threads, wait/notify/park/interrupt against a model.
. "$(dirname "$0")/common.sh"
stress -Xmx128m ThreadStorm contend 2 -- "every increment counted"
stress -Xmx128m ThreadStorm short 2 -- "every thread ran"
stress -Xmx128m ThreadStorm signals 2 -- "every message arrived once" "interrupts seen" "the token went round"
