/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Synchronous faults: continue at a registered place, hand over to an older handler, or report
 * and die.
 *
 * Order in the handler: (1) pc inside a registered range -> resume at its recovery address;
 * (2) a handler that was there before the VM (an embedding program) gets the signal; (3) report
 * on stderr, then abort, so that a core is written.  The handler runs on the
 * alternate stack, which is what makes an overflow of the C stack reportable.  Only
 * async-signal-safe calls are used, backtrace() excepted, which is warmed up at start so that it
 * need not load anything.
 */
#include "os/os.h"

#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef GRAFT_VERSION
#define GRAFT_VERSION "unknown"
#endif

enum { ALT_STACK_SIZE = 64 * 1024, MAX_FAULT_RANGES = 64 };

void (*os_crash_details)(void);
const char *(*os_crash_thread)(u1 **c_stack_low);

static const int fault_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static struct sigaction previous[65];
static struct { uintptr_t lo, hi, recover; } ranges[MAX_FAULT_RANGES];
static _Atomic int n_ranges;
static pthread_mutex_t ranges_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_flag reporting = ATOMIC_FLAG_INIT;

void os_crash_puts(const char *s)
{
    size_t n = strlen(s);
    while (n > 0) {
        ssize_t w = write(2, s, n);
        if (w <= 0) return;
        s += w;
        n -= (size_t)w;
    }
}

void os_crash_put_hex(u8 v)
{
    char buf[19] = "0x";
    for (int i = 0; i < 16; i++) buf[2 + i] = "0123456789abcdef"[v >> (60 - 4 * i) & 15];
    os_crash_puts(buf);
}

static void put_decimal(u8 v)
{
    char buf[24], *p = buf + sizeof buf;
    *--p = 0;
    do *--p = (char)('0' + v % 10);
    while (v /= 10);
    os_crash_puts(p);
}

static uintptr_t *context_pc(void *context)
{
    ucontext_t *uc = context;
#if defined(__x86_64__)
    return (uintptr_t *)&uc->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t *)&uc->uc_mcontext.pc;
#else
    (void)uc;
    return NULL;
#endif
}

bool os_add_fault_range(const void *lo, const void *hi, const void *recover)
{
    pthread_mutex_lock(&ranges_lock);
    int n = atomic_load(&n_ranges);
    bool ok = n < MAX_FAULT_RANGES;
    if (ok) {
        ranges[n].lo = (uintptr_t)lo;
        ranges[n].hi = (uintptr_t)hi;
        ranges[n].recover = (uintptr_t)recover;
        atomic_store(&n_ranges, n + 1);
    }
    pthread_mutex_unlock(&ranges_lock);
    return ok;
}

static bool recover_at_known_pc(void *context)
{
    uintptr_t *pc = context_pc(context);
    if (!pc) return false;
    int n = atomic_load(&n_ranges);
    for (int i = 0; i < n; i++)
        if (*pc >= ranges[i].lo && *pc < ranges[i].hi) {
            *pc = ranges[i].recover;
            return true;
        }
    return false;
}

static const char *signal_name(int sig)
{
    switch (sig) {
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGILL: return "SIGILL";
    default: return "signal";
    }
}

static void put_command_line(void)
{
    char buf[4096];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    ssize_t n = read(fd, buf, sizeof buf - 1);
    close(fd);
    if (n <= 0) return;
    for (ssize_t i = 0; i + 1 < n; i++)
        if (!buf[i]) buf[i] = ' ';
    buf[n] = 0;
    os_crash_puts("# Command line: ");
    os_crash_puts(buf);
    os_crash_puts("\n");
}

static void put_native_stack(void)
{
    void *pcs[64];
    int n = backtrace(pcs, (int)ARRAY_LEN(pcs));
    os_crash_puts("# Native stack:\n");
    backtrace_symbols_fd(pcs, n, 2);
}

static void put_footer(void)
{
    put_command_line();
    if (os_crash_details) os_crash_details();
    put_native_stack();
}

