/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_shift.c - a method in which nothing but neutral code was inserted, written without data flow.
 *
 * THEORY. Inserted code that is neutral (bci_balance.c) leaves locals and stack as it found them.
 * Let the method of the input verify. Then with neutral pieces put in
 *
 *   - each instruction of the input finds the types that it found before: by induction along the
 *     code, since a piece changes none, and what branches bring comes from instructions of the input;
 *   - so each frame of the input is true at the new place of its label, and no branch goes to a place that has
 *     none but those within pieces, for there are no new handlers;
 *   - at each instruction of a piece the old locals are those of the place. A handler that covers
 *     the instruction behind the piece has been checked with these very types, and one that covers
 *     only the instruction before it has too, unless that one changes locals: see below.
 *
 * Hence the frames are those of the input with new offsets, and the StackMapTable, like every other
 * table, is copied with its offsets moved: that is what bci_splice does for plans, and here it gets
 * the pieces of the editor. New locals are in no frame, as a neutral piece reads only what it has stored, but for
 * HELD ones, which the piece at the entry sets and others read: they hold the same type everywhere, and each frame
 * gets them (BciWeave.kept).
 *
 * LABELS IN PIECES. `if (on) Probe.enter(); L:` branches to a place without a frame. There, old locals and stack
 * are those of the place where the piece stands, which bci_straight.c tells; at the entry, and where no local has
 * changed since the last frame and the stack is empty, that is the frame before it again, in one byte. Behind
 * others the next frame of the input is written anew, as it is told by its difference to the one before it.
 *
 * REFUSED, that is, left to the data flow (bci_frames.c):
 *   - any edit but insertions of instructions and new labels (BciCode.beyond), added and copied methods, frames
 *     that are to be made anew, methods with jsr;
 *   - pieces that are not neutral, or take values from an empty stack; pieces with labels in version 50, where a method
 *     without frames means another verifier;
 *   - a piece behind an instruction that never falls through: nothing leads there;
 *   - a piece in front of a label where an exception row ends, behind an instruction that changes
 *     the type of a local (a store, <init>, new): the row covers the piece, so its handler would see
 *     the local as it is then;
 *   - what the splice refuses: a branch that no longer reaches, malformed tables, too much code.
 *
 * SIZES. max_locals is the editor's. max_stack is the input's, or depth + growth of a piece where that
 * is more: at the entry the depth is 0; elsewhere it is counted from the frame before the piece (bci_straight.c), for
 * such pieces only. Where it cannot be counted, max_stack of the input is taken for it.
 *
 * With GRAFT_DEBUG each result is compared with what the data flow says: agrees().
 */
#include "bci_weave.h"

#include <stdlib.h>

typedef struct Shift {
    BciCode *code;
    CfArena *scratch;
    BciWeave w;
    BciStraight line;
    BciNewFrame *frames;
    uint32_t nframes, cap_frames;
    size_t frame_bytes; /* the most that they can take */
    CfType *types;      /* room for those of two frames, one of them with its stack */
    uint32_t npieces, max_stack;
    BciHeld held;
    uint32_t entry_join; /* offset of the last label in the piece at the entry to which a branch goes */
    bool wide;           /* held locals are in all frames */
} Shift;

/* ---- pieces ---- */

static bool row_ends_at(const BciCode *code, const BciInsn *label) {
    for (uint32_t k = 0; k < code->ntries; k++)
        if (&code->tries[k].pub.end->node == label) return true;
    return false;
}

/* May a piece stand between the instruction `before` and the label? */
static bool may_follow(const BciCode *code, const BciInsn *before, const BciInsn *label) {
    return !bci_is_end(before) && (!bci_changes_locals(before) || !row_ends_at(code, label));
}

/* ---- frames at labels of pieces ---- */

static bool to_vtype(BciClass *c, CfType t, BciVType *out) {
    CfTypeKind k = cf_type_kind(t);
    *out = (BciVType){cf_type_tag(t), (uint16_t)(k == CF_T_UNINIT ? cf_type_data(t) : 0)};
    if (k == CF_T_OBJECT) out->data = cf_add_class(c->cf, cf_type_name(&c->types, t));
    return k <= CF_T_UNINIT && (k != CF_T_OBJECT || out->data);
}

