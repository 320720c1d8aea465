/* SPDX-License-Identifier: Apache-2.0 */
/* test_cf_annotation - decoders of annotations: what they find, and that nothing but the exact length will do. */
#include <stdlib.h>

#include "classfile.h"
#include "cf_test.h"

static CfArena arena;

static CfAttr attr(CfAttrKind kind, const uint8_t *p, size_t n) {
    return (CfAttr){.kind = (uint16_t)kind, .len = (uint32_t)n, .data = p};
}

/* @1(2 = 'I' 3, 4 = {'s' 5, 's' 6}, 7 = @8(9 = 'c' 10), 11 = 'e' 12.13)  @14() */
static const uint8_t two[] = {0, 2,   0, 1, 0, 4, 0, 2, 'I', 0, 3,  0, 4,  '[', 0, 2,  's', 0,  5, 's', 0, 6, 0,
                              7, '@', 0, 8, 0, 1, 0, 9, 'c', 0, 10, 0, 11, 'e', 0, 12, 0,   13, 0, 14,  0, 0};

static void check_values(CfAnnotation a) {
    CfElements copy = a.elements, in;
    CfElement e, v;
    CHECK(a.type == 1 && copy.count == 4 && copy.named);
    CHECK(cf_element_next(&copy, &e) && e.name == 2 && e.tag == 'I' && e.a == 3 && !e.values.count);
    CHECK(cf_element_next(&copy, &e) && e.name == 4 && e.tag == '[' && e.values.count == 2 && !e.values.named);
    in = e.values;
    CHECK(cf_element_next(&in, &v) && v.name == 0 && v.tag == 's' && v.a == 5);
    CHECK(cf_element_next(&in, &v) && v.a == 6 && in.p == in.end && !cf_element_next(&in, &v));
    CHECK(cf_element_next(&copy, &e) && e.tag == '@' && e.a == 8 && e.values.count == 1 && e.values.named);
    in = e.values;
    CHECK(cf_element_next(&in, &v) && v.name == 9 && v.tag == 'c' && v.a == 10 && in.p == in.end);
    CHECK(cf_element_next(&copy, &e) && e.name == 11 && e.tag == 'e' && e.a == 12 && e.b == 13);
    CHECK(copy.p == copy.end && copy.count == 0 && !cf_element_next(&copy, &e) && !cf_element_next(&copy, &e));
}

static void plain(void) {
    CfAttr at = attr(CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS, two, sizeof two);
    CfAnnotations t;
    CfAnnotation a;
    CHECK(cf_annotations(&at, &t, NULL) == CF_OK && t.count == 2);
    CHECK(cf_annotation_next(&t, &a));
    check_values(a);
    CHECK(cf_annotation_next(&t, &a) && a.type == 14 && a.elements.count == 0 && t.p == t.end);
    CHECK(!cf_annotation_next(&t, &a) && !cf_annotation_next(&t, &a));
}

static void parameters(void) {
    uint8_t b[3 + sizeof two] = {2, 0, 0};
    memcpy(b + 3, two, sizeof two);
    CfAttr at = attr(CF_ATTR_RUNTIME_VISIBLE_PARAMETER_ANNOTATIONS, b, sizeof b);
    CfAnnotations t, one;
    CfAnnotation a;
    CHECK(cf_parameter_annotations(&at, &t, NULL) == CF_OK && t.count == 2);
    CHECK(cf_parameter_annotations_next(&t, &one) && one.count == 0 && !cf_annotation_next(&one, &a));
    CHECK(cf_parameter_annotations_next(&t, &one) && one.count == 2 && cf_annotation_next(&one, &a));
    check_values(a);
    CHECK(!cf_parameter_annotations_next(&t, &one));
}

