/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the command line wants done at the first OutOfMemoryError of the heap or of class data: a heap dump
 * (-XX:+HeapDumpOnOutOfMemoryError, -XX:HeapDumpPath) and a command (-XX:OnOutOfMemoryError).
 * Runs before the error object is made, on the thread that ran out of memory.
 */
#include "serve/diag.h"

#include "core/options.h"
#include "exec/throw.h"
#include "os/crash.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* HeapDumpPath names a file, or a folder for java_pid<pid>.hprof; default: here. */
static void dump_path(char *buf, size_t len) {
    const char *p = vm_options.heap_dump_path;
    struct stat st;
    if (!p || !*p) snprintf(buf, len, "java_pid%d.hprof", getpid());
    else if (stat(p, &st) == 0 && S_ISDIR(st.st_mode))
        snprintf(buf, len, "%s%sjava_pid%d.hprof", p, p[strlen(p) - 1] == '/' ? "" : "/", getpid());
    else snprintf(buf, len, "%s", p);
}

static void run_commands(Thread *t, const char *message, const char *commands) {
    printf("#\n# java.lang.OutOfMemoryError: %s\n# -XX:OnOutOfMemoryError=\"%s\"\n", message, commands);
    char line[4096];
    while (crash_next_command(&commands, line, sizeof line)) {
        printf("#   Executing /bin/sh -c \"%s\"...\n", line);
        fflush(stdout);
        THREAD_BLOCKING(t) {
            if (system(line) == -1) perror("OnOutOfMemoryError");
        }
    }
    fflush(stdout);
}

static void heap_exhausted(Thread *t, const char *message) {
    if (vm_options.heap_dump_on_oom) {
        char path[4096];
        dump_path(path, sizeof path);
        printf("java.lang.OutOfMemoryError: %s\n", message);
        hprof_dump(t, &(HprofRequest){.path = path}, stdout);
        fflush(stdout);
    }
    if (vm_options.on_oom) run_commands(t, message, vm_options.on_oom);
}

void oom_actions_init(void) { oom_on_first = heap_exhausted; }
