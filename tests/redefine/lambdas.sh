#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# Many redefinitions of a class with lambdas: the number of classes stays flat. On our VM alone: the reference keeps them all.
. "$(dirname "$0")/common.sh"
mkdir -p other && sed 's/return 1;/return 10;/' "$here/LambdaFlat.java" >LambdaFlat.java &&
    "$jdk/bin/javac" -nowarn -g -d other LambdaFlat.java || exit 1
rounds=3000
[ -n "${FULL-}" ] && rounds=10000
[ -n "${MODE_OPTIONS-}" ] && rounds=500
[[ ${MODE_OPTIONS-} = *GCStress* ]] && rounds=30
agent redefine.LambdaFlat
"$tested/bin/java" ${MODE_OPTIONS-} -Xmx256m -javaagent:agent.jar -cp classes redefine.LambdaFlat $rounds other >out 2>err
echo "exit $?" >>out
diff - out <<'E' || { head -20 err; exit 1; }
wrong 0, lambdas linked each round true, classes left over few, at most some
exit 0
E
