/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_outline.c - parts of a method that is too long become methods of their own (BCI_OUTLINE).
 *
 * A method's code may have 65,535 bytes (4.7.3). When edits make it longer, regions of it are moved
 * to new private static synthetic methods of the same class, and a call stands in their place.
 * This file says which regions can be moved and chooses some; bci_extract.c moves them.
 *
 * TERMS
 *   place    an instruction's number in the order in which regions are looked for: that of the
 *            list, but code of bci_on_edge, which stands at the end of the body, comes right
 *            behind the branch that it belongs to. So a branch and its edges are neighbours.
 *   region   places [from, to). Moved, it is a call.
 *   exit     the one place outside where control goes on behind the region.
 *   cover    exception rows next to each other in the table with the same handler and type.
 *   turn     a place where a cover starts or ends.
 *
 * A REGION CAN BE MOVED IF
 *   1. Control enters only at `from`: branches and throws to its other places come from inside.
 *   2. It ends in one way: all edges that leave it go to one place; or it leaves by return
 *      instructions only (the call is followed by a return); or never normally (it throws).
 *   3. The stack that it finds stays: no instruction takes what was there in front. dup and dup2 may
 *      copy it: then the call gets a copy (one or two slots). So elements of a long array initialiser
 *      can go, in which the array is on the stack from the first to the last.
 *   4. It leaves at most one value: one more value on the stack, or one local that it writes and
 *      that is read behind. This is the new method's result.
 *   5. The locals that it reads, and its result if that has a value before, have types that a
 *      descriptor can name, and are at most 255 slots: they are its parameters. `this` is one of them.
 *   6. Each cover whose handler is inside covers nothing outside, and moves too. Each other cover
 *      covers all of the region or none of it: it covers the call. What it writes must not be read
 *      by such a handler, which would see the old value.
 *   7. Locks: each way through the region leaves as many as it takes, none that it did not take, and
 *      what can throw in between is covered by a catch-any row inside, as javac makes it (2.11.10:
 *      a lock belongs to the frame that took it).
 *   8. It has nothing that is right only in this method: code in front of super(...), in which this
 *      is not initialised; writes of final fields (6.5 putfield, putstatic; enforced from version
 *      53 on); calls of getCallerClass (of Reflection or StackWalker), which looks at the caller of
 *      the method that calls it, and of a SecurityManager's getClassContext.
 *   9. It is reached. (Dead code may have any frame.)
 * invokespecial needs no rule: in a static method of the class it asks for an object of the class
 * (4.10.1.9), which the parameter that was `this` is.
 *
 * TYPES. Parameters have the types of the data flow in front of the region, the result that in front
 * of the exit, where the input's frames (or the merge) are what the code behind was checked against. In a
 * method without StackMapTable (versions below 50) merges of classes are not known here:
 * there, references of type Object or Throwable are not passed, for they may be merges.
 * In the new method the state at each label becomes a frame of the input, less what is not live; it takes part in the flow
 * like those of a compiler (BCI_FRAMES_KEEP). In the old one, locals that were written in a region and are not read behind
 * it are taken out of the frames of the input, for now nobody writes them.
 *
 * CHOICE. For each place where a region may begin, the longest region is looked for, or the shortest
 * that is enough, by going on place by place with what rules 1 to 6 need to know; most ways end
 * soon, at a place that is entered from in front. Inside a straight row of possible ends not every place is
 * tried as a beginning, only one for each 1/64 of the bytes that are wanted. Of all that were
 * found, one that is enough is taken, in as few loops as possible and as short as possible; if
 * none is, the longest, and then again among those that do not overlap it. Then the method is laid out anew; that is
 * repeated while it helps. Nothing depends on addresses, so the same input gives the same output.
 *
 * REJECTED. Regions by dominators and postdominators alone: they are whole blocks, but a class initialiser or
 * a generated table may be a single block of 60 KB. Results in an array or in fields: more regions,
 * but each call would allocate, or not be safe for threads.
 */
#include "bci_outline.h"

#include <stdlib.h>

enum {
    ROUNDS = 8,
    LEAST_GAIN = 8,       /* bytes: less is not worth a method */
    GRAIN = 64,           /* see CHOICE */
    FRAME_OF_PART = 1200, /* bytes that a new method may have beyond its region */
    LEAST_PART = 120      /* a lower limit (tests only) does not ask for shorter parts */
};
#define MOST_STEPS 100000000u /* of a search: then what has been found must do */
#define MOST_SETS (64u << 20) /* bytes of live sets */

typedef enum Why {
#define WHY(NAME, text) NAME,
#include "bci_outline.def"
#undef WHY
} Why;

static const char *const texts[] = {
#define WHY(NAME, text) text,
#include "bci_outline.def"
#undef WHY
};

char bci_type_letter(CfType t) {
    switch (cf_type_kind(t)) {
    case CF_T_INT: return 'I';
    case CF_T_FLOAT: return 'F';
    case CF_T_LONG: return 'J';
    case CF_T_DOUBLE: return 'D';
    case CF_T_OBJECT: return 'A';
    case CF_T_NULL: return 'N';
    default: return 0;
    }
}

