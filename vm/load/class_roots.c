/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References that class metadata holds, for the collector.
 *
 * Cells in C memory are given to the visitor as they are.  Static fields are
 * narrow references inside the mirror: the visitor sees a copy, which is all a
 * marking, non-moving collector needs (D3); a moving one would have to write
 * the copy back here.
 */
#include "heap/heap.h"
#include "load/load_int.h"

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

static void visit_version(ClassVersion *cv, RootVisitor v, void *arg) {
    for (u4 i = 0; i < cv->n_ref_cells; i++) {
        u2 idx = cv->ref_cells[i];
        unsigned tag = cf_tag(cv->cf, idx);
        if (atomic_load_explicit(&cv->pool_state[idx], memory_order_relaxed) != POOL_RESOLVED) continue;
        if (tag == CF_CONST_METHODREF || tag == CF_CONST_INTERFACEMETHODREF)
            visit(&cv->pool[idx].method->appendix, v, arg);
        else
            visit(&cv->pool[idx].object, v, arg);
    }
    for (u4 i = 0; i < cv->n_call_sites; i++) {
        if (!cv->call_sites[i]) continue;
        visit(&cv->call_sites[i]->appendix, v, arg);
        visit(&cv->call_sites[i]->error, v, arg);
    }
}

void class_visit_roots(Class *c, RootVisitor v, void *arg) {
    visit(&c->mirror, v, arg);
    visit(&c->init_error, v, arg);
    visit(&c->protection_domain, v, arg);
    visit(&c->signers, v, arg);
    visit(&c->class_data, v, arg);
    visit_statics(c, v, arg);
    for (ClassVersion *cv = c->version; cv; cv = cv->previous) visit_version(cv, v, arg);
}
