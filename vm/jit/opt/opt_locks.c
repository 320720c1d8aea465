/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: monitors that need not be taken, or not be given back.
 *
 * What frames say of monitors must be true wherever anyone looks (opt_build_monitor.c), and anyone looks by a State alone.  So what is between
 * two points without a State is nobody's concern.
 *
 * TERMS   A synchronized body is QUIET if no node but its own LOCK and UNLOCKs has a State with its scope or one in it; LEAVING if there are others, but
 *         guards and LEAVEs alone; else NOISY.  A block synchronized by the root is QUIET if each way from MONITOR_ENTER leads to a MONITOR_EXIT
 *         of the same object over nodes without States.
 * HELD    The monitor is taken already by a scope around, as long as that scope's code runs: LOCK and UNLOCKs of a body that is QUIET go.  So they do, once
 *         opt_escape has put its nodes between, of others: frames of the body say FRAME_RELOCK (frame/frame.h), in records and behind calls, and whoever
 *         leaves the code takes the monitors of all such frames first, exceptions included (runtime.c).  Until then an entry more or less is not to be told.
 * MARKED  LOCK, MONITOR_ENTER and what gives back have kind OPT_UNSEEN if the region is QUIET, OPT_LEAVES if it is LEAVING: opt_escape takes
 *         them out if the object is not made.  Nothing in between has a State, so nothing there can make it; or exits alone have, which make
 *         it and take its monitor.
 * UNKNOWN An object that is made here, and is nowhere but in this code's values, nobody else can lock: bodies, and blocks that are QUIET, take no monitor
 *         until it is stored, passed or returned, FRAME_RELOCK being said of bodies; it must be unknown wherever a State has such a frame, too, for who
 *         leaves there does not wait.  That States name it counts only if agents may read locals.
 * JOINED  What gives a monitor back and what takes that of the same object go together, if all ways to the latter come from such and no node
 *         between has a State.  So the monitor is kept for a moment in which the thread would not have stopped, called, or looped: who waits for it waits
 *         until the next region ends.  Turns of a loop are joined where several were put in a row (opt_unroll.c), not over the jump back, so others get it.
 *         The body that is entered then is NOISY or not as before, but its LOCK stands elsewhere: it is not left out any more.
 * MEMORY  What goes is no fence any more, which the memory model allows: the thread takes what it has, what nobody else sees, or what it just gave
 *         back.  All else moves into a region at most.
 */
#include "core/hooks.h"
#include "jit/opt/opt_build.h"
#include "jit/opt/opt_pass.h"
#include "object/class.h"

enum { MOST_ROUNDS = 6, MOST_JOINED = 16, MOST_DEPTH = 8, MOST_ASKED = 16 };
#define SEVERAL ((Ref)-1)

typedef enum Seen { QUIET, LEAVING, NOISY } Seen;

typedef struct Locks {
    Opt *o;
    bool last;   /* nothing is put between nodes any more */
    Ref *object; /* by scope: whose monitor its code has, SEVERAL, or 0 */
    u1 *seen;    /* by scope: Seen */
    BlockRef *work;
    bool *in_region; /* by block */
    Ref found[MOST_JOINED];
    u4 n_found;
} Locks;

static bool takes(const Node *n) { return n->op == OPT_LOCK || n->op == OPT_MONITOR_ENTER; }
static bool gives(const Node *n) { return n->op == OPT_UNLOCK || n->op == OPT_MONITOR_EXIT; }
static bool is_of_body(const Node *n) { return (n->op == OPT_LOCK || n->op == OPT_UNLOCK) && n->state->scope->number; }

/* --- who sees what --- */

static void see(const Locks *l, const OptScope *s, Seen how) {
    for (; s; s = s->outer)
        if (l->seen[s->number] < how) l->seen[s->number] = (u1)how;
}

/* Copies of a body may take the monitors of several objects. */
static void note_object(const Locks *l, u4 scope, Ref object) {
    Ref *is = &l->object[scope];
    *is = *is && *is != object ? SEVERAL : object;
}

static void see_node(const Locks *l, const Node *n) {
    const OptScope *s = n->state->scope;
    if (is_of_body(n)) {
        if (n->op == OPT_LOCK) note_object(l, s->number, n->in[0]);
        return see(l, s->outer, NOISY);
    }
    if (n->op == OPT_LOCK) note_object(l, 0, n->in[0]);
    bool leaves = (opt_does(n) & OPT_GUARD || n->op == OPT_LEAVE) && !n->state->objects;
    see(l, s, leaves ? LEAVING : NOISY);
}