static bool no_memory(const BciOutline *o) { return bci_refuse(o->code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory"); }

/* ---- places ---- */

/* The first instruction of bci_on_edge code, if `l` is its label; else NULL. */
static BciInsn *edge_code(const BciLabel *l) {
    const BciPoint *p = l->point;
    if (!p || !p->edge_of || !p->edge_goto || !l->placed || p->edge_goto->mark & (BCI_M_DELETED | BCI_M_MOVED)) return NULL;
    return bci_next(&l->node);
}

typedef struct Run { /* instructions that are still to be numbered */
    BciInsn *at, *last;
} Run;
typedef struct Runs {
    Run *v;
    uint32_t n, cap;
} Runs;

static bool push_edges(BciClass *c, Runs *runs, const BciInsn *i) {
    uint32_t fl = bci_flags(i), n = fl & CF_OF_SWITCH ? i->sw->n + 1 : (fl & CF_OF_BRANCH) != 0;
    while (n-- > 0) {
        const BciLabel *l = !(fl & CF_OF_SWITCH) ? i->target : n < i->sw->n ? i->sw->targets[n] : i->sw->deflt;
        BciInsn *first = edge_code(l);
        if (first && first->offset == BCI_NO_PLACE &&
            !BCI_PUSH(c, runs->v, runs->n, runs->cap, (Run){first, l->point->edge_goto}))
            return false;
    }
    return true;
}

static bool number_all(BciOutline *o) {
    BciClass *c = o->code->m->cls;
    Runs runs = {0};
    if (!BCI_PUSH(c, runs.v, runs.n, runs.cap, (Run){bci_first_insn(o->code), NULL})) return false;
    while (runs.n) {
        Run *r = &runs.v[runs.n - 1];
        BciInsn *i = r->at;
        if (!i) {
            runs.n--;
            continue;
        }
        r->at = i == r->last ? NULL : bci_next(i);
        if (i->offset != BCI_NO_PLACE) continue;
        i->offset = o->n;
        o->places[o->n++] = (BciPlace){.insn = i, .from_min = BCI_NO_PLACE, .starts = BCI_NO_PLACE, .ends = BCI_NO_PLACE};
        if (!push_edges(c, &runs, i)) return false;
    }
    return true;
}

/* Numbers the instructions, and gives labels the number of what they stand in front of. */
static bool make_places(BciOutline *o) {
    BciCode *code = o->code;
    uint32_t n = 0, before = 0, growth = 0;
    for (BciInsn *i = code->first; i; i = i->next)
        if (!bci_is_label(i)) i->offset = BCI_NO_PLACE, n++;
    o->places = CF_NEW_ARRAY(o->a, BciPlace, n + 1);
    if (!o->places || !number_all(o)) return false;
    uint32_t behind = o->n, order = n;
    for (BciInsn *i = code->last; i; i = i->prev) {
        if (bci_is_label(i)) {
            i->offset = behind;
        } else {
            behind = i->offset;
            o->places[behind].order = --order;
        }
    }
    for (uint32_t k = 0; k <= o->n; k++) {
        BciPlace *p = &o->places[k];
        p->before = before;
        p->growth = growth;
        if (k == o->n) break;
        uint32_t fl = bci_flags(p->insn), size = bci_insn_size(p->insn, 0);
        BciAccess x;
        before += size;
        if (bci_access(p->insn, &x)) growth += (x.reads && x.writes ? 6 : 4) - size;
        else growth += fl & CF_OF_SWITCH ? 3 : fl & CF_OF_BRANCH ? 5 : 0;
    }
    return true;
}

/* ---- where control goes ---- */

static void note_edge(BciOutline *o, uint32_t from, uint32_t to, uint32_t *n) {
    if (o->edges) o->edges[*n] = to;
    ++*n;
    if (to == from + 1 || to >= o->n) return;
    BciPlace *p = &o->places[to];
    if (from < p->from_min) p->from_min = from;
    if (from > p->from_max) p->from_max = from;
}

static uint32_t note_edges(BciOutline *o) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < o->n; k++) {
        const BciInsn *i = o->places[k].insn, *next = bci_next(i);
        uint32_t fl = bci_flags(i);
        o->places[k].edges = n;
        if (!(fl & CF_OF_END) && next) note_edge(o, k, next->offset, &n);
        if (fl & CF_OF_BRANCH) note_edge(o, k, bci_place_of(i->target), &n);
        for (uint32_t c = 0; fl & CF_OF_SWITCH && c <= i->sw->n; c++)
            note_edge(o, k, bci_place_of(c < i->sw->n ? i->sw->targets[c] : i->sw->deflt), &n);
    }
    o->places[o->n].edges = n;
    return n;
}

/* Loops: places between a branch and the place in front to which it goes. */
static bool count_loops(BciOutline *o) {
    int32_t *change = CF_NEW_ARRAY(o->a, int32_t, o->n + 2), now = 0;
    if (!change) return false;
    for (uint32_t k = 0; k < o->n; k++)
        for (uint32_t e = o->places[k].edges; e < o->places[k + 1].edges; e++)
            if (o->edges[e] <= k) {
                change[o->edges[e]]++;
                change[k + 1]--;
            }
    for (uint32_t k = 0; k < o->n; k++) {
        now += change[k];
        o->places[k].loops = (uint16_t)(now > UINT16_MAX ? UINT16_MAX : now);
    }
    return true;
}

static bool make_edges(BciOutline *o) {
    o->edges = NULL;
    uint32_t n = note_edges(o);
    o->edges = CF_NEW_ARRAY(o->a, uint32_t, n + 1);
    if (!o->edges) return false;
    note_edges(o);
    return count_loops(o);
}