static bool push_frame(Shift *s, BciNewFrame f) {
    s->frame_bytes += 7 + 3 * (size_t)(f.nlocals + f.nstack);
    return BCI_PUSH(s->code->m->cls, s->frames, s->nframes, s->cap_frames, f);
}

/* `fr`, told by its difference to `before`. */
static bool told_by(Shift *s, BciNewFrame f, const CfFrame *before, const CfFrame *fr) {
    const CfCode *o = &s->code->orig;
    if (!s->types) s->types = cf_arena_alloc(s->scratch, (2 * (size_t)o->max_locals + o->max_stack + 1) * sizeof *s->types);
    CfType *old = s->types;
    if (!old) return false;
    uint32_t nold = s->wide ? 0 : cf_types_compact(before->locals, before->nlocals, old);
    CfType *now = old + nold;
    uint32_t nlocals = cf_types_compact(fr->locals, fr->nlocals, now);
    f.nstack = cf_types_compact(fr->stack, fr->depth, now + nlocals);
    f.form = s->wide ? (int)CF_MAP_FULL : cf_map_form(old, nold, now, nlocals, f.nstack);
    uint32_t from = f.form == CF_MAP_FULL ? 0 : f.form > 0 ? nlocals - (uint32_t)f.form : nlocals;
    f.nlocals = nlocals - from;
    BciVType *v = cf_arena_alloc(s->scratch, (f.nlocals + f.nstack + 1u) * sizeof *v);
    f.types = v;
    for (uint32_t k = 0; v && k < f.nlocals + f.nstack; k++)
        if (!to_vtype(s->code->m->cls, now[from + k], &v[k])) return false;
    return v && push_frame(s, f);
}

/* With a new frame in front of it the next one of the input, told by what it changes, is told anew. */
static bool retell_next(Shift *s, uint32_t ins) {
    BciStraight *b = &s->line;
    if (!b->more_types) return true;
    const CfFrame *fr = bci_straight_next_frame(b);
    return fr && told_by(s, (BciNewFrame){.of_input = true, .ins = ins, .at = b->type_frame.pc}, &b->base, fr);
}

static bool lost_uninit_this(const CfFrame *fr) {
    bool found = false;
    for (uint32_t k = 0; k < fr->nlocals; k++) found |= fr->locals[k] == CF_T_UNINIT_THIS;
    return fr->this_uninit && !found;
}

/* The frame at a label of the piece `ins`, `at` bytes behind its start: that of the place. */
static bool add_frame(Shift *s, uint32_t ins, uint32_t at) {
    const BciIns *in = &s->w.ins[ins];
    uint32_t pc = in->key >> 2, place = in->key & 3;
    BciStraight *b = &s->line;
    BciNewFrame f = {.ins = ins, .at = at};
    bci_straight_go(b, pc, place == BCI_AT_BEFORE);
    if (place != BCI_AT_BEFORE && at == in->len && b->more && b->frame.pc == pc)
        return true; /* the frame of the input stands there */
    BciNewFrame *last = s->nframes ? &s->frames[s->nframes - 1] : NULL, next = {0};
    if (last && last->of_input && b->more && last->at == b->frame.pc) next = *last, s->nframes--; /* it will follow this one */
    if (!b->lost && !b->changed && b->depth == 0 && (!s->wide || place == BCI_AT_ENTRY || b->seen))
        return push_frame(s, f) && (!next.of_input || push_frame(s, next));
    const CfFrame *fr = bci_straight_types(b, pc, place == BCI_AT_BEFORE);
    if (!fr || lost_uninit_this(fr) || !told_by(s, f, &b->base, fr)) return false;
    if (s->wide) return true;
    bci_straight_set_frame(b);
    return retell_next(s, ins);
}

static bool wants_frames(const Shift *s) { return s->code->m->cls->cf->major >= 50; }

