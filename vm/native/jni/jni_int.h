/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of the JNI implementation.  Every function that touches the heap starts with native_enter.
 * Prototypes are made from jni.def and the types of jni.h, so a definition with a wrong signature does not compile.
 */
#ifndef GRAFT_JNI_JNI_INT_H
#define GRAFT_JNI_JNI_INT_H

#include "link/link.h"
#include "heap/heap.h"
#include "native/native.h"
#include "object/method.h"

#define JNI(slot, name) __typeof__(*((struct JNINativeInterface_ *)0)->name) jni_##name;
#include "native/jni/jni.def"

static inline Method *jni_method(jmethodID id) { return atomic_load_explicit(&((MethodID *)id)->method, memory_order_acquire); }
/* Primitive types: X(Name, jtype, C type of the heap, Slot member, BasicType) */
#define JNI_PRIMITIVES(X) \
    X(Boolean, jboolean, u1, i, T_BOOLEAN) \
    X(Byte, jbyte, int8_t, i, T_BYTE) \
    X(Char, jchar, u2, i, T_CHAR) \
    X(Short, jshort, int16_t, i, T_SHORT) \
    X(Int, jint, int32_t, i, T_INT) \
    X(Long, jlong, int64_t, j, T_LONG) \
    X(Float, jfloat, float, f, T_FLOAT) \
    X(Double, jdouble, double, d, T_DOUBLE)

/* The thread's stack on standard output, through the embedder's hook; the same and the end. */
void jni_print_stack(Thread *t);
COLD __attribute__((noreturn)) void jni_fatal(Thread *t, const char *msg);

#endif