static bool turn(BciOutline *o, uint32_t *chain, uint32_t cover) {
    if (!BCI_PUSH(o->code->m->cls, o->turns, o->nturns, o->cap_turns, (BciTurn){cover, *chain})) return false;
    *chain = o->nturns - 1;
    return true;
}

/* `covered` is all 0 before and afterwards. */
static bool read_cover(BciOutline *o, BciCover *v, uint8_t *covered) {
    v->first = BCI_NO_PLACE;
    v->last = 0;
    for (uint32_t r = v->row; r < v->row + v->rows; r++) {
        const BciTry *t = &o->code->tries[r].pub;
        for (const BciInsn *i = &t->start->node; i && i != &t->end->node; i = i->next)
            if (!bci_is_label(i)) {
                o->steps++;
                covered[i->offset] = 1;
                v->first = i->offset < v->first ? i->offset : v->first;
                v->last = i->offset > v->last ? i->offset : v->last;
            }
    }
    if (v->handler < o->n) {
        BciPlace *h = &o->places[v->handler];
        h->flags |= BCI_P_HANDLER;
        h->from_min = v->first < h->from_min ? v->first : h->from_min;
        h->from_max = v->first <= v->last && v->last > h->from_max ? v->last : h->from_max;
    }
    if (v->first > v->last) return true;
    for (uint32_t k = v->first; k <= v->last + 1 && k <= o->n; k++) {
        bool was = k > 0 && covered[k - 1], is = k < o->n && covered[k];
        if (is && !was && !turn(o, &o->places[k].starts, (uint32_t)(v - o->covers))) return false;
        if (was && !is && !turn(o, &o->places[k].ends, (uint32_t)(v - o->covers))) return false;
    }
    o->steps += v->last - v->first;
    memset(covered + v->first, 0, v->last - v->first + 1);
    return true;
}

static bool make_covers(BciOutline *o) {
    const BciCode *code = o->code;
    uint8_t *covered = CF_NEW_ARRAY(o->a, uint8_t, o->n + 1);
    o->covers = CF_NEW_ARRAY(o->a, BciCover, code->ntries + 1);
    if (!covered || !o->covers) return false;
    o->places[o->n].starts = o->places[o->n].ends = BCI_NO_PLACE;
    for (uint32_t r = 0; r < code->ntries; r++) {
        const BciTry *t = &code->tries[r].pub, *before = r ? &code->tries[r - 1].pub : NULL;
        if (before && before->type == t->type && bci_place_of(before->handler) == bci_place_of(t->handler)) {
            o->covers[o->ncovers - 1].rows++;
            continue;
        }
        o->covers[o->ncovers++] = (BciCover){r, 1, bci_place_of(t->handler), 0, 0};
    }
    for (uint32_t k = 0; k < o->ncovers && o->steps < MOST_STEPS; k++)
        if (!read_cover(o, &o->covers[k], covered)) return false;
    o->too_large |= o->steps >= MOST_STEPS;
    o->steps = 0;
    return true;
}

/* ---- what is where ---- */

static void see_live(void *ctx, const BciInsn *i, const uint64_t *live, const uint64_t *thrown) {
    BciOutline *o = ctx;
    uint64_t *set = o->live + (size_t)i->offset * o->words;
    for (uint32_t w = 0; w < o->words; w++) set[w] = live[w] | thrown[w];
}

static bool make_live(BciOutline *o, const BciCfg *g, const BciLiveness *l) {
    o->live = CF_NEW_ARRAY(o->a, uint64_t, (size_t)(o->n + 1) * o->words);
    for (uint32_t b = 0; o->live && b < g->nblocks; b++) bci_live_sets(l, b, see_live, o);
    return o->live != NULL;
}

static const uint64_t *live_at(const BciOutline *o, uint32_t place) { return o->live + (size_t)place * o->words; }

static bool is_final_write(const BciCode *code, const BciInsn *i) {
    CfStr owner, name, desc;
    const CfClass *c = code->m->cls->cf;
    if ((i->op != CF_OP_PUTFIELD && i->op != CF_OP_PUTSTATIC) || c->major < 53 ||
        !cf_member_ref(c, i->index, &owner, &name, &desc) || !cf_str_eq(owner, c->name))
        return false;
    const CfMember *f = cf_find_field((CfClass *)c, name, desc);
    return f && f->access & CF_ACC_FINAL;
}

/* Calls whose result depends on the method that makes them, not only on its class (as that of
 * MethodHandles.lookup does). getClassContext is a SecurityManager's, of any subclass. */
static bool looks_at_caller(const BciCode *code, const BciInsn *i) {
    CfStr owner, name, desc;
    if (!bci_is_invoke(i) || !cf_member_ref(code->m->cls->cf, i->index, &owner, &name, &desc)) return false;
    if (cf_str_is(name, "getClassContext")) return cf_str_is(desc, "()[Ljava/lang/Class;");
    return cf_str_is(name, "getCallerClass") &&
           (cf_str_is(owner, "jdk/internal/reflect/Reflection") || cf_str_is(owner, "sun/reflect/Reflection") ||
            cf_str_is(owner, "java/lang/StackWalker"));
}

