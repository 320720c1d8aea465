/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exec_asm.h - code of one method, written front to back over classfile/, for the generator of programs (exec_gen.h).
 *
 * The writer of the code says what each instruction takes and leaves; the assembler keeps the types on the stack, and from them makes
 * max_stack and a full frame at each label. All forms are the caller's choice (wide, ldc_w, goto_w, jsr), which is why this is not
 * bci-lib: that chooses the shortest.
 *
 * Invariants: a label has one stack, that at its first use; locals have one type in the whole method (asm_local), so frames at any
 * label agree on them. Behind an instruction that never falls through (`dead`) the next thing is a label.
 */
#ifndef EXEC_ASM_H
#define EXEC_ASM_H

#include "classfile.h"

/* Types of values, fields, parameters. Those up to DOUBLE in the order that TYPES below gives descriptors and kinds. */
typedef enum Ty {
#define TYPE(NAME, desc, kind) TY_##NAME,
#include "exec_types.def"
#undef TYPE
    TY_COUNT,
    TY_TOP = TY_COUNT, /* a local that nothing reads */
    TY_UNINIT,         /* the result of the `new` at Value.pc */
    TY_UNINIT_THIS,
    TY_RET /* return address */
} Ty;

typedef struct Value {
    uint8_t ty;
    uint32_t pc;
} Value;

enum { MAX_STACK = 400, MAX_LOCALS = 400, MAX_FIX = 200 };

typedef struct Label {
    int32_t pc; /* -1: not placed */
    unsigned fixes;
    struct {
        uint32_t insn, at;
        bool wide;
    } fix[MAX_FIX];
    int depth; /* -1: not used yet */
    Value *stack;
} Label;

typedef struct Asm {
    CfClass *c;
    CfArena *arena;
    CfWriter code, frames, lines, rows;
    Value stack[MAX_STACK];
    int depth, cells, max_cells;
    Value local[MAX_LOCALS]; /* by slot; the second of a J or D is TY_TOP */
    unsigned locals, nframes, nlines, nrows, line;
    int32_t last_frame, frame_before; /* pc; -1: none */
    size_t frame_at;                  /* of the last one, in `frames` */
    bool dead, far;                   /* far: branches by goto_w */
    bool with_frames;
    bool failed; /* too long or too deep: the method is to be made anew, smaller */
} Asm;

extern const char *const ty_desc[TY_COUNT];
extern const char ty_kinds[TY_COUNT];

static inline char ty_kind(unsigned ty) { return ty < TY_COUNT ? ty_kinds[ty] : 'A'; }
static inline int ty_cells(unsigned ty) { return ty_kind(ty) == 'J' || ty_kind(ty) == 'D' ? 2 : ty_kind(ty) == 'V' ? 0 : 1; }
static inline bool ty_is_ref(unsigned ty) { return ty_kind(ty) == 'A'; }

void asm_init(Asm *a, CfClass *c);
void asm_free(Asm *a);
unsigned asm_local(Asm *a, Ty ty); /* slot of a new local */
static inline uint32_t asm_pc(const Asm *a) { return (uint32_t)a->code.len; }

void asm_push(Asm *a, unsigned ty);
void asm_pop(Asm *a, int values);
static inline unsigned asm_top(const Asm *a, int below) { return a->stack[a->depth - 1 - below].ty; }

void asm_op(Asm *a, unsigned op, int pops, Ty push); /* no operands; push TY_V: nothing */
void asm_op1(Asm *a, unsigned op, unsigned u1, int pops, Ty push);
void asm_op2(Asm *a, unsigned op, unsigned u2, int pops, Ty push);
void asm_var(Asm *a, unsigned op, unsigned slot, bool wide); /* iload ... astore, ret: operands only */
void asm_load(Asm *a, Ty ty, unsigned slot, unsigned form);  /* form 0: shortest; 1: with index; 2: wide */
void asm_store(Asm *a, Ty ty, unsigned slot, unsigned form);
void asm_new(Asm *a, uint16_t cls);          /* pushes TY_UNINIT */
void asm_end(Asm *a, unsigned op, int pops); /* athrow, returns */

void asm_label_init(Label *l);
void asm_place(Asm *a, Label *l);
void asm_jump(Asm *a, unsigned op, int pops, Label *l); /* all branches but jsr */
void asm_jsr(Asm *a, Label *l, bool wide);
void asm_switch(Asm *a, const int32_t *keys, Label **targets, unsigned n, Label *deflt, bool table);
void asm_row(Asm *a, uint32_t start, uint32_t end, const Label *handler, uint16_t type);
void asm_line(Asm *a, unsigned line);
/* Into `m`. False if it failed. */
bool asm_finish(Asm *a, CfMember *m);

#endif
