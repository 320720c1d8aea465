/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of the JVM_* functions: entry points that the JDK's own libraries call
 * (libjava, libverify, libzip, libnet, libmanagement).  Each begins like a JNI function (native_enter).
 * Failures are pending exceptions plus a zero result.
 */
#ifndef GRAFT_JVM_JVM_INT_H
#define GRAFT_JVM_JVM_INT_H

#include "exec/exec.h"
#include "heap/heap.h"
#include "lang/javaclasses.h"
#include "lang/string.h"
#include "link/link.h"
#include "native/native.h"
#include "object/class.h"
#include "cf_vec.h"

#define JVM_EXPORT __attribute__((visibility("default")))

Object *jvm_class_array(Thread *t, Class **list, int32_t n); /* Class[] of those; [gc][throws] */
/* Stores what was just made; if it could not be made, there is no array any more. */
static inline void jvm_array_put(Object **array, int32_t i, Object *o) {
    if (o) array_set_ref(*array, i, o);
    else *array = NULL;
}
/* A handle of the first n elements, in an array of that length, of which JVM TI is told.  NULL for NULL. [gc][throws] */
jobjectArray jvm_give_array(Thread *t, Object *a, int32_t n);
/* String of a Utf8 pool entry; NULL for index 0. */
Object *jvm_utf8_string(Thread *t, const ClassVersion *v, unsigned index);
/* The binary name of a class as Class.getName gives it; cached in Class.name. */
Object *jvm_class_name(Thread *t, Class *c);
Object *jvm_new_stack_element(Thread *t, Method *m, u4 bci);
typedef struct FrameLine { /* what an element is made of */
    Method *method;
    u4 bci;
} FrameLine;
/* In the pause that takes lines into malloc'ed memory: the class of each has to stay until its elements are made, by a local handle of the calling thread,
 * which resets its mark behind that; versions_hold keeps old methods. `last`: the class that was kept last.  False: no memory. */
bool jvm_keep_class(const Class *c, const Class **last);
/* A class with class-file model, i.e. neither array nor primitive. */
static inline bool jvm_is_instance_class(const Class *c) { return !(c->flags & (CF_ARRAY | CF_PRIMITIVE)); }

/* Figures of jvm_thread.c for management. */
extern _Atomic int64_t jvm_threads_started;
extern _Atomic int jvm_threads_peak;

#endif
