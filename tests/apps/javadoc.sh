#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# extent: suite
#
# javadoc of a package of commons-lang3: every page the same.
. "$(dirname "$0")/common.sh"
need "$src/lang3"
run() {
    "$1/bin/javadoc" $J -quiet -notimestamp -Xdoclint:none -encoding UTF-8 -d html -sourcepath "$src/lang3" \
        org.apache.commons.lang3.tuple org.apache.commons.lang3.mutable
    local code=$?
    rm -rf html/legal html/jquery html/script-dir      # copies of files of the JDK
    return $code
}
compare run
