/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytecode to the form of the optimiser.
 *
 * VALUES   The bytecode is executed once with nodes for values: `cells` are the locals and operands of the method at hand, as in its frame.  What a local
 *          was is known without looking back, so phis are the only thing that blocks add.
 * BLOCKS   are walked in reverse postorder of the bytecode's own graph.  An edge notes the values with which it arrives.  When a block's turn comes
 *          all edges from earlier blocks are there: cells that differ get a phi.  Where an edge from a later block may come (a head), all cells get
 *          one that the loop may change: it takes the input of that edge when it comes; those that turn out to have one value go in opt_number.  Cells whose
 *          inputs are of different types are nothing: the verifier saw to it that nobody reads them (drop_phis).
 * KNOWN    Branches on constants are decided when they are read, so what they do not lead to is not read, and calls on those ways are no bodies.
 * LOOPS    Locals that no block from a head on writes are in its loop what they were in front of it: no phi, so constants and classes stay known.  Code for frames that are in a loop already begins at its head; what the locals hold there is asked (cf_kinds).  If other loops are around that one, the
 *          bytecode is read twice: what is left of their present turns first, and from their heads on a second time, so that the loops in
 *          them are entered at their heads, as passes want it.
 * LEFT OUT Instructions that have never run end in an exit (EXIT_UNQUICK), so what only they lead to is not read.  Of
 *          handlers only those are read that code throws to itself (opt_build_handler.c): other exceptions leave.
 * BODIES   of callees are read in place of the call by a Build of their own, whose outer State is the caller's at the call without the arguments.
 *          Returns meet in a block; there the caller goes on with its own cells, which nobody could change.
 * STATES   One for each instruction that wants it, made from the cells in front of it, shared by all its nodes.
 *
 * What an instruction means is read from qcode, as the base compiler does (base_objects.c).
 */
#include "cf_kinds.h"
#include "jit/opt/opt_build.h"
#include "core/options.h"
#include "lang/javaclasses.h"
#include "link/link.h"
#include "load/loader.h"
#include "object/class.h"
#include "object/version.h"
#include "quick/quick.h"
#include <string.h>

enum { MOST_NODES = 60000, MOST_STEPS = 2000000, BUDGET = 3000 };

void build_refuse(Build *b, const char *why) {
    if (!b->o->why) b->o->why = why;
}

static bool stopped(const Build *b) { return b->o->why || b->o->no_memory; }

/* --- nodes --- */

static bool writes_anything(OptOp op) {
    switch (op) {
    case OPT_STORE: /* build_field_op looks at them */
    case OPT_SET_ELEMENT:
    case OPT_NEW:
    case OPT_NEW_ARRAY:
    case OPT_NEW_ARRAYS:
    case OPT_CLONE:
    case OPT_BOX:
    case OPT_POLL: return false;
    default: return opt_ops[op].does & (OPT_WRITES | OPT_STOPS);
    }
}

Ref build_add(Build *b, OptOp op, OptType type) {
    b->o->unknown_writes += writes_anything(op);
    if (b->o->n_nodes > MOST_NODES) build_refuse(b, "too many nodes");
    return opt_append(b->o, b->cur, op, type);
}

Ref build_finish(Build *b, Ref r) {
    Ref same = opt_fold(b->o, r);
    if (same == r) opt_insert_end(b->o, b->cur, r);
    return same;
}

Ref build_pure(Build *b, OptOp op, OptType type, Ref x, Ref y) {
    Ref r = opt_new(b->o, op, type);
    Node *n = opt_node(b->o, r);
    n->in[0] = x;
    n->in[1] = y;
    return build_finish(b, r);
}

Ref build_const(Build *b, OptType type, int64_t k) {
    Ref r = opt_const(b->o, type, k);
    if (type == OT_REF && k) opt_node(b->o, r)->klass = obj_class((const Object *)(uintptr_t)k);
    return r;
}

/* The topmost cell.  Behind the form a value is one node again (drop_casts): what was read with it knows what it needed. */
void build_is_exactly(Build *b, const Class *k) {
    Ref *top = &b->cells[b->m->max_locals + b->depth - 1], r = opt_new(b->o, OPT_CAST, OT_REF);
    opt_node(b->o, r)->in[0] = *top;
    opt_node(b->o, r)->klass = k;
    opt_node(b->o, r)->not_null = opt_node(b->o, *top)->not_null;
    opt_insert_end(b->o, b->cur, r);
    b->o->n_casts++;
    *top = r;
}

Ref build_pinned(Build *b, Ref r) {
    if (!opt_is_const(b->o, r)) opt_node(b->o, r)->pinned = true;
    return r;
}

/* Final classes of java.lang, which are the same to all loaders, and stay final (docs/redefinition.md). */
static const Class *final_class(CfStr name) {
    const Class *const all[] = {JC(String),    JC(Integer), JC(Long),  JC(Short), JC(Byte),
                                JC(Character), JC(Boolean), JC(Float), JC(Double)};
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        if (all[i] && all[i]->name->len == name.len && !memcmp(all[i]->name->bytes, name.p, name.len)) return all[i];
    return NULL;
}

const Class *build_exact(CfStr desc) {
    size_t dims = 0;
    while (dims < desc.len && desc.p[dims] == '[') dims++;
    if (dims == desc.len) return NULL;
    CfStr of = {desc.p + dims, desc.len - dims};
    const Class *k = of.p[0] == 'L' ? final_class((CfStr){of.p + 1, of.len - 2})
                     : dims         ? primitive_array_classes[type_of_desc_char(of.p[0])]
                                    : NULL;
    for (dims -= of.p[0] != 'L'; k && dims; dims--) k = atomic_load_explicit(&((Class *)k)->array_class, memory_order_acquire);
    return k;
}

OptType opt_type_of(BasicType t) {
    switch (t) {
    case T_VOID: return OT_NONE;
    case T_LONG: return OT_LONG;
    case T_FLOAT: return OT_FLOAT;
    case T_DOUBLE: return OT_DOUBLE;
    case T_OBJECT:
    case T_ARRAY: return OT_REF;
    default: return OT_INT;
    }
}

/* --- states --- */

