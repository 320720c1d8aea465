/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_values.h - calls with their arguments and results, one line each.
 *
 *     Shop.price(3, "apple", null) -> 30  [0.012 ms, main]
 *     Shop.price(-1, "x", int[2]{1, 2}) threw java.lang.IllegalArgumentException: pieces  [0.020 ms, main]
 *
 * Bytecode has found that the call is to be told (trc_probe.h) and hands over the arguments, boxed, or what the probe captures. Texts are
 * made here: primitives, strings, boxes and enum constants as they are, other objects as class and identity hash,
 * unless toString is wanted, so that nothing of the program runs. Everything is bounded. Of calls that are spans the same values are noted (trc_notes.h).
 */
#ifndef GRAFT_TRC_VALUES_H
#define GRAFT_TRC_VALUES_H

#include <stdint.h>
#include <stdio.h>

#include "trc_notes.h"
#include "trc_probe.h"

typedef struct TrcValues {
    Agent *agent;
    FILE *out;   /* NULL: nothing is written */
    int64_t max; /* lines */
    int size;    /* characters of a value */
    bool to_string;
    const char *(*method)(uint32_t key);
    int64_t (*thread)(JNIEnv *env); /* number of the thread that runs */
} TrcValues;

/* Classes and fields that are needed; once. False if the VM lacks one (logged). */
bool trc_values_prepare(TrcValues *v, JNIEnv *env);
/* How and where (`out`) lines are written from now on; the former file is closed. The count starts at 0. */
void trc_values_start(TrcValues *v, const TrcValues *now);
bool trc_values_flush(TrcValues *v); /* false: not all lines could be written */
typedef struct TrcCall {
    const TrcUse *use;
    int64_t nanos;
    jobjectArray args; /* the arguments, or what the probe captures (TRC_CAPTURED) */
    jobject result;
    TrcEnd end;
    const TrcEvent *event; /* if it is a span, too: what is written is noted for that; NULL */
} TrcCall;
void trc_values_record(const TrcValues *v, JNIEnv *env, const TrcCall *call);

#endif
