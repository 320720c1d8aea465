#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# Crash reports: native faults of every kind in a JNI library, in an agent, in foreign threads and in
# the VM itself leave hs_err files that name the frame; exit codes and named frames as HotSpot's.
set -u
ref=$1 tested=$2 dir=$3
ulimit -c 0
fail() { echo "$*"; exit 1; }
. "$(dirname "$0")/../answers.sh"
cat >"$dir/crasher.c" <<'C'
#include <jni.h>
#include <jvmti.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#define QUIET __attribute__((noinline, noclone))
static volatile int sink;
static int *volatile bad = (int *)16;
static void (*volatile nowhere)(void);
QUIET static void poke(void) { *bad = 42; }
QUIET static void jump(void) { nowhere(); sink++; }
QUIET static void divide(void) { __asm__ volatile("xorl %%ecx, %%ecx; xorl %%edx, %%edx; idivl %%ecx" ::: "eax", "ecx", "edx"); }
QUIET static void illegal(void) { __asm__ volatile("ud2"); }
QUIET static void give_up(void) { abort(); }
QUIET static int deep(int n) { volatile char room[512]; room[0] = (char)n; return deep(n + 1) + room[0]; }
QUIET static void smash(void) { char *volatile p = malloc(24); free(p); free(p); }
static void *two(void *arg) { poke(); return arg; }
QUIET static void foreign(void) { pthread_t t; pthread_create(&t, NULL, two, NULL); pthread_join(t, NULL); }
QUIET static void both(void) { pthread_t t; pthread_create(&t, NULL, two, NULL); poke(); }
JNIEXPORT void JNICALL Java_Crasher_crash(JNIEnv *e, jclass c, jstring how) {
    const char *s = (*e)->GetStringUTFChars(e, how, NULL);
    if (!strcmp(s, "poke")) poke();
    if (!strcmp(s, "jump")) jump();
    if (!strcmp(s, "divide")) divide();
    if (!strcmp(s, "illegal")) illegal();
    if (!strcmp(s, "abort")) give_up();
    if (!strcmp(s, "deep")) sink = deep(0);
    if (!strcmp(s, "smash")) smash();
    if (!strcmp(s, "foreign")) foreign();
    if (!strcmp(s, "both")) both();
    if (!strcmp(s, "kill")) raise(SIGSEGV);
    sink++;
}
static void JNICALL on_init(jvmtiEnv *ti, JNIEnv *e, jthread t) { poke(); }
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiEnv *ti;
    if (*options == 'n') { poke(); return 0; }
    (*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11);
    jvmtiEventCallbacks cb = {.VMInit = on_init};
    (*ti)->SetEventCallbacks(ti, &cb, sizeof cb);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    return 0;
}
C
cat >"$dir/Crasher.java" <<'J'
public class Crasher {
    static native void crash(String how);
    static void unsafe() throws Exception {
        var f = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        f.setAccessible(true);
        ((sun.misc.Unsafe) f.get(null)).putAddress(0, 7);
    }
    static synchronized void locked(String how) throws Exception {
        Thread t = new Thread(() -> { synchronized (Crasher.class) { System.out.println("never"); } }, "blocked");
        t.setDaemon(true);
        t.start();
        while (t.getState() != Thread.State.BLOCKED) Thread.sleep(1);
        crash(how);
    }
    public static void main(String[] a) throws Exception {
        if (a[0].equals("nothing")) return;
        System.loadLibrary("crasher");
        if (a[0].equals("unsafe")) unsafe();
        else if (a.length > 1) locked(a[0]);
        else crash(a[0]);
        System.out.println("survived");
    }
}
J
"$ref/bin/javac" -d "$dir" "$dir/Crasher.java" 2>"$dir/javac" || fail "$(cat "$dir/javac")"
${CC:-gcc} -g -O1 -fno-optimize-sibling-calls -shared -fPIC -I"$ref/include" -I"$ref/include/linux" "$dir/crasher.c" -o "$dir/libcrasher.so" -pthread || exit 77

crash() { # home, name of the outputs, then arguments; leaves name.out name.log name.rc
    local home=$1 name=$2; shift 2
    rm -f "$dir/$name.log"
    { (cd "$dir" && timeout 180 "$home/bin/java" -Xmx64m -XX:ErrorFile="$dir/$name.log" -Djava.library.path=. "$@" \
        >"$dir/$name.out" 2>"$dir/$name.err"; echo $? >"$dir/$name.rc"); } 2>/dev/null
}
frame() { # "C  [library]  function" of a console report, offsets masked
    grep -A1 '^# Problematic frame' "$1" | tail -1 | sed -E 's/\+0x[0-9a-f]+//g'
}
complete() { # a report that has everything
    local f=$1 s
    [ -s "$f" ] || fail "no $f"
    for s in 'S U M M A R Y' 'T H R E A D' '^Native frames' '^Registers:' '^Top of Stack' '^Instructions' '^Java Threads' \
             '^VM state' '^Heap:' '^Classes loaded \([0-9]+ events' '^Event: ' '^Dynamic libraries' '^jvm_args: ?.*-Xmx64m' '^JVM TI agents' '^Environment' '^PATH=' \
             'S Y S T E M' '^uname: Linux' '^END\.$'; do
        grep -qE "$s" "$f" || fail "$f: no '$s'"
    done
    ! grep -qE 'error occurred during error reporting|timeout occurred' "$f" || fail "$f: $(grep 'during error reporting' "$f")"
}

