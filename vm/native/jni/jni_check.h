/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -Xcheck:jni: the questions that the checked table asks, in state JAVA, between check_enter and
 * thread_to_native; then the plain function runs.  A question that is answered wrongly warns, or does not return.
 */
#ifndef GRAFT_JNI_JNI_CHECK_H
#define GRAFT_JNI_JNI_CHECK_H

#include "native/jni/jni_int.h"

enum {                  /* what a function may be called in */
       MAY_PEND = 1,    /* an exception pending */
       IN_CRITICAL = 2, /* between Get...Critical and its release */
       LOOKS = 4        /* it is itself a look at the exception */
};
Thread *check_enter(JNIEnv *env, u4 flags); /* NATIVE -> JAVA */
void check_warn(Thread *t, const char *text);
COLD __attribute__((noreturn)) void check_fatal(Thread *t, const char *text);

Object *check_handle(Thread *t, jobject h); /* not null */
Object *check_object(Thread *t, jobject h); /* null is allowed */
Class *check_class(Thread *t, jclass h, bool primitive_too);
void check_throwable_class(Thread *t, Class *c);
void check_string(Thread *t, jstring h);
Class *check_array(Thread *t, jarray h);
void check_object_array(Thread *t, jarray h);
void check_primitive_array(Thread *t, jarray h, int type); /* -1: any */
Method *check_method_id(Thread *t, jmethodID id);
void check_call(Thread *t, jclass cls, jmethodID id, jobject obj); /* cls, obj: NULL if not asked */
void check_instance_field(Thread *t, jobject obj, jfieldID id, BasicType type);
void check_static_field(Thread *t, jclass cls, jfieldID id, BasicType type);
void check_class_name(Thread *t, const char *name);
void check_mode(Thread *t, const char *fn, jarray array, const void *elements, jint mode);

/* Copies between guard bands; maker is the name of the function that hands them out. */
void *guard_wrap(void *plain, size_t size, const char *maker);
/* The plain pointer again, after all checks. */
void *guard_array(Thread *t, const char *fn, const char *maker, jarray array, void *elements, size_t *size);
void *guard_chars(Thread *t, const char *fn, const char *maker, jstring string, const void *chars);
void guard_free(const void *elements);

#endif