static State *state_at(Build *b, u4 bci, u4 depth, u4 n_stack) {
    u4 n = b->m->max_locals + n_stack;
    State *s = opt_alloc(b->o, sizeof *s + n * sizeof(Ref));
    if (!s) return NULL;
    *s = (State){
        .outer = b->caller, .scope = b->scope, .bci = bci, .depth = depth, .n_locals = b->m->max_locals, .n_stack = n_stack};
    memcpy(s->cells, b->cells, n * sizeof(Ref));
    return s;
}

State *build_state_at_start(Build *b) { return state_at(b, 0, 0, 0); }

State *build_state(Build *b) {
    if (!b->here) b->here = state_at(b, b->insn.pc, b->depth, b->depth);
    return b->here;
}

Ref build_guard(Build *b, OptOp op, enum ExitKind exit, Ref x, Ref y) {
    State *s = build_state(b);
    Ref r = opt_new(b->o, op, OT_NONE);
    Node *n = opt_node(b->o, r);
    n->in[0] = x;
    n->in[1] = y;
    n->exit = (u1)exit;
    n->n_args = (u2)b->pops;
    n->state = s;
    opt_insert_end(b->o, b->cur, r);
    return r;
}

void build_leave(Build *b, enum ExitKind exit) {
    State *s = build_state(b);
    Node *n = opt_node(b->o, build_add(b, OPT_LEAVE, OT_NONE));
    n->exit = (u1)exit;
    n->n_args = (u2)b->pops;
    n->state = s;
    b->cur = 0;
}

Ref build_not_null(Build *b, Ref r) {
    if (opt_node(b->o, r)->not_null) return 0;
    build_catch(b, EX_NullPointerException, COND_EQ, OT_REF, r, build_const(b, OT_REF, 0));
    return build_guard(b, OPT_NOT_NULL, EXIT_NULL, r, 0);
}

/* --- operands --- */

Ref build_top(const Build *b, u4 n) { return b->cells[b->m->max_locals + b->depth - n]; }

Ref build_pop(Build *b, bool two) {
    b->depth -= two ? 2 : 1;
    return b->cells[b->m->max_locals + b->depth];
}

static void push_cell(Build *b, Ref r) { b->cells[b->m->max_locals + b->depth++] = r; }

void build_push(Build *b, Ref r) {
    push_cell(b, r);
    if (opt_is_wide((OptType)opt_node(b->o, r)->type)) push_cell(b, 0);
}

/* --- blocks that the bytecode does not know --- */

void build_go(Build *b, BlockRef to) {
    build_add(b, OPT_JUMP, OT_NONE);
    opt_edge(b->o, b->cur, to);
    b->cur = 0;
}

static BlockRef new_block(Build *b, u4 bci) {
    BlockRef r = opt_new_block(b->o);
    if (!r) return 1;
    opt_block(b->o, r)->bci = bci;
    opt_block(b->o, r)->scope = b->scope;
    return r;
}

void build_fork(Build *b, Cond cond, OptType from, Ref x, Ref y, BlockRef to[2]) {
    Node *n = opt_node(b->o, build_add(b, OPT_IF, OT_NONE));
    n->kind = (u1)cond;
    n->from = (u1)from;
    n->in[0] = x;
    n->in[1] = y;
    BlockRef at = b->cur;
    for (int i = 0; i < 2; i++) {
        to[i] = new_block(b, b->insn.pc);
        opt_edge(b->o, at, to[i]);
    }
    b->cur = 0;
}

BlockRef build_meet(Build *b) {
    BlockRef to = new_block(b, b->insn.pc);
    if (b->cur) build_go(b, to);
    return to;
}

/* NULL: not one, or one is not known. */
static const Class *class_of_all(const Build *b, const Ref *args, u4 n) {
    const Class *k = NULL;
    for (u4 i = 0; i < n; i++) {
        const Node *x = opt_node(b->o, args[i]);
        if (!args[i] || (!x->klass && (x->op != OPT_CONST || x->k)) || (x->klass && k && x->klass != k)) return NULL;
        if (x->klass) k = x->klass;
    }
    return k;
}

Ref build_phi(Build *b, BlockRef at, OptType type, const Ref *args, u4 n) {
    Ref r = opt_new(b->o, OPT_PHI, type);
    Ref *copy = opt_alloc(b->o, n * sizeof *copy);
    if (!r || !copy) return 0;
    memcpy(copy, args, n * sizeof *copy);
    opt_node(b->o, r)->args = copy;
    bool not_null = type == OT_REF;
    for (u4 i = 0; i < n; i++) not_null &= opt_node(b->o, args[i])->not_null;
    opt_node(b->o, r)->not_null = not_null;
    if (type == OT_REF) opt_node(b->o, r)->klass = class_of_all(b, args, n);
    opt_insert_phi(b->o, at, r);
    return r;
}

void build_only_if(Build *b, BlockRef *other, Cond cond, OptType from, Ref x, Ref y) {
    BlockRef to[2];
    build_fork(b, cond, from, x, y, to);
    b->cur = to[1];
    if (*other) build_go(b, *other);
    else *other = build_meet(b);
    b->cur = to[0];
}

Ref build_choose(Build *b, Cond cond, OptType t, Ref x, Ref y, Ref yes, Ref no) {
    BlockRef to[2];
    Ref args[2] = {yes, no};
    build_fork(b, cond, t, x, y, to);
    b->cur = to[0];
    BlockRef meet = build_meet(b);
    b->cur = to[1];
    build_go(b, meet);
    b->cur = meet;
    return build_phi(b, meet, (OptType)opt_node(b->o, yes)->type, args, 2);
}

/* --- the graph of the bytecode --- */

static u4 n_targets(const CfInsn *i) {
    u4 flags = cf_op_info[i->op].flags;
    return (flags & (CF_OF_BRANCH | CF_OF_SWITCH) ? 1 : 0) + (flags & CF_OF_SWITCH ? i->cases : 0);
}

static bool falls_through(const CfInsn *i) { return !(cf_op_info[i->op].flags & (CF_OF_END | CF_OF_RETURN | CF_OF_THROW)); }

/* The nth successor: what follows first, if anything, then the targets. */
u4 build_successor(const CfInsn *i, u4 n) {
    if (falls_through(i) && n-- == 0) return i->pc + i->len;
    return n == 0 ? (u4)i->target : (u4)cf_switch_target(i, n - 1);
}
u4 build_n_successors(const CfInsn *i) { return falls_through(i) + n_targets(i); }

