/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_native.h - native methods under the tracer.
 *
 * A native method has no code that a probe could stand in. As its class is loaded it gets another name, TRC_PREFIX and its own one, under which
 * the VM still finds its C function (JVM TI SetNativeMethodPrefix), and a Java method takes its place and calls it (bci_wrap_native). That one is
 * woven like any other method: counts, times, arguments, conditions and trees follow.
 *
 *   wrapped   said of a method of a class of a loader, for good: a class that is loaded gets and loses no methods. Whenever it is retransformed, by
 *             whomever, the same methods are wrapped again, with a probe or without
 *   early     a class that is loaded before VMInit: its wrappers come without probes, which cannot run yet. The retransformation at VMInit
 *             puts them in
 *   late      a native of a class that was loaded before it was asked for: it cannot be wrapped any more, which is told. On HotSpot these are all
 *             classes loaded before VMStart, because HotSpot runs Java code to look a wrapped native up, and that cannot run during the boot
 *
 * In classes of the boot loader those natives are left out that the VM's compilers replace by code of their own (IntrinsicCandidate), and
 * those of classes that register their natives, unless natives=all: a wrapper would not measure what runs without it. (IntrinsicCandidate on HotSpot never: it warns of an intrinsic under
 * another name.) What native_method.h says and
 * Thread.currentThread, which the probes call, is left alone always.
 *
 * Rejected: asking the VM for the methods of a class that is retransformed (it does not answer before the class is linked).
 */
#ifndef GRAFT_TRC_NATIVE_H
#define GRAFT_TRC_NATIVE_H

#include "agent.h"
#include "native_method.h"
#include "trc_weave.h"

/* In the order of the option's words. */
typedef enum TrcNatives { TRC_NATIVES_ON, TRC_NATIVES_OFF, TRC_NATIVES_ALL } TrcNatives;

/* Gets the capability and sets the prefix; once. If the VM refuses (told), no native is wrapped. */
void trc_native_begin(const Agent *a);
/* Which ones from now on. */
void trc_native_choose(TrcNatives which);
/* Has a native of this class been wrapped, or is one wrapped now? `wanted`: somebody asked for this method. */
bool trc_native_holds(const TrcOccasion *o, const char *class_name);
bool trc_native_wrap(const TrcOccasion *o, const CfClass *c, const char *class_name, const char *name, const CfMember *m,
                     bool wanted);
/* How many are late. */
uint32_t trc_native_late(void);

#endif