static bool add_frames(Shift *s, uint32_t ins, const BciInsn *from, const BciInsn *to) {
    for (const BciInsn *i = from; i != to; i = i->next) {
        if (bci_is_join(i) && !add_frame(s, ins, i->offset)) return false;
        if (bci_is_join(i) && s->w.ins[ins].key == BCI_AT_ENTRY) s->entry_join = i->offset;
    }
    return true;
}

/* ---- the list of pieces ---- */

/* Marks the labels of a piece and gives all its nodes their offsets in it. False if it cannot be woven in. */
static bool mark_piece(const Shift *s, BciInsn *from, const BciInsn *to, bool *joins) {
    uint32_t pc = 0;
    *joins = false;
    for (BciInsn *i = from; i != to; i = i->next) {
        if (i->mark & BCI_M_OLD) continue;
        i->offset = pc;
        if (bci_is_label(i)) {
            i->mark |= BCI_M_HERE;
            *joins |= bci_is_join(i);
        } else {
            pc += bci_insn_size(i, 0);
        }
    }
    return pc <= INT16_MAX && (!*joins || s->code->m->cls->cf->major != 50);
}

static void unmark_piece(BciInsn *from, const BciInsn *to) {
    for (BciInsn *i = from; i != to; i = i->next) i->mark &= (uint16_t)~BCI_M_HERE;
}

/* The bytes of the piece, and where they go. */
static bool weave_piece(Shift *s, BciInsn *from, BciInsn *to, uint32_t pc, unsigned place, bool joins) {
    BciWeave *w = &s->w;
    BciStraight *b = &s->line;
    uint32_t growth, below, depth = 0, start = (uint32_t)w->seq.len;
    uint8_t *p = w->seq.data + start;
    if (!bci_neutral(s->code, from, to, &s->held, place == BCI_AT_ENTRY, &growth, &below)) return false;
    for (const BciInsn *i = from; i != to; i = i->next)
        if (!bci_is_label(i)) p = bci_put_insn(s->code, i, p);
    w->seq.len = (size_t)(p - w->seq.data);
    if (w->seq.len == start) return !joins;
    bool lost = false;
    if (place != BCI_AT_ENTRY && (growth || below)) {
        bci_straight_go(b, pc, place == BCI_AT_BEFORE);
        lost = b->lost;
        depth = lost ? s->code->orig.max_stack : b->depth;
    }
    if (below > depth || (below && lost)) return false;
    if (growth && growth + depth > s->max_stack) s->max_stack = growth + depth;
    w->ins[w->nins++] = (BciIns){pc * 4 + place, start, (uint32_t)w->seq.len - start, 0};
    return !joins || !wants_frames(s) || add_frames(s, w->nins - 1, from, to);
}

/* The piece from `from` up to `to` is to be put at `place` of `pc`. */
static bool add_piece(Shift *s, BciInsn *from, BciInsn *to, uint32_t pc, unsigned place) {
    bool joins;
    for (const BciInsn *i = from; i != to; i = i->next) s->npieces += !bci_is_label(i);
    if (s->npieces > s->code->inserted) return false;
    bool ok = mark_piece(s, from, to, &joins) && weave_piece(s, from, to, pc, place, joins);
    unmark_piece(from, to);
    return ok;
}

/* What was inserted in front of the instruction `i` of the input: in front of the label of its
 * offset, and behind it. */
static bool add_gap(Shift *s, BciInsn *i) {
    BciInsn *first = i, *label = NULL;
    while (first->prev && (bci_is_label(first->prev) || first->prev->flags & BCI_F_NEW)) {
        first = first->prev;
        if (first->mark & BCI_M_OLD) label = first;
    }
    if (label && first != label) {
        unsigned place = i->pc ? BCI_AT_AFTER : BCI_AT_ENTRY;
        uint32_t had = s->w.nins;
        if (!add_piece(s, first, label, i->pc, place)) return false;
        if (s->w.nins > had && i->pc && !may_follow(s->code, first->prev, label)) return false;
    }
    return add_piece(s, label ? label : first, i, i->pc, BCI_AT_BEFORE);
}

