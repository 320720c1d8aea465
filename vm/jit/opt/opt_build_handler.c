/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builder: exceptions that code catches itself.
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
 * CALLS    that let exceptions out before (jit/throws.c) have a CAUGHT behind them: the exception, which is pending no more, or null; the flags of the frame
 *          that are asked there anyway say so, and the helper jit_h_catch takes it if nobody wants to see that. The rows are asked as those of athrow.
 *          What fits none goes on from the call (EXIT_RETHROW).
 * QUIET    Null, a wrong index, a zero or a class that does not fit, where that came before: a branch to the handler, if that begins by dropping the
 *          exception, or storing it where nobody reads it. The exception is not made, so its trace is not taken; the local has null. Agents that may read
 *          locals (vm_locals_are_read) are asked for, too, and the code leaves.
 *
 * Not here: these instructions with handlers that look at the exception. They leave, and go on in base code.
 */
#include "core/hooks.h"
#include "jit/policy.h"
#include "jit/opt/opt_build.h"
#include "log/log.h"
#include "object/class.h"
#include "object/version.h"

static bool covers(const ExHandler *h, u4 bci) { return bci >= h->start && bci < h->end; }

static bool may_throw(const Build *b, const CfInsn *i) {
    return i->op == CF_OP_ATHROW || (i->op >= CF_OP_INVOKEVIRTUAL && i->op <= CF_OP_INVOKEDYNAMIC) || throws_seen(b->m, i->pc);
}

/* --- the graph --- */

