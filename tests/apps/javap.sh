#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# packages: libcommons-math3-java
#
# javap -c -p -l on 200 classes of a jar, javap -v on some of java.base.
. "$(dirname "$0")/common.sh"
need $share/commons-math3.jar
classes=$("$ref/bin/jar" tf $share/commons-math3.jar | grep '\.class$' | sort | awk 'NR % 5 == 0' | head -200 | sed 's/\.class$//')
[ "$(wc -w <<<"$classes")" = 200 ] || { echo "not 200 classes"; exit 1; }
run() {
    "$1/bin/javap" $J -c -p -l -cp $share/commons-math3.jar $classes &&
        "$1/bin/javap" $J -v -p java.lang.Object java.util.HashMap java.lang.invoke.MethodHandle | grep -v -e 'Last modified' -e ^Classfile
}
compare run