static void see_frame(void *ctx, BciInsn *i, const CfFrame *fr) {
    BciOutline *o = ctx;
    BciPlace *p = &o->places[i->offset];
    unsigned pops = 0, pushes = 0;
    CfInsn in = {.op = (uint8_t)i->op, .index = i->index, .imm = i->value};
    if (!cf_insn_stack(o->code->m->cls->cf, &in, &pops, &pushes) || pops > fr->depth) return;
    p->depth = fr->depth;
    p->low = (uint16_t)(fr->depth - pops);
    if (i->op == CF_OP_DUP || i->op == CF_OP_DUP2) {
        p->low = fr->depth;
        p->peeks = i->op == CF_OP_DUP ? 1 : 2;
    }
    CfTypeKind top = fr->depth ? cf_type_kind(fr->stack[fr->depth - 1]) : CF_T_TOP;
    p->flags |= BCI_P_REACHED;
    if (top == CF_T_LONG2 || top == CF_T_DOUBLE2) p->flags |= BCI_P_TOP_WIDE | BCI_P_TOP_VALUE;
    else if (fr->depth && bci_type_letter(fr->stack[fr->depth - 1]) && top != CF_T_NULL) p->flags |= BCI_P_TOP_VALUE;
    if (bci_flags(i) & CF_OF_MONITOR) p->flags |= BCI_P_LOCK;
    p->fixed_why = fr->this_uninit               ? IS_UNINIT
                   : is_final_write(o->code, i)  ? IS_FINAL
                   : looks_at_caller(o->code, i) ? IS_CALLER
                                                 : FREE;
    if (p->fixed_why != FREE) p->flags |= BCI_P_FIXED;
}

/* Everything that the search asks for. The graph numbers instructions by block in BciInsn.offset,
 * places take that over when it is finished. */
static bool analyse(BciOutline *o) {
    const BciCfg *g = bci_cfg(o->code, BCI_CFG_SPLIT_THROW);
    const BciLiveness *l = bci_liveness(o->code, g);
    if (!l || !make_places(o)) return false;
    o->words = bci_live_words(l);
    o->too_large = (uint64_t)o->n * o->words * sizeof(uint64_t) > MOST_SETS;
    if (o->too_large) return true;
    if (!make_live(o, g, l) || !make_edges(o) || !make_covers(o) || !bci_each_frame(o->code, see_frame, o)) return false;
    for (uint32_t b = 0; b < g->nblocks; b++)
        for (const BciInsn *i = g->blocks[b].first; !g->blocks[b].reachable && i; i = bci_next(i)) {
            o->places[i->offset].flags &= (uint8_t)~BCI_P_REACHED;
            if (i == g->blocks[b].last) break;
        }
    return true;
}

/* ---- rule 7 ---- */

typedef struct Locks {
    const BciOutline *o;
    const BciRegion *r;
    uint8_t *held; /* by place of the region: locks in front, + 1; 0 = not known */
    uint32_t *todo, n;
} Locks;

static bool hold(Locks *l, uint32_t place, uint8_t held) {
    if (!bci_inside(l->r, place)) return held == 1;
    uint8_t *h = &l->held[place - l->r->from];
    if (*h == 0) {
        *h = held;
        l->todo[l->n++] = place;
    }
    return *h == held;
}

/* Into the handlers inside; true if one of them catches everything. */
static bool hold_thrown(Locks *l, uint32_t place, uint8_t held, bool *ok) {
    const BciOutline *o = l->o;
    bool all = false;
    for (uint32_t c = 0; c < o->ncovers && *ok; c++) {
        const BciCover *v = &o->covers[c];
        if (!bci_inside(l->r, v->handler) || place < v->first || place > v->last) continue;
        *ok = hold(l, v->handler, held);
        all |= o->code->tries[v->row].pub.type == 0;
    }
    return all;
}

static bool locks_match(const BciOutline *o, const BciRegion *r) {
    uint32_t n = r->to - r->from;
    Locks l = {o, r, CF_NEW_ARRAY(o->a, uint8_t, n), CF_NEW_ARRAY(o->a, uint32_t, n), 0};
    if (!l.held || !l.todo) return no_memory(o);
    bool ok = hold(&l, r->from, 1);
    while (ok && l.n) {
        uint32_t k = l.todo[--l.n];
        const BciPlace *p = &o->places[k];
        uint8_t held = l.held[k - r->from];
        if (bci_can_throw(p->insn) || p->flags & BCI_P_LOCK) ok = hold_thrown(&l, k, held, &ok) || (ok && held == 1);
        if (p->flags & BCI_P_LOCK) held = (uint8_t)(held + (p->insn->op == CF_OP_MONITORENTER ? 1 : -1));
        if (held == 0 || held > 200 || (bci_is_return(p->insn) && held != 1)) ok = false;
        for (uint32_t e = p->edges; e < p[1].edges && ok; e++) ok = hold(&l, o->edges[e], held);
    }
    return ok;
}

/* ---- search ---- */

/* A region that begins at `from`, as far as it has been gone through. */
typedef struct Scan {
    uint32_t from, need; /* it must reach up to `need` at least */
    uint32_t far1, far2; /* the two farthest places that it goes to, different */
    uint32_t back;       /* the place in front that it goes to */
    uint32_t lock_checks, locks;
    uint8_t peeks;
    bool returns;
    const uint32_t *around; /* covers of `from` */
    uint32_t naround;
    uint64_t *read, *written;
} Scan;

static void go_to(Scan *x, uint32_t to) {
    if (to > x->far1) {
        x->far2 = x->far1;
        x->far1 = to;
    } else if (to < x->far1 && to > x->far2) {
        x->far2 = to;
    }
}

