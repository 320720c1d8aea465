/* SPDX-License-Identifier: Apache-2.0 */
/* Inside jit/asm only: the buffer, and what is filled in when labels are known. */
#ifndef GRAFT_JIT_ASM_INT_H
#define GRAFT_JIT_ASM_INT_H

#include "jit/asm/asm.h"
#include <string.h>

struct AsmFixup {
    u4 at;              /* offset of the field to fill in */
    u1 kind;            /* of the CPU */
    const Label *label; /* NULL: target */
    union {
        const void *target; /* C function */
        u4 from;            /* offset that the field's value counts from, where it is not a function of `at` */
    };
};

/* Room for n more bytes, or NULL and failed.  What is written there counts when len is moved. */
u1 *asm_grow(Asm *a, u4 n);
static inline u1 *asm_room(Asm *a, u4 n) {
    return LIKELY(a->len + n <= a->cap) && !a->failed ? a->code + a->len : asm_grow(a, n);
}
/* v is part of what the code names: Asm.constants. */
void asm_add_constant(Asm *a, u8 v);
static inline void asm_note(Asm *a, u8 v) {
    if (UNLIKELY(v + ASM_NOTED >= 2 * ASM_NOTED)) asm_add_constant(a, v);
}
static inline void asm_put1(Asm *a, u1 v) {
    u1 *p = asm_room(a, 1);
    if (p) *p = v, a->len++;
}
static inline void asm_put4(Asm *a, u4 v) {
    u1 *p = asm_room(a, 4);
    if (p) memcpy(p, &v, 4), a->len += 4;
}
static inline void asm_put8(Asm *a, u8 v) {
    u1 *p = asm_room(a, 8);
    if (p) memcpy(p, &v, 8), a->len += 8;
}
/* The field at offset `at` names a label or a C function. */
void asm_fixup(Asm *a, u1 kind, u4 at, const Label *l, u4 from);
void asm_fixup_c(Asm *a, u1 kind, u4 at, const void *target);

/* By the CPU.  Fill in one field: false if the value does not fit. */
bool asm_resolve(u1 *code, const AsmFixup *f, u4 target);
bool asm_reach(u1 *to, const u1 *run, const AsmFixup *f);
void asm_nops(u1 *to, u4 n);

#endif
