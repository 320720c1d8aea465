/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resolution of symbolic references (JVMS 5.4.3), classes and constants here,
 * members in resolve_member.c.
 *
 * What resolves once is kept in the pool cell; LinkageErrors of classes,
 * constants and call sites are kept as well (pool.c).  No lock is held while
 * classes load or Java code runs, so the same entry may be resolved by several
 * threads, or again from inside; the first outcome stands, be it a failure, and
 * everybody returns or throws that.
 *
 * What is wrong with a member of a class that could be resolved is found anew at
 * each attempt: it follows from the class and from loading constraints, which
 * never go away, so the error is the same without being kept.
 */
#include "lang/string.h"
#include "link/link_int.h"
#include "invoke/methodhandle.h"
#include "invoke/invoke.h"

#include <stdlib.h>

/* --- classes --- */

Class *resolve_class(Thread *t, ClassVersion *v, u2 idx) {
    u1 state = pool_state(v, idx);

    if (state == POOL_RESOLVED) return v->pool[idx].klass;
    if (state == POOL_ERROR) return pool_rethrow(t, v, idx), NULL;
    Class *c = load_class_or_ncdfe(t, pool_class_name(v, idx), v->klass->loader);
    if (c && access_class_check(t, v->klass, c)) {
        pool_publish(v, idx, (PoolCell){.klass = c}, c->flags & CF_UNLOADABLE && c != v->klass);
        if (!pool_stands(t, v, idx)) return NULL;
    } else if (!pool_failed(t, v, idx)) {
        return NULL;
    }
    return v->pool[idx].klass;
}

/* --- constants --- */

Object *resolve_string(Thread *t, ClassVersion *v, u2 idx) {
    if (pool_state(v, idx) == POOL_RESOLVED) return v->pool[idx].object;
    Object *s = string_intern_symbol(t, pool_utf8(v, cf_const(v->cf, idx)->a));
    if (!s) return NULL;
    pool_publish(v, idx, (PoolCell){.object = s}, true);
    return v->pool[idx].object;
}

static bool publish_object(Thread *t, ClassVersion *v, u2 idx, Object *o, Slot *out) {
    if (o) {
        pool_publish(v, idx, (PoolCell){.object = o}, true);
        if (!pool_stands(t, v, idx)) return false;
    } else if (!pool_failed(t, v, idx)) {
        return false;
    }
    out->ref = v->pool[idx].object;
    return true;
}

static bool resolve_dynamic(Thread *t, ClassVersion *v, u2 idx, Slot *out, BasicType *type) {
    Slot value = {.raw = 0};
    Symbol *desc;

    pool_name_and_type(v, idx, NULL, NULL, &desc);
    *type = type_of_desc_char(desc->bytes[0]);
    bool is_ref = *type == T_OBJECT || *type == T_ARRAY;
    if (pool_state(v, idx) == POOL_UNRESOLVED) {
        BasicType unused;
        if (mh_link_dynamic_constant(t, v, idx, &value, &unused))
            pool_publish(v, idx, is_ref ? (PoolCell){.object = value.ref} : (PoolCell){.prim = value.j}, is_ref);
        else if (!pool_failed(t, v, idx)) return false;
    }
    if (!pool_stands(t, v, idx)) return false;
    out->raw = is_ref ? (uintptr_t)v->pool[idx].object : (u8)v->pool[idx].prim;
    return true;
}

bool resolve_constant(Thread *t, ClassVersion *v, u2 idx, Slot *out, BasicType *type) {
    const CfConst *k = cf_const(v->cf, idx);
    Class *c;

    *type = T_OBJECT;
    switch (k->tag) {
    case CF_CONST_INTEGER:
    case CF_CONST_FLOAT:
        *type = k->tag == CF_CONST_INTEGER ? T_INT : T_FLOAT;
        out->i = k->i;
        return true;
    case CF_CONST_LONG:
    case CF_CONST_DOUBLE:
        *type = k->tag == CF_CONST_LONG ? T_LONG : T_DOUBLE;
        out->j = k->j;
        return true;
    case CF_CONST_STRING: return (out->ref = resolve_string(t, v, idx)) != NULL;
    case CF_CONST_CLASS:
        if (!(c = resolve_class(t, v, idx))) return false;
        out->ref = c->mirror;
        return true;
    case CF_CONST_DYNAMIC: return resolve_dynamic(t, v, idx, out, type);
    case CF_CONST_METHODTYPE:
    case CF_CONST_METHODHANDLE:
        if (pool_state(v, idx) == POOL_RESOLVED) return out->ref = v->pool[idx].object, true;
        if (pool_state(v, idx) == POOL_ERROR) return pool_rethrow(t, v, idx), false;
        return publish_object(
            t, v, idx,
            k->tag == CF_CONST_METHODTYPE ? mh_method_type(t, pool_utf8(v, k->a), v->klass) : mh_resolve_handle(t, v, idx), out);
    default:
        return throw_new(t, EX_ClassFormatError, "Bad constant pool tag %u at index %u in class file %s", k->tag, idx,
                         v->klass->name->bytes),
               false;
    }
}

