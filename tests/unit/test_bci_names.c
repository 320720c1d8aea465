/* SPDX-License-Identifier: Apache-2.0 */
/* test_bci_names - renaming and pool collection on a class made by the test. tests/roundtrip/rename.sh has whole programs. */
#include <stdlib.h>

#include "bci.h"

static int failures;
#define CHECK(x) ((x) ? (void)0 : (failures++, printf("%s:%d: %s\n", __func__, __LINE__, #x), (void)0))

typedef struct Bytes {
    uint8_t *p;
    size_t n;
} Bytes;

static Bytes write_and_close(BciClass *c) {
    CfError err;
    Bytes b = {0};
    cf_err_clear(&err);
    if (bci_write(c, NULL, NULL, &b.p, &b.n, &err) != CF_OK) printf("write: %s\n", err.text);
    bci_close(c);
    return b;
}

static BciClass *open_bytes(Bytes b, unsigned flags) {
    BciOptions opt = {.flags = flags};
    BciClass *c = bci_open(b.p, b.n, &opt, NULL);
    CHECK(c);
    return c;
}

/* class a/b/C<T extends a/b/D> { a/b/D[] f; void m(a/b/D$E) { this.f; use.Other.f; "a.b.D"; } } */
static Bytes sample(void) {
    CfArena a;
    CfWriter w;
    cf_arena_init(&a, "test", 0);
    cf_w_init(&w);
    CfClass *k = cf_class_new(&a, 61, CF_ACC_PUBLIC | CF_ACC_SUPER, CF_STR("a/b/C"), CF_STR("java/lang/Object"));
    uint8_t sig[2];
    cf_put_u2(sig, cf_add_utf8(k, CF_STR("<T:La/b/D<-La/b/D$E;>.In<TT;>;>Ljava/lang/Object;")));
    CHECK(cf_attr_set(k, &k->attrs, "Signature", sig, 2) == CF_OK && cf_write(k, &w, NULL) == CF_OK);
    cf_arena_free(&a);
    BciClass *c = open_bytes((Bytes){w.data, w.len}, 0);
    bci_add_field(c, 0, "f", "[La/b/D;");
    BciCode *code = bci_code(bci_add_method(c, 0, "m", "(La/b/D$E;)V"));
    BciPos at = bci_end(code);
    bci_load(at, 'A', 0);
    bci_field(at, CF_OP_GETFIELD, "a/b/C", "f", "[La/b/D;");
    bci_field(at, CF_OP_PUTSTATIC, "use/Other", "f", "[La/b/D;");
    bci_string(at, "a.b.D");
    bci_op(at, CF_OP_POP);
    bci_string(at, "La/b/D;");
    bci_op(at, CF_OP_POP);
    bci_return(at);
    Bytes b = write_and_close(c);
    free(w.data);
    return b;
}

static const char *text_of(BciClass *c, unsigned op, int skip) {
    static char buf[500];
    BciCode *code = bci_code(bci_method(c, 0));
    BciInsn *i = bci_find_op(bci_first_insn(code), op);
    while (skip-- && i) i = bci_find_op(bci_next(i), op);
    CfStr s = i ? cf_name_of(bci_model(c), i->index) : (CfStr){0};
    const char *o, *n, *d;
    if (s.p) snprintf(buf, sizeof buf, "%.*s", CF_STR_ARGS(s));
    else if (i && bci_cp_member_at(c, i->index, &o, &n, &d)) snprintf(buf, sizeof buf, "%s.%s:%s", o, n, d);
    return buf;
}

