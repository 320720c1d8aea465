#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Loading constraints after a change of shape. On our VM alone: the reference adds no methods.
. "$(dirname "$0")/common.sh"
agent redefine.Constraints
"$tested/bin/java" ${MODE_OPTIONS-} -XX:+EnhancedRedefinition -Xlog:redefine+class:file=log -javaagent:agent.jar -cp classes redefine.Constraints >out 2>err
echo "exit $?" >>out
grep -o 'refused: LOADERS.*' log >>out
diff - out <<'E' || { head -20 err; exit 1; }
overridden by another loader's: refused
methods 0
one that says the same: accepted
implemented by another loader's: refused
another superclass: refused
the same class: accepted, sub
not loaded yet: accepted
then: java.lang.LinkageError: loader constraint violation
by neither: accepted
then: class T, java.lang.LinkageError: loader constraint violation
exit 0
refused: LOADERS: Base, or what inherits from it, would override a method of a loader to which a type means another class: java.lang.String Sub.f(T)
refused: LOADERS: Face, or what inherits from it, would override a method of a loader to which a type means another class: java.lang.String Sub.f(T)
refused: LOADERS: Middle, or what inherits from it, would override a method of a loader to which a type means another class: java.lang.String Sub.f(T)
E