/* A frame that is in a loop's code came with its monitor. */
static Ref roots_object(const Opt *o) {
    const Method *m = o->root;
    if (!o->is_loop || !(m->access & ACC_SYNCHRONIZED) || method_is_static(m) || !build_keeps_monitor(m)) return 0;
    for (Ref r = opt_block(o, 1)->first; r; r = opt_node(o, r)->next)
        if (opt_node(o, r)->op == OPT_PARAM && !opt_node(o, r)->k) return r;
    return 0;
}

static void look(const Locks *l) {
    const Opt *o = l->o;
    memset(l->seen, QUIET, o->n_scopes + 1);
    memset(l->object, 0, (o->n_scopes + 1) * sizeof *l->object);
    l->object[0] = roots_object(o);
    for (u4 i = 0; i < o->n_order; i++) {
        const Block *b = opt_block(o, o->order[i]);
        if (b->state) see(l, b->state->scope, NOISY);
        for (Ref r = b->first; r; r = opt_node(o, r)->next)
            if (opt_node(o, r)->state) see_node(l, opt_node(o, r));
    }
}

/* --- monitors that the code around has --- */

static bool is_held(const Locks *l, const OptScope *around, Ref object) {
    for (; around && object != SEVERAL; around = around->outer)
        if (l->object[around->number] == object) return true;
    return false;
}

static OptScope *scope_of(const Opt *o, const Node *n) {
    OptScope *s = o->scopes;
    while (s != n->state->scope) s = s->all;
    return s;
}

static bool is_left_out(const Locks *l, const OptScope *s) {
    return s->monitor == MONITOR_LEFT || (s->monitor == MONITOR_OWN && l->object[s->number] &&
                                          (l->last || l->seen[s->number] == QUIET) && is_held(l, s->outer, l->object[s->number]));
}

static bool leave_out(const Locks *l) {
    bool any = false;
    for (OptScope *s = l->o->scopes; s; s = s->all) {
        if (!s->number || s->monitor == MONITOR_LEFT || !is_left_out(l, s)) continue;
        s->monitor = MONITOR_LEFT;
        any = true;
    }
    for (u4 i = 0; any && i < l->o->n_order; i++)
        for (Ref r = opt_block(l->o, l->o->order[i])->first, next; r; r = next) {
            const Node *n = opt_node(l->o, r);
            next = n->next;
            if (n->state && is_of_body(n) && n->state->scope->monitor == MONITOR_LEFT) opt_unlink(l->o, r);
        }
    return any;
}

/* --- blocks of the root that nobody sees --- */

/* From r on to the end of the block: 1: the monitor is given back; 0: the block ends before; -1: someone may look. */
static int scan(Locks *l, Ref r, Ref object) {
    for (; r; r = opt_node(l->o, r)->next) {
        const Node *n = opt_node(l->o, r);
        if (n->op == OPT_MONITOR_EXIT && n->in[0] == object) {
            if (l->n_found == MOST_JOINED) return -1;
            l->found[l->n_found++] = r;
            return 1;
        }
        if (n->state || n->op == OPT_RETURN) return -1;
    }
    return 0;
}

static bool enter_blocks(Locks *l, BlockRef b, u4 *n_work) {
    const Block *x = opt_block(l->o, b);
    for (u4 s = 0; s < x->n_succs; s++) {
        if (opt_block(l->o, x->succs[s])->loop_head) return false;
        if (l->in_region[x->succs[s]]) continue;
        l->in_region[x->succs[s]] = true;
        l->work[(*n_work)++] = x->succs[s];
    }
    return true;
}

/* All ways into the blocks of the region come from its start. */
static bool is_closed(const Locks *l, const BlockRef *blocks, u4 n, BlockRef first) {
    for (u4 i = 0; i < n; i++) {
        const Block *x = opt_block(l->o, blocks[i]);
        for (u4 p = 0; p < x->n_preds; p++)
            if (x->preds[p] != first && !l->in_region[x->preds[p]]) return false;
    }
    return true;
}

