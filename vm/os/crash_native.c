/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sections of a crash report that need no VM: the fault, registers, memory around it, native
 * frames, libraries, environment, system.
 *
 * Native frames come from the unwinder of libgcc, which reads .eh_frame and walks through the
 * signal frame.  A call through a bad pointer leaves a pc where nothing can be read: then the
 * return address on top of the stack stands in for it (the context is patched while we unwind).
 * Where the tables end, saved frame pointers are followed as long as they stay on the stack.
 */
#include "os/crash.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

enum { MAX_NATIVE_FRAMES = 100, STACK_BYTES = 512, CODE_BYTES = 256 };

bool (*crash_stack_bounds)(u1 **low, u1 **base);
bool (*crash_print_compiled)(uintptr_t pc);

static const struct {
    int sig;
    const char *name;
} signals[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},   {SIGPIPE, "SIGPIPE"},
               {SIGXFSZ, "SIGXFSZ"}, {SIGILL, "SIGILL"},   {SIGABRT, "SIGABRT"}, {SIGHUP, "SIGHUP"},
               {SIGINT, "SIGINT"},   {SIGTERM, "SIGTERM"}, {SIGQUIT, "SIGQUIT"}, {SIGTRAP, "SIGTRAP"}};

const char *crash_signal_name(int sig) {
    for (size_t i = 0; i < ARRAY_LEN(signals); i++)
        if (signals[i].sig == sig) return signals[i].name;
    return "signal";
}

void crash_step_header(const CrashInfo *c) {
    crash_print("#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n");
    if (c->sig)
        crash_print("#  %s (0x%x) at pc=0x%016lx, pid=%d, tid=%d\n", crash_signal_name(c->sig), c->sig, c->pc, getpid(),
                    os_gettid());
    else
        crash_print("#  Internal Error (%s:%d), pid=%d, tid=%d\n#  fatal error: %s\n", c->file, c->line, getpid(), os_gettid(),
                    c->text);
    crash_print("#\n");
}

/* ---- native frames ---- */

typedef struct Trace {
    uintptr_t pcs[MAX_NATIVE_FRAMES];
    int n;
} Trace;

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *u, void *arg) {
    Trace *t = arg;
    int before = 0;
    uintptr_t pc = _Unwind_GetIPInfo(u, &before);
    if (!pc || t->n == MAX_NATIVE_FRAMES) return _URC_END_OF_STACK;
    t->pcs[t->n++] = pc;
    return _URC_NO_REASON;
}

uintptr_t crash_frame_pointer(const CrashInfo *c) {
    const uintptr_t *fp = cpu_context_fp(c->context);
    return fp ? *fp : 0;
}

/* A jump to nowhere: continue as if the call had returned.  True if the context was changed. */
static bool step_out_of_nowhere(const CrashInfo *c) {
    CodeAddress a;
    uintptr_t ret;
    code_address_find(c->pc, &a);
    if (!CPU_PUSHES_RETURN || a.executable || !os_safe_copy(&ret, (void *)c->sp, sizeof ret)) return false;
    *cpu_context_pc(c->context) = ret;
    *cpu_context_sp(c->context) += sizeof ret;
    return true;
}
static void restore_context(const CrashInfo *c) {
    *cpu_context_pc(c->context) = c->pc;
    *cpu_context_sp(c->context) = c->sp;
}

static void follow_frame_pointers(Trace *t, uintptr_t fp) {
    uintptr_t pair[2];
    while (fp && !(fp & 7) && t->n < MAX_NATIVE_FRAMES && os_safe_copy(pair, (void *)fp, sizeof pair) && pair[1]) {
        t->pcs[t->n++] = pair[1];
        if (pair[0] <= fp || pair[0] - fp > 1 << 20) return;
        fp = pair[0];
    }
}

/* Frames from the problem on; those of the handler itself lie before it. */
static Trace *native_trace(const CrashInfo *c, int *first) {
    static Trace t;
    uintptr_t wanted = c->pc;
    t.n = 0;
    *first = 0;
    bool patched = c->context && step_out_of_nowhere(c);
    if (patched) wanted = *cpu_context_pc(c->context);
    _Unwind_Backtrace(note_frame, &t);
    if (patched) restore_context(c);
    for (int i = 0; wanted && i < t.n; i++)
        if (t.pcs[i] == wanted) {
            *first = i;
            return &t;
        }
    if (!c->context) return &t;
    t.pcs[0] = wanted;
    t.n = 1;
    follow_frame_pointers(&t, crash_frame_pointer(c));
    return &t;
}

/* A jump to nowhere is its caller's doing; abort() is called for the first frame outside of the C
 * library. */