static int by_pc(const void *a, const void *b) {
    const BciInsn *const *x = a, *const *y = b;
    return (*x)->pc < (*y)->pc ? -1 : (*x)->pc > (*y)->pc;
}

static bool gather(Shift *s) {
    BciCode *code = s->code;
    bool sorted = true;
    for (uint32_t k = 1; k < code->ngaps; k++) sorted &= code->gaps[k]->pc > code->gaps[k - 1]->pc;
    if (!sorted) qsort(code->gaps, code->ngaps, sizeof *code->gaps, by_pc);
    for (uint32_t k = 0; k < code->ngaps; k++)
        if (!add_gap(s, code->gaps[k])) return false;
    return s->npieces == code->inserted;
}

/* ---- held locals ---- */

/* What the piece at the entry leaves in them: a straight line from its last label on. */
static const CfFrame *entry_result(Shift *s) {
    BciClass *c = s->code->m->cls;
    const BciIns *in = &s->w.ins[0];
    CfCode *shape = CF_NEW(s->scratch, CfCode);
    CfFlow *f = CF_NEW(s->scratch, CfFlow);
    CfFrame *fr = CF_NEW(s->scratch, CfFrame);
    CfInsn i;
    if (!shape || !f || !fr || s->w.nins == 0 || in->key != BCI_AT_ENTRY || !bci_types(c)) return NULL;
    *shape = (CfCode){.code = s->w.seq.data + in->seq,
                      .code_len = in->len,
                      .max_locals = (uint16_t)s->code->max_locals,
                      .max_stack = (uint16_t)s->max_stack};
    if (!cf_flow_init(f, &c->types, bci_member(s->code->m), shape, false)) return NULL;
    f->arena = s->scratch;
    if (!cf_frame_init(f, fr) || !cf_frame_entry(f, fr)) return NULL;
    for (uint32_t pc = s->entry_join; pc < in->len; pc += i.len)
        if (!cf_insn(shape->code, shape->code_len, pc, &i) || !cf_step(f, &i, fr)) return NULL;
    return fr;
}

static bool is_kind(CfType t, char kind) {
    CfTypeKind k = cf_type_kind(t);
    return kind == 'I'   ? k == CF_T_INT
           : kind == 'J' ? k == CF_T_LONG
           : kind == 'F' ? k == CF_T_FLOAT
           : kind == 'D' ? k == CF_T_DOUBLE
           : kind == 'A' ? k == CF_T_OBJECT || k == CF_T_NULL
                         : k == CF_T_LONG2 || k == CF_T_DOUBLE2;
}

static bool any_wanted(const Shift *s) {
    bool any = false;
    for (uint32_t k = 0; k < s->held.n; k++) any |= s->held.v[k].wanted;
    return any;
}

/* New locals from the first to the last that is wanted: the others are unusable in frames. */
static bool keep_held(Shift *s) {
    BciWeave *w = &s->w;
    BciClass *c = s->code->m->cls;
    uint32_t base = s->code->orig_locals, end = base, n = 0;
    const CfFrame *fr = entry_result(s);
    CfType *kept = cf_arena_alloc(s->scratch, (s->code->max_locals - base + 1) * sizeof *kept);
    if (!fr || !kept) return false;
    memset(kept, 0, (s->code->max_locals - base + 1) * sizeof *kept);
    for (uint32_t k = 0; k < s->held.n; k++) {
        uint32_t slot = s->held.v[k].slot;
        if (!s->held.v[k].wanted) continue;
        if (!is_kind(fr->locals[slot], s->held.v[k].kind)) return false;
        kept[slot - base] = fr->locals[slot];
        end = slot >= end ? slot + 1 : end;
    }
    w->kept = cf_arena_alloc(s->scratch, (end - base) * sizeof *w->kept);
    for (uint32_t k = 0; w->kept && k < end - base; k++)
        if (kept[k] != CF_T_LONG2 && kept[k] != CF_T_DOUBLE2 && !to_vtype(c, kept[k], &w->kept[n++].type)) return false;
    w->nkept = n;
    w->kept_slots = end - base;
    return w->kept != NULL;
}