static void names_follow(void) {
    static const BciRenaming rows[] = {
        {"a/b/", NULL, NULL, "x/"}, {"a/b/D", NULL, NULL, "y/Q"}, {"a/b/C", "f", NULL, "g"}, {"a/b/C", "m", "()V", "wrong"}};
    Bytes b = sample();
    BciClass *c = open_bytes(b, 0);
    CfError err;
    cf_err_clear(&err);
    CHECK(bci_rename_list(c, rows, 4, BCI_NAMES_STRINGS, &err) == CF_OK && bci_changed(c));
    Bytes out = write_and_close(c);
    c = open_bytes(out, 0);
    CHECK(!strcmp(bci_class_name(c), "x/C"));
    CHECK(!strcmp(bci_method_name(bci_method(c, 0)), "m") && !strcmp(bci_method_desc(bci_method(c, 0)), "(Ly/Q$E;)V"));
    CHECK(bci_has_field(c, "g", "[Ly/Q;"));
    CHECK(!strcmp(text_of(c, CF_OP_GETFIELD, 0), "x/C.g:[Ly/Q;"));
    CHECK(!strcmp(text_of(c, CF_OP_PUTSTATIC, 0), "use/Other.f:[Ly/Q;")); /* shared a NameAndType with the one above */
    CHECK(!strcmp(text_of(c, CF_OP_LDC, 0), "y.Q") && !strcmp(text_of(c, CF_OP_LDC, 1), "La/b/D;"));
    CHECK(cf_str_is(cf_signature(bci_model(c), &bci_model(c)->attrs), "<T:Ly/Q<-Ly/Q$E;>.In<TT;>;>Ljava/lang/Object;"));
    bci_close(c);
    free(out.p);
    free(b.p);
}

static void nothing_to_rename(void) {
    static const BciRenaming rows[] = {{"no/such/", NULL, NULL, "x/"}, {"a/b/Ca", NULL, NULL, "z"}, {"a/b/C", "f", "I", "g"}};
    Bytes b = sample();
    BciClass *c = open_bytes(b, 0);
    CHECK(bci_rename_list(c, rows, 3, BCI_NAMES_STRINGS, NULL) == CF_OK && !bci_changed(c));
    Bytes out = write_and_close(c);
    CHECK(out.n == b.n && !memcmp(out.p, b.p, b.n));
    free(out.p);
    free(b.p);
}

static void renaming_comes_first(void) {
    Bytes b = sample();
    BciClass *c = open_bytes(b, 0);
    CfError err;
    cf_err_clear(&err);
    bci_code(bci_method(c, 0));
    CHECK(bci_rename_list(c, NULL, 0, 0, &err) == CF_ERR_USAGE && strstr(err.text, "before bci_code"));
    bci_close(c);
    free(b.p);
}

static const char *long_name(void *ctx, const char *name) { return strncmp(name, "a/b", 3) ? NULL : ctx; }

static void too_long_fails(void) {
    Bytes b = sample();
    char *z = malloc(70001);
    memset(z, 'x', 70000);
    z[70000] = 0;
    BciClass *c = open_bytes(b, 0);
    CfError err;
    cf_err_clear(&err);
    CHECK(bci_rename(c, &(BciNames){z, long_name, NULL, 0}, &err) == CF_ERR_LIMIT);
    uint8_t *out;
    size_t n;
    cf_err_clear(&err);
    CHECK(bci_write(c, NULL, NULL, &out, &n, &err) == CF_ERR_LIMIT && !out);
    bci_close(c);
    free(z);
    free(b.p);
}

static void pool_is_collected(void) {
    Bytes b = sample();
    BciClass *c = open_bytes(b, 0);
    bci_cp_string(c, "nobody needs me");
    bci_cp_long(c, 0x123456789abcdef);
    bci_cp_invoke_dynamic(c, 7, "call", "()V");
    bci_add_interface(c, "java/io/Serializable");
    Bytes grown = write_and_close(c);
    c = open_bytes(grown, BCI_COMPACT_POOL);
    Bytes out = write_and_close(c);
    c = open_bytes(out, 0);
    CHECK(out.n < grown.n && bci_interface_count(c) == 1 && !strcmp(bci_interface(c, 0), "java/io/Serializable"));
    for (uint32_t i = 1; i < bci_model(c)->const_count; i++)
        CHECK(!cf_str_is(cf_utf8(bci_model(c), i), "nobody needs me") && cf_tag(bci_model(c), i) != CF_CONST_LONG);
    CHECK(!strcmp(text_of(c, CF_OP_LDC, 0), "a.b.D") && !strcmp(text_of(c, CF_OP_PUTSTATIC, 0), "use/Other.f:[La/b/D;"));
    bci_close(c);
    free(out.p);
    free(grown.p);
    free(b.p);
}

