/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a local of a frame holds, for debuggers: a forward analysis over the bytecode with four
 * values.  A local counts as a reference or number only if every path to the instruction
 * stored that kind of thing (JVMS 4.10: code can read it only then).
 *
 * framemap.c answers a simpler question for the collector, per pair found on stacks and kept; this
 * one is asked rarely, for one local at a time, and keeps nothing.  The thread asked about stands still
 * meanwhile, so it is bounded: what takes more than MOST_STEPS is LOCAL_MIXED.
 */
#include "frame/framemap.h"
#include <stdlib.h>
#include <string.h>

typedef struct Flow {
    const Method *m;
    u4 local;
    u1 *in;      /* per bci: the local's kind on all paths so far, or UNKNOWN */
    u1 cur;
    u4 steps;
    bool changed;
} Flow;

enum { UNKNOWN = 0xff, MOST_STEPS = 2000000 /* under 10 ms */ };

static void put(Flow *f, u4 local, LocalKind k, bool two) {
    if (local == f->local) f->cur = (u1)k;
    if (two && local + 1u == f->local) f->cur = LOCAL_VALUE;
}

static void meet(Flow *f, u4 target) {
    if (target >= f->m->code_len) return;
    u1 *to = &f->in[target];
    u1 both = *to == UNKNOWN || *to == f->cur                  ? f->cur
              : *to == LOCAL_NONE || f->cur == LOCAL_NONE ? LOCAL_NONE
                                                          : LOCAL_MIXED;
    f->changed |= *to != both;
    *to = both;
}

static void flow_insn(Flow *f, u4 bci, const CfInsn *in) {
    const Method *m = f->m;
    f->steps += 1u + m->n_handlers + in->cases;
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
    for (u4 bci = 0; bci < m->code_len && f->steps <= MOST_STEPS; bci += in.len) {
        if (!cf_insn(m->code, m->code_len, bci, &in)) return;
        if (f->in[bci] == UNKNOWN) continue;
        f->cur = f->in[bci];
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

bool framemap_kind(const Method *m, u4 bci, u4 local, LocalKind *kind) {
    Flow f = {.m = m, .local = local, .cur = LOCAL_NONE, .in = malloc(m->code_len), .changed = true};
    if (!f.in) return false;
    memset(f.in, UNKNOWN, m->code_len);
    put_arguments(&f);
    f.in[0] = f.cur;
    while (f.changed && f.steps <= MOST_STEPS) {
        f.changed = false;
        flow_pass(&f);
    }
    bool told = f.steps <= MOST_STEPS && bci < m->code_len;
    *kind = !told ? LOCAL_MIXED : f.in[bci] == UNKNOWN ? LOCAL_NONE : (LocalKind)f.in[bci];
    free(f.in);
    return true;
}
