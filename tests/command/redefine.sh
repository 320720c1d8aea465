#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# graft redefine on both VMs: dry run, reasons, undo, list; beside the agent that the program was started with.
. "$(dirname "$0")/common.sh"
version() { # folder sed-script
    mkdir -p "$1"; sed "$2" "$here/Target.java" >"$1/Target.java"
    "$jdk/bin/javac" -g -d "$1" "$1/Target.java" || exit 1
}
version body 's/hello/changed/'
version twin 's/2 \* a/3 * a/'
version more 's/static int twice/static int added() { return 1; } static int twice/; s/2 \* a/added()/'
version broken 's/x/x/'; head -c 100 body/Target.class >broken/Target.class
mkdir empty
for side in hotspot graft; do
    home=$jdk; [ $side = graft ] && home=$tested
    start "$home"
    tell greet 'hello 1'
    check "dry run" 0 '^possible +Target$' -- "$graft" redefine --dry-run $pid body/Target.class
    tell greet 'hello 2'
    check body 0 '^redefined +Target$' -- "$graft" redefine $main body/Target.class
    tell greet 'changed 3'
    check "a folder" 0 '^redefined +Target$' -- "$graft" redefine $main twin
    tell twice 63
    check list 0 '^Target +redefined 1 times$' -- "$graft" redefine --list $main
    check undo 0 '^taken back +Target$' -- "$graft" redefine --undo $main
    tell greet 'changed 4'; tell twice 42
    check undo 0 '^taken back +Target$' -- "$graft" redefine --undo=1 $main
    tell greet 'hello 5'
    check "nothing to undo" 1 'no swap to take back' -- "$graft" redefine --undo $main
    if is_graft "$home"; then
        check "a method more, dry" 0 '^possible +Target$' -- "$graft" redefine --dry-run $main more
        tell twice 42
        check "a method more" 0 '^redefined +Target$' -- "$graft" redefine $main more
        tell twice 1
    else
        for dry in --dry-run --no-dry-run; do
            check "a method more $dry" 1 '^refused +Target: method added: int added\(\) \(this VM cannot add' -- "$graft" redefine $dry $main more
        done
        check "the way out" 1 '^hint +.*graft hotswap --on-graft' -- "$graft" redefine --dry-run $main more
        tell twice 42
    fi
    mkdir -p edited
    sed 's/hello/from source/' "$here/Target.java" >edited/Target.java
    check "a source, dry" 0 '^possible +Target$' -- "$graft" redefine --dry-run $main edited/Target.java
    check "a source" 0 '^redefined +Target$' -- "$graft" redefine $main edited/Target.java
    sed 's/hello/"/' "$here/Target.java" >edited/Target.java
    check "a source with an error" 1 '^.*/edited/Target.java:[0-9]+: error: ' -- "$graft" redefine $main edited/Target.java
    check undo 0 '^taken back +Target$' -- "$graft" redefine --undo $main
    check "no class file" 1 '^refused .*no valid class file' -- "$graft" redefine $main broken/Target.class
    check "no such file" 125 'none.class: No such file' -- "$graft" redefine $main none.class
    check "... in words, with colours" 125 'none.class: No such file' -- env -u NO_COLOR "$graft" redefine $main none.class
    check "an empty folder" 125 'there is no class file in empty' -- "$graft" redefine $main empty
    dir=/tmp/graft-$(id -u)
    is "the folder is closed to others" "$(stat -c %a "$dir")" 700
    # the agent listens elsewhere too
    stop
    is "no socket is left behind" "$(ls "$dir" | grep -c "^$pid\.")" 0
    start "$home" "-agentpath:$(realpath "$BUILD/agents/libgraft-hotswap.so")=auto=off,socket=$scratch/own.sock"
    check "beside its own socket" 0 '^redefined +Target$' -- "$graft" redefine $main body
    tell greet 'changed 1'
    stop
done
finish