/* The locals at pc 0, from which those of the first frame are told. */
static bool set_entry_types(Shift *s) {
    BciWeave *w = &s->w;
    BciClass *c = s->code->m->cls;
    CfFlow f;
    CfFrame fr;
    if (!cf_flow_init(&f, &c->types, bci_member(s->code->m), &s->code->orig, false)) return false;
    f.arena = s->scratch;
    if (!cf_frame_init(&f, &fr) || !cf_frame_entry(&f, &fr)) return false;
    w->entry_types = cf_arena_alloc(s->scratch, (fr.nlocals + 1u) * sizeof *w->entry_types);
    uint32_t n = w->entry_types ? cf_types_compact(fr.locals, fr.nlocals, fr.locals) : 0;
    for (uint32_t k = 0; k < n; k++)
        if (!to_vtype(c, fr.locals[k], &w->entry_types[k])) return false;
    w->nentry = n;
    return w->entry_types != NULL;
}

/* All frames are written in full then: 4 MiB are more than any method needs that is not made to be bad. */
static bool widen(Shift *s) {
    if (!s->line.map && !s->nframes) return true;
    size_t frames = s->nframes + (s->line.map && s->line.map->len > 1 ? cf_get_u2(s->line.map->data) : 0u);
    s->frame_bytes += frames * (7 + 3 * (size_t)s->code->max_locals);
    return s->frame_bytes < 4 << 20 && keep_held(s) && set_entry_types(s);
}

static bool gather_all(Shift *s) {
    if (!gather(s)) return false;
    if (!any_wanted(s) || !wants_frames(s)) return true;
    if (s->nframes) { /* they have to be told in full */
        s->wide = true;
        s->w.nins = s->nframes = s->npieces = 0;
        s->w.seq.len = 0;
        bci_straight_start(&s->line, s->code, s->scratch);
        if (!gather(s)) return false;
    }
    return widen(s);
}

/* ---- writing ---- */

/* The method as the splice wants it. Everything has its largest size from the start: nothing grows. */
static bool prepare(Shift *s, const CfAttr *in) {
    enum { LONGEST = 6 }; /* bytes of an instruction that may be in a piece */
    BciCode *code = s->code;
    const CfCode *o = &code->orig;
    BciWeave *w = &s->w;
    w->b = (BciBody){.attr = in->data,
                     .end = in->data + in->len,
                     .max_stack = o->max_stack,
                     .max_locals = o->max_locals,
                     .code_len = o->code_len,
                     .code = o->code,
                     .nrows = o->handlers.count,
                     .nattrs = o->attrs.count};
    w->b.rows = o->code + o->code_len + 2;
    w->b.attrs = w->b.rows + 8 * (size_t)w->b.nrows + 2;
    w->known = o->attrs.v;
    w->cap_ins = 2 * code->ngaps;
    w->ins = cf_arena_alloc(s->scratch, w->cap_ins * sizeof *w->ins);
    w->cap_shifts = w->cap_ins + code->nswitches + 2;
    w->shifts = cf_arena_alloc(s->scratch, w->cap_shifts * sizeof *w->shifts);
    w->seq.cap = LONGEST * (size_t)code->inserted + 1;
    w->seq.data = cf_arena_alloc(s->scratch, w->seq.cap);
    w->want_map = true;
    w->drop_unknown = code->m->cls->opt.flags & BCI_DROP_UNKNOWN;
    w->arena = s->scratch;
    return w->ins && w->shifts && w->seq.data;
}

static void set_jumps(Shift *s) {
    BciWeave *w = &s->w;
    const BciCode *code = s->code;
    bool only_entry = w->nins == 1 && w->ins[0].key == BCI_AT_ENTRY;
    w->switches = code->nswitches > 0;
    w->walked = w->switches || !only_entry;
    w->relocs = code->jumps;
    w->nrelocs = code->njumps;
}

/* The most that the new attribute can take: with each insertion and padding, each frame in its long
 * form, and what copying types asks for. */
