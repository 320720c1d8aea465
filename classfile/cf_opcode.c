/* SPDX-License-Identifier: Apache-2.0 */
/* cf_opcode.c - expansion of opcodes.def; decoding of instructions (JVMS 6.5, 4.7.3). */
#include "cf_graph.h"
#include "cf_lengths.h"

const CfOpInfo cf_op_info[256] = {
#define OPCODE(value, NAME, name, format, pops, pushes, flags) \
    [value] = {name, pops, pushes, CF_FMT_##format, LEN_##format, SLOTS(pops), SLOTS(pushes), flags},
#include "opcodes.def"
#undef OPCODE
};

_Static_assert(CF_OP_COUNT == 202 && CF_OP_JSR_W == 201 && CF_OP_INVOKEDYNAMIC == 186, "opcodes.def is complete");

/* Fills the switch part; `left` bytes are there from the opcode on. */
static bool decode_switch(const uint8_t *p, uint32_t left, CfInsn *i) {
    uint32_t pad = 3 - (i->pc & 3);
    uint32_t at = 1 + pad;
    uint32_t head = i->op == CF_OP_TABLESWITCH ? 12 : 8;
    if (left < at || left - at < head) return false;
    i->target = (int32_t)(i->pc + cf_get_u4(p + at));
    uint64_t n, size;
    if (i->op == CF_OP_TABLESWITCH) {
        i->low = cf_get_s4(p + at + 4);
        int64_t span = (int64_t)cf_get_s4(p + at + 8) - i->low + 1;
        if (span < 1) return false;
        n = (uint64_t)span;
        size = n * 4;
    } else {
        int32_t pairs = cf_get_s4(p + at + 4);
        if (pairs < 0) return false;
        n = (uint64_t)pairs;
        size = n * 8;
    }
    if (size > left - at - head) return false;
    i->cases = (uint32_t)n;
    i->table = p + at + head;
    i->len = at + head + (uint32_t)size;
    return true;
}

static bool decode_wide(const uint8_t *p, uint32_t left, CfInsn *i) {
    if (left < 4) return false;
    const CfOpInfo *info = &cf_op_info[p[1]];
    if (!(info->flags & CF_OF_WIDE)) return false;
    i->op = p[1];
    i->wide = true;
    i->index = cf_get_u2(p + 2);
    i->len = 4;
    if (info->format == CF_FMT_IINC) {
        if (left < 6) return false;
        i->imm = cf_get_s2(p + 4);
        i->len = 6;
    }
    return true;
}

#define READS(f) \
    ((f) <= CF_FMT_LOCAL3 && (f) != CF_FMT_BAD  ? CF_READ_NOTHING \
     : (f) == CF_FMT_CP1 || (f) == CF_FMT_LOCAL ? CF_READ_U1 \
     : (f) == CF_FMT_CP2                        ? CF_READ_U2 \
     : (f) == CF_FMT_BRANCH2                    ? CF_READ_BRANCH \
                                                : CF_READ_LONG_WAY)
#define IMPLIED_INDEX(f) ((f) >= CF_FMT_LOCAL0 && (f) <= CF_FMT_LOCAL3 ? (f)-CF_FMT_LOCAL0 : 0)
#define IMPLIED_CONSTANT(op) \
    ((op) >= CF_OP_ICONST_M1 && (op) <= CF_OP_ICONST_5                            ? (op)-CF_OP_ICONST_0 \
     : (op) == CF_OP_LCONST_1 || (op) == CF_OP_FCONST_1 || (op) == CF_OP_DCONST_1 ? 1 \
     : (op) == CF_OP_FCONST_2                                                     ? 2 \
                                                                                  : 0)
#define INDEX_MASK(f) \
    (READS(f) == CF_READ_U1 || (f) == CF_FMT_IINC                                 ? 0xff \
     : READS(f) == CF_READ_U2 || (f) == CF_FMT_INTERFACE || (f) == CF_FMT_DYNAMIC ? 0xffff \
                                                                                  : 0)

const CfReads cf_op_reads[256] = {
#define OPCODE(value, NAME, name, format, pops, pushes, flags) \
    [value] = {LEN_##format, \
               READS(CF_FMT_##format), \
               IMPLIED_INDEX(CF_FMT_##format), \
               IMPLIED_CONSTANT(value), \
               INDEX_MASK(CF_FMT_##format), \
               INDEX_MASK(CF_FMT_##format) == 0xff ? 8 : 0},
#include "opcodes.def"
#undef OPCODE
};

static __attribute__((noinline)) bool decode_rare(const uint8_t *p, uint32_t left, CfInsn *i) {
    switch ((CfFormat)cf_op_info[p[0]].format) {
    case CF_FMT_S1: i->imm = (int8_t)p[1]; return true;
    case CF_FMT_ATYPE: i->imm = p[1]; return true;
    case CF_FMT_S2: i->imm = cf_get_s2(p + 1); return true;
    case CF_FMT_IINC:
        i->index = p[1];
        i->imm = (int8_t)p[2];
        return true;
    case CF_FMT_DYNAMIC: i->index = cf_get_u2(p + 1); return true;
    case CF_FMT_INTERFACE:
    case CF_FMT_MULTI:
        i->index = cf_get_u2(p + 1);
        i->imm = p[3];
        return true;
    case CF_FMT_BRANCH4: i->target = (int32_t)(i->pc + cf_get_u4(p + 1)); return true;
    case CF_FMT_TABLESWITCH:
    case CF_FMT_LOOKUPSWITCH: return decode_switch(p, left, i);
    case CF_FMT_WIDE: return decode_wide(p, left, i);
    default: return false;
    }
}

bool cf_insn(const uint8_t *code, uint32_t code_len, uint32_t pc, CfInsn *i) {
    if (pc >= code_len) return false;
    const uint8_t *p = code + pc;
    uint32_t left = code_len - pc;
    CfReads o = cf_op_reads[p[0]];
    *i = (CfInsn){.pc = pc, .len = o.length, .op = p[0], .index = o.index, .imm = o.imm};
    if (o.length > left) return false;
    if (o.reads == CF_READ_NOTHING) return true;
    if (o.reads == CF_READ_U2) return i->index = cf_get_u2(p + 1), true;
    if (o.reads == CF_READ_U1) return i->index = p[1], true;
    if (o.reads == CF_READ_BRANCH) return i->target = (int32_t)pc + cf_get_s2(p + 1), true;
    return decode_rare(p, left, i);
}

uint32_t cf_insn_length(const uint8_t *code, uint32_t code_len, uint32_t pc) {
    if (pc >= code_len) return 0;
    uint32_t n = cf_op_info[code[pc]].length;
    if (n) return n <= code_len - pc ? n : 0;
    CfInsn i;
    return cf_insn(code, code_len, pc, &i) ? i.len : 0;
}

bool cf_insn_stack(const CfClass *c, const CfInsn *i, unsigned *pops, unsigned *pushes) {
    const CfOpInfo *info = &cf_op_info[i->op];
    if (info->format == CF_FMT_BAD) return false;
    *pops = info->pop_slots;
    *pushes = info->push_slots;
    if (info->flags & (CF_OF_INVOKE | CF_OF_FIELD)) {
        CfStr name, desc;
        unsigned ret;
        if (!cf_name_and_type(c, i->index, &name, &desc)) return false;
        if (info->flags & CF_OF_FIELD) {
            if (i->op == CF_OP_GETFIELD || i->op == CF_OP_GETSTATIC) *pushes += cf_desc_slots(desc);
            else *pops += cf_desc_slots(desc);
            return true;
        }
        int args = cf_desc_arg_slots(desc, &ret);
        if (args < 0) return false;
        *pops += (unsigned)args;
        *pushes += ret;
    } else if (i->op == CF_OP_LDC2_W) {
        *pushes = 2;
    } else if (i->op == CF_OP_MULTIANEWARRAY) {
        *pops = (unsigned)i->imm;
    }
    return true;
}
