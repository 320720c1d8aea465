#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Classes that rely on a superclass are loaded while it goes away. On our VM alone: the reference keeps superclasses.
. "$(dirname "$0")/common.sh"
rounds=200
[ -n "${FULL-}" ] && rounds=5000
[[ ${MODE_OPTIONS-} = *GCStress* ]] && rounds=10
agent redefine.Reliant
"$tested/bin/java" ${MODE_OPTIONS-} -XX:+EnhancedRedefinition -Xmx64m -javaagent:agent.jar -cp classes redefine.Reliant $rounds >out 2>err
code=$?
cat out
[ $code = 0 ] || { tail -20 err; exit 1; }
cat err
