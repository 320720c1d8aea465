/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_define.h - classes of a replaced jar that are not loaded. Their loader has the old jar open: it would find the
 * old bytes, or nothing. So they are defined in it from the new jar, beside the classes that it has already.
 */
#ifndef SWAP_DEFINE_H
#define SWAP_DEFINE_H

#include "agent.h"
#include "swap_watch.h"

/* A loader that has loaded classes from a jar. References are local ones. */
typedef struct SwapHome {
    jobject loader, domain; /* domain: the classes' ProtectionDomain */
    int root;               /* the jar */
} SwapHome;

typedef struct SwapNew {
    SwapFile *file;
    bool done;     /* defined in all homes of its jar, or nobody has one */
    bool defined;  /* in one at least */
    bool late;     /* it was loaded meanwhile */
    char *failure; /* what was thrown, or NULL; to be freed */
} SwapNew;

/* Defines `next` of all rows, those first that others inherit from. */
void swap_define(const Agent *a, JNIEnv *env, const SwapHome *homes, uint32_t n_homes, SwapNew *rows, uint32_t n);

#endif
