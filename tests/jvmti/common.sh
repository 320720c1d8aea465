# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the scripts here: NAME.sh REFERENCE_JDK TESTED_JDK SCRATCH_FOLDER
#
#   same LABEL WORD...     runs java WORD... on both VMs, each in its own folder with the same content;
#                          standard output, standard error and exit code must be equal
#   agent NAME[=OPTIONS]   prints the option that loads tests/jvmti/NAME.c
# A label may be followed by "filter=PROGRAM": both outputs go through it first.
set -u
jdk=$1 tested=$2 scratch=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
native=$BUILD/tests/native
failed=0 compared=0
. "$here/../answers.sh"
answer_inputs=. answer_agents=1
mkdir -p "$scratch/classes" && cd "$scratch" || exit 1

agent() { echo "-agentpath:$native/lib${1%%=*}.so$(case $1 in *=*) echo "=${1#*=}" ;; esac)"; }
compile() { "$jdk/bin/javac" -nowarn -g -d classes "$@" || exit 1; }

# CLASS under its agent as it comes, soon optimised, and with all code optimised at once.
same_optimised() {
    compile "$here/$1.java"
    same "$1" "$(agent "$2")" "$1"
    same optimised -XX:+IgnoreUnrecognizedVMOptions -XX:+UseOptimizingCompiler -XX:CompileThreshold=100 "$(agent "$2")" "$1"
    same all -XX:+IgnoreUnrecognizedVMOptions -Xcomp -XX:+OptimizeAll "$(agent "$2")" "$1"
}

same() {
    same_label=$1; shift
    same_filter=cat
    case $1 in filter=*) same_filter=${1#filter=}; shift ;; esac
    same_words=("$@")
    compared=$((compared + 1))
    agreed "$same_label $same_filter $*" same_hotspot same_graft same_judge $same_label.hotspot.{raw,err,out} || failed=1
}
same_side() { # side, java-home, options
    "$2/bin/java" ${3-} -cp classes -Djava.library.path="$native" "${same_words[@]}" >$same_label.$1.raw 2>$same_label.$1.err </dev/null
    echo "exit $?" >>$same_label.$1.err
    $same_filter <$same_label.$1.raw >$same_label.$1.out
}
same_hotspot() { same_side hotspot "$jdk"; }
same_graft() { same_side graft "$tested" "${MODE_OPTIONS-}"; }
same_judge() {
    local label=$same_label ok=0
    if ! diff $label.hotspot.out $label.graft.out >$label.diff || ! diff $label.hotspot.err $label.graft.err >>$label.diff; then
        echo "$label differs (< HotSpot, > Graft), $(grep -c '^[<>]' $label.diff) lines:"
        head -${LINES_SHOWN:-20} $label.diff
        ok=1
    elif [ ! -s $label.hotspot.out ] && ! grep -q . $label.hotspot.err; then
        echo "$label: no output"; ok=1
    fi
    if grep -q '^!' $label.hotspot.out; then
        echo "$label: the agent complains on HotSpot:"; grep '^!' $label.hotspot.out | head -5; ok=1
    fi
    return $ok
}
