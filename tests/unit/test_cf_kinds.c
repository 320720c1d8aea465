/* SPDX-License-Identifier: Apache-2.0 */
/* test_cf_kinds - kinds of cells where code of compilers does not go; roundtrip/identity asks about all the rest. */
#include "cf_kinds.h"
#include "cf_test.h"

static CfArena arena;
static CfClass *c;

static CfMember member(const char *desc) {
    return (CfMember){.access = CF_ACC_STATIC, .name = cf_add_utf8(c, CF_STR("m")), .desc = cf_add_utf8(c, cf_str(desc))};
}

static CfCode code_of(const char *bytes, uint32_t len, const char *row) {
    return (CfCode){.max_stack = 4,
                    .max_locals = 6,
                    .code_len = len,
                    .code = (const uint8_t *)bytes,
                    .handlers = {(const uint8_t *)row, row != NULL}};
}
#define CODE(bytes, row) code_of(bytes, sizeof bytes - 1, row)

static CfKindsResult kinds(const char *desc, CfCode *code, unsigned flags, uint64_t most, CfKinds *k) {
    CfMember m = member(desc);
    return cf_kinds_init(k, c, &m, code, flags, most, &arena);
}

static uint8_t local_at(CfKinds *k, uint32_t pc, uint32_t n) {
    CHECK(cf_kinds_go(k, pc));
    return k->cur.cells[n];
}

/* 0 iload_0, 1 ifeq 9, 4 aconst_null, 5 astore_1, 6 goto 11, 9 iconst_0, 10 istore_1, 11 return */
static void test_join(void) {
    static const char join[] = "\x1a\x99\x00\x08\x01\x4c\xa7\x00\x05\x03\x3c\xb1";
    CfCode code = CODE(join, NULL);
    CfKinds k;
    CHECK(kinds("(I)V", &code, CF_KINDS_ALL, 0, &k) == CF_KINDS_OK);
    CHECK(local_at(&k, 0, 0) == CF_K_INT && local_at(&k, 0, 1) == CF_K_NONE);
    CHECK(local_at(&k, 6, 1) == CF_K_REF && local_at(&k, 11, 1) == (CF_K_REF | CF_K_INT) && local_at(&k, 11, 2) == CF_K_NONE);
    CHECK(cf_kinds_go(&k, 1) && k.cur.depth == 1 && k.cur.cells[k.nlocals] == CF_K_INT);
    CHECK(k.g.n == 3 && k.at[2].cells && k.at[2].depth == 0);
    CHECK(kinds("(I)V", &code, CF_KINDS_ALL | CF_KINDS_BLOCKS, 0, &k) == CF_KINDS_OK && k.g.n == 4 && k.g.pcs[1] == 4);
}

/* 0 lload_0, 1 lstore_2, 2 iconst_0, 3 istore_4, 5 return, 6 pop, 7 return; [1, 5) -> 6 */
static void test_handler(void) {
    static const char body[] = "\x1e\x41\x03\x36\x04\xb1\x57\xb1";
    static const char row[] = "\x00\x01\x00\x05\x00\x06\x00\x00", short_row[] = "\x00\x01\x00\x02\x00\x06\x00\x00";
    CfCode code = CODE(body, row), shorter = CODE(body, short_row);
    CfKinds k;
    CHECK(kinds("(J)V", &code, CF_KINDS_ALL, 0, &k) == CF_KINDS_OK);
    CHECK(local_at(&k, 6, 1) == CF_K_HALF && local_at(&k, 6, 2) == (CF_K_NONE | CF_K_LONG) && local_at(&k, 6, 4) == CF_K_NONE);
    CHECK(k.cur.depth == 1 && k.cur.cells[k.nlocals] == CF_K_REF && k.g.flags[1] & CF_NODE_HANDLER);
    CHECK(kinds("(J)V", &shorter, CF_KINDS_ALL, 0, &k) == CF_KINDS_OK && local_at(&k, 6, 2) == CF_K_NONE);
    CHECK(!cf_kinds_go(&k, 8));
}

/* 0 jsr 4, 3 return, 4 astore_1, 5 ret 1 */
static void test_jsr(void) {
    static const char body[] = "\xa8\x00\x04\xb1\x4c\xa9\x01";
    CfCode code = CODE(body, NULL);
    CfKinds k;
    CHECK(kinds("()V", &code, CF_KINDS_ALL, 0, &k) == CF_KINDS_OK);
    CHECK(local_at(&k, 3, 1) == CF_K_NONE && k.cur.depth == 0);
    CHECK(local_at(&k, 5, 1) == CF_K_RETURN && k.cur.depth == 0);
}

/* Wide values in all forms of the dup family: 0 lload_0, 1 iload_2, 2 dup_x2, 3 pop, 4 dup2, 5 return */
static void test_shuffle(void) {
    static const char body[] = "\x1e\x1c\x5b\x57\x5c\xb1";
    CfCode code = CODE(body, NULL);
    CfKinds k;
    code.max_stack = 5;
    CHECK(kinds("(JI)V", &code, CF_KINDS_ALL, 0, &k) == CF_KINDS_OK && cf_kinds_go(&k, 5));
    CHECK(k.cur.depth == 5 && memcmp(k.cur.cells + k.nlocals, "\x01\x04\x10\x04\x10", 5) == 0);
}

static void test_wrong(void) {
    static const char falls[] = "\x00", into[] = "\xa7\x00\x01", beyond[] = "\xa7\x00\x09", depths[] = "\x03\xa7\xff\xff",
                      under[] = "\x57\xb1", many[] = "\x00\x00\x00\x00\xb1";
    CfKinds k;
    const CfCode codes[] = {CODE(falls, NULL), CODE(into, NULL), CODE(beyond, NULL), CODE(depths, NULL), CODE(under, NULL)};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        CfCode code = codes[i];
        CHECK(kinds("()V", &code, CF_KINDS_ALL, 0, &k) == CF_KINDS_UNKNOWN);
    }
    CfCode arguments = CODE(under, NULL), code = CODE(many, NULL);
    CHECK(kinds("(JJJJ)V", &arguments, CF_KINDS_ALL, 0, &k) == CF_KINDS_UNKNOWN);
    CHECK(kinds("()V", &code, CF_KINDS_ALL, 3, &k) == CF_KINDS_UNKNOWN &&
          kinds("()V", &code, CF_KINDS_ALL, 99, &k) == CF_KINDS_OK);
}

int main(void) {
    cf_arena_init(&arena, "test", 0);
    c = cf_class_new(&arena, 49, CF_ACC_PUBLIC, CF_STR("a/B"), CF_STR("java/lang/Object"));
    test_join();
    test_handler();
    test_jsr();
    test_shuffle();
    test_wrong();
    cf_arena_free(&arena);
    return cf_test_end();
}
