#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packages: curl
needs=/usr/bin/curl
text=agents/hotswap/README.md
. "$(dirname "$0")/common.sh"
