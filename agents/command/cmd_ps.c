/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_ps.c - `graft ps`: a line for each Java process. */
#include "cmd_process.h"

#include <stdlib.h>

int ps_run(const Command *c, Given *g) {
    size_t n;
    if (g->nrest) graft_die("ps: takes no arguments");
    Process *list = process_list(&n);
    if (n)
        printf("%s%8s  %-8s %-12s %-12s %-16s %s%s\n", ink(stdout, INK_BOLD), "PID", "VM", "VERSION", "UPTIME", "AGENTS",
               "COMMAND", ink(stdout, INK_PLAIN));
    for (size_t i = 0; i < n; i++) {
        const Process *p = &list[i];
        printf("%8d  %-8s %-12s %-12s %-16s %.200s%s\n", (int)p->pid, p->vm, *p->version ? p->version : "-",
               text_seconds(p->uptime), *p->agents ? p->agents : "-", p->command, p->foreign ? " [container]" : "");
    }
    if (!n) graft_say("no Java process of this user");
    free(list);
    return fflush(stdout) ? GRAFT_ERROR : 0;
}
