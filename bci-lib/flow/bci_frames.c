/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_frames.c - max_stack and StackMapTable of edited methods by data flow, asking for no class.
 *
 * TERMS
 *   join    a label where flow can meet: branch target, handler, or place of a frame in the
 *           input. State is kept at joins only: they are the nodes of the engine (cf_dataflow.h).
 *   place   number of an instruction or label in the list: the engine's pc. Site of a label.
 *   hint    the frame of the input at a join.
 *
 * MODES
 *   KEEP     At a join with a hint the state IS the hint for the old locals and the stack; only
 *            locals made by bci_new_local are merged. What flows in is compared loosely
 *            (category, depth, initialised or not); a clash ends the run and the method is done
 *            again in RETYPE.
 *   REBUILD  Everything is merged. Where two classes differ, the hint's class is taken. This
 *            needs no hierarchy and is right: by induction each computed type is the hint's or
 *            one that verified against it. Only merges that the compiler never made (hint TOP or
 *            absent) go to the oracle, then to java/lang/Object, where nobody can use the value
 *            as more than that. If somebody does, the method fails (bci_uses.c).
 *   RETYPE   As REBUILD, but the oracle is asked before the hint: an edit contradicted the hints.
 *   SIZES    No StackMapTable is wanted (class versions below 50; methods with jsr; methods of
 *            version 50 that had none and rely on the old verifier): only max_stack matters.
 *
 * FIRST GUESSES. States only ever widen, so where the flow comes twice with A and then with a class that
 * A was merged into, a join with a hint ends at the hint, but one without (an edge's code, the skip of a
 * far branch) at Object, which is no more than the merge of a guess with its correction. If that happened,
 * these joins forget their states once the others stand, and the flow runs over them again. Where such a guess
 * meets a hint in between, the hint is taken: what really flows there was assignable to it. (With hints that
 * an edit contradicts, RETYPE, it may still end at Object.)
 *
 * STACK. A hint tells of the value of the input that stood in a slot. Where an edit has moved values to other slots,
 * they take their hints along (bci_origin.c); in KEEP the frame is given up.
 *
 * OTHER CLASSES. The loose comparison takes any class for any other, since the verifier has said so of
 * the input. It has not of what inserted code stores: a store that puts another class than before
 * into an old local is noted. Where a noted class meets a kept frame that names another one and the
 * oracle does not say that it is a subclass, the frame is given up for RETYPE. There the class is in
 * the frames as far as it comes; where it meets others and nobody knows what they have in common, the
 * hint would be a guess, and the method fails. (REBUILD takes the hint: the caller's word.)
 *
 * DEAD CODE. Code that flow does not reach but that starts at a frame of the input is kept with
 * that frame; new locals have their declared kind there, references are null: anything may be
 * claimed, since nothing flows in, and so inserted code that uses the locals still verifies.
 * Unreached code without a frame could not be verified and is deleted.
 *
 * The state of `new` results is UNINIT(site): the input's pc, or a number from BCI_NEW_SITE on for
 * inserted ones; the offset in the output replaces it when the table is written.
 */
#include "bci_flow.h"
#include "cf_dataflow.h"

typedef enum Mode { KEEP, REBUILD, RETYPE, SIZES } Mode;

/* Inserted code stores this class into this old local, which held another one. */
typedef struct Foreign {
    struct Foreign *next;
    uint32_t slot;
    CfType type;
} Foreign;

enum { MAX_GUESSES = 8 }; /* they are Object, Throwable, and arrays of Object: further ones are rare */

typedef struct Flow {
    BciCode *code;
    Mode mode;
    CfFlow f;
    CfCode shape; /* limits for cf_step */
    CfFrame cur;
    CfGraph g;
    CfCode places;               /* of the graph: how many there are */
    BciInsn **at;                /* by place */
    CfFlowRow *rows;             /* of code->tries, as places */
    BciLabel **joins;            /* by node */
    bool clash;                  /* KEEP only */
    CfType guesses[MAX_GUESSES]; /* made where classes met at a join that has no hint for them */
    uint32_t nguesses;
    uint16_t skip; /* flags of instructions that are passed over */
    uint32_t max_depth;
    struct Foreign *foreign;  /* not in REBUILD and SIZES */
    BciOrigin *origin;        /* of the values on cur.stack; NULL = no frame of the input names such values */
    const BciOrigin *results; /* of the instructions of the input */
    const BciCalled *called;  /* checked mode: the last inserted instruction that was stepped over */
} Flow;

static bool no_memory(BciCode *code) { return bci_refuse(code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory"); }

/* ---- merging ---- */

static CfType by_oracle(Flow *fl, CfType a, CfType b) {
    BciClass *c = fl->code->m->cls;
    const BciTypes *o = c->opt.types;
    if (!o || !o->common_super || cf_type_is_array(&c->types, a) || cf_type_is_array(&c->types, b)) return CF_T_TOP;
    const char *na = bci_zstr(c, cf_type_name(&c->types, a)), *nb = bci_zstr(c, cf_type_name(&c->types, b));
    const char *r = na && nb ? o->common_super(o->ctx, na, nb) : NULL;
    r = r ? bci_zstr(c, cf_str(r)) : NULL;
    return r ? cf_type_object(&c->types, cf_str(r)) : CF_T_TOP;
}

static bool is_guess(const Flow *fl, CfType t) {
    uint32_t k = 0;
    while (k < fl->nguesses && fl->guesses[k] != t) k++;
    return k < fl->nguesses;
}

static void note_guess(Flow *fl, CfType t) {
    if (fl->nguesses < MAX_GUESSES && !is_guess(fl, t)) fl->guesses[fl->nguesses++] = t;
}

static CfType merge_type(Flow *fl, CfType a, CfType b, CfType hint, bool caught) {
    CfTypes *t = fl->f.types;
    if (a == b) return a;
    CfTypeKind ka = cf_type_kind(a), kb = cf_type_kind(b);
    if (ka == CF_T_NULL && kb == CF_T_OBJECT) return b;
    if (kb == CF_T_NULL && ka == CF_T_OBJECT) return a;
    if (ka != CF_T_OBJECT || kb != CF_T_OBJECT) return CF_T_TOP;
    bool usable = cf_type_kind(hint) == CF_T_OBJECT;
    if (usable && fl->mode != RETYPE) return hint;
    CfType r = fl->mode == SIZES ? CF_T_TOP : by_oracle(fl, a, b);
    if (r != CF_T_TOP) return r;
    if (usable) return hint;
    r = cf_type_merge(t, a, b);
    if (caught && r == t->object) r = cf_type_fixed(t, CF_FIXED_THROWABLE);
    note_guess(fl, r);
    return r;
}

/* May a value of type `s` be where the input's frame says `o`, as far as can be told without
 * classes? */
static bool fits(CfType s, CfType o) {
    if (s == o || o == CF_T_TOP) return true;
    CfTypeKind ks = cf_type_kind(s);
    return cf_type_kind(o) == CF_T_OBJECT && (ks == CF_T_NULL || ks == CF_T_OBJECT);
}

static CfType hint_local(const CfFrame *h, uint32_t i) { return h && i < h->nlocals ? h->locals[i] : CF_T_TOP; }
/* For slot `i` of `depth`: what the frame says of the value that is there now (bci_origin.c). */
static CfType hint_stack(const CfFrame *h, uint32_t i, uint32_t depth, BciOrigin origin) {
    if (origin == BCI_NOWHERE) origin = h && h->depth == depth ? (BciOrigin)i : BCI_UNSURE;
    return h && origin < h->depth ? h->stack[origin] : CF_T_TOP;
}

static bool is_foreign(const Flow *fl, uint32_t slot, CfType t) {
    const Foreign *k = fl->foreign;
    while (k && (k->slot != slot || k->type != t)) k = k->next;
    return k != NULL;
}

/* A class noted for the slot where the frame says another one: is it a subclass of that? */
static bool foreign_fits(Flow *fl, uint32_t slot, CfType s, CfType o) {
    return s == o || o == CF_T_TOP || o == fl->f.types->object || !is_foreign(fl, slot, s) || by_oracle(fl, s, o) == o;
}

static bool fits_hint(Flow *fl, const CfFrame *h, const CfFrame *s) {
    if (s->depth != h->depth || s->this_uninit != h->this_uninit) return false;
    for (uint32_t i = 0; i < h->nlocals; i++)
        if (!fits(s->locals[i], h->locals[i]) || (fl->foreign && !foreign_fits(fl, i, s->locals[i], h->locals[i]))) return false;
    for (uint32_t i = 0; i < h->depth; i++)
        if (!fits(s->stack[i], h->stack[i]) || (fl->origin && fl->origin[i] != BCI_NOWHERE && fl->origin[i] != i)) return false;
    return true;
}

/* FIRST GUESSES above. */
static CfType no_guess(const Flow *fl, CfType s, CfType hint) {
    return fl->nguesses && fl->mode == REBUILD && cf_type_kind(hint) == CF_T_OBJECT && is_guess(fl, s) ? hint : s;
}

static CfType stack_hint(const BciPoint *p, uint32_t i) {
    return hint_stack(p->orig, i, p->in.depth, p->origin ? p->origin[i] : BCI_NOWHERE);
}

/* First arrival at a join. */
static bool first_state(Flow *fl, BciPoint *p, const CfFrame *s) {
    CfArena *a = &fl->code->m->cls->scratch;
    uint32_t n = fl->shape.max_locals, old = fl->code->orig_locals;
    const CfFrame *h = fl->mode == KEEP ? p->orig : NULL;
    p->in = (CfFrame){.nlocals = (uint16_t)n, .depth = s->depth, .this_uninit = s->this_uninit};
    p->in.locals = cf_arena_alloc(a, n * sizeof(CfType));
    p->in.stack = cf_arena_alloc(a, s->depth * sizeof(CfType));
    if (fl->origin && (p->origin = cf_arena_alloc(a, (s->depth + 1u) * sizeof *p->origin)))
        memcpy(p->origin, fl->origin, s->depth * sizeof *p->origin);
    if (!p->in.locals || !p->in.stack || (fl->origin && !p->origin)) return no_memory(fl->code);
    for (uint32_t i = 0; i < n; i++)
        p->in.locals[i] = h && i < old ? hint_local(h, i) : no_guess(fl, s->locals[i], hint_local(p->orig, i));
    for (uint32_t i = 0; i < s->depth; i++) p->in.stack[i] = h ? h->stack[i] : no_guess(fl, s->stack[i], stack_hint(p, i));
    return p->reached = true;
}

static bool note_foreign(Flow *fl, const BciInsn *i) {
    const CfFrame *cur = &fl->cur;
    if (cur->depth == 0 || i->index >= fl->code->orig_locals) return true;
    CfType t = cur->stack[cur->depth - 1];
    if (cf_type_kind(t) != CF_T_OBJECT || cur->locals[i->index] == t || is_foreign(fl, i->index, t)) return true;
    Foreign *k = cf_arena_alloc(&fl->code->m->cls->scratch, sizeof *k);
    if (!k) return no_memory(fl->code);
    *k = (Foreign){fl->foreign, i->index, t};
    fl->foreign = k;
    return true;
}

/* A noted class and another one were merged into the hint's, which is neither's known superclass. */
static bool guessed(Flow *fl, const BciLabel *l, uint32_t slot, CfType was, CfType now) {
    const BciPoint *p = l->point;
    CfType hint = hint_local(p->orig, slot), foreign = is_foreign(fl, slot, now) ? now : was;
    if (cf_type_kind(hint) != CF_T_OBJECT || p->in.locals[slot] != hint || foreign == hint || hint == fl->f.types->object ||
        !is_foreign(fl, slot, foreign) || by_oracle(fl, foreign, hint) == hint)
        return false;
    const BciInsn *i = &l->node;
    while (i && i->pc == BCI_NO_PC) i = i->next;
    bci_fail(fl->code->m, CF_ERR_VERIFY, i ? i->pc : BCI_NO_PC,
             "inserted code stores %.*s into local %u, which is %.*s at %u: not known to be a subclass "
             "(cast it, give BciTypes, or use BCI_FRAMES_REBUILD)",
             CF_STR_ARGS(cf_type_name(fl->f.types, foreign)), slot, CF_STR_ARGS(cf_type_name(fl->f.types, hint)), i ? i->pc : 0);
    return true;
}

/* -1: it fails. */
static int merge_state(Flow *fl, BciLabel *l, const CfFrame *s) {
    BciPoint *p = l->point;
    bool kept = fl->mode == KEEP && p->orig;
    bool changed = false;
    for (uint32_t i = kept ? fl->code->orig_locals : 0; i < fl->shape.max_locals; i++) {
        CfType old = p->in.locals[i], hint = hint_local(p->orig, i), now = no_guess(fl, s->locals[i], hint);
        if (old == now) continue;
        p->in.locals[i] = merge_type(fl, old, now, hint, false);
        changed |= p->in.locals[i] != old;
        if (fl->foreign && guessed(fl, l, i, old, now)) return -1;
    }
    for (uint32_t i = 0; p->origin && i < s->depth; i++) {
        BciOrigin both = bci_meet_origins(p->origin[i], fl->origin[i]);
        changed |= both != p->origin[i];
        p->origin[i] = both;
    }
    for (uint32_t i = 0; i < s->depth && !kept; i++) {
        CfType old = p->in.stack[i], hint = stack_hint(p, i), now = no_guess(fl, s->stack[i], hint);
        if (old == now) continue;
        p->in.stack[i] = merge_type(fl, old, now, hint, l->is_handler);
        changed |= p->in.stack[i] != old;
    }
    p->in.this_uninit |= s->this_uninit;
    return changed;
}

/* Checked mode: an error is where flow comes from the code that call inserted. */
static void blame(Flow *fl) {
    BciMethod *m = fl->code->m;
    m->call_file = fl->called ? fl->called->file : NULL;
    m->call_line = fl->called ? fl->called->line : 0;
}

/* Flow of state `s`, which comes from `pc`, into a join. 1: its state has changed; -1 ends the flow (error or clash). */
static int arrive(Flow *fl, BciLabel *l, const CfFrame *s, uint32_t pc) {
    BciPoint *p = l->point;
    if (fl->mode == KEEP && p->orig && !fits_hint(fl, p->orig, s)) {
        fl->clash = true;
        return -1;
    }
    if (!p->reached) return first_state(fl, p, s) ? 1 : -1;
    if (p->in.depth == s->depth) return merge_state(fl, l, s);
    blame(fl);
    bci_fail(fl->code->m, CF_ERR_VERIFY, pc, "stack depth %u meets depth %u at a branch target", s->depth, p->in.depth);
    return -1;
}

static inline int meet(void *ctx, uint32_t node, uint32_t via) {
    Flow *fl = ctx;
    if (!cf_by_row(via)) return arrive(fl, fl->joins[node], &fl->cur, via == CF_BY_JUMP ? fl->at[fl->g.pc]->pc : BCI_NO_PC);
    const BciTry *row = &fl->code->tries[via].pub;
    CfType caught = row->type ? cf_type_const(fl->f.types, row->type) : cf_type_fixed(fl->f.types, CF_FIXED_THROWABLE);
    CfFrame s = fl->cur;
    s.stack = &caught;
    s.depth = 1;
    BciOrigin made = BCI_NOWHERE, *origin = fl->origin;
    fl->origin = origin ? &made : NULL;
    int r = arrive(fl, fl->joins[node], &s, BCI_NO_PC);
    fl->origin = origin;
    return r;
}

/* ---- preparing ---- */

/* Rows as places: from the first instruction that they cover. Those that cover none, or whose labels are not placed yet
 * (bci_mark_init on a half-made list), are empty. */
static void set_rows(Flow *fl) {
    const BciCode *code = fl->code;
    CfGraph *g = &fl->g;
    g->rows_from = fl->places.code_len;
    for (uint32_t k = 0; k < code->ntries; k++) {
        const BciTry *t = &code->tries[k].pub;
        CfFlowRow *r = &fl->rows[k];
        *r = (CfFlowRow){0, 0, -1};
        if (!t->start->placed || !t->end->placed) continue;
        uint32_t start = t->start->node.site, end = t->end->node.site;
        while (start < end && g->marks[start] & CF_AT_NOTHING) start++;
        if (start >= end) continue;
        *r = (CfFlowRow){start, end, t->handler->placed ? (int64_t)t->handler->node.site : -1};
        g->marks[start] |= CF_AT_ROW;
        g->rows_from = start < g->rows_from ? start : g->rows_from;
        g->rows_to = end > g->rows_to ? end : g->rows_to;
    }
}

/* Numbers the places, finds the joins, and clears what an earlier run left. */
static bool number_places(Flow *fl, uint32_t n) {
    BciCode *code = fl->code;
    uint32_t at = 0;
    for (BciInsn *i = code->first; i; i = i->next, at++) {
        fl->at[at] = i;
        i->mark &= (uint16_t) ~(BCI_M_REACHED | BCI_M_UNINIT | BCI_M_INIT);
        fl->g.marks[at] = bci_is_label(i) || i->flags & fl->skip ? CF_AT_NOTHING : 0;
        if (!bci_is_label(i)) continue;
        BciLabel *l = bci_as_label(i);
        bool join = l->is_target || l->is_handler || (l->point && l->point->orig);
        i->site = at;
        if (join && !bci_point(code, l)) return false;
        if (l->point) {
            l->point->reached = false;
            l->point->origin = NULL;
            l->point->join = join;
        }
        if (!join) continue;
        fl->g.marks[at] |= CF_AT_NODE;
        fl->g.pcs[fl->g.n] = at;
        fl->joins[fl->g.n++] = l;
    }
    return at == n;
}

static bool prepare(Flow *fl) {
    BciCode *code = fl->code;
    CfArena *a = &code->m->cls->scratch;
    uint32_t n = 0;
    for (const BciInsn *i = code->first; i; i = i->next) n++;
    fl->places = (CfCode){.code_len = n, .handlers = {.count = code->ntries}};
    fl->g = (CfGraph){.code = &fl->places,
                      .most = UINT64_MAX,
                      .marks = cf_arena_alloc(a, n + 1u),
                      .flags = cf_arena_calloc(a, code->nlabels + 1u, 1),
                      .pcs = cf_arena_alloc(a, (code->nlabels + 1u) * sizeof(uint32_t))};
    fl->joins = cf_arena_alloc(a, (code->nlabels + 1u) * sizeof *fl->joins);
    fl->at = cf_arena_alloc(a, (n + 1u) * sizeof *fl->at);
    fl->rows = cf_arena_alloc(a, (code->ntries + 1u) * sizeof *fl->rows);
    if (!fl->g.marks || !fl->g.flags || !fl->g.pcs || !fl->joins || !fl->at || !fl->rows || !number_places(fl, n) ||
        !cf_graph_number(&fl->g, a))
        return false;
    set_rows(fl);
    return true;
}

/* ---- running ---- */

static CfInsn view(const BciInsn *i) {
    return (CfInsn){.pc = i->op == CF_OP_NEW   ? i->site
                          : i->pc == BCI_NO_PC ? 0
                                               : i->pc,
                    .op = (uint8_t)i->op,
                    .wide = i->flags & BCI_F_WIDE,
                    .index = i->index,
                    .imm = i->value};
}

static bool step_failed(Flow *fl, const BciInsn *i) {
    static const char *const why[] = {[CF_WHY_OVERFLOW] = "operand stack overflow",
                                      [CF_WHY_UNDERFLOW] = "operand stack underflow",
                                      [CF_WHY_POOL_INDEX] = "bad constant-pool index",
                                      [CF_WHY_LOCAL_INDEX] = "bad local variable"};
    unsigned w = fl->f.error.why;
    blame(fl);
    if (w == CF_WHY_NOMEM) return no_memory(fl->code);
    return bci_refuse(fl->code->m, CF_ERR_VERIFY, i->pc, "%s at %s%s",
                      w < sizeof why / sizeof *why && why[w] ? why[w] : "bad code", i->flags & BCI_F_NEW ? "inserted " : "",
                      bci_op_name(i->op));
}

static inline int step(void *ctx, const CfInsn *at) {
    Flow *fl = ctx;
    BciInsn *i = fl->at[at->pc];
    uint32_t flags = bci_flags(i);
    CfFrame *cur = &fl->cur;
    bool uninit = cur->this_uninit;
    if (i->flags & BCI_F_CALLED) fl->called = (const BciCalled *)i;
    i->mark |= BCI_M_REACHED | (uninit ? BCI_M_UNINIT : 0);
    CfInsn in = view(i);
    if (flags & CF_OF_STORE && i->flags & BCI_F_NEW && (fl->mode == KEEP || fl->mode == RETYPE) && !note_foreign(fl, i))
        return -1;
    if (!cf_step(&fl->f, &in, cur)) return step_failed(fl, i) ? 0 : -1;
    if (fl->origin) bci_step_origins(fl->code, fl->results, i, fl->origin, cur->depth);
    if (cur->depth > fl->max_depth) fl->max_depth = cur->depth;
    if (uninit && !cur->this_uninit) i->mark |= BCI_M_INIT;
    /* The initialised state counts for the handlers even if the range ends here. */
    return i->op == CF_OP_INVOKESPECIAL ? CF_STEP_LOCALS | CF_STEP_BOTH : bci_changes_locals(i) ? CF_STEP_LOCALS : 0;
}

/* The subroutine has taken the address. */
static void returned(void *ctx, const CfInsn *jsr) { ((Flow *)ctx)->cur.depth--; }

static int64_t place_of(const BciLabel *l) { return l->placed ? (int64_t)l->node.site : -1; }

static inline void insn_at(void *ctx, uint32_t at, CfInsn *out) {
    const BciInsn *i = ((Flow *)ctx)->at[at];
    uint32_t flags = bci_flags(i);
    *out = (CfInsn){.pc = at, .len = 1, .op = (uint8_t)i->op};
    if (flags & CF_OF_BRANCH) out->target = (int32_t)place_of(i->target);
    else if (flags & CF_OF_SWITCH) out->target = (int32_t)place_of(i->sw->deflt), out->cases = i->sw->n;
}

static int64_t case_at(void *ctx, uint32_t at, uint32_t k) { return place_of(((Flow *)ctx)->at[at]->sw->targets[k]); }

static inline CfFlowRow row_at(void *ctx, uint32_t k) { return ((Flow *)ctx)->rows[k]; }

static int stuck(void *ctx, CfStuck why, int64_t place, uint32_t via) {
    Flow *fl = ctx;
    if (why != CF_STUCK_END) return 0; /* a target that is not placed, on a half-made list */
    blame(fl);
    bci_fail(fl->code->m, CF_ERR_VERIFY, BCI_NO_PC, "control falls off the end of the code");
    return -1;
}

static inline void set_state(Flow *fl, const BciPoint *p) {
    const CfFrame *s = &p->in;
    CfFrame *cur = &fl->cur;
    memcpy(cur->locals, s->locals, fl->shape.max_locals * sizeof(CfType));
    memcpy(cur->stack, s->stack, s->depth * sizeof(CfType));
    if (fl->origin) memcpy(fl->origin, p->origin, s->depth * sizeof *fl->origin);
    cur->nlocals = (uint16_t)fl->shape.max_locals;
    cur->depth = s->depth;
    cur->this_uninit = s->this_uninit;
    if (s->depth > fl->max_depth) fl->max_depth = s->depth;
}

static bool load_state(Flow *fl, BciLabel *l) {
    if (l->point->in.depth > fl->shape.max_stack) return false;
    set_state(fl, l->point);
    return true;
}

static inline void load(void *ctx, uint32_t node) {
    Flow *fl = ctx;
    set_state(fl, fl->joins[node]->point);
}

static bool drain(Flow *fl, bool entry) {
    static const CfFlowOps ops = {meet, load, step, returned, stuck, insn_at, case_at, row_at, NULL};
    return cf_flow_run(&fl->g, &ops, fl, entry) == 0;
}

static bool from_entry(Flow *fl) {
    if (!cf_frame_entry(&fl->f, &fl->cur))
        return bci_refuse(fl->code->m, CF_ERR_VERIFY, BCI_NO_PC, "arguments do not fit the locals");
    return drain(fl, true);
}

/* FIRST GUESSES above. */
static bool correct_guesses(Flow *fl) {
    for (uint32_t k = 0; k < fl->g.n; k++) {
        BciPoint *p = fl->joins[k]->point;
        p->reached &= p->orig != NULL;
        fl->g.flags[k] = p->reached ? CF_NODE_REACHED | CF_NODE_DIRTY : 0;
    }
    return from_entry(fl);
}

/* State for dead code with a frame of the input. */
static bool seed_dead(Flow *fl, uint32_t k) {
    BciCode *code = fl->code;
    BciPoint *p = fl->joins[k]->point;
    CfFrame *s = &fl->cur;
    for (uint32_t i = 0; i < fl->shape.max_locals; i++) {
        char kind = i < code->orig_locals ? 0 : code->local_kinds[i - code->orig_locals];
        char before = i > code->orig_locals ? code->local_kinds[i - 1 - code->orig_locals] : 0;
        CfTypeKind t = kind == 'I'     ? CF_T_INT
                       : kind == 'J'   ? CF_T_LONG
                       : kind == 'F'   ? CF_T_FLOAT
                       : kind == 'D'   ? CF_T_DOUBLE
                       : kind == 'A'   ? CF_T_NULL
                       : before == 'J' ? CF_T_LONG2
                                       : CF_T_DOUBLE2;
        s->locals[i] = i < code->orig_locals ? hint_local(p->orig, i) : cf_type_make(t, 0);
    }
    if (p->orig->depth > fl->shape.max_stack) return false;
    memcpy(s->stack, p->orig->stack, p->orig->depth * sizeof(CfType));
    s->depth = p->orig->depth;
    for (uint32_t i = 0; fl->origin && i < s->depth; i++) fl->origin[i] = (BciOrigin)i;
    s->this_uninit = p->orig->this_uninit;
    if (!first_state(fl, p, s)) return false;
    fl->g.flags[k] = CF_NODE_REACHED | CF_NODE_DIRTY;
    return drain(fl, false);
}

/* A guess that is not good enough for an instruction, see bci_uses.c. */
static bool guess_lacks(Flow *fl, const BciInsn *i) {
    BciMethod *m = fl->code->m;
    CfStr wanted;
    if (!bci_use_lacks(fl->code, fl->f.types, &fl->cur, i, m->no_frames, &wanted)) return false;
    m->call_file = NULL;
    bci_fail(m, CF_ERR_VERIFY, i->pc,
             "%s%s wants %.*s where different classes have met, and nobody knows what they have in common (give BciTypes, or "
             "insert a cast)",
             i->pc == BCI_NO_PC ? "inserted " : "", bci_op_name(i->op), CF_STR_ARGS(wanted));
    return true;
}

static bool has_guess(const Flow *fl, const CfFrame *s) {
    bool found = false;
    for (uint32_t i = 0; i < s->nlocals && !found; i++) found = is_guess(fl, s->locals[i]);
    for (uint32_t i = 0; i < s->depth && !found; i++) found = is_guess(fl, s->stack[i]);
    return found;
}

/* From a join to the next one, or to where flow ends. */
static bool guess_suffices(Flow *fl, BciLabel *l) {
    if (!load_state(fl, l)) return false;
    for (const BciInsn *i = l->node.next; i; i = i->next) {
        if (bci_is_label(i) || i->flags & fl->skip) {
            const BciPoint *p = bci_is_label(i) ? ((const BciLabel *)i)->point : NULL;
            if (p && p->join) return true;
            continue;
        }
        CfInsn in = view(i);
        if (guess_lacks(fl, i) || !cf_step(&fl->f, &in, &fl->cur)) return false;
        if (bci_is_end(i)) return true;
    }
    return true;
}

/* With all states settled: do the guesses, which begin at joins, do for those who use them? */
static bool guesses_suffice(Flow *fl) {
    bool ok = true;
    for (uint32_t k = 0; k < fl->g.n && ok; k++)
        if (fl->joins[k]->point->reached && has_guess(fl, &fl->joins[k]->point->in)) ok = guess_suffices(fl, fl->joins[k]);
    return ok;
}

static bool origin_room(Flow *fl, CfArena *a) {
    if (fl->mode == SIZES || !bci_wants_origins(fl->code, fl->mode == KEEP)) return true;
    fl->results = bci_result_slots(fl->code, a);
    fl->origin = cf_arena_alloc(a, (fl->shape.max_stack + 2u) * sizeof *fl->origin);
    return fl->results && fl->origin;
}

static bool flow(Flow *fl) {
    BciCode *code = fl->code;
    CfArena *scratch = &code->m->cls->scratch;
    if (!bci_frame_room(scratch, &fl->shape, &fl->cur) || !origin_room(fl, scratch) || !prepare(fl)) return no_memory(code);
    if (!cf_flow_init(&fl->f, &code->m->cls->types, bci_member(code->m), &fl->shape, false))
        return bci_refuse(code->m, CF_ERR_VERIFY, BCI_NO_PC, "arguments do not fit the locals");
    if (!from_entry(fl) || (fl->nguesses && fl->mode != SIZES && !correct_guesses(fl))) return false;
    if (fl->mode != SIZES)
        for (uint32_t k = 0; k < fl->g.n; k++)
            if (!fl->joins[k]->point->reached && fl->joins[k]->point->orig && !seed_dead(fl, k)) return false;
    return !fl->nguesses || fl->mode == SIZES || guesses_suffice(fl);
}

static Flow new_flow(BciCode *code, Mode mode) {
    Flow fl = {.code = code, .mode = mode, .shape = code->orig};
    uint64_t depth = code->orig.max_stack + 2ull * code->edits + 8;
    fl.shape.max_stack = (uint16_t)(depth > 65530 ? 65530 : depth);
    fl.shape.max_locals = (uint16_t)code->max_locals;
    return fl;
}

/* Computes states at all joins, marks reached instructions, sets max_stack. */
static CfErrCode flow_in(BciCode *code, Mode mode) {
    BciClass *c = code->m->cls;
    if (!bci_unfold(code)) return code->m->err ? code->m->err->code : CF_ERR_NOMEM;
    Flow fl = new_flow(code, mode);
    if (!bci_types(c)) return CF_ERR_NOMEM;
    bool ok = flow(&fl);
    code->max_stack = fl.max_depth;
    if (mode == SIZES && code->orig.max_stack > code->max_stack) code->max_stack = code->orig.max_stack;
    if (ok) return CF_OK;
    if (fl.clash) return flow_in(code, RETYPE);
    return code->m->err ? code->m->err->code : bci_fail(code->m, CF_ERR_VERIFY, BCI_NO_PC, "types cannot be computed");
}

static Mode mode_of(const BciCode *code) {
    return !bci_wants_map(code) ? SIZES : code->m->cls->opt.frames == BCI_FRAMES_REBUILD ? REBUILD : KEEP;
}

#ifdef GRAFT_DEBUG
bool bci_frames_hold(BciCode *code, bool of_input, uint32_t *max_stack) {
    CfError *err = code->m->err;
    bool ok = bci_unfold(code) && bci_types(code->m->cls);
    Flow fl = new_flow(code, mode_of(code));
    fl.skip = of_input ? BCI_F_NEW : 0;
    ok = ok && flow(&fl) && !fl.clash;
    for (uint32_t k = 0; ok && fl.mode == KEEP && k < fl.g.n; k++)
        ok = fl.joins[k]->point->orig || !(fl.joins[k]->node.mark & BCI_M_OLD);
    for (const BciInsn *i = code->first; ok && i; i = i->next)
        ok = bci_is_label(i) || i->mark & BCI_M_REACHED || i->flags & fl.skip;
    if (!err && code->m->err && code->m->err->code == CF_ERR_NOMEM) ok = true;
    code->m->err = err;
    *max_stack = fl.max_depth;
    return ok;
}
#endif

/* Flow in the right mode with deletion of dead code; *deleted tells if there was any. */
static CfErrCode compute(BciCode *code, bool *deleted) {
    *deleted = false;
    CF_TRY(flow_in(code, mode_of(code)));
    if (!bci_wants_map(code)) return CF_OK;
    for (BciInsn *i = code->first, *next; i; i = next) {
        next = i->next;
        if (!bci_is_label(i) && !(i->mark & BCI_M_REACHED)) {
            bci_delete(code, i);
            *deleted = true;
        }
    }
    return CF_OK;
}

bool bci_mark_init(BciCode *code) {
    if (!bci_unfold(code)) return false;
    code->m->cls->flow_of = NULL;
    cf_arena_reset(&code->m->cls->scratch);
    return flow_in(code, mode_of(code)) == CF_OK;
}

/* ---- states for the caller ---- */

/* Makes the states at the joins those of the list as it stands. */
static bool flow_is_fresh(BciCode *code) {
    BciClass *c = code->m->cls;
    if (c->flow_of == code && c->flow_edits == code->edits && c->flow_locals == code->max_locals) return true;
    if (!bci_unfold(code)) return false;
    cf_arena_reset(&c->scratch);
    c->flow_of = NULL;
    if (flow_in(code, mode_of(code)) != CF_OK) return false;
    c->flow_of = code;
    c->flow_edits = code->edits;
    c->flow_locals = code->max_locals;
    return true;
}

/* The node from which straight-line code leads to `i`: a join, or NULL for the entry. False if
 * nothing leads there. */
static bool run_start(BciInsn *i, BciLabel **from) {
    *from = NULL;
    for (BciInsn *p = i; p; p = p->prev) {
        if (bci_is_label(p)) {
            BciPoint *pt = bci_as_label(p)->point;
            if (pt && pt->join) {
                *from = bci_as_label(p);
                return pt->reached;
            }
        } else if (p != i && bci_is_end(p) && !(bci_flags(p) & CF_OF_JSR)) {
            return false;
        }
    }
    return true;
}

static BciInsn *site_of(BciCode *code, uint32_t site) {
    if (site < BCI_NEW_SITE) return code->orig.code && site < code->orig.code_len ? bci_at(code, site) : NULL;
    for (BciInsn *i = code->first; i; i = i->next)
        if (i->op == CF_OP_NEW && i->site == site) return i;
    return NULL;
}

static BciTyped value_of(BciCode *code, CfType t) {
    BciClass *c = code->m->cls;
    static const char kinds[] = {[CF_T_INT] = 'I',    [CF_T_FLOAT] = 'F',   [CF_T_LONG] = 'J',   [CF_T_LONG2] = '2',
                                 [CF_T_DOUBLE] = 'D', [CF_T_DOUBLE2] = '2', [CF_T_NULL] = 'N',   [CF_T_UNINIT_THIS] = 'U',
                                 [CF_T_OBJECT] = 'A', [CF_T_UNINIT] = 'U',  [CF_T_RETADDR] = 'R'};
    CfTypeKind k = cf_type_kind(t);
    BciTyped v = {.kind = k < sizeof kinds ? kinds[k] : 0};
    if (k == CF_T_OBJECT) v.name = bci_zstr(c, cf_type_name(&c->types, t));
    else if (k == CF_T_UNINIT) v.site = site_of(code, cf_type_data(t));
    return v;
}

static bool give_state(BciCode *code, const CfFrame *fr, BciState *out) {
    uint32_t n = code->max_locals, depth = fr->depth;
    BciTyped *v = CF_NEW_ARRAY(&code->m->cls->arena, BciTyped, n + depth + 1u);
    if (!v) return no_memory(code);
    for (uint32_t k = 0; k < n && k < fr->nlocals; k++) v[k] = value_of(code, fr->locals[k]);
    for (uint32_t k = 0; k < depth; k++) v[n + k] = value_of(code, fr->stack[k]);
    *out = (BciState){.locals = v, .stack = v + n, .nlocals = n, .depth = depth};
    return true;
}

/* A running frame at the method's entry, or at a join. */
static bool start_frame(Flow *fl, BciCode *code, CfArena *a, const BciLabel *from) {
    *fl = (Flow){.code = code, .shape = code->orig};
    fl->shape.max_stack = (uint16_t)(code->max_stack + 2 > 65530 ? 65530 : code->max_stack + 2);
    fl->shape.max_locals = (uint16_t)code->max_locals;
    bool ok = bci_frame_room(a, &fl->shape, &fl->cur) &&
              cf_flow_init(&fl->f, &code->m->cls->types, bci_member(code->m), &fl->shape, false) &&
              cf_frame_entry(&fl->f, &fl->cur) && (!from || load_state(fl, (BciLabel *)from));
    if (!ok) no_memory(code);
    return ok;
}

static bool step_over(Flow *fl, const BciInsn *i) {
    CfInsn in = view(i);
    if (!bci_is_label(i) && !cf_step(&fl->f, &in, &fl->cur)) return false;
    if (bci_flags(i) & CF_OF_JSR) fl->cur.depth--;
    return true;
}

bool bci_frame_at(BciCode *code, BciInsn *i, CfArena *a, CfFrame *out) {
    BciLabel *from;
    Flow fl;
    if (!bci_ok(code) || !i || !flow_is_fresh(code) || !run_start(i, &from)) return false;
    bool ok = start_frame(&fl, code, a, from);
    for (BciInsn *p = from ? from->node.next : code->first; ok && p && p != i; p = p->next) ok = step_over(&fl, p);
    *out = fl.cur;
    return ok;
}

bool bci_each_frame(BciCode *code, BciSeeFrame see, void *ctx) {
    Flow fl;
    CfArena tmp;
    if (!bci_ok(code) || !flow_is_fresh(code)) return false;
    cf_arena_init(&tmp, "bci-state", 0);
    bool ok = start_frame(&fl, code, &tmp, NULL), here = true;
    for (BciInsn *i = code->first; ok && i; i = i->next) {
        const BciPoint *p = bci_is_label(i) ? bci_as_label(i)->point : NULL;
        if (p && p->join && (here = p->reached)) ok = load_state(&fl, bci_as_label(i));
        if (bci_is_label(i) || !here) continue;
        see(ctx, i, &fl.cur);
        ok = step_over(&fl, i);
        here = !bci_is_end(i) || (bci_flags(i) & CF_OF_JSR);
    }
    cf_arena_free(&tmp);
    return ok;
}

bool bci_state(BciCode *code, BciInsn *i, BciState *out) {
    CfArena tmp;
    CfFrame fr;
    *out = (BciState){0};
    cf_arena_init(&tmp, "bci-state", 0);
    bool ok = bci_frame_at(code, i, &tmp, &fr) && give_state(code, &fr, out);
    cf_arena_free(&tmp);
    return ok;
}

/* ---- layout and flow ---- */

/* Layout and flow depend on each other: far branches add code that needs frames, and the flow
 * removes dead code, which moves everything. Both only run again when the other changed the list.
 */
CfErrCode bci_settle(BciCode *code) {
    BciClass *c = code->m->cls;
    bool expanded, deleted;
    c->flow_of = NULL;
    cf_arena_reset(&c->scratch);
    if (!bci_unfold(code)) return code->m->err ? code->m->err->code : CF_ERR_NOMEM;
    for (int round = 0; round < 8; round++) {
        CF_TRY(bci_layout(code, &expanded));
        CF_TRY(compute(code, &deleted));
        if (!deleted) return CF_OK;
        CF_TRY(bci_layout(code, &expanded));
        if (!expanded) return CF_OK;
    }
    return bci_fail(code->m, CF_ERR_LIMIT, BCI_NO_PC, "branch layout does not settle");
}
