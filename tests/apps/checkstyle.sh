#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# packages: checkstyle libcommons-lang3-java
# extent: suite
#
# Checkstyle with its own configurations over a source tree.
. "$(dirname "$0")/common.sh"
jars checkstyle antlr4-runtime antlr commons-beanutils commons-collections3 commons-logging picocli guava Saxon-HE
need "$src/lang3"
run() {
    local c
    for c in sun google; do
        vm "$1" com.puppycrawl.tools.checkstyle.Main -c /${c}_checks.xml "$src/lang3/org/apache/commons/lang3/mutable" "$src/lang3/org/apache/commons/lang3/BooleanUtils.java"
        echo "exit $?"
    done
    vm "$1" com.puppycrawl.tools.checkstyle.Main -t "$src/lang3/org/apache/commons/lang3/CharUtils.java"
    vm "$1" com.puppycrawl.tools.checkstyle.Main -c missing.xml "$src/lang3/org/apache/commons/lang3/CharUtils.java"
}
compare run 255
