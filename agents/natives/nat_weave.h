/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nat_weave.h - what the natives agent does to class files.
 *
 * A native method "m" becomes "PREFIXm" (JVM TI SetNativeMethodPrefix binds it as before), and a Java
 * method "m" stands in its place:
 *
 *     long t = Void.graft$enter(record);
 *     try { result = PREFIXm(...); }
 *     catch (Throwable e) { Void.graft$fail(record, t); throw e; }
 *     Void.graft$leave(record, t, size(array arguments));
 *
 * `record` is the address of a NatRecord outside the Java heap, a constant in the code. The three
 * methods are added to java.lang.Void as it is loaded: they are called by the first classes of the
 * boot, when no class can be defined and no library is known, so they must belong to a class that
 * the VM finds anywhere, that every module may call, and that needs nothing itself. They are plain
 * bytecode over Unsafe (agent_unsafe); nothing calls back into the agent.
 *
 * Wrappers of methods whose arguments are wanted begin with
 *
 *     if (Void.graft$telling) Void.graft$told(record, new Object[] {arguments});
 *
 * where graft$told is a native method of the agent: the only call out of Java, and only for methods that were chosen.
 *
 * Not wrapped:
 *   - java.lang.invoke.MethodHandle and VarHandle: their natives are signature polymorphic;
 *   - methods that look at their caller's frame (native_method.c): one more frame is another answer;
 *   - registerNatives and initIDs: they prepare the class;
 *   - Unsafe and System.nanoTime: the probe itself uses them;
 *   - but on Graft, methods that the VM's compilers may replace (native_method.h);
 *   - by default, classes that register their natives (they have a method registerNatives): nearly all of
 *     theirs are replaced by the VM's compilers, and a wrapper would only make them slow.
 */
#ifndef GRAFT_NAT_WEAVE_H
#define GRAFT_NAT_WEAVE_H

#include "bci.h"
#include "native_method.h"

#define NAT_PREFIX AGENT_NATIVE_PREFIX "native$"

/* One per method; written by Java code with atomic additions. */
typedef struct NatRecord {
    uint64_t calls, failed, nanos, bytes;
} NatRecord;

typedef struct NatRequest {
    /* Wanted at all? `name` and `desc` of a native method. */
    bool (*wanted)(void *ctx, const char *class_name, const char *name, const char *desc);
    /* Are its arguments wanted? */
    bool (*told)(void *ctx, const char *class_name, const char *name, const char *desc);
    /* Its record, NULL if there is no room. */
    NatRecord *(*record)(void *ctx, const char *class_name, const char *name, const char *desc);
    BciAlloc alloc; /* of the result */
    void *ctx;
    const char *unsafe; /* agent_unsafe */
    bool registered;    /* also classes with registerNatives */
    bool intrinsic;     /* also methods that compilers may replace */
    bool sizes;         /* count the bytes of array arguments */
} NatRequest;

typedef enum NatOutcome { NAT_UNTOUCHED, NAT_DONE, NAT_FAILED } NatOutcome;

/* Cheap test on the class name: may the class have natives to wrap, or is it the probe's? */
bool nat_may_touch(const char *class_name);
NatOutcome nat_weave(const NatRequest *r, const uint8_t *bytes, size_t len, uint8_t **out, size_t *out_len, CfError *err);

#define NAT_PROBE_CLASS "java/lang/Void"
#define NAT_TIMING_FIELD "graft$timing"   /* static boolean; false until set: calls are counted, not timed */
#define NAT_TELLING_FIELD "graft$telling" /* static boolean; false until set: no arguments */
#define NAT_TOLD_METHOD "graft$told"
#define NAT_TOLD_DESC "(J[Ljava/lang/Object;)V"

#endif
