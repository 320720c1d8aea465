# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the scripts here. A server runs with the agent; its classes are edited meanwhile.
#
#   server SIDE OPTIONS   starts SwapServer on classes.SIDE with the agent; its messages go to SIDE.log
#   ask REQUEST EXPECTED  sends a line, compares the answer
#   greeter TEXT [MORE] [HEAD]   compiles a Greeter with this text, more members and another class head; tail TEXT likewise
#   await PATTERN         until the log since the last await has a line like this; fails after 90 s
#   stop                  ends the server
# What the agent did on the reference is kept under the agent's hash (settled, settle: answers.sh).
set -u
jdk=$1 tested=$2 scratch=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
agent=$BUILD/agents/libgraft-hotswap.so failed=0 compared=0
agent=$(realpath "$agent") || exit 1
mkdir -p "$scratch" && cd "$scratch" || exit 1
scratch=$PWD
. "$here/../answers.sh"
answer_agents=1
fail() { echo "$side: $*"; failed=1; }

build() { # folder of sources: javac writes to a folder of its own, then the files are put in place
    "$jdk/bin/javac" -nowarn -g -cp "$dir" -d "$dir" "$@" || exit 1
}
greeter() {
    cat >"$src/Greeter.java" <<J
${3:-public class Greeter} {
    int calls;
    ${2-}
    public String greet(String name) { return "$1 " + name + " " + ++calls; }
}
J
}
tail_class() {
    cat >"$src/Tail.java" <<J
public class Tail {
    ${2-}
    static String text() { return "$1"; }
}
J
}
base() { # side
    side=$1 dir=$scratch/classes.$1 src=$scratch/src.$1
    home=$jdk; [ $side = graft ] && home=$tested
    rm -rf "$dir" "$src"; mkdir -p "$dir" "$src"
    greeter Hello; tail_class .
    build "$here/SwapServer.java" "$src"/*.java
}
java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp "$dir" "$@"; }
server() { # options of the agent, or "" for none
    log=$scratch/$side.log seen=0
    : >"$log"
    coproc SERVER { java ${1:+"-agentpath:$agent=$1"} SwapServer "$dir" 2>"$log"; }
    exec 5<&"${SERVER[0]}" 6>&"${SERVER[1]}"
    read -r -t 180 -u 5 word pid || fail "no server"
}
stop() {
    exec 6>&-
    eval "exec ${SERVER[1]}>&-"
    wait "$SERVER_PID" || fail "exit code $?"
    exec 5<&-
}
ask() {
    local answer=
    echo "$1" >&6
    read -r -t 180 -u 5 answer
    [ "$answer" = "$2" ] || fail "asked '$1': '$answer', not '$2'"
    compared=$((compared + 1))
}
await() {
    local i line
    for i in $(seq 900); do
        line=$(command tail -n +$((seen + 1)) "$log" | grep -n -m 1 -e "$1")
        if [ -n "$line" ]; then
            seen=$((seen + ${line%%:*})) compared=$((compared + 1))
            return
        fi
        sleep 0.1
    done
    fail "no message like '$1'; since the last one:"
    command tail -n +$((seen + 1)) "$log" | head -10
}
finish() { echo "$compared comparisons"; exit $failed; }
