/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run-time constant pool: names, published cells, remembered errors.
 *
 * A cell is written once, under pool_mutex, before its state is released;
 * readers need no lock.  The first writer wins, so every thread sees the same
 * resolution (JVMS 5.4.3).  A resolution that failed with a LinkageError is
 * remembered (class, message, one cause) and thrown again in the same words; no
 * other exception is remembered.  Both kinds of outcome compete: who fails while
 * another thread succeeded takes what that one found, and who succeeds after
 * another one's failure drops its result and fails.  So a cell may be read only
 * after its state was: behind POOL_ERROR it holds a record and no class.
 *
 *   word              states                                   writer                                       reader
 *   pool_state[i]     UNRESOLVED -> RESOLVED or ERROR, once    release, [lock: pool], behind pool[i]        acquire, then pool[i]
 *   pool[i]           empty -> outcome, once                   plain, [lock: pool]; methods in pauses, too  behind the state
 *   CallSite.adapter  NULL -> method, once                     release, [lock: site], behind appendix       acquire, then appendix, arg_slots
 *   Thread.method_cache   its thread's alone; emptied in pauses
 * x86-64: plain moves.  ARM64: stlr, ldar.  Quick code has words of its own: quick/quick.h.  Stress: java/link/Outcomes, make tsan.
 *
 * ref_cells lists the entries whose cells hold references, for the collector; method_cells those that
 * name methods, for redefinition.
 */
#include "core/reserve.h"
#include "lang/javaclasses.h"
#include "lang/string.h"
#include "link/link_int.h"

#include <stdlib.h>

static VmLock pool_mutex = VM_LOCK(POOL);

/* --- names --- */

Symbol *pool_utf8(ClassVersion *v, u2 idx) {
    Symbol *s = LOAD_ACQUIRE(v->pool_syms[idx]);
    if (!s) { /* twice at most: interning gives both threads the same */
        CfStr text = cf_utf8(v->cf, idx);
        s = symbol_intern(text.p ? text.p : "", text.len);
        __atomic_store_n(&v->pool_syms[idx], s, __ATOMIC_RELEASE);
    }
    return s;
}

Symbol *pool_class_name(ClassVersion *v, u2 idx) {
    Symbol *s = LOAD_ACQUIRE(v->pool_syms[idx]); /* set for the self reference of hidden classes */
    const CfConst *k = cf_const(v->cf, idx);
    if (s) return s;
    return k->tag == CF_CONST_CLASS ? pool_utf8(v, k->a) : symbol_of("");
}

void pool_name_and_type(ClassVersion *v, u2 idx, Symbol **cls, Symbol **name, Symbol **desc) {
    const CfConst *k = cf_const(v->cf, idx), *nt;

    if (cls) *cls = k->tag >= CF_CONST_FIELDREF && k->tag <= CF_CONST_INTERFACEMETHODREF ? pool_class_name(v, k->a) : NULL;
    nt = k->tag == CF_CONST_NAMEANDTYPE ? k : cf_const(v->cf, k->b);
    if (name) *name = pool_utf8(v, nt->a);
    if (desc) *desc = pool_utf8(v, nt->b);
}

/* --- cells --- */

static void note_cell(CellList *l, u2 idx) {
    if (l->len == l->cap) {
        l->cap = l->cap ? l->cap * 2 : 8;
        l->data = reserve_grow(l->data, l->len * sizeof *l->data, l->cap * sizeof *l->data, "a constant pool");
    }
    l->data[l->len++] = idx;
}

bool pool_reserve(ClassVersion *v, u4 methods, u4 refs) {
    HOLDING(&pool_mutex);
    return cf_vec_reserve(&v->method_cells, v->method_cells.len + methods) &&
           cf_vec_reserve(&v->ref_cells, v->ref_cells.len + refs);
}

static bool names_method(const ClassVersion *v, u2 idx) {
    unsigned tag = cf_tag(v->cf, idx);
    return tag == CF_CONST_METHODREF || tag == CF_CONST_INTERFACEMETHODREF;
}

static bool publish(ClassVersion *v, u2 idx, PoolCell cell, PoolState state, bool reference) {
    HOLDING(&pool_mutex);
    bool won = v->pool_state[idx] == POOL_UNRESOLVED;
    if (won) {
        v->pool[idx] = cell;
        if (reference) note_cell(&v->ref_cells, idx);
        if (state == POOL_RESOLVED && names_method(v, idx)) note_cell(&v->method_cells, idx);
        atomic_store_explicit(&v->pool_state[idx], (u1)state, memory_order_release);
    }
    return won;
}

void pool_publish(ClassVersion *v, u2 idx, PoolCell cell, bool holds_reference) {
    publish(v, idx, cell, POOL_RESOLVED, holds_reference);
}