/* Whether nobody can look between r, a MONITOR_ENTER, and what gives back, which is found. */
static bool is_unseen(Locks *l, Ref r) {
    const Node *n = opt_node(l->o, r);
    u4 n_work = 0;
    memset(l->in_region, 0, l->o->n_blocks + 1);
    l->n_found = 0;
    int ends = scan(l, n->next, n->in[0]);
    if (ends < 0 || (!ends && !enter_blocks(l, n->block, &n_work))) return false;
    for (u4 i = 0; i < n_work; i++) {
        ends = scan(l, opt_block(l->o, l->work[i])->first, n->in[0]);
        if (ends < 0 || (!ends && !enter_blocks(l, l->work[i], &n_work))) return false;
    }
    return is_closed(l, l->work, n_work, n->block);
}

static void settle_block(Locks *l, Ref r) {
    bool held = is_held(l, opt_node(l->o, r)->state->scope, opt_node(l->o, r)->in[0]);
    for (u4 i = 0; i < l->n_found; i++) {
        opt_node(l->o, l->found[i])->kind = OPT_UNSEEN;
        if (held) opt_unlink(l->o, l->found[i]);
    }
    opt_node(l->o, r)->kind = OPT_UNSEEN;
    if (held) opt_unlink(l->o, r);
}

static u1 kind_of(const Locks *l, const OptScope *s) {
    return l->seen[s->number] == QUIET ? OPT_UNSEEN : l->seen[s->number] == LEAVING ? OPT_LEAVES : 0;
}

static void mark(Locks *l) {
    const Opt *o = l->o;
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->first, next; r; r = next) {
            Node *n = opt_node(o, r);
            next = n->next;
            if (n->state && is_of_body(n) && n->state->scope->monitor == MONITOR_OWN) n->kind = kind_of(l, n->state->scope);
            if (n->op == OPT_MONITOR_ENTER && is_unseen(l, r)) settle_block(l, r);
            if (n->dead) next = opt_block(o, o->order[i])->first; /* what followed it may have gone, too */
        }
}

/* --- objects that nobody else knows yet --- */

/* n has r among its inputs: as what it accesses or asks alone. */
static bool only_asks(const Node *n, Ref r) {
    switch ((OptOp)n->op) {
    case OPT_IF: return true;
    case OPT_LOAD:
    case OPT_STORE:
    case OPT_CARD:
    case OPT_CLASS:
    case OPT_INSTANCE_OF: return n->in[1] != r;
    default: return takes(n) || gives(n) || opt_does(n) & OPT_GUARD;
    }
}

static bool is_argument(const Node *n, Ref r) {
    const State *s = n->state;
    if (n->op != OPT_CALL && n->op != OPT_QUICK) return false;
    u4 top = s->n_locals + s->n_stack;
    for (u4 i = top - n->call->n_args; i < top; i++)
        if (s->cells[i] == r) return true;
    return false;
}

static void note_input(Opt *o, Ref user, Ref *use, void *arg) {
    (void)o, (void)user;
    Ref *r = arg;
    if (*use == *r) *r = 0;
}

/* Behind n others may know r. */
static bool shows(Opt *o, Ref n, Ref r) {
    Ref found = r;
    opt_visit_uses(o, n, false, false, note_input, &found);
    return (!found && !only_asks(opt_node(o, n), r)) || is_argument(opt_node(o, n), r);
}

/* Somewhere in the block in front of `until`, 0: anywhere. */
static bool is_shown_in(Opt *o, BlockRef b, Ref until, Ref object) {
    for (Ref r = opt_block(o, b)->first; r && r != until; r = opt_node(o, r)->next)
        if (shows(o, r, object)) return true;
    return false;
}

static void spread(Locks *l, BlockRef b, BlockRef def, u4 *n_work) {
    const Block *x = opt_block(l->o, b);
    for (u4 s = 0; s < x->n_succs; s++) {
        if (l->in_region[x->succs[s]] || x->succs[s] == def) continue;
        l->in_region[x->succs[s]] = true;
        l->work[(*n_work)++] = x->succs[s];
    }
}

