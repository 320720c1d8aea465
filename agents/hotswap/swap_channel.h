/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_channel.h - the command channel: lines in, one line of JSON out, on a TCP port of this host or a Unix socket; to
 * browsers a stream of events (swap_http.h). No thread of its own: the caller polls the descriptors.
 */
#ifndef SWAP_CHANNEL_H
#define SWAP_CHANNEL_H

#include <poll.h>
#include <stdio.h>

#include "agent.h"

enum { SWAP_CLIENTS = 32, SWAP_LISTENERS = 6, SWAP_FDS = SWAP_CLIENTS + SWAP_LISTENERS, SWAP_LINE = 64 << 10 };

/* Answers one line (NUL-terminated, may be changed); must write exactly one line. */
typedef void (*SwapCommand)(void *arg, char *line, FILE *answer);

/* port: -1 none, 0 any free one; path: NULL none. The place goes to the log. False: cannot listen. */
bool swap_channel_open(const Agent *a, int port, const char *path);
/* One more socket, from any thread; the caller wakes who polls. A socket that is gone from its place can be had again. */
bool swap_channel_add(const Agent *a, const char *path);
/* Descriptors to poll; returns how many. */
int swap_channel_fds(struct pollfd *fds);
/* Accepts, reads and answers, after poll. */
void swap_channel_serve(const struct pollfd *fds, int n, SwapCommand command, void *arg);
/* An event for all browsers that listen: its name, and a line of JSON. */
void swap_channel_tell(const char *event, const char *json);
/* At the end of the VM: removes the sockets' files. Callable from any thread. */
void swap_channel_close(void);
/* After an open that failed, or before anybody serves: the sockets are closed, too, and can be opened again. */
void swap_channel_undo(void);

#endif
