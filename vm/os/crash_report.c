/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drives a crash report: a short one on standard output, the whole in a file, in the form java
 * users and their tools know (hs_err_pid<pid>.log).
 *
 * The first thread that crashes reports; others that crash meanwhile wait for the end.  While a
 * step runs, a fault of the reporting thread or its alarm (STEP_SECONDS) jumps out of the step.  An
 * alarm that reaches another thread is passed on.  So neither damaged data nor a lock that the
 * crashed thread holds can stop the report; at worst a section is missing.
 */
#include "os/crash.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEP_SECONDS = 10, MAX_FAILURES = 60 };

CrashOptions crash_options;

static _Atomic int reporter; /* thread id of the reporting thread */
static int out_fd = 1;
static char buffer[8192];
static size_t buffered;
static sigjmp_buf step_left;
static volatile sig_atomic_t in_step;
static const char *volatile step_name;
static char file_path[PATH_MAX];

/* ---- output ---- */

static void write_out(const char *p, size_t n) {
    while (n > 0) {
        ssize_t w = write(out_fd, p, n);
        if (w < 0 && errno == EINTR) continue;
        if (w <= 0) return;
        p += w;
        n -= (size_t)w;
    }
}
static void flush_out(void) {
    write_out(buffer, buffered);
    buffered = 0;
}
static void (*sink)(const char *, size_t, void *);
static void *sink_arg;

static void put_text(const char *s, size_t n) {
    if (sink) return sink(s, n, sink_arg);
    if (buffered + n > sizeof buffer) flush_out();
    if (n > sizeof buffer) return write_out(s, n);
    memcpy(buffer + buffered, s, n);
    buffered += n;
}

