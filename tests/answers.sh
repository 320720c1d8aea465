# SPDX-License-Identifier: Apache-2.0
#
# What the reference answered (and programs of tests, compiled), kept in build/answers: sourced by the helpers of the suites
# (common.sh) and by tests/tool/javac.
#
#   kept NAME PATH... -- COMMAND...        runs COMMAND, which makes the files and folders PATH; kept if it ends with 0
#   agreed NAME ASK TRY JUDGE PATH...      functions: ASK asks the reference, which leaves PATH; TRY asks the tested VM; JUDGE
#                                          compares. Kept if JUDGE agrees.
#   settled PATH... / settle               at the head and the end of the reference's turn of a loop over both VMs: true, and PATH in
#                                          place, if a turn with the same inputs ended well (failed=0) before
#
# A kept answer stands in for a start of the reference. It must never make a test unable to fail, so:
#   - its key is all that the reference can see: the words, the script and what it sources, the programs and other files of its
#     folder, the files of $answer_inputs as they are at the call, the environment; of the machine the JDK, installed
#     packages, processors, memory, kernel, user (ANSWERS_STATE, made by tests/run); where answer_agents is set, all native agents
#     and tools (what an agent of ours does on the reference is an answer of the reference too, under the agent's hash);
#   - the tested VM is asked every time;
#   - with `agreed`, only what the test agreed with is kept, and if the tested VM disagrees with a kept answer the reference is
#     asked again and that answer counts; if a test fails, tests/run throws away all answers that it used (ANSWERS_USED).
#     So neither a failure nor an odd answer of a busy machine stays.
# FRESH=1 (tests/run --fresh) asks always; so does a script that is started by hand.

answer_inputs=${answer_inputs-} answer_agents=${answer_agents-} answers_asked=0
# This file, those that source it, the script
mapfile -t answers_sources < <(realpath "${BASH_SOURCE[@]}" "$0")
answers_home=${answers_sources[0]%/*} answers_script=${answers_sources[-1]}

answer_hashes() { LC_ALL=C sort -zu | xargs -0r sha256sum; }
# What stays the same in one script: hashed once.
answers_of_script=
answer_script() {
    [ -n "$answers_of_script" ] || answers_of_script=$({
        find "${answers_script%/*}" -type f ! -name '*.sh' -print0
        find "${answers_script%/*}" -maxdepth 1 -name common.sh -print0
        printf '%s\0' "${answers_sources[@]}"
    } | answer_hashes | sha256sum)
}
answer_key() { # words: sets answer_key
    local name
    answer_key=$({
        printf '%s\0' "$ANSWERS_STATE" "${answer_agents:+$ANSWERS_AGENTS}" "$PWD" "$answers_asked" "$@"
        for name in JAVA_TOOL_OPTIONS _JAVA_OPTIONS "${!JDK_JAVA@}" "${!LD_@}" MODE_OPTIONS FULL CLASSPATH TZ "${!LC_@}" "${!LANG@}"; do
            [ -z "${!name+x}" ] || echo "$name=${!name}"
        done
        echo "$answers_of_script"
        # without what runs before left
        [ -z "$answer_inputs" ] || find $answer_inputs -type f ! -name '*.hotspot.*' ! -name '*.graft.*' ! -name '*.diff' -print0 | answer_hashes
    } | sha256sum)
    answer_key=${answer_key:0:40}
}
answer_found() { # key path...: puts the kept paths in place
    local from=$ANSWERS/$1 path
    [ -z "${ANSWERS_USED-}" ] || echo "$1" >>"$ANSWERS_USED"
    shift
    [ -z "${FRESH-}" ] && [ -e "$from/kept" ] || return 1
    touch "$from/kept"
    [ $# != 0 ] || return 0
    rm -rf "$@"
    [[ "$*" == */* ]] || { (cd "$from/at" && exec cp -a "$@" "$OLDPWD/"); return; }
    for path in "$@"; do cp -a "$from/at/${path//\//%}" "$path" || return 1; done
}
answer_keep() { # key path...
    local to=$ANSWERS/$1 new path; shift
    new=$(mktemp -d "$ANSWERS/new.XXXXXX") && mkdir "$new/at" || return 0
    for path in "$@"; do cp -a "$path" "$new/at/${path//\//%}" || { rm -rf "$new"; return 0; }; done
    touch "$new/kept"
    rm -rf "$to"; mv -T "$new" "$to" 2>/dev/null || rm -rf "$new"
}

# Their local variables have names that no function of a script uses by accident: these see them.
kept() { # name path... -- command...
    local answer_kept= answer_name=$1 answer_paths=(); shift
    while [ "$1" != -- ]; do answer_paths+=("$1"); shift; done
    shift
    answers_asked=$((answers_asked + 1)); answer_script
    [ -z "${ANSWERS-}" ] || { answer_key "$answer_name" "$@"; answer_kept=$answer_key; ! answer_found "$answer_kept" "${answer_paths[@]}" || return 0; }
    "$@" || return
    [ -z "$answer_kept" ] || answer_keep "$answer_kept" "${answer_paths[@]}"
}
agreed() { # name ask try judge path...
    local answer_kept= answer_there= answer_name=$1 answer_ask=$2 answer_try=$3 answer_judge=$4; shift 4
    answers_asked=$((answers_asked + 1)); answer_script
    [ -z "${ANSWERS-}" ] || { answer_key "$answer_name"; answer_kept=$answer_key; ! answer_found "$answer_kept" "$@" || answer_there=1; }
    [ -n "$answer_there" ] || "$answer_ask"
    "$answer_try"
    [ -z "$answer_there" ] || { ! ("$answer_judge") >/dev/null 2>&1 || return 0; "$answer_ask"; }
    "$answer_judge" || return
    [ -z "$answer_kept" ] || answer_keep "$answer_kept" "$@"
}
settled() { # path...
    answers_asked=$((answers_asked + 1)); answer_script
    settled_key= settled_paths=("$@")
    [ -n "${ANSWERS-}" ] || return 1
    answer_key settled "$@"
    settled_key=$answer_key
    answer_found "$settled_key" "$@"
}
settle() {
    [ -z "$settled_key" ] || [ "${failed-0}" != 0 ] || answer_keep "$settled_key" "${settled_paths[@]}"
    settled_key=
}
