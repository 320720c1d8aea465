/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kinds of the cells of a frame: reference or not.
 *
 * The collector does without (it tests words, framemap.c); whoever reports a cell as a
 * reference to somebody else must not guess.  This is the verifier's data flow with the
 * verifier's effect table (cf_step, JVMS 4.10.2), not strict: the code was verified, and
 * frames written in the class file are not used, because they drop locals that hold a value
 * but are not declared.
 *
 * States are kept where paths meet (targets of branches and handlers).  Passes over the code in
 * order repeat until none changes; one more pass stops at the bci asked for.
 *
 * jsr/ret: after a jsr the state before it is taken.  A cell that the subroutine changed may
 * then be called a reference wrongly; callers test the word as well.
 *
 * This happens inside the pause of a heap walk, so it is bounded like framemap.c: a method that would take more than MOST_STEPS or
 * MOST_BYTES has no exact kinds, and every cell whose word is an object's address counts as a reference.
 */
#include "frame/framekinds.h"
#include "cf_types.h"
#include <stdlib.h>
#include <string.h>

typedef struct Flow {
    const Method *m;
    CfTypes types;
    CfFlow flow;
    CfFrame cur, scratch;
    CfFrame **at;  /* by pc: where paths meet; locals == NULL: not reached yet */
    u4 steps;      /* types and handlers looked at */
    bool alive;    /* cur says something */
    bool changed, failed;
} Flow;

enum { MOST_STEPS = 2000000 /* under 10 ms */, MOST_BYTES = 3 << 20 /* and 512 KB of pointers by pc */ };

static void spend(Flow *f, u4 steps) {
    f->steps += steps;
    f->failed |= f->steps > MOST_STEPS;
}

static void join(Flow *f, u4 target, const CfFrame *from) {
    CfFrame *to = target < f->m->code_len ? f->at[target] : NULL;
    spend(f, 1u + from->nlocals + from->depth);
    if (!to || f->failed) {
        f->failed = true;
    } else if (!to->locals) {
        f->failed |= !cf_frame_clone(&f->flow, to, from);
        f->changed = true;
    } else {
        int r = cf_frame_merge(&f->flow, to, from);
        f->failed |= r < 0;
        f->changed |= r > 0;
    }
}

static void join_handlers(Flow *f, u4 bci) {
    spend(f, f->m->n_handlers);
    for (u4 i = 0; i < f->m->n_handlers && !f->failed; i++) {
        const ExHandler *h = &f->m->handlers[i];
        if (bci < h->start || bci >= h->end) continue;
        spend(f, f->cur.nlocals);
        f->failed |= !cf_frame_handler(&f->flow, &f->scratch, &f->cur, h->catch_type);
        if (!f->failed) join(f, h->handler, &f->scratch);
    }
}

static void step(Flow *f, const CfInsn *in, u4 bci) {
    const CfOpInfo *info = &cf_op_info[in->op];
    bool is_jsr = info->flags & CF_OF_JSR;
    if (is_jsr) cf_frame_copy(&f->flow, &f->scratch, &f->cur);
    if (!cf_step(&f->flow, in, &f->cur)) {
        f->failed = true;
        return;
    }
    if (info->flags & (CF_OF_BRANCH | CF_OF_SWITCH)) join(f, (u4)in->target, &f->cur);
    for (u4 k = 0; info->flags & CF_OF_SWITCH && k < in->cases; k++)
        join(f, (u4)cf_switch_target(in, k), &f->cur);
    if (is_jsr) cf_frame_copy(&f->flow, &f->cur, &f->scratch);
    f->alive = is_jsr || !(info->flags & CF_OF_END);
}

/* Up to `stop`, exclusive; afterwards cur is the state before it, if alive. */
static void pass(Flow *f, u4 stop) {
    CfInsn in;
    f->alive = true;
    f->failed |= !cf_frame_entry(&f->flow, &f->cur);
    for (u4 bci = 0; bci < f->m->code_len && !f->failed; bci += in.len) {
        if (f->at[bci]) {
            if (f->alive) join(f, bci, &f->cur);
            f->alive = f->at[bci]->locals != NULL;
            if (f->alive) cf_frame_copy(&f->flow, &f->cur, f->at[bci]);
        }
        if (bci == stop) return;
        if (!cf_insn(f->m->code, f->m->code_len, bci, &in)) f->failed = true;
        if (f->failed || !f->alive) continue;
        spend(f, 1u + (cf_op_info[in.op].flags & CF_OF_INVOKE ? f->cur.depth : 0u));
        join_handlers(f, bci);
        step(f, &in, bci);
    }
}

