#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: libcommons-math3-java libh2-java
#
# jdeps: packages, modules, dot files, generated module-info; jdeprscan; serialver.
. "$(dirname "$0")/common.sh"
need $share/commons-math3.jar $share/h2.jar
run() {
    "$1/bin/jdeps" $J -s $share/commons-math3.jar &&
        "$1/bin/jdeps" $J --ignore-missing-deps --print-module-deps $share/h2.jar
    "$1/bin/jdeps" $J -v $share/commons-math3.jar | head -2000
    "$1/bin/jdeps" $J -dotoutput dots $share/commons-math3.jar &&
        "$1/bin/jdeps" $J --generate-module-info made $share/commons-math3.jar &&
        "$1/bin/jdeps" $J --jdk-internals $share/h2.jar
    "$1/bin/serialver" $J java.lang.String java.util.HashMap java.util.ArrayList javax.naming.NamingException java.lang.Object
    "$1/bin/jdeprscan" $J --class-path $share/commons-math3.jar --release 17 org.apache.commons.math3.Field
    "$1/bin/jdeprscan" $J --list --release 11 | sort
}
compare run 0
