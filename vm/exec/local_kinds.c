/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the locals of a frame hold, for debuggers: a forward analysis over the bytecode with four
 * values per local.  A local counts as a reference or number only if every path to the instruction
 * stored that kind of thing (JVMS 4.10: code can read it only then).
 *
 * framemap.c answers a simpler question for the collector, per pair found on stacks and kept; this
 * one is asked rarely and keeps nothing.
 */
#include "exec/framemap.h"
#include <stdlib.h>
#include <string.h>

typedef struct Flow {
    const Method *m;
    u1 *in;      /* per bci: kinds on all paths so far */
    u1 *cur;
    bool *known;
    bool changed;
} Flow;

static void put(Flow *f, u4 local, LocalKind k, bool two) {
    if (local < f->m->max_locals) f->cur[local] = (u1)k;
    if (two && local + 1u < f->m->max_locals) f->cur[local + 1] = LOCAL_VALUE;
}

static void meet(Flow *f, u4 target) {
    if (target >= f->m->code_len) return;
    u1 *to = f->in + (size_t)target * f->m->max_locals;
    if (!f->known[target]) {
        memcpy(to, f->cur, f->m->max_locals);
        f->known[target] = f->changed = true;
        return;
    }
    for (u4 i = 0; i < f->m->max_locals; i++)
        if (to[i] != f->cur[i] && to[i] > LOCAL_NONE) {
            u1 both = f->cur[i] == LOCAL_NONE ? LOCAL_NONE : LOCAL_MIXED;
            f->changed |= to[i] != both;
            to[i] = both;
        }
}

static void flow_insn(Flow *f, u4 bci, const CfInsn *in) {
    const Method *m = f->m;
    for (u4 i = 0; i < m->n_handlers; i++)
        if (bci >= m->handlers[i].start && bci < m->handlers[i].end) meet(f, m->handlers[i].handler);
    const CfOpInfo *info = &cf_op_info[in->op];
    if (info->flags & CF_OF_STORE) {
        char c = info->pops[0];
        put(f, in->index, c == 'R' ? LOCAL_REF : LOCAL_VALUE, c == 'J' || c == 'D');
    }
    if (info->flags & CF_OF_BRANCH) meet(f, (u4)in->target);
    if (info->flags & CF_OF_SWITCH) {
        meet(f, (u4)in->target);
        for (u4 k = 0; k < in->cases; k++) meet(f, (u4)cf_switch_target(in, k));
    }
    if (!(info->flags & CF_OF_END)) meet(f, bci + in->len);
}

static void flow_pass(Flow *f) {
    const Method *m = f->m;
    CfInsn in;
    for (u4 bci = 0; bci < m->code_len; bci += in.len) {
        if (!cf_insn(m->code, m->code_len, bci, &in)) return;
        if (!f->known[bci]) continue;
        memcpy(f->cur, f->in + (size_t)bci * m->max_locals, m->max_locals);
        flow_insn(f, bci, &in);
    }
}

static void put_arguments(Flow *f) {
    u4 at = 0;
    if (!method_is_static(f->m)) put(f, at++, LOCAL_REF, false);
    for (const char *d = f->m->desc->bytes + 1; *d != ')'; d++) {
        bool ref = *d == 'L' || *d == '[', two = *d == 'J' || *d == 'D';
        while (*d == '[') d++;
        if (*d == 'L') while (*d != ';') d++;
        put(f, at, ref ? LOCAL_REF : LOCAL_VALUE, two);
        at += two ? 2 : 1;
    }
}

bool framemap_kinds(const Method *m, u4 bci, u1 *kinds) {
    size_t n = m->max_locals;
    if (!n) return true;
    Flow f = {.m = m, .in = calloc((size_t)m->code_len + 1, n), .known = calloc(m->code_len + 1u, 1)};
    bool ok = f.in && f.known && bci < m->code_len;
    if (ok) {
        f.cur = f.in; /* the entry state is made in place */
        put_arguments(&f);
        f.cur = f.in + (size_t)m->code_len * n;
        f.known[0] = f.changed = true;
        while (f.changed) {
            f.changed = false;
            flow_pass(&f);
        }
        memcpy(kinds, f.in + (size_t)bci * n, n);
    }
    free(f.in);
    free(f.known);
    return ok;
}