for how in poke jump divide illegal foreign kill both; do
    kept "crash $how" "$dir"/ref.$how.{out,rc} -- crash "$ref" ref.$how -cp . Crasher $how
    crash "$tested" tested.$how -cp . Crasher $how
    [ "$(cat "$dir/tested.$how.rc")" = "$(cat "$dir/ref.$how.rc")" ] || fail "$how: exit $(cat "$dir/tested.$how.rc")"
    complete "$dir/tested.$how.log"
    grep -q 'A fatal error has been detected by the Java Runtime Environment' "$dir/tested.$how.out" || fail "$how: console"
    # The reference's second thread writes its notice into the middle of the first one's lines.
    a=$(frame "$dir/ref.${how/both/poke}.out") b=$(frame "$dir/tested.$how.out")
    [ "$a" = "$b" ] || fail "$how: HotSpot names '$a', we '$b'"
    [ "$(grep -c 'A fatal error' "$dir/tested.$how.out")" = 1 ] || fail "$how: more than one report"
done
grep -q '^C  \[libcrasher.so+0x[0-9a-f]*\]  Java_Crasher_crash+0x' "$dir/tested.poke.log" || fail "no caller of poke"
grep -q '^j  Crasher.crash(Ljava/lang/String;)V+0' "$dir/tested.poke.log" || fail "no Java frames"
grep -q '^C  \[libcrasher.so+0x[0-9a-f]*\]  jump+0x' "$dir/tested.jump.log" || fail "no way out of nowhere"
grep -q 'Current thread is native thread' "$dir/tested.foreign.log" || fail "foreign thread"
grep -qF 'si_signo: 11 (SIGSEGV), si_code: 1 (SEGV_MAPERR), si_addr: 0x0000000000000010' "$dir/tested.poke.log" || fail siginfo

# Reported by us only: HotSpot dies silently of abort.
for how in abort smash; do
    crash "$tested" $how -cp . Crasher $how
    [ "$(cat "$dir/$how.rc")" = 134 ] || fail "$how: exit $(cat "$dir/$how.rc")"
    complete "$dir/$how.log"
done
[ "$(frame "$dir/abort.out")" = '# C  [libcrasher.so]  give_up' ] || fail "abort: $(frame "$dir/abort.out")"

crash "$tested" deep -cp . Crasher deep
complete "$dir/deep.log"
grep -q '^C  \[libcrasher.so+0x[0-9a-f]*\]  deep+0x' "$dir/deep.log" || fail "deep recursion"
grep -q 'overflowed' "$dir/deep.log" || fail "deep recursion is not explained"

crash "$tested" unsafe -cp . Crasher unsafe
[ "$(cat "$dir/unsafe.rc")" = 134 ] || fail "Unsafe: exit $(cat "$dir/unsafe.rc")"
complete "$dir/unsafe.log"
grep -q '^j  Crasher.unsafe()V+' "$dir/unsafe.log" || fail "Unsafe: no Java frames"
grep -q '^# V  \[libjvm.so' "$dir/unsafe.out" || fail "Unsafe: frame"

crash "$tested" locked -cp . Crasher poke locked
complete "$dir/locked.log"
grep -q 'JavaThread "blocked" daemon \[_thread_blocked' "$dir/locked.log" || fail "thread list"

for vm in ref tested; do
    crash "${!vm}" $vm.agent -agentpath:"$dir/libcrasher.so=x" -cp . Crasher nothing
    crash "${!vm}" $vm.onload -agentpath:"$dir/libcrasher.so=n" -cp . Crasher nothing
done
for how in agent onload; do
    [ "$(frame "$dir/ref.$how.out")" = "$(frame "$dir/tested.$how.out")" ] || fail "$how: $(frame "$dir/tested.$how.out")"
done
complete "$dir/tested.agent.log"
grep -qF "  $dir/libcrasher.so" "$dir/tested.agent.log" || fail "agent is not listed"

# Options around the report.
for vm in ref tested; do
    (cd "$dir" && "${!vm}/bin/java" -XX:-CreateCoredumpOnCrash -XX:ErrorFile="$dir/$vm-%%-%p.err" \
        -XX:OnError='echo first; echo second' -Djava.library.path=. -cp . Crasher poke) >"$dir/$vm.options" 2>&1
    echo $? >>"$dir/$vm.options"
    ls "$dir"/$vm-%-[0-9]*.err >/dev/null || fail "$vm: ErrorFile pattern"
    sed -nE 's/pid=[0-9]+//; /^# -XX:OnError/,$p; /Coredump/p' "$dir/$vm.options" >"$dir/$vm.options.cut"
done
diff "$dir/ref.options.cut" "$dir/tested.options.cut" || fail "options"
out=$(cd "$dir" && "$tested/bin/java" -XX:+ErrorFileToStdout -Djava.library.path=. -cp . Crasher poke 2>&1)
grep -q '^END\.' <<<"$out" || fail "ErrorFileToStdout"
(mkdir -p "$dir/here" && cd "$dir/here" && rm -f hs_err* && "$tested/bin/java" -Djava.library.path=.. -cp .. Crasher poke >/dev/null 2>&1)
ls "$dir"/here/hs_err_pid*.log >/dev/null || fail "default name"
