/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Synchronous faults: continue at a registered place, hand over to an older handler, or report
 * and die.
 *
 * Order in the handler: (1) pc inside a registered range -> resume at its recovery address; (2) the memory
 * fault hook (compiled code) knows where to go on; (3) the report is being written -> leave the step that
 * failed; (4) a handler that was there before the VM (an embedding program) gets the signal; (5) report
 * (crash_report.c) and abort, so that a core is written.  The handler runs on the alternate stack, which is what makes an
 * overflow of the C stack reportable.  SIGABRT is reported too, because the C library's own checks
 * end in it.
 *
 * Compiled code relies on faults (null checks), so threads that run Java do not block these signals.  A program that installs handlers of its own
 * later and does not pass on what is not its own is lost, unless libjsig is loaded first: then it keeps the program's handlers, of which we
 * ask for (4), and leaves ours where they are.
 */
#include "core/vm.h"
#include "os/crash.h"

#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALT_STACK_SIZE = 128 * 1024 };

static const int fault_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
static struct sigaction previous[65];

static _Atomic(OsMemoryFaultHook) memory_fault_hook;

void os_set_memory_fault_hook(OsMemoryFaultHook hook) { atomic_store(&memory_fault_hook, hook); }

/* Only where the kernel tells the address: a signal that somebody sent has none, nor has a fault on an address that no
 * page could have (SI_KERNEL; it would look like an access through null). */
static bool redirected_by_hook(int sig, const siginfo_t *info, void *context) {
    OsMemoryFaultHook hook = atomic_load(&memory_fault_hook);
    uintptr_t *pc = cpu_context_pc(context);
    if (!hook || !pc || (sig != SIGSEGV && sig != SIGBUS) || info->si_code <= 0 || info->si_code == SI_KERNEL) return false;
    const void *to = hook((const void *)*pc, info->si_addr, context);
    if (to) *pc = (uintptr_t)to;
    return to != NULL;
}

bool (*os_bus_error)(void *address);

typedef struct sigaction *(*JsigAction)(int sig);
static JsigAction jsig_action;

static const struct sigaction *older(int sig) {
    const struct sigaction *kept = jsig_action ? jsig_action(sig) : NULL;
    return kept ? kept : &previous[sig];
}

static void on_fault(int sig, siginfo_t *info, void *context) {
    if (sig == SIGBUS && info->si_code == BUS_ADRERR && os_bus_error && os_bus_error(info->si_addr)) return;
    if (redirected_by_hook(sig, info, context)) return;
    crash_step_failed(sig, info, context);
    const struct sigaction *old = older(sig);
    if (old->sa_flags & SA_SIGINFO) {
        old->sa_sigaction(sig, info, context);
        return;
    }
    if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
        old->sa_handler(sig);
        return;
    }
    uintptr_t *pc = cpu_context_pc(context), *sp = cpu_context_sp(context);
    CrashInfo c = {.sig = sig, .info = info, .context = context, .pc = pc ? *pc : 0, .sp = sp ? *sp : 0};
    crash_die(&c);
}

/* A handler rather than SIG_IGN, which child processes would inherit through exec. */
static void on_harmless(int sig) {}

static void report_fatal(const char *file, int line, const char *text) {
    CrashInfo c = {.file = file, .line = line, .text = text};
    crash_die(&c);
}

void os_faults_init(void) {
    static bool done;
    if (done) return;
    done = true;
    vm_fatal_hook = report_fatal;
    struct sigaction sa;
    memset(&sa, 0, sizeof sa);
    sigemptyset(&sa.sa_mask);
    sa.sa_sigaction = on_fault;
    sa.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_NODEFER;
    void (*begin)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "JVM_begin_signal_setting");
    void (*end)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "JVM_end_signal_setting");
    JsigAction kept = (JsigAction)dlsym(RTLD_DEFAULT, "JVM_get_signal_action");
    bool jsig = begin && end && kept;
    if (jsig) begin();
    for (size_t i = 0; i < ARRAY_LEN(fault_signals); i++) sigaction(fault_signals[i], &sa, &previous[fault_signals[i]]);
    if (jsig) {
        end();
        jsig_action = kept;
    }
    sa.sa_handler = on_harmless;
    sa.sa_flags = SA_RESTART | SA_ONSTACK;
    static const int harmless[] = {SIGPIPE, SIGXFSZ};
    for (size_t i = 0; i < ARRAY_LEN(harmless); i++) {
        struct sigaction now;
        sigaction(harmless[i], NULL, &now);
        if (!(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL) sigaction(harmless[i], &sa, NULL);
    }
}

void os_faults_unblock(void) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < ARRAY_LEN(fault_signals); i++)
        if (fault_signals[i] != SIGABRT) sigaddset(&set, fault_signals[i]);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void *os_alt_stack_install(void) {
    stack_t now, ss;
    if (sigaltstack(NULL, &now) == 0 && !(now.ss_flags & SS_DISABLE)) return NULL; /* has one */
    void *p = mmap(NULL, ALT_STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return NULL;
    memset(&ss, 0, sizeof ss);
    ss.ss_sp = p;
    ss.ss_size = ALT_STACK_SIZE;
    if (sigaltstack(&ss, NULL) == 0) return p;
    munmap(p, ALT_STACK_SIZE);
    return NULL;
}

void os_alt_stack_remove(void *token) {
    if (!token) return;
    stack_t off;
    memset(&off, 0, sizeof off);
    off.ss_flags = SS_DISABLE;
    sigaltstack(&off, NULL);
    munmap(token, ALT_STACK_SIZE);
}
