/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builder: exceptions that code throws and catches itself.
 *
 * WHAT     athrow, in the root or a body, becomes a jump to the handler, in the same method or in one around it. Rows of exception tables are asked
 *          in their order, from the innermost frame outwards, as interp/unwind.c does it: rows without a type always fit, others are an
 *          INSTANCE_OF, which is decided while compiling if the class of the exception is known. If none fits, or a row's class is not resolved, or
 *          a frame that would be left has a monitor, the code leaves (EXIT_ATHROW) as it does without handlers. The trace is the
 *          constructor's business, which is called with all frames written: nothing changes in it.
 * WHO SEES Exception and ExceptionCatch events, and the log, are asked for where it is thrown: the words are loaded there, and the code leaves if somebody
 *          wants them. Threads that single-step, or want exits of methods, run no optimised code; a frame whose end somebody waits for is
 *          no compiled one.
 * GRAPH    A Place has edges to the handlers of its instructions that may throw so (athrow, and calls, whose bodies may). That is more than there
 *          will be: an edge that no body makes has no arrival. So one Place may arrive at a handler more often than the graph says (Place.room).
 * REFUSED  What cannot be ordered with these edges, because a handler leads into loops from outside, is compiled without (opt_compile.c).
 *
 * Not here: exceptions out of calls, and those of other instructions (null, bounds, casts): they leave, and go on in base code.
 */
#include "core/hooks.h"
#include "jit/opt/opt_build.h"
#include "log/log.h"
#include "object/class.h"
#include "object/version.h"

static bool covers(const ExHandler *h, u4 bci) { return bci >= h->start && bci < h->end; }

static bool may_throw(u1 op) { return op == CF_OP_ATHROW || (op >= CF_OP_INVOKEVIRTUAL && op <= CF_OP_INVOKEDYNAMIC); }

/* --- the graph --- */

static bool is_led_to(const Build *b, const Place *p, const ExHandler *h) {
    CfInsn i;
    for (u4 at = p->bci; at < p->end && cf_insn(b->code, b->len, at, &i); at += i.len)
        if (covers(h, at) && may_throw(i.op)) return true;
    return false;
}

void build_find_handlers(Build *b, Place *p) {
    if (!b->o->handlers || !b->m->n_handlers) return;
    p->handlers = opt_alloc(b->o, b->m->n_handlers * sizeof *p->handlers);
    for (u4 i = 0; p->handlers && i < b->m->n_handlers; i++)
        if (is_led_to(b, p, &b->m->handlers[i])) p->handlers[p->n_handlers++] = b->m->handlers[i].handler;
    b->o->has_handlers |= p->n_handlers > 0;
}

static bool is_edge(const Build *s, u4 bci) {
    for (u4 i = 0; i < s->place->n_handlers; i++)
        if (s->place->handlers[i] == bci) return true;
    return false;
}

/* --- throwing --- */

static bool is_synchronized(const Build *b) { return b->m->access & ACC_SYNCHRONIZED; }

/* Could any row be reached?  Frames with a monitor are not left here. */
static bool is_caught(const Build *b) {
    for (u4 bci = b->insn.pc; b; b = b->outer) {
        for (u4 i = 0; i < b->m->n_handlers; i++)
            if (covers(&b->m->handlers[i], bci)) return true;
        if (!b->outer || is_synchronized(b)) return false;
        bci = b->scope->call_bci;
    }
    return false;
}

static void ask_bits(Build *b, OptType type, MemKind kind, const void *word, int64_t mask) {
    build_add(b, OPT_FRESH, OT_NONE); /* what was read earlier says nothing */
    Ref bits = build_load(b, type, kind, 0, (int64_t)(uintptr_t)word, 0);
    bits = build_pure(b, OPT_AND, type, bits, build_const(b, type, mask));
    Ref r = build_guard(b, OPT_HOLDS, EXIT_ATHROW, bits, build_const(b, type, 0));
    opt_node(b->o, r)->kind = COND_EQ;
    opt_node(b->o, r)->from = (u1)type;
}

static void ask_who_looks(Build *b) {
    ask_bits(b, OT_LONG, MEM_64, &vm_hooks_enabled, 1ll << HOOK_EXCEPTION | 1ll << HOOK_EXCEPTION_CATCH);
    ask_bits(b, OT_INT, MEM_32, &log_enabled, 1 << LOG_EXCEPTIONS);
}

/* From cur, whose code is b's, to the handler in s, which is b or around it and stands at its call. */
static void go_to_handler(Build *b, Build *s, u4 bci, Ref ex) {
    Ref *operand = &s->cells[s->m->max_locals], was = *operand;
    u4 depth = s->depth;
    BlockRef from = b->cur, cur = s->cur;
    build_add(b, OPT_JUMP, OT_NONE);
    *operand = ex;
    s->depth = 1;
    build_lead(s, from, bci);
    *operand = was;
    s->depth = depth;
    s->cur = cur;
    b->cur = 0;
}

static Class *resolved(const Build *s, u4 index) {
    const ClassVersion *v = s->m->version;
    bool is = atomic_load_explicit(&v->pool_state[index], memory_order_acquire) == POOL_RESOLVED;
    return is ? v->pool[index].klass : NULL;
}

/* The row's handler is where it goes if the class fits; cur is where it does not, or 0.  False: nobody knows. */
static bool try_row(Build *b, Build *s, const ExHandler *h, Ref ex) {
    if (!is_edge(s, h->handler)) return false;
    if (!h->catch_type) return go_to_handler(b, s, h->handler, ex), true;
    Class *k = resolved(s, h->catch_type);
    if (!k) return false;
    Ref fits = opt_new(b->o, OPT_INSTANCE_OF, OT_INT);
    opt_node(b->o, fits)->in[0] = ex;
    opt_node(b->o, fits)->what = k;
    fits = build_finish(b, fits);
    if (opt_is_const(b->o, fits)) {
        if (opt_node(b->o, fits)->k) go_to_handler(b, s, h->handler, ex);
        return true;
    }
    BlockRef to[2];
    build_fork(b, COND_NE, OT_INT, fits, build_const(b, OT_INT, 0), to);
    b->cur = to[0];
    go_to_handler(b, s, h->handler, ex);
    b->cur = to[1];
    return true;
}

/* False: what is left is left to the interpreter. */
static bool search(Build *b, Ref ex) {
    u4 bci = b->insn.pc;
    for (Build *s = b;; s = s->outer) {
        for (u4 i = 0; i < s->m->n_handlers && b->cur; i++)
            if (covers(&s->m->handlers[i], bci) && !try_row(b, s, &s->m->handlers[i], ex)) return false;
        if (!b->cur) return true;
        if (!s->outer || is_synchronized(s)) return false;
        bci = s->scope->call_bci;
    }
}

void build_throw(Build *b) {
    if (!b->o->handlers || !is_caught(b)) return build_leave(b, EXIT_ATHROW);
    Ref ex = build_top(b, 1);
    build_not_null(b, ex);
    ask_who_looks(b);
    if (!search(b, ex)) build_leave(b, EXIT_ATHROW);
}
