# SPDX-License-Identifier: Apache-2.0
#
# Sourced by each program test: NAME.sh REFERENCE_JDK TESTED_JDK SCRATCH_FOLDER
#
#   compare FUNCTION [CODE]   runs "FUNCTION HOME" with both JDKs, each in a fresh folder, and compares
#                             standard output, standard error, exit code and every file left behind
#   jars, driver, vm          below: the class path of a library, a main program that calls it, running it
#
# The tag "# packages:" names the Debian packages of the program; setup.sh reads it.
# Inside FUNCTION: $O are the VM options of the mode under test (empty for the reference), $J the
# same for the launchers of tools (-J...). Only relative paths and sources outside $work are used, so
# that output does not name the side.
set -u
ref=$1 jvm=$2 work=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
src=$(cd "$here/../.." && pwd)/build/sources
share=/usr/share/java
rm -rf "$work"; mkdir -p "$work"
. "$here/../answers.sh"
answer_inputs=$work

need() { # files that must exist, or the test cannot run here
    local f
    for f in "$@"; do
        [ -e "$f" ] || { echo "$f is missing; packages: $(sed -n 's/^# packages: //p' "$0" | tr '\n' ' ')"; exit 77; }
    done
}

cp=
jars() { # names (patterns) of jars in $share: they must exist and become the class path $cp
    local name
    for name in "$@"; do need $share/$name.jar; cp+=$(ls $share/$name.jar | tr '\n' ':'); done
}

driver() { # NAME [javac option...]: compiles standard input as NAME.java against $cp
    local name=$1; shift
    cat >"$work/$name.java"
    prepare -proc:none -cp "$cp$work/classes" "$@" "$work/$name.java"
}

vm() { # HOME argument...: java on $cp and the compiled drivers, with the options of the mode
    local home=$1; shift
    "$home/bin/java" $O -cp "$cp$work/classes" "$@"
}

wait_for() { # file: until a program started in the background has written it
    local i
    for i in $(seq 600); do [ -s "$1" ] && return; sleep 0.1; done
    echo "$1 did not appear"; return 1
}

run_side() { # name home function; both sides run in a folder of the same name
    local dir=$work/side
    mkdir -p "$dir/files"
    O= J=
    [ "$1" = ref ] || { O=${MODE_OPTIONS-}; J=$(printf -- '-J%s ' $O); [ -n "$O" ] || J=; }
    (cd "$dir/files" && JAVA_HOME=$2 "$3" "$2" >../stdout 2>../stderr </dev/null)
    echo $? >"$dir/exitcode"
    mv "$dir" "$work/$1"
}

compare() { # function [expected exit code]
    compare_function=$1 compare_code=${2:-0}
    agreed "$*" compare_ref compare_jvm compare_judge "$work/ref" || exit 1
    rm -rf "$work/ref" "$work/jvm" "$work/diff"
}
compare_ref() { rm -rf "$work/ref"; run_side ref "$ref" "$compare_function"; }
compare_jvm() { run_side jvm "$jvm" "$compare_function"; }
compare_judge() {
    diff -r "$work/ref" "$work/jvm" >"$work/diff" || {
        echo "$compare_function differs (< HotSpot, > Graft), $(grep -c '^[<>]' "$work/diff") lines:"
        head -15 "$work/diff"
        head -5 "$work/jvm/stderr"
        return 1
    }
    [ "$(cat "$work/ref/exitcode")" = "$compare_code" ] || {
        echo "$compare_function: both exit with $(cat "$work/ref/exitcode")"; head -5 "$work/ref/stderr"; return 1
    }
}

prepare() { # compiles java files into $work/classes with the reference; -cp PATH first if needed
    "$ref/bin/javac" -nowarn -d "$work/classes" "$@" || exit 1
}