/* With those that exceptions have (opt_build_handler.c), which come first: what follows is to come early in the order. */
static u4 n_edges(const Place *p, const CfInsn *end) { return p->n_handlers + build_n_successors(end); }
static u4 edge(const Place *p, const CfInsn *end, u4 n) {
    return n < p->n_handlers ? p->handlers[n] : build_successor(end, n - p->n_handlers);
}

static Place *new_place(Build *b, u4 at, bool second) {
    Place *p = opt_alloc(b->o, sizeof *p);
    if (!p) return NULL;
    p->bci = at;
    p->last = &p->first;
    p->second = second;
    return p;
}

static void note_start(Build *b, u4 at) {
    if (at >= b->len) return build_refuse(b, "bad branch");
    if (b->at[at]) return;
    b->at[at] = new_place(b, at, false);
    if (b->second) b->second[at] = new_place(b, at, true);
}

/* Where an edge to bci leads: to what is read a second time once a loop around the start begins anew. */
static Place *target(const Build *b, const Place *from, u4 bci) {
    bool second = b->second && from && (from->second || b->around[bci]);
    return second ? b->second[bci] : b->at[bci];
}

/* By the order of the bytecode: a branch from behind the start to in front of it. */
static void find_loops_around(Build *b) {
    CfInsn i;
    if (!b->o->is_loop || b->outer) return;
    bool *around = opt_alloc(b->o, b->len), any = false;
    for (u4 at = 0; around && at < b->len && cf_insn(b->code, b->len, at, &i); at += i.len) {
        if (!(cf_op_info[i.op].flags & CF_OF_BRANCH) || at < b->start || (u4)i.target >= b->start) continue;
        around[i.target] = any = true;
    }
    if (!any) return;
    b->around = around;
    b->second = opt_alloc(b->o, (b->len + 1) * sizeof *b->second);
}

static void find_starts(Build *b) {
    CfInsn i;
    find_loops_around(b);
    note_start(b, b->start);
    for (u4 at = 0; at < b->len && !stopped(b); at += i.len) {
        if (!cf_insn(b->code, b->len, at, &i)) return build_refuse(b, "unknown instruction");
        if (cf_op_info[i.op].flags & (CF_OF_JSR | CF_OF_RET)) return build_refuse(b, "jsr");
        u4 n = n_targets(&i);
        for (u4 k = 0; k < n; k++) note_start(b, build_successor(&i, k + falls_through(&i)));
        if ((n || !falls_through(&i)) && at + i.len < b->len) note_start(b, at + i.len);
    }
    for (u4 i = 0; b->o->handlers && i < b->m->n_handlers; i++) note_start(b, b->m->handlers[i].handler);
}

/* The instruction that ends the block. */
static bool last_of(Build *b, const Place *p, CfInsn *i) {
    for (u4 at = p->bci; at < b->len; at += i->len) {
        if (!cf_insn(b->code, b->len, at, i)) return false;
        if (n_targets(i) || !falls_through(i) || (at + i->len < b->len && b->at[at + i->len])) return true;
    }
    return false;
}

typedef struct Walk {
    Place *place;
    CfInsn end;
    u4 next;
} Walk;

static bool enter(Build *b, Walk *w, Place *p) {
    *w = (Walk){.place = p};
    p->rpo = 1;
    if (!last_of(b, p, &w->end)) return build_refuse(b, "end of code reached"), false;
    p->end = w->end.pc + w->end.len;
    build_find_handlers(b, p);
    return true;
}

/* The k-th that is walked: later bytecode first, so that it comes later in the order, and a loop before what is behind it (stays). */
static u4 walked(const Walk *w, u4 k) {
    u4 n = n_edges(w->place, &w->end);
    bool falls_further = n == 2 && edge(w->place, &w->end, 0) > edge(w->place, &w->end, 1);
    return edge(w->place, &w->end, falls_further ? k : n - 1 - k);
}

/* Places in reverse postorder; edges to what was reached, and is not left yet, or comes earlier, make heads afterwards. */
static void put_in_order(Build *b) {
    u4 n = 0, depth = 0, left;
    for (u4 at = 0; at < b->len; at++) n += b->at[at] != NULL;
    if (b->second) n *= 2;
    Walk *stack = opt_alloc(b->o, (n + 1) * sizeof *stack);
    Place **all = opt_alloc(b->o, n * sizeof *all);
    if (!stack || !all || !enter(b, &stack[depth++], b->at[b->start])) return;
    left = n;
    while (depth) {
        Walk *w = &stack[depth - 1];
        if (w->next == n_edges(w->place, &w->end)) {
            all[--left] = w->place;
            depth--;
            continue;
        }
        u4 to = walked(w, w->next++);
        if (to >= b->len) return build_refuse(b, "end of code reached");
        Place *p = target(b, w->place, to);
        p->n_into++;
        if (!p->rpo && !enter(b, &stack[depth++], p)) return;
    }
    b->order = all + left;
    b->n_order = n - left;
    for (u4 i = 0; i < b->n_order; i++) b->order[i]->rpo = i + 1;
}

static void find_heads(Build *b) {
    CfInsn i;
    for (u4 k = 0; k < b->n_order; k++) {
        if (!last_of(b, b->order[k], &i)) return;
        for (u4 n = 0; n < n_edges(b->order[k], &i); n++) {
            Place *to = target(b, b->order[k], edge(b->order[k], &i, n));
            to->head |= to->rpo <= b->order[k]->rpo;
        }
    }
}

static void note_written(Build *b, const Place *p) {
    CfInsn i;
    for (u4 at = p->bci; at < p->end && cf_insn(b->code, b->len, at, &i); at += i.len) {
        bool store = (i.op >= CF_OP_ISTORE && i.op <= CF_OP_ASTORE) || (i.op >= CF_OP_ISTORE_0 && i.op <= CF_OP_ASTORE_3);
        if (!store && i.op != CF_OP_IINC) continue;
        b->written[i.index] = p->rpo;
        b->written[i.index + 1] = p->rpo; /* of a long or double; else it does no harm */
    }
}

