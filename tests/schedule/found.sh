#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# A class that can be found is among the subclasses of its superclass: what code relies on while the definer has not come back.
. "$(dirname "$0")/common.sh"
compile "$here/Found.java"
scheduled "constraint_recorded@definer>constraint_before_record" -Xcomp -XX:+OptimizeAll Found >out 2>&1
echo "200000 2 2" | diff out -
