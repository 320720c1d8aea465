/* SPDX-License-Identifier: Apache-2.0 */
/* test_cf_names - descriptors, names, modified UTF-8. */
#include "classfile.h"
#include "cf_test.h"

static void test_field_descriptors(void) {
    static const char *const good[] = {"I", "J", "[[I", "La/B;", "[La/B;", "LA;", "L-;", "La b;"};
    static const char *const bad[] = {"", "V", "Q", "II", "L;", "La", "La//b;", "L/a;", "La/;", "[", "La.b;", "[V", "L[;"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) CHECK(cf_field_desc_valid(cf_str(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CHECK(!cf_field_desc_valid(cf_str(bad[i])));
    char deep[300];
    memset(deep, '[', sizeof deep);
    deep[255] = 'I';
    CHECK(cf_field_desc_valid((CfStr){deep, 256}));
    deep[255] = '[';
    deep[256] = 'I';
    CHECK(!cf_field_desc_valid((CfStr){deep, 257}));
}

static void test_method_descriptors(void) {
    static const char *const bad[] = {"", "()", "(V)V", "()II", ")V", "(I", "I", "(La)V", "(;)V", "()[V"};
    CHECK(cf_method_desc_valid(cf_str("()V")) && cf_method_desc_valid(cf_str("(IJLa/B;[[D)[La/B;")));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CHECK(!cf_method_desc_valid(cf_str(bad[i])));
    char many[300] = "(";
    memset(many + 1, 'J', 127);
    strcpy(many + 128, "I)V");
    CHECK(cf_method_desc_valid(cf_str(many))); /* 255 slots */
    strcpy(many + 128, "J)V");
    CHECK(!cf_method_desc_valid(cf_str(many)));
}

static void test_walk(void) {
    CfDescIter it = cf_desc_start(cf_str("(I[JLa/B;D)La/C;"));
    CfStr t;
    CHECK(cf_desc_next(&it, &t) && cf_str_is(t, "I"));
    CHECK(cf_desc_next(&it, &t) && cf_str_is(t, "[J") && cf_desc_slots(t) == 1);
    CHECK(cf_desc_next(&it, &t) && cf_str_is(t, "La/B;"));
    CHECK(cf_desc_next(&it, &t) && cf_str_is(t, "D") && cf_desc_slots(t) == 2);
    CHECK(!cf_desc_next(&it, &t) && cf_str_is(it.ret, "La/C;") && !cf_desc_next(&it, &t));
    unsigned ret;
    CHECK(cf_desc_arg_slots(cf_str("(I[JLa/B;D)J"), &ret) == 5 && ret == 2);
    CHECK(cf_str_is(cf_desc_result(cf_str("(La)I;[Lb(;J)Lc)D;")), "Lc)D;")); /* names may have parentheses */
    CHECK(cf_str_is(cf_desc_result(cf_str("()V")), "V") && cf_desc_result(cf_str("I")).len == 0 &&
          cf_desc_result(cf_str("(La")).len == 0);
    CHECK(cf_desc_arg_slots(cf_str("()V"), &ret) == 0 && ret == 0 && cf_desc_arg_count(cf_str("(IJ)V")) == 2);
    CHECK(cf_desc_arg_slots(cf_str("(I"), NULL) == -1 && cf_desc_arg_count(cf_str("garbage")) == -1);
}

static void test_names(void) {
    CHECK(cf_class_name_valid(cf_str("a/B"), 61) && cf_class_name_valid(cf_str("[La/B;"), 61));
    CHECK(!cf_class_name_valid(cf_str("a.B"), 61) && !cf_class_name_valid(cf_str("a/"), 61));
    CHECK(!cf_class_name_valid((CfStr){NULL, 0}, 61) && !cf_class_name_valid(cf_str("[V"), 61));
    CHECK(cf_member_name_valid(cf_str("<init>"), true, 61) && !cf_member_name_valid(cf_str("<x>"), true, 61));
    CHECK(cf_member_name_valid(cf_str("<x>"), false, 61) && !cf_member_name_valid(cf_str("a/b"), false, 61));
    CHECK(!cf_member_name_valid(cf_str(""), false, 61));
}

static void test_mutf8(void) {
    static const struct {
        const char *s;
        size_t n;
        bool good;
    } t[] = {{"abcdefghijklmnop", 16, true},
             {"a\0b", 3, false},
             {"\xc0\x80", 2, true},
             {"\xc1\x81", 2, false},
             {"\xc3\xa9", 2, true},
             {"\xc3", 1, false},
             {"\xe2\x82\xac", 3, true},
             {"\xe0\x82\xac", 3, false},
             {"\xf0\x9f\x98\x80", 4, false},
             {"\xed\xa0\xbd\xed\xb8\x80", 6, true},
             {"\x80", 1, false},
             {"abcdefgh\xff", 9, false},
             {"", 0, true},
             {"\xe2\x82", 2, false}};
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) CHECK(cf_mutf8_valid(t[i].s, t[i].n) == t[i].good);
}

static void test_conversion(void) {
    /* a, NUL, e-acute, euro, U+1F600 */
    const char m[] = "a\xc0\x80\xc3\xa9\xe2\x82\xac\xed\xa0\xbd\xed\xb8\x80";
    const char u8[] = "a\0\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80";
    const uint16_t u16[] = {'a', 0, 0xe9, 0x20ac, 0xd83d, 0xde00};
    size_t mn = sizeof m - 1, un = sizeof u8 - 1;
    uint16_t out16[8];
    char out[32];
    CHECK(cf_mutf8_utf16_len(m, mn) == 6 && cf_mutf8_to_utf16(m, mn, out16) == 6);
    CHECK(memcmp(out16, u16, sizeof u16) == 0);
    CHECK(cf_utf16_to_mutf8(u16, 6, out, sizeof out) == mn && memcmp(out, m, mn) == 0);
    CHECK(cf_mutf8_to_utf8(m, mn, out, sizeof out) == un && memcmp(out, u8, un) == 0);
    CHECK(cf_utf8_to_mutf8(u8, un, out, sizeof out) == mn && memcmp(out, m, mn) == 0);
    CHECK(cf_mutf8_to_utf8(m, mn, NULL, 0) == un); /* size only */
    CHECK(cf_mutf8_to_utf8("\xed\xa0\xbd", 3, out, 32) == 1 && out[0] == '?');
    CHECK(cf_utf8_to_mutf8("\xff", 1, out, 32) == 1 && out[0] == '?');
}

int main(void) {
    test_field_descriptors();
    test_method_descriptors();
    test_walk();
    test_names();
    test_mutf8();
    test_conversion();
    return cf_test_end();
}