static void find_written(Build *b) {
    b->written = opt_alloc(b->o, (b->m->max_locals + 1u) * sizeof *b->written);
    for (u4 k = 0; k < b->n_order && b->written; k++) note_written(b, b->order[k]);
}

/* --- edges --- */

static u4 n_cells(const Build *b) { return b->m->max_locals + b->depth; }

/* A loop's turn asks whether somebody wants the thread.  What nobody can use at the head is not there any more. */
static void add_poll(Build *b, u4 bci) {
    State *s = state_at(b, bci, b->depth, b->depth);
    const Place *to = target(b, b->place, bci);
    const State *head = to->block ? opt_block(b->o, to->block)->state : NULL;
    for (u4 i = 0; s && head && to->depth == b->depth && i < n_cells(b); i++)
        if (!head->cells[i]) s->cells[i] = 0;
    opt_node(b->o, build_add(b, OPT_POLL, OT_NONE))->state = s;
}

/* Of a head's phis; bodies may throw to it from more places than the bytecode has edges. */
static void make_room(Build *b, Place *to) {
    u4 room = 2 * to->room + 2;
    for (u4 c = 0; c < n_cells(b); c++) {
        Ref *more = to->phis[c] ? opt_alloc(b->o, room * sizeof *more) : NULL;
        if (!more) continue;
        memcpy(more, opt_node(b->o, to->phis[c])->args, to->room * sizeof *more);
        opt_node(b->o, to->phis[c])->args = more;
    }
    to->room = room;
}

static void feed_phis(Build *b, Place *to) {
    u4 n = opt_block(b->o, to->block)->n_preds - 1;
    if (n >= to->room) make_room(b, to);
    if (stopped(b)) return;
    for (u4 c = 0; c < n_cells(b); c++) {
        if (to->phis[c]) opt_node(b->o, to->phis[c])->args[n] = b->cells[c];
        else if (to->values[c] && to->values[c] != b->cells[c]) build_refuse(b, "jumps too tangled");
    }
}

static void note_arrival(Build *b, Place *to) {
    Arrival *a = opt_alloc(b->o, sizeof *a);
    Ref *copy = opt_alloc(b->o, n_cells(b) * sizeof *copy);
    if (!a || !copy) return;
    memcpy(copy, b->cells, n_cells(b) * sizeof *copy);
    a->cells = copy;
    *to->last = a;
    to->last = &a->next;
}

/* From `from`, whose end is written or will be, with the cells as they are. */
static void arrive(Build *b, BlockRef from, u4 bci) {
    Place *to = target(b, b->place, bci);
    if (!to->block) to->block = new_block(b, bci);
    if (to->started && !to->phis) return build_refuse(b, "jumps too tangled");
    if ((to->started || to->first) && to->depth != b->depth) return build_refuse(b, "depths of the stack differ");
    to->depth = b->depth;
    opt_edge(b->o, from, to->block);
    if (to->started) feed_phis(b, to);
    else note_arrival(b, to);
}

/* An edge back has a block of its own, with the poll. */
static void go_back(Build *b, BlockRef from, u4 bci) {
    BlockRef mid = new_block(b, bci), was = b->cur;
    opt_edge(b->o, from, mid);
    b->cur = mid;
    add_poll(b, bci);
    build_add(b, OPT_JUMP, OT_NONE);
    arrive(b, mid, bci);
    b->cur = was;
}

void build_lead(Build *b, BlockRef from, u4 bci) {
    if (b->place && target(b, b->place, bci)->rpo <= b->place->rpo) go_back(b, from, bci);
    else arrive(b, from, bci);
}

/* --- starts of blocks --- */

/* No loop that starts at p assigns the local, which has r. */
static bool stays(const Build *b, const Place *p, u4 cell, Ref r) {
    u4 cells = opt_is_wide((OptType)opt_node(b->o, r)->type) ? 2 : 1;
    for (u4 c = cell; c < cell + cells; c++)
        if (c >= b->m->max_locals || b->written[c] >= p->rpo) return false;
    return true;
}

static Ref merged(Build *b, Place *p, u4 cell, u4 n, Ref *args) {
    u4 k = 0;
    bool same = true, fits = true;
    for (const Arrival *a = p->first; a; a = a->next) {
        args[k] = a->cells[cell];
        same &= args[k] == args[0];
        fits &= args[k] && opt_node(b->o, args[k])->type == opt_node(b->o, args[0])->type;
        k++;
    }
    if (!fits) return 0;
    if (same && (!p->head || stays(b, p, cell, args[0]))) return args[0];
    if (p->head) { /* room for the edges that come; what they bring may be null */
        for (; k < n; k++) args[k] = 0;
        Ref r = build_phi(b, p->block, (OptType)opt_node(b->o, args[0])->type, args, n);
        opt_node(b->o, r)->not_null = false;
        return p->phis[cell] = r;
    }
    return build_phi(b, p->block, (OptType)opt_node(b->o, args[0])->type, args, k);
}

static bool start(Build *b, Place *p) {
    if (!p->first) return false; /* nothing that runs leads here */
    p->started = true;
    b->place = p;
    b->depth = p->depth;
    b->cur = p->block;
    u4 n = 0, most = p->n_into + 1;
    for (const Arrival *a = p->first; a; a = a->next) n++;
    if (n > most) most = n;
    p->room = most;
    Ref *args = opt_alloc(b->o, most * sizeof *args);
    b->o->unknown_writes += p->head;
    if (p->head) p->phis = opt_alloc(b->o, 2 * n_cells(b) * sizeof *p->phis);
    if (stopped(b)) return false;
    for (u4 c = 0; c < n_cells(b); c++) b->cells[c] = merged(b, p, c, most, args);
    if (p->head) p->values = memcpy(p->phis + n_cells(b), b->cells, n_cells(b) * sizeof *p->values);
    if (p->head) opt_block(b->o, p->block)->state = state_at(b, p->bci, b->depth, b->depth);
    return true;
}

/* --- instructions --- */

static void load_local(Build *b) {
    Ref r = b->cells[b->insn.index];
    if (!r) return build_refuse(b, "local without a value");
    build_push(b, r);
}

