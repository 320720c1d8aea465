/* SPDX-License-Identifier: Apache-2.0 */
#include "exec_asm.h"

#include <stdlib.h>
#include <string.h>

const char *const ty_desc[TY_COUNT] = {
#define TYPE(NAME, desc, kind) [TY_##NAME] = desc,
#include "exec_types.def"
#undef TYPE
};
const char ty_kinds[TY_COUNT] = {
#define TYPE(NAME, desc, kind) [TY_##NAME] = kind,
#include "exec_types.def"
#undef TYPE
};

void asm_init(Asm *a, CfClass *c) {
    memset(a, 0, sizeof *a);
    a->c = c;
    a->arena = c->arena;
    cf_w_init(&a->code);
    cf_w_init(&a->frames);
    cf_w_init(&a->lines);
    cf_w_init(&a->rows);
    a->last_frame = -1;
    a->with_frames = c->major >= 50;
}

void asm_free(Asm *a) {
    cf_w_free(&a->code);
    cf_w_free(&a->frames);
    cf_w_free(&a->lines);
    cf_w_free(&a->rows);
}

unsigned asm_local(Asm *a, Ty ty) {
    unsigned slot = a->locals;
    if (slot + 2 >= MAX_LOCALS) {
        a->failed = true;
        return 0;
    }
    a->local[slot] = (Value){(uint8_t)ty, 0};
    if (ty < TY_COUNT && ty_cells(ty) == 2) a->local[slot + 1] = (Value){TY_TOP, 0};
    a->locals += ty < TY_COUNT ? (unsigned)ty_cells(ty) : 1;
    return slot;
}

/* ---- the stack ---------------------------------------------------------------------------- */

static void push_value(Asm *a, Value v) {
    if (a->depth >= MAX_STACK) {
        a->failed = true;
        return;
    }
    a->stack[a->depth++] = v;
    a->cells += ty_cells(v.ty);
    if (a->cells > a->max_cells) a->max_cells = a->cells;
}

void asm_push(Asm *a, unsigned ty) {
    if (ty >= TY_Z && ty < TY_I) ty = TY_I;
    if (ty != TY_V) push_value(a, (Value){(uint8_t)ty, 0});
}

void asm_pop(Asm *a, int values) {
    while (values-- > 0) {
        if (a->depth == 0) {
            a->failed = true;
            return;
        }
        a->cells -= ty_cells(a->stack[--a->depth].ty);
    }
}

/* ---- instructions -------------------------------------------------------------------------- */

void asm_op(Asm *a, unsigned op, int pops, Ty push) {
    cf_w_u1(&a->code, op);
    asm_pop(a, pops);
    asm_push(a, push);
}

void asm_op1(Asm *a, unsigned op, unsigned u1, int pops, Ty push) {
    cf_w_u1(&a->code, op);
    cf_w_u1(&a->code, u1 & 255);
    asm_pop(a, pops);
    asm_push(a, push);
}

void asm_op2(Asm *a, unsigned op, unsigned u2, int pops, Ty push) {
    cf_w_u1(&a->code, op);
    cf_w_u2(&a->code, u2 & 0xffff);
    asm_pop(a, pops);
    asm_push(a, push);
}

void asm_var(Asm *a, unsigned op, unsigned slot, bool wide) {
    if (wide || slot > 255) {
        cf_w_u1(&a->code, CF_OP_WIDE);
        cf_w_u1(&a->code, op);
        cf_w_u2(&a->code, slot);
    } else {
        cf_w_u1(&a->code, op);
        cf_w_u1(&a->code, slot);
    }
}

static unsigned kind_index(unsigned ty) {
    switch (ty_kind(ty)) {
    case 'I': return 0;
    case 'J': return 1;
    case 'F': return 2;
    case 'D': return 3;
    default: return 4;
    }
}

void asm_load(Asm *a, Ty ty, unsigned slot, unsigned form) {
    unsigned k = kind_index(ty);
    if (form == 0 && slot < 4) cf_w_u1(&a->code, CF_OP_ILOAD_0 + 4 * k + slot);
    else asm_var(a, CF_OP_ILOAD + k, slot, form == 2);
    asm_push(a, ty);
}

void asm_store(Asm *a, Ty ty, unsigned slot, unsigned form) {
    unsigned k = kind_index(ty);
    if (form == 0 && slot < 4) cf_w_u1(&a->code, CF_OP_ISTORE_0 + 4 * k + slot);
    else asm_var(a, CF_OP_ISTORE + k, slot, form == 2);
    asm_pop(a, 1);
}

