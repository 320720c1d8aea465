# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the scripts here: NAME.sh REFERENCE_JDK TESTED_JDK SCRATCH_FOLDER
#
#   check LABEL CODE PATTERN -- WORD...   runs the words: exit code, and a line of both outputs like the pattern (egrep; "" none wanted)
#   has LABEL PATTERN FILE                a line of the file is like the pattern
#   is LABEL TEXT EXPECTED
#   start HOME [OPTION]...                runs Target, as class $main, with $pid, and $argument if there is one; tell LINE sends it a line, stop ends it
#   is_graft HOME                         runs our VM, not another JDK (as in jdks/run)
#   finish                                "N passed, N failed"
set -u
jdk=$1 tested=$2 scratch=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
graft=$(realpath "$BUILD/bin/graft") || exit 1
mkdir -p "$scratch/classes" && cd "$scratch" || exit 1
scratch=$PWD passed=0 failed=0
export XDG_CACHE_HOME=$scratch/cache NO_COLOR=1
is_graft() { "$1/bin/java" -version 2>&1 | grep -q Graft; }
! is_graft "$tested" || export GRAFT_IMAGE=$tested
unset JAVA_TOOL_OPTIONS GRADLE_OPTS JAVACMD
main=$(basename "$0" .sh)Target # its own, since scripts run side by side
echo "public class $main extends Target {}" >$main.java
build() { "$jdk/bin/javac" -g -d classes "$here"/Target.java $main.java || exit 1; }
build

good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "${side:+$side: }$1"; [ $# -lt 2 ] || head -${3:-8} "$2" | sed 's/^/    /'; }
check() {
    local label=$1 code=$2 pattern=$3 got; shift 4
    "$@" >out 2>&1 </dev/null; got=$?
    if [ $got != "$code" ]; then bad "$label: exit code $got, not $code" out
    elif [ -n "$pattern" ] && ! grep -qE -e "$pattern" out; then bad "$label: no line like '$pattern'" out
    else good; fi
}
has() { if grep -qE -e "$2" "$3" 2>/dev/null; then good; else bad "$1: no line like '$2' in $3" "$3"; fi; }
is() { if [ "$2" = "$3" ]; then good; else bad "$1: '$2', not '$3'"; fi; }
start() {
    local home=$1 i; shift
    rm -f in target.out; mkfifo in
    "$home/bin/java" "$@" -cp classes $main serve ${argument:+"$argument"} <in >target.out 2>target.err &
    pid=$!
    exec 9>in
    for i in $(seq 1200); do grep -qs '^ready' target.out && return; kill -0 $pid 2>/dev/null || break; sleep 0.1; done
    cat target.err; echo "the target does not start"; exit 1
}
tell() { # line expected answer
    local n i; n=$(wc -l <target.out)
    echo "$1" >&9
    for i in $(seq 1200); do [ "$(wc -l <target.out)" -gt "$n" ] && break; sleep 0.1; done
    is "target: $1" "$(tail -1 target.out)" "$2"
}
stop() { exec 9>&-; wait $pid; is "exit code of the target" $? 0; }
trap 'kill -9 $(jobs -p) 2>/dev/null' EXIT
finish() { echo "$passed passed, $failed failed"; exit $((failed > 0)); }