/* Rule 6, for covers that start or end at a place inside. */
static bool turns_fit(const BciOutline *o, Scan *x, uint32_t chain) {
    for (uint32_t t = chain; t != BCI_NO_PLACE; t = o->turns[t].next) {
        const BciCover *v = &o->covers[o->turns[t].cover];
        if (v->first < x->from || v->handler <= x->from || v->handler >= o->n) return false;
        uint32_t end = (v->last > v->handler ? v->last : v->handler) + 1;
        x->need = end > x->need ? end : x->need;
    }
    return true;
}

/* Takes place `k` into the region, or tells why no region from here may hold it. */
static Why take(const BciOutline *o, Scan *x, uint32_t k) {
    const BciPlace *p = &o->places[k], *first = &o->places[x->from];
    if (k > x->from) {
        if (p->from_min < x->from) return IS_ENTERED;
        if (p->flags & BCI_P_HANDLER && first->depth) return IS_STACK;
        if (p->from_min <= p->from_max && p->from_max + 1 > x->need) x->need = p->from_max + 1;
        if (!turns_fit(o, x, p->starts) || !turns_fit(o, x, p->ends)) return IS_HANDLER;
    }
    if (!(p->flags & BCI_P_REACHED)) return IS_DEAD;
    if (p->flags & BCI_P_FIXED) return (Why)p->fixed_why;
    int under = first->depth - (p->peeks && p->depth - p->peeks < first->depth ? p->depth - p->peeks : first->depth);
    if (p->low < first->depth || under > 2) return IS_STACK;
    if (under > x->peeks) x->peeks = (uint8_t)under;
    if (x->peeks && (!(first->flags & BCI_P_TOP_VALUE) || (x->peeks == 1 && first->flags & BCI_P_TOP_WIDE))) return IS_STACK;
    for (uint32_t e = p->edges; e < p[1].edges; e++) {
        uint32_t to = o->edges[e];
        if (to >= o->n || (to < x->from && x->back != BCI_NO_PLACE && x->back != to)) return IS_EXIT;
        if (to < x->from) x->back = to;
        else go_to(x, to);
    }
    x->returns |= bci_is_return(p->insn);
    x->locks += (p->flags & BCI_P_LOCK) != 0;
    BciAccess c;
    if (bci_access(p->insn, &c))
        for (uint32_t s = c.slot; s < c.slot + c.slots && s < o->words * 64; s++) {
            if (c.reads) bci_set_bit(x->read, s);
            if (c.writes) bci_set_bit(x->written, s);
        }
    return FREE;
}

static uint32_t count_bits(const BciOutline *o, const uint64_t *a, const uint64_t *b) {
    uint32_t n = 0;
    for (uint32_t w = 0; w < o->words; w++) n += (uint32_t)__builtin_popcountll(a[w] & b[w]);
    return n;
}

/* Rules 2 and 4 for the region [from, to): where it ends, and with what. */
static Why find_exit(const BciOutline *o, const Scan *x, BciRegion *r) {
    bool forward = x->far1 >= r->to && x->far1 != BCI_NO_PLACE && x->far1 > x->from;
    if (forward && x->far2 >= r->to) return IS_EXIT;
    if (forward + (x->back != BCI_NO_PLACE) + x->returns > 1) return IS_EXIT;
    r->returns = x->returns;
    r->exit = forward ? x->far1 : x->back;
    if (r->exit == BCI_NO_PLACE) return FREE;
    const BciPlace *first = &o->places[r->from], *out = &o->places[r->exit];
    if (!(out->flags & BCI_P_REACHED) || out->depth < first->depth || out->depth > first->depth + 2) return IS_STACK;
    r->rise = (uint8_t)(out->depth - first->depth);
    if (r->rise && (!(out->flags & BCI_P_TOP_VALUE) || !(out->flags & BCI_P_TOP_WIDE) != (r->rise == 1))) return IS_STACK;
    uint32_t results = count_bits(o, x->written, live_at(o, r->exit));
    return results > (r->rise ? 0 : 2) ? IS_RESULT : FREE;
}

/* The rest of rule 6: no handler around reads what is written here. */
static bool handlers_agree(const BciOutline *o, const Scan *x, const BciRegion *r) {
    for (uint32_t k = 0; k < x->naround; k++) {
        const BciCover *v = &o->covers[x->around[k]];
        if (v->handler < o->n && !bci_inside(r, v->handler) && count_bits(o, x->written, live_at(o, v->handler))) return false;
    }
    return true;
}

/* May [from, to) be moved, and does it pay? */
static Why judge(BciOutline *o, Scan *x, uint32_t to, BciRegion *r) {
    *r = (BciRegion){.from = x->from, .to = to, .peeks = x->peeks, .loops = o->places[x->from].loops};
    Why why = find_exit(o, x, r);
    if (why != FREE) return why;
    if (!handlers_agree(o, x, r)) return IS_HANDLER;
    uint32_t args = count_bits(o, x->read, live_at(o, x->from)) + x->peeks;
    uint32_t bytes = o->places[to].before - o->places[x->from].before;
    uint32_t cost = 3 + (args - x->peeks) * (o->words > 5 ? 4 : 2) + (x->peeks != 0) +
                    (r->exit == BCI_NO_PLACE ? 2
                     : r->exit == to         ? 0
                                             : 5) +
                    (r->exit != BCI_NO_PLACE && !r->rise ? 2 : 0);
    if (args > 250) return IS_ARGS;
    if (bytes < cost + LEAST_GAIN) return IS_SHORT;
    r->gain = bytes - cost;
    if (x->locks && (x->lock_checks++ > 20 || !locks_match(o, r))) return IS_LOCK;
    return FREE;
}

