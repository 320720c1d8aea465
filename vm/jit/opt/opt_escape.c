/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: objects that nobody else sees become values; others are made where they must exist (partial escape analysis, after Stadler,
 * Würthinger and Mössenböck, Partial Escape Analysis and Scalar Replacement for Java, CGO 2014).
 *
 * TERMS    A candidate is a NEW, a NEW_ARRAY of few elements and constant length, or a phi all of whose inputs are such.  At a point it is VIRTUAL, not
 *          made, its slots (fields, elements) being values of the form; or REAL, made, and a node holds it; or NONE: no way leads there from
 *          it, or nobody can name it any more.
 * WALK     Blocks in reverse postorder, nodes in their order.  A load of a slot is the value; a store changes the slot; comparisons,
 *          and questions for the class, are decided.  All that goes.  Of a box, which valueOf may share, it is asked whether the other one is what it shares.  Who needs the object itself (a call, a store into what is not VIRTUAL, RETURN) makes it
 *          REAL: NEW and stores stand in front of that node, for it and all that its slots lead to.  A branch that is decided
 *          has one way; what only the other led to is not walked, and cut off.
 * STATES   An exit, a poll, an allocation does not need the object: the State describes it (StateObject), and C code makes it if need be
 *          (exit_record.c).  A call does: who looks at frames during calls finds what bytecode has, so before a call all that its State names
 *          is made.  States have dead locals, too, as long as the verifier would let them be read; so these keep objects, as they do
 *          everywhere (a debugger reads them).
 * LENT     What only the State of a call names, and no argument leads to, may be made for the frame alone and stay VIRTUAL: whoever looks sees an
 *          object like it, and who goes on from the frame in the interpreter goes on with that one.  So nobody may store into it,
 *          or compare it with another that was lent before: no agent that reads locals (vm_locals_are_read; what was made without one goes when
 *          the first comes).  Later calls on the same way find it there, if the candidate is still like it.  That is done where it makes no more
 *          objects than there would be: in blocks that are seldom run, and in few others, in no loop that the candidate comes from
 *          outside of.  What is lent on all ways is not worth it.
 * MEETS    Where ways meet, VIRTUAL candidates stay so, slots that differ get phis.  One that is REAL on all ways is so, by a phi.  One that is REAL on some
 *          ways alone is not virtual at all: to make it at the end of the other ways would save nothing.  A phi of
 *          several VIRTUAL candidates of one layout is a candidate itself, which takes their place: nobody must be able to name them any
 *          more behind it, or identity would be lost.  Other phis of candidates make them not virtual.
 * LOOPS    At a head the way back is not known yet.  It is taken for granted that what is VIRTUAL before the loop is so behind each turn;
 *          slots that some store in the loop may change get phis.  Where the latch shows that this is wrong the candidate is
 *          noted as one that is not virtual.
 * ROUNDS   Walks are repeated until nothing new is noted; so each ends with what all of the form agrees with.  Only then the same
 *          walk is done once more, and changes the form.  Whatever is noted makes fewer things virtual: that ends.
 * WORTH    A candidate that is made on all ways is left where it is: later, it would only be made twice in the code, and OutOfMemoryError be
 *          thrown later.  The way from its definition must lead somewhere (to where it is gone, to a return) by blocks
 *          that do not make it, and are not rare.
 * NAMES    Who can name a candidate at the start of a block: nodes that live there and are it (itself, loads that gave it), and slots of others.  The
 *          former are found as lives are in opt_live.c, for nodes of type REF alone.
 *
 * MEMORY   When there is none where an object is made REAL, OutOfMemoryError is thrown at that instruction: the frames of the helper's
 *          record have all objects, made of the heap's reserve, so handlers find what they expect.
 * NEVER    Finalizable classes, references, classes with fields outside or with what the VM adds, throwables need no word (they are filled
 *          in by a call).
 * EVENTS   Allocations that are gone are not sampled or counted; those made in exits neither.  The reference does the same.
 * MONITORS that nobody can see taken, or exits alone (opt_locks.c), go, if the object is VIRTUAL; others make it REAL.  What such a region takes and gives
 *          back goes together, or the object is not virtual.  Exits make the object and take its monitor.  What is made in front of a body's LOCK
 *          has the State of the call: frames of the body say that they have the monitor.  Other monitors could go, too,
 *          if the StateObject said how often it is locked, and whoever makes it took them.
 *
 * Rejected: sets of equal names for the whole method (one way that escapes, as rare as it may be, spoils all); a mark in the frame, so that objects
 * live over calls without being made, and are made when somebody looks (all who walk frames would have to know).
 */
#include "jit/opt/opt_escape.h"
#include "core/hooks.h"
#include "jit/constants.h"
#include "jit/opt/opt_pass.h"
#include "object/class.h"
#include "object/field.h"
#include <string.h>

enum { MOST_ROUNDS = 40, MOST_NEW_NODES = 20000 };

/* --- layouts --- */

static OptSlot slot_of(BasicType t, u4 offset) {
    switch (t) {
    case T_BOOLEAN:
    case T_BYTE: return (OptSlot){.offset = offset, .kind = MEM_U8, .type = OT_INT};
    case T_CHAR:
    case T_SHORT: return (OptSlot){.offset = offset, .kind = MEM_U16, .type = OT_INT};
    case T_LONG: return (OptSlot){.offset = offset, .kind = MEM_64, .type = OT_LONG};
    case T_DOUBLE: return (OptSlot){.offset = offset, .kind = MEM_64, .type = OT_DOUBLE};
    case T_FLOAT: return (OptSlot){.offset = offset, .kind = MEM_32, .type = OT_FLOAT};
    case T_OBJECT:
    case T_ARRAY: return (OptSlot){.offset = offset, .kind = MEM_32, .type = OT_REF};
    default: return (OptSlot){.offset = offset, .kind = MEM_32, .type = OT_INT};
    }
}

