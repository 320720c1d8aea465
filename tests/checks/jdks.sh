#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The table of docs/agents-on-jdks.md is that of the lists in tests/expected, and no list names a test that is not there.
set -u
bad=0
tests/jdks/table || bad=1
for list in tests/expected/jdk*.txt; do
    for name in $(sed '/^#/d; s/ .*//' "$list"); do [ -e "tests/$name.sh" ] || { echo "$list: no $name"; bad=1; }; done
done
exit $bad
