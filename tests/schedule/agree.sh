#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Loading constraints: a class is defined between its check and its record, or between a look at the loaders and the promise, while
# another thread makes the loaders promise the opposite. One of the two fails.
. "$(dirname "$0")/common.sh"
compile "$here/Agree.java"
one() { # rule, thread that comes first
    scheduled "$1" Agree "$2" >out 2>&1
    echo "$2 first: $(cat out)"
}
{
    one "constraint_before_record@definer>constraint_agreed" definer
    one "constraint_before_look@linker>constraint_recorded" linker
} >all
diff all - <<'END'
definer first: one of them
linker first: one of them
END
