/* SPDX-License-Identifier: Apache-2.0 */
/* swap_project.h - the modules of a Maven or Gradle project: where their class files and sources are. */
#ifndef SWAP_PROJECT_H
#define SWAP_PROJECT_H

#include "swap_watch.h"

typedef struct SwapProject {
    const Agent *agent;
    char *path;
    SwapWatch *classes, *sources; /* get the directories; sources may be NULL */
    int fd;                       /* -1: no project; to be polled */
    unsigned modules;
    int looks; /* so often is looked again although nothing happened */
} SwapProject;

/* Is this the folder of such a project? */
bool swap_project_is(const char *path);
/* Finds the modules below the folder; both watchers are open. False: no such folder. */
bool swap_project_open(SwapProject *p, const Agent *agent, const char *path);
/* Ends it; it can be opened again. */
void swap_project_close(SwapProject *p);
/* After poll, and from time to time while there are `looks`: looks for modules that came; true if there are any. */
bool swap_project_read(SwapProject *p);

#endif
