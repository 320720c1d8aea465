/* SPDX-License-Identifier: Apache-2.0 */
/* test_cf_edit - classes made and changed by the editing functions, written, parsed again. */
#include <stdlib.h>

#include "classfile.h"
#include "cf_test.h"

static CfArena arena;

static CfClass *make(void) {
    return cf_class_new(&arena, 61, CF_ACC_PUBLIC | CF_ACC_SUPER, CF_STR("a/B"), CF_STR("java/lang/Object"));
}

/* Writes and parses with all checks; the bytes stay in the arena. */
static CfClass *again(const CfClass *c) {
    CfWriter w;
    CfError err;
    CfClass *d = NULL;
    CfParseOptions opt = {.check = CF_CHECK_FORMAT};
    cf_w_init(&w);
    cf_err_clear(&err);
    CHECK(cf_write(c, &w, &err) == CF_OK && cf_write_size(c) == w.len);
    uint8_t *copy = cf_arena_copy(&arena, w.data, w.len);
    cf_parse(&d, copy, w.len, &arena, &opt, &err);
    CHECK_TEXT(err.text, "");
    if (d) {
        CfWriter w2;
        cf_w_init(&w2);
        CHECK(cf_write(d, &w2, NULL) == CF_OK && w2.len == w.len && memcmp(w2.data, w.data, w.len) == 0);
        cf_w_free(&w2);
    }
    cf_w_free(&w);
    return d;
}

static void test_pool(void) {
    CfClass *c = make();
    uint16_t u = cf_add_utf8(c, CF_STR("hello"));
    CHECK(u && cf_add_utf8(c, CF_STR("hello")) == u && cf_str_is(cf_utf8(c, u), "hello"));
    uint16_t l = cf_add_long(c, 5), after = cf_add_int(c, 5);
    CHECK(after == l + 2 && cf_tag(c, l + 1u) == CF_CONST_NONE && cf_add_long(c, 5) == l);
    CHECK(cf_add_float(c, 0.0f) != cf_add_float(c, -0.0f));
    CHECK(cf_add_double(c, 1.5) == cf_add_double(c, 1.5));
    uint16_t m = cf_add_method_ref(c, CF_STR("x/Y"), CF_STR("f"), CF_STR("(I)V"), false);
    uint16_t im = cf_add_method_ref(c, CF_STR("x/Y"), CF_STR("f"), CF_STR("(I)V"), true);
    CfStr owner = {0}, name = {0}, desc = {0};
    CHECK(m != im && cf_member_ref(c, m, &owner, &name, &desc));
    CHECK(cf_str_is(owner, "x/Y") && cf_str_is(name, "f") && cf_str_is(desc, "(I)V"));
    CHECK(!cf_member_ref(c, u, &owner, &name, &desc) && !owner.p);
    uint16_t h = cf_add_method_handle(c, CF_REF_INVOKEVIRTUAL, m);
    CHECK(h != cf_add_method_handle(c, CF_REF_INVOKESTATIC, m) && h == cf_add_method_handle(c, 5, m));
    CHECK(cf_name_of(c, cf_add_string(c, CF_STR("s"))).len == 1);
    CHECK(cf_utf8(c, 60000).p == NULL && cf_class_name(c, 0).p == NULL && cf_tag(c, 70000) == CF_CONST_NONE);
    CfClass *d = again(c);
    /* found in the parsed pool too */
    CHECK(d && cf_add_long(d, 5) == l && !d->pool_edited && cf_add_int(d, 77) == d->const_count - 1);
    CHECK(again(d) != NULL);
}

static void test_pool_limit(void) {
    CfClass *c = make();
    uint16_t last = 0, i;
    for (int k = 0; (i = cf_add_int(c, k)) != 0; k++) last = i;
    CHECK(last == 65534 && c->const_count == 65535 && cf_add_long(c, 1) == 0);
    CHECK(cf_add_int(c, 3) != 0);
    char *big = calloc(1, 65536);
    CHECK(cf_add_utf8(c, (CfStr){big, 65536}) == 0);
    free(big);
    CHECK(again(c) != NULL);
}

