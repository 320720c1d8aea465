/* SPDX-License-Identifier: Apache-2.0 */
/* rt_flow.h - kinds of cells and liveness (cf_kinds.h) of every method of a class file, against what else is known. */
#ifndef RT_FLOW_H
#define RT_FLOW_H

#include "corpus.h"

typedef struct FlowCount {
    unsigned methods, frames, lives; /* looked at: with code; frames of StackMapTables; instructions asked for liveness */
    unsigned bad;                    /* classes */
    double kinds, live;              /* seconds */
} FlowCount;

/* Kinds must be those of the frames that the compiler declared; liveness of short methods that of a simple solver. Prints
 * what is wrong. */
void check_flow(const CorpusEntry *e, CfArena *scratch, FlowCount *n);

#endif
