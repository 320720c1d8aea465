/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_classes.h - which classes get probes, and how they get, lose and get rid of them.
 *
 * One session is one data file: from the start of the VM or an attach to the end or a `stop`. A class that is loaded
 * goes through cov_classes_hook; one that was loaded before is retransformed and so comes there too. Without a
 * session (or after cov_classes_end) the hook leaves every class as it is, so retransforming takes the probes out.
 *
 * Probes that have passed may be taken out again: cov_prune.h.
 *
 * Hooks run on any thread and may nest. Locks are those of CovWriter and CovLoaders plus `lock`, held while a
 * helper is defined (its own class-load hook returns at once by its name, before any lock).
 */
#ifndef GRAFT_COV_CLASSES_H
#define GRAFT_COV_CLASSES_H

#include <pthread.h>

#include "agent.h"
#include "cov_data.h"
#include "cov_loaders.h"

typedef struct CovClasses {
    Agent *agent;
    const char *include, *exclude; /* names as patterns */
    const char *from;              /* code sources as patterns; NULL: any */
    bool jdk, nolocation, counts, prune;
    bool append; /* nothing is in the file before the first class */
    bool tests;  /* test frameworks tell which test runs */
    CovWriter *writer;
    CovLoaders *loaders;
    pthread_mutex_t lock;
    uint32_t helper;  /* number of the first helper of this session; under lock */
    uint32_t windows; /* helpers defined in it; under lock */
    int live;         /* helpers can be defined, Java can be asked */
    uint32_t covered, failed, failed_methods;
    bool told_full;     /* the disk has been full */
    uint32_t rewritten; /* classes that pruning may have taken probes from */
} CovClasses;

/* The session's writer and loaders are set. False if the VM refuses the helper (logged). */
bool cov_classes_begin(CovClasses *c, JNIEnv *env);
/* From here on classes are left as they are. */
void cov_classes_end(CovClasses *c);

/* A class on its way in: *out gets its bytes with probes, unless it stays as it is. */
void cov_classes_hook(CovClasses *c, JNIEnv *env, jobject loader, const char *name, jobject domain, const uint8_t *bytes,
                      size_t len, uint8_t **out, jint *out_len);

/* Sends what is loaded already, and could be wanted, through the hook again: it gets probes or, behind cov_classes_end, loses
 * them. */
void cov_classes_retransform(CovClasses *c, JNIEnv *env);

#endif