/* --- errors --- */

typedef struct PoolError {
    Symbol *cls, *cause_cls;       /* cause_cls NULL = no cause */
    char *message, *cause_message; /* NULL = none */
} PoolError;

static Symbol *describe(const Object *ex, char **message) {
    Object *msg = JGET_REF(ex, Throwable, detailMessage);
    *message = msg ? string_to_cstr(msg) : NULL;
    return obj_class(ex)->name;
}

void link_error_free(void *record) {
    PoolError *e = record;
    free(e->message);
    free(e->cause_message);
    free(e);
}

void *link_error_take(Thread *t) {
    PoolError *e;
    Object *cause;

    if (!t->exception || !exception_is(t, EX_LinkageError)) return NULL;
    if (!(e = calloc(1, sizeof *e))) return NULL;
    e->cls = describe(t->exception, &e->message);
    cause = JGET_REF(t->exception, Throwable, cause);
    if (cause && cause != t->exception && obj_class(cause)->loader == BOOT_LOADER)
        e->cause_cls = describe(cause, &e->cause_message);
    return e;
}

/* A fresh exception of the same class, message and cause. */
void link_error_throw(Thread *t, const void *record) {
    const PoolError *e = record;
    Object *cause = NULL, *ex;

    if (e->cause_cls) {
        throw_named(t, e->cause_cls->bytes, e->cause_message ? "%s" : NULL, e->cause_message);
        cause = exception_take(t);
    }
    throw_named(t, e->cls->bytes, e->message ? "%s" : NULL, e->message);
    ex = t->exception;
    if (!cause || obj_class(ex)->name != e->cls || JGET_REF(ex, Throwable, cause) != ex) return;
    JSET_REF(ex, Throwable, cause, cause); /* not yet initialised: cause == this */
}

bool pool_failed(Thread *t, ClassVersion *v, u2 idx) {
    PoolError *e = link_error_take(t);
    if (e && publish(v, idx, (PoolCell){.error = e}, POOL_ERROR, false)) return false; /* as it was thrown */
    if (e) link_error_free(e);
    if (pool_state(v, idx) == POOL_UNRESOLVED || !exception_is(t, EX_LinkageError)) return false;
    t->exception = NULL;
    return pool_stands(t, v, idx);
}

bool pool_stands(Thread *t, ClassVersion *v, u2 idx) {
    if (pool_state(v, idx) == POOL_ERROR) pool_rethrow(t, v, idx);
    return !t->exception;
}

void pool_rethrow(Thread *t, ClassVersion *v, u2 idx) { link_error_throw(t, v->pool[idx].error); }

/* --- names of methods in messages --- */

typedef struct Text {
    char *buf;
    size_t len, at;
} Text;

static void put(Text *x, const char *s, size_t n) {
    for (size_t i = 0; i < n && x->at + 1 < x->len; i++) x->buf[x->at++] = s[i] == '/' ? '.' : s[i];
    if (x->len) x->buf[x->at] = 0;
}

static const char *put_type(Text *x, const char *d) {
    int dims = 0;

    while (*d == '[') d++, dims++;
    if (*d == 'L') {
        const char *end = strchr(d, ';');
        if (!end) end = d + strlen(d);
        put(x, d + 1, (size_t)(end - d - 1));
        d = *end ? end + 1 : end;
    } else if (*d) {
        const Class *c = primitive_classes[type_of_desc_char(*d++)];
        put(x, c ? c->name->bytes : "?", c ? c->name->len : 1);
    }
    while (dims-- > 0) put(x, "[]", 2);
    return d;
}

const char *method_external_name(const Class *holder, const Symbol *name, const Symbol *desc, char *buf, size_t len) {
    Text x = {buf, len, 0};
    const char *d = desc->bytes;
    CfStr ret = cf_desc_result((CfStr){d, desc->len});
    ClassText cls = {""};

    put_type(&x, ret.len ? ret.p : "V");
    put(&x, " ", 1);
    if (holder) cls = class_text(holder);
    for (size_t i = 0; cls.s[i] && x.at + 1 < len; i++) buf[x.at++] = cls.s[i]; /* keeps the / of hidden names */
    if (holder) put(&x, ".", 1);
    put(&x, name->bytes, name->len);
    put(&x, "(", 1);
    if (*d == '(') d++;
    for (bool first = true; *d && *d != ')'; first = false) {
        if (!first) put(&x, ", ", 2);
        d = put_type(&x, d);
    }
    put(&x, ")", 1);
    return buf;
}

MethodText method_text(const Class *holder, const Symbol *name, const Symbol *desc) {
    MethodText text;
    method_external_name(holder, name, desc, text.s, sizeof text.s);
    return text;
}