static void targets(void) {
    static const uint8_t b[] = {
        0,    6,                                                          /* each with the annotation @1() */
        0x00, 5, 0, 0, 1, 0, 0,                                           /* type parameter 5 */
        0x12, 1, 2, 1, 3, 4, 0,    1,    0,    0,                         /* bound 2 of parameter 1; argument 4 */
        0x13, 0, 0, 1, 0, 0, 0x10, 0xff, 0xff, 2, 0, 0, 1, 0, 0, 1, 0, 0, /* superclass; array, nested */
        0x40, 0, 2, 0, 1, 0, 2,    0,    3,    0, 4, 0, 5, 0, 6, 0, 0, 1, 0, 0, 0x47, 0, 9, 3, 0, 0, 1, 0, 0};
    CfAttr at = attr(CF_ATTR_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS, b, sizeof b);
    CfAnnotations t;
    CfTypeAnnotation a;
    uint8_t kind, argument;
    uint16_t start, length, slot;
    CHECK(cf_type_annotations(&at, &t, NULL) == CF_OK && t.count == 6);
    CHECK(cf_type_annotation_next(&t, &a) && a.target == 0 && a.index == 5 && a.path.count == 0 && a.annotation.type == 1);
    CHECK(cf_type_annotation_next(&t, &a) && a.target == 0x12 && a.index == 1 && a.inner == 2 && a.path.count == 1);
    cf_type_path(&a.path, 0, &kind, &argument);
    CHECK(kind == 3 && argument == 4);
    CHECK(cf_type_annotation_next(&t, &a) && a.target == 0x13);
    CHECK(cf_type_annotation_next(&t, &a) && a.index == 65535 && a.path.count == 2);
    cf_type_path(&a.path, 1, &kind, &argument);
    CHECK(kind == 1 && argument == 0);
    CHECK(cf_type_annotation_next(&t, &a) && a.ranges.count == 2);
    cf_local_range(&a.ranges, 1, &start, &length, &slot);
    CHECK(start == 4 && length == 5 && slot == 6);
    CHECK(cf_type_annotation_next(&t, &a) && a.target == 0x47 && a.pc == 9 && a.inner == 3 && a.annotation.type == 1);
    CHECK(t.p == t.end && !cf_type_annotation_next(&t, &a));
    for (size_t n = 0; n < sizeof b; n++) {
        at.len = (uint32_t)n;
        CHECK(cf_type_annotations(&at, &t, NULL) == CF_ERR_FORMAT && t.count == 0);
    }
    /* Every target_type: those of 4.7.20-A and B and no other. */
    for (unsigned target = 0; target < 256; target++) {
        uint8_t one[40] = {0, 1, (uint8_t)target};
        bool any = false;
        for (size_t n = 3; n < sizeof one; n++) {
            at = attr(CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS, one, n);
            any |= cf_type_annotations(&at, &t, NULL) == CF_OK;
        }
        CHECK(any == (target <= 1 || (target >= 0x10 && target <= 0x17) || (target >= 0x40 && target <= 0x4B)));
    }
}

/* Shorter and longer is malformed; each in memory of its own size. */
static void lengths(void) {
    for (size_t n = 0; n <= sizeof two + 1; n++) {
        uint8_t *b = calloc(1, n ? n : 1);
        memcpy(b, two, n < sizeof two ? n : sizeof two);
        CfAttr at = attr(CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS, b, n);
        CfAnnotations t;
        CfError err;
        cf_err_clear(&err);
        CHECK((cf_annotations(&at, &t, &err) == CF_OK) == (n == sizeof two));
        CHECK_TEXT(err.text, n == sizeof two ? "" : "Malformed RuntimeVisibleAnnotations attribute");
        CHECK((cf_parameter_annotations(&at, &t, NULL) == CF_OK) == (n == 1) && t.count == 0); /* of 0 parameters */
        free(b);
    }
    static const uint8_t bad_tag[] = {'x', 0, 1};
    CfAttr at = attr(CF_ATTR_ANNOTATION_DEFAULT, bad_tag, 3);
    CfElement e;
    CHECK(cf_annotation_default(&at, &e, NULL) == CF_ERR_FORMAT);
}

