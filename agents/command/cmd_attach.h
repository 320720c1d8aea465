/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_attach.h - talks to a JVM that runs, by the protocol of HotSpot's attach listener, which Graft speaks as well.
 *
 * A VM listens on /tmp/.java_pidN once it was asked to: by a file .attach_pidN in its working directory or /tmp, and
 * SIGQUIT. A connection carries one request: "1", command and three arguments, each ended by NUL; the answer is a number, a
 * line end, and text until the end. The socket must belong to the process's user and to the process itself, and be closed
 * to others; root does all of it as that user.
 */
#ifndef GRAFT_ATTACH_H
#define GRAFT_ATTACH_H

#include "cmd_process.h"

/* The status, 0 if all went well; text is malloc'ed. Ends the program with a message if the VM cannot be reached. */
int attach_request(const Process *p, const char *command, const char *a, const char *b, const char *c, char **text);
/* Loads libgraft-NAME.so with options; ends the program with a message if the VM or the agent refuses. */
void attach_load(const Process *p, const char *agent, const char *options);
/* The same, but what the agent answers is for the caller: 0, or it refuses. */
long attach_ask(const Process *p, const char *agent, const char *options);
/* While the process's user is in force: for files that it must be able to use. */
void attach_as(const Process *p);
void attach_as_self(void);
/* A connection to a Unix socket of the process, trusted only if it is the process's own; -1 with errno. */
int attach_connect(const Process *p, const char *path);

/* What the agent is loaded with, malloc'ed; *file: where its report goes, or NULL. */
char *attach_options(const AgentKind *a, const Given *g, const Process *p, char **file);
/* graft AGENT --attach PID */
int attach_agent(const AgentKind *a, const Given *g);
/* graft trace --attach PID --live */
int live_run(const AgentKind *a, const Given *g, const Process *p);
bool live_is_wanted(const AgentKind *a, const Given *g); /* the heap agent has an option of that name, for something else */

#endif
