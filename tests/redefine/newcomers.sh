#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Subclasses are defined while their superclass gets another one. On our VM alone: the reference keeps superclasses.
. "$(dirname "$0")/common.sh"
rounds=400
[ -n "${FULL-}" ] && rounds=10000
[[ ${MODE_OPTIONS-} = *GCStress* ]] && rounds=20
agent redefine.Newcomers
"$tested/bin/java" ${MODE_OPTIONS-} -XX:+EnhancedRedefinition -Xmx64m -javaagent:agent.jar -cp classes redefine.Newcomers $rounds >out 2>err
code=$?
cat out
[ $code = 0 ] && [ "$(cat out)" = right ] || { tail -20 err; exit 1; }
cat err