static void unknown_attributes_keep_the_pool(void) {
    Bytes b = sample();
    CfArena a;
    CfError err;
    CfClass *k;
    cf_err_clear(&err);
    cf_arena_init(&a, "test", 0);
    CHECK(cf_parse(&k, b.p, b.n, &a, NULL, NULL) == CF_OK);
    cf_add_int(k, 99);
    uint32_t n = k->const_count;
    CHECK(cf_attr_set(k, &k->attrs, "Secret", "xy", 2) == CF_OK);
    CHECK(cf_pool_collect(k, &err) == CF_ERR_USAGE && strstr(err.text, "Secret") && k->const_count == n + 1);
    cf_arena_free(&a);
    free(b.p);
}

/* Indices past the pool's end, in code and in a pool entry, as only a malformed class has them: they stay malformed. */
static void wild_indices_stay_wild(void) {
    static const uint8_t insns[] = {CF_OP_LDC, 250, CF_OP_POP, CF_OP_LDC_W, 0xff, 0xf0, CF_OP_POP, CF_OP_RETURN};
    CfArena a;
    CfError err;
    CfCode code = {.max_stack = 1, .code_len = sizeof insns, .code = insns};
    cf_err_clear(&err);
    cf_arena_init(&a, "test", 0);
    CfClass *k = cf_class_new(&a, 52, CF_ACC_PUBLIC, CF_STR("t/Wild"), CF_STR("java/lang/Object"));
    CfMember *m = cf_add_method(k, CF_ACC_STATIC, CF_STR("m"), CF_STR("()V"));
    cf_add_int(k, 99);
    CHECK(cf_code_set(k, m, &code, NULL) == CF_OK && cf_pool_collect(k, &err) == CF_OK);
    CHECK(cf_code(k, m, &a, &code, NULL) == CF_OK && !memcmp(code.code, insns, sizeof insns));
    cf_arena_free(&a);
}

static void methods_are_copied(void) {
    Bytes b = sample();
    BciClass *from = open_bytes(b, 0), *to = open_bytes(b, 0);
    BciCode *code = bci_code(bci_find_method(from, "m", NULL));
    bci_long(bci_entry(code), 1l << 40);
    bci_op(bci_entry(code), CF_OP_POP2);
    CHECK(!bci_copy_method(to, bci_find_method(from, "m", NULL), "n")); /* unwritten edits */
    bci_close(to);
    uint8_t *out;
    size_t n;
    CHECK(bci_write(from, NULL, NULL, &out, &n, NULL) == CF_OK);
    free(out);
    CfArena a;
    CfWriter w;
    cf_arena_init(&a, "test", 0);
    cf_w_init(&w);
    CfClass *k = cf_class_new(&a, 61, 0, CF_STR("other/T"), CF_STR("java/lang/Object"));
    for (int i = 0; i < 300; i++) cf_add_int(k, i + 100000);
    cf_write(k, &w, NULL);
    cf_arena_free(&a);
    to = open_bytes((Bytes){w.data, w.len}, 0);
    BciMethod *m = bci_copy_method(to, bci_find_method(from, "m", NULL), "n");
    CHECK(m && bci_copy_body(m, bci_find_method(from, "m", NULL)));
    bci_close(from);
    Bytes done = write_and_close(to);
    to = open_bytes(done, 0);
    CHECK(bci_find_method(to, "n", "(La/b/D$E;)V") && bci_method_count(to) == 1);
    CHECK(!strcmp(text_of(to, CF_OP_GETFIELD, 0), "a/b/C.f:[La/b/D;") && !strcmp(text_of(to, CF_OP_LDC_W, 0), "a.b.D"));
    CHECK(bci_find_op(bci_first_insn(bci_code(bci_method(to, 0))), CF_OP_LDC2_W));
    bci_close(to);
    free(done.p);
    free(w.data);
    free(b.p);
}