static bool may_be_virtual(const Class *k) {
    enum { NOT = CF_FINALIZABLE | CF_REFERENCE | CF_MIRROR | CF_LOADER | CF_NEVER_ALLOC_FAST | CF_OUTSIDE };
    return !(k->flags & NOT) && !k->reshaped;
}

/*
 * How many slots instances of k have; -1: too many, or some that are not ordinary fields. Watched ones are: code leaves where it would access
 * one (opt_build_object.c), and an exit makes the object.
 */
static int count_slots(const Class *k) {
    u4 n = 0;
    for (; k; k = k->super) {
        if (k->n_fields_all != k->n_fields || k->reshaped) return -1;
        for (u4 i = 0; i < k->n_fields; i++) n += !(k->fields[i].access & ACC_STATIC);
        if (n > MOST_SLOTS) return -1;
    }
    return (int)n;
}

static void fill_layout(OptLayout *l, const Class *k) {
    for (; k; k = k->super)
        for (u4 i = 0; i < k->n_fields; i++)
            if (!(k->fields[i].access & ACC_STATIC)) {
                OptSlot *s = &l->slots[l->n++];
                *s = slot_of((BasicType)k->fields[i].type, k->fields[i].offset);
                s->stable = constant_lasts(&k->fields[i]);
            }
}

/* NULL: not for this phase. */
static const OptLayout *layout_of(Escape *e, const Class *k, int32_t length) {
    for (const OptLayout *l = e->layouts; l; l = l->next)
        if (l->klass == k && l->length == length) return l;
    int n = length >= 0 ? length : count_slots(k);
    if (n < 0 || n > MOST_SLOTS || (length == LAYOUT_BOX && n != 1)) return NULL;
    OptLayout *l = opt_alloc(e->o, sizeof *l + (u4)n * sizeof *l->slots);
    if (!l) return NULL;
    *l = (OptLayout){.next = e->layouts, .klass = k, .length = length};
    if (length < 0) fill_layout(l, k);
    for (; length >= 0 && l->n < (u4)length; l->n++)
        l->slots[l->n] = slot_of((BasicType)k->elem_type, ARRAY_BASE + (l->n << k->elem_shift));
    return e->layouts = l;
}

static const OptLayout *layout_of_new(Escape *e, const Node *n) {
    const Opt *o = e->o;
    if (n->op == OPT_NEW) return may_be_virtual(n->what) ? layout_of(e, n->what, -1) : NULL;
    if (n->op == OPT_BOX) return may_be_virtual(n->what) ? layout_of(e, n->what, LAYOUT_BOX) : NULL;
    if (!n->klass || !opt_is_const(o, n->in[0])) return NULL;
    int64_t length = opt_node(o, n->in[0])->k;
    return length >= 0 && length <= MOST_SLOTS ? layout_of(e, n->klass, (int32_t)length) : NULL;
}

/* --- candidates --- */

/* From 1; 0: there are too many. */
u4 escape_candidate(Escape *e, Ref r, const OptLayout *layout) {
    if (e->index[r]) {
        e->all[e->index[r] - 1].layout = layout;
        return e->index[r];
    }
    if (!layout || e->n_all == MOST_CANDIDATES) return 0;
    e->all[e->n_all++] = (Candidate){.node = r, .layout = layout};
    return e->index[r] = (u1)e->n_all;
}

Ref escape_is_now(const Escape *e, Ref r) {
    while (r <= e->n_nodes && e->to[r]) r = e->to[r];
    return r;
}

/* Which candidate, virtual in `f`, r is: its index; or -1. */
int escape_virtual_in(const Escape *e, const Flow *f, Ref r) {
    r = escape_is_now(e, r);
    int c = r && r <= e->n_nodes ? e->index[r] - 1 : -1;
    return c >= 0 && f->is[c] == VIRTUAL ? c : -1;
}

/* The node that has what r is. */
Ref escape_value_in(const Escape *e, const Flow *f, Ref r) {
    r = escape_is_now(e, r);
    int c = r && r <= e->n_nodes ? e->index[r] - 1 : -1;
    return c >= 0 && f->is[c] == REAL ? f->real[c] : r;
}

void escape_never(Escape *e, int c) {
    if (c < 0 || e->all[c].never) return;
    e->all[c].never = true;
    e->again = true;
}

static Ref zero(Escape *e, OptType t) { return opt_const(e->o, t, 0); }

static Ref *new_slots(Escape *e, const OptLayout *l) {
    Ref *slots = opt_alloc(e->o, l->n * sizeof *slots);
    for (u4 i = 0; slots && i < l->n; i++) slots[i] = zero(e, (OptType)l->slots[i].type);
    return slots;
}

Ref *escape_copy_slots(Escape *e, const OptLayout *l, const Ref *from) {
    Ref *slots = opt_alloc(e->o, l->n * sizeof *slots);
    return slots && l->n ? memcpy(slots, from, l->n * sizeof *slots) : slots;
}

void escape_become(Escape *e, u4 c, Is is, Ref real, Ref *slots) {
    e->now.is[c] = (u1)is;
    e->now.real[c] = real;
    e->now.slots[c] = slots;
    e->now.lent[c] = 0;
    e->all[c].used |= is == VIRTUAL;
    e->version++;
}

/* --- states --- */