/* The longest region from a place, or the shortest whose gain is enough, becomes a candidate; `row`
 * notes its possible ends. */
static void scan(BciOutline *o, Scan *x, uint32_t enough, uint32_t *row) {
    BciRegion best = {0}, r;
    uint32_t limit = o->code->m->cls->code_limit;
    Why why = FREE, last = IS_SHORT; /* what ended the search; what was wrong with the last end */
    limit = limit < LEAST_PART ? LEAST_PART : limit;
    for (uint32_t k = x->from; k < o->n && best.gain < enough; k++) {
        uint32_t bytes = o->places[k + 1].before - o->places[x->from].before;
        uint32_t more = o->places[k + 1].growth - o->places[x->from].growth + FRAME_OF_PART;
        o->steps++;
        why = bytes > limit || bytes + more > BCI_MAX_CODE ? IS_LONG : take(o, x, k);
        if (why != FREE) break;
        if (k + 1 < x->need) continue;
        why = judge(o, x, k + 1, &r);
        if (why != IS_EXIT && why != IS_STACK) row[k + 1] = x->from + 1;
        if (why == FREE && r.gain > best.gain) best = r;
        last = why;
        why = FREE;
    }
    if (best.gain) BCI_PUSH(o->code->m->cls, o->found, o->nfound, o->cap_found, best);
    else o->why[last == IS_SHORT && why != FREE ? why : last]++;
}

/* Keeps the covers of the place in hand. */
static uint32_t update_around(const BciOutline *o, uint32_t place, uint32_t *around, uint32_t n) {
    for (uint32_t t = o->places[place].ends; t != BCI_NO_PLACE; t = o->turns[t].next)
        for (uint32_t k = 0; k < n; k++)
            if (around[k] == o->turns[t].cover) {
                around[k] = around[--n];
                break;
            }
    for (uint32_t t = o->places[place].starts; t != BCI_NO_PLACE; t = o->turns[t].next) around[n++] = o->turns[t].cover;
    return n;
}

/* Looks for regions from every place where one may begin. */
static bool search(BciOutline *o, uint32_t enough) {
    uint32_t *row = CF_NEW_ARRAY(o->a, uint32_t, o->n + 2); /* by place: a beginning it is an end of, + 1 */
    uint32_t *around = CF_NEW_ARRAY(o->a, uint32_t, o->ncovers + 1), naround = 0;
    uint64_t *read = CF_NEW_ARRAY(o->a, uint64_t, o->words), *written = CF_NEW_ARRAY(o->a, uint64_t, o->words);
    if (!row || !around || !read || !written) return false;
    for (uint32_t k = 0; k < o->n && o->steps < MOST_STEPS; k++) {
        const BciPlace *p = &o->places[k];
        naround = update_around(o, k, around, naround);
        if (!(p->flags & BCI_P_REACHED) || p->flags & (BCI_P_FIXED | BCI_P_HANDLER)) continue;
        if (row[k] && p->before - o->places[row[k] - 1].before < enough / GRAIN) continue;
        memset(read, 0, o->words * sizeof *read);
        memset(written, 0, o->words * sizeof *written);
        Scan x = {.from = k,
                  .need = k + 1,
                  .back = BCI_NO_PLACE,
                  .around = around,
                  .naround = naround,
                  .read = read,
                  .written = written};
        scan(o, &x, enough, row);
        if (!bci_ok(o->code)) return false;
    }
    return true;
}

/* ---- what a chosen region takes and gives ---- */

/* Without frames of the input a merge of classes may have this type. */
static bool may_be_merge(const BciOutline *o, CfType t) {
    if (bci_wants_map(o->code) || cf_type_kind(t) != CF_T_OBJECT) return false;
    CfStr n = cf_type_name(&o->code->m->cls->types, t);
    while (n.len && *n.p == '[') n.p++, n.len--;
    return cf_str_is(n, "java/lang/Object") || cf_str_is(n, "java/lang/Throwable") || cf_str_is(n, "Ljava/lang/Object;") ||
           cf_str_is(n, "Ljava/lang/Throwable;");
}

static void put_type(const BciOutline *o, CfWriter *w, CfType t) {
    char letter = bci_type_letter(t);
    if (letter != 'A') return cf_w_u1(w, (unsigned char)letter);
    CfStr n = cf_type_name(&o->code->m->cls->types, t);
    bool array = n.len && *n.p == '[';
    if (!array) cf_w_u1(w, 'L');
    cf_w_bytes(w, n.p, n.len);
    if (!array) cf_w_u1(w, ';');
}

static bool passes(const BciOutline *o, CfType t) {
    char letter = bci_type_letter(t);
    return letter && letter != 'N' && !may_be_merge(o, t);
}

/* What the region reads and writes; `read` is what it may need from in front. */
static bool note_locals(const BciOutline *o, BciRegion *r, uint64_t *read, uint64_t *written) {
    for (uint32_t k = r->from; k < r->to; k++) {
        BciAccess x;
        if (!bci_access(o->places[k].insn, &x)) continue;
        for (uint32_t s = x.slot; s < x.slot + x.slots; s++) {
            if (x.reads) bci_set_bit(read, s);
            if (x.writes) bci_set_bit(written, s);
            bci_set_bit(r->touched, s);
        }
        if (x.slots == 2) bci_set_bit(r->linked, x.slot);
    }
    return true;
}

