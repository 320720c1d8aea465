/* SPDX-License-Identifier: Apache-2.0 */
/* swap_apply.h - one swap: from written class files to redefined classes, plug-ins, hooks and a report. */
#ifndef SWAP_APPLY_H
#define SWAP_APPLY_H

#include <stdio.h>

#include "agent.h"
#include "swap_extension.h"
#include "swap_plugin.h"
#include "swap_watch.h"

/* What ran before a swap, of each of its files. */
typedef struct SwapStep {
    struct SwapBefore {
        SwapFile *file;
        SwapBytes bytes; /* NULL: not known */
    } * v;
    uint32_t n;
} SwapStep;

enum { SWAP_STEPS = 50 }; /* so many swaps can be taken back */

typedef struct Swapper {
    Agent *agent;
    SwapWatch *watch;
    const char *hooks; /* "a.B.flush:c.D.reset" or NULL */
    bool partial;      /* swap what is accepted although something is refused */
    bool anywhere;     /* also classes that were loaded from elsewhere */
    SwapPlugins plugins;
    const char *reload; /* names (patterns a:b) of files that are no classes and concern browsers, or NULL */
    int tries;          /* for files that are no class files yet */
    SwapExtension extension;
    unsigned swaps, classes, refusals;
    double last_ms;
    CF_VEC(SwapStep) steps; /* the newest last */
} Swapper;

/* What to do about a VM that changes bodies only. */
#define SWAP_HINT "the Graft VM takes such changes: graft hotswap --on-graft -- java ..."

/*
 * Looks at all dirty files and redefines what changed. The outcome goes to the log and, as one line of JSON, to
 * `answer` (may be NULL). With `now` a half-written file is refused; without it such a file holds everything back
 * and false is returned: call again after a while.
 */
bool swap_apply(Swapper *s, JNIEnv *env, bool now, FILE *answer);

/* What swap_apply would say about the dirty files; nothing changes. */
void swap_try(Swapper *s, JNIEnv *env, FILE *answer);

/* Takes the last `steps` swaps back, all or none; hooks are called as after a swap. The outcome goes to log and answer. */
void swap_undo(Swapper *s, JNIEnv *env, uint32_t steps, FILE *answer);

/* `before` as it is, and JSON text with quotes; NULL gives null. `dots`: a class name, with dots. */
void swap_json(FILE *out, const char *before, const char *text, bool dots);

#endif