static void test_members(void) {
    CfClass *c = make();
    CHECK(cf_add_field(c, CF_ACC_STATIC, CF_STR("f"), CF_STR("J")));
    CHECK(cf_add_field(c, 0, CF_STR("g"), CF_STR("I")));
    for (int k = 0; k < 20; k++) {
        char n[16];
        snprintf(n, sizeof n, "m%d", k);
        CHECK(cf_add_method(c, CF_ACC_PUBLIC | CF_ACC_NATIVE, cf_str(n), CF_STR("()V")));
    }
    cf_remove_method(c, cf_find_method(c, CF_STR("m3"), CF_STR("()V")));
    cf_remove_field(c, cf_find_field(c, CF_STR("g"), CF_STR("")));
    CHECK(cf_add_interface(c, CF_STR("java/lang/Runnable")) == CF_OK);
    CfClass *d = again(c);
    CHECK(d && d->method_count == 19 && d->field_count == 1 && d->interface_count == 1);
    CHECK(!cf_find_method(d, CF_STR("m3"), CF_STR("()V")) && cf_find_method(d, CF_STR("m19"), (CfStr){0}));
    CHECK(d->methods[3].index == 3 && cf_str_is(cf_utf8(d, d->methods[3].name), "m4"));
}

static void test_attributes(void) {
    CfClass *c = make();
    uint8_t idx[2];
    cf_put_u2(idx, cf_add_utf8(c, CF_STR("B.java")));
    CHECK(cf_attr_set(c, &c->attrs, "SourceFile", idx, 2) == CF_OK);
    cf_put_u2(idx, cf_add_utf8(c, CF_STR("C.java")));
    CHECK(cf_attr_set(c, &c->attrs, "SourceFile", idx, 2) == CF_OK && c->attrs.count == 1);
    CHECK(cf_attr_append(c, &c->attrs, "org.example.Own", "xyz", 3) == CF_OK);
    CHECK(cf_attr_append(c, &c->attrs, "Deprecated", NULL, 0) == CF_OK);
    CfClass *d = again(c);
    CHECK(d && d->attrs.count == 3 && d->attrs.v[1].kind == CF_ATTR_UNKNOWN && d->attrs.v[1].len == 3);
    CHECK(cf_str_is(cf_utf8(d, cf_attr_index(cf_attr(&d->attrs, CF_ATTR_SOURCE_FILE))), "C.java"));
    CHECK(cf_attr_remove(&d->attrs, CF_ATTR_DEPRECATED) == 1 && cf_attr_remove(&d->attrs, CF_ATTR_DEPRECATED) == 0);
    d = again(d);
    CHECK(d && d->attrs.count == 2);
}

static void test_code(void) {
    CfClass *c = make();
    CfMember *m = cf_add_method(c, CF_ACC_STATIC, CF_STR("f"), CF_STR("(I)I"));
    static const uint8_t bytes[] = {0x1a, 0x04, 0x60, 0xac};
    CfCode code = {.max_stack = 2, .max_locals = 1, .code_len = 4, .code = bytes};
    static const uint8_t lines[] = {0, 1, 0, 0, 0, 42};
    CHECK(cf_attr_append(c, &code.attrs, "LineNumberTable", lines, sizeof lines) == CF_OK);
    m = cf_find_method(c, CF_STR("f"), CF_STR("(I)I"));
    CHECK(cf_code_set(c, m, &code, NULL) == CF_OK && cf_code_set(c, m, &code, NULL) == CF_OK && m->attrs.count == 1);
    CfClass *d = again(c);
    CfCode back;
    CHECK(d && cf_code(d, d->methods, &arena, &back, NULL) == CF_OK && back.code_len == 4 && back.attrs.count == 1);
    CfRows t;
    uint16_t pc, line;
    CHECK(cf_lines(&back.attrs.v[0], &t, NULL) == CF_OK && t.count == 1);
    cf_line(&t, 0, &pc, &line);
    CHECK(pc == 0 && line == 42);
    CHECK(cf_verify(d, NULL, NULL, NULL) == CF_OK);
    code.code_len = 0;
    CHECK(cf_code_set(c, m, &code, NULL) == CF_ERR_LIMIT);
}

int main(void) {
    cf_arena_init(&arena, "test", 0);
    test_pool();
    test_pool_limit();
    test_members();
    test_attributes();
    test_code();
    cf_arena_free(&arena);
    return cf_test_end();
}
