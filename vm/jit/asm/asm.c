/* SPDX-License-Identifier: Apache-2.0 */
/* What is the same for every CPU: the buffer, labels, copying to the final place. */
#include "jit/asm/asm_int.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_CODE = 4096, FIRST_FIXUPS = 64, FIRST_CONSTANTS = 64, MAX_CODE = 64 << 20 };

void asm_init(Asm *a) { *a = (Asm){0}; }

void asm_free(Asm *a) {
    free(a->code);
    free(a->fixups);
    free(a->constants);
    *a = (Asm){0};
}

u1 *asm_grow(Asm *a, u4 n) {
    u4 cap = a->cap ? 2 * a->cap : FIRST_CODE;
    while (cap < a->len + n) cap *= 2;
    u1 *code = a->failed || cap > MAX_CODE ? NULL : realloc(a->code, cap);
    if (!code) {
        a->failed = true;
        return NULL;
    }
    a->code = code;
    a->cap = cap;
    return a->code + a->len;
}

void asm_add_constant(Asm *a, u8 v) {
    if (a->n_constants == a->cap_constants) {
        u4 cap = a->cap_constants ? 2 * a->cap_constants : FIRST_CONSTANTS;
        u8 *more = a->failed ? NULL : realloc(a->constants, cap * sizeof *more);
        if (!more) {
            a->failed = true;
            return;
        }
        a->constants = more;
        a->cap_constants = cap;
    }
    a->constants[a->n_constants++] = v;
}

void asm_bytes(Asm *a, const void *data, u4 n) {
    u1 *p = asm_room(a, n);
    if (p) memcpy(p, data, n), a->len += n;
}

void asm_align(Asm *a, u4 bytes) {
    ASSERT(bytes && bytes <= 64 && !(bytes & (bytes - 1)));
    u4 n = -a->len & (bytes - 1);
    u1 *p = asm_room(a, n);
    if (p) asm_nops(p, n), a->len += n;
}

static AsmFixup *new_fixup(Asm *a) {
    if (a->n_fixups == a->cap_fixups) {
        u4 cap = a->cap_fixups ? 2 * a->cap_fixups : FIRST_FIXUPS;
        AsmFixup *more = a->failed ? NULL : realloc(a->fixups, cap * sizeof *more);
        if (!more) {
            a->failed = true;
            return NULL;
        }
        a->fixups = more;
        a->cap_fixups = cap;
    }
    return &a->fixups[a->n_fixups++];
}

void asm_fixup(Asm *a, u1 kind, u4 at, const Label *l, u4 from) {
    AsmFixup *f = new_fixup(a);
    if (f) *f = (AsmFixup){.at = at, .kind = kind, .label = l, .from = from};
}

void asm_fixup_c(Asm *a, u1 kind, u4 at, const void *target) {
    AsmFixup *f = new_fixup(a);
    if (f) *f = (AsmFixup){.at = at, .kind = kind, .target = target};
}

void asm_settle(Asm *a, u4 first) {
    u4 kept = first;
    for (u4 i = first; i < a->n_fixups; i++) {
        const AsmFixup *f = &a->fixups[i];
        if (!f->label || f->label->at < 0) a->fixups[kept++] = *f;
        else if (!a->failed && !asm_resolve(a->code, f, (u4)f->label->at)) a->failed = true;
    }
    a->n_fixups = kept;
}

void asm_take_back(Asm *a, u4 from) {
    if (a->failed) return;
    ASSERT(a->n_fixups && a->fixups[a->n_fixups - 1].at >= from && a->fixups[a->n_fixups - 1].label, "as it says");
    a->n_fixups--;
    a->len = from;
}

void asm_bind(Asm *a, Label *l) {
    ASSERT(l->at < 0, "a label is bound once");
    l->at = (int32_t)a->len;
    a->flags_end = 0;
}

bool asm_flags_tell(const Asm *a, Width w, Reg x, Cond cond) {
    bool equal = cond == COND_EQ || cond == COND_NE,
         order = equal || cond == COND_LT || cond == COND_LE || cond == COND_GT || cond == COND_GE;
    return a->flags_end && a->flags_end == a->len && a->flags_reg == x && a->flags_width == w && (a->flags_order ? order : equal);
}

bool asm_finish(Asm *a) {
    asm_settle(a, 0);
    for (u4 i = 0; i < a->n_fixups; i++) ASSERT(!a->fixups[i].label, "a label is used and never bound");
    return !a->failed;
}

bool asm_copy(const Asm *a, u1 *to, const u1 *run) {
    ASSERT(!a->failed);
    memcpy(to, a->code, a->len);
    for (u4 i = 0; i < a->n_fixups; i++)
        if (!a->fixups[i].label && !asm_reach(to, run, &a->fixups[i])) return false;
    __builtin___clear_cache((char *)run, (char *)run + a->len); /* nothing where the CPU sees stores into code */
    return true;
}
