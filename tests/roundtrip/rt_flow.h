/* SPDX-License-Identifier: Apache-2.0 */
/* rt_flow.h - kinds of cells (cf_kinds.h) of every method of a class file, against what else is known. */
#ifndef RT_FLOW_H
#define RT_FLOW_H

#include "corpus.h"

typedef struct FlowCount {
    unsigned methods, frames; /* looked at: with code; frames of StackMapTables */
    unsigned bad;             /* classes */
    double kinds;             /* seconds */
} FlowCount;

/* Kinds must be those of the frames that the compiler declared. Prints what is wrong. */
void check_flow(const CorpusEntry *e, CfArena *scratch, FlowCount *n);

#endif
