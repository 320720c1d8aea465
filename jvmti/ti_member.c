/* SPDX-License-Identifier: Apache-2.0 */
/* Chapters Field, Method, Object. */
#include "ti.h"
#include "object/field.h"
#include "object/version.h"
#include "thread/identity.h"
#include <stdlib.h>
#include <string.h>

static jvmtiError names(Class *c, Symbol *name, Symbol *desc, const CfMember *m, char **n, char **s, char **g) {
    CfStr sig = m && g ? cf_signature(c->version->cf, &m->attrs) : (CfStr){0};
    char *generic = sig.p ? strndup(sig.p, sig.len) : NULL;
    jvmtiError e = sig.p && !generic ? JVMTI_ERROR_OUT_OF_MEMORY : ti_string(name->bytes, n);
    if (!e && (e = ti_string(desc->bytes, s)) && n) free(*n);
    if (e) return free(generic), e;
    if (g) *g = generic;
    return JVMTI_ERROR_NONE;
}

/* --- Field --- */
jvmtiError ti_GetFieldName(Ti *x, jclass klass, jfieldID field, char **name_ptr, char **signature_ptr, char **generic_ptr) {
    Field *f = ti_field(field);
    return names(f->holder, f->name, f->desc, f->cf, name_ptr, signature_ptr, generic_ptr);
}
jvmtiError ti_GetFieldDeclaringClass(Ti *x, jclass klass, jfieldID field, jclass *declaring_class_ptr) {
    return TI_ANSWER(declaring_class_ptr, handle_local(x->thread, ti_field(field)->holder->mirror));
}
jvmtiError ti_GetFieldModifiers(Ti *x, jclass klass, jfieldID field, jint *modifiers_ptr) {
    return TI_ANSWER(modifiers_ptr, ti_field(field)->access & 0x50df);
}
jvmtiError ti_IsFieldSynthetic(Ti *x, jclass klass, jfieldID field, jboolean *is_synthetic_ptr) {
    return TI_ANSWER(is_synthetic_ptr, !!(ti_field(field)->access & ACC_SYNTHETIC));
}

/* --- Method --- */
jvmtiError ti_GetMethodName(Ti *x, jmethodID method, char **name_ptr, char **signature_ptr, char **generic_ptr) {
    Method *m = ti_method(method);
    return names(m->holder, m->name, m->desc, m->cf, name_ptr, signature_ptr, generic_ptr);
}
jvmtiError ti_GetMethodDeclaringClass(Ti *x, jmethodID method, jclass *declaring_class_ptr) {
    return TI_ANSWER(declaring_class_ptr, handle_local(x->thread, ti_method(method)->holder->mirror));
}
jvmtiError ti_GetMethodModifiers(Ti *x, jmethodID method, jint *modifiers_ptr) {
    return TI_ANSWER(modifiers_ptr, ti_method(method)->access & 0x1dff);
}
jvmtiError ti_GetMaxLocals(Ti *x, jmethodID method, jint *max_ptr) {
    Method *m = ti_method(method);
    return TI_ANSWER(max_ptr, m->cf_code ? m->cf_code->max_locals : 0);
}
jvmtiError ti_GetArgumentsSize(Ti *x, jmethodID method, jint *size_ptr) {
    return TI_ANSWER(size_ptr, ti_method(method)->arg_slots);
}
jvmtiError ti_GetMethodLocation(Ti *x, jmethodID method, jlocation *start_location_ptr, jlocation *end_location_ptr) {
    Method *m = ti_method(method);
    *start_location_ptr = m->code_len ? 0 : -1; /* abstract: no code */
    *end_location_ptr = (jlocation)m->code_len - 1;
    return JVMTI_ERROR_NONE;
}

bool ti_next_table(const Method *m, CfAttrKind kind, TiDecode decode, int *i, CfRows *rows) {
    while (m->cf_code && *i < m->cf_code->attrs.count) {
        const CfAttr *a = &m->cf_code->attrs.v[(*i)++];
        if (a->kind == kind && decode(a, rows, NULL) == CF_OK) return true;
    }
    return false;
}
static u4 count_rows(const Method *m, CfAttrKind kind, TiDecode decode) {
    u4 n = 0;
    CfRows r;
    for (int i = 0; ti_next_table(m, kind, decode, &i, &r);) n += r.count;
    return n;
}
jvmtiError ti_GetLineNumberTable(Ti *x, jmethodID method, jint *entry_count_ptr, jvmtiLineNumberEntry **table_ptr) {
    Method *m = ti_method(method);
    u4 n = count_rows(m, CF_ATTR_LINE_NUMBER_TABLE, cf_lines);
    if (!n) return JVMTI_ERROR_ABSENT_INFORMATION;
    jvmtiLineNumberEntry *v = ti_alloc(n * sizeof *v), *w = v;
    if (!v) return JVMTI_ERROR_OUT_OF_MEMORY;
    CfRows r;
    for (int i = 0; ti_next_table(m, CF_ATTR_LINE_NUMBER_TABLE, cf_lines, &i, &r);)
        for (u4 k = 0; k < r.count; k++, w++) {
            u2 pc, line;
            cf_line(&r, k, &pc, &line);
            *w = (jvmtiLineNumberEntry){pc, line};
        }
    *entry_count_ptr = (jint)n;
    *table_ptr = v;
    return JVMTI_ERROR_NONE;
}

