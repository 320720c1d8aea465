#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# extent: full
# timeout: 2400
#
# The whole corpus, the JDK image and the jars of corpus.txt: over 80,000 classes. Each step rewrites all of them; the
# results are verified by our verifier and linked by the reference VM with -Xverify:all.
#     corpus.sh JDK TESTED SCRATCH [STEP...]
#   identity  read and written, byte for byte the same
#   link      the input itself: which classes the reference VM refuses or cannot link for want of others
#   rebuild   every method decoded and encoded, all frames from data flow
#   blocks    a counter at every block, finally every method in try/finally, calls every call wrapped,
#             frames calls at entry and returns with all frames from data flow, natives every native wrapped
# A running VM takes in java.base only probes that make no objects (boot plans of rt_plans.c); the natives of java.base are
# wrapped by the natives agent while it runs. What the input's own classes do wrong (step link) is no failure: some need
# classes that are in no package, Jython's compiled library has other names than its paths say.
set -u
jdk=$1 scratch=$(realpath -m "$3"); shift 3
steps=${*:-identity link rebuild frames blocks finally calls natives}
. "$(dirname "$0")/common.sh"
[ -e "$scratch/link.jars" ] || [[ " $steps " == *" link "* ]] || steps="link $steps"
jars=()
while read -r pattern package; do
    # shellcheck disable=SC2086
    file=$(ls /usr/share/java/$pattern 2>/dev/null | head -1)
    if [ -n "$file" ]; then jars+=("$file"); else echo "$package is not installed"; fi
done < <(grep -v '^#' "$here/corpus.txt")
rt_deps
rt_frames
rt_build roundtrip roundtrip.c rt_views.c rt_flow.c
failed=0
fail() { failed=1; echo "FAILED: $*"; }

# The reference VM links what is in $out: modules as patches, jars in front of what they need.
link_all() { # step
    local kind
    rt_patch "$out/jdk"
    for kind in jdk jars; do
        progress "$1: the reference VM links the $kind"
        if [ $kind = jdk ]; then
            rt_link "${patches[@]}" LinkEach -odd "$scratch/$1.$kind" "$out"/jdk/*
        else
            rt_link LinkEach -odd "$scratch/$1.$kind" -cp "$deps" "$out"/jars/*
        fi || [ $? = 1 ] || fail "$1: the VM ended otherwise"
        diff "$scratch/link.$kind" "$scratch/$1.$kind" | grep '^>' | head -20 >"$scratch/new"
        [ ! -s "$scratch/new" ] || { fail "$1: $kind"; cut -c1-400 "$scratch/new"; }
    done
}

rewrite() { # step mode
    local name=${2#plan-}
    out=$scratch/out
    rm -rf "$out"; mkdir -p "$out"
    progress "$1: rewriting"
    "$scratch/rt_frames" -v -m "$2" -o "$out" "$jdk/lib/modules" "${jars[@]}" || fail "$1"
    case $1 in
    natives) rm "$out/jdk/java.base.jar" ;;
    finally | calls | frames) # java.base anew, with what can run
        rm "$out/jdk/java.base.jar"
        [ "$1" = frames ] && name=boot-frames || name=boot-$1
        "$scratch/rt_frames" -v -m "plan-$name" -c /java.base/ -o "$out" "$jdk/lib/modules" || fail "$1 of java.base" ;;
    esac
    rt_probe "$out/jdk" || fail probe
    link_all "$1"
    rm -rf "$out"
}

for step in $steps; do
    echo "== $step, $(date +%T)"
    case $step in
    identity)
        progress "identity"
        "$scratch/roundtrip" -b "$jdk/lib/modules" "${jars[@]}" || fail identity
        "$scratch/rt_frames" -m open "$jdk/lib/modules" "${jars[@]}" || fail open ;;
    link)
        out=$scratch/out; rm -rf "$out"; mkdir -p "$out"
        "$scratch/rt_frames" -m open -o "$out" "$jdk/lib/modules" "${jars[@]}" || fail open
        link_all link
        grep -h -c . "$scratch"/link.jdk "$scratch"/link.jars
        rm -rf "$out" ;;
    rebuild) rewrite rebuild rebuild ;;
    frames) rewrite frames plan-exits-frames ;;
    blocks | finally | calls) rewrite $step plan-$step ;;
    natives)
        rewrite natives plan-natives
        progress "natives: java.base, by the agent"
        mkdir -p "$scratch/plain"
        (cd "$scratch/plain" && "$jdk/bin/jimage" extract --include 'regex:/java.base/.*\.class' "$jdk/lib/modules") || fail extract
        rt_link "-agentpath:$BUILD/agents/libgraft-natives.so=quiet,file=/dev/null" LinkEach "$scratch/plain/java.base" ||
            fail "natives of java.base"
        rm -rf "$scratch/plain" ;;
    *) fail "no step $step" ;;
    esac
done
exit $failed
