#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# modes: !gcstress
# timeout: 120
# References of all strengths against a model.
. "$(dirname "$0")/common.sh"
stress -Xmx48m RefChurn 2 -- "all cleared and queued"