/* A signature that is none, with half of a two-byte character where the dot of an inner class would be. */
static void malformed_signatures_stay(void) {
    static const BciRenaming rows[] = {{"java/util/", NULL, NULL, "shaded/"}};
    static const char text[] = "Ljava/util/List<TE;>\xc5\xb1"
                               "a/B;";
    CfArena a;
    CfWriter w;
    CfError err;
    uint8_t index[2], *out = NULL;
    size_t n = 0;
    cf_arena_init(&a, "test", 0);
    cf_w_init(&w);
    CfClass *k = cf_class_new(&a, 52, 0, CF_STR("t/Odd"), CF_STR("java/lang/Object"));
    cf_put_u2(index, cf_add_utf8(k, CF_STR(text)));
    CHECK(cf_attr_set(k, &k->attrs, "Signature", index, 2) == CF_OK && cf_write(k, &w, NULL) == CF_OK);
    BciClass *c = open_bytes((Bytes){w.data, w.len}, 0);
    CHECK(bci_rename_list(c, rows, 1, 0, &err) == CF_OK && bci_write(c, NULL, NULL, &out, &n, &err) == CF_OK);
    CHECK(memmem(out, n, text, sizeof text - 1) && !memmem(out, n, "shaded/", 7));
    bci_close(c);
    free(out);
    cf_w_free(&w);
    cf_arena_free(&a);
}

/* An index behind the last entry, which would be one as soon as the copy has added to the pool. */
static void copied_indices_must_exist(void) {
    CfArena a;
    CfWriter w;
    CfError err;
    uint8_t index[2];
    cf_arena_init(&a, "test", 0);
    cf_w_init(&w);
    CfClass *k = cf_class_new(&a, 52, CF_ACC_ABSTRACT, CF_STR("t/Behind"), CF_STR("java/lang/Object"));
    CfMember *m = cf_add_method(k, CF_ACC_ABSTRACT, CF_STR("m"), CF_STR("()V"));
    cf_add_utf8(k, CF_STR("Signature"));
    cf_put_u2(index, k->const_count);
    CHECK(cf_attr_set(k, &m->attrs, "Signature", index, 2) == CF_OK && cf_write(k, &w, NULL) == CF_OK);
    BciClass *c = open_bytes((Bytes){w.data, w.len}, 0);
    CHECK(!bci_copy_method(c, bci_find_method(c, "m", NULL), "n"));
    CHECK(bci_method_error(bci_find_method(c, "n", NULL), &err) == CF_ERR_FORMAT && strstr(err.text, "malformed attribute"));
    bci_close(c);
    cf_w_free(&w);
    cf_arena_free(&a);
}

static bool field_is(const CfClass *k, const char *name, int32_t value, const char *signature) {
    const CfMember *f = cf_find_field(k, cf_str(name), CF_STR("I"));
    if (!f || f->access != (CF_ACC_STATIC | CF_ACC_FINAL) || f->attrs.count != 2) return false;
    const CfConst *v = cf_const(k, cf_attr_index(cf_attr(&f->attrs, CF_ATTR_CONSTANT_VALUE)));
    return v->tag == CF_CONST_INTEGER && v->i == value && cf_str_is(cf_signature(k, &f->attrs), signature);
}

