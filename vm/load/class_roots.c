/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References that class metadata holds, for the collector.
 *
 * Cells in C memory are given to the visitor as they are.  Static fields are
 * narrow references inside the mirror: the visitor sees a copy, which is enough, since
 * what a visitor sees is not moved (heap/compact.c).
 */
#include "heap/heap.h"
#include "load/load_int.h"
#include "heap/heap_upcall.h"
#include "object/class.h"
#include "object/version.h"

static void visit(Object **slot, RootVisitor v, void *arg) {
    if (*slot) v(slot, arg);
}

static void visit_statics(Class *c, RootVisitor v, void *arg) {
    if (!c->mirror) return;
    for (u4 i = 0; i < c->n_static_refs; i++) {
        Object *o = ref_load(c->mirror, c->static_base + i * sizeof(Narrow));
        visit(&o, v, arg);
    }
}

/* Another class that must not go before this one does. */
static void visit_class(Class *c, RootVisitor v, void *arg) {
    if (c && c->flags & CF_UNLOADABLE) visit(&c->mirror, v, arg);
}

static void visit_cell(ClassVersion *cv, u2 idx, RootVisitor v, void *arg) {
    PoolCell *cell = &cv->pool[idx];

    if (atomic_load_explicit(&cv->pool_state[idx], memory_order_relaxed) != POOL_RESOLVED) return;
    switch (cf_tag(cv->cf, idx)) {
    case CF_CONST_CLASS: visit_class(cell->klass, v, arg); break;
    case CF_CONST_METHODREF:
    case CF_CONST_INTERFACEMETHODREF:
        visit(&cell->method->appendix, v, arg);
        visit_class(cell->method->method->holder, v, arg);
        break;
    default: visit(&cell->object, v, arg);
    }
}

static void visit_version(ClassVersion *cv, RootVisitor v, void *arg) {
    for (u4 i = 0; i < cv->ref_cells.len; i++) visit_cell(cv, cv->ref_cells.data[i], v, arg);
    for (u4 i = 0; i < cv->n_call_sites; i++) {
        CallSite *cs = cv->call_sites[i];
        Method *adapter = cs ? atomic_load(&cs->adapter) : NULL;
        if (!cs) continue;
        visit(&cs->appendix, v, arg);
        if (adapter) visit_class(adapter->holder, v, arg);
    }
}

static void visit_relatives(Class *c, RootVisitor v, void *arg) {
    visit_class(c->super, v, arg);
    for (u4 i = 0; i < c->n_all_interfaces; i++) visit_class(c->all_interfaces[i], v, arg);
    visit_class(c->component, v, arg);
    visit_class(atomic_load(&c->array_class), v, arg);
    visit_class(c->nest_host, v, arg);
    visit(&c->loader->java, v, arg);
}

void class_visit_roots(Class *c, RootVisitor v, void *arg) {
    visit(&c->mirror, v, arg);
    visit(&c->init_error, v, arg);
    visit(&c->protection_domain, v, arg);
    visit(&c->signers, v, arg);
    visit(&c->class_data, v, arg);
    visit_statics(c, v, arg);
    for (u4 i = 0; i < c->n_folded; i++) visit(&c->folded[i], v, arg);
    if (c->flags & CF_UNLOADABLE) visit_relatives(c, v, arg);
    for (ClassVersion *cv = c->version; cv; cv = cv->previous) visit_version(cv, v, arg);
}