static Ref name_of(Escape *e, u4 c) {
    Candidate *x = &e->all[c];
    if (x->name) return x->name;
    Ref r = opt_new(e->o, OPT_VIRTUAL, OT_REF);
    if (!r) return 0;
    Node *n = opt_node(e->o, r);
    n->what = (Class *)x->layout->klass;
    n->klass = x->layout->klass;
    n->not_null = true;
    n->k = r;
    opt_insert_end(e->o, 1, r);
    return x->name = r;
}

static void describe(Escape *e, State *s, u4 c) {
    const OptLayout *l = e->all[c].layout;
    Ref name = name_of(e, c);
    for (const StateObject *x = s->objects; x; x = x->next)
        if (x->name == name) return;
    StateObject *x = opt_alloc(e->o, sizeof *x + l->n * sizeof(Ref));
    if (!x) return;
    *x = (StateObject){.next = s->objects, .name = name, .layout = l};
    s->objects = x;
    for (u4 i = 0; i < l->n; i++) {
        int in_slot = escape_virtual(e, e->now.slots[c][i]);
        x->values[i] = in_slot >= 0 ? name_of(e, (u4)in_slot) : escape_value(e, e->now.slots[c][i]);
        if (in_slot >= 0) describe(e, s, (u4)in_slot);
    }
}

static bool is_candidate(const Escape *e, Ref r) {
    r = escape_is_now(e, r);
    return r && r <= e->n_nodes && e->index[r] && e->now.is[e->index[r] - 1] != NONE;
}

static bool names_any(const Escape *e, const State *s) {
    for (; s; s = s->outer)
        for (u4 i = 0; i < s->n_locals + s->n_stack; i++)
            if (s->cells[i] && is_candidate(e, s->cells[i])) return true;
    return false;
}

static void write_cell(Opt *o, Ref user, Ref *use, void *arg) {
    (void)o, (void)user;
    Escape *e = arg;
    int c = escape_virtual(e, *use);
    *use = c >= 0 ? name_of(e, (u4)c) : escape_value(e, *use);
}

/* The State as it is here. */
static State *written(Escape *e, State *s) {
    if (!s || !names_any(e, s)) return s;
    if (e->last_from == s && e->last_version == e->version) return e->last_to;
    State *to = opt_copy_state(e->o, s);
    if (!to) return s;
    to->objects = NULL;
    for (const State *x = s; x; x = x->outer)
        for (u4 i = 0; i < x->n_locals + x->n_stack; i++) {
            int c = x->cells[i] ? escape_virtual(e, x->cells[i]) : -1;
            if (c >= 0) describe(e, to, (u4)c);
        }
    StateObject *objects = to->objects;
    to->objects = NULL; /* they are written */
    opt_visit_state(e->o, to, write_cell, e);
    to->objects = objects;
    e->last_from = s;
    e->last_version = e->version;
    return e->last_to = to;
}

/* --- making --- */

typedef struct Group { /* what is made at one place */
    u4 all[MOST_CANDIDATES], n;
    Ref *slots[MOST_CANDIDATES];
    bool lent;
} Group;

/* -1: it is not in it. */
static int place_in(const Group *g, u4 c) {
    for (u4 i = 0; i < g->n; i++)
        if (g->all[i] == c) return (int)i;
    return -1;
}

static void add_to_group(Escape *e, Group *g, int c) {
    if (c < 0 || place_in(g, (u4)c) >= 0) return;
    g->slots[g->n] = e->now.slots[c];
    g->all[g->n++] = (u4)c;
    for (u4 i = 0; i < e->all[c].layout->n; i++) add_to_group(e, g, escape_virtual(e, e->now.slots[c][i]));
}

static void add_state_to_group(Escape *e, Group *g, const State *s) {
    for (; s; s = s->outer)
        for (u4 i = 0; i < s->n_locals + s->n_stack; i++)
            if (s->cells[i]) add_to_group(e, g, escape_virtual(e, s->cells[i]));
}

static void place(Escape *e, Ref at, Ref r) {
    if (e->applies && r) opt_insert_before(e->o, at, r);
}

static bool is_box(const OptLayout *l) { return l->length == LAYOUT_BOX; }

/* value: of a box. */
static Ref make_one(Escape *e, Ref at, const OptLayout *l, Ref value, State *s) {
    Ref length = l->length >= 0 ? opt_const(e->o, OT_INT, l->length) : 0;
    Ref r = opt_new(e->o, is_box(l) ? OPT_BOX : length ? OPT_NEW_ARRAY : OPT_NEW, OT_REF);
    Node *n = opt_node(e->o, r);
    n->in[0] = is_box(l) ? value : length;
    n->from = is_box(l) ? l->slots[0].type : OT_NONE;
    n->k = is_box(l) ? l->slots[0].offset : 0;
    n->what = length ? l->klass->component : (Class *)l->klass;
    n->klass = l->klass;
    n->not_null = true;
    n->state = s;
    n->exit = EXIT_AT;
    place(e, at, r);
    return r;
}

static Ref fill_slot(Escape *e, Ref at, const OptLayout *l, u4 slot, Ref object, Ref v) {
    Ref index = l->length >= 0 ? opt_const(e->o, OT_INT, slot) : 0;
    Ref r = opt_new(e->o, index ? OPT_SET_ELEMENT : OPT_STORE, OT_NONE);
    Node *n = opt_node(e->o, r);
    n->from = l->slots[slot].type;
    n->kind = l->slots[slot].kind;
    n->stable = l->slots[slot].stable;
    n->in[0] = object;
    n->in[1] = index ? index : v;
    n->in[2] = index ? v : 0;
    n->k = index ? 0 : l->slots[slot].offset;
    if (!index) n->what = opt_field_at(l->klass, l->slots[slot].offset)->holder;
    place(e, at, r);
    if (l->slots[slot].type != OT_REF) return r;
    Ref card = opt_new(e->o, OPT_CARD, OT_NONE);
    opt_node(e->o, card)->in[0] = object;
    place(e, at, card);
    return r;
}

