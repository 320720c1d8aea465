#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# modes: !gcstress
# timeout: 120
# A bit of everything at once, checked; here only for moments.
. "$(dirname "$0")/common.sh"
stress -Xmx128m Soak 4 -- "all right" flat
