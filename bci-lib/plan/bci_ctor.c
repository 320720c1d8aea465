/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_ctor.c - where a constructor has initialised `this`, told from its bytes, for those in which that happens on a straight line;
 * the others go to the data flow of the editor (bci_mark_init).
 */
#include "bci_rules.h"

/* Descriptor-driven effect of a call or field access; false if the entry is bad. */
static bool member_effect(BciApply *a, unsigned index, unsigned o, unsigned *pops, unsigned *pushes, CfStr *name) {
    CfStr desc;
    unsigned ret, ci, nat, ni, di;
    if (!bci_view_pair(&a->v, index, &ci, &nat) || !bci_view_pair(&a->v, nat, &ni, &di)) return false;
    *name = bci_view_utf8(&a->v, ni);
    desc = bci_view_utf8(&a->v, di);
    if (!name->p || !desc.p || desc.len == 0) return false;
    if (cf_op_info[o].flags & CF_OF_FIELD) {
        unsigned n = cf_desc_slots(desc);
        bool put = o == CF_OP_PUTFIELD || o == CF_OP_PUTSTATIC;
        bool obj = o == CF_OP_PUTFIELD || o == CF_OP_GETFIELD;
        *pops = (put ? n : 0) + obj;
        *pushes = put ? 0 : n;
        return true;
    }
    int args = cf_desc_arg_slots(desc, &ret);
    if (args < 0) return false;
    *pops = (unsigned)args + (o != CF_OP_INVOKESTATIC && o != CF_OP_INVOKEDYNAMIC);
    *pushes = ret;
    return true;
}

/* Where a handler is entered from code in front of `end`, it finds `this` as it was there, wherever it stands itself. */
static bool is_guarded(const BciBody *b, uint32_t end) {
    for (uint32_t k = 0; k < b->nrows; k++)
        if (cf_get_u2(b->rows + 8 * k) < end) return true;
    return false;
}

/* Follows straight-line code from pc 0, knowing only which stack slots hold the uninitialised this
 * (bits of `mine`), up to the call that initialises it. */
bool bci_find_init(BciApply *a, const BciBody *b) {
    uint64_t mine = 0;
    unsigned depth = 0;
    for (uint32_t pc = 0, len; pc < b->code_len; pc += len) {
        unsigned o = b->code[pc], pops, pushes;
        uint32_t fl = cf_op_info[o].flags;
        CfStr name = {NULL, 0};
        if (!(len = cf_insn_length(b->code, b->code_len, pc)) || o == CF_OP_WIDE ||
            (fl & (CF_OF_BRANCH | CF_OF_SWITCH | CF_OF_END | CF_OF_RET)))
            return false;
        if (fl & (CF_OF_INVOKE | CF_OF_FIELD)) {
            if (!member_effect(a, cf_get_u2(b->code + pc + 1), o, &pops, &pushes, &name)) return false;
        } else if (fl & CF_OF_STACK) {
            if (o != CF_OP_DUP || depth == 0 || depth > 60) return false;
            mine |= (mine >> (depth - 1) & 1) << depth;
            depth++;
            continue;
        } else if (o == CF_OP_MULTIANEWARRAY) {
            pops = b->code[pc + 3], pushes = 1;
        } else {
            pops = cf_op_info[o].pop_slots, pushes = cf_op_info[o].push_slots;
            if (o == CF_OP_LDC2_W) pushes = 2;
        }
        if (pops > depth || depth - pops + pushes > 60) return false;
        depth -= pops;
        uint64_t taken = mine >> depth;
        mine &= ((uint64_t)1 << depth) - 1;
        if (o == CF_OP_INVOKESPECIAL && cf_str_is(name, "<init>") && (taken & 1)) {
            if (is_guarded(b, pc + len)) return false;
            a->init_end = pc + len;
            return true;
        }
        if (taken && (fl & CF_OF_STORE)) return false;
        if (o == CF_OP_ALOAD_0 || (o == CF_OP_ALOAD && b->code[pc + 1] == 0)) mine |= (uint64_t)1 << depth;
        if ((o == CF_OP_ASTORE_0) || (o == CF_OP_ASTORE && b->code[pc + 1] == 0)) return false;
        depth += pushes;
    }
    return false;
}