static uintptr_t problem_pc(const CrashInfo *c) {
    static CodeAddress a;
    int first;
    code_address_find(c->pc, &a);
    if (c->sig != SIGABRT && a.executable) return c->pc;
    Trace *t = native_trace(c, &first);
    if (c->sig != SIGABRT) return first < t->n ? t->pcs[first] - 1 : c->pc;
    for (int i = first; i < t->n; i++) {
        code_address_find(t->pcs[i] - 1, &a);
        if (a.library[0] && !strstr(a.library, "/libc.so") && !strstr(a.library, "/libc-")) return t->pcs[i] - 1;
    }
    return c->pc;
}

static uintptr_t problem;

void crash_step_problem(const CrashInfo *c) {
    if (!c->context) return;
    if (!problem) problem = problem_pc(c);
    crash_print("# Problematic frame:\n# ");
    crash_print_frame(problem);
    crash_print("\n#\n");
}

void crash_step_native_stack(const CrashInfo *c) {
    u1 *low = NULL, *base = NULL;
    int first;
    if (crash_stack_bounds) crash_stack_bounds(&low, &base);
    uintptr_t sp = c->sp ? c->sp : (uintptr_t)__builtin_frame_address(0);
    crash_print("Stack: [0x%016lx,0x%016lx],  sp=0x%016lx,  free space=%ldk\n", (uintptr_t)low, (uintptr_t)base, sp,
                ((long)sp - (long)low) >> 10);
    bool below = low && sp < (uintptr_t)low + (16 << 10) && sp + (64 << 20) > (uintptr_t)low;
    if (below && c->sig == SIGSEGV)
        crash_print("The C stack of this thread overflowed (native recursion too deep); a larger -Xss may help.\n");
    crash_print("Native frames: (V=VM code, C=native code)\n");
    Trace *t = native_trace(c, &first);
    for (int i = first; i < t->n; i++) {
        crash_print_frame(i == first && c->context ? t->pcs[i] : t->pcs[i] - 1);
        crash_print("\n");
    }
    if (t->n == MAX_NATIVE_FRAMES) crash_print("...<more frames>...\n");
    crash_print("\n");
}

/* ---- who is to blame, core dumps ---- */

void crash_step_blame(const CrashInfo *c) {
    CodeAddress a, self;
    code_address_find((uintptr_t)&crash_step_blame, &self);
    code_address_find(problem ? problem : c->pc, &a);
    if (c->context && strcmp(a.library, self.library) != 0)
        crash_print("# The crash happened outside the Java Virtual Machine in native code.\n"
                    "# See problematic frame for where to report the bug.\n#\n");
}

void crash_step_core(const CrashInfo *c) {
    struct rlimit r;
    char pattern[256], cwd[1024];
    if (crash_options.no_core) return crash_print("# CreateCoredumpOnCrash turned off, no core file dumped\n#\n");
    if (getrlimit(RLIMIT_CORE, &r) != 0 || r.rlim_cur == 0) {
        crash_print("# No core dump will be written. Core dumps have been disabled. To enable core dumping, try "
                    "\"ulimit -c unlimited\" before starting Java again\n#\n");
        return;
    }
    os_read_text("/proc/sys/kernel/core_pattern", pattern, sizeof pattern);
    pattern[strcspn(pattern, "\n")] = 0;
    if (!getcwd(cwd, sizeof cwd)) cwd[0] = 0;
    crash_print("# Core dump will be written. Default location: ");
    if (*pattern == '|')
        crash_print("Core dumps may be processed with \"%s\" (or dumping to %s/core.%d)", pattern + 1, cwd, getpid());
    else crash_print("%s%s%s", *pattern == '/' ? "" : cwd, *pattern == '/' ? "" : "/", *pattern ? pattern : "core");
    crash_print(r.rlim_cur == RLIM_INFINITY ? "\n#\n"
                                            : " (max size %lu kB). To ensure a full core dump, try "
                                              "\"ulimit -c unlimited\" before starting Java again\n#\n",
                (unsigned long)(r.rlim_cur >> 10));
}

/* ---- registers and memory ---- */

static const char *code_name(int sig, int code) {
    if (sig == SIGSEGV) return code == SEGV_MAPERR ? "SEGV_MAPERR" : code == SEGV_ACCERR ? "SEGV_ACCERR" : NULL;
    if (sig == SIGBUS) return code == BUS_ADRALN ? "BUS_ADRALN" : code == BUS_ADRERR ? "BUS_ADRERR" : NULL;
    if (sig == SIGFPE) return code == FPE_INTDIV ? "FPE_INTDIV" : code == FPE_FLTDIV ? "FPE_FLTDIV" : NULL;
    if (sig == SIGILL) return code == ILL_ILLOPC ? "ILL_ILLOPC" : code == ILL_ILLOPN ? "ILL_ILLOPN" : NULL;
    return NULL;
}

