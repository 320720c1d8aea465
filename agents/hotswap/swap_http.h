/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_http.h - what a browser may ask on the command port: a stream of events, and the script that listens to it.
 *
 *     GET /events       text/event-stream: "swap" with the answer of a swap as data, "refused", "failure" (what the compiler says)
 *     GET /reload.js    loads the page anew after a swap
 *
 * Any page that the user looks at can make its browser talk to this port, as that user. So what begins like HTTP never gets to give a command,
 * not even by a body; the stream is for pages of this machine (Origin), asked for by a name of this machine (Host), which a foreign name that
 * was bound to 127.0.0.1 is not.
 */
#ifndef SWAP_HTTP_H
#define SWAP_HTTP_H

#include <stdbool.h>
#include <stdio.h>

typedef struct SwapHttp {
    char path[64], origin[128];
    bool get, host_ok, origin_ok;
} SwapHttp;

/* Is it the first line of a request? Then it is noted. */
bool swap_http_begins(SwapHttp *r, const char *line);
void swap_http_header(SwapHttp *r, const char *line);
/* All headers were read; true: the answer has no end, events follow. */
bool swap_http_answer(const SwapHttp *r, FILE *out);

#endif
