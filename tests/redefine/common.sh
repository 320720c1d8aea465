# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the scripts here: NAME.sh REFERENCE_JDK TESTED_JDK SCRATCH_FOLDER. The programs are in classes.
#
#   agent CLASS                           makes agent.jar: the program is its own agent
#   cases                                 compiles the cases (Matrix.java)
#   race CLASS ROUNDS FULL STRESSED       runs it, its own agent, without limits: rounds as a rule, with FULL, under GCStress
#   matrix JAVA_HOME "OPTIONS" ARGS...    runs Matrix
set -u
jdk=$1 tested=$2 scratch=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf "$scratch"; mkdir -p "$scratch" && cd "$scratch" || exit 1
. "$here/../answers.sh"
"$jdk/bin/javac" -nowarn -g -d classes "$here"/*.java || exit 1

agent() {
    printf 'Premain-Class: %s\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n' "$1" >manifest
    kept "agent $1" agent.jar -- "$jdk/bin/jar" cfm agent.jar manifest || exit 1
}
cases() {
    agent redefine.Matrix
    kept cases cases -- "$jdk/bin/java" -cp classes redefine.Matrix compile cases "$here"/*.cases || exit 1
}
matrix() {
    local home=$1 options=$2; shift 2
    "$home/bin/java" $options -javaagent:agent.jar -cp classes redefine.Matrix "$@" </dev/null
}
race() {
    local rounds=$2
    [ -z "${FULL-}" ] || rounds=$3
    [[ ${MODE_OPTIONS-} != *GCStress* ]] || rounds=$4
    agent "$1"
    "$tested/bin/java" ${MODE_OPTIONS-} -XX:+EnhancedRedefinition -Xmx64m -javaagent:agent.jar -cp classes "$1" "$rounds" >out 2>err || { cat out; tail -20 err; exit 1; }
    cat out err
}