/* With their constants and other attributes, into another class and into their own. */
static void fields_are_copied(void) {
    Bytes b = sample();
    BciClass *from = open_bytes(b, 0), *to = open_bytes(b, 0);
    CfArena a;
    CfError err;
    CfClass *k;
    uint8_t index[2], *out = NULL;
    size_t n;
    cf_err_clear(&err);
    cf_arena_init(&a, "test", 0);
    CHECK(bci_add_field(from, CF_ACC_STATIC | CF_ACC_FINAL, "limit", "I"));
    cf_put_u2(index, bci_cp_int(from, 123456));
    bci_field_attribute(from, "limit", "I", "ConstantValue", index, 2);
    cf_put_u2(index, bci_cp_utf8(from, "TT;"));
    bci_field_attribute(from, "limit", "I", "Signature", index, 2);
    CHECK(bci_copy_field(from, from, "limit", "I", "same") && bci_copy_field(to, from, "limit", "I", "other"));
    CHECK(bci_write(to, NULL, NULL, &out, &n, &err) == CF_OK);
    CHECK(cf_parse(&k, out, n, &a, &(CfParseOptions){.check = CF_CHECK_FORMAT}, &err) == CF_OK);
    CHECK(field_is(k, "other", 123456, "TT;") && !cf_find_field(k, CF_STR("limit"), CF_STR("I")));
    free(out);
    CHECK(bci_write(from, NULL, NULL, &out, &n, &err) == CF_OK && cf_parse(&k, out, n, &a, NULL, &err) == CF_OK);
    CHECK(field_is(k, "limit", 123456, "TT;") && field_is(k, "same", 123456, "TT;"));
    free(out);
    bci_close(from);
    bci_close(to);
    for (int how = 0; how < 4; how++) {
        static const char *const why[] = {"it does not exist", "exists already", "there is no such field", "exists already"};
        BciClass *c = open_bytes(b, 0);
        CHECK(bci_add_field(c, CF_ACC_STATIC, "f", "J"));
        bci_field_attribute(c, "f", "J", "ConstantValue", index, 2);
        if (how == 0) CHECK(!bci_copy_field(c, c, "f", "I", "g"));
        else if (how == 1) CHECK(!bci_copy_field(c, c, "f", "J", NULL));
        else bci_field_attribute(c, "f", how == 2 ? "I" : "J", "ConstantValue", index, 2);
        cf_err_clear(&err);
        CHECK(bci_write(c, NULL, NULL, &out, &n, &err) == CF_ERR_USAGE && strstr(err.text, why[how]));
        bci_close(c);
    }
    cf_arena_free(&a);
    free(b.p);
}

static void bodies_must_fit(void) {
    Bytes b = sample();
    BciClass *c = open_bytes(b, 0);
    BciMethod *m = bci_find_method(c, "m", NULL), *s = bci_add_method(c, CF_ACC_STATIC, "s", "(La/b/D$E;)V");
    CfError err;
    bci_return(bci_end(bci_code(s)));
    CHECK(!bci_copy_body(s, m) && bci_method_error(s, &err) == CF_ERR_USAGE && strstr(err.text, "static or not"));
    bci_close(c);
    free(b.p);
}

/* ---- attributes of classes made by the test ---- */

typedef struct Made {
    CfArena a;
    CfClass *k;
} Made;

static void make(Made *m, unsigned major, const char *name) {
    cf_arena_init(&m->a, "test", 0);
    m->k = cf_class_new(&m->a, major, CF_ACC_PUBLIC | CF_ACC_SUPER, cf_str(name), CF_STR("java/lang/Object"));
}

static unsigned text(Made *m, const char *s) { return cf_add_utf8(m->k, cf_str(s)); }

/* The class with other names, parsed: m->k and m->a are the new ones. */
static void renamed(Made *m, const BciRenaming *rows, size_t n, unsigned flags) {
    CfWriter w;
    CfError err;
    cf_w_init(&w);
    cf_err_clear(&err);
    CHECK(cf_write(m->k, &w, NULL) == CF_OK);
    BciClass *c = open_bytes((Bytes){w.data, w.len}, 0);
    CHECK(bci_rename_list(c, rows, n, flags, &err) == CF_OK);
    Bytes out = write_and_close(c);
    cf_arena_reset(&m->a);
    CHECK(cf_parse(&m->k, cf_arena_copy(&m->a, out.p, out.n), out.n, &m->a, NULL, &err) == CF_OK);
    cf_w_free(&w);
    free(out.p);
}

/* Text at the u2 at `at` of the content of an attribute. */
static CfStr text_at(Made *m, const CfAttrs *as, const char *name, size_t at) {
    for (unsigned i = 0; i < as->count; i++)
        if (cf_str_is(cf_utf8(m->k, as->v[i].name), name)) return cf_utf8(m->k, cf_get_u2(as->v[i].data + at));
    return (CfStr){NULL, 0};
}