/* l->in_region: at whose start others may know the object. Who comes to where it is made again has another one. */
static void find_shown(Locks *l, Ref object) {
    BlockRef def = opt_node(l->o, object)->block;
    u4 n_work = 0;
    memset(l->in_region, 0, l->o->n_blocks + 1);
    for (u4 i = 0; i < l->o->n_order; i++)
        if (is_shown_in(l->o, l->o->order[i], 0, object)) spread(l, l->o->order[i], def, &n_work);
    while (n_work) spread(l, l->work[--n_work], def, &n_work);
}

/* In front of node r of the block; 0: at its start. */
static bool is_known(const Locks *l, BlockRef b, Ref r, Ref object) {
    return l->in_region[b] || (r && is_shown_in(l->o, b, r, object));
}

static bool is_new(const Opt *o, Ref r) { return r && (opt_node(o, r)->op == OPT_NEW || opt_node(o, r)->op == OPT_NEW_ARRAY); }

/* The object whose monitor the frame of body s has by the State; 0: the State is not one of that body's code. */
static Ref object_of(const State *x, const OptScope *s) {
    while (x && x->scope != s) x = x->outer;
    return x && x->n_locals ? x->cells[0] : 0;
}

/* Somebody who looks while the body's code runs, or to whom it leaves, finds the object known to others. */
static bool is_seen_known(const Locks *l, const OptScope *s, Ref object) {
    for (u4 i = 0; i < l->o->n_order; i++) {
        BlockRef b = l->o->order[i];
        const Block *x = opt_block(l->o, b);
        if (x->state && object_of(x->state, s) == object && is_known(l, b, 0, object)) return true;
        for (Ref r = x->first; r; r = opt_node(l->o, r)->next) {
            const State *of = opt_node(l->o, r)->state;
            if (of && object_of(of, s) == object && is_known(l, b, r, object)) return true;
        }
    }
    return false;
}

/* All States of the body's code name it. */
static bool is_named(const Locks *l, const OptScope *s) {
    for (u4 i = 0; i < l->o->n_order; i++) {
        const Block *x = opt_block(l->o, l->o->order[i]);
        for (Ref r = x->first; r; r = opt_node(l->o, r)->next) {
            const State *of = opt_node(l->o, r)->state;
            while (of && of->scope != s) of = of->outer;
            if (of && (!of->n_locals || !is_new(l->o, of->cells[0]))) return false;
        }
    }
    return true;
}

/* All that takes and gives back the monitor in the region that r begins. */
static bool find_region(Locks *l, Ref r) {
    const Node *taking = opt_node(l->o, r);
    if (taking->op == OPT_MONITOR_ENTER) {
        if (!is_unseen(l, r) || l->n_found == MOST_JOINED) return false;
        l->found[l->n_found++] = r;
        return true;
    }
    l->n_found = 0;
    for (u4 i = 0; i < l->o->n_order; i++)
        for (Ref q = opt_block(l->o, l->o->order[i])->first; q; q = opt_node(l->o, q)->next) {
            const Node *n = opt_node(l->o, q);
            if (!n->state || !is_of_body(n) || n->state->scope != taking->state->scope) continue;
            if (l->n_found == MOST_JOINED) return false;
            l->found[l->n_found++] = q;
        }
    return true;
}

static bool is_of_new(const Opt *o, const Node *n) { return takes(n) && (n->kind || is_of_body(n)) && is_new(o, n->in[0]); }

/* Of node n of a region: copies of a body may have objects of their own. */
static bool is_unknown_at(Locks *l, Ref n, Ref *shown) {
    Ref object = opt_node(l->o, n)->in[0];
    const Node *x = opt_node(l->o, n);
    if (!is_new(l->o, object)) return false;
    if (object != *shown) {
        find_shown(l, *shown = object);
        if (is_of_body(x) && is_seen_known(l, x->state->scope, object)) return false;
    }
    return !is_known(l, x->block, n, object);
}

static bool is_unknown(Locks *l, Ref r) {
    Ref shown = 0;
    const Node *n = opt_node(l->o, r);
    if (!find_region(l, r) || (is_of_body(n) && !is_named(l, n->state->scope))) return false;
    for (u4 i = 0; i < l->n_found; i++)
        if (!is_unknown_at(l, l->found[i], &shown)) return false;
    return true;
}

/* The region that r begins takes none; who leaves it does. */
static void unlock_region(const Locks *l, Ref r) {
    const Node *n = opt_node(l->o, r);
    if (is_of_body(n)) scope_of(l->o, n)->monitor = MONITOR_LEFT;
    for (u4 i = 0; i < l->n_found; i++) opt_unlink(l->o, l->found[i]);
}

