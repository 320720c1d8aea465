/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_reports.h - what agents leave behind: where it goes, and what is said about it when the command has ended.
 *
 * One JVM writes to the file itself. Where many may run, each writes a file of its own, with its number in the name;
 * coverage data then is united, and reports are made once, of all, by graft-coverage.
 */
#ifndef GRAFT_REPORTS_H
#define GRAFT_REPORTS_H

#include "command.h"

#include <time.h>

typedef struct Reports {
    const AgentKind *agent;
    const Given *given;
    bool many;
    char *output;        /* the file that is told at the end, or NULL */
    char *pattern;       /* of the files that JVMs write, for glob(3); NULL: output alone */
    char *folder;        /* for the pieces, goes away again; or NULL */
    char *agent_options; /* for -agentpath */
    struct timespec begun;
} Reports;

/* Are --fail-under and --diff understood? Says why not. To be asked before CMD, which may run for an hour. */
bool reports_can_judge(const Given *g);
Reports reports_begin(const AgentKind *a, const Given *g, bool many);
/* `silent`: nothing ran. 0; 1 if something that was asked for could not be made; GRAFT_MISSED: a threshold was. */
int reports_end(Reports *r, bool silent);
/* Tells about a report that a running JVM has just written, if it is there. */
void reports_tell(const AgentKind *a, const char *file);

#endif