static size_t most(const Shift *s, const CfAttr *in) {
    return 6 + in->len + s->w.seq.len + 3 * (size_t)s->code->nswitches + (s->line.map ? 4 * (size_t)s->line.map->len : 0) +
           s->frame_bytes + 64;
}

/* ---- the proof by example ---- */

#ifdef GRAFT_DEBUG
#include <stdio.h>

static void disagree(const BciCode *code, const char *what) {
    fprintf(stderr, "bci_shift: %s.%s%s: %s\n", bci_class_name(code->m->cls), bci_method_name(code->m), bci_method_desc(code->m),
            what);
    abort();
}

/* The type of the input, at the new place of its `new`. One that names a place inside an instruction verifies nowhere
 * and is anything: the splice has moved it like the instruction. */
static bool same_type(const BciCode *code, CfType old, CfType now) {
    if (cf_type_kind(old) != CF_T_UNINIT) return old == now;
    const BciInsn *i = bci_at(code, cf_type_data(old));
    return cf_type_kind(now) == CF_T_UNINIT && (!i || i->offset == cf_type_data(now));
}

static bool same_types(const BciCode *code, const CfType *old, const CfType *now, uint32_t n) {
    for (uint32_t k = 0; k < n; k++)
        if (!same_type(code, old[k], now[k])) return false;
    return true;
}

static bool same_frame(const BciCode *code, const CfFrame *old, const CfFrame *now) {
    for (uint32_t k = old->nlocals; k < now->nlocals && k < code->orig_locals; k++)
        if (now->locals[k] != CF_T_TOP) return false;
    return old->depth == now->depth && same_types(code, old->stack, now->stack, old->depth) &&
           same_types(code, old->locals, now->locals, old->nlocals);
}

/* Each frame of the input stands at the new place of its label, and there are no others but at labels of pieces. */
static void frames_agree(BciCode *code, const CfCode *out) {
    BciClass *c = code->m->cls;
    CfFlow f;
    CfFrame fr;
    CfMapIter it;
    CfMapFrame mf;
    int64_t at = -1;
    if (!bci_types(c) || !cf_flow_init(&f, &c->types, bci_member(code->m), out, false)) return;
    f.arena = &c->scratch;
    if (!cf_frame_init(&f, &fr) || !cf_frame_entry(&f, &fr) ||
        cf_map_start(cf_attr(&out->attrs, CF_ATTR_STACK_MAP_TABLE), &it, NULL) != CF_OK)
        return;
    for (BciInsn *i = code->first; i; i = i->next) {
        if (!bci_is_label(i)) continue;
        const CfFrame *orig = bci_as_label(i)->point ? bci_as_label(i)->point->orig : NULL;
        bool inner = !(i->mark & BCI_M_OLD) && bci_as_label(i)->is_target;
        if (!orig && !inner) continue;
        if (at != i->offset && (cf_map_next(&it, &mf) <= 0 || mf.pc != i->offset || !cf_frame_from_map(&f, &fr, &mf)))
            disagree(code, "no frame where one is needed");
        at = i->offset;
        if (orig && !same_frame(code, orig, &fr)) disagree(code, "another frame than in the input");
    }
    if (cf_map_next(&it, &mf) != 0) disagree(code, "more frames than in the input");
}

/* Byte for byte, but for bytes without a meaning (of calls, padding of switches), which the list does
 * not hold. */
static void code_agrees(const BciCode *code, const uint8_t *list, const uint8_t *out) {
    for (const BciInsn *i = code->first; i; i = i->next) {
        uint32_t from = i->offset, end = i->next ? i->next->offset : from, len = end - from;
        if (bci_is_label(i)) continue;
        if (i->op == CF_OP_INVOKEINTERFACE || i->op == CF_OP_INVOKEDYNAMIC) len = 3;
        bool same = list[from] == out[from];
        if (bci_flags(i) & CF_OF_SWITCH) from += 1 + (~from & 3), len = end - from;
        if (!same || memcmp(list + from, out + from, len) != 0) disagree(code, "other code than the list has");
    }
}

