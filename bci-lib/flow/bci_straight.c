/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_straight.c - what holds at a place of the input: stack depth and types, counted from the last frame in
 * front of it.
 *
 * THEORY. From class version 51 on a frame stands wherever control flow meets, and behind each instruction that
 * does not fall through. So between a frame and the next one code is a straight line, and what holds in it
 * follows from the frame (at first from the descriptor) step by step, without the rest of the method.
 *
 * There are two such walks. The first counts slots only, and notes whether an instruction may have changed
 * the type of a local: it is all that most edits need. The second computes types (cf_step) and starts at
 * the first frame of the table, since each is told by its difference to the one before.
 *
 * PLACES are asked for in ascending order. At one pc there are two: behind the instruction before it
 * (`at_label` false: a frame at pc does not count yet) and in front of the instruction (it does).
 */
#include "bci_flow.h"

static void next_frame(CfMapIter *it, CfMapFrame *f, bool *more) { *more = cf_map_next(it, f) > 0; }

static bool applies(const CfMapFrame *f, bool more, uint32_t pc, bool at_label) {
    return more && (f->pc < pc || (at_label && f->pc == pc));
}

/* ---- slots ---- */

static uint32_t stack_slots(CfMapTypes t) {
    uint32_t n = 0;
    uint8_t tag;
    uint16_t data;
    while (cf_map_type_next(&t, &tag, &data)) n += tag == CF_VTAG_LONG || tag == CF_VTAG_DOUBLE ? 2 : 1;
    return n;
}

void bci_straight_start(BciStraight *b, const BciCode *code, CfArena *scratch) {
    *b = (BciStraight){.code = code, .scratch = scratch, .map = cf_attr(&code->orig.attrs, CF_ATTR_STACK_MAP_TABLE)};
    if (cf_map_start(b->map, &b->frames, NULL) == CF_OK) next_frame(&b->frames, &b->frame, &b->more);
}

bool bci_changes_locals(const BciInsn *i) {
    return bci_flags(i) & CF_OF_STORE || i->op == CF_OP_INVOKESPECIAL || i->op == CF_OP_NEW;
}

void bci_straight_go(BciStraight *b, uint32_t pc, bool at_label) {
    const BciCode *code = b->code;
    while (applies(&b->frame, b->more, pc, at_label)) {
        b->at = b->frame.pc;
        b->depth = stack_slots(b->frame.stack);
        b->lost = b->changed = false;
        b->seen = true;
        next_frame(&b->frames, &b->frame, &b->more);
    }
    const BciInsn *i = b->lost ? NULL : bci_at(code, b->at), *end = code->nodes + code->nnodes;
    uint32_t pops, pushes;
    for (; i && i < end && i->pc < pc; i++) {
        if (!bci_slots(code, i, &pops, &pushes) || pops > b->depth) break;
        b->depth += pushes - pops;
        b->changed |= bci_changes_locals(i);
    }
    b->lost = !i || i == end || i->pc != pc;
    b->at = pc;
}

/* ---- types ---- */

static bool start_types(BciStraight *b) {
    BciClass *c = b->code->m->cls;
    if (!bci_types(c) || !cf_flow_init(&b->flow, &c->types, bci_member(b->code->m), &b->code->orig, false)) return false;
    b->flow.arena = b->scratch;
    if (!cf_frame_init(&b->flow, &b->mapped) || !cf_frame_init(&b->flow, &b->types) || !cf_frame_init(&b->flow, &b->base) ||
        !cf_frame_init(&b->flow, &b->next) || !cf_frame_entry(&b->flow, &b->mapped) ||
        cf_map_start(b->map, &b->type_frames, NULL) != CF_OK)
        return false;
    cf_frame_copy(&b->flow, &b->types, &b->mapped);
    cf_frame_copy(&b->flow, &b->base, &b->mapped);
    next_frame(&b->type_frames, &b->type_frame, &b->more_types);
    return b->typed = true;
}

const CfFrame *bci_straight_types(BciStraight *b, uint32_t pc, bool at_label) {
    const CfCode *o = &b->code->orig;
    CfInsn i;
    if (b->bad_types || (!b->typed && !start_types(b))) return NULL;
    b->bad_types = true; /* unless it goes well */
    while (applies(&b->type_frame, b->more_types, pc, at_label)) {
        if (!cf_frame_from_map(&b->flow, &b->mapped, &b->type_frame)) return NULL;
        cf_frame_copy(&b->flow, &b->types, &b->mapped);
        cf_frame_copy(&b->flow, &b->base, &b->mapped);
        b->types_at = b->type_frame.pc;
        next_frame(&b->type_frames, &b->type_frame, &b->more_types);
    }
    for (; b->types_at < pc; b->types_at += i.len)
        if (!cf_insn(o->code, o->code_len, b->types_at, &i) || cf_op_info[i.op].flags & CF_OF_END ||
            !cf_step(&b->flow, &i, &b->types))
            return NULL;
    b->bad_types = b->types_at != pc;
    return b->bad_types ? NULL : &b->types;
}

void bci_straight_set_frame(BciStraight *b) {
    cf_frame_copy(&b->flow, &b->base, &b->types);
    b->changed = false;
}

const CfFrame *bci_straight_next_frame(BciStraight *b) {
    cf_frame_copy(&b->flow, &b->next, &b->mapped);
    return cf_frame_from_map(&b->flow, &b->next, &b->type_frame) ? &b->next : NULL;
}