/* The second cell of a value whose first one is overwritten is nothing, and the other way round. */
static void store_local(Build *b) {
    u1 op = b->insn.op;
    bool two = op == CF_OP_LSTORE || op == CF_OP_DSTORE || (op >= CF_OP_LSTORE_0 && op <= CF_OP_LSTORE_3) ||
               (op >= CF_OP_DSTORE_0 && op <= CF_OP_DSTORE_3);
    u4 at = b->insn.index;
    Ref r = build_pop(b, two);
    Ref before = at ? b->cells[at - 1] : 0;
    if (before && opt_is_wide((OptType)opt_node(b->o, before)->type)) b->cells[at - 1] = 0;
    b->cells[at] = r;
    if (two) b->cells[at + 1] = 0;
}

static void increment(Build *b) {
    Ref *local = &b->cells[b->insn.index];
    if (!*local) return build_refuse(b, "local without a value");
    Ref r = build_pure(b, OPT_ADD, OT_INT, *local, build_const(b, OT_INT, b->insn.imm));
    b->cells[b->insn.index] = r;
}

static void dup_x(Build *b, u4 n, u4 below) {
    Ref *top = &b->cells[b->m->max_locals + b->depth];
    Ref moved[4];
    memcpy(moved, top - n, n * sizeof(Ref));
    memmove(top - below, top - n - below, (n + below) * sizeof(Ref));
    memcpy(top - n - below, moved, n * sizeof(Ref));
    b->depth += n;
}

static void swap(Build *b) {
    Ref *top = &b->cells[b->m->max_locals + b->depth], r = top[-1];
    top[-1] = top[-2];
    top[-2] = r;
}

static void push_int(Build *b, int32_t k) { build_push(b, build_const(b, OT_INT, k)); }

static void push_float(Build *b, float f) {
    u4 bits;
    memcpy(&bits, &f, 4);
    build_push(b, build_const(b, OT_FLOAT, bits));
}

static void load_constant(Build *b) {
    Slot v;
    BasicType type;
    if (!resolved_constant(b->m->version, (u2)b->insn.index, &v, &type)) return build_leave(b, EXIT_UNQUICK);
    OptType t = opt_type_of(type);
    build_push(b, build_const(b, t, t == OT_INT ? v.i : (int64_t)v.raw));
}

static bool constant_op(Build *b, u1 op) {
    if (op >= CF_OP_ICONST_M1 && op <= CF_OP_ICONST_5) return push_int(b, b->insn.imm), true;
    switch (op) {
    case CF_OP_ACONST_NULL: build_push(b, build_const(b, OT_REF, 0)); return true;
    case CF_OP_BIPUSH:
    case CF_OP_SIPUSH: push_int(b, b->insn.imm); return true;
    case CF_OP_LCONST_0: build_push(b, build_const(b, OT_LONG, 0)); return true;
    case CF_OP_LCONST_1: build_push(b, build_const(b, OT_LONG, 1)); return true;
    case CF_OP_FCONST_0: push_float(b, 0); return true;
    case CF_OP_FCONST_1: push_float(b, 1); return true;
    case CF_OP_FCONST_2: push_float(b, 2); return true;
    case CF_OP_DCONST_0: build_push(b, build_const(b, OT_DOUBLE, 0)); return true;
    case CF_OP_DCONST_1: build_push(b, build_const(b, OT_DOUBLE, 0x3ff0000000000000)); return true;
    case CF_OP_LDC:
    case CF_OP_LDC_W:
    case CF_OP_LDC2_W: load_constant(b); return true;
    default: return false;
    }
}

static bool stack_op(Build *b, u1 op) {
    if (op >= CF_OP_ILOAD && op <= CF_OP_ALOAD_3) return load_local(b), true;
    if (op >= CF_OP_ISTORE && op <= CF_OP_ASTORE_3) return store_local(b), true;
    switch (op) {
    case CF_OP_NOP: return true;
    case CF_OP_IINC: increment(b); return true;
    case CF_OP_POP: b->depth -= 1; return true;
    case CF_OP_POP2: b->depth -= 2; return true;
    case CF_OP_DUP: dup_x(b, 1, 0); return true;
    case CF_OP_DUP_X1: dup_x(b, 1, 1); return true;
    case CF_OP_DUP_X2: dup_x(b, 1, 2); return true;
    case CF_OP_DUP2: dup_x(b, 2, 0); return true;
    case CF_OP_DUP2_X1: dup_x(b, 2, 1); return true;
    case CF_OP_DUP2_X2: dup_x(b, 2, 2); return true;
    case CF_OP_SWAP: swap(b); return true;
    default: return false;
    }
}

static const u1 types[] = {OT_INT, OT_LONG, OT_FLOAT, OT_DOUBLE}; /* in the order of opcodes */

static void binary(Build *b, OptOp op, OptType t) {
    Ref y = build_pop(b, opt_is_wide(t)), x = build_pop(b, opt_is_wide(t));
    build_push(b, build_pure(b, op, t, x, y));
}

static void shift(Build *b, OptOp op, OptType t) {
    Ref y = build_pop(b, false), x = build_pop(b, opt_is_wide(t));
    build_push(b, build_pure(b, op, t, x, y));
}

/* The divisor is 0: it throws. */
static void divide(Build *b, OptOp op, OptType t) {
    Ref by = build_top(b, opt_is_wide(t) ? 2 : 1), guard = 0;
    const Node *n = opt_node(b->o, by);
    if (n->op != OPT_CONST || !n->k) {
        build_catch(b, EX_ArithmeticException, COND_EQ, t, by, build_const(b, t, 0));
        guard = build_guard(b, OPT_NOT_ZERO, EXIT_ZERO, by, 0);
        opt_node(b->o, guard)->from = (u1)t;
    }
    Ref y = build_pop(b, opt_is_wide(t)), x = build_pop(b, opt_is_wide(t)), r = opt_new(b->o, op, t);
    Node *d = opt_node(b->o, r);
    d->in[0] = x;
    d->in[1] = y;
    d->after = guard;
    build_push(b, build_finish(b, r));
}

Ref build_convert(Build *b, OptType to, OptType from, Ref x) {
    Ref r = opt_new(b->o, OPT_CONVERT, to);
    opt_node(b->o, r)->from = (u1)from;
    opt_node(b->o, r)->in[0] = x;
    return build_finish(b, r);
}

