#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Hidden classes and lambdas under the trace agent, on both VMs and on newer JDKs where there are some: exact counts, paths through lambdas, arguments,
# the classes in front of lambdas if they are asked for.
. "$(dirname "$0")/common.sh"
compile "$here/../trace/TracedHidden.java"
cut_times() { sed -E 's/,[0-9]+,[0-9]+$//; /^method,/d' "$1"; }
cat >expected.csv <<'END'
"TracedHidden$Made.<init>()",2,0
"TracedHidden$Made.applyAsInt(int)",12,1
"TracedHidden$Made.inner(int)",12,1
"TracedHidden.hidden(boolean)",2,0
"TracedHidden.lambda$main$0(int)",5,0
"TracedHidden.lambda$main$1(int)",1,0
"TracedHidden.lambda$main$2()",1,0
"TracedHidden.main(java.lang.String[])",1,0
"TracedHidden.twice(int)",11,0
END
try() { # side, java-home
    side=$1
    java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp classes "$@"; }
    home=$2
    java TracedHidden >plain 2>&1
    java "-agentpath:$trace=include=TracedHidden*,format=csv,sort=name,file=counts,collapsed=paths,weight=calls" TracedHidden >traced 2>&1
    check output plain traced
    check counts expected.csv <(cut_times counts)
    main='TracedHidden.main(java.lang.String[])'
    for path in "$main;TracedHidden.lambda\$main\$0(int);TracedHidden.twice(int) 5" "$main;TracedHidden.twice(int) 5" \
        "$main;TracedHidden.lambda\$main\$1(int);TracedHidden.twice(int) 1" "$main;TracedHidden\$Made.applyAsInt(int);TracedHidden\$Made.inner(int) 12"; do
        grep -qxF "$path" paths || fail "no path $path"
    done
    java "-agentpath:$trace=include=TracedHidden*,hidden=all,file=table,collapsed=paths,weight=calls" TracedHidden >traced 2>&1
    check 'output, hidden=all' plain traced
    for path in "$main;TracedHidden\$\$Lambda.applyAsInt(int);TracedHidden.lambda\$main\$0(int);TracedHidden.twice(int) 5" \
        "$main;TracedHidden\$\$Lambda.applyAsInt(int);TracedHidden.twice(int) 5"; do
        grep -qxF "$path" <(sed -E 's/Lambda\$[0-9]+/Lambda/g' paths) || fail "no path $path"
    done
    java "-agentpath:$trace=include=*,hidden=all,file=table,collapsed=paths,depth=50" TracedHidden >traced 2>&1
    check 'output, everything' plain traced
    java "-agentpath:$trace=include=TracedHidden*,hidden=off,format=csv,sort=name,file=counts" TracedHidden >traced 2>&1
    check 'hidden=off' <(grep -v Made expected.csv) <(cut_times counts)
    java "-agentpath:$trace=probe=TracedHidden\$Made.inner when arg0 > 3,argsfile=lines,file=table" TracedHidden >traced 2>&1
    check probe <(echo 'TracedHidden$Made.inner(4) -> 4'; echo 'TracedHidden$Made.inner(4) -> 4'
                  echo 'TracedHidden$Made.inner(5) threw java.lang.IllegalStateException'; echo 'TracedHidden$Made.inner(6) -> 6') \
        <(sed -E 's/  \[[0-9.]+ ms, main\]$//' lines)
}
settled || { try hotspot "$jdk"; settle; }
try graft "$tested"
for newer in $(newer_jdks 21); do try "$newer" "$newer"; done
echo "$compared comparisons"
exit $failed
