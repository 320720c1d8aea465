/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_process.h - Java processes as /proc and their performance data show them, also those in containers.
 *
 * A process counts as Java if a libjvm.so (or OpenJ9's) is mapped. /proc/PID/root leads to its files, `inner` is its number
 * in its own process namespace: by that the files of attach and of performance data are called.
 */
#ifndef GRAFT_PROCESS_H
#define GRAFT_PROCESS_H

#include "command.h"

#include <limits.h>
#include <sys/types.h>

typedef struct Process {
    pid_t pid, inner;
    uid_t uid;
    gid_t gid;
    double uptime;            /* seconds */
    bool foreign;             /* sees other files than we: a container */
    bool listens;             /* handles SIGQUIT, as a JVM does once it has begun */
    char vm[96], version[96]; /* "HotSpot" "17.0.15"; "" unknown */
    char libjvm[PATH_MAX];
    char agents[256];   /* "coverage jdwp", or "" */
    char command[1024]; /* main class or jar, and arguments */
} Process;

/* False if there is no such process, it is not Java, or it does not let us look (errno: ESRCH, ENOEXEC, EACCES). */
bool process_read(pid_t pid, Process *p);
/* All that can be read, by number; malloc'ed. */
Process *process_list(size_t *n);
/* By number, or by its main class or jar (also without package or folder). Ends the program with a message if there is none, or
 * several. */
Process process_find(const char *text);
/* A name below its root: /proc/PID/root/tmp/x, or /tmp/x if it sees our files; malloc'ed. */
char *process_path(const Process *p, const char *path);

/* Performance data: a copy as it is now; false if it has none that can be trusted. */
typedef struct PerfData {
    unsigned char *bytes;
    size_t len;
} PerfData;
bool perf_read(const Process *p, PerfData *d);
void perf_free(PerfData *d);
bool perf_number(const PerfData *d, const char *name, int64_t *value);
const char *perf_text(const PerfData *d, const char *name); /* NULL: none */

#endif