static bool meets_at(Flow *f, u4 pc) {
    if (pc >= f->m->code_len) return false;
    if (!f->at[pc]) f->at[pc] = cf_arena_alloc(f->flow.arena, sizeof *f->at[pc]);
    if (f->at[pc]) f->at[pc]->locals = NULL;
    return f->at[pc] != NULL;
}

static bool find_meetings(Flow *f) {
    CfInsn in;
    bool ok = true;
    for (u4 i = 0; i < f->m->n_handlers; i++) ok &= meets_at(f, f->m->handlers[i].handler);
    for (u4 bci = 0; ok && bci < f->m->code_len; bci += in.len) {
        if (!cf_insn(f->m->code, f->m->code_len, bci, &in)) return false;
        u4 flags = cf_op_info[in.op].flags;
        if (flags & (CF_OF_BRANCH | CF_OF_SWITCH)) ok &= meets_at(f, (u4)in.target);
        for (u4 k = 0; flags & CF_OF_SWITCH && k < in.cases; k++)
            ok &= meets_at(f, (u4)cf_switch_target(&in, k));
    }
    return ok;
}

/* False: nothing is known. */
static bool run(Flow *f, CfArena *arena, u4 bci) {
    const Method *m = f->m;
    if (!m->version || !m->version->cf || !m->cf || !m->cf_code) return false;
    if (!cf_types_init(&f->types, m->version->cf, arena, NULL)) return false;
    f->at = calloc(m->code_len + 1u, sizeof *f->at);
    if (!f->at || !cf_flow_init(&f->flow, &f->types, m->cf, m->cf_code, false) ||
        !cf_frame_init(&f->flow, &f->cur) || !cf_frame_init(&f->flow, &f->scratch) || !find_meetings(f))
        return false;
    do {
        f->changed = false;
        pass(f, m->code_len);
    } while (f->changed && !f->failed);
    if (!f->failed) pass(f, bci);
    return !f->failed && f->alive;
}

static FrameKinds *kinds_new(u4 max_locals, u4 depth, bool exact) {
    FrameKinds *k = malloc(sizeof *k + max_locals + depth);
    if (!k) return NULL;
    k->max_locals = max_locals;
    k->depth = depth;
    k->exact = exact;
    memset(k->is_ref, !exact, max_locals + depth);
    return k;
}

/* A native method's cells are its arguments. */
static FrameKinds *of_arguments(const Method *m) {
    FrameKinds *k = kinds_new(m->arg_slots, 0, true);
    CfDescIter it = cf_desc_start((CfStr){m->desc->bytes, (uint32_t)strlen(m->desc->bytes)});
    CfStr arg;
    u4 slot = 0;
    if (!k) return NULL;
    if (!method_is_static(m) && slot < m->arg_slots) k->is_ref[slot++] = 1;
    while (slot < m->arg_slots && cf_desc_next(&it, &arg)) {
        k->is_ref[slot] = arg.p[0] == 'L' || arg.p[0] == '[';
        slot += (u4)type_slots(type_of_desc_char((char)arg.p[0]));
    }
    return k;
}

FrameKinds *framekinds_at(const Method *m, u4 bci) {
    if (!method_is_interpreted(m)) return of_arguments(m);
    Flow f = {.m = m};
    CfArena arena;
    cf_arena_init(&arena, "frame kinds", 0);
    arena.limit = MOST_BYTES;
    FrameKinds *k = NULL;
    if (run(&f, &arena, bci)) {
        k = kinds_new(m->max_locals, f.cur.depth, true);
        for (u4 i = 0; k && i < f.cur.nlocals; i++) k->is_ref[i] = cf_type_is_ref(f.cur.locals[i]);
        for (u4 i = 0; k && i < f.cur.depth; i++) k->is_ref[m->max_locals + i] = cf_type_is_ref(f.cur.stack[i]);
    } else {
        k = kinds_new(m->max_locals, m->max_stack, false);
    }
    cf_types_free(&f.types);
    cf_arena_free(&arena);
    free(f.at);
    return k;
}
