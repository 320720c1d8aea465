#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# The superclass of a class that is being linked gets other methods while the linking thread waits for its pause: the tables are made once more.
. "$(dirname "$0")/common.sh"
compile "$here/Linked.java"
mkdir -p source other
sed 's/public int call() { return f(); }/public int g() { return 10; } public int h() { return 20; } public int call() { return f() + g() + h(); }/
    s/class Other { }/class Other { int i() { return 1; } }/' "$here/Linked.java" >source/Linked.java
"$jdk/bin/javac" -nowarn -g -d other source/Linked.java || exit 1
printf 'Premain-Class: Linked\nCan-Redefine-Classes: true\n' >manifest
"$jdk/bin/jar" cfm agent.jar manifest || exit 1
scheduled "link_before_pause@linker>redefinition_before_pause" -Xcomp -XX:+OptimizeAll -XX:+EnhancedRedefinition -javaagent:agent.jar \
    Linked 'other/Linked$A.class' 'other/Linked$Other.class' >out 2>&1
echo "200000 2 32" | diff out -
