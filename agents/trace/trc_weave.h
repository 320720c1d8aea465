/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_weave.h - the helper class and the probes in methods.
 *
 * The helper java.lang.GraftTrace, defined on the boot loader, has `long enter(int)`, `void leave(long)` and
 * `void fail(long)`: plain bytecode that works by Unsafe on the trees of trc_tree.h, whose addresses are constants in
 * its code. It uses only Unsafe, Thread.currentThread and System.nanoTime (Graft: Perf.highResCounter), makes no object and calls nothing that is instrumented.
 *
 * Methods with probes (trc_probe.h) also keep the time and what they were given, and hand that with the result over to the `exit` of each
 * probe's class. The native methods of TraceRecorder are called from there. That class is not in java.base because the reference warns
 * where natives of java.base are registered; looking a native up by its name would fail during an attach.
 *
 * A method gets a local variable for the node: set at the entry (constructors: 0 there, the node behind super() or
 * this()), passed to leave in front of each return and to fail where an exception leaves. Native methods: trc_native.h.
 */
#ifndef GRAFT_TRC_WEAVE_H
#define GRAFT_TRC_WEAVE_H

#include <jni.h>
#include <jvmti.h>

#include "bci.h"
#include "native_method.h"
#include "trc_probe.h"
#include "trc_tree.h"

#define TRC_HELPER "java/lang/GraftTrace"

typedef struct TrcRecorder {
    void(JNICALL *record)(JNIEnv *env, jclass recorder, jint use, jlong start, jlong nanos, jobjectArray args, jobject result,
                          jint end);
    jobjectArray(JNICALL *link)(JNIEnv *env, jclass recorder, jint use, jint site, jclass c);
    /* The bytes of a hidden class as they shall be instead, or what was given. */
    jbyteArray(JNICALL *hidden)(JNIEnv *env, jclass recorder, jbyteArray bytes);
    void(JNICALL *left)(JNIEnv *env, jclass recorder, jint key); /* a call of a watched method has ended */
} TrcRecorder;
/* Defines TraceRecorder on the boot loader, in its unnamed module, with its natives bound; java.base may read that module
 * from now on. Before the first method with a probe, or the class that defines hidden ones, is woven. False with `err` or a pending exception. */
bool trc_recorder_define(JNIEnv *env, jvmtiEnv *ti, const TrcRecorder *r, CfError *err);

/* Asks what the thread has allocated: com.sun.management.ThreadMXBean, whose method is a call of the VM by way of code of the JDK, TRC_ASKED. Before the
 * helper, if trees have bytes. False if the VM cannot tell (JDK 14 and later can); then `err` or an exception is set, or nothing. */
#define TRC_ALLOCATION "graft/TraceAllocation"
#define TRC_ASKED "sun/management/*:com/sun/management/*:java/lang/Thread" /* must not be traced then */
bool trc_allocation_define(JNIEnv *env, jvmtiEnv *ti, CfError *err);

/* Defines and initialises the helper. NULL with `err` or a pending exception. */
jclass trc_helper_define(JNIEnv *env, const TrcTree *t, bool times, CfError *err);

#define TRC_PREFIX AGENT_NATIVE_PREFIX "traced$"

/* When a class is woven. */
typedef struct TrcOccasion {
    int32_t loader;       /* its identity hash; 0: the boot loader */
    bool boot, redefined; /* redefined: no native may get a wrapper now, as in a class that was loaded before */
    bool probes;          /* may there be any? */
    bool hidden;          /* is it the class that defines hidden ones, and shall it hand them over? */
    bool ends;            /* is it a class of virtual threads, and shall it tell when they end? */
} TrcOccasion;

typedef struct TrcRequest {
    const TrcOccasion *occasion;
    bool (*wanted)(void *ctx, const char *class_name, const CfClass *c, const char *name, const CfMember *m);
    /* Shall a Java method stand in front of this native method? Whether that one gets a probe, `wanted` says, too. */
    bool (*wrap)(const TrcOccasion *o, const CfClass *c, const char *class_name, const char *name, const CfMember *m,
                 bool wanted);
    int (*uses)(void *ctx, const TrcTarget *t, const TrcUse **uses, int most); /* probes of the method */
    bool (*key)(void *ctx, const char *class_name, const char *name, const char *desc, uint32_t *key);
    BciAlloc alloc;
    void *ctx;
    uint32_t min_size; /* of the code in bytes; shorter methods are left alone */
} TrcRequest;

/* The class of the class library (since 15) that defines hidden classes. No VM calls ClassFileLoadHook for these, and none retransforms them. So
 * this class is woven: the bytes that it is about to define go through TraceRecorder.hidden. */
#define TRC_DEFINER "java/lang/invoke/MethodHandles$Lookup$ClassDefiner"

/* Classes of virtual threads. Their code, and that of continuations, is not traced: in it the thread that runs becomes another one. */
#define TRC_VIRTUAL_THREAD "java/lang/VirtualThread"
#define TRC_BOUND_THREAD "java/lang/ThreadBuilders$BoundVirtualThread" /* on VMs without continuations */

/* Does one of the annotations have a name that matches? */
bool trc_annotated(const CfClass *c, const CfAttrs *attrs, const char *patterns);

typedef enum TrcOutcome { TRC_UNTOUCHED, TRC_DONE, TRC_FAILED } TrcOutcome;
/* May be called on any thread. A method that cannot be changed stays as it was and counts in *skipped. */
TrcOutcome trc_weave(const TrcRequest *r, const uint8_t *bytes, size_t len, uint8_t **out, size_t *out_len, unsigned *skipped,
                     CfError *err);

#endif
