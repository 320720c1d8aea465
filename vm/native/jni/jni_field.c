/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JNI field access.  A jfieldID is the Field.  Stores ignore finality (the class
 * library relies on it for System.in/out/err).  Accesses are single and untorn;
 * volatile fields are stored with sequential consistency.
 */
#include "native/jni/jni_int.h"

#include "core/hooks.h"
#include "frame/frame_view.h"
#include "heap/records.h"

#define ORDER(f) ((f)->access & ACC_VOLATILE ? __ATOMIC_SEQ_CST : __ATOMIC_RELAXED)

/* Of the native method that asks, or of the bytecode that an agent's callback interrupts. */
static Method *accessor(const Thread *t) { return view_exists(view_youngest(t)) ? view_method(view_youngest(t)) : NULL; }
static u4 location_of(const Thread *t) { return view_exists(view_youngest(t)) ? view_bci(view_youngest(t)) : 0; }
static NOINLINE void post_access(Thread *t, Field *f, Object *o) {
    HOOK_CALL(FIELD_ACCESS, field_access, t, accessor(t), location_of(t), f, f->access & ACC_STATIC ? NULL : o);
}
static NOINLINE void post_modify(Thread *t, Field *f, Object *o, Slot v) {
    HOOK_CALL(FIELD_MODIFICATION, field_modification, t, accessor(t), location_of(t), f, f->access & ACC_STATIC ? NULL : o, v);
}
#define ON_ACCESS(f, o) \
    do { \
        if (UNLIKELY((f)->flags & FIELD_ACCESS_WATCH)) post_access(t, f, o); \
    } while (0)
#define ON_MODIFY(f, o, v) \
    do { \
        if (UNLIKELY((f)->flags & FIELD_MODIFY_WATCH)) post_modify(t, f, o, v); \
    } while (0)

/* Where a store goes: *o may become another object; it stays NULL when memory is exhausted. */
static u4 place_to_store(Thread *t, Field *f, Object **o) {
    if (!offset_is_outside(f->offset)) return f->offset;
    *o = record_to_write(t, *o, f->offset);
    return record_offset(f->offset);
}

static jobject get_ref(JNIEnv *env, Field *f, jobject holder) {
    IN_JAVA Thread *t = native_enter(env);
    Object *o = holder ? handle_get(holder) : f->holder->mirror;
    ON_ACCESS(f, o);
    u4 at;
    const Object *home = field_home(o, f->offset, &at);
    Object *v = f->access & ACC_VOLATILE ? ref_load_volatile(home, at) : ref_load(home, at);
    return handle_local(t, v);
}

static void set_ref(JNIEnv *env, Field *f, jobject holder, jobject value) {
    IN_JAVA Thread *t = native_enter(env);
    Object *o = holder ? handle_get(holder) : f->holder->mirror;
    Object *v = handle_get(value);
    ON_MODIFY(f, o, (Slot){.ref = v});
    u4 at = place_to_store(t, f, &o);
    if (!o) {
    } else if (f->access & ACC_VOLATILE) ref_store_volatile(o, at, v);
    else ref_store(o, at, v);
}

jobject jni_GetObjectField(JNIEnv *env, jobject obj, jfieldID id) { return get_ref(env, (Field *)id, obj); }
void jni_SetObjectField(JNIEnv *env, jobject obj, jfieldID id, jobject v) { set_ref(env, (Field *)id, obj, v); }
jobject jni_GetStaticObjectField(JNIEnv *env, jclass cls, jfieldID id) { return get_ref(env, (Field *)id, NULL); }
void jni_SetStaticObjectField(JNIEnv *env, jclass cls, jfieldID id, jobject v) { set_ref(env, (Field *)id, NULL, v); }

/* boolean stores keep only the lowest bit, as putfield does */
#define ACCESSORS(Name, jtype, ctype, member, bt) \
    static jtype get_##Name(JNIEnv *env, Field *f, jobject holder) { \
        IN_JAVA Thread *t = native_enter(env); \
        Object *o = holder ? handle_get(holder) : f->holder->mirror; \
        ON_ACCESS(f, o); \
        ctype v; \
        u4 at; \
        const Object *home = field_home(o, f->offset, &at); \
        __atomic_load((ctype *)obj_at(home, at), &v, ORDER(f)); \
        return (jtype)v; \
    } \
    static void set_##Name(JNIEnv *env, Field *f, jobject holder, jtype value) { \
        IN_JAVA Thread *t = native_enter(env); \
        Object *o = holder ? handle_get(holder) : f->holder->mirror; \
        ctype v = bt == T_BOOLEAN ? (ctype)((int)value & 1) : (ctype)value; \
        ON_MODIFY(f, o, (Slot){.member = v}); \
        u4 at = place_to_store(t, f, &o); \
        if (o) __atomic_store((ctype *)obj_at(o, at), &v, ORDER(f)); \
    } \
    jtype jni_Get##Name##Field(JNIEnv *env, jobject obj, jfieldID id) { return get_##Name(env, (Field *)id, obj); } \
    void jni_Set##Name##Field(JNIEnv *env, jobject obj, jfieldID id, jtype v) { set_##Name(env, (Field *)id, obj, v); } \
    jtype jni_GetStatic##Name##Field(JNIEnv *env, jclass cls, jfieldID id) { return get_##Name(env, (Field *)id, NULL); } \
    void jni_SetStatic##Name##Field(JNIEnv *env, jclass cls, jfieldID id, jtype v) { set_##Name(env, (Field *)id, NULL, v); }
JNI_PRIMITIVES(ACCESSORS)
