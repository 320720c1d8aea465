/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_probe.h - probes in methods: conditions that bytecode evaluates, and what is kept of the calls for which they hold.
 *
 * Terms
 *   probe   as somebody wrote it (trc_expr.h)
 *   use     a probe in one method. It has a class of its own, java.lang.GraftProbeN, made when the method is woven: its `exit` is
 *           called in front of each exit of the method with what the method was given, when it began, and its result or exception
 *   cells   numbers of a probe outside of the heap, to which that bytecode adds
 *   site    a place in an expression whose meaning depends on the class of the object there: a field, a call, `is`
 *   link    what a site means for one class: Object[]{class, long[]{word}, next link, constant}. A site's links are a list in a static
 *           field of the use's class. The word is an offset for Unsafe and what is there: offset << 8 | code (trc_code.c). A class that is
 *           not in the list is looked up by trc_link, once: that is the only native call before a condition is true
 *
 * Nothing of the program runs for a condition: no call, no constructor, no class initialiser, no toString; and nothing of the class library that
 * could be traced itself: Unsafe, natives and what is in the helper classes. What is wrong with an evaluation (null, an index, a class
 * without that field) is thrown inside of `exit`, as one of some objects that are made beforehand, and ends there: the condition is false, and
 * the reason is counted.
 *
 * Checks come in three steps: of the form, when options are read (trc_parse); of the types, as far as descriptors tell them, when a
 * method is woven (trc_check), which leaves this method without the probe; of classes, when an object comes along.
 *
 * Probes, uses and their classes are never freed: methods may still be running. Links are cleared when probes are replaced, so that
 * classes of the program can be unloaded.
 *
 * Rejected: conditions as code of the woven class (private fields of other classes, and a method must not be added when a class is
 * retransformed); a class in the woven class's loader (a class of another package or module may see nothing); calls of size() (they are code of
 * the program or take locks).
 */
#ifndef GRAFT_TRC_PROBE_H
#define GRAFT_TRC_PROBE_H

#include <jni.h>

#include "agent.h"
#include "bci.h"
#include "trc_expr.h"

#define TRC_PROBE_HELPER "java/lang/GraftProbe"
#define TRC_RECORDER "graft/TraceRecorder"

/* Why there was no answer. */
#define TRC_REASONS(X) \
    X(NONE, "no result") X(NULL, "null") X(BOUNDS, "index") X(TYPE, "types") X(MEMBER, "no such field or size") X(OTHER, "error")
#define TRC_REASON_ENUM(name, text) TRC_REASON_##name,
typedef enum TrcReason { TRC_REASONS(TRC_REASON_ENUM) TRC_REASON_COUNT } TrcReason;

typedef struct TrcCells {
    int64_t failed[TRC_REASON_COUNT]; /* first: bytecode counts from here */
    int64_t fired, held_back;         /* condition true: told, beyond the limit */
    int64_t window, used;             /* of the limit: start of the second, calls in it */
} TrcCells;

/* The method that is being woven. */
typedef struct TrcTarget {
    const char *owner, *name, *desc;
    const CfClass *model;
    bool is_static;
    uint32_t key;
} TrcTarget;

typedef struct TrcUse {
    const TrcProbe *probe;
    TrcCells *cells;
    uint32_t key;
    bool is_static, ready;
    jclass helper; /* global */
    char class_name[32];
    char *exit_desc;
} TrcUse;

/* How the call ended. */
typedef enum TrcEnd { TRC_RETURNED, TRC_THREW, TRC_VOID, TRC_CAPTURED } TrcEnd;

/* ---- trc_check.c --------------------------------------------------------------------------------- */

/* Do types allow the probe in this method? */
bool trc_check(const TrcProbe *p, const TrcTarget *t, TrcSyntax *wrong);

/* ---- trc_code.c ---------------------------------------------------------------------------------- */

/* Defines GraftProbe, which the classes of uses call. Once. False: a Java exception is pending, or `err`. */
bool trc_code_prepare(JNIEnv *env, CfError *err);
/* Descriptor of `exit`: receiver, parameters, start, exception, result; malloc'ed. */
char *trc_exit_desc(const TrcTarget *t);
/* Defines the class of use `number`: fills in its name, descriptor and class. */
bool trc_code_use(JNIEnv *env, TrcUse *u, uint32_t number, const TrcTarget *t, CfError *err);

/* ---- trc_link.c ---------------------------------------------------------------------------------- */

bool trc_link_prepare(const Agent *a, JNIEnv *env);
/* The site's link for a class, added to its list; NULL: there is none (logged). */
jobjectArray trc_link(const Agent *a, JNIEnv *env, const TrcUse *u, uint32_t site, jclass c);
/* Offset of a field for Unsafe, -1 (no exception pending) if there is no such field. */
int64_t trc_offset(JNIEnv *env, const char *class_name, const char *field);

/* ---- trc_probe.c --------------------------------------------------------------------------------- */

/* What is needed for any probe; once. */
bool trc_probes_prepare(const Agent *a, JNIEnv *env);
/* Reads text, and then the file (either may be NULL); `plain`: from args=, without conditions but for the time. *ok becomes false, with messages, if something is wrong. */
TrcProbe *trc_probes_read(const Agent *a, const char *text, const char *file, bool *ok);
TrcProbe *trc_probe_plain(const Agent *a, const char *methods, int64_t over);
/* From now on these are the probes; links of former ones are dropped. */
void trc_probes_set(JNIEnv *env, TrcProbe *probes);
/* The uses for a method, up to `most`; made if they are new. Types that do not fit are logged. */
int trc_probes_for(const Agent *a, JNIEnv *env, const TrcTarget *t, const TrcUse **uses, int most);
bool trc_probes_any(void);
/* Calls visit with each probe that has a report, and its numbers. */
typedef void (*TrcProbeVisit)(void *ctx, const TrcProbe *p, const TrcCells *cells);
void trc_probes_each(TrcProbeVisit visit, void *ctx);
const TrcUse *trc_use(uint32_t number);

#endif