static void defaults(void) {
    static const uint8_t number[] = {'J', 0, 7, 0}, empty[] = {'[', 0, 0};
    CfElement e;
    CfAttr at = attr(CF_ATTR_ANNOTATION_DEFAULT, number, 3);
    CHECK(cf_annotation_default(&at, &e, NULL) == CF_OK && e.tag == 'J' && e.a == 7 && e.name == 0);
    at.len = 4;
    CHECK(cf_annotation_default(&at, &e, NULL) == CF_ERR_FORMAT && e.tag == 0);
    at = attr(CF_ATTR_ANNOTATION_DEFAULT, empty, 3);
    CHECK(cf_annotation_default(&at, &e, NULL) == CF_OK && e.tag == '[' && !cf_element_next(&e.values, &e));
}

/* CF_ELEMENT_DEPTH values in each other are read, one more is not, and thousands end nothing. */
static void depth(void) {
    static uint8_t b[60003];
    CfElement e;
    for (unsigned n = CF_ELEMENT_DEPTH - 2; n < CF_ELEMENT_DEPTH + 2; n++) {
        for (unsigned i = 0; i < n; i++) memcpy(b + 3 * i, "[\0\1", 3);
        memcpy(b + 3 * n, "I\0\1", 3);
        CfAttr at = attr(CF_ATTR_ANNOTATION_DEFAULT, b, 3 * n + 3);
        CHECK((cf_annotation_default(&at, &e, NULL) == CF_OK) == (n < CF_ELEMENT_DEPTH));
    }
    for (unsigned i = 0; i < 20000; i++) memcpy(b + 3 * i, "[\0\1", 3);
    CfAttr at = attr(CF_ATTR_ANNOTATION_DEFAULT, b, sizeof b);
    CHECK(cf_annotation_default(&at, &e, NULL) == CF_ERR_FORMAT);
}

static void find(void) {
    CfClass *c = cf_class_new(&arena, 61, CF_ACC_PUBLIC, CF_STR("a/B"), CF_STR("java/lang/Object"));
    uint8_t b[] = {0, 1, 0, 0, 0, 1, 0, 0, 'Z', 0, 0}, broken[] = {0, 1, 0, 0, 0, 1};
    cf_put_u2(b + 2, cf_add_utf8(c, CF_STR("La/Other;")));
    cf_put_u2(b + 6, cf_add_utf8(c, CF_STR("on")));
    cf_put_u2(b + 9, cf_add_int(c, 1));
    CfAnnotation a;
    CfElement e;
    CHECK(!cf_find_annotation(c, &c->attrs, "La/Other;", &a) && !cf_find_element(c, &a, "on", &e));
    cf_put_u2(broken + 2, cf_get_u2(b + 2));
    cf_attr_append(c, &c->attrs, "RuntimeVisibleAnnotations", broken, sizeof broken);
    CHECK(!cf_find_annotation(c, &c->attrs, "La/Other;", &a));
    cf_attr_append(c, &c->attrs, "RuntimeInvisibleAnnotations", b, sizeof b);
    CHECK(cf_find_annotation(c, &c->attrs, "La/Other;", &a) && a.elements.count == 1);
    CHECK(!cf_find_annotation(c, &c->attrs, "La/Othe;", &a) && a.type == 0);
    CHECK(cf_find_annotation(c, &c->attrs, "La/Other;", &a) && cf_find_element(c, &a, "on", &e) && e.tag == 'Z');
    CHECK(cf_const(c, e.a)->i == 1 && !cf_find_element(c, &a, "off", &e) && a.elements.count == 1);
}

int main(void) {
    cf_arena_init(&arena, "test", 0);
    plain();
    parameters();
    targets();
    lengths();
    defaults();
    depth();
    find();
    cf_arena_free(&arena);
    return cf_test_end();
}