/* Rule 4: the local that is the result. */
static bool find_result(const BciOutline *o, BciRegion *r, const uint64_t *written, const CfFrame *out) {
    const uint64_t *live = live_at(o, r->exit);
    if (r->rise) {
        r->has_result = true;
        r->result_type = out->stack[out->depth - r->rise];
        return passes(o, r->result_type);
    }
    for (uint32_t s = 0; s < o->code->max_locals; s++) {
        if (!bci_bit(written, s) || !bci_bit(live, s)) continue;
        CfType t = out->locals[s];
        if (r->has_result && s == r->result.slot + 1 && (r->result.kind == 'J' || r->result.kind == 'D')) continue;
        if (r->has_result || !passes(o, t)) return false;
        r->has_result = true;
        r->result = (BciArg){s, bci_type_letter(t)};
        r->result_type = t;
    }
    return true;
}

/* Rule 5. */
static bool find_args(const BciOutline *o, BciRegion *r, const uint64_t *read, CfWriter *w) {
    const uint64_t *live = live_at(o, r->from);
    uint32_t n = 0;
    for (uint32_t s = 0; s < o->code->max_locals; s++) {
        bool result = r->result.kind && (s == r->result.slot);
        if (!bci_bit(live, s) || (!bci_bit(read, s) && !result)) continue;
        CfType t = r->in.locals[s];
        char letter = bci_type_letter(t);
        CfTypeKind kind = cf_type_kind(t);
        if ((kind == CF_T_LONG2 || kind == CF_T_DOUBLE2) && s && n && r->args[n - 1].slot == s - 1) continue;
        if (letter != 'N' && !passes(o, t)) return false;
        r->args[n++] = (BciArg){s, letter};
        bci_set_bit(r->touched, s);
        if (letter == 'N') continue;
        put_type(o, w, t);
        r->slots++;
        if (letter == 'J' || letter == 'D') {
            bci_set_bit(r->touched, s + 1);
            bci_set_bit(r->linked, s);
            r->slots++;
        }
    }
    r->nargs = n;
    return r->slots + r->peeks <= 255;
}

static bool find_peeks(const BciOutline *o, BciRegion *r, CfWriter *w) {
    for (uint32_t k = r->in.depth - r->peeks; k < r->in.depth; k++) {
        CfType t = r->in.stack[k];
        CfTypeKind kind = cf_type_kind(t);
        if (kind == CF_T_LONG2 || kind == CF_T_DOUBLE2) continue;
        if (!passes(o, t)) return false;
        put_type(o, w, t);
    }
    return true;
}

/* Slots that nobody writes any more for those that come behind; not those of the result. */
static void note_lost(const BciOutline *o, BciRegion *r, const uint64_t *written) {
    for (uint32_t w = 0; w < o->words; w++) r->lost[w] = written[w];
    if (!r->result.kind) return;
    r->lost[r->result.slot / 64] &= ~(1ull << (r->result.slot % 64));
    if (r->result.kind == 'J' || r->result.kind == 'D') {
        uint32_t s = r->result.slot + 1;
        r->lost[s / 64] &= ~(1ull << (s % 64));
    }
}

/* Descriptor and locals of a region that was chosen; false if types stand against it. */
static bool describe(const BciOutline *o, BciRegion *r) {
    CfFrame out = {0};
    CfWriter w;
    uint64_t *sets = CF_NEW_ARRAY(o->a, uint64_t, 5 * (size_t)o->words);
    r->args = CF_NEW_ARRAY(o->a, BciArg, o->code->max_locals + 1);
    if (r->exit != BCI_NO_PLACE) {
        r->exit_label = bci_label_of(o->code, o->places[r->exit].insn);
        if (!r->exit_label) return false;
        r->exit_label->node.offset = r->exit;
    }
    if (!sets || !r->args) return no_memory(o);
    if (!bci_frame_at(o->code, o->places[r->from].insn, o->a, &r->in) ||
        (r->exit != BCI_NO_PLACE && !bci_frame_at(o->code, o->places[r->exit].insn, o->a, &out)))
        return false;
    uint64_t *read = sets, *written = sets + o->words;
    r->touched = sets + 2 * o->words;
    r->linked = sets + 3 * o->words;
    r->lost = sets + 4 * o->words;
    cf_w_init(&w);
    cf_w_u1(&w, '(');
    note_locals(o, r, read, written);
    bool ok = (r->exit == BCI_NO_PLACE || find_result(o, r, written, &out)) && find_peeks(o, r, &w) && find_args(o, r, read, &w);
    note_lost(o, r, written);
    cf_w_u1(&w, ')');
    if (r->returns) cf_w_bytes(&w, bci_return_desc(o->code->m), strlen(bci_return_desc(o->code->m)));
    else if (r->has_result) put_type(o, &w, r->result_type);
    else cf_w_u1(&w, 'V');
    if (ok && !w.bad) r->desc = cf_arena_copy(o->a, w.data, w.len);
    if (ok && !r->desc) ok = no_memory(o);
    cf_w_free(&w);
    return ok;
}

/* ---- choice ---- */