/* A dynamic constant (JVMS 4.4.10). */
static BasicType dynamic_type(const ClassVersion *v, u2 idx) {
    const CfConst *name_and_type = cf_const(v->cf, cf_const(v->cf, idx)->b);
    return type_of_desc_char(cf_utf8(v->cf, name_and_type->b).p[0]);
}

bool resolved_constant(const ClassVersion *v, u2 idx, Slot *out, BasicType *type) {
    const CfConst *k = cf_const(v->cf, idx);
    const PoolCell *cell = &v->pool[idx];
    bool resolved = pool_state(v, idx) == POOL_RESOLVED, is_ref;
    out->raw = 0;
    *type = T_OBJECT;
    switch (k->tag) {
    case CF_CONST_INTEGER:
    case CF_CONST_FLOAT: return *type = k->tag == CF_CONST_INTEGER ? T_INT : T_FLOAT, out->raw = (u4)k->i, true;
    case CF_CONST_LONG:
    case CF_CONST_DOUBLE: return *type = k->tag == CF_CONST_LONG ? T_LONG : T_DOUBLE, out->j = k->j, true;
    case CF_CONST_CLASS:
        if (resolved) out->ref = cell->klass->mirror;
        return resolved;
    case CF_CONST_DYNAMIC:
        *type = dynamic_type(v, idx);
        is_ref = *type == T_OBJECT || *type == T_ARRAY;
        if (!resolved) return false;
        if (is_ref) out->ref = cell->object;
        else out->raw = *type == T_LONG || *type == T_DOUBLE ? (u8)cell->prim : (u4)cell->prim;
        return true;
    default:
        if (resolved) out->ref = cell->object;
        return resolved;
    }
}

/* --- call sites --- */

static VmLock site_mutex = VM_LOCK(CALL_SITE);

typedef struct SiteError { /* one per failed site, beside the CallSite; few */
    struct SiteError *next;
    CallSite *site;
    void *record;
} SiteError;
static SiteError *site_errors; /* [lock: site] */

static void *find_site_error(CallSite *cs) {
    HOLDING(&site_mutex);
    for (SiteError *e = site_errors; e; e = e->next)
        if (e->site == cs) return e->record;
    return NULL;
}

/* The first outcome stands, also if it is a failure: true if it is this one.  Takes the record. */
static bool settle(ClassVersion *v, CallSite *cs, Method *adapter, Object *appendix, void *record) {
    lock_take(&site_mutex);
    bool won = !atomic_load(&cs->adapter);
    for (SiteError *e = site_errors; e && won; e = e->next) won = e->site != cs;
    if (won && adapter) {
        cs->appendix = appendix;
        adapter = method_current(adapter);
        class_note_use(v->klass, adapter->holder);
        cs->arg_slots = adapter->arg_slots;
        atomic_store_explicit(&cs->adapter, adapter, memory_order_release);
    } else if (won && record) {
        SiteError *e = malloc(sizeof *e);
        if (e) {
            *e = (SiteError){site_errors, cs, record};
            site_errors = e;
            record = NULL;
        }
    }
    lock_release(&site_mutex);
    if (record) link_error_free(record); /* somebody else's stands, or no memory to keep it */
    return won;
}

/* The sites of v are about to be freed. */
void call_sites_forget(const ClassVersion *v) {
    HOLDING(&site_mutex);
    for (u4 i = 0; site_errors && i < v->n_call_sites; i++)
        for (SiteError **p = &site_errors, *e; (e = *p);) {
            if (e->site != v->call_sites[i]) p = &e->next;
            else *p = e->next, link_error_free(e->record), free(e);
        }
}

CallSite *resolve_call_site(Thread *t, ClassVersion *v, u2 idx, u4 site) {
    CallSite *cs = v->call_sites[site];
    Method *adapter = NULL;
    Object *appendix = NULL;
    void *record;

    if (atomic_load_explicit(&cs->adapter, memory_order_acquire)) return cs;
    if ((record = find_site_error(cs))) return link_error_throw(t, record), NULL;
    if (mh_link_call_site(t, v, idx, &adapter, &appendix)) {
        if (settle(v, cs, adapter, appendix, NULL)) return cs;
    } else if (!exception_is(t, EX_LinkageError) || settle(v, cs, NULL, NULL, link_error_take(t))) {
        return NULL;
    }
    t->exception = NULL;
    if (atomic_load_explicit(&cs->adapter, memory_order_acquire)) return cs;
    link_error_throw(t, find_site_error(cs));
    return NULL;
}
