/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_cf_check - what the reader and the FORMAT checks refuse, with the reference's messages. Each case starts from a good
 * class and breaks one thing: in the model (cf_check) or in the bytes (cf_parse).
 */
#include <stdlib.h>

#include "classfile.h"
#include "cf_test.h"

static CfArena arena;

static CfClass *make(void) {
    CfClass *c = cf_class_new(&arena, 61, CF_ACC_PUBLIC | CF_ACC_SUPER, CF_STR("a/B"), CF_STR("java/lang/Object"));
    cf_add_field(c, CF_ACC_STATIC, CF_STR("f"), CF_STR("I"));
    CfMember *m = cf_add_method(c, CF_ACC_STATIC, CF_STR("m"), CF_STR("(I)V"));
    static const uint8_t ret[] = {CF_OP_RETURN};
    CfCode code = {.max_locals = 1, .code_len = 1, .code = ret};
    cf_code_set(c, m, &code, NULL);
    return c;
}

static const char *verdict(const CfClass *c) {
    static CfError err;
    cf_err_clear(&err);
    return cf_check(c, NULL, &err) == CF_OK ? "" : err.text;
}

static CfMember *named(CfClass *c, const char *name) {
    CfMember *m = cf_find_method(c, CF_STR("m"), (CfStr){0});
    m->name = cf_add_utf8(c, cf_str(name));
    return m;
}

static void test_flags(void) {
    static const struct {
        unsigned class_flags, field, method;
        const char *name, *want;
    } t[] = {
        {0x21, 8, 8, "m", ""},
        {0x431, 8, 8, "m", "Illegal class modifiers in class a/B: 0x431"},
        {0x201, 25, 9, "m", "Illegal class modifiers in class a/B: 0x201"},
        {0x2021, 8, 8, "m", "Illegal class modifiers in class a/B: 0x2021"},
        {0x8000, 8, 8, "m", "a/B is not a class because access_flag ACC_MODULE is set"},
        {0x21, 3, 8, "m", "Illegal field modifiers in class a/B: 0x3"},
        {0x21, 0x50, 8, "m", "Illegal field modifiers in class a/B: 0x50"},
        {0x601, 9, 9, "m", "Illegal field modifiers in class a/B: 0x9"},
        {0x601, 25, 9, "m", ""},
        {0x601, 25, 8, "m", "Method m in class a/B has illegal modifiers: 0x8"},
        {0x21, 8, 5, "m", "Method m in class a/B has illegal modifiers: 0x5"},
        {0x21, 8, 0x408, "m", "Method m in class a/B has illegal modifiers: 0x408"},
        {0x21, 8, 8, "<init>", "Method <init> in class a/B has illegal modifiers: 0x8"},
        {0x601, 25, 1, "<init>", "Interface cannot have a method named <init>, class file a/B"},
        {0x21, 8, 8, "<clinit>", "Method \"<clinit>\" in class a/B has illegal signature \"(I)V\""},
        {0x21, 8, 8, "a.b", "Illegal method name \"a.b\" in class a/B"},
        {0x21, 8, 0x108, "m", "Code attribute in native or abstract methods in class file a/B"},
    };
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        CfClass *c = make();
        c->access = (uint16_t)t[i].class_flags;
        c->fields[0].access = (uint16_t)t[i].field;
        named(c, t[i].name)->access = (uint16_t)t[i].method;
        CHECK_TEXT(verdict(c), t[i].want);
    }
}

static void test_members(void) {
    CfClass *c = make();
    cf_add_field(c, 0, CF_STR("f"), CF_STR("J"));
    CHECK_TEXT(verdict(c), "");
    cf_add_field(c, 0, CF_STR("f"), CF_STR("I"));
    CHECK_TEXT(verdict(c), "Duplicate field name \"f\" with signature \"I\" in class file a/B");
    c = make();
    cf_add_method(c, CF_ACC_NATIVE, CF_STR("m"), CF_STR("(I)V"));
    CHECK_TEXT(verdict(c), "Duplicate method name \"m\" with signature \"(I)V\" in class file a/B");
    c = make();
    cf_add_method(c, 0, CF_STR("n"), CF_STR("()V"));
    CHECK_TEXT(verdict(c), "Absent Code attribute in method that is not native or abstract in class file a/B");
    c = make();
    c->fields[0].desc = cf_add_utf8(c, CF_STR("V"));
    CHECK_TEXT(verdict(c), "Field \"f\" in class a/B has illegal signature \"V\"");
    c->fields[0].desc = cf_add_utf8(c, CF_STR("La//b;"));
    CHECK_TEXT(verdict(c), "Class name is empty or contains illegal character in descriptor in class file a/B");
    c = make();
    cf_add_interface(c, CF_STR("x/I"));
    CHECK_TEXT(verdict(c), "");
    cf_add_interface(c, CF_STR("x/I"));
    CHECK_TEXT(verdict(c), "Duplicate interface name \"x/I\" in class file a/B");
    c = make();
    cf_add_method(c, CF_ACC_NATIVE, CF_STR("n"), CF_STR("()V"))->desc = cf_add_utf8(c, CF_STR("()"));
    CHECK_TEXT(verdict(c), "Method \"n\" in class a/B has illegal signature \"()\"");
}

