#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 200
# Null checks of compiled code are faults: beside a handler of the program's own for SIGSEGV that passes on what it does not know, with and
# without libjsig, which keeps one that does not; in threads that blocked all signals before they attached, on a stack for signals that the
# program made, and while the same thread's native code faults and recovers.
set -u
ref=$1 tested=$2 dir=$3
fail() { echo "$*"; exit 1; }
cat >"$dir/faults.c" <<'C'
#include <jni.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
static struct sigaction before;
static int passes, seen;
static __thread sigjmp_buf *volatile recover;
static void on_segv(int sig, siginfo_t *info, void *context) {
    if (recover) siglongjmp(*recover, 1);
    seen++;
    if (passes) before.sa_sigaction(sig, info, context);
    else _exit(77);
}
JNIEXPORT void JNICALL Java_Faults_install(JNIEnv *e, jclass c, jboolean pass) {
    struct sigaction sa = {.sa_sigaction = on_segv, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    passes = pass;
    sigaction(SIGSEGV, &sa, &before);
}
JNIEXPORT jint JNICALL Java_Faults_own(JNIEnv *e, jclass c) {
    sigjmp_buf b;
    volatile int r = 1;
    if (sigsetjmp(b, 1) == 0) {
        recover = &b;
        *(volatile int *)(long)r = 2;
        r = 3;
    } else r = 4;
    recover = NULL;
    return r;
}
static JavaVM *vm;
static jclass cls;
static void *attached(void *arg) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    if (arg) {
        stack_t ss = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
        sigaltstack(&ss, NULL);
    }
    JNIEnv *e;
    (*vm)->AttachCurrentThread(vm, (void **)&e, NULL);
    (*e)->CallStaticVoidMethod(e, cls, (*e)->GetStaticMethodID(e, cls, "work", "()V"));
    (*vm)->DetachCurrentThread(vm);
    return NULL;
}
JNIEXPORT void JNICALL Java_Faults_attach(JNIEnv *e, jclass c, jboolean stack) {
    pthread_t t;
    (*e)->GetJavaVM(e, &vm);
    cls = (*e)->NewGlobalRef(e, c);
    pthread_create(&t, NULL, attached, stack ? &t : NULL);
    pthread_join(t, NULL);
}
C
cat >"$dir/Faults.java" <<'J'
public class Faults {
    static native void install(boolean pass);
    static native int own();
    static native void attach(boolean stack);
    int f;
    Faults next;
    static int read(Faults x) { return x.f + 1; }
    static int length(int[] a, int i) { return a.length + a[i]; }
    static int down(Faults x, int n) { return n == 0 ? x.next.f : down(x, n - 1) + 1; }
    static int caught;
    static void work() {
        int n = 0;
        Faults x = new Faults();
        int[] a = new int[1];
        for (int i = 0; i < 300; i++) {
            try { n += read(i % 5 == 0 ? null : x); } catch (NullPointerException e) { n += 10; }
            try { n += length(i % 7 == 0 ? null : a, 0); } catch (NullPointerException e) { n += 20; }
            try { n += down(x, i); } catch (NullPointerException e) { n += e.getStackTrace().length > i ? 1 : 2; }
        }
        System.out.println("work " + n);
    }
    public static void main(String[] args) throws Exception {
        System.loadLibrary("faults");
        for (String s : args) switch (s) {
            case "passes" -> install(true);
            case "keeps" -> install(false);
            case "own" -> System.out.println("own " + own());
            case "work" -> work();
            case "thread" -> { Thread t = new Thread(Faults::work); t.start(); t.join(); }
            case "attach" -> attach(false);
            default -> attach(true);
        }
        System.out.println("done");
    }
}
J
"$ref/bin/javac" -d "$dir" "$dir/Faults.java" || fail "javac"
${CC:-gcc} -O1 -shared -fPIC -I"$ref/include" -I"$ref/include/linux" "$dir/faults.c" -o "$dir/libfaults.so" || exit 77
both() { # LD_PRELOAD, then arguments
    for vm in ref tested; do
        LD_PRELOAD=$1 "${!vm}/bin/java" -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 -Xbatch \
            -XX:-OmitStackTraceInFastThrow -Djava.library.path="$dir" -cp "$dir" Faults "${@:2}" >"$dir/$vm.out" 2>"$dir/$vm.err"
        echo "exit $?" >>"$dir/$vm.out"
    done
    diff "$dir/ref.out" "$dir/tested.out" || fail "differs: $*"
    grep -q "exit 0" "$dir/tested.out" || fail "ended badly: $*"
}
both "" work thread attach stack
both "" work passes work own work thread attach stack
jsig=$ref/lib/libjsig.so
both "$jsig" work passes work own thread attach stack
both "$jsig" work keeps work own work thread attach stack