static void rows_agree(const BciCode *code, const CfCode *out) {
    bool same = out->handlers.count == code->ntries;
    for (uint32_t k = 0; same && k < code->ntries; k++) {
        CfHandler h = cf_handler(&out->handlers, k);
        const BciTry *t = &code->tries[k].pub;
        same = h.start == t->start->node.offset && h.end == t->end->node.offset && h.handler == t->handler->node.offset &&
               h.type == t->type;
    }
    if (!same) disagree(code, "other exception rows than the list has");
}

/* Compares the new attribute with the list, and the claim with what the data flow finds: if the
 * frames of the input hold in the input, they hold in the result. */
static void agrees(BciCode *code) {
    BciClass *c = code->m->cls;
    CfCode out;
    CfError *err = code->m->err;
    bool unfolded = bci_unfold(code);
    code->m->err = err;
    cf_arena_reset(&c->scratch);
    CfErrCode rc = cf_code(c->cf, bci_member(code->m), &c->scratch, &out, NULL);
    if (rc == CF_ERR_NOMEM) return;
    if (rc != CF_OK) disagree(code, "malformed result");
    uint8_t *bytes = cf_arena_alloc(&c->scratch, out.code_len);
    if (!unfolded || !bytes || !bci_place_all(code)) return;
    if (code->length != out.code_len || bci_assemble(code, bytes) != CF_OK) disagree(code, "other code than the list has");
    code_agrees(code, bytes, out.code);
    rows_agree(code, &out);
    if (!code->has_jsr && c->cf->major >= 50) frames_agree(code, &out);
    uint32_t before, after;
    if (bci_frames_hold(code, true, &before) && before <= code->orig.max_stack &&
        (!bci_frames_hold(code, false, &after) || after > out.max_stack) && !c->err)
        disagree(code, "the inserted code is not neutral");
}
#endif

/* ---- all ---- */

static bool may_shift(const BciCode *code) {
    const BciClass *c = code->m->cls;
    return code->orig.code && code->inserted && !code->beyond && !code->has_jsr &&
           (c->opt.frames == BCI_FRAMES_KEEP || c->cf->major < 50);
}

static bool shift(BciMethod *m) {
    BciClass *c = m->cls;
    BciCode *code = m->code;
    CfAttr *a = (CfAttr *)cf_attr(&bci_member(m)->attrs, CF_ATTR_CODE);
    if (!may_shift(code) || !a) return false;
    c->flow_of = NULL;
    cf_arena_reset(&c->scratch);
    Shift s = {.code = code, .scratch = &c->scratch};
    bci_straight_start(&s.line, code, &c->scratch);
    if (!prepare(&s, a) || !gather_all(&s)) return false;
    if (s.nframes && !s.line.map && !(s.w.map_name = cf_add_utf8(c->cf, CF_STR("StackMapTable")))) return false;
    set_jumps(&s);
    s.w.frames = s.frames;
    s.w.nframes = s.nframes;
    s.w.entry_stack = s.max_stack;
    s.w.temps = code->max_locals - code->orig_locals - s.w.kept_slots;
    size_t size = most(&s, a);
    CfWriter out = {.data = cf_arena_alloc(&c->arena, size), .cap = size, .fixed = true};
    if (!out.data) return false;
    BciFit fit = bci_splice(NULL, &s.w, &out);
    cf_arena_shrink(&c->arena, out.data, size, out.len);
    if (fit != BCI_FITS || (c->opt.flags & BCI_OUTLINE && s.w.new_len > c->code_limit)) return false;
    a->data = out.data + 6;
    a->len = (uint32_t)out.len - 6;
    code->length = s.w.new_len;
    code->written = code->unplaced = true;
#ifdef GRAFT_DEBUG
    agrees(code);
#endif
    return true;
}

/* Memory that runs out is an error: the data flow, with memory again, might write another result. */
bool bci_shift(BciMethod *m) {
    BciClass *c = m->cls;
    uint32_t before = c->arena.failed + c->scratch.failed;
    if (shift(m)) return true;
    if (c->arena.failed + c->scratch.failed != before || c->types.nomem) bci_fail(m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    return false;
}
