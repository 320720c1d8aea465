/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The native edge (D10): JNI function table, binding of native methods,
 * calls through libffi, VM natives on raw slots.
 */
#ifndef GRAFT_NATIVE_NATIVE_H
#define GRAFT_NATIVE_NATIVE_H

#include "exec/exec.h"
#include "exec/throw.h"
#include "heap/handle.h"
#include "object/class.h"

extern const struct JNINativeInterface_ jni_table;          /* the plain table */
extern const struct JNINativeInterface_ jni_checked_table;  /* -Xcheck:jni */
extern const struct JNINativeInterface_ *jni_current_table; /* what new threads get */
extern const struct JNIInvokeInterface_ jni_invoke_table;

void native_init(void);
/* Run a MK_NATIVE method whose arguments are in `args`; result to *ret.  Binds on first use
 * (UnsatisfiedLinkError).  Pushes a native Frame, transitions, restores handles.  Synchronized
 * natives are locked here. */
bool native_call(Thread *t, Method *m, Slot *args, Slot *ret);
/* Look up and bind (prefixes, libraries, findNative, agents); false + UnsatisfiedLinkError.  The method may
 * turn out to be a MK_VM_NATIVE one. */
bool native_bind(Thread *t, Method *m);
void *native_find_in_agents(const char *name); /* a function of an agent's library; NULL: none has it */
bool native_register(Thread *t, Class *c, const char *name, const char *desc, void *fn); /* [throws] */
void native_unregister_all(Class *c);
/* "void Foo.bar(int, java.lang.String)", malloc'ed. */
char *native_method_text(const Method *m);
/* libjava handle for boot natives */
extern void *native_libjava, *native_libverify;
void native_load_core_libraries(void);

/* Of JNI, as a VM can be asked for; libraries may also ask for 1.1. */
static inline bool native_is_version(jint v) {
    return v == JNI_VERSION_1_2 || v == JNI_VERSION_1_4 || v == JNI_VERSION_1_6 || v == JNI_VERSION_1_8 || v == JNI_VERSION_9 ||
           v == JNI_VERSION_10;
}

/* How JNI and JVM_* functions begin: `IN_JAVA Thread *t = native_enter(env);`  From there to the end of the block, however it
 * is reached, the thread is in state JAVA; what the block returns is computed before it leaves. */
static inline Thread *native_enter(JNIEnv *env) {
    Thread *t = thread_from_env(env);
    thread_to_java(t);
    return t;
}
static inline void native_leave(Thread **t) { thread_to_native(*t); }
#define IN_JAVA __attribute__((cleanup(native_leave)))

/* JNI helpers shared with jvm/ and jvmti/ (caller in state JAVA) */
static inline Class *native_class(jclass h) {
    Object *m = handle_get(h);
    return m ? mirror_class(m) : NULL;
}
static inline jclass native_class_handle(Thread *t, const Class *c) { return c ? handle_local(t, c->mirror) : NULL; }
/* A result, element or field value as C code gets it; a reference becomes a local handle. */
static inline jvalue native_jvalue(Thread *t, BasicType type, Slot s) {
    jvalue v = {.j = 0};
    switch (type) {
    case T_VOID: break;
    case T_BOOLEAN: v.z = (jboolean)(s.i & 1); break;
    case T_BYTE: v.b = (jbyte)s.i; break;
    case T_CHAR: v.c = (jchar)s.i; break;
    case T_SHORT: v.s = (jshort)s.i; break;
    case T_INT: v.i = s.i; break;
    case T_LONG: v.j = s.j; break;
    case T_FLOAT: v.f = s.f; break;
    case T_DOUBLE: v.d = s.d; break;
    default: v.l = handle_local(t, s.ref); break;
    }
    return v;
}

#endif