static void put_header(void)
{
    os_crash_puts("#\n# A fatal error has been detected by Graft " GRAFT_VERSION " (pid ");
    put_decimal((u8)getpid());
    os_crash_puts(", tid ");
    put_decimal((u8)os_gettid());
    os_crash_puts(")\n");
}

static void report_fault(int sig, siginfo_t *info, void *context)
{
    u1 *low = NULL;
    const char *name = os_crash_thread ? os_crash_thread(&low) : NULL;
    uintptr_t *pc = context_pc(context);
    u1 *addr = info->si_addr;
    put_header();
    os_crash_puts("# ");
    os_crash_puts(signal_name(sig));
    os_crash_puts(" at pc=");
    os_crash_put_hex(pc ? *pc : 0);
    os_crash_puts(", address=");
    os_crash_put_hex((uintptr_t)addr);
    os_crash_puts("\n# Thread: ");
    os_crash_puts(name ? name : "(not attached)");
    os_crash_puts("\n");
    if (low && sig == SIGSEGV && addr >= low - (256 << 10) && addr < low + (16 << 10))
        os_crash_puts("# The C stack of this thread overflowed (native recursion too deep); "
                      "a larger -Xss may help.\n");
    put_footer();
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
    if (recover_at_known_pc(context)) return;
    struct sigaction *old = &previous[sig];
    if (old->sa_flags & SA_SIGINFO) {
        old->sa_sigaction(sig, info, context);
        return;
    }
    if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
        old->sa_handler(sig);
        return;
    }
    if (!atomic_flag_test_and_set(&reporting)) report_fault(sig, info, context);
    signal(sig, SIG_DFL);
    signal(SIGABRT, SIG_DFL); /* exit status as users of java know it; the core shows both stacks */
    abort();
}

/* A handler rather than SIG_IGN, which child processes would inherit through exec. */
static void on_harmless(int sig)
{
}

void os_faults_init(void)
{
    static bool done;
    if (done) return;
    done = true;
    void *warm[1];
    backtrace(warm, 1);
    struct sigaction sa;
    memset(&sa, 0, sizeof sa);
    sigemptyset(&sa.sa_mask);
    sa.sa_sigaction = on_fault;
    sa.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_NODEFER;
    for (size_t i = 0; i < ARRAY_LEN(fault_signals); i++)
        sigaction(fault_signals[i], &sa, &previous[fault_signals[i]]);
    sa.sa_handler = on_harmless;
    sa.sa_flags = SA_RESTART | SA_ONSTACK;
    static const int harmless[] = {SIGPIPE, SIGXFSZ};
    for (size_t i = 0; i < ARRAY_LEN(harmless); i++) {
        struct sigaction now;
        sigaction(harmless[i], NULL, &now);
        if (!(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL)
            sigaction(harmless[i], &sa, NULL);
    }
}

void *os_alt_stack_install(void)
{
    stack_t now, ss;
    if (sigaltstack(NULL, &now) == 0 && !(now.ss_flags & SS_DISABLE)) return NULL; /* has one */
    void *p = mmap(NULL, ALT_STACK_SIZE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return NULL;
    memset(&ss, 0, sizeof ss);
    ss.ss_sp = p;
    ss.ss_size = ALT_STACK_SIZE;
    if (sigaltstack(&ss, NULL) == 0) return p;
    munmap(p, ALT_STACK_SIZE);
    return NULL;
}

void os_alt_stack_remove(void *token)
{
    if (!token) return;
    stack_t off;
    memset(&off, 0, sizeof off);
    off.ss_flags = SS_DISABLE;
    sigaltstack(&off, NULL);
    munmap(token, ALT_STACK_SIZE);
}

void vm_fatal(const char *file, int line, const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (!atomic_flag_test_and_set(&reporting)) {
        put_header();
        os_crash_puts("# Internal error at ");
        os_crash_puts(file);
        os_crash_puts(":");
        put_decimal((u8)line);
        os_crash_puts(": ");
        os_crash_puts(text);
        os_crash_puts("\n");
        put_footer();
    }
    abort();
}