static void test_pool(void) {
    CfClass *c = make();
    cf_add_class(c, CF_STR("a//b"));
    CHECK_TEXT(verdict(c), "Illegal class name \"a//b\" in class file <Unknown>");
    c = make();
    cf_add_field_ref(c, CF_STR("x/Y"), CF_STR("f"), CF_STR("()V"));
    CHECK(strstr(verdict(c), "Field \"f\" in class <Unknown> has illegal signature \"()V\""));
    c = make();
    cf_add_method_ref(c, CF_STR("x/Y"), CF_STR("<clinit>"), CF_STR("()V"), false);
    CHECK(strstr(verdict(c), "Bad method name at constant pool index"));
    c = make();
    cf_add_utf8(c, CF_STR("\xff"));
    CHECK_TEXT(verdict(c), "Illegal UTF8 string in constant pool in class file a/B");
    c = make();
    cf_add_invoke_dynamic(c, 3, CF_STR("f"), CF_STR("()V"));
    CHECK_TEXT(verdict(c), "Missing BootstrapMethods attribute in class file a/B");
    c = make();
    cf_add_invoke_dynamic(c, 0, CF_STR("f"), CF_STR("()V"));
    cf_attr_set(c, &c->attrs, "BootstrapMethods", "\0\0", 2);
    CHECK_TEXT(verdict(c), "Short length on BootstrapMethods in class file a/B");
}

static const char *with_attr(const char *name, const void *data, size_t n, int times) {
    CfClass *c = make();
    while (times--) cf_attr_append(c, &c->attrs, name, data, n);
    return verdict(c);
}

static void test_class_attributes(void) {
    CHECK_TEXT(with_attr("SourceFile", "\0\1", 2, 1), "");
    CHECK_TEXT(with_attr("SourceFile", "\0\1\2", 3, 1), "Wrong SourceFile attribute length in class file a/B");
    CHECK_TEXT(with_attr("SourceFile", "\0\1", 2, 2), "Multiple SourceFile attributes in class file a/B");
    CHECK_TEXT(with_attr("NestHost", "\0\1", 2, 1), "Nest-host class_info_index 1 has bad constant type in class file a/B");
    CHECK_TEXT(with_attr("NestMembers", "\0\2\0\2", 4, 1), "Wrong NestMembers attribute length in class file a/B");
    CHECK_TEXT(with_attr("InnerClasses", "\0\1\0\2\0\2\0\0\0\0", 10, 1), "Class is both outer and inner class in class file a/B");
    CHECK_TEXT(with_attr("InnerClasses", "\0\2\0\2\0\0\0\0\0\0\0\2\0\0\0\0\0\0", 18, 1),
               "Duplicate entry in InnerClasses attribute in class file a/B");
    CHECK_TEXT(with_attr("EnclosingMethod", "\0\0\0\0", 4, 1),
               "Invalid class index in EnclosingMethod attribute in class file a/B");
    CHECK_TEXT(with_attr("Record", "\0\1", 2, 1), "Record attribute has wrong length in class file a/B");
    CHECK_TEXT(with_attr("Deprecated", "x", 1, 1), "Invalid Deprecated classfile attribute length 1 in class file a/B");
    CHECK_TEXT(with_attr("ConstantValue", "x", 1, 2), ""); /* no meaning on a class */
    CfClass *c = make();
    c->major = 54; /* NestHost came with 55 */
    cf_attr_append(c, &c->attrs, "NestHost", "x", 1);
    CfWriter w;
    CfError err;
    CfParseOptions opt = {.check = CF_CHECK_FORMAT};
    cf_w_init(&w);
    cf_err_clear(&err);
    cf_write(c, &w, NULL);
    CHECK(cf_parse(&c, w.data, w.len, &arena, &opt, &err) == CF_OK && c->attrs.v[0].kind == CF_ATTR_UNKNOWN);
    cf_w_free(&w);
}

