#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Options of the heap agent: help, refusal of wrong ones, unwritable files, baseline, loading into a running VM.
set -u
jdk=$1 tested=$2 out=$3
agent=$BUILD/agents/libgraft-heap.so failed=0
fail() { echo "$side: $*"; failed=1; }
cat >"$out/HeapWait.java" <<'J'
public class HeapWait {
    public static void main(String[] args) throws Exception {
        Object[] kept = new Object[100];
        for (int i = 0; i < 100; i++) kept[i] = new HeapWait();
        System.out.println(new java.io.File("/proc/self").getCanonicalFile().getName());
        for (int i = 0; args.length > 0 && i < 400 && !new java.io.File(args[0]).exists(); i++) Thread.sleep(50);
        System.out.println(kept.length);
    }
}
J
cat >"$out/HeapAttach.java" <<'J'
public class HeapAttach {
    public static void main(String[] args) throws Exception {
        com.sun.tools.attach.VirtualMachine vm = com.sun.tools.attach.VirtualMachine.attach(args[0]);
        try { vm.loadAgentPath(args[1], args[2]); }
        catch (com.sun.tools.attach.AgentLoadException e) { if (!"0".equals(e.getMessage())) throw e; } // JDK 8 tells success so
        vm.detach();
    }
}
J
"$jdk/bin/javac" -d "$out" "$out/HeapWait.java" "$out/HeapAttach.java" || exit 1
. "$(dirname "$0")/../answers.sh"
answer_agents=1
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    java="$home/bin/java"
    "$java" "-agentpath:$agent=help" | grep -q 'baseline=SECONDS' || fail "help"
    for bad in bogus=1 top=x sample=-1 flame exit=maybe; do
        "$java" "-agentpath:$agent=$bad" -cp "$out" HeapWait >"$out/o" 2>&1 && fail "$bad accepted"
        grep -q '^\[heap\] ' "$out/o" || fail "$bad: no message"
    done
    "$java" "-agentpath:$agent=file=/no/such/dir/x" -cp "$out" HeapWait >"$out/o" 2>&1 || fail "an unwritable report ends the program"
    grep -q '^\[heap\] /no/such/dir/x: No such file' "$out/o" || fail "unwritable report: no message"
    (cd "$out" && "$java" "-agentpath:$agent=quiet,file=r-%p-$side.txt" -cp . HeapWait) >"$out/o" 2>"$out/e" || fail "quiet run"
    [ -s "$out/e" ] && fail "quiet is not quiet"
    ls "$out"/r-[0-9]*-$side.txt >/dev/null 2>&1 || fail "%p in the name"
    "$java" "-agentpath:$agent=file=-,top=3,exit" -cp "$out" HeapWait >"$out/o" 2>&1
    grep -q '^=== Heap snapshot 1, at exit' "$out/o" || fail "report on standard output"
    rm -f "$out/b-$side.done"
    "$java" "-agentpath:$agent=file=$out/b-$side.txt,baseline=1,exit=off" -cp "$out" HeapWait "$out/b-$side.done" >"$out/o" 2>&1 &
    for i in $(seq 1200); do grep -qs '=== Heap snapshot' "$out/b-$side.txt" && break; sleep 0.1; done
    touch "$out/b-$side.done"; wait $! || fail "baseline: exit code"
    grep -q '^=== Heap snapshot 1, baseline' "$out/b-$side.txt" || fail "baseline"
    # Into a running VM, twice.
    rm -f "$out/a-$side.done" "$out/a-$side.txt" "$out/pid" # or the other VM's number is read before the shell has emptied the file
    "$java" -cp "$out" HeapWait "$out/a-$side.done" >"$out/pid" 2>"$out/e" &
    job=$!
    for i in $(seq 1200); do [ -s "$out/pid" ] && break; sleep 0.1; done
    for n in 1 2; do
        "$jdk/bin/java" -cp "$out" HeapAttach "$(head -1 "$out/pid")" "$(realpath "$agent")" "file=$out/a-$side.txt,quiet,top=500" >"$out/o" 2>&1 ||
            { fail "loading into a running VM"; head -5 "$out/o"; }
    done
    # once more, with other options, which count from now on; with bad ones, which do not
    rm -f "$out/c-$side".*
    for more in "file=$out/c-$side.txt,save=$out/c-$side.%n.heap,quiet" top=x; do
        "$jdk/bin/java" -cp "$out" HeapAttach "$(head -1 "$out/pid")" "$(realpath "$agent")" "$more" >"$out/o" 2>&1
        [ $? = $([ "$more" = top=x ] && echo 1 || echo 0) ] || { fail "loading again with $more"; head -5 "$out/o"; }
    done
    [ "$(grep -c '^=== Heap snapshot 3' "$out/c-$side.txt")" = 1 ] && [ -s "$out/c-$side.3.heap" ] || fail "other options at another loading"
    touch "$out/a-$side.done"; wait $job || fail "attached: exit code"
    [ "$(grep -c '^=== Heap snapshot' "$out/a-$side.txt")" = 2 ] || fail "two snapshots by attaching"
    grep -qE ' 100 +[0-9]+  HeapWait$' "$out/a-$side.txt" || fail "objects of an attached VM"
    [ $side = graft ] || settle
done
exit $failed