/* Is `a` to be taken rather than `b`, when `want` bytes have to go? */
static bool better(const BciRegion *a, const BciRegion *b, uint32_t want) {
    bool enough = a->gain >= want, other = b->gain >= want;
    if (enough != other) return enough;
    if (enough && a->loops != b->loops) return a->loops < b->loops;
    if (a->gain != b->gain) return enough ? a->gain < b->gain : a->gain > b->gain;
    return a->loops != b->loops ? a->loops < b->loops : a->from < b->from;
}

static int by_place(const void *a, const void *b) {
    const BciRegion *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* Marks what is chosen; all other candidates are dead afterwards. */
static uint32_t choose(BciOutline *o, uint32_t want) {
    uint32_t n = 0;
    while (want) {
        BciRegion *best = NULL;
        for (uint32_t k = n; k < o->nfound; k++)
            if (!o->found[k].dead && (!best || better(&o->found[k], best, want))) best = &o->found[k];
        if (!best) break;
        if (!describe(o, best)) {
            if (!bci_ok(o->code)) return 0;
            best->dead = true;
            o->why[IS_ARGS]++;
            continue;
        }
        BciRegion taken = *best;
        *best = o->found[n];
        o->found[n++] = taken;
        want -= taken.gain < want ? taken.gain : want;
        for (uint32_t k = n; k < o->nfound; k++)
            if (o->found[k].from < taken.to && o->found[k].to > taken.from) o->found[k].dead = true;
    }
    if (n) qsort(o->found, n, sizeof *o->found, by_place);
    return n;
}

/* Locals that were written in a region only are in no frame of the input any more, where nobody
 * reads them. */
static void forget_locals(const BciOutline *o, uint32_t nregions) {
    for (BciInsn *i = o->code->first; i; i = i->next) {
        BciPoint *p = bci_is_label(i) ? bci_as_label(i)->point : NULL;
        if (!p || !p->orig || i->offset >= o->n) continue;
        const uint64_t *live = live_at(o, i->offset);
        CfFrame *fr = (CfFrame *)p->orig;
        for (uint32_t s = 0; s < fr->nlocals; s++) {
            bool lost = false;
            for (uint32_t k = 0; k < nregions && !lost; k++) lost = bci_bit(o->found[k].lost, s);
            if (!lost || bci_bit(live, s)) continue;
            CfTypeKind kind = cf_type_kind(fr->locals[s]);
            if ((kind == CF_T_LONG || kind == CF_T_DOUBLE) && s + 1 < fr->nlocals) fr->locals[s + 1] = CF_T_TOP;
            if ((kind == CF_T_LONG2 || kind == CF_T_DOUBLE2) && s) fr->locals[s - 1] = CF_T_TOP;
            fr->locals[s] = CF_T_TOP;
        }
    }
}

/* One round: the number of regions moved. */
static uint32_t one_round(BciCode *code, BciOutline *o, uint32_t want) {
    o->code = code;
    bool ok = analyse(o) && (o->too_large || search(o, want));
    o->why[IS_LARGE] = o->too_large;
    uint32_t n = ok && !o->too_large ? choose(o, want) : 0;
    if (n && bci_ok(code)) forget_locals(o, n);
    for (uint32_t k = 0; k < n && ok && bci_ok(code); k++) ok = bci_extract(o, &o->found[k]);
    if (!ok && bci_ok(code)) no_memory(o);
    return bci_ok(code) ? n : 0;
}

/* Why nothing of the method can be outlined, or NULL. */
static const char *impossible(const BciCode *code) {
    const CfClass *c = code->m->cls->cf;
    if (c->access & CF_ACC_INTERFACE && c->major < 52) return "interfaces have no private methods in class versions below 52";
    if (code->has_jsr) return "it has subroutines (jsr)";
    return NULL;
}

static const char *obstacle(const uint32_t *why) {
    uint32_t most = IS_SHORT;
    for (uint32_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (texts[k] && why[k] > why[most]) most = k;
    return texts[most];
}

static CfErrCode too_long(BciMethod *m, uint32_t wanted, uint32_t parts, const char *why) {
    char text[160];
    snprintf(text, sizeof text, "%s: %s", parts ? "outlining is not enough" : "nothing can be outlined", why);
    m->not_outlined = bci_zstr(m->cls, cf_str(text));
    return bci_fail(m, CF_ERR_LIMIT, BCI_NO_PC, "code of method %s%s in class %s would be %u bytes; the limit is %d; %s",
                    bci_method_name(m), bci_method_desc(m), bci_class_name(m->cls), wanted, BCI_MAX_CODE, text);
}

CfErrCode bci_outline(BciCode *code) {
    BciMethod *m = code->m;
    uint32_t limit = m->cls->code_limit, wanted = code->length, parts = 0, n = 0;
    const char *no = impossible(code), *why = NULL;
    for (int round = 0; !no && code->length > limit && round < ROUNDS; round++) {
        CfArena a;
        BciOutline o = {.a = &a};
        cf_arena_init(&a, "bci-outline", 0);
        n = one_round(code, &o, code->length - limit);
        parts += n;
        why = obstacle(o.why);
        cf_arena_free(&a);
        if (!bci_ok(code)) return m->err ? m->err->code : CF_ERR_NOMEM;
        CF_TRY(bci_settle(code));
        if (n == 0) break;
    }
    if (code->length <= BCI_MAX_CODE) return CF_OK;
    return too_long(m, wanted, parts, no ? no : why);
}