static void test_constant_value(void) {
    CfClass *c = make();
    uint8_t i[2];
    cf_put_u2(i, cf_add_int(c, 3));
    cf_attr_append(c, &c->fields[0].attrs, "ConstantValue", i, 2);
    CHECK_TEXT(verdict(c), "");
    cf_put_u2(i, cf_add_long(c, 3));
    cf_attr_set(c, &c->fields[0].attrs, "ConstantValue", i, 2);
    CHECK_TEXT(verdict(c), "Inconsistent constant value type in class file a/B");
    c->fields[0].access = 0; /* ignored on instance fields */
    CHECK_TEXT(verdict(c), "");
}

/* ------------------------------------------------------------------------ bytes */

static const char *parse_changed(size_t at, int value, size_t cut) {
    static CfError err;
    CfWriter w;
    CfClass *c;
    CfParseOptions opt = {.check = CF_CHECK_FORMAT, .name = "a/B"};
    cf_w_init(&w);
    cf_write(make(), &w, NULL);
    if (value >= 0) w.data[at] = (uint8_t)value;
    cf_err_clear(&err);
    uint8_t *copy = cf_arena_copy(&arena, w.data, w.len);
    cf_parse(&c, copy, w.len - cut, &arena, &opt, &err);
    cf_w_free(&w);
    return err.text;
}

static void test_bytes(void) {
    CHECK_TEXT(parse_changed(0, -1, 0), "");
    CHECK_TEXT(parse_changed(0, 0, 0), "Incompatible magic value 16693950 in class file a/B");
    CHECK_TEXT(parse_changed(0, -1, 1), "Truncated class file");
    CHECK_TEXT(parse_changed(7, 44, 0), "a/B (class file version 44.0) was compiled with an invalid major version");
    CHECK_TEXT(parse_changed(7, 62, 0),
               "a/B has been compiled by a more recent version of the Java Runtime (class file version 62.0), this version "
               "of the Java Runtime only recognizes class file versions up to 61.0");
    CHECK_TEXT(parse_changed(5, 1, 0), "a/B (class file version 61.1) was compiled with an invalid non-zero minor version");
    CHECK_TEXT(parse_changed(10, 2, 0), "Unknown constant tag 2 in class file a/B");
    CHECK_TEXT(parse_changed(10, 99, 0), "Unknown constant tag 99 in class file a/B");
    /* any cut is an error, never a crash */
    for (size_t cut = 1; cut < 100; cut++) CHECK(parse_changed(0, -1, cut)[0] != 0);
}

static void test_versions(void) {
    CfWriter w;
    CfClass *c = make();
    CfError err;
    cf_w_init(&w);
    c->minor = 65535;
    cf_write(c, &w, NULL);
    CfParseOptions opt = {.check = CF_CHECK_FORMAT};
    cf_err_clear(&err);
    CHECK(cf_parse(&c, w.data, w.len, &arena, &opt, &err) == CF_ERR_VERSION);
    CHECK_TEXT(err.text, "Preview features are not enabled for <Unknown> (class file version 61.65535). Try running with "
                         "'--enable-preview'");
    opt.enable_preview = true;
    CHECK(cf_parse(&c, w.data, w.len, &arena, &opt, NULL) == CF_OK);
    w.data[7] = 60;
    CHECK(cf_parse(&c, w.data, w.len, &arena, &opt, NULL) == CF_ERR_VERSION);
    w.data[7] = 70;
    opt = (CfParseOptions){.any_version = true};
    CHECK(cf_parse(&c, w.data, w.len, &arena, &opt, NULL) == CF_OK && c->major == 70);
    cf_w_free(&w);
}

int main(void) {
    cf_arena_init(&arena, "test", 0);
    test_flags();
    test_members();
    test_pool();
    test_class_attributes();
    test_constant_value();
    test_bytes();
    test_versions();
    cf_arena_free(&arena);
    return cf_test_end();
}
