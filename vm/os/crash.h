/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Crash reports: a table of steps that each print one section (os/crash_report.c drives them).
 *
 * Everything here runs in a signal handler of a process that is damaged: no allocation, no lock,
 * no stdio streams.  A step may fault or hang: it is left, the report says so and goes on.
 * vsnprintf is used for integers and strings only, where the C library neither allocates nor locks.
 */
#ifndef GRAFT_OS_CRASH_H
#define GRAFT_OS_CRASH_H

#include "os/os.h"
#include <signal.h>

typedef struct CrashInfo {
    int sig; /* 0: an internal error */
    siginfo_t *info;
    void *context;           /* ucontext_t, NULL without signal */
    uintptr_t pc, sp;        /* of the problem; 0 = unknown */
    const char *file, *text; /* internal error */
    int line;
    bool verbose; /* the report file, not the console */
} CrashInfo;

typedef enum CrashWhere { CRASH_BOTH, CRASH_FILE_ONLY, CRASH_CONSOLE_ONLY } CrashWhere;
typedef struct CrashStep {
    const char *name;
    CrashWhere where;
    bool always; /* part of a description of a healthy process too */
    void (*run)(const CrashInfo *c);
} CrashStep;
/* The sections in order, ended by a NULL name; native sections only until the VM sets its own. */
extern const CrashStep *crash_steps;

typedef struct CrashOptions { /* set by the VM once the command line is known */
    const char *error_file;   /* pattern, NULL = hs_err_pid%p.log here, else in /tmp */
    const char *on_error;     /* commands */
    bool no_core, to_stdout, to_stderr;
    void (*abort_hook)(void);
} CrashOptions;
extern CrashOptions crash_options;

/* Bounds of the calling thread's C stack; false = unknown. */
extern bool (*crash_stack_bounds)(u1 **low, u1 **base);

/* The next of commands that ';' separates, with %p (the process id) and %% in it expanded.  False: there is no more. */
bool crash_next_command(const char **commands, char *line, size_t len);

/* Writes the report and ends the process. */
COLD void crash_die(CrashInfo *c) __attribute__((noreturn));
/* A fault or time-out inside a step, seen by the fault handler: does not return if this thread reports. */
void crash_step_failed(int sig, siginfo_t *info, void *context);

/* Runs the steps that describe a process that is well, each line given to
 * `sink`; for jcmd VM.info.  One caller at a time. */
void crash_describe_process(void (*sink)(const char *text, size_t n, void *arg), void *arg);

/* ---- for steps ---- */
void crash_print(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
extern bool (*crash_print_compiled)(uintptr_t pc); /* set by the VM: prints what compiled code is at pc; false: none */
/* "V  [libjvm.so+0x1234]  name+0x10" of a code address. */
void crash_print_frame(uintptr_t pc);
void crash_print_file(const char *path, size_t max); /* contents of a /proc or /etc file */
const char *crash_signal_name(int sig);
uintptr_t crash_frame_pointer(const CrashInfo *c); /* the register, of a signal; 0: this CPU has no certain one */
extern const CrashStep crash_native_steps[];

/* Sections of os/: */
void crash_step_header(const CrashInfo *c), crash_step_problem(const CrashInfo *c), crash_step_core(const CrashInfo *c),
    crash_step_file_name(const CrashInfo *c), crash_step_blame(const CrashInfo *c), crash_step_native_stack(const CrashInfo *c),
    crash_step_siginfo(const CrashInfo *c), crash_step_registers(const CrashInfo *c), crash_step_register_map(const CrashInfo *c),
    crash_step_stack_top(const CrashInfo *c), crash_step_code(const CrashInfo *c), crash_step_libraries(const CrashInfo *c),
    crash_step_environment(const CrashInfo *c), crash_step_signals(const CrashInfo *c), crash_step_system(const CrashInfo *c),
    crash_step_host_time(const CrashInfo *c), crash_step_end(const CrashInfo *c);

/* ---- os/symbols.c ---- */
typedef struct CodeAddress {
    char library[512];      /* "" = not in a file */
    uintptr_t library_base; /* where the file's first byte is mapped */
    char symbol[256];       /* "" = none found */
    uintptr_t symbol_offset;
    bool executable; /* lies in executable memory */
    bool readable;
} CodeAddress;
/* Finds out about an address by /proc/self/maps and the library's own symbol tables. Signal-safe. */
void code_address_find(uintptr_t pc, CodeAddress *a);

#endif