static void fill(Escape *e, Ref at, const Group *g) {
    for (u4 i = 0; i < g->n; i++) {
        const OptLayout *l = e->all[g->all[i]].layout;
        for (u4 k = 0; k < l->n && !is_box(l); k++) {
            Ref v = escape_value(e, g->slots[i][k]);
            Ref store = opt_is_zero(e->o, v) ? 0 : fill_slot(e, at, l, k, e->now.real[g->all[i]], v);
            if (store)
                opt_node(e->o, store)->stable |= g->lent; /* so collections find v as long as the frame has it (opt_home.c) */
        }
    }
}

static void note_made(Escape *e, u4 c) {
    Candidate *x = &e->all[c];
    if (!x->made_in) x->made_in = opt_alloc(e->o, (e->o->n_blocks + 1) * sizeof *x->made_in);
    if (!x->made_in || (x->n_made && x->made_in[x->n_made - 1] == e->block)) return;
    x->made_in[x->n_made++] = e->block;
}

/* At the call that a body stands for, of which s is the start: its arguments are operands again.  NULL: they are not what the call has (handles). */
static State *state_at_call(Escape *e, const State *s) {
    const State *call = s->outer;
    u4 n_args = s->scope->method->arg_slots, cells = call->n_locals + call->n_stack;
    if (call->depth != call->n_stack + n_args) return NULL;
    State *own = opt_alloc(e->o, sizeof *own + (cells + n_args) * sizeof(Ref));
    if (!own) return NULL;
    memcpy(own, call, sizeof *own + cells * sizeof(Ref));
    memcpy(own->cells + cells, s->cells, n_args * sizeof(Ref));
    own->n_stack += n_args;
    return own;
}

/* Frames of a synchronized body have its monitor: who leaves in front of its LOCK makes the call. */
static State *state_before(Escape *e, Ref at) {
    State *s = opt_node(e->o, at)->state;
    return opt_node(e->o, at)->op == OPT_LOCK && s && s->outer ? state_at_call(e, s) : s;
}

/* In front of `at`, whose state says where that is.  False: it cannot be. */
static bool make_there(Escape *e, Ref at, const Group *g) {
    State *s = state_before(e, at);
    Ref made[MOST_CANDIDATES];
    for (u4 i = 0; !s && i < g->n; i++) escape_never(e, (int)g->all[i]);
    if (!s || !g->n) return false;
    if (e->applies) s = written(e, s);
    for (u4 i = 0; i < g->n; i++) {
        const OptLayout *l = e->all[g->all[i]].layout;
        made[i] = make_one(e, at, l, is_box(l) ? escape_value(e, g->slots[i][0]) : 0, s);
    }
    for (u4 i = 0; i < g->n; i++) escape_become(e, g->all[i], REAL, made[i], NULL);
    fill(e, at, g);
    return true;
}

/* A copy that leads to what is made has another object there. */
static void forget_copies(Escape *e, const Group *g) {
    for (u4 c = 0; c < e->n_all; c++) {
        if (e->now.is[c] != VIRTUAL) continue;
        for (u4 k = 0; k < e->all[c].layout->n; k++) {
            int to = escape_virtual(e, e->now.slots[c][k]);
            if (to >= 0 && place_in(g, (u4)to) >= 0) e->now.lent[c] = 0;
        }
    }
}

static void make(Escape *e, Ref at, const Group *g) {
    forget_copies(e, g);
    if (!make_there(e, at, g)) return;
    for (u4 i = 0; i < g->n; i++) note_made(e, g->all[i]);
}

static void make_inputs(Escape *e, Ref r) {
    Group g = {.n = 0};
    const Node *n = opt_node(e->o, r);
    for (u4 i = 0; i < opt_ops[n->op].inputs; i++)
        if (n->in[i]) add_to_group(e, &g, escape_virtual(e, n->in[i]));
    make(e, r, &g);
}

/* What the callee is given.  A C function that is called so sees nothing else. */
static void make_arguments(Escape *e, Ref r) {
    Group g = {.n = 0};
    const State *s = opt_node(e->o, r)->state;
    u4 top = s->n_locals + s->n_stack;
    for (u4 i = top - opt_node(e->o, r)->call->n_args; i < top; i++)
        if (s->cells[i]) add_to_group(e, &g, escape_virtual(e, s->cells[i]));
    make(e, r, &g);
}

/* --- nodes --- */

static void take_out(Escape *e, Ref r) {
    if (e->applies) opt_unlink(e->o, r);
}

static void replace(Escape *e, Ref r, Ref by) {
    e->to[r] = by;
    e->version++;
    take_out(e, r);
}

static void always_holds(Escape *e, Ref r) {
    e->gone[r] = true;
    take_out(e, r);
}

static u4 width_class(u1 kind) { return kind <= MEM_U8 ? 0 : kind <= MEM_U16 ? 1 : kind == MEM_64 ? 3 : 2; }

/* Of an access to a virtual candidate; -1: none that is the same for both. */
static int find_slot(const Escape *e, const OptLayout *l, const Node *n, u1 type) {
    bool is_element = n->op == OPT_ELEMENT || n->op == OPT_SET_ELEMENT;
    int64_t k = is_element ? escape_offset_of_element(e, n) : n->k;
    for (u4 i = 0; i < l->n; i++)
        if (l->slots[i].offset == k)
            return l->slots[i].type == type && width_class(l->slots[i].kind) == width_class(n->kind) ? (int)i : -1;
    return -1;
}