/* Enum.valueOf looks for the string that the constructor was given, which is code: it stays, and so does the name in annotations. */
static void enum_values_keep_their_names(void) {
    static const BciRenaming rows[] = {{"a/Col", NULL, NULL, "b/Tint"}, {"a/Col", "RED", NULL, "R"}};
    static const char name[] = "RuntimeVisibleAnnotations";
    Made m;
    make(&m, 61, "a/Use");
    uint8_t b[] = {0, 1, 0, 0, 0, 1, 0, 0, 'e', 0, 0, 0, 0};
    cf_put_u2(b + 2, text(&m, "La/Paint;"));
    cf_put_u2(b + 6, text(&m, "value"));
    cf_put_u2(b + 9, text(&m, "La/Col;"));
    cf_put_u2(b + 11, text(&m, "RED"));
    CHECK(cf_attr_set(m.k, &m.k->attrs, name, b, sizeof b) == CF_OK);
    renamed(&m, rows, 2, 0);
    CHECK(cf_str_is(text_at(&m, &m.k->attrs, name, 9), "Lb/Tint;") && cf_str_is(text_at(&m, &m.k->attrs, name, 11), "RED"));
    cf_arena_free(&m.a);
}

/* InnerClasses with one row, read back as the simple name. */
static void inner_name(const char *cls, const char *simple, const char *to, const char *expected) {
    const BciRenaming rows[] = {{cls, NULL, NULL, to}, {"a/T", NULL, NULL, "q/X"}};
    uint8_t b[10] = {0, 1};
    Made m;
    make(&m, 61, "a/T");
    cf_put_u2(b + 2, cf_add_class(m.k, cf_str(cls)));
    cf_put_u2(b + 6, text(&m, simple));
    CHECK(cf_attr_set(m.k, &m.k->attrs, "InnerClasses", b, sizeof b) == CF_OK);
    renamed(&m, to ? rows : rows + 1, to ? 2 : 1, 0);
    CfStr now = text_at(&m, &m.k->attrs, "InnerClasses", 6);
    CHECK(cf_str_is(now, expected));
    if (!cf_str_is(now, expected)) printf("  %s: %.*s\n", cls, CF_STR_ARGS(now));
    cf_arena_free(&m.a);
}

static void simple_names_follow(void) {
    inner_name("a/T$In", "In", NULL, "In");
    inner_name("a/T$In", "In", "q/X$Part", "Part");
    inner_name("a/T$In", "In", "q/Part", "Part");
    inner_name("a/T$A$B", "A$B", "q/X$C$D", "C$D");
    inner_name("a/T$1Loc", "Loc", NULL, "Loc"); /* local classes have a number in front (JLS 13.1) */
    inner_name("a/T$12Loc", "Loc", "q/X$3Here", "Here");
    inner_name("a/T$1Loc", "Loc", "q/X$Here", "Here");
    inner_name("a/T$1Loc", "Loc", "q/X$7", "Loc"); /* no name would make it anonymous */
    inner_name("a/T$1Loc$Deep", "Deep", NULL, "Deep");
    inner_name("a/T$1Loc$Deep", "Deep", "q/X$1Loc$Low", "Low");
    inner_name("a/T$1Loc$2Deep", "Deep", NULL, "Deep");
    inner_name("a/T$1", "Else", NULL, "Else"); /* has nothing to do with the class's name */
    inner_name("a/MyIn", "In", "q/My$Out", "In");
    inner_name("a/In", "In", "q/Out", "Out");
}

/* Uses of an annotation's element do not tell its descriptor: it has no parameters. */
static void elements_follow_rows_with_descriptors(void) {
    static const BciRenaming rows[] = {
        {"a/Ann", "value", "(I)V", "wrong"}, {"a/Ann", "value", "I", "wrong"}, {"a/Ann", "value", "()I", "size"}};
    static const char name[] = "RuntimeVisibleAnnotations";
    uint8_t b[] = {0, 1, 0, 0, 0, 1, 0, 0, 'I', 0, 0};
    Made m;
    make(&m, 61, "a/Use");
    cf_put_u2(b + 2, text(&m, "La/Ann;"));
    cf_put_u2(b + 6, text(&m, "value"));
    cf_put_u2(b + 9, cf_add_int(m.k, 5));
    CHECK(cf_attr_set(m.k, &m.k->attrs, name, b, sizeof b) == CF_OK);
    renamed(&m, rows, 3, 0);
    CHECK(cf_str_is(text_at(&m, &m.k->attrs, name, 6), "size"));
    cf_arena_free(&m.a);
}