static void convert(Build *b, OptType from, OptType to) {
    build_push(b, build_convert(b, to, from, build_pop(b, opt_is_wide(from))));
}

static Ref narrowed(Build *b, Ref x, MemKind kind) {
    Ref r = opt_new(b->o, OPT_NARROW, OT_INT);
    Node *n = opt_node(b->o, r);
    n->kind = (u1)kind;
    n->in[0] = x;
    return build_finish(b, r);
}

static void compare(Build *b, OptOp op, OptType from, int nan) {
    Ref y = build_pop(b, opt_is_wide(from)), x = build_pop(b, opt_is_wide(from)), r = opt_new(b->o, op, OT_INT);
    Node *n = opt_node(b->o, r);
    n->from = (u1)from;
    n->in[0] = x;
    n->in[1] = y;
    n->k = nan;
    build_push(b, build_finish(b, r));
}

static void unary(Build *b, OptOp op, OptType t) { build_push(b, build_pure(b, op, t, build_pop(b, opt_is_wide(t)), 0)); }

static bool conversion_op(Build *b, u1 op) {
    static const u1 from_to[][2] = {{OT_INT, OT_LONG},     {OT_INT, OT_FLOAT},   {OT_INT, OT_DOUBLE},  {OT_LONG, OT_INT},
                                    {OT_LONG, OT_FLOAT},   {OT_LONG, OT_DOUBLE}, {OT_FLOAT, OT_INT},   {OT_FLOAT, OT_LONG},
                                    {OT_FLOAT, OT_DOUBLE}, {OT_DOUBLE, OT_INT},  {OT_DOUBLE, OT_LONG}, {OT_DOUBLE, OT_FLOAT}};
    if (op < CF_OP_I2L || op > CF_OP_D2F) return false;
    convert(b, (OptType)from_to[op - CF_OP_I2L][0], (OptType)from_to[op - CF_OP_I2L][1]);
    return true;
}

static bool math_op(Build *b, u1 op) {
    static const u1 ints[] = {OPT_ADD, OPT_SUB, OPT_MUL, OPT_DIV, OPT_REM},
                    floats[] = {OPT_FADD, OPT_FSUB, OPT_FMUL, OPT_FDIV, OPT_FREM};
    static const u1 shifts[] = {OPT_SHL, OPT_SHR, OPT_USHR}, bits[] = {OPT_AND, OPT_OR, OPT_XOR};
    if (op >= CF_OP_IADD && op <= CF_OP_DREM) {
        u4 row = (u4)(op - CF_OP_IADD) / 4;
        OptType t = (OptType)types[(op - CF_OP_IADD) % 4];
        if (t == OT_FLOAT || t == OT_DOUBLE) binary(b, (OptOp)floats[row], t);
        else if (row >= 3) divide(b, (OptOp)ints[row], t);
        else binary(b, (OptOp)ints[row], t);
        return true;
    }
    if (op >= CF_OP_INEG && op <= CF_OP_DNEG) {
        OptType t = (OptType)types[op - CF_OP_INEG];
        return unary(b, t == OT_FLOAT || t == OT_DOUBLE ? OPT_FNEG : OPT_NEG, t), true;
    }
    if (op >= CF_OP_ISHL && op <= CF_OP_LUSHR)
        return shift(b, (OptOp)shifts[(op - CF_OP_ISHL) / 2], (OptType)types[(op - CF_OP_ISHL) % 2]), true;
    if (op >= CF_OP_IAND && op <= CF_OP_LXOR)
        return binary(b, (OptOp)bits[(op - CF_OP_IAND) / 2], (OptType)types[(op - CF_OP_IAND) % 2]), true;
    if (conversion_op(b, op)) return true;
    switch (op) {
    case CF_OP_I2B: build_push(b, narrowed(b, build_pop(b, false), MEM_S8)); return true;
    case CF_OP_I2C: build_push(b, narrowed(b, build_pop(b, false), MEM_U16)); return true;
    case CF_OP_I2S: build_push(b, narrowed(b, build_pop(b, false), MEM_S16)); return true;
    case CF_OP_LCMP: compare(b, OPT_CMP3, OT_LONG, 0); return true;
    case CF_OP_FCMPL: compare(b, OPT_FCMP3, OT_FLOAT, -1); return true;
    case CF_OP_FCMPG: compare(b, OPT_FCMP3, OT_FLOAT, 1); return true;
    case CF_OP_DCMPL: compare(b, OPT_FCMP3, OT_DOUBLE, -1); return true;
    case CF_OP_DCMPG: compare(b, OPT_FCMP3, OT_DOUBLE, 1); return true;
    default: return false;
    }
}

/* --- control --- */

static void jump(Build *b, u4 target) {
    BlockRef from = b->cur;
    build_add(b, OPT_JUMP, OT_NONE);
    build_lead(b, from, target);
    b->cur = 0;
}

static void branch(Build *b, Cond cond, OptType from, Ref x, Ref y) {
    BlockRef at = b->cur;
    Ref r = build_add(b, OPT_IF, OT_NONE);
    Node *n = opt_node(b->o, r);
    n->kind = (u1)cond;
    n->from = (u1)from;
    n->in[0] = x;
    n->in[1] = y;
    opt_fold(b->o, r); /* of CMP3: a simpler one */
    int goes = opt_goes_to(b->o, r);
    if (goes >= 0) {
        opt_unlink(b->o, r);
        return jump(b, goes ? b->insn.pc + b->insn.len : (u4)b->insn.target);
    }
    build_lead(b, at, (u4)b->insn.target);
    build_lead(b, at, b->insn.pc + b->insn.len);
    b->cur = 0;
}

static u4 target_of_key(const Build *b, int64_t key) {
    for (u4 n = 0; n < b->insn.cases; n++)
        if (cf_switch_key(&b->insn, n) == key) return (u4)cf_switch_target(&b->insn, n);
    return (u4)b->insn.target;
}

