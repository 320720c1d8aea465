#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# extent: suite
#
# jmod describes and hashes; jlink makes an image whose files are the same and which starts; jimage lists it.
. "$(dirname "$0")/common.sh"
need "$ref/jmods/java.logging.jmod"
run() {
    "$1/bin/jmod" $J describe "$ref/jmods/java.logging.jmod" || return 1
    "$1/bin/jmod" $J list "$ref/jmods/java.logging.jmod" || return 1
    "$1/bin/jlink" $J --module-path "$ref/jmods" --add-modules java.base,java.logging --output made \
        --no-header-files --no-man-pages --compress=1 2>&1 || return 1
    (cd made && find . -type f | sort | xargs sha256sum) >sums
    made/bin/java --list-modules || return 1
    "$1/bin/jimage" $J list made/lib/modules | md5sum
    "$1/bin/jimage" $J verify made/lib/modules || return 1
    rm -rf made
}
compare run
