#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 60
#
# Constants of an enum that ecj compiled come and change their order: ordinals, sets and maps follow.
. "$(dirname "$0")/common.sh"
ecj=/usr/share/java/eclipse-jdt-core.jar
[ -f $ecj ] || { echo "$ecj is not there"; exit 77; }
agent EcjEnum
mkdir old new
for side in old new; do
    [ $side = old ] && rows="A, B, C" || rows="N, C, B, A, Z"
    echo "public enum Plain { $rows }" >$side/Plain.java
    echo "public enum Bodies { ${rows//A/A { int f() { return 1; \} \}}; int f() { return 0; } static final int X = values().length; }" >$side/Bodies.java
    "$jdk/bin/java" -cp $ecj org.eclipse.jdt.internal.compiler.batch.Main -17 -g -nowarn -proc:none -d $side $side/Plain.java $side/Bodies.java || exit 1
done
"$tested/bin/java" ${MODE_OPTIONS-} -XX:+EnhancedRedefinition -javaagent:agent.jar -cp classes:old EcjEnum new/Plain.class new/Bodies.class >out 2>&1
printf '%s\n' '[N, C, B, A, Z] 31 [C, A] {C=3, A=1} [N, B, Z]' '[N, C, B, A, Z] 31 [C, A] {C=3, A=1} [N, B, Z]' | diff out -