/* In front of version 52 type annotations have no meaning (4.7-B), but VMs hand them to reflection. Malformed ones are nobody's. */
static void old_type_annotations_follow(void) {
    static const BciRenaming rows[] = {{"a/", NULL, NULL, "b/"}};
    static const char *const names[] = {"RuntimeVisibleTypeAnnotations", "RuntimeInvisibleTypeAnnotations"};
    for (int k = 0; k < 4; k++) {
        const char *name = names[k & 1];
        bool cut = k & 2;
        uint8_t b[] = {0, 1, 0x13, 0, 0, 0, 0, 0, cut};
        Made m;
        make(&m, 51, "a/Use");
        CfMember *f = cf_add_field(m.k, 0, CF_STR("f"), CF_STR("I"));
        cf_put_u2(b + 4, text(&m, "La/Ann;"));
        CHECK(cf_attr_set(m.k, &f->attrs, name, b, 8 + cut) == CF_OK);
        renamed(&m, rows, 1, 0);
        CHECK(cf_str_is(text_at(&m, &m.k->fields[0].attrs, name, 4), cut ? "La/Ann;" : "Lb/Ann;"));
        cf_arena_free(&m.a);
    }
}

/* What javac makes for a serializable lambda: results of SerializedLambda compared with strings. */
static Bytes serializable(void) {
    static const char *const asked[][2] = {{"getImplMethodName", "a/B"},
                                           {"getFunctionalInterfaceClass", "Fun"},
                                           {"getImplClass", "a/C"},
                                           {"getFunctionalInterfaceMethodSignature", "(La/B;)LFun;"},
                                           {"getImplMethodSignature", "()I"}};
    Made m;
    CfWriter w;
    cf_w_init(&w);
    make(&m, 61, "a/C");
    CHECK(cf_write(m.k, &w, NULL) == CF_OK);
    cf_arena_free(&m.a);
    BciClass *c = open_bytes((Bytes){w.data, w.len}, 0);
    BciPos at = bci_end(bci_code(bci_add_method(c, CF_ACC_PRIVATE | CF_ACC_STATIC | CF_ACC_SYNTHETIC, "$deserializeLambda$",
                                                "(Ljava/lang/invoke/SerializedLambda;)Ljava/lang/Object;")));
    for (int k = 0; k < 5; k++) {
        bci_load(at, 'A', 0);
        bci_invoke(at, CF_OP_INVOKEVIRTUAL, "java/lang/invoke/SerializedLambda", asked[k][0], "()Ljava/lang/String;");
        bci_string(at, asked[k][1]);
        bci_invoke(at, CF_OP_INVOKEVIRTUAL, "java/lang/Object", "equals", "(Ljava/lang/Object;)Z");
        bci_op(at, CF_OP_POP);
    }
    bci_string(at, "a/D");
    bci_return(at);
    Bytes b = write_and_close(c);
    free(w.data);
    return b;
}

static void strings_of_lambdas_follow(void) {
    static const BciRenaming rows[] = {{"a/", NULL, NULL, "x/"}, {"Fun", NULL, NULL, "y/Gun"}};
    static const char *const now[] = {"a/B", "y/Gun", "x/C", "(Lx/B;)Ly/Gun;", "()I", "a/D"};
    Bytes b = serializable();
    BciClass *c = open_bytes(b, 0);
    CHECK(bci_rename_list(c, rows, 2, 0, NULL) == CF_OK);
    Bytes out = write_and_close(c);
    c = open_bytes(out, 0);
    for (int k = 0; k < 6; k++) CHECK(!strcmp(text_of(c, CF_OP_LDC, k), now[k]));
    bci_close(c);
    free(out.p);
    free(b.p);
}

int main(void) {
    names_follow();
    nothing_to_rename();
    renaming_comes_first();
    too_long_fails();
    pool_is_collected();
    unknown_attributes_keep_the_pool();
    wild_indices_stay_wild();
    methods_are_copied();
    fields_are_copied();
    bodies_must_fit();
    copied_indices_must_exist();
    malformed_signatures_stay();
    enum_values_keep_their_names();
    simple_names_follow();
    elements_follow_rows_with_descriptors();
    old_type_annotations_follow();
    strings_of_lambdas_follow();
    printf(failures ? "%d failed\n" : "ok\n", failures);
    return failures != 0;
}
