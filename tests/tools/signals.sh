#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# Signals and the end: shutdown hooks on TERM, INT and HUP, -Xrs, ignored signals, dumps while threads
# are in native code, halt inside hooks, the order of the end, ends in the middle of collections.
set -u
ref=$1 tested=$2 dir=$3
fail() { echo "$*"; exit 1; }
trap 'kill -9 $pid 2>/dev/null' EXIT
cat >"$dir/spin.c" <<'C'
#include <jni.h>
#include <unistd.h>
JNIEXPORT void JNICALL Java_Ends_spin(JNIEnv *e, jclass c) { for (volatile long i = 0;; i++) { } }
JNIEXPORT void JNICALL Java_Ends_rest(JNIEnv *e, jclass c) { for (;;) pause(); }
C
cat >"$dir/Ends.java" <<'J'
import java.util.concurrent.*;
public class Ends {
    static native void spin();
    static native void rest();
    static void daemon(Runnable r, String name) { Thread t = new Thread(r, name); t.setDaemon(true); t.start(); }
    static byte[][] keep = new byte[64][];
    static void churn() { for (int i = 0; ; i++) keep[i & 63] = new byte[(i * 7919) & 0x3ffff]; }
    public static void main(String[] a) throws Exception {
        for (String s : a) switch (s) {
            case "hook" -> Runtime.getRuntime().addShutdownHook(new Thread(() -> { System.out.println("hook"); System.out.flush(); }));
            case "slow" -> Runtime.getRuntime().addShutdownHook(new Thread(() -> { try { Thread.sleep(300); } catch (InterruptedException e) { } System.out.println("slow hook"); }));
            case "halt" -> Runtime.getRuntime().addShutdownHook(new Thread(() -> { System.out.println("halting"); System.out.flush(); Runtime.getRuntime().halt(7); }));
            case "throw" -> Runtime.getRuntime().addShutdownHook(new Thread(() -> { throw new IllegalStateException("in the hook"); }));
            case "exit" -> { System.out.println("exit"); System.exit(3); }
            case "exits" -> { for (int i = 0; i < 4; i++) new Thread(() -> System.exit(5)).start(); }
            case "stay" -> { System.out.println("ready"); Thread.sleep(100_000); }
            case "native" -> { System.loadLibrary("spin"); daemon(Ends::spin, "spinner"); daemon(Ends::rest, "rester"); }
            case "churn" -> { for (int i = 0; i < 3; i++) daemon(Ends::churn, "churn" + i); }
            case "last" -> new Thread(() -> { try { Thread.sleep(200); } catch (InterruptedException e) { } System.out.println("last thread"); }, "last").start();
            case "uncaught" -> throw new Exception("main ends");
            case "daemon" -> daemon(() -> { try { Thread.sleep(100_000); } catch (InterruptedException e) { } System.out.println("never"); }, "sleeper");
            case "handler" -> sun.misc.Signal.handle(new sun.misc.Signal("TERM"), g -> { System.out.println("handled " + g.getName() + " " + g.getNumber()); System.exit(9); });
            default -> throw new Error(s);
        }
        System.out.println("main done");
    }
}
J
"$ref/bin/javac" -d "$dir" "$dir/Ends.java" 2>/dev/null || fail "javac"
${CC:-gcc} -O1 -shared -fPIC -I"$ref/include" -I"$ref/include/linux" "$dir/spin.c" -o "$dir/libspin.so" || exit 77

start() { # home, then arguments; $pid runs and has said ready
    : >"$dir/out"
    "$1/bin/java" -Xmx64m -Djava.library.path="$dir" -cp "$dir" "${@:2}" >"$dir/out" 2>"$dir/err" &
    pid=$!
    for _ in $(seq 400); do grep -q ready "$dir/out" && return; sleep 0.02; done
    fail "not ready: $*"
}
ended() { # waits; the exit code, or fails
    local k
    for k in $(seq 600); do kill -0 $pid 2>/dev/null || break; sleep 0.05; done
    [ "$k" -lt 600 ] || { "$ref/bin/jstack" $pid | head -50; fail "hangs: $*"; }
    wait $pid 2>/dev/null
    code=$?
}
for vm in ref tested; do
    exec 8>"$dir/$vm.log"
    for signal in TERM INT HUP; do
        set -m; start "${!vm}" Ends hook slow stay; set +m
        kill -$signal $pid; ended $signal
        { echo "$signal $code"; sort "$dir/out"; } >&8
    done 2>/dev/null
    for signal in TERM HUP QUIT; do # the VM leaves them alone
        set -m; start "${!vm}" -Xrs Ends hook stay; set +m
        kill -$signal $pid; ended "-Xrs $signal"
        { echo "-Xrs $signal $code"; cat "$dir/out"; } >&8
    done 2>/dev/null
    start "${!vm}" Ends halt stay; kill $pid; ended halt; { echo "halt $code"; cat "$dir/out"; } >&8
    start "${!vm}" Ends throw hook stay; kill $pid; ended throw; { echo "throw $code"; cat "$dir/out"; sed 's/Thread-[0-9]*/Thread-N/' "$dir/err"; } >&8
    start "${!vm}" Ends handler stay; kill $pid; ended handler; { echo "handler $code"; cat "$dir/out"; } >&8
    start "${!vm}" Ends slow stay; kill $pid; kill $pid; kill -HUP $pid; ended twice
    [ $code != 129 ] || code=143 # whichever is taken first
    { echo "twice $code"; cat "$dir/out"; } >&8
    for args in "hook exit" "hook last" "hook slow last" "hook uncaught" "hook last uncaught" "hook daemon" "halt exit" "exits stay" "slow exits stay"; do
        "${!vm}/bin/java" -cp "$dir" Ends $args >"$dir/out" 2>"$dir/err"
        { echo "$args: $?"; sort "$dir/out" | grep -v "^ready"; cat "$dir/err"; } >&8
    done
    exec 8>&-
done
diff "$dir/ref.log" "$dir/tested.log" || fail "ends differ"
[ "$(wc -l <"$dir/ref.log")" -gt 50 ] || fail "log too short"

# A dump while two threads are in native code, one of them busy; then the normal end.
start "$tested" Ends native hook stay
kill -QUIT $pid
for _ in $(seq 1200); do grep -q '^Heap' "$dir/out" && break; sleep 0.05; done
grep -q '^"spinner" ' "$dir/out" && grep -q '^"rester" ' "$dir/out" && grep -q 'at Ends.spin(Native Method)' "$dir/out" || fail "no dump with native threads"
kill $pid; ended "native"
[ $code = 143 ] && [ "$(tail -1 "$dir/out")" = hook ] || fail "native: $code $(tail -1 "$dir/out")"

# TERM while collections follow each other: never a hang, hooks run, nothing left behind.
for i in $(seq 12); do
    start "$tested" Ends churn hook stay
    sleep 0.0$((i % 10))
    kill $pid
    ended "TERM during collections, round $i"
    [ $code = 143 ] && grep -q '^hook$' "$dir/out" || fail "round $i: $code, $(cat "$dir/out" "$dir/err")"
    [ ! -e "/tmp/hsperfdata_$(id -un)/$pid" ] || fail "hsperfdata file left behind"
done
for i in $(seq 6); do # and without any chance to end well
    start "$tested" Ends churn stay
    kill -KILL $pid; ended KILL
    [ $code = 137 ] || fail "KILL: $code"
done 2>/dev/null
exit 0
