#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# modes: !gcstress
# timeout: 120
# Classes come and go; memory stays flat.
. "$(dirname "$0")/common.sh"
stress -Xmx128m ClassChurn 6000 -- flat