/* *failed: there is no memory for it. */
static char *utf8_copy(const CfClass *cf, u2 idx, bool *failed) {
    CfStr s = cf_utf8(cf, idx);
    char *copy = s.p ? strndup(s.p, s.len) : NULL;
    *failed |= s.p && !copy;
    return copy;
}
/* The type table's row for the same variable carries the generic signature. */
static char *generic_of(Method *m, CfLocalVar *v, bool *failed) {
    const CfClass *cf = m->version->cf;
    CfRows r;
    for (int i = 0; ti_next_table(m, CF_ATTR_LOCAL_VARIABLE_TYPE_TABLE, cf_local_vars, &i, &r);)
        for (u4 k = 0; k < r.count; k++) {
            CfLocalVar g = cf_local_var(&r, k);
            if (g.start == v->start && g.length == v->length && g.slot == v->slot &&
                cf_str_eq(cf_utf8(cf, g.name), cf_utf8(cf, v->name)))
                return utf8_copy(cf, g.desc, failed);
        }
    return NULL;
}
/* Compilers leave the table out of methods without variables: in a class compiled with
 * variables that means "none", not "unknown". */
static bool class_has_locals(ClassVersion *v) {
    for (int i = 0; i < v->n_methods; i++)
        if (count_rows(&v->methods[i], CF_ATTR_LOCAL_VARIABLE_TABLE, cf_local_vars)) return true;
    return false;
}
jvmtiError ti_GetLocalVariableTable(Ti *x, jmethodID method, jint *entry_count_ptr, jvmtiLocalVariableEntry **table_ptr) {
    Method *m = ti_method(method);
    u4 n = count_rows(m, CF_ATTR_LOCAL_VARIABLE_TABLE, cf_local_vars);
    if (!n && !class_has_locals(m->version)) return JVMTI_ERROR_ABSENT_INFORMATION;
    jvmtiLocalVariableEntry *v = ti_alloc(n * sizeof *v), *w = v;
    bool failed = false;
    if (n && !v) return JVMTI_ERROR_OUT_OF_MEMORY;
    CfRows r;
    for (int i = 0; ti_next_table(m, CF_ATTR_LOCAL_VARIABLE_TABLE, cf_local_vars, &i, &r);)
        for (u4 k = 0; k < r.count; k++, w++) {
            CfLocalVar l = cf_local_var(&r, k);
            char *name = utf8_copy(m->version->cf, l.name, &failed), *desc = utf8_copy(m->version->cf, l.desc, &failed);
            *w = (jvmtiLocalVariableEntry){l.start, l.length, name, desc, generic_of(m, &l, &failed), l.slot};
        }
    if (failed) {
        while (w-- > v) free(w->name), free(w->signature), free(w->generic_signature);
        return free(v), JVMTI_ERROR_OUT_OF_MEMORY;
    }
    *entry_count_ptr = (jint)n;
    *table_ptr = v;
    return JVMTI_ERROR_NONE;
}
jvmtiError ti_GetBytecodes(Ti *x, jmethodID method, jint *bytecode_count_ptr, unsigned char **bytecodes_ptr) {
    Method *m = ti_method(method);
    *bytecode_count_ptr = (jint)m->code_len;
    return ti_bytes(m->code, m->code_len, bytecodes_ptr);
}
jvmtiError ti_IsMethodNative(Ti *x, jmethodID method, jboolean *is_native_ptr) {
    return TI_ANSWER(is_native_ptr, method_is_native(ti_method(method)) != 0);
}
jvmtiError ti_IsMethodSynthetic(Ti *x, jmethodID method, jboolean *is_synthetic_ptr) {
    return TI_ANSWER(is_synthetic_ptr, !!(ti_method(method)->access & ACC_SYNTHETIC));
}
jvmtiError ti_IsMethodObsolete(Ti *x, jmethodID method, jboolean *is_obsolete_ptr) {
    return TI_ANSWER(is_obsolete_ptr, (ti_method(method)->flags & MF_OBSOLETE) != 0);
}

/* --- Object --- */
jvmtiError ti_GetObjectSize(Ti *x, jobject object, jlong *size_ptr) {
    return TI_ANSWER(size_ptr, (jlong)heap_object_size(handle_get(object)));
}
jvmtiError ti_GetObjectHashCode(Ti *x, jobject object, jint *hash_code_ptr) {
    return TI_ANSWER(hash_code_ptr, object_hash(x->thread, handle_get(object)));
}
typedef struct Usage {
    Object *o;
    Object *owner; /* a java.lang.Thread */
    jint entry_count;
    TiRefs waiters, notify_waiters; /* who waits in the wait set is in both, as the reference has it */
} Usage;
static void add_waiter(Thread *t, bool in_wait_set, void *arg) {
    Usage *u = arg;
    if (!t->java_thread) return;
    ti_refs_add(&u->waiters, t->java_thread);
    if (in_wait_set) ti_refs_add(&u->notify_waiters, t->java_thread);
}
static void collect_usage(void *arg) {
    Usage *u = arg;
    MonitorInfo info;
    monitor_info(u->o, &info);
    if (info.owner) u->owner = info.owner->java_thread;
    u->entry_count = info.entry_count;
    monitor_each_waiter(u->o, add_waiter, u);
}
jvmtiError ti_GetObjectMonitorUsage(Ti *x, jobject object, jvmtiMonitorUsage *info_ptr) {
    Usage u = {.o = handle_get(object)};
    safepoint_run("JVM TI GetObjectMonitorUsage", collect_usage, &u);
    memset(info_ptr, 0, sizeof *info_ptr);
    if (u.owner) info_ptr->owner = handle_local(x->thread, u.owner);
    info_ptr->entry_count = u.entry_count;
    jvmtiError e = ti_refs_give(x, &u.waiters, &info_ptr->waiter_count, &info_ptr->waiters);
    jvmtiError e2 = ti_refs_give(x, &u.notify_waiters, &info_ptr->notify_waiter_count, &info_ptr->notify_waiters);
    return e ? e : e2;
}
