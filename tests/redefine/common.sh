# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the scripts here: NAME.sh REFERENCE_JDK TESTED_JDK SCRATCH_FOLDER. Prepares classes (the program), agent.jar
# (it is its own agent) and cases (compiled, see Matrix.java).
#
#   matrix JAVA_HOME "OPTIONS" ARGS...    runs the program
set -u
jdk=$1 tested=$2 scratch=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf "$scratch"; mkdir -p "$scratch" && cd "$scratch" || exit 1
"$jdk/bin/javac" -nowarn -g -d classes "$here/Matrix.java" "$here/Check.java" || exit 1
printf 'Premain-Class: redefine.Matrix\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n' >manifest
"$jdk/bin/jar" cfm agent.jar manifest || exit 1
"$jdk/bin/java" -cp classes redefine.Matrix compile cases "$here"/*.cases || exit 1

matrix() {
    local home=$1 options=$2; shift 2
    "$home/bin/java" $options -javaagent:agent.jar -cp classes redefine.Matrix "$@" </dev/null
}