/* A value of few bits as a load has it. */
static Ref narrowed(Escape *e, Ref load, Ref v) {
    Ref r = opt_new(e->o, OPT_NARROW, OT_INT);
    if (!r) return v;
    opt_node(e->o, r)->kind = opt_node(e->o, load)->kind;
    opt_node(e->o, r)->in[0] = v;
    Ref same = opt_fold(e->o, r);
    if (same == r) place(e, load, r);
    return same;
}

static bool load(Escape *e, Ref r, int c) {
    const Node *n = opt_node(e->o, r);
    int slot = find_slot(e, e->all[c].layout, n, n->type);
    if (slot < 0) return false;
    bool narrow = n->type == OT_INT && width_class(n->kind) < 2;
    if (narrow && n->kind == MEM_U8) return false; /* no NARROW has eight bits without a sign */
    Ref v = escape_is_now(e, e->now.slots[c][slot]);
    replace(e, r, narrow ? narrowed(e, r, v) : v);
    return true;
}

static bool store(Escape *e, Ref r, int c, u4 input) {
    const Node *n = opt_node(e->o, r);
    const OptLayout *l = e->all[c].layout;
    int slot = find_slot(e, l, n, n->from);
    if (slot < 0) return false;
    Ref *slots = escape_copy_slots(e, l, e->now.slots[c]);
    if (!slots) return false;
    slots[slot] = escape_is_now(e, n->in[input]);
    escape_become(e, (u4)c, VIRTUAL, 0, slots);
    take_out(e, r);
    return true;
}

static bool is_subtype(const Class *s, const Class *t) { return class_is_subtype((Class *)s, (Class *)t); }

static bool has_method(const Class *k, const Node *n) {
    return n->k >= 0 && n->k < k->vtable_len && k->vtable[n->k] == n->method;
}

/* What is asked of a virtual object: 1, 0; -1: something else. */
static int decide(const Escape *e, const Node *n, int c) {
    const Class *k = e->all[c].layout->klass;
    switch (n->op) {
    case OPT_NOT_NULL: return 1;
    case OPT_IS_CLASS: return k == n->what;
    case OPT_HAS_METHOD: return has_method(k, n);
    case OPT_IS_A:
    case OPT_INSTANCE_OF: return is_subtype(k, n->what);
    default: return -1;
    }
}

/* MAY_HOLD of a virtual array is a question for the value alone.  False: it stays as it is. */
static bool may_hold(Escape *e, Ref r, int c) {
    const Opt *o = e->o;
    Node *n = opt_node(o, r);
    Class *component = e->all[c].layout->klass->component;
    int v = escape_virtual(e, n->in[1]);
    const Class *of = v >= 0 ? e->all[v].layout->klass : opt_node(o, escape_value(e, n->in[1]))->klass;
    if (!component->super && !class_is_interface(component)) return always_holds(e, r), true;
    if (opt_is_zero(e->o, escape_value(e, n->in[1])) || (of && is_subtype(of, component))) return always_holds(e, r), true;
    if (v >= 0) return false;
    if (!e->applies) return true;
    n->op = OPT_IS_A;
    n->in[0] = escape_value(e, n->in[1]);
    n->in[1] = 0;
    n->what = component;
    return true;
}

/* A box may be any other one that is there, or that is virtual. */
static bool is_any_of(const Escape *e, int box, Ref other) {
    int c = escape_virtual(e, other);
    return c >= 0 ? e->all[c].layout == e->all[box].layout : !opt_is_zero(e->o, escape_value(e, other));
}

/* x == y of references of which one is virtual; -1: neither is, or a box may be the other. */
static int decide_same(const Escape *e, Ref x, Ref y) {
    int a = escape_virtual(e, x), b = escape_virtual(e, y);
    if ((a < 0 && b < 0) || a == b) return a < 0 ? -1 : 1;
    if (a >= 0 && is_box(e->all[a].layout) && is_any_of(e, a, y)) return -1;
    if (b >= 0 && is_box(e->all[b].layout) && is_any_of(e, b, x)) return -1;
    return 0;
}

static int decide_compare(const Escape *e, const Node *n) {
    if (n->from == OT_REF) {
        int same = decide_same(e, n->in[0], n->in[1]);
        if (same >= 0) return same == (n->kind == COND_EQ);
    }
    Ref x = escape_value(e, n->in[0]), y = escape_value(e, n->in[1]);
    if (!opt_is_const(e->o, x) || !opt_is_const(e->o, y)) return -1;
    return opt_cond((Cond)n->kind, opt_node(e->o, x)->k, opt_node(e->o, y)->k);
}

/* False: the object is needed for it. */
static bool walk_access(Escape *e, Ref r, int c) {
    const Node *n = opt_node(e->o, r);
    const OptLayout *l = e->all[c].layout;
    switch ((OptOp)n->op) {
    case OPT_LOAD:
    case OPT_ELEMENT: return load(e, r, c);
    case OPT_STORE: return store(e, r, c, 1);
    case OPT_SET_ELEMENT: return store(e, r, c, 2);
    case OPT_CARD: return take_out(e, r), true;
    case OPT_LENGTH: return l->length >= 0 && (replace(e, r, opt_const(e->o, OT_INT, l->length)), true);
    case OPT_CLASS: return replace(e, r, opt_const(e->o, OT_LONG, (int64_t)(uintptr_t)l->klass)), true;
    case OPT_INSTANCE_OF: return replace(e, r, opt_const(e->o, OT_INT, decide(e, n, c))), true;
    case OPT_MAY_HOLD: return may_hold(e, r, c);
    default: return decide(e, n, c) == 1 && (always_holds(e, r), true);
    }
}