void asm_new(Asm *a, uint16_t cls) {
    uint32_t pc = asm_pc(a);
    cf_w_u1(&a->code, CF_OP_NEW);
    cf_w_u2(&a->code, cls);
    push_value(a, (Value){TY_UNINIT, pc});
}

void asm_end(Asm *a, unsigned op, int pops) {
    asm_op(a, op, pops, TY_V);
    a->dead = true;
}

/* ---- labels and frames ---------------------------------------------------------------------- */

void asm_label_init(Label *l) {
    memset(l, 0, sizeof *l);
    l->pc = -1;
    l->depth = -1;
}

static void note_stack(Asm *a, Label *l) {
    if (l->depth >= 0) return;
    l->depth = a->depth;
    l->stack = cf_arena_alloc(a->arena, sizeof(Value) * (size_t)(a->depth + 1));
    memcpy(l->stack, a->stack, sizeof(Value) * (size_t)a->depth);
}

static void write_type(Asm *a, Value v) {
    CfWriter *w = &a->frames;
    const char *desc;
    switch (v.ty) {
    case TY_TOP: cf_w_u1(w, 0); return;
    case TY_UNINIT:
        cf_w_u1(w, 8);
        cf_w_u2(w, v.pc);
        return;
    case TY_UNINIT_THIS: cf_w_u1(w, 6); return;
    case TY_RET: cf_w_u1(w, 0); return;
    default: break;
    }
    desc = ty_desc[v.ty];
    switch (ty_kind(v.ty)) {
    case 'I': cf_w_u1(w, 1); return;
    case 'F': cf_w_u1(w, 2); return;
    case 'D': cf_w_u1(w, 3); return;
    case 'J': cf_w_u1(w, 4); return;
    default: break;
    }
    cf_w_u1(w, 7);
    CfStr name = cf_str(desc);
    if (desc[0] == 'L') name = (CfStr){desc + 1, name.len - 2};
    cf_w_u2(w, cf_add_class(a->c, name));
}

static void write_frame(Asm *a) {
    int32_t pc = (int32_t)asm_pc(a);
    unsigned n = 0;
    if (!a->with_frames) return;
    if (pc == a->last_frame) { /* two labels: the later knows which locals are out of use by now */
        a->frames.len = a->frame_at;
        a->last_frame = a->frame_before;
        a->nframes--;
    }
    a->frame_at = a->frames.len;
    a->frame_before = a->last_frame;
    cf_w_u1(&a->frames, 255);
    cf_w_u2(&a->frames, (unsigned)(a->last_frame < 0 ? pc : pc - a->last_frame - 1));
    for (unsigned s = 0; s < a->locals; s += a->local[s].ty < TY_COUNT ? (unsigned)ty_cells(a->local[s].ty) : 1) n++;
    cf_w_u2(&a->frames, n);
    for (unsigned s = 0; s < a->locals; s += a->local[s].ty < TY_COUNT ? (unsigned)ty_cells(a->local[s].ty) : 1)
        write_type(a, a->local[s]);
    cf_w_u2(&a->frames, (unsigned)a->depth);
    for (int i = 0; i < a->depth; i++) write_type(a, a->stack[i]);
    a->last_frame = pc;
    a->nframes++;
}

static void patch(Asm *a, uint32_t insn, uint32_t at, bool wide, int32_t to) {
    int32_t by = to - (int32_t)insn;
    if (wide) cf_w_patch_u4(&a->code, at, (uint32_t)by);
    else if (by >= -32768 && by <= 32767) cf_w_patch_u2(&a->code, at, (uint32_t)by & 0xffff);
    else a->failed = true;
}

void asm_place(Asm *a, Label *l) {
    note_stack(a, l);
    a->depth = 0;
    a->cells = 0;
    for (int i = 0; i < l->depth; i++) push_value(a, l->stack[i]);
    a->dead = false;
    write_frame(a);
    l->pc = (int32_t)asm_pc(a);
    for (unsigned i = 0; i < l->fixes; i++) patch(a, l->fix[i].insn, l->fix[i].at, l->fix[i].wide, l->pc);
}

