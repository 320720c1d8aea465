#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
# commons-lang3: at least 99.5 % of the lines have JaCoCo's status; differences are listed.
set -eu
export JDK=$1 OUT=$3 INCLUDE='org.apache.*'
. tests/coverage/common.sh
library lang3 .
tests/coverage/compare_jacoco.sh lang3.cmp 99.5 "$OUT/lang3" -cp "$OUT:$OUT/lang3" Poke "$OUT/lang3.list"
