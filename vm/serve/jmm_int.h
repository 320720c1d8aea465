/* SPDX-License-Identifier: Apache-2.0 */
/* The JMM functions, expanded from jmm.def; bodies in jmm.c, jmm_diag.c, jmm_memory.c, jmm_thread.c. */
#ifndef GRAFT_SERVE_JMM_INT_H
#define GRAFT_SERVE_JMM_INT_H

#include "heap/heap.h"
#include "jvm/jvm_int.h"

#define JMM(slot, type, name, params) type jmm_##name params;
#include "serve/jmm.def"

static inline Class *jmm_class(Thread *t, const char *name) { return load_class_or_ncdfe(t, symbol_of(name), BOOT_LOADER); }

/* jmm_memory.c: count or time of a collector bean; false if o is none. */
bool jmm_collector_attribute(Object *o, bool count, bool millis, int64_t *out);
void jmm_reset_peak(Thread *t, Object *pool); /* NULL: all pools */

/* Pools and collectors as jmm_memory.c and jmm_notify.c share them. */
enum { JMM_POOL_HEAP, JMM_POOL_METADATA, JMM_POOL_CODE, JMM_N_POOLS };
extern jobject jmm_pools[JMM_N_POOLS], jmm_collectors[2]; /* global references; by HeapGcKind */
int64_t jmm_pool_used(int pool);
Object *jmm_memory_usage(Thread *t, int pool, int64_t used, int64_t committed); /* a MemoryUsage */
typedef struct JmmCollection {                                                  /* what is known about one collection */
    HeapGcStats stats;
    int64_t metadata_used;
} JmmCollection;
/* MemoryUsage[] of all pools; NULL + exception */
Object *jmm_usages(Thread *t, const JmmCollection *g, bool before);
int64_t jmm_since_start_ms(int64_t nanos);

/* ---- jmm_notify.c ---- */
int64_t jmm_set_threshold(int pool, int type, int64_t value);
void jmm_set_sensor(int pool, int type, jobject sensor);
void jmm_set_notification(int kind, bool on);
/* Starts the thread that tells Java about thresholds and collections; idempotent.  [gc][blocks] */
void jmm_notifier_start(Thread *t);

#endif