static void do_switch(Build *b) {
    Ref key = build_pop(b, false), r;
    BlockRef at = b->cur;
    if (opt_is_const(b->o, key)) return jump(b, target_of_key(b, opt_node(b->o, key)->k));
    int32_t *keys = opt_alloc(b->o, (b->insn.cases + 1) * sizeof *keys);
    if (!keys || !(r = build_add(b, OPT_SWITCH, OT_NONE))) return;
    opt_node(b->o, r)->in[0] = key;
    opt_node(b->o, r)->keys = keys;
    build_lead(b, at, (u4)b->insn.target);
    for (u4 n = 0; n < b->insn.cases; n++) {
        keys[n] = cf_switch_key(&b->insn, n);
        build_lead(b, at, (u4)cf_switch_target(&b->insn, n));
    }
    b->cur = 0;
}

static Ref narrowed_result(Build *b, Ref r) {
    switch ((BasicType)b->m->ret_type) { /* JVMS 6.5.ireturn */
    case T_BOOLEAN: return narrowed(b, r, MEM_U8);
    case T_BYTE: return narrowed(b, r, MEM_S8);
    case T_CHAR: return narrowed(b, r, MEM_U16);
    case T_SHORT: return narrowed(b, r, MEM_S16);
    default: return r;
    }
}

static void return_to_caller(Build *b, Ref r) {
    if (b->n_returns == b->cap_results) {
        u4 cap = b->cap_results ? 2 * b->cap_results : 4;
        Ref *more = opt_alloc(b->o, cap * sizeof *more);
        if (!more) return;
        if (b->n_returns) memcpy(more, b->results, b->n_returns * sizeof *more);
        b->results = more;
        b->cap_results = cap;
    }
    if (!b->end) b->end = new_block(b, b->insn.pc);
    b->results[b->n_returns++] = r;
    build_go(b, b->end);
}

static void do_return(Build *b, u1 op) {
    bool two = op == CF_OP_LRETURN || op == CF_OP_DRETURN;
    build_unlock(b);
    State *s = op == CF_OP_ARETURN && !b->outer ? build_state(b) : NULL;
    Ref r = op == CF_OP_RETURN ? 0 : build_pop(b, two);
    if (op == CF_OP_IRETURN) r = narrowed_result(b, r);
    if (b->outer) return return_to_caller(b, r);
    Node *n = opt_node(b->o, build_add(b, OPT_RETURN, OT_NONE));
    n->in[0] = r;
    n->state = s;
    b->cur = 0;
}

static const u1 conditions[] = {COND_EQ, COND_NE, COND_LT, COND_GE, COND_GT, COND_LE}; /* in the order of opcodes */

static void branch_unary(Build *b, Cond cond, OptType t) { branch(b, cond, t, build_pop(b, false), build_const(b, t, 0)); }
static void branch_binary(Build *b, Cond cond, OptType t) {
    Ref y = build_pop(b, false), x = build_pop(b, false);
    branch(b, cond, t, x, y);
}

static bool control_op(Build *b, u1 op) {
    if (op >= CF_OP_IFEQ && op <= CF_OP_IFLE) return branch_unary(b, (Cond)conditions[op - CF_OP_IFEQ], OT_INT), true;
    if (op >= CF_OP_IF_ICMPEQ && op <= CF_OP_IF_ICMPLE)
        return branch_binary(b, (Cond)conditions[op - CF_OP_IF_ICMPEQ], OT_INT), true;
    if (op >= CF_OP_IRETURN && op <= CF_OP_RETURN) return do_return(b, op), true;
    switch (op) {
    case CF_OP_IF_ACMPEQ: branch_binary(b, COND_EQ, OT_REF); return true;
    case CF_OP_IF_ACMPNE: branch_binary(b, COND_NE, OT_REF); return true;
    case CF_OP_IFNULL: branch_unary(b, COND_EQ, OT_REF); return true;
    case CF_OP_IFNONNULL: branch_unary(b, COND_NE, OT_REF); return true;
    case CF_OP_GOTO:
    case CF_OP_GOTO_W: jump(b, (u4)b->insn.target); return true;
    case CF_OP_TABLESWITCH:
    case CF_OP_LOOKUPSWITCH: do_switch(b); return true;
    case CF_OP_ATHROW: build_throw(b); return true;
    default: return false;
    }
}

static u1 quick_of(const Method *m, u4 bci) { return quick_plain_opcode(quick_current_opcode(m, m->qcode + bci)); }

bool build_never_ran(const Method *m, const CfInsn *i) {
    return ((i->op >= CF_OP_GETSTATIC && i->op <= CF_OP_NEW) || i->op == CF_OP_ANEWARRAY) && quick_of(m, i->pc) == i->op;
}

static void instruction(Build *b) {
    u1 op = b->insn.op;
    b->here = NULL;
    b->quick = quick_of(b->m, b->insn.pc);
    if (!cf_insn_stack(b->m->version->cf, &b->insn, &b->pops, &b->pushes) || b->pops > b->depth)
        return build_refuse(b, "bad stack");
    if (constant_op(b, op) || stack_op(b, op) || math_op(b, op) || control_op(b, op)) return;
    if (build_array_op(b) || build_field_op(b) || build_type_op(b) || build_call_op(b)) return;
    if (build_monitor_op(b)) return;
    build_leave(b, build_never_ran(b->m, &b->insn) ? EXIT_UNQUICK : EXIT_REDO);
}

static void block(Build *b, Place *p) {
    u4 end = p->end;
    for (u4 at = p->bci; at < end && b->cur && !stopped(b); at += b->insn.len) {
        cf_insn(b->code, b->len, at, &b->insn);
        instruction(b);
    }
    if (b->cur && !stopped(b)) jump(b, end);
}

/* False: all that anything leads to has been read.  A block may wait for the next round: what leads to it from earlier ones never ran, and what does comes
 * later in the order. */
static bool read_blocks(Build *b) {
    bool any = false;
    for (u4 i = 0; i < b->n_order && !stopped(b); i++) {
        Place *p = b->order[i];
        if (p->started || !start(b, p)) continue;
        block(b, p);
        any = true;
    }
    return any;
}

bool build_method(Build *b) {
    b->at = opt_alloc(b->o, (b->len + 1) * sizeof *b->at);
    if (b->at) find_starts(b);
    if (!b->outer) build_share_out(b, BUDGET);
    if (!stopped(b)) put_in_order(b);
    if (stopped(b)) return false;
    find_heads(b);
    find_written(b);
    if (stopped(b)) return false;
    if (b->outer || !b->o->is_loop) build_lock(b);
    jump(b, b->start);
    while (!stopped(b) && read_blocks(b)) continue;
    return !stopped(b);
}