static void leave_out_unknown(Locks *l) {
    const Opt *o = l->o;
    u4 asked = 0;
    if (atomic_load_explicit(&vm_locals_are_read, memory_order_relaxed)) return;
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->first, next; r && asked < MOST_ASKED; r = next) {
            next = opt_node(o, r)->next;
            if (!is_of_new(o, opt_node(o, r))) continue;
            asked++;
            if (!is_unknown(l, r)) continue;
            unlock_region(l, r);
            next = opt_block(o, o->order[i])->first; /* what followed it may have gone, too */
        }
}

/* --- regions that are one --- */

static bool find_given(Locks *l, BlockRef b, Ref from, const Node *taking, u4 depth);

static bool find_before(Locks *l, BlockRef b, const Node *taking, u4 depth) {
    const Block *x = opt_block(l->o, b);
    if (x->loop_head || !x->n_preds || depth == MOST_DEPTH) return false;
    for (u4 p = 0; p < x->n_preds; p++) {
        BlockRef from = x->preds[p];
        if (opt_block(l->o, from)->n_succs != 1) return false;
        if (!find_given(l, from, opt_node(l->o, opt_block(l->o, from)->last)->prev, taking, depth + 1)) return false;
    }
    return true;
}

/* On all ways that end with node `from` of the block. */
static bool find_given(Locks *l, BlockRef b, Ref from, const Node *taking, u4 depth) {
    OptOp op = taking->op == OPT_LOCK ? OPT_UNLOCK : OPT_MONITOR_EXIT;
    for (Ref r = from; r; r = opt_node(l->o, r)->prev) {
        const Node *n = opt_node(l->o, r);
        if (n->op == op && n->in[0] == taking->in[0]) {
            if (l->n_found == MOST_JOINED) return false;
            l->found[l->n_found++] = r;
            return true;
        }
        if (n->state) return false;
    }
    return find_before(l, b, taking, depth);
}

static void take_out(Opt *o, Ref r) {
    scope_of(o, opt_node(o, r))->monitor = MONITOR_JOINED;
    opt_unlink(o, r);
}

static void join(Locks *l, Ref r) {
    const Node *n = opt_node(l->o, r);
    l->n_found = 0;
    if (!find_given(l, n->block, n->prev, n, 0)) return;
    for (u4 i = 0; i < l->n_found; i++) take_out(l->o, l->found[i]);
    take_out(l->o, r);
}

static void join_all(Locks *l) {
    for (u4 i = 0; i < l->o->n_order; i++)
        for (Ref r = opt_block(l->o, l->o->order[i])->first, next; r; r = next) {
            next = opt_node(l->o, r)->next;
            if (takes(opt_node(l->o, r)) && opt_node(l->o, r)->in[0]) join(l, r);
        }
}

/* --- the phases --- */

static bool are_any(const Opt *o) {
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->first; r; r = opt_node(o, r)->next)
            if (takes(opt_node(o, r)) || gives(opt_node(o, r))) return true;
    return false;
}

static bool init(Locks *l, Opt *o, bool last) {
    *l = (Locks){.o = o, .last = last};
    l->object = opt_alloc(o, (o->n_scopes + 1) * sizeof *l->object);
    l->seen = opt_alloc(o, o->n_scopes + 1);
    l->work = opt_alloc(o, (o->n_blocks + 1) * sizeof *l->work);
    l->in_region = opt_alloc(o, (o->n_blocks + 1) * sizeof *l->in_region);
    return !o->no_memory;
}

static void run(Opt *o, bool last) {
    Locks l;
    if (o->no_memory || o->why || !are_any(o) || !init(&l, o, last)) return;
    for (u4 i = 0; i < MOST_ROUNDS; i++) {
        look(&l);
        if (!leave_out(&l)) break;
    }
    mark(&l);
    if (!last) return;
    leave_out_unknown(&l);
    join_all(&l);
}

void opt_locks(Opt *o) { run(o, false); }
void opt_join_locks(Opt *o) { run(o, true); }

void opt_join_turns(Opt *o) {
    Locks l;
    if (!o->no_memory && !o->why && are_any(o) && init(&l, o, true)) join_all(&l);
}
