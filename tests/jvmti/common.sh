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
mkdir -p "$scratch/classes" && cd "$scratch" || exit 1

agent() { echo "-agentpath:$native/lib${1%%=*}.so$(case $1 in *=*) echo "=${1#*=}" ;; esac)"; }
compile() { "$jdk/bin/javac" -nowarn -g -d classes "$@" || exit 1; }

same() {
    local label=$1 side home; shift
    local filter=cat
    case $1 in filter=*) filter=${1#filter=}; shift ;; esac
    for side in hotspot graft; do
        home=$jdk; [ $side = graft ] && home=$tested
        "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp classes -Djava.library.path="$native" \
            "$@" >$label.$side.raw 2>$label.$side.err </dev/null
        echo "exit $?" >>$label.$side.err
        $filter <$label.$side.raw >$label.$side.out
    done
    compared=$((compared + 1))
    if ! diff $label.hotspot.out $label.graft.out >$label.diff || ! diff $label.hotspot.err $label.graft.err >>$label.diff; then
        echo "$label differs (< HotSpot, > Graft), $(grep -c '^[<>]' $label.diff) lines:"
        head -${LINES_SHOWN:-20} $label.diff
        failed=1
    elif [ ! -s $label.hotspot.out ] && ! grep -q . $label.hotspot.err; then
        echo "$label: no output"; failed=1
    fi
    if grep -q '^!' $label.hotspot.out; then
        echo "$label: the agent complains on HotSpot:"; grep '^!' $label.hotspot.out | head -5; failed=1
    fi
}