/* --- the root --- */

static void add_params(Build *b) {
    CfDescIter d = cf_desc_start(symbol_str(b->m->desc));
    u4 local = 0;
    if (!method_is_static(b->m)) {
        b->cells[0] = build_add(b, OPT_PARAM, OT_REF);
        opt_node(b->o, b->cells[0])->not_null = true;
        if (b->m->holder->access & ACC_FINAL) opt_node(b->o, b->cells[0])->klass = b->m->holder;
        local = 1;
    }
    for (CfStr type; cf_desc_next(&d, &type);) {
        OptType t = opt_type_of(type_of_desc_char(type.p[0]));
        Ref r = build_add(b, OPT_PARAM, t);
        opt_node(b->o, r)->k = local;
        opt_node(b->o, r)->klass = build_exact(type);
        b->cells[local] = r;
        local += opt_is_wide(t) ? 2 : 1;
    }
}

/* What the locals hold where frames enter at a loop.  Their cells are in memory, like those of arguments. */
static void add_locals(Build *b) {
    CfKinds k;
    CfKindsResult r = b->m->cf_code
                          ? cf_kinds_init(&k, b->m->version->cf, b->m->cf, b->m->cf_code, CF_KINDS_ALL, MOST_STEPS, &b->o->arena)
                          : CF_KINDS_UNKNOWN;
    if (r == CF_KINDS_NO_MEMORY) b->o->no_memory = true;
    if (r != CF_KINDS_OK || !cf_kinds_go(&k, b->start) || k.cur.depth) return build_refuse(b, "loop that cannot be entered");
    for (u4 i = 0; i < b->m->max_locals; i++) {
        u1 kind = k.cur.cells[i];
        OptType t = kind == CF_K_INT      ? OT_INT
                    : kind == CF_K_FLOAT  ? OT_FLOAT
                    : kind == CF_K_LONG   ? OT_LONG
                    : kind == CF_K_DOUBLE ? OT_DOUBLE
                                          : OT_REF;
        if (t == OT_REF && kind != CF_K_REF) continue; /* halves, and what nobody can use */
        b->cells[i] = build_add(b, OPT_PARAM, t);
        opt_node(b->o, b->cells[i])->k = i;
    }
}

/* Phis of which an input is nothing, or of another type, are nothing; so are those that have them as inputs. */
static bool is_nothing(const Opt *o, Ref r) {
    const Node *n = opt_node(o, r);
    for (u4 i = 0; i < opt_block(o, n->block)->n_preds; i++) {
        const Node *in = opt_node(o, n->args[i]);
        if (!n->args[i] || in->dead || in->type != n->type) return true;
    }
    return false;
}

static void forget_cell(Opt *o, Ref user, Ref *use, void *arg) {
    (void)arg;
    if (!opt_node(o, *use)->dead) return;
    const Node *n = opt_node(o, user);
    for (int i = 0; i < 3; i++)
        if (use == &n->in[i]) o->why = "local without a value";
    *use = 0;
}

static void forget_in_state(Opt *o, Ref user, Ref *use, void *arg) {
    (void)user, (void)arg;
    if (opt_node(o, *use)->dead) *use = 0;
}

static Ref cast_value(const Opt *o, Ref r) {
    while (opt_node(o, r)->op == OPT_CAST) r = opt_node(o, r)->in[0];
    return r;
}

static void drop_casts(Opt *o) {
    Ref *to = o->n_casts ? opt_alloc(o, (o->n_nodes + 1) * sizeof *to) : NULL;
    if (!to) return;
    for (BlockRef b = 1; b <= o->n_blocks; b++)
        for (Ref r = opt_block(o, b)->first, next; r; r = next) {
            next = opt_node(o, r)->next;
            if (opt_node(o, r)->op != OPT_CAST) continue;
            to[r] = cast_value(o, r);
            opt_unlink(o, r);
        }
    opt_replace(o, to);
}

static void drop_phis(Opt *o) {
    bool any = false;
    for (bool more = true; more;) {
        more = false;
        for (BlockRef b = 1; b <= o->n_blocks; b++)
            for (Ref r = opt_block(o, b)->first, next; r && opt_node(o, r)->op == OPT_PHI; r = next) {
                next = opt_node(o, r)->next;
                if (!is_nothing(o, r)) continue;
                opt_unlink(o, r);
                any = more = true;
            }
    }
    for (BlockRef b = 1; any && b <= o->n_blocks; b++) {
        for (Ref r = opt_block(o, b)->first; r; r = opt_node(o, r)->next) opt_visit_uses(o, r, false, true, forget_cell, NULL);
        opt_visit_state(o, opt_block(o, b)->state, forget_in_state, NULL);
    }
}

static const char *cannot(const Method *m) {
    enum { MAX_CODE = 8000, MAX_LOCALS_OF_ROOT = 200, MAX_STACK = 200 };
    if (m->flags & (MF_OBJECT_INIT | MF_JSR)) return "Object.<init> or jsr";
    if (m->flags & MF_HAS_BREAKPOINT) return "breakpoints";
    if (m->code_len > MAX_CODE || m->max_locals > MAX_LOCALS_OF_ROOT || m->max_stack > MAX_STACK) return "is too large";
    return NULL;
}

bool opt_build(Opt *o) {
    Method *m = o->root;
    if ((o->why = cannot(m))) return false;
    OptScope *s = opt_alloc(o, sizeof *s);
    Build b = {.o = o, .scope = s, .m = m, .code = m->code, .len = m->code_len, .start = o->start};
    b.cells = opt_alloc(o, (m->max_locals + m->max_stack + 2) * sizeof *b.cells);
    if (o->no_memory) return false;
    s->method = m;
    o->scopes = s;
    o->max_cells = m->max_stack + 1;
    b.cur = new_block(&b, 0);
    if (o->is_loop) add_locals(&b);
    else add_params(&b);
    if (stopped(&b) || !build_method(&b)) return false;
    opt_order(o);
    drop_casts(o);
    drop_phis(o);
    return !stopped(&b);
}
