/* SPDX-License-Identifier: Apache-2.0 */
/* VM natives of Object, System, Thread, Class, Reference, String.intern, reflect.Array. */
#include "native/intrinsic/array_ops.h"
#include "native/intrinsic/intrinsic_int.h"

#include "lang/string.h"
#include "os/os.h"
#include "thread/identity.h"
#include "thread/monitor.h"
#include <stdio.h>
#include <unistd.h>

void native_nop(Thread *t, Slot *args, Slot *ret) {}
/* Numbers of types for readers of recordings: anything that differs from class to class. */
void jfr_class_id(Thread *t, Slot *args, Slot *ret) {
    if (!args[0].ref) throw_plain(t, EX_NullPointerException);
    else ret->j = (int64_t)(uintptr_t)mirror_class(args[0].ref);
}
void jfr_type_id(Thread *t, Slot *args, Slot *ret) { jfr_class_id(t, args + 1, ret); }

void jfr_name_id(Thread *t, Slot *args, Slot *ret) {
    if (!args[1].ref) throw_plain(t, EX_NullPointerException);
    else ret->j = (int64_t)(uintptr_t)string_to_symbol(args[1].ref);
}

void jfr_pid(Thread *t, Slot *args, Slot *ret) {
    char text[16];
    snprintf(text, sizeof text, "%d", (int)getpid());
    ret->ref = string_from_cstr(t, text);
}

void jfr_refuse(Thread *t, Slot *args, Slot *ret) {
    throw_new(t, EX_IllegalStateException, "Flight Recorder is not supported on this VM");
}

void native_zero(Thread *t, Slot *args, Slot *ret) { ret->raw = 0; }

/* ---- Object ---- */

void object_hash_code(Thread *t, Slot *args, Slot *ret) { ret->i = object_hash(t, args[0].ref); }
void object_get_class(Thread *t, Slot *args, Slot *ret) { ret->ref = obj_class(args[0].ref)->mirror; }
void object_clone(Thread *t, Slot *args, Slot *ret) { ret->ref = op_clone(t, args[0].ref); }
void object_notify(Thread *t, Slot *args, Slot *ret) { monitor_notify(t, args[0].ref, false); }
void object_notify_all(Thread *t, Slot *args, Slot *ret) { monitor_notify(t, args[0].ref, true); }
void object_wait(Thread *t, Slot *args, Slot *ret) { monitor_wait(t, args[0].ref, args[1].j); }

/* ---- System, Thread ---- */

void system_arraycopy(Thread *t, Slot *args, Slot *ret) {
    op_arraycopy(t, args[0].ref, args[1].i, args[2].ref, args[3].i, args[4].i);
}
bool quick_arraycopy(Thread *t, Slot *args, Slot *ret) {
    return op_arraycopy_quick(args[0].ref, args[1].i, args[2].ref, args[3].i, args[4].i);
}
void system_millis(Thread *t, Slot *args, Slot *ret) { ret->j = os_millis(); }
void system_nanos(Thread *t, Slot *args, Slot *ret) { ret->j = os_nanos(); }
void system_identity_hash(Thread *t, Slot *args, Slot *ret) { ret->i = args[0].ref ? object_hash(t, args[0].ref) : 0; }
void thread_current_thread(Thread *t, Slot *args, Slot *ret) { ret->ref = t->java_thread; }
void thread_spin_wait(Thread *t, Slot *args, Slot *ret) { cpu_pause(); }

/* ---- Class ---- */

void class_is_instance(Thread *t, Slot *args, Slot *ret) {
    Class *c = mirror_class(args[0].ref);
    Object *o = args[1].ref;
    ret->i = o && !class_is_primitive(c) && obj_instanceof(o, c);
}
bool class_cast_n(Thread *t, Slot *args, Slot *ret) {
    Class *c = mirror_class(args[0].ref);
    Object *o = args[1].ref;
    if (o && (class_is_primitive(c) || !obj_instanceof(o, c))) return false;
    ret->ref = o;
    return true;
}
bool quick_is_assignable_from(Thread *t, Slot *args, Slot *ret) {
    if (UNLIKELY(!args[1].ref)) return false;
    Class *c = mirror_class(args[0].ref), *s = mirror_class(args[1].ref);
    ret->i = s == c || (!class_is_primitive(s) && !class_is_primitive(c) && class_is_subtype(s, c));
    return true;
}
void class_is_assignable_from(Thread *t, Slot *args, Slot *ret) {
    if (!quick_is_assignable_from(t, args, ret)) throw_plain(t, EX_NullPointerException);
}
void class_is_interface_n(Thread *t, Slot *args, Slot *ret) { ret->i = class_is_interface(mirror_class(args[0].ref)) != 0; }
void class_is_array_n(Thread *t, Slot *args, Slot *ret) { ret->i = class_is_array(mirror_class(args[0].ref)) != 0; }
void class_is_primitive_n(Thread *t, Slot *args, Slot *ret) { ret->i = class_is_primitive(mirror_class(args[0].ref)) != 0; }
void class_is_hidden_n(Thread *t, Slot *args, Slot *ret) { ret->i = (mirror_class(args[0].ref)->flags & CF_HIDDEN) != 0; }
void class_get_modifiers(Thread *t, Slot *args, Slot *ret) { ret->i = (int32_t)class_modifiers(mirror_class(args[0].ref)); }
void class_get_superclass(Thread *t, Slot *args, Slot *ret) {
    Class *c = mirror_class(args[0].ref);
    Class *s = class_is_interface(c) || class_is_primitive(c) ? NULL : class_is_array(c) ? JC(Object) : c->super;
    ret->ref = s ? s->mirror : NULL;
}

/* ---- Reference ---- */

void reference_get(Thread *t, Slot *args, Slot *ret) { ret->ref = JGET_REF(args[0].ref, Reference, referent); }
void reference_refers_to(Thread *t, Slot *args, Slot *ret) { ret->i = JGET_REF(args[0].ref, Reference, referent) == args[1].ref; }
void reference_clear(Thread *t, Slot *args, Slot *ret) { JSET_REF(args[0].ref, Reference, referent, NULL); }

/* ---- String, Array ---- */

void string_intern_n(Thread *t, Slot *args, Slot *ret) { ret->ref = string_intern(t, args[0].ref); }
bool quick_array_length(Thread *t, Slot *args, Slot *ret) {
    const Object *a = args[0].ref;
    if (UNLIKELY(!a) || UNLIKELY(!class_is_array(obj_class(a)))) return false;
    ret->i = array_len(a);
    return true;
}
void array_get_length(Thread *t, Slot *args, Slot *ret) {
    if (quick_array_length(t, args, ret)) return;
    if (!args[0].ref) throw_plain(t, EX_NullPointerException);
    else throw_new(t, EX_IllegalArgumentException, "Argument is not an array");
}
void array_new_array(Thread *t, Slot *args, Slot *ret) { ret->ref = op_new_array(t, args[0].ref, args[1].i); }
