/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chapter Local Variable.
 *
 * A frame is read and written while its thread is stopped (or is the caller); no suspension is asked
 * for.  A slot is checked twice, as the reference does: against what the bytecode certainly stored there
 * (framemap.c), which needs no debug attributes, and against the LocalVariableTable if the method
 * has one.  Order of errors: frame, slot, type.
 */
#include "ti.h"
#include "frame/framemap.h"
#include "object/version.h"
#include <string.h>

typedef struct Local {
    jint depth, slot;
    BasicType type;     /* of the function: T_INT stands for all narrow ones */
    bool set, receiver; /* receiver: GetLocalInstance */
    Slot value;
    jvmtiError result;
} Local;

/* --- checks --- */

static bool name_is(const Class *c, const char *name, size_t len) {
    return c->name->len == len && memcmp(c->name->bytes, name, len) == 0;
}
/* Is k a subtype of the type that the descriptor names?  By names: the type need not be loaded. */
bool ti_type_fits(const char *desc, size_t len, const Class *k) {
    if (desc[0] == '[') {
        if (!k->component) return false;
        if (desc[1] != 'L' && desc[1] != '[') return k->component == primitive_classes[type_of_desc_char(desc[1])];
        return !class_is_primitive(k->component) && ti_type_fits(desc + 1, len - 1, k->component);
    }
    for (const Class *s = k; s; s = s->super)
        if (name_is(s, desc + 1, len - 2)) return true;
    for (int i = 0; i < k->n_all_interfaces; i++)
        if (name_is(k->all_interfaces[i], desc + 1, len - 2)) return true;
    return false;
}

/* The variable that lives in the slot at bci (start + length is its last place); false when the table of the method has none. */
static bool find_variable(const Method *m, u4 bci, jint slot, bool *has_table, CfStr *desc) {
    CfRows r;
    *has_table = false;
    for (int i = 0; ti_next_table(m, CF_ATTR_LOCAL_VARIABLE_TABLE, cf_local_vars, &i, &r);)
        for (u4 k = 0; k < r.count; k++) {
            CfLocalVar v = cf_local_var(&r, k);
            *has_table = true;
            if (v.slot != slot || bci < v.start || bci > v.start + (u4)v.length) continue;
            *desc = cf_utf8(m->version->cf, v.desc);
            return true;
        }
    return false;
}
static jvmtiError check_table(const Method *m, u4 bci, const Local *l, LocalKind kind) {
    bool has_table;
    CfStr desc;
    bool found = find_variable(m, bci, l->slot, &has_table, &desc);
    if (!has_table) return kind == LOCAL_MIXED ? JVMTI_ERROR_INVALID_SLOT : JVMTI_ERROR_NONE;
    if (!found) return JVMTI_ERROR_INVALID_SLOT;
    if (ti_function_type(type_of_desc_char(desc.p[0])) != l->type) return JVMTI_ERROR_TYPE_MISMATCH;
    if (l->set && l->type == T_OBJECT && l->value.ref && !ti_type_fits(desc.p, desc.len, obj_class(l->value.ref)))
        return JVMTI_ERROR_TYPE_MISMATCH;
    return JVMTI_ERROR_NONE;
}

static jvmtiError check_slot(const Method *m, u4 bci, const Local *l) {
    bool two = l->type == T_LONG || l->type == T_DOUBLE;
    if (l->slot < 0 || l->slot >= m->max_locals - two) return JVMTI_ERROR_INVALID_SLOT;
    LocalKind kind, next;
    if (!framemap_kind(m, bci, (u4)l->slot, &kind) || !framemap_kind(m, bci, (u4)(l->slot + two), &next))
        return JVMTI_ERROR_OUT_OF_MEMORY;
    /* Here a slot without a certain value counts as a number, as in the reference. */
    if (two && next == LOCAL_REF) return JVMTI_ERROR_INVALID_SLOT;
    if ((l->type == T_OBJECT) != (kind == LOCAL_REF)) return JVMTI_ERROR_TYPE_MISMATCH;
    jvmtiError e = check_table(m, bci, l, kind);
    return e || kind != LOCAL_NONE ? e : JVMTI_ERROR_INVALID_SLOT;
}

/* --- the operation --- */

static void access_slot(const Thread *t, FrameView v, Local *l) {
    bool narrow = l->type == T_INT || l->type == T_FLOAT;
    if (l->set) view_set_local(t, v, (u4)l->slot, (Slot){.raw = narrow ? (u4)l->value.i : l->value.raw});
    else l->value = view_local(v, (u4)l->slot);
    if (narrow) l->value.raw = (u4)l->value.i;
}
static void access_frame(Thread *t, void *arg) {
    Local *l = arg;
    FrameView v = view_at(t, l->depth);
    if (!view_exists(v)) {
        l->result = JVMTI_ERROR_NO_MORE_FRAMES;
    } else if (l->receiver) {
        l->result = method_is_static(view_method(v)) ? JVMTI_ERROR_INVALID_SLOT : JVMTI_ERROR_NONE;
        if (!l->result) l->value.ref = view_local(v, 0).ref;
    } else if (method_is_native(view_method(v)) || view_is_opaque(v)) {
        l->result = JVMTI_ERROR_OPAQUE_FRAME;
    } else {
        l->result = check_slot(view_method(v), view_bci(v), l);
        if (!l->result) access_slot(t, v, l);
    }
}
static jvmtiError run(Ti *x, jthread thread, Local *l) {
    jvmtiError e = ti_on_thread(x, thread, access_frame, l);
    return e ? e : l->result;
}

#define GET(Name, jtype, basic, expr) \
    jvmtiError ti_GetLocal##Name(Ti *x, jthread thread, jint depth, jint slot, jtype *value_ptr) { \
        Local l = {.depth = depth, .slot = slot, .type = basic}; \
        jvmtiError e = run(x, thread, &l); \
        if (!e) *value_ptr = expr; \
        return e; \
    }
#define SET(Name, jtype, basic, init) \
    jvmtiError ti_SetLocal##Name(Ti *x, jthread thread, jint depth, jint slot, jtype value) { \
        Local l = {.depth = depth, .slot = slot, .type = basic, .set = true, .value = {init}}; \
        return run(x, thread, &l); \
    }
GET(Object, jobject, T_OBJECT, handle_local(x->thread, l.value.ref))
GET(Int, jint, T_INT, l.value.i)
GET(Long, jlong, T_LONG, l.value.j)
GET(Float, jfloat, T_FLOAT, l.value.f)
GET(Double, jdouble, T_DOUBLE, l.value.d)
SET(Object, jobject, T_OBJECT, .ref = handle_get(value))
SET(Int, jint, T_INT, .i = value)
SET(Long, jlong, T_LONG, .j = value)
SET(Float, jfloat, T_FLOAT, .f = value)
SET(Double, jdouble, T_DOUBLE, .d = value)

jvmtiError ti_GetLocalInstance(Ti *x, jthread thread, jint depth, jobject *value_ptr) {
    Local l = {.depth = depth, .receiver = true};
    jvmtiError e = run(x, thread, &l);
    if (!e) *value_ptr = handle_local(x->thread, l.value.ref);
    return e;
}