/* A virtual box is equal to another reference if it is the one that valueOf shares, and the other is that. */
static bool compare_box(Escape *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    if (n->from != OT_REF) return false;
    int a = escape_virtual(e, n->in[0]), b = escape_virtual(e, n->in[1]), box = a < 0 ? b : a;
    if ((a < 0) == (b < 0) || !is_box(e->all[box].layout)) return false;
    if (!e->applies) return true;
    Ref other = escape_value(e, n->in[a >= 0]), shared = opt_new(e->o, OPT_SHARED_BOX, OT_LONG);
    if (!shared) return true;
    opt_node(e->o, shared)->in[0] = escape_is_now(e, e->now.slots[box][0]);
    opt_node(e->o, shared)->what = (Class *)e->all[box].layout->klass;
    place(e, r, shared);
    opt_node(e->o, r)->in[0] = other;
    opt_node(e->o, r)->in[1] = shared;
    return true;
}

/* A branch. */
static bool walk_end(Escape *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    if (n->op == OPT_IF) {
        int is = decide_compare(e, n);
        e->goes[e->block] = is < 0 ? -1 : !is;
        return is >= 0 || compare_box(e, r);
    }
    if (n->op != OPT_SWITCH || !opt_is_const(e->o, escape_is_now(e, n->in[0]))) return false;
    u4 n_keys = opt_block(e->o, e->block)->n_succs - 1;
    e->goes[e->block] = 0;
    for (u4 i = 0; i < n_keys; i++)
        if (n->keys[i] == opt_node(e->o, escape_is_now(e, n->in[0]))->k) e->goes[e->block] = (int)i + 1;
    return true;
}

static void write_node(Escape *e, Ref r) {
    if (!e->applies || opt_node(e->o, r)->dead) return;
    State *s = written(e, opt_node(e->o, r)->state);
    Node *n = opt_node(e->o, r);
    n->state = s;
    for (u4 i = 0; i < opt_ops[n->op].inputs; i++)
        if (n->in[i]) n->in[i] = escape_value(e, n->in[i]);
}

static bool makes(const Node *n) { return n->op == OPT_NEW || n->op == OPT_NEW_ARRAY || n->op == OPT_BOX; }

static bool walk_new(Escape *e, Ref r) {
    const OptLayout *l = layout_of_new(e, opt_node(e->o, r));
    u4 c = l ? escape_candidate(e, r, l) : 0;
    if (!c-- || e->all[c].never) return false;
    Ref *slots = new_slots(e, l);
    if (slots && is_box(l)) slots[0] = escape_is_now(e, opt_node(e->o, r)->in[0]);
    escape_become(e, c, VIRTUAL, 0, slots);
    take_out(e, r);
    return true;
}

static bool is_monitor(const Node *n) {
    return n->op == OPT_LOCK || n->op == OPT_UNLOCK || n->op == OPT_MONITOR_ENTER || n->op == OPT_MONITOR_EXIT;
}

static void leave_to_exits(const Escape *e, const OptScope *s) {
    OptScope *own = e->o->scopes;
    while (own != s) own = own->all;
    own->monitor = MONITOR_LEFT;
}

/* True: it goes. */
static bool walk_monitor(Escape *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    int c = n->kind && n->in[0] ? escape_virtual(e, n->in[0]) : -1;
    u4 scope = n->state->scope->number;
    if (n->kind == OPT_LEAVES && c >= 0) e->unlocked[scope] |= 1ull << c;
    else if (n->kind == OPT_LEAVES) e->is_locked[scope] = true;
    if (c < 0) return false;
    if (e->applies && n->kind == OPT_LEAVES) leave_to_exits(e, n->state->scope);
    return take_out(e, r), true;
}

/* May the frame of a call have a new object of its own in the place of c? */
static bool may_lend(Escape *e, u4 c) {
    Candidate *x = &e->all[c];
    const Block *b = opt_block(e->o, e->block);
    if (!e->lends || b->seldom) return e->lends;
    if (x->not_lent || (b->loop && !opt_is_in_loop(e->o, opt_node(e->o, x->node)->block, b->loop))) return false;
    if (++x->n_lent > MOST_LENT) x->not_lent = e->again = true;
    return true;
}

static bool leads_to_fresh(const Escape *e, const Group *g, const bool *fresh, u4 i) {
    for (u4 k = 0; k < e->all[g->all[i]].layout->n; k++) {
        int c = escape_virtual(e, g->slots[i][k]), at = c < 0 ? -1 : place_in(g, (u4)c);
        if (at >= 0 && fresh[at]) return true;
    }
    return false;
}

/* Those that no copy is like any more, itself and all that it leads to. */
static void find_fresh(const Escape *e, const Group *g, bool *fresh) {
    for (u4 i = 0; i < g->n; i++) fresh[i] = !e->now.lent[g->all[i]];
    for (bool again = true; again;) {
        again = false;
        for (u4 i = 0; i < g->n; i++)
            if (!fresh[i] && leads_to_fresh(e, g, fresh, i)) fresh[i] = again = true;
    }
}

/* What frames name, and can neither have from an earlier call nor be lent. */
static void make_for_frames(Escape *e, Ref r) {
    Group all = {.n = 0}, g = {.n = 0};
    bool fresh[MOST_CANDIDATES];
    add_state_to_group(e, &all, opt_node(e->o, r)->state);
    find_fresh(e, &all, fresh);
    for (u4 i = 0; i < all.n; i++)
        if (fresh[i] && !may_lend(e, all.all[i])) add_to_group(e, &g, (int)all.all[i]);
    make(e, r, &g);
}

