/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_loaders.h - which loader and which origin a class has, without running Java code.
 *
 * Loaders are known by weak references, so the agent keeps none alive. Questions are answered from inside of
 * ClassFileLoadHook, hence only JNI and JVM TI functions that call no Java method are used; the code source of a
 * protection domain is read from its fields.
 */
#ifndef GRAFT_COV_LOADERS_H
#define GRAFT_COV_LOADERS_H

#include "agent.h"
#include "cov_data.h"

typedef struct CovLoaders CovLoaders;

typedef struct CovLoaderInfo {
    uint32_t id;   /* number in the data file */
    bool jdk;      /* boot or platform loader */
    bool launcher; /* of `java File.java`: its classes are the program's, though JDK 11 gives them no code source */
    bool excluded; /* by the user's pattern on its class name */
} CovLoaderInfo;

/* At VMInit. `exclude`: patterns of loader class names (a.b.C). NULL if memory is exhausted. */
CovLoaders *cov_loaders_new(Agent *a, JNIEnv *env, CovWriter *w, const char *exclude);
/* `loader` NULL = boot. False if it cannot be told (the class is then left alone). */
bool cov_loader_info(CovLoaders *l, JNIEnv *env, jobject loader, CovLoaderInfo *out);
/* Where the classes of a protection domain come from, as /a/b/classes/, or jrt:/the.module; "" if it is not known, or neither. False if it
 * does not tell. */
bool cov_location(CovLoaders *l, JNIEnv *env, jobject domain, char *path, size_t n);
/* Is that a place of tests, by cov_test_places.def? */
bool cov_is_test_place(const char *path);

#endif
