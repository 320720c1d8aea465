/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_tests.h - an epoch for each test, without a change of code: the places where test frameworks tell their listeners
 * (cov_tests.def) get a call of java.lang.GraftCoverage.test.
 *
 * NAMES. A test is pkg.Class.method, or what it is called instead, with _ for dots; all invocations of a parameterised one have that
 *   name. What runs in a class of tests but in none of them (constructors, set-up of the class) is pkg.Class.* : it may matter to each of
 *   these. What runs outside of any class is "", for every test. Where tests run at the same time, their names stand together: A.x|B.y -
 *   the probes cannot tell by whom they were passed, so it was by each of them.
 */
#ifndef GRAFT_COV_TESTS_H
#define GRAFT_COV_TESTS_H

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cf_err.h"

/* Is this a class with such a place? */
bool cov_tests_known(const char *name);
/* The class with its calls; `alloc` as in bci_write. False if nothing was put in (err, if that is an error). */
bool cov_tests_weave(const char *name, const uint8_t *bytes, size_t len, void *(*alloc)(void *, size_t), void *ctx, uint8_t **out,
                     size_t *out_len, CfError *err);

enum { COV_TEST_NAME = 512 };
typedef struct CovTestEvent {
    bool begins;
    char name[COV_TEST_NAME]; /* "": nothing that has one */
} CovTestEvent;
/* What GraftCoverage.test was called with; asks Java objects. */
void cov_tests_read(JNIEnv *env, jobject about, jint row, jint flag, CovTestEvent *out);
/* Takes note of it, one at a time, also while nothing is covered. True if another epoch begins: its name. */
bool cov_tests_note(const CovTestEvent *e, char epoch[COV_TEST_NAME]);
/* The epoch of what runs now: the first one of a session. */
void cov_tests_now(char epoch[COV_TEST_NAME]);

#endif