static void lend_for_frames(Escape *e, Ref r, const Group *all) {
    Group g = {.lent = true};
    bool fresh[MOST_CANDIDATES];
    find_fresh(e, all, fresh);
    for (u4 i = 0; i < all->n; i++) {
        if (!fresh[i]) escape_become(e, all->all[i], REAL, e->now.lent[all->all[i]], NULL);
        else g.slots[g.n] = all->slots[i], g.all[g.n++] = all->all[i];
    }
    make_there(e, r, &g);
    for (u4 i = 0; i < g.n && !opt_block(e->o, e->block)->seldom; i++) note_made(e, g.all[i]);
}

static void walk_call(Escape *e, Ref r) {
    Group lent = {.n = 0};
    make_arguments(e, r);
    make_inputs(e, r);
    make_for_frames(e, r);
    add_state_to_group(e, &lent, opt_node(e->o, r)->state);
    lend_for_frames(e, r, &lent);
    write_node(e, r);
    for (u4 i = 0; i < lent.n; i++) {
        Ref copy = e->now.real[lent.all[i]];
        if (e->now.is[lent.all[i]] != REAL) continue;
        escape_become(e, lent.all[i], VIRTUAL, 0, lent.slots[i]);
        e->now.lent[lent.all[i]] = copy;
    }
}

static void walk_node(Escape *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    if (n->op == OPT_PHI || n->op == OPT_CONST || n->op == OPT_PARAM || n->op == OPT_VIRTUAL) return;
    if (is_monitor(n) && walk_monitor(e, r)) return;
    if (makes(n) && walk_new(e, r)) return;
    if (opt_does(n) & OPT_ENDS && walk_end(e, r)) return;
    int c = n->op != OPT_HOLDS && opt_ops[n->op].inputs && n->in[0] ? escape_virtual(e, n->in[0]) : -1;
    if (c >= 0 && walk_access(e, r, c)) {
        if (e->applies && !opt_node(e->o, r)->dead) write_node(e, r); /* MAY_HOLD */
        return;
    }
    if (n->op == OPT_HOLDS && decide_compare(e, n) == 1) return always_holds(e, r);
    if (n->op == OPT_CALL) return walk_call(e, r);
    if (n->op == OPT_QUICK) make_arguments(e, r);
    make_inputs(e, r);
    write_node(e, r);
}

/* --- the walk --- */

static Flow *keep_flow(Escape *e, u4 n) {
    if (!e->kept[n]) e->kept[n] = opt_alloc(e->o, sizeof(Flow));
    if (e->kept[n]) *e->kept[n] = e->now;
    return e->kept[n];
}

static void leave_block(Escape *e, BlockRef b) {
    const Opt *o = e->o;
    for (u4 s = 0; s < opt_block(o, b)->n_succs; s++) {
        BlockRef to = opt_block(o, b)->succs[s];
        if (opt_block(o, to)->order > opt_block(o, b)->order || !escape_is_taken(e, b, to)) continue;
        u4 p = 0;
        while (opt_block(o, to)->preds[p] != b) p++;
        escape_close_loop(e, to, p);
    }
}

static void walk_block(Escape *e, BlockRef b) {
    Opt *o = e->o;
    e->block = b;
    e->goes[b] = -1;
    if (!escape_start_block(e, b) || !(e->starts[b] = keep_flow(e, 2 * b))) return;
    if (e->applies && opt_block(o, b)->loop_head) {
        State *s = written(e, opt_block(o, b)->state);
        opt_block(o, b)->state = s;
    }
    for (Ref r = opt_block(o, b)->first, next; r && !o->no_memory; r = next) {
        next = opt_node(o, r)->next;
        walk_node(e, r);
    }
    if ((e->ends[b] = keep_flow(e, 2 * b + 1))) leave_block(e, b);
}

static void walk(Escape *e) {
    Opt *o = e->o;
    memset(e->to, 0, (e->n_nodes + 1) * sizeof *e->to);
    memset(e->gone, 0, e->n_nodes + 1);
    memset(e->starts, 0, (o->n_blocks + 1) * sizeof *e->starts);
    memset(e->ends, 0, (o->n_blocks + 1) * sizeof *e->ends);
    memset(e->unlocked, 0, (o->n_scopes + 1) * sizeof *e->unlocked);
    memset(e->is_locked, 0, o->n_scopes + 1);
    for (u4 c = 0; c < e->n_all; c++) e->all[c].n_made = 0, e->all[c].used = false, e->all[c].n_lent = 0;
    e->again = false;
    e->last_from = NULL;
    for (u4 i = 0; i < o->n_order && !o->no_memory; i++) walk_block(e, o->order[i]);
}

/* --- worth --- */

static bool is_made_in(const Candidate *x, BlockRef b) {
    for (u4 i = 0; i < x->n_made; i++)
        if (x->made_in[i] == b) return true;
    return false;
}

static bool returns(const Opt *o, BlockRef b) { return opt_node(o, opt_block(o, b)->last)->op == OPT_RETURN; }