/* The operand of a branch that starts at `insn`. */
static void operand(Asm *a, Label *l, uint32_t insn, bool wide) {
    uint32_t at = asm_pc(a);
    if (wide) cf_w_u4(&a->code, 0);
    else cf_w_u2(&a->code, 0);
    if (l->pc >= 0) patch(a, insn, at, wide, l->pc);
    else if (l->fixes < MAX_FIX) {
        l->fix[l->fixes].insn = insn;
        l->fix[l->fixes].at = at;
        l->fix[l->fixes++].wide = wide;
    } else a->failed = true;
}

static unsigned opposite(unsigned op) {
    if (op == CF_OP_IFNULL || op == CF_OP_IFNONNULL) return op ^ 1;
    return ((op + 1) ^ 1) - 1;
}

void asm_jump(Asm *a, unsigned op, int pops, Label *l) {
    uint32_t insn = asm_pc(a);
    asm_pop(a, pops);
    note_stack(a, l);
    if (op == CF_OP_GOTO || op == CF_OP_GOTO_W) {
        bool wide = a->far || op == CF_OP_GOTO_W;
        cf_w_u1(&a->code, wide ? CF_OP_GOTO_W : CF_OP_GOTO);
        operand(a, l, insn, wide);
        a->dead = true;
    } else if (a->far) {
        Label over;
        asm_label_init(&over);
        cf_w_u1(&a->code, opposite(op));
        note_stack(a, &over);
        operand(a, &over, insn, false);
        insn = asm_pc(a);
        cf_w_u1(&a->code, CF_OP_GOTO_W);
        operand(a, l, insn, true);
        asm_place(a, &over);
    } else {
        cf_w_u1(&a->code, op);
        operand(a, l, insn, false);
    }
}

void asm_jsr(Asm *a, Label *l, bool wide) {
    uint32_t insn = asm_pc(a);
    push_value(a, (Value){TY_RET, 0});
    note_stack(a, l);
    asm_pop(a, 1);
    cf_w_u1(&a->code, wide ? CF_OP_JSR_W : CF_OP_JSR);
    operand(a, l, insn, wide);
}

void asm_switch(Asm *a, const int32_t *keys, Label **targets, unsigned n, Label *deflt, bool table) {
    uint32_t insn = asm_pc(a);
    asm_pop(a, 1);
    note_stack(a, deflt);
    cf_w_u1(&a->code, table ? CF_OP_TABLESWITCH : CF_OP_LOOKUPSWITCH);
    while (asm_pc(a) % 4) cf_w_u1(&a->code, 0);
    operand(a, deflt, insn, true);
    if (table) {
        cf_w_u4(&a->code, (uint32_t)keys[0]);
        cf_w_u4(&a->code, (uint32_t)keys[n - 1]);
    } else cf_w_u4(&a->code, n);
    for (unsigned i = 0; i < n; i++) {
        note_stack(a, targets[i]);
        if (!table) cf_w_u4(&a->code, (uint32_t)keys[i]);
        operand(a, targets[i], insn, true);
    }
    a->dead = true;
}

void asm_row(Asm *a, uint32_t start, uint32_t end, const Label *handler, uint16_t type) {
    if (start >= end || handler->pc < 0) return;
    cf_w_u2(&a->rows, start);
    cf_w_u2(&a->rows, end);
    cf_w_u2(&a->rows, (unsigned)handler->pc);
    cf_w_u2(&a->rows, type);
    a->nrows++;
}

void asm_line(Asm *a, unsigned line) {
    cf_w_u2(&a->lines, asm_pc(a) & 0xffff);
    cf_w_u2(&a->lines, line & 0xffff);
    a->nlines++;
}

static void table_attr(Asm *a, CfAttrs *as, const char *name, unsigned count, const CfWriter *rows) {
    CfWriter w;
    cf_w_init(&w);
    cf_w_u2(&w, count);
    cf_w_bytes(&w, rows->data, rows->len);
    cf_attr_set(a->c, as, name, w.data, w.len);
    cf_w_free(&w);
}

bool asm_finish(Asm *a, CfMember *m) {
    CfCode code = {.max_stack = (uint16_t)(a->max_cells + 1), .max_locals = (uint16_t)a->locals, .code_len = asm_pc(a)};
    if (a->failed || asm_pc(a) > 65535 || asm_pc(a) == 0) return false;
    code.code = a->code.data;
    code.handlers = (CfRows){a->rows.data, a->nrows};
    if (a->nlines) table_attr(a, &code.attrs, "LineNumberTable", a->nlines, &a->lines);
    if (a->nframes) table_attr(a, &code.attrs, "StackMapTable", a->nframes, &a->frames);
    return cf_code_set(a->c, m, &code, NULL) == CF_OK;
}
