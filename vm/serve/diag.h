/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Serviceability: reports about a running VM.  One implementation each, used by SIGQUIT, the
 * attach listener (serve/attach.c), diagnostic commands (jcmd and its MBean) and JMM.
 *
 * Reports are written to a FILE, usually a memory stream, because they are made while the world
 * is stopped: the slow or blocked consumer is served afterwards.
 */
#ifndef GRAFT_SERVE_DIAG_H
#define GRAFT_SERVE_DIAG_H

#include "options/flags.h"
#include "thread/thread.h"
#include <stdio.h>

/* --- thread_dump.c --- */
/* All threads, deadlocks; `locks`: owned java.util.concurrent locks, `extended`: allocation. [blocks] */
void thread_dump(Thread *t, FILE *out, bool locks, bool extended);

/* --- jmm_thread.c --- */
/* What a thread waits for (monitor, wait target, parkBlocker) and the java.lang.Thread that owns
 * it; world stopped. */
Object *jvm_thread_blocker(Thread *k, Object **owner);
Thread *jvm_thread_waits_for(Thread *k); /* the owner of that */
/* Calls fn with a thread of each cycle, world stopped; monitors_only: of those that enter monitors.  False: no memory. */
bool jvm_each_deadlock(bool monitors_only, void (*fn)(Thread *first, void *arg), void *arg);

/* --- heap_report.c --- */
void heap_print_info(FILE *out);
void class_histogram(Thread *t, FILE *out, bool live); /* live: after a full collection [blocks] */

/* --- hprof.c --- */
typedef struct HprofRequest {
    const char *path;
    bool live; /* collect first */
    bool overwrite;
    int gzip; /* 0 = plain, 1..9 */
} HprofRequest;
/* What hprof_dump says, before the reason, when not all could be written. */
#define HPROF_INCOMPLETE "Dump file is incomplete: "
/* Writes the file and tells about it on out as jmap users know it.  False: out has the reason. [blocks] */
bool hprof_dump(Thread *t, const HprofRequest *r, FILE *out);

/* --- start --- */
/* oom_actions.c: OutOfMemoryError actions of the command line (dump, OnOutOfMemoryError); registers itself. */
void oom_actions_init(void);
/* crash_vm.c: the command line is known; crash reports get the VM's sections. */
void crash_vm_init(void);

/* --- diag.c --- */
typedef struct DiagArg {
    const char *name, *description, *type, *standard; /* type as HotSpot names it: STRING, BOOLEAN, INT */
    bool option, mandatory;                           /* not option: positional */
} DiagArg;
typedef struct DiagCommand {
    const char *name, *description, *impact, *permission; /* permission: ManagementPermission name or NULL */
    const DiagArg *args;
    int n_args;
    bool attach_only; /* not for management */
} DiagCommand;
typedef enum DiagSource { DIAG_ATTACH, DIAG_MANAGEMENT } DiagSource; /* who asks */
int diag_command_count(void);
const DiagCommand *diag_command(int i);
bool diag_is_offered(const DiagCommand *d, DiagSource to);
const DiagCommand *diag_find(const char *name, DiagSource source); /* NULL: there is none */
/* Runs one command line; the answer, or the reason of a refusal, goes to out.  False = refused.
 * Exceptions of Java code that ran are reported there and cleared.  [gc][blocks] */
bool diag_execute(Thread *t, const char *line, DiagSource source, FILE *out);

/* --- diag_actions.c --- */
/* Agent_OnAttach; the text for the attach protocol goes to out.  [gc][blocks] */
bool diag_load_agent(Thread *t, const char *library, bool absolute, const char *options, FILE *out);
/* The version of the class library ("17.0.15"), malloced; NULL: it does not say. [gc][blocks] */
char *diag_jdk_version(Thread *t);
/* Static method of jdk.internal.vm.VMSupport that answers byte[]: its bytes to out. */
bool diag_print_properties(Thread *t, const char *method, FILE *out);

#endif