static bool is_led_to(const Build *b, const Place *p, const ExHandler *h) {
    CfInsn i;
    for (u4 at = p->bci; at < p->end && cf_insn(b->code, b->len, at, &i); at += i.len)
        if (covers(h, at) && may_throw(b, &i)) return true;
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

void build_ask_bits(Build *b, enum ExitKind exit, OptType type, MemKind kind, const void *word, int64_t mask) {
    Ref bits = build_load(b, type, kind, 0, (int64_t)(uintptr_t)word, 0);
    bits = build_pure(b, OPT_AND, type, bits, build_const(b, type, mask));
    Ref r = build_guard(b, OPT_HOLDS, exit, bits, build_const(b, type, 0));
    opt_node(b->o, r)->kind = COND_EQ;
    opt_node(b->o, r)->from = (u1)type;
}

static void ask_now(Build *b, enum ExitKind exit, OptType type, MemKind kind, const void *word, int64_t mask) {
    build_add(b, OPT_FRESH, OT_NONE); /* what was read earlier says nothing */
    build_ask_bits(b, exit, type, kind, word, mask);
}

/* jit_throws_are_watched */
static void ask_who_looks(Build *b, enum ExitKind exit) {
    ask_now(b, exit, OT_LONG, MEM_64, &vm_hooks_enabled, 1ll << HOOK_EXCEPTION | 1ll << HOOK_EXCEPTION_CATCH);
    ask_now(b, exit, OT_INT, MEM_32, &log_enabled, 1 << LOG_EXCEPTIONS);
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
    ask_who_looks(b, EXIT_ATHROW);
    if (!search(b, ex)) build_leave(b, EXIT_ATHROW);
}

/* --- out of calls --- */

/* What no handler here fits goes on from the call, whose arguments are gone. */
static void rethrow(Build *b, u4 n_args, Ref ex) {
    State *here = b->here;
    u4 depth = b->depth, pops = b->pops;
    Ref *operand = &b->cells[b->m->max_locals + depth - n_args], was = *operand;
    b->here = NULL;
    b->depth -= n_args;
    build_push(b, ex);
    b->pops = 1;
    build_leave(b, EXIT_RETHROW);
    *operand = was;
    b->here = here;
    b->depth = depth;
    b->pops = pops;
}

void build_catch_call(Build *b, u4 n_args) {
    if (!b->o->handlers || !throws_seen(b->m, b->insn.pc) || !is_caught(b)) return;
    opt_node(b->o, opt_block(b->o, b->cur)->last)->call->catches = true;
    Ref ex = build_add(b, OPT_CAUGHT, OT_REF);
    BlockRef to[2];
    build_fork(b, COND_NE, OT_REF, ex, build_const(b, OT_REF, 0), to);
    b->cur = to[0];
    if (!search(b, ex)) rethrow(b, n_args, ex);
    b->cur = to[1];
}

/* --- what nobody looks at --- */

static bool loads_two(u1 op) {
    return op == CF_OP_LLOAD || op == CF_OP_DLOAD || (op >= CF_OP_LLOAD_0 && op <= CF_OP_LLOAD_3) ||
           (op >= CF_OP_DLOAD_0 && op <= CF_OP_DLOAD_3);
}

/* May the local be read, from bci on, before it is written? */
typedef struct Reader {
    const Method *m;
    u4 local, *todo, n;
    bool *seen;
} Reader;

static void go_on_at(Reader *r, u4 bci) {
    if (bci >= r->m->code_len || r->seen[bci]) return;
    r->seen[bci] = true;
    r->todo[r->n++] = bci;
}

static bool reads(const Reader *r, const CfInsn *i) {
    bool load = (i->op >= CF_OP_ILOAD && i->op <= CF_OP_ALOAD_3) || i->op == CF_OP_IINC;
    return i->op == CF_OP_RET || (load && (i->index == r->local || (loads_two(i->op) && i->index + 1u == r->local)));
}

static bool is_read(Build *s, u4 bci, u4 local) {
    Reader r = {.m = s->m, .local = local};
    CfInsn i;
    r.todo = opt_alloc(s->o, s->len * sizeof *r.todo);
    r.seen = opt_alloc(s->o, s->len);
    if (!r.todo || !r.seen) return true;
    go_on_at(&r, bci);
    while (r.n) {
        u4 at = r.todo[--r.n];
        if (!cf_insn(s->code, s->len, at, &i) || reads(&r, &i)) return true;
        for (u4 k = 0; k < s->m->n_handlers; k++)
            if (covers(&s->m->handlers[k], at)) go_on_at(&r, s->m->handlers[k].handler);
        if (i.index == local && i.op >= CF_OP_ISTORE && i.op <= CF_OP_ASTORE_3) continue;
        for (u4 k = 0; k < build_n_successors(&i); k++) go_on_at(&r, build_successor(&i, k));
    }
    return false;
}

static bool is_ignored(Build *s, u4 handler) {
    CfInsn i;
    if (!cf_insn(s->code, s->len, handler, &i)) return false;
    if (i.op == CF_OP_POP) return true;
    if (i.op != CF_OP_ASTORE && !(i.op >= CF_OP_ASTORE_0 && i.op <= CF_OP_ASTORE_3)) return false;
    return !is_read(s, handler + i.len, i.index);
}

/* The first row that fits: in *s, which is b or around it.  NULL: none, or nobody knows. */
static const ExHandler *row_for(Build *b, Class *ex, Build **s) {
    u4 bci = b->insn.pc;
    for (*s = b;; *s = (*s)->outer) {
        for (u4 i = 0; i < (*s)->m->n_handlers; i++) {
            const ExHandler *h = &(*s)->m->handlers[i];
            if (!covers(h, bci)) continue;
            Class *k = h->catch_type ? resolved(*s, h->catch_type) : NULL;
            if ((h->catch_type && !k) || !is_edge(*s, h->handler)) return NULL;
            if (!k || class_is_subtype(ex, k)) return h;
        }
        if (!(*s)->outer || is_synchronized(*s)) return NULL;
        bci = (*s)->scope->call_bci;
    }
}

/* Where an exception of that kind goes, if nobody would miss it; NULL: nowhere. */
static const ExHandler *quiet_handler(Build *b, ExKind kind, Build **s) {
    if (!b->o->handlers || !throws_seen(b->m, b->insn.pc) || !throw_class(kind)) return NULL;
    const ExHandler *h = row_for(b, throw_class(kind), s);
    return h && is_ignored(*s, h->handler) ? h : NULL;
}

/* Agents that read locals would find null in the place of the exception. */
static void go_quietly(Build *b, Build *s, u4 handler, enum ExitKind exit) {
    ask_who_looks(b, exit);
    ask_now(b, exit, OT_INT, MEM_U8, &vm_locals_are_read, 1);
    go_to_handler(b, s, handler, build_const(b, OT_REF, 0));
}

static enum ExitKind exit_of(ExKind kind) {
    switch (kind) {
    case EX_ArithmeticException: return EXIT_ZERO;
    case EX_ArrayIndexOutOfBoundsException: return EXIT_INDEX;
    case EX_ClassCastException: return EXIT_CAST;
    default: return EXIT_NULL;
    }
}

void build_catch(Build *b, ExKind kind, Cond cond, OptType from, Ref x, Ref y) {
    Build *s;
    BlockRef to[2];
    const ExHandler *h = quiet_handler(b, kind, &s);
    if (!h) return;
    build_fork(b, cond, from, x, y, to);
    b->cur = to[0];
    go_quietly(b, s, h->handler, exit_of(kind));
    b->cur = to[1];
}

/* Null passes. */
void build_catch_cast(Build *b, Ref object, Class *k) {
    Build *s;
    BlockRef null[2], fits[2];
    const ExHandler *h = quiet_handler(b, EX_ClassCastException, &s);
    if (!h) return;
    build_fork(b, COND_EQ, OT_REF, object, build_const(b, OT_REF, 0), null);
    b->cur = null[1];
    Ref is = opt_new(b->o, OPT_INSTANCE_OF, OT_INT);
    opt_node(b->o, is)->in[0] = object;
    opt_node(b->o, is)->what = k;
    is = build_finish(b, is);
    build_fork(b, COND_NE, OT_INT, is, build_const(b, OT_INT, 0), fits);
    b->cur = fits[1];
    go_quietly(b, s, h->handler, EXIT_CAST);
    b->cur = null[0];
    BlockRef goes_on = build_meet(b);
    b->cur = fits[0];
    build_go(b, goes_on);
    b->cur = goes_on;
}
