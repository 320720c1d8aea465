/* SPDX-License-Identifier: Apache-2.0 */
/* test_cf_base - arena, reader, writer, table, vector, error record. */
#include "classfile.h"
#include "cf_test.h"

static void test_arena(void) {
    CfArena a;
    cf_arena_init(&a, "t", 64);
    char *p = cf_arena_alloc(&a, 10), *q = cf_arena_alloc(&a, 10);
    CHECK(p && q && p != q && ((uintptr_t)p & 7) == 0 && ((uintptr_t)q & 7) == 0);
    memset(p, 1, 10);
    char *big = cf_arena_alloc(&a, 100000);
    CHECK(big);
    memset(big, 2, 100000);
    CHECK(p[9] == 1);
    CHECK(strcmp(cf_arena_copy(&a, "abc", 2), "ab") == 0);
    CHECK(cf_arena_alloc(&a, SIZE_MAX) == NULL && cf_arena_calloc(&a, SIZE_MAX / 2, 4) == NULL);
    CHECK(cf_arena_alloc(&a, 0) != NULL);
    cf_arena_reset(&a);
    CHECK(cf_arena_alloc(&a, 8) != NULL);
    cf_arena_free(&a);
    CHECK(a.total == 0);
    a.limit = 1000;
    CHECK(cf_arena_alloc(&a, 2000) == NULL && cf_arena_alloc(&a, 500) != NULL);
    cf_arena_free(&a);
}

static void test_reader(void) {
    const uint8_t b[] = {0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde};
    CfReader r = cf_reader(b, sizeof b);
    CHECK(cf_r_u1(&r) == 0x12 && cf_r_u2(&r) == 0x3456 && cf_r_left(&r) == 4 && cf_r_pos(&r) == 3);
    CHECK(cf_r_u4(&r) == 0x789abcde && !r.bad);
    CHECK(cf_r_u1(&r) == 0 && r.bad);
    r = cf_reader(b, 3);
    CHECK(cf_r_u4(&r) == 0 && r.bad && cf_r_u1(&r) == 0); /* stays at the end */
    r = cf_reader(NULL, 0);
    CHECK(cf_r_u2(&r) == 0 && r.bad);
}

static void test_writer(void) {
    CfWriter w;
    cf_w_init(&w);
    for (int i = 0; i < 1000; i++) cf_w_u2(&w, (unsigned)i);
    size_t at = w.len;
    cf_w_u4(&w, 0);
    cf_w_u8(&w, 0x0102030405060708u);
    cf_w_patch_u4(&w, at, 0xcafebabe);
    cf_w_patch_u2(&w, w.len - 1, 7); /* does not fit: ignored */
    CHECK(!w.bad && w.len == 2012 && cf_get_u2(w.data + 2 * 999) == 999);
    CHECK(cf_get_u4(w.data + at) == 0xcafebabe && cf_get_u8(w.data + at + 4) == 0x0102030405060708u);
    CHECK(cf_w_room(&w, (size_t)INT32_MAX) == NULL && w.bad);
    cf_w_u1(&w, 1);
    CHECK(w.len == 2012);
    cf_w_free(&w);
}

static bool int_eq(const void *item, const void *key) { return *(const int *)item == *(const int *)key; }

static void test_table(void) {
    static int v[5000];
    CfTable t = {0};
    for (int i = 0; i < 5000; i++) {
        v[i] = i;
        CHECK(cf_table_add(&t, cf_hash_u64((uint64_t)i), &v[i]));
    }
    int key = 4321, none = -1;
    CHECK(cf_table_find(&t, cf_hash_u64(4321), int_eq, &key) == &v[4321]);
    CHECK(!cf_table_find(&t, cf_hash_u64(4321), int_eq, &none));
    for (int i = 0; i < 5000; i += 2) CHECK(cf_table_remove(&t, cf_hash_u64((uint64_t)i), int_eq, &v[i]) == &v[i]);
    CHECK(t.count == 2500);
    for (int round = 0; round < 20; round++) /* tombstones are reused or swept, the table does not grow for ever */
        for (int i = 0; i < 5000; i += 2) {
            cf_table_add(&t, cf_hash_u64((uint64_t)i), &v[i]);
            cf_table_remove(&t, cf_hash_u64((uint64_t)i), int_eq, &v[i]);
        }
    CHECK(t.cap <= 16384);
    uint32_t it = 0, n = 0;
    while (cf_table_next(&t, &it)) n++;
    CHECK(n == 2500);
    cf_table_free(&t);
    CHECK(!cf_table_find(&t, 0, int_eq, &key));
}

static void test_vec(void) {
    CF_VEC(int) v = {0};
    for (int i = 0; i < 100; i++) CHECK(cf_vec_push(&v, i * i));
    CHECK(v.len == 100 && v.data[99] == 9801 && cf_vec_pop(&v) == 9801 && v.len == 99);
    cf_vec_free(&v);
    CHECK(v.data == NULL);
}

static void test_error(void) {
    CfError e;
    cf_err_clear(&e);
    CHECK(cf_fail(&e, CF_ERR_FORMAT, 7, "bad %d", 1) == CF_ERR_FORMAT);
    CHECK(cf_fail(&e, CF_ERR_VERIFY, 8, "later") == CF_ERR_VERIFY);
    CHECK(e.code == CF_ERR_FORMAT && e.offset == 7);
    CHECK_TEXT(e.text, "bad 1");
    cf_fail_where(&e, "field %s", "x");
    cf_fail_where(&e, "other");
    CHECK_TEXT(e.where, "field x");
    CHECK_TEXT(cf_err_class(e.code), "java/lang/ClassFormatError");
    CHECK(cf_fail(NULL, CF_ERR_NOMEM, -1, "x") == CF_ERR_NOMEM && cf_err_class(CF_OK) == NULL);
}

int main(void) {
    test_arena();
    test_reader();
    test_writer();
    test_table();
    test_vec();
    test_error();
    return cf_test_end();
}