void crash_step_siginfo(const CrashInfo *c) {
    if (!c->info) return;
    const siginfo_t *s = c->info;
    const char *code = s->si_code == SI_USER     ? "SI_USER"
                       : s->si_code == SI_TKILL  ? "SI_TKILL"
                       : s->si_code == SI_KERNEL ? "SI_KERNEL"
                                                 : code_name(s->si_signo, s->si_code);
    crash_print("siginfo: si_signo: %d (%s), si_code: %d (%s)", s->si_signo, crash_signal_name(s->si_signo), s->si_code,
                code ? code : "unknown");
    if (s->si_code <= 0) crash_print(", si_pid: %d, si_uid: %d", (int)s->si_pid, (int)s->si_uid);
    else crash_print(", si_addr: 0x%016lx", (uintptr_t)s->si_addr);
    crash_print("\n\n");
}

void crash_step_registers(const CrashInfo *c) {
    CpuRegister r[CPU_MOST_REGISTERS];
    int n = c->context ? cpu_registers(c->context, r) : 0;
    if (!n) return;
    crash_print("Registers:");
    for (int i = 0; i < n; i++) crash_print("%s%s=0x%016lx", i % 4 ? ", " : "\n", r[i].name, r[i].value);
    crash_print("\n");
    cpu_print_state(c->context, crash_print);
}

static void describe(const char *name, uintptr_t v) {
    static CodeAddress a;
    crash_print("%s=0x%016lx ", name, v);
    if (!v) return crash_print("is NULL\n");
    code_address_find(v, &a);
    if (a.symbol[0]) crash_print("is %s+0x%lx in %s at 0x%016lx\n", a.symbol, a.symbol_offset, a.library, a.library_base);
    else if (a.library[0]) crash_print("is <offset 0x%lx> in %s at 0x%016lx\n", v - a.library_base, a.library, a.library_base);
    else crash_print(a.readable ? "points into readable memory\n" : "is an unknown value\n");
}
void crash_step_register_map(const CrashInfo *c) {
    CpuRegister r[CPU_MOST_REGISTERS];
    int n = c->context ? cpu_registers(c->context, r) : 0;
    if (!n) return;
    crash_print("Register to memory mapping:\n\n");
    for (int i = 0; i < n; i++) describe(r[i].name, r[i].value);
    crash_print("\n");
}

/* Rows of 16 bytes; rows that cannot be read are left out. */
static void crash_print_bytes(uintptr_t from, uintptr_t to, uintptr_t mark, int unit) {
    for (; from < to; from += 16) {
        union {
            u1 b[16];
            u8 w[2];
        } row;
        if (!os_safe_copy(&row, (void *)from, 16)) continue;
        crash_print("%s0x%016lx:  ", from == mark ? "=>" : mark ? "  " : "", from);
        if (unit == 8) crash_print(" %016lx %016lx", (unsigned long)row.w[0], (unsigned long)row.w[1]);
        else
            for (int i = 0; i < 16; i++) crash_print(" %02x", row.b[i]);
        crash_print("\n");
    }
    crash_print("\n");
}
void crash_step_stack_top(const CrashInfo *c) {
    if (!c->sp) return;
    crash_print("Top of Stack: (sp=0x%016lx)\n", c->sp);
    crash_print_bytes(c->sp, c->sp + STACK_BYTES, 0, 8);
}
void crash_step_code(const CrashInfo *c) {
    if (!c->context) return;
    crash_print("Instructions: (pc=0x%016lx)\n", c->pc);
    if (c->pc > CODE_BYTES) crash_print_bytes(c->pc - CODE_BYTES, c->pc + CODE_BYTES, c->pc, 1);
    else crash_print("not readable\n\n");
}

/* ---- process and system ---- */

void crash_step_libraries(const CrashInfo *c) {
    crash_print("Dynamic libraries:\n");
    crash_print_file("/proc/self/maps", 4 << 20);
    crash_print("\n\n");
}

/* Those that change what a Java program does; others may hold secrets. */
void crash_step_environment(const CrashInfo *c) {
    static const char *const names[] = {"JAVA_HOME",
                                        "JAVA_TOOL_OPTIONS",
                                        "_JAVA_OPTIONS",
                                        "CLASSPATH",
                                        "JDK_JAVA_OPTIONS",
                                        "PATH",
                                        "USERNAME",
                                        "LD_LIBRARY_PATH",
                                        "LD_PRELOAD",
                                        "SHELL",
                                        "DISPLAY",
                                        "LANG",
                                        "LC_ALL",
                                        "LC_NUMERIC",
                                        "LC_CTYPE",
                                        "TERM",
                                        "TMPDIR",
                                        "TZ",
                                        "HOSTTYPE",
                                        "OSTYPE",
                                        "ARCH",
                                        "MACHTYPE",
                                        "JDK_ALTERNATE_VM",
                                        "MALLOC_ARENA_MAX"};
    crash_print("Environment Variables:\n");
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (getenv(names[i])) crash_print("%s=%s\n", names[i], getenv(names[i]));
    crash_print("\n");
}