static bool is_worth(Escape *e, u4 c) {
    const Opt *o = e->o;
    const Candidate *x = &e->all[c];
    BlockRef first = opt_node(o, x->node)->block;
    if (!x->n_made) return true;
    if (is_made_in(x, first)) return false;
    BlockRef *work = opt_alloc(e->o, (o->n_blocks + 1) * sizeof *work);
    bool *seen = opt_alloc(e->o, (o->n_blocks + 1) * sizeof *seen);
    u4 n = 0;
    if (!work || !seen) return false;
    seen[work[n++] = first] = true;
    while (n) {
        BlockRef b = work[--n];
        if (returns(o, b)) return true;
        for (u4 s = 0; s < opt_block(o, b)->n_succs; s++) {
            BlockRef to = opt_block(o, b)->succs[s];
            if (!escape_is_taken(e, b, to) || opt_block(o, to)->rare || seen[to]) continue;
            if (e->starts[to]->is[c] != VIRTUAL) return true;
            seen[to] = true;
            if (!is_made_in(x, to)) work[n++] = to;
        }
    }
    return false;
}

static void ask_worth(Escape *e) {
    for (u4 c = 0; c < e->n_all; c++)
        if (e->all[c].used && !is_worth(e, c)) escape_never(e, (int)c);
}

/* A region is without a monitor as a whole, or not. */
static void ask_monitors(Escape *e) {
    for (u4 s = 0; s <= e->o->n_scopes; s++)
        for (u8 all = e->is_locked[s] ? e->unlocked[s] : 0; all; all &= all - 1) escape_never(e, __builtin_ctzll(all));
}

/* --- the phase --- */

static bool is_any_new(const Opt *o) {
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->first; r; r = opt_node(o, r)->next)
            if (makes(opt_node(o, r))) return true;
    return false;
}

/* Heads as opt_split_edges makes them. */
static bool are_loops_sound(const Opt *o) {
    for (u4 i = 0; i < o->n_order; i++) {
        const Block *x = opt_block(o, o->order[i]);
        u4 outside = 0;
        if (x->n_preds > MOST_PREDS) return false;
        if (!x->loop_head) continue;
        for (u4 p = 0; p < x->n_preds; p++) outside += opt_block(o, x->preds[p])->order < x->order;
        if (x->n_preds != 2 || outside != 1) return false;
    }
    return true;
}

static bool init(Escape *e, Opt *o) {
    *e = (Escape){
        .o = o, .n_nodes = o->n_nodes, .lends = !o->modest && !atomic_load_explicit(&vm_locals_are_read, memory_order_relaxed)};
    size_t nodes = o->n_nodes + 1, blocks = o->n_blocks + 1;
    e->to = opt_alloc(o, nodes * sizeof *e->to);
    e->index = opt_alloc(o, nodes);
    e->gone = opt_alloc(o, nodes);
    e->starts = opt_alloc(o, blocks * sizeof *e->starts);
    e->ends = opt_alloc(o, blocks * sizeof *e->ends);
    e->kept = opt_alloc(o, 2 * blocks * sizeof *e->kept);
    e->goes = opt_alloc(o, blocks * sizeof *e->goes);
    e->changed = opt_alloc(o, blocks * sizeof *e->changed);
    e->knows_changed = opt_alloc(o, blocks * sizeof *e->knows_changed);
    e->unlocked = opt_alloc(o, (o->n_scopes + 1) * sizeof *e->unlocked);
    e->is_locked = opt_alloc(o, o->n_scopes + 1);
    return !o->no_memory && escape_find_names(e);
}

/* Is there anything to do, once nothing new is noted? */
static bool agrees(Escape *e) {
    for (u4 i = 0; i < MOST_ROUNDS && !e->o->no_memory; i++) {
        walk(e);
        if (!e->again) ask_monitors(e);
        if (!e->again) ask_worth(e);
        if (e->again && e->o->n_nodes - e->n_nodes < MOST_NEW_NODES) continue;
        bool any = false;
        for (u4 c = 0; c < e->n_all; c++) any |= e->all[c].used;
        return any && !e->again;
    }
    return false;
}

static void forget_gone(const Escape *e) {
    const Opt *o = e->o;
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->first; r; r = opt_node(o, r)->next) {
            Node *n = opt_node(o, r);
            if (n->after && n->after <= e->n_nodes && e->gone[n->after]) n->after = 0;
        }
}

static void apply(Escape *e) {
    Opt *o = e->o;
    e->applies = true;
    walk(e);
    if (e->again) o->why = "walks that differ";
    Ref *to = opt_alloc(o, (o->n_nodes + 1) * sizeof *to);
    if (!to || o->no_memory || o->why) return;
    memcpy(to, e->to, (e->n_nodes + 1) * sizeof *to);
    for (u4 i = 0; i < o->n_order; i++) {
        BlockRef b = o->order[i];
        if (e->ends[b] && e->goes[b] >= 0) opt_make_jump(o, opt_block(o, b)->last, (u4)e->goes[b]);
    }
    opt_order(o);
    forget_gone(e);
    opt_replace(o, to);
}

/* Those that were for this phase alone. */
static void drop_states(const Opt *o) {
    for (u4 i = 0; i < o->n_order; i++)
        for (Ref r = opt_block(o, o->order[i])->first; r; r = opt_node(o, r)->next) {
            Node *n = opt_node(o, r);
            if (!(opt_does(n) & (OPT_GUARD | OPT_STOPS)) && n->op != OPT_LEAVE && n->op != OPT_QUICK) n->state = NULL;
        }
}

void opt_escape(Opt *o) {
    if (o->no_memory || o->why) return;
    Escape *e = is_any_new(o) && are_loops_sound(o) ? opt_alloc(o, sizeof *e) : NULL;
    bool changes = e && init(e, o) && agrees(e);
    if (changes) apply(e);
    if (o->no_memory || o->why) return;
    drop_states(o);
    if (changes) opt_number(o);
}
