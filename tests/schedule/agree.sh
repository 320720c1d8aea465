#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Loading constraints: a class is defined between its check and its record, or between a look at the loaders and the promise, while
# another thread makes the loaders promise the opposite. One of the two fails.
. "$(dirname "$0")/common.sh"
compile "$here/Agree.java"
{
    scheduled "constraint_before_record@definer>constraint_agreed" Agree definer
    scheduled "constraint_before_look@linker>constraint_recorded" Agree linker
} >out 2>&1
yes "one of them fails" | head -4 | diff out -
