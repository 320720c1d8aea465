/* SPDX-License-Identifier: Apache-2.0 */
/* rt_views.h - what a class file says when it is walked over, against its model; signatures and annotations of it. */
#ifndef RT_VIEWS_H
#define RT_VIEWS_H

#include "corpus.h"

typedef struct ViewCount {
    unsigned members, attributes, instructions, signatures, annotations; /* seen */
    unsigned bad_walk, bad_signature, bad_annotation;
    double walk; /* seconds, of walks that ask for nothing but members */
} ViewCount;

/* Walks over `e` and compares with its model; each signature must be valid, each attribute with annotations must decode
 * to its end, with as many elements as cf_attr_sites finds. Prints what is wrong. */
void check_views(const CorpusEntry *e, CfArena *scratch, ViewCount *n);

#endif
