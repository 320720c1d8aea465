/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one VM of the process and the phases it goes through.
 */
#ifndef GRAFT_CORE_VM_H
#define GRAFT_CORE_VM_H

#include "core/types.h"

#include <stdarg.h>
#include <stdio.h>

typedef enum VmPhase { /* JVM TI phases plus what the VM itself must know */
                       VM_ONLOAD,
                       VM_PRIMORDIAL,
                       VM_EARLY_START,
                       VM_START,
                       VM_LIVE,
                       VM_DEAD
} VmPhase;

typedef struct VM {
    _Atomic int phase;       /* VmPhase */
    bool java_base_only;     /* until initPhase2 returns: boot loader sees java.base only */
    bool booted;             /* initPhase3 done */
    char *java_home;         /* real path, no trailing slash */
    char *boot_library_path; /* java_home/lib */
    char *class_path;
    char *boot_append; /* -Xbootclasspath/a and agents, ':'-separated, or NULL */
    Object *main_thread_group, *system_thread_group;
    Object *system_loader, *platform_loader; /* java.lang.ClassLoader objects; GC roots */
    int64_t start_nanos, start_millis;
    struct JNIInvokeInterface_ const *invoke; /* JavaVM table */
    void *java_vm;                            /* JavaVM * handed out */
    int (*vfprintf_hook)(void *, const char *, __builtin_va_list);
    void (*exit_hook)(int);
    void (*abort_hook)(void);
} VM;

extern VM vm;

/* Printing through the embedder's "vfprintf" hook. */
int vm_vfprintf(FILE *f, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
int vm_fprintf(FILE *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The end of a start that has told why: the embedder's "exit" hook, then _exit(1). */
COLD void vm_exit_quietly(void) __attribute__((noreturn));
/* Print "Error occurred ..." on standard output and end the process during start-up. */
COLD void vm_exit_during_init(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
/* p, unless it is NULL: then the start ends for want of memory. */
void *vm_start_needs(void *p);
/* The end that a program asked for or deserves: the embedder's "abort" hook, then SIGABRT. */
COLD void vm_abort(void) __attribute__((noreturn));
/* Orderly end: VMDeath, OnUnload, exit(code), by the hook that start/shutdown.c sets. */
COLD void vm_halt(int code) __attribute__((noreturn));

/* What higher layers do in the name of core; set once, before other threads run; they do not return. */
extern void (*vm_fatal_hook)(const char *file, int line, const char *text); /* os/: a crash report */
extern void (*vm_halt_hook)(int code);                                      /* start/ */

#endif
