/* SPDX-License-Identifier: Apache-2.0 */
/* test_cf_opcode - the opcode table against itself, instruction decoding. */
#include "classfile.h"
#include "cf_test.h"

/* Letters are known, flags agree with formats. */
static void test_table(void) {
    for (unsigned op = 0; op < 256; op++) {
        const CfOpInfo *i = &cf_op_info[op];
        CHECK((i->format == CF_FMT_BAD) == (op >= CF_OP_COUNT));
        if (op >= CF_OP_COUNT) continue;
        CHECK(i->name && strspn(i->pops, "IFJDARObscijfdaXE12V") == strlen(i->pops));
        CHECK(strspn(i->pushes, "IFJDANRE12VKUPQT") == strlen(i->pushes));
        bool branch = i->format == CF_FMT_BRANCH2 || i->format == CF_FMT_BRANCH4;
        CHECK(branch == !!(i->flags & CF_OF_BRANCH));
        bool local = i->format >= CF_FMT_LOCAL0 && i->format <= CF_FMT_LOCAL3;
        if (local || i->format == CF_FMT_LOCAL) CHECK(i->flags & (CF_OF_LOAD | CF_OF_STORE | CF_OF_RET));
        bool pool = i->format == CF_FMT_CP1 || i->format == CF_FMT_CP2 || i->format == CF_FMT_INTERFACE ||
                    i->format == CF_FMT_DYNAMIC || i->format == CF_FMT_MULTI;
        CHECK(pool == !!(i->flags & CF_OF_CP));
        CHECK((i->length == 0) == (op == CF_OP_WIDE || op == CF_OP_TABLESWITCH || op == CF_OP_LOOKUPSWITCH));
    }
    CHECK_TEXT(cf_op_info[CF_OP_DUP2_X2].name, "dup2_x2");
    CHECK_TEXT(cf_op_info[170].name, "tableswitch");
    CHECK_TEXT(cf_op_info[201].name, "jsr_w");
}

static CfInsn decode(const char *bytes, uint32_t n, uint32_t pc) {
    CfInsn i;
    if (!cf_insn((const uint8_t *)bytes, n, pc, &i)) return (CfInsn){.op = CF_OP_NOP, .len = 0};
    CHECK(cf_insn_length((const uint8_t *)bytes, n, pc) == i.len);
    return i;
}

static void test_decode(void) {
    CfInsn i = decode("\x10\xff", 2, 0);
    CHECK(i.op == CF_OP_BIPUSH && i.imm == -1 && i.len == 2);
    i = decode("\x02", 1, 0);
    CHECK(i.op == CF_OP_ICONST_M1 && i.imm == -1);
    i = decode("\x0d", 1, 0);
    CHECK(i.op == CF_OP_FCONST_2 && i.imm == 2);
    i = decode("\x2d", 1, 0);
    CHECK(i.op == CF_OP_ALOAD_3 && i.index == 3);
    i = decode("\x84\x05\xfe", 3, 0);
    CHECK(i.op == CF_OP_IINC && i.index == 5 && i.imm == -2);
    i = decode("\xc4\x84\x01\x05\xff\x00", 6, 0);
    CHECK(i.op == CF_OP_IINC && i.wide && i.index == 0x105 && i.imm == -256 && i.len == 6);
    i = decode("\xc4\x15\x01\x00", 4, 0);
    CHECK(i.op == CF_OP_ILOAD && i.wide && i.index == 256 && i.len == 4);
    i = decode("\x00\xa7\xff\xff", 4, 1);
    CHECK(i.op == CF_OP_GOTO && i.target == 0);
    i = decode("\xc8\xff\xff\xff\xfe", 5, 0);
    CHECK(i.op == CF_OP_GOTO_W && i.target == -2);
    i = decode("\xb9\x01\x02\x03\x00", 5, 0);
    CHECK(i.op == CF_OP_INVOKEINTERFACE && i.index == 0x102 && i.imm == 3);
    CHECK(decode("\xc4\x00\x00\x00", 4, 0).len == 0 && decode("\xca", 1, 0).len == 0);
    CHECK(decode("\xb9\x01\x02", 3, 0).len == 0 && decode("\x10", 1, 0).len == 0 && decode("", 0, 0).len == 0);
}

static void test_switches(void) {
    static const char table[] = "\x00\xaa\x00\x00\0\0\0\x20\xff\xff\xff\xff\0\0\0\x01\0\0\0\x09\0\0\0\x0a\0\0\0\x0b";
    CfInsn i = decode(table, 28, 1);
    CHECK(i.op == CF_OP_TABLESWITCH && i.cases == 3 && i.low == -1 && i.target == 0x21 && i.len == 27);
    CHECK(cf_switch_key(&i, 0) == -1 && cf_switch_key(&i, 2) == 1 && cf_switch_target(&i, 1) == 11);
    CHECK(decode(table, 27, 1).len == 0);
    static const char lookup[] = "\xab\0\0\0\0\0\0\x08\0\0\0\x01\x7f\xff\xff\xff\xff\xff\xff\xff";
    i = decode(lookup, 20, 0);
    CHECK(i.op == CF_OP_LOOKUPSWITCH && i.cases == 1 && i.target == 8 && i.len == 20);
    CHECK(cf_switch_key(&i, 0) == 0x7fffffff && cf_switch_target(&i, 0) == -1);
    /* low above high; a count that would wrap */
    CHECK(decode("\xaa\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\x01", 16, 0).len == 0);
    CHECK(decode("\xaa\0\0\0\0\0\0\0\x80\0\0\0\x7f\xff\xff\xff", 16, 0).len == 0);
    CHECK(decode("\xab\0\0\0\0\0\0\0\xff\xff\xff\xff", 12, 0).len == 0);
}

int main(void) {
    test_table();
    test_decode();
    test_switches();
    return cf_test_end();
}
