#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 200
# modes: default
#
# Limits of the system: descriptors (EMFILE), threads (EAGAIN), address space (ulimit -v), size of files (RLIMIT_FSIZE). As the reference answers; a
# start that is refused ends with exit code 1 and one line that says what is missing.
. "$(dirname "$0")/common.sh"
"$jdk/bin/javac" -nowarn -d classes "$here"/{Hello,Limits}.java || exit 1
bad() { echo "$*"; failed=1; }
normal() { sed -E 's/(Failed to start thread "Unknown thread").*/\1/; s/^\[[0-9.]+s\]/[T]/; s/"Thread-[0-9]+"/THREAD/; s/guardsize: [0-9]+k/guardsize: N/; s|[^ ]*/lib/libn[a-z]*.so|LIB|g'; }
both() { # NAME LIMIT WORD...: the same text and exit code; LIMIT is a shell command
    local name=$1 limit=$2 home; shift 2
    for home in "$jdk" "$tested"; do
        (eval "$limit"; timeout 180 "$home/bin/java" -cp classes "$@" </dev/null 2>&1; echo "exit $?") | normal \
            >"$name.$([ "$home" = "$jdk" ] && echo expected || echo got)"
    done
    diff "$name.expected" "$name.got" >"$name.diff" || { bad "$name differs (< reference):"; head -20 "$name.diff"; }
}
# Descriptors: Java's own errors; those given back are of use again; jcmd is answered once there are some.
both descriptors 'ulimit -n 64' Limits descriptors
for n in 4 5 6 8; do
    out=$( (ulimit -n $n; exec timeout 180 "$tested/bin/java" -cp classes Hello) 2>&1)
    code=$?
    [ "$code $out" = "0 Hello" ] || { [ $code -le 1 ] && grep -q 'Too many open files' <<<"$out"; } || bad "$n descriptors: exit code $code: $out"
done

# jcmd while there are none: it is served when some are closed (the listener lives on).
(ulimit -n 64; exec timeout 180 "$tested/bin/java" -cp classes Limits attach "$scratch/go" >attach.out 2>&1) &
vm=$!
for i in {1..100}; do grep -q '^full' attach.out 2>/dev/null && break; sleep 0.1; done
pid=$(pgrep -P $vm | head -1)
timeout 180 "$jdk/bin/jcmd" "${pid:-$vm}" VM.version >jcmd.out 2>&1 &
client=$!
sleep 1
touch go
wait $client || { bad "jcmd without descriptors at first: $(head -3 jcmd.out)"; }
grep -q Graft jcmd.out || bad "jcmd: $(head -3 jcmd.out)"
kill $vm 2>/dev/null; wait $vm 2>/dev/null

# Threads: refused with the reference's message, the others work. The limit is on address space: that on processes counts other users' too.
both threads 'ulimit -v 3000000' -Xmx64m Limits threads 4000 </dev/null

# Address space: works, or one line and exit code 1, never a signal; what works for the reference works.
for size in 100000 300000 500000 700000 900000 1200000 2000000 4000000 6000000 8000000; do
    for heap in "" -Xmx64m; do
        out=$( (ulimit -v $size; exec timeout 180 "$tested/bin/java" $heap -cp classes Hello) 2>&1)
        code=$?
        theirs=$( (ulimit -v $size; exec timeout 180 "$jdk/bin/java" $heap -cp classes Hello) 2>/dev/null)
        [ "$code $out" = "0 Hello" ] && continue
        [ "$theirs" != Hello ] || bad "ulimit -v $size $heap: runs on the reference only: $out"
        [ $code = 1 ] && grep -qE 'Could not|memory|space' <<<"$out" && [ "$(grep -vc "^\sat " <<<"$out")" -le 12 ] ||
            bad "ulimit -v $size $heap: exit code $code: $(head -5 <<<"$out")"
    done
done

# Files may not grow: no signal, the agent says so.
out=$( (ulimit -f 16; exec timeout 180 "$tested/bin/java" -agentpath:"$BUILD/agents/libgraft-coverage.so=file=limit.cov" -cp classes Hello) 2>&1)
code=$?
[ $code = 0 ] && grep -q '^Hello' <<<"$out" && grep -q 'File too large' <<<"$out" || bad "ulimit -f with coverage: exit code $code: $out"
[ $failed = 0 ]