void crash_print(const char *fmt, ...) {
    static char line[8192];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    if (n > 0) put_text(line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

void crash_print_file(const char *path, size_t max) {
    static char part[4096];
    ssize_t n;
    char last = '\n';
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    while (max > 0 && (n = read(fd, part, max < sizeof part ? max : sizeof part)) > 0) {
        put_text(part, (size_t)n);
        max -= (size_t)n;
        last = part[n - 1];
    }
    close(fd);
    if (last != '\n') put_text("\n", 1);
}

void crash_print_frame(uintptr_t pc) {
    static CodeAddress a, self;
    if (crash_print_compiled && crash_print_compiled(pc)) return;
    if (!self.library[0]) code_address_find((uintptr_t)&crash_print_frame, &self);
    code_address_find(pc, &a);
    if (!a.library[0]) return crash_print("C  0x%016lx", pc);
    const char *slash = strrchr(a.library, '/');
    crash_print("%c  [%s+0x%lx]", strcmp(a.library, self.library) == 0 ? 'V' : 'C', slash + 1, pc - a.library_base);
    if (a.symbol[0]) crash_print("  %s+0x%lx", a.symbol, a.symbol_offset);
}

/* ---- steps ---- */

/* In the handler: not async-signal-safe to return to a step that is damaged, so it is left for good. */
void crash_step_failed(int sig, siginfo_t *info, void *context) {
    int me = os_gettid(), who = atomic_load(&reporter);
    if (!who) return;
    if (me != who) {
        if (sig == SIGALRM) syscall(SYS_tgkill, getpid(), who, SIGALRM);
        else
            for (;;) pause();
        return;
    }
    if (!in_step) {
        signal(SIGABRT, SIG_DFL);
        abort();
    }
    in_step = 0;
    siglongjmp(step_left, sig);
}

static void on_alarm(int sig, siginfo_t *info, void *context) {
    int e = errno;
    crash_step_failed(sig, info, context);
    errno = e;
}

static void run_steps(const CrashInfo *c) {
    static int volatile failures;
    for (const CrashStep *volatile s = crash_steps; s->name && failures < MAX_FAILURES; s++) {
        if (s->where == (c->verbose ? CRASH_CONSOLE_ONLY : CRASH_FILE_ONLY)) continue;
        int sig = sigsetjmp(step_left, 1);
        if (sig == 0) {
            step_name = s->name;
            in_step = 1;
            alarm(STEP_SECONDS);
            s->run(c);
        } else if (sig == SIGALRM) {
            crash_print("\n[timeout occurred during error reporting in step \"%s\"] after %d s.\n", step_name, STEP_SECONDS);
            failures++;
        } else {
            crash_print("\n[error occurred during error reporting (%s), id 0x%x, %s (0x%x)]\n", step_name, sig,
                        crash_signal_name(sig), sig);
            failures++;
        }
        alarm(0);
        in_step = 0;
        flush_out();
    }
}

/* ---- the report file ---- */

/* %p is the process id, %% a percent sign. */
static void expand_pattern(char *to, size_t len, const char *from, const char *end) {
    size_t n = 0;
    for (; from < end && n + 16 < len; from++) {
        if (*from == '%' && from[1] == 'p') n += (size_t)snprintf(to + n, len - n, "%d", getpid()), from++;
        else if (*from == '%' && from[1] == '%') to[n++] = *from++;
        else to[n++] = *from;
    }
    to[n] = 0;
}

static int create_file(const char *pattern) {
    char name[PATH_MAX];
    expand_pattern(name, sizeof name, pattern, pattern + strlen(pattern));
    if (*name == '/' || !getcwd(file_path, sizeof file_path - strlen(name) - 2)) file_path[0] = 0;
    if (file_path[0]) strcat(file_path, "/");
    strncat(file_path, name, sizeof file_path - strlen(file_path) - 1);
    return open(file_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

static int open_report(void) {
    int fd = -1;
    if (crash_options.to_stdout || crash_options.to_stderr) return crash_options.to_stdout ? 1 : 2;
    if (crash_options.error_file && *crash_options.error_file) fd = create_file(crash_options.error_file);
    if (fd < 0) fd = create_file("hs_err_pid%p.log");
    if (fd < 0) fd = create_file("/tmp/hs_err_pid%p.log");
    if (fd < 0) file_path[0] = 0;
    return fd;
}

void crash_step_file_name(const CrashInfo *c) {
    if (crash_options.to_stdout || crash_options.to_stderr) return;
    if (file_path[0]) crash_print("# An error report file with more information is saved as:\n# %s\n#\n", file_path);
    else crash_print("# Can not save log file, dump to screen..\n#\n");
}

/* ---- commands of -XX:OnError ---- */

static void run_command(const char *line) {
    crash_print("#   Executing /bin/sh -c \"%s\" ...\n", line);
    flush_out();
    pid_t child = _Fork(); /* no handlers of other libraries run */
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    int status;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
}

bool crash_next_command(const char **commands, char *line, size_t len) {
    const char *p = *commands + strspn(*commands, " ;"), *end = p + strcspn(p, ";");
    expand_pattern(line, len, p, end);
    *commands = end;
    return p < end;
}

static void run_commands(void) {
    const char *p = crash_options.on_error;
    char line[2560];
    if (!p || !*p) return;
    out_fd = 1;
    crash_print("#\n# -XX:OnError=\"%s\"\n", p);
    while (crash_next_command(&p, line, sizeof line)) run_command(line);
    flush_out();
}

/* ---- the whole ---- */

static void prepare_signals(void) {
    sigset_t set;
    struct sigaction a = {.sa_sigaction = on_alarm, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&a.sa_mask);
    sigaction(SIGALRM, &a, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigaddset(&set, SIGSEGV);
    sigaddset(&set, SIGBUS);
    sigaddset(&set, SIGFPE);
    sigaddset(&set, SIGILL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/* glibc's abort writes nothing and takes a lock of its own only. */
static __attribute__((noreturn)) void end_process(void) {
    alarm(0);
    if (crash_options.abort_hook) crash_options.abort_hook();
    if (crash_options.no_core) _exit(1);
    struct sigaction a = {.sa_handler = SIG_DFL};
    sigaction(SIGABRT, &a, NULL);
    abort();
}

void crash_die(CrashInfo *c) {
    int none = 0;
    if (!atomic_compare_exchange_strong(&reporter, &none, os_gettid())) {
        crash_step_failed(c->sig ? c->sig : SIGABRT, c->info, c->context);
        for (;;) pause();
    }
    sink = NULL;
    prepare_signals();
    int fd = open_report();
    c->verbose = false;
    run_steps(c);
    if (fd < 0) fd = 1;
    out_fd = fd;
    c->verbose = true;
    run_steps(c);
    run_commands();
    end_process();
}

/* Without protection: nothing here is expected to fail. */
void crash_describe_process(void (*to)(const char *, size_t, void *), void *arg) {
    CrashInfo c = {.verbose = true};
    sink_arg = arg;
    sink = to;
    for (const CrashStep *s = crash_steps; s->name; s++)
        if (s->always) s->run(&c);
    sink = NULL;
}
