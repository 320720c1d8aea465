/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals that Java handles (jdk.internal.misc.Signal) and SIGQUIT.
 *
 * The handler only counts the signal and posts a semaphore; the Signal Dispatcher
 * thread takes the counts off in jvm_signal_wait.  Handler values that cross the
 * interface: 0 default, 1 ignore, 2 deliver to Java; others are native handlers.
 * Shutdown signals that were ignored when the process started stay ignored.
 */
#include "jvm/jvm_int.h"
#include "jvm/jvm_thread.h"

#include "core/options.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

enum { N_SIGNALS = 65 };

static const struct {
    const char *name;
    int number;
} names[] = {{"HUP", SIGHUP},   {"INT", SIGINT},       {"QUIT", SIGQUIT},     {"ILL", SIGILL},   {"TRAP", SIGTRAP},
             {"ABRT", SIGABRT}, {"IOT", SIGIOT},       {"BUS", SIGBUS},       {"FPE", SIGFPE},   {"KILL", SIGKILL},
             {"USR1", SIGUSR1}, {"SEGV", SIGSEGV},     {"USR2", SIGUSR2},     {"PIPE", SIGPIPE}, {"ALRM", SIGALRM},
             {"TERM", SIGTERM}, {"STKFLT", SIGSTKFLT}, {"CHLD", SIGCHLD},     {"CLD", SIGCHLD},  {"CONT", SIGCONT},
             {"STOP", SIGSTOP}, {"TSTP", SIGTSTP},     {"TTIN", SIGTTIN},     {"TTOU", SIGTTOU}, {"URG", SIGURG},
             {"XCPU", SIGXCPU}, {"XFSZ", SIGXFSZ},     {"VTALRM", SIGVTALRM}, {"PROF", SIGPROF}, {"WINCH", SIGWINCH},
             {"IO", SIGIO},     {"POLL", SIGPOLL},     {"PWR", SIGPWR},       {"SYS", SIGSYS}};

static _Atomic int pending[N_SIGNALS];
static sem_t arrived;
static bool ready;

static void deliver(int sig, siginfo_t *info, void *context) {
    int e = errno;
    atomic_fetch_add(&pending[sig], 1);
    sem_post(&arrived);
    errno = e;
}

static bool install(int sig, void (*handler)(int, siginfo_t *, void *)) {
    struct sigaction a = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    sigfillset(&a.sa_mask);
    return sigaction(sig, &a, NULL) == 0;
}

void jvm_signals_init(void) {
    if (ready) return;
    sem_init(&arrived, 0, 0);
    ready = true;
    if (!vm_options.reduce_signals) install(SIGQUIT, deliver);
}

static int take_pending(void) {
    for (int s = 1; s < N_SIGNALS; s++) {
        int n = atomic_load(&pending[s]);
        while (n > 0)
            if (atomic_compare_exchange_weak(&pending[s], &n, n - 1)) return s;
    }
    return 0;
}

void (*_Atomic jvm_signal_idle)(void);

static void wait_for_arrival(void) {
    enum { IDLE_NANOS = 100000000 };
    for (;;) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += IDLE_NANOS;
        if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
        if (sem_timedwait(&arrived, &until) == 0) return;
        void (*idle)(void) = errno == ETIMEDOUT ? jvm_signal_idle : NULL;
        if (idle) idle();
    }
}

int jvm_signal_wait(Thread *t) {
    int sig;
    while ((sig = take_pending()) == 0) THREAD_BLOCKING(t) wait_for_arrival();
    return sig;
}

/* ---- the interface ---- */

JVM_EXPORT jint JVM_FindSignal(const char *name) {
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcmp(names[i].name, name) == 0) return names[i].number;
    return -1;
}

static bool is_shutdown_signal(int sig) { return sig == SIGHUP || sig == SIGINT || sig == SIGTERM; }

static bool owned_by_vm(int sig) { return sig == SIGFPE || sig == SIGILL || sig == SIGSEGV || sig == SIGQUIT; }

static void *former_handler(const struct sigaction *a) {
    if (a->sa_flags & SA_SIGINFO) return a->sa_sigaction == deliver ? (void *)2 : (void *)a->sa_sigaction;
    if (a->sa_handler == SIG_DFL) return (void *)0;
    if (a->sa_handler == SIG_IGN) return (void *)1;
    return (void *)a->sa_handler;
}

JVM_EXPORT void *JVM_RegisterSignal(jint sig, void *handler) {
    struct sigaction now;
    if (owned_by_vm(sig) || (vm_options.reduce_signals && is_shutdown_signal(sig)) || sig <= 0 || sig >= N_SIGNALS ||
        sigaction(sig, NULL, &now) != 0)
        return (void *)-1;
    void *old = former_handler(&now);
    if (is_shutdown_signal(sig) && old == (void *)1) return old; /* nohup, background jobs */
    bool ok;
    if (handler == (void *)2) {
        ok = install(sig, deliver);
    } else {
        struct sigaction a = {.sa_flags = SA_RESTART};
        a.sa_handler = handler == (void *)0 ? SIG_DFL : handler == (void *)1 ? SIG_IGN : (void (*)(int))handler;
        sigemptyset(&a.sa_mask);
        ok = sigaction(sig, &a, NULL) == 0;
    }
    return ok ? old : (void *)-1;
}

JVM_EXPORT jboolean JVM_RaiseSignal(jint sig) {
    struct sigaction now;
    if (vm_options.reduce_signals && (is_shutdown_signal(sig) || sig == SIGQUIT)) return JNI_FALSE;
    if (is_shutdown_signal(sig) && sigaction(sig, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN)
        return JNI_FALSE;
    return raise(sig) == 0;
}

/* For programs that chain signals to the VM: ours are handled by their own handlers already. */
JVM_EXPORT int JVM_handle_linux_signal(int sig, siginfo_t *info, void *context, int abort_if_unrecognized) { return 0; }
