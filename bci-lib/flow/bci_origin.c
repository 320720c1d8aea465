/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_origin.c - where a value on the operand stack stands in the input.
 *
 * A frame of the input names the types of stack slots. It is a hint for an edited body only as far as the same
 * values are there: an edit may have taken away what lay under them (`new X(c ? a : b)` that becomes a call of
 * a factory), or put something there, so that values of the input stand in other slots than the frame says.
 *
 * TERMS
 *   origin   of a value on the stack: the slot in which it stands in the input, if an instruction of the
 *            input made it. In the input, an instruction puts its results in the same slots each time (the depth
 *            at a pc is the same on all ways, 4.10.1), so origins are known from the pc alone.
 *   NOWHERE  inserted code made the value.
 *   UNSURE   values of different slots of the input meet.
 *
 * Origins are carried along by the data flow (bci_frames.c) beside the types; they need a pass over the code of
 * the input and a table by pc, and are asked for only if a frame of the input has something on the stack, other than
 * the exception of a handler, and if an edit may have moved it: where only frames with as many slots are taken, that
 * is by deleting, or by inserted code that puts values in another order.
 */
#include "bci_flow.h"

bool bci_wants_origins(const BciCode *code, bool kept) {
    return code->orig.code && code->deep && (kept ? code->moves : code->edits != 0);
}

/* Depth of the input's stack at the places of its frames. */
static void depths_at_frames(const BciCode *code, BciOrigin *at) {
    for (const BciInsn *i = code->first; i; i = i->next) {
        const BciPoint *p = bci_is_label(i) ? ((const BciLabel *)i)->point : NULL;
        if (p && p->orig) at[p->pc] = p->orig->depth;
    }
}

BciOrigin *bci_result_slots(const BciCode *code, CfArena *a) {
    uint32_t len = code->orig.code_len, depth = 0;
    BciOrigin *at = cf_arena_alloc(a, len * sizeof *at);
    CfInsn in;
    if (!at) return NULL;
    memset(at, 0xff, len * sizeof *at);
    depths_at_frames(code, at);
    for (uint32_t pc = 0; pc < len && cf_insn(code->orig.code, len, pc, &in); pc += in.len) {
        uint32_t pops, pushes;
        BciInsn i = {.op = in.op, .index = in.index, .value = (int16_t)in.imm};
        if (at[pc] != BCI_NOWHERE) depth = at[pc];
        at[pc] = BCI_NOWHERE;
        if (depth == BCI_NOWHERE || !bci_slots(code, &i, &pops, &pushes) || pops > depth) {
            depth = BCI_NOWHERE; /* until the next frame */
            continue;
        }
        at[pc] = (BciOrigin)(depth - pops);
        depth += pushes - pops;
    }
    return at;
}

BciOrigin bci_meet_origins(BciOrigin a, BciOrigin b) {
    return a == b || b == BCI_NOWHERE ? a : a == BCI_NOWHERE ? b : BCI_UNSURE;
}

/* An inserted dup or swap moves values: the top `n` slots, with the `under` slots below them. */
static bool copied(unsigned op, uint32_t *n, uint32_t *under) {
    switch (op) {
    case CF_OP_DUP:
    case CF_OP_DUP_X1:
    case CF_OP_DUP_X2: *n = 1, *under = op - CF_OP_DUP; return true;
    case CF_OP_DUP2:
    case CF_OP_DUP2_X1:
    case CF_OP_DUP2_X2: *n = 2, *under = op - CF_OP_DUP2; return true;
    default: return false;
    }
}

/* `depth` is that behind the instruction. */
static bool moved(unsigned op, BciOrigin *origin, uint32_t depth) {
    uint32_t n, under;
    if (op == CF_OP_SWAP && depth >= 2) {
        BciOrigin top = origin[depth - 1];
        origin[depth - 1] = origin[depth - 2];
        origin[depth - 2] = top;
        return true;
    }
    if (!copied(op, &n, &under) || depth < 2 * n + under) return false;
    BciOrigin *from = origin + depth - 2 * n - under; /* ... under, top -> top, under, top */
    memmove(from + n, from, (n + under) * sizeof *from);
    memcpy(from, from + n + under, n * sizeof *from);
    return true;
}

void bci_step_origins(const BciCode *code, const BciOrigin *results, const BciInsn *i, BciOrigin *origin, uint32_t depth) {
    uint32_t pops, pushes;
    bool inserted = i->pc == BCI_NO_PC;
    if ((inserted && moved(i->op, origin, depth)) || !bci_slots(code, i, &pops, &pushes) || pushes > depth) return;
    BciOrigin base = inserted ? BCI_NOWHERE : results[i->pc];
    for (uint32_t k = 0; k < pushes; k++) origin[depth - pushes + k] = base == BCI_NOWHERE ? BCI_NOWHERE : (BciOrigin)(base + k);
}