static void print_handler(int sig, const char *name) {
    struct sigaction a;
    if (sigaction(sig, NULL, &a) != 0) return;
    crash_print("%10s: ", name);
    if (a.sa_handler == SIG_DFL) crash_print("SIG_DFL");
    else if (a.sa_handler == SIG_IGN) crash_print("SIG_IGN");
    else crash_print_frame((uintptr_t)a.sa_sigaction);
    crash_print(", flags=0x%x\n", (unsigned)a.sa_flags);
}
void crash_step_signals(const CrashInfo *c) {
    crash_print("Signal Handlers:\n");
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) print_handler(signals[i].sig, signals[i].name);
    crash_print("\n");
}

static void print_limit(const char *name, int what) {
    struct rlimit r;
    if (getrlimit((__rlimit_resource_t)what, &r) != 0) return;
    crash_print(" %s ", name);
    if (r.rlim_cur == RLIM_INFINITY) crash_print("infinity,");
    else crash_print("%lu,", (unsigned long)r.rlim_cur);
}

void crash_step_system(const CrashInfo *c) {
    struct utsname u;
    crash_print("OS:\n");
    crash_print_file("/etc/os-release", 2048);
    if (uname(&u) == 0) crash_print("uname: %s %s %s %s\n", u.sysname, u.release, u.version, u.machine);
    crash_print("rlimit (soft):");
    print_limit("STACK", RLIMIT_STACK);
    print_limit("CORE", RLIMIT_CORE);
    print_limit("NPROC", RLIMIT_NPROC);
    print_limit("NOFILE", RLIMIT_NOFILE);
    print_limit("AS", RLIMIT_AS);
    print_limit("DATA", RLIMIT_DATA);
    crash_print("\nload average: ");
    crash_print_file("/proc/loadavg", 256);
    crash_print("\n/proc/meminfo:\n");
    crash_print_file("/proc/meminfo", 8192);
    crash_print("\nProcess:\n");
    crash_print_file("/proc/self/status", 2048);
    crash_print("\nCPU: total %ld\n/proc/cpuinfo:\n", sysconf(_SC_NPROCESSORS_ONLN));
    crash_print_file("/proc/cpuinfo", 2048);
    crash_print("\nMemory: %luk page, physical %luk\n\n", (unsigned long)(os_page_size() >> 10),
                (unsigned long)sysconf(_SC_PHYS_PAGES) * (os_page_size() >> 10));
}

/* Days since 1970 to a date, Gregorian; gmtime takes a lock. */
static void civil(int64_t days, int *y, int *m, int *d) {
    days += 719468;
    int64_t era = days / 146097, doe = days - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365, doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int64_t mp = (5 * doy + 2) / 153;
    *d = (int)(doy - (153 * mp + 2) / 5 + 1);
    *m = (int)(mp < 10 ? mp + 3 : mp - 9);
    *y = (int)(yoe + era * 400 + (*m <= 2));
}
void crash_step_host_time(const CrashInfo *c) {
    static const char days[] = "ThuFriSatSunMonTueWed", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    int y, m, d;
    int64_t now = os_millis() / 1000, day = now / 86400, s = now % 86400;
    char host[128] = "unknown";
    gethostname(host, sizeof host - 1);
    civil(day, &y, &m, &d);
    crash_print("Host: %s, %ld cores, %luG\nTime: %.3s %.3s %2d %02d:%02d:%02d %d UTC", host, sysconf(_SC_NPROCESSORS_ONLN),
                (unsigned long)sysconf(_SC_PHYS_PAGES) * os_page_size() >> 30, days + day % 7 * 3, months + (m - 1) * 3, d,
                (int)(s / 3600), (int)(s / 60 % 60), (int)(s % 60), y);
}

void crash_step_end(const CrashInfo *c) { crash_print("END.\n"); }

const CrashStep crash_native_steps[] = {{"header", CRASH_BOTH, false, crash_step_header},
                                        {"problematic frame", CRASH_BOTH, false, crash_step_problem},
                                        {"native stack", CRASH_FILE_ONLY, false, crash_step_native_stack},
                                        {"signal", CRASH_FILE_ONLY, false, crash_step_siginfo},
                                        {"registers", CRASH_FILE_ONLY, false, crash_step_registers},
                                        {"end", CRASH_FILE_ONLY, false, crash_step_end},
                                        {NULL, CRASH_BOTH, false, NULL}};
const CrashStep *crash_steps = crash_native_steps;
