/* SPDX-License-Identifier: Apache-2.0 */
/* test_bci_plan - plans: what is refused at sealing, outcomes per method, fall-back to the editor, bad input. */
#include <stdlib.h>

#include "bci_plan.h"
#include "cf_test.h"
#include "verifies.h"

static uint8_t *bytes;
static size_t size;
static BciScratch *scratch;

/* ---- the class under change ---- */

static void make_loop(BciClass *c) {
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC, "f", "(I)I"));
    BciPos at = bci_end(code);
    BciLabel *loop = bci_new_label(code), *out = bci_new_label(code);
    bci_place(at, loop);
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFLE, out);
    BciLabel *start = bci_label_here(at);
    bci_invoke(at, CF_OP_INVOKESTATIC, "t/T", "g", "()V");
    bci_iinc(at, 0, -1);
    BciLabel *end = bci_label_here(at);
    bci_jump(at, CF_OP_GOTO, loop);
    BciLabel *handler = bci_label_here(at);
    bci_op(at, CF_OP_POP);
    bci_int(at, -1);
    bci_return(at);
    bci_place(at, out);
    bci_load(at, 'I', 0);
    bci_return(at);
    bci_add_try(code, start, end, handler, "java/lang/RuntimeException", false);
}

static void make_switch(BciClass *c) {
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_PUBLIC, "sw", "(IJ)J"));
    BciPos at = bci_end(code);
    static const int32_t keys[] = {1, 2, 3};
    BciLabel *to[3], *other = bci_new_label(code);
    for (int k = 0; k < 3; k++) to[k] = bci_new_label(code);
    bci_load(at, 'I', 1);
    bci_switch(at, keys, to, 3, other);
    for (int k = 0; k < 3; k++) {
        bci_place(at, to[k]);
        bci_long(at, k);
        bci_return(at);
    }
    bci_place(at, other);
    bci_load(at, 'J', 2);
    bci_return(at);
}

static void super_call(BciPos at) {
    bci_load(at, 'A', 0);
    bci_invoke(at, CF_OP_INVOKESPECIAL, "java/lang/Object", "<init>", "()V");
}

static void make_constructors(BciClass *c) {
    BciPos at = bci_end(bci_code(bci_add_method(c, CF_ACC_PUBLIC, "<init>", "()V")));
    super_call(at);
    bci_return(at);
    /* super() on two ways: no straight line leads to it */
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_PUBLIC, "<init>", "(I)V"));
    at = bci_end(code);
    BciLabel *other = bci_new_label(code), *end = bci_new_label(code);
    bci_load(at, 'I', 1);
    bci_jump(at, CF_OP_IFEQ, other);
    super_call(at);
    bci_jump(at, CF_OP_GOTO, end);
    bci_place(at, other);
    super_call(at);
    bci_place(at, end);
    bci_return(at);
}

static void nops(BciPos at, int n) {
    while (n-- > 0) bci_op(at, CF_OP_NOP);
}

static void make_long_methods(BciClass *c) {
    /* the branch reaches only as long as nothing is put in between */
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC, "far", "(I)I"));
    BciPos at = bci_end(code);
    BciLabel *end = bci_new_label(code);
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFEQ, end);
    nops(at, 32761);
    bci_int(at, 1);
    bci_return(at);
    bci_place(at, end);
    bci_int(at, 0);
    bci_return(at);
    at = bci_end(bci_code(bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC, "big", "()V")));
    nops(at, 65534);
    bci_return(at);
}

static void make_class(unsigned major) {
    CfArena a;
    CfWriter w;
    CfError err;
    cf_arena_init(&a, "test", 0);
    cf_w_init(&w);
    cf_err_clear(&err);
    CfClass *empty = cf_class_new(&a, major, CF_ACC_PUBLIC | CF_ACC_SUPER, CF_STR("t/T"), CF_STR("java/lang/Object"));
    CHECK(empty && cf_write(empty, &w, NULL) == CF_OK);
    BciClass *c = bci_open(w.data, w.len, NULL, NULL);
    make_loop(c);
    make_switch(c);
    make_constructors(c);
    bci_return(bci_end(bci_code(bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC, "g", "()V"))));
    bci_return(bci_end(bci_code(bci_add_method(c, CF_ACC_PROTECTED, "finalize", "()V"))));
    bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_NATIVE, "nat", "(J)I");
    make_long_methods(c);
    free(bytes);
    if (bci_write(c, NULL, NULL, &bytes, &size, &err) != CF_OK) printf("%s\n", err.text);
    CHECK(bytes != NULL);
    bci_close(c);
    cf_w_free(&w);
    cf_arena_free(&a);
}

/* ---- plans ---- */

static BciPlan *everything(unsigned flags, const char *pattern) {
    BciPlan *p = bci_plan_new(flags);
    BciRule *r = bci_rule(p, pattern);
    bci_call(r, BCI_ENTRY, NULL, "Probe.enter(ILjava/lang/String;)V", "method,name");
    bci_call(r, BCI_BODY, NULL, "Probe.body(Ljava/lang/Object;[Ljava/lang/Object;)V", "this,params");
    bci_call(r, BCI_RETURN, NULL, "Probe.exit(JLjava/lang/Object;)V", "elapsed,result");
    bci_call(r, BCI_THROW, NULL, "Probe.thrown(Ljava/lang/Throwable;)V", "exception");
    bci_count(r, BCI_BLOCK, NULL, "Probe.blocks[J");
    CHECK(bci_plan_seal(p) == NULL);
    return p;
}

static uint32_t code_length(const uint8_t *p, size_t n, const char *name) {
    CfArena a;
    CfClass *c;
    CfCode code = {0};
    cf_arena_init(&a, "test", 0);
    CHECK(cf_parse(&c, p, n, &a, &(CfParseOptions){.any_version = true}, NULL) == CF_OK);
    CfMember *m = cf_find_method(c, cf_str(name), (CfStr){0});
    CHECK(m && cf_code(c, m, NULL, &code, NULL) == CF_OK);
    cf_arena_free(&a);
    return code.code_len;
}

static void test_all_points(unsigned flags) {
    BciPlan *p = everything(flags, "**");
    BciResult res, again;
    make_class(61);
    CHECK(bci_apply(p, scratch, bytes, size, NULL, &res) == BCI_PARTIAL);
    CHECK(res.nskipped == 1 && res.skipped[0].code == CF_ERR_LIMIT && strstr(res.skipped[0].why, "over the limit"));
    CHECK(res.methods == 6 && !res.newer);
    CHECK(res.bytes && verifies(res.bytes, res.len));
    CHECK(code_length(res.bytes, res.len, "big") == 65535);
    CHECK(code_length(res.bytes, res.len, "finalize") == 1);
    CHECK(code_length(res.bytes, res.len, "far") > 32772);
    CHECK(bci_apply(p, scratch, bytes, size, NULL, &again) == BCI_PARTIAL);
    CHECK(again.len == res.len && memcmp(again.bytes, res.bytes, res.len) == 0);
    free(res.bytes);
    free(again.bytes);
    bci_plan_free(p);
}

static void test_versions(void) {
    BciPlan *p = everything(0, "**.f");
    BciResult res;
    make_class(61);
    for (unsigned major = 45; major < 80; major++) {
        bytes[7] = (uint8_t)major;
        CHECK(bci_apply(p, scratch, bytes, size, NULL, &res) == BCI_CHANGED);
        CHECK(res.newer == (major > 61));
        free(res.bytes);
    }
    bci_plan_free(p);
}

static void test_selection(void) {
    static const struct {
        const char *select, *except;
        unsigned methods;
    } rows[] = {
        {"**", "**.big", 6},         {"t/*", "t/T.<init>", 4}, {"t/T.f", NULL, 1}, {"*", NULL, 0},
        {"t/*.<init>(I)V", NULL, 1}, {"**.*(*)J", NULL, 1},    {"t/?.g", NULL, 1}, {"**", "t/**", 0},
        {"x/**", NULL, 0},           {"@a/B **", NULL, 0},     {"**.s*", NULL, 1},
    };
    make_class(61);
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        BciPlan *p = bci_plan_new(0);
        BciRule *r = bci_rule(p, rows[k].select);
        BciResult res;
        if (rows[k].except) bci_except(r, rows[k].except);
        bci_except(r, "**.big");
        bci_call(r, BCI_ENTRY, NULL, "Probe.enter()V", NULL);
        CHECK(bci_plan_seal(p) == NULL);
        BciOutcome o = bci_apply(p, scratch, bytes, size, NULL, &res);
        CHECK(o == (rows[k].methods ? BCI_CHANGED : BCI_UNCHANGED) && res.methods == rows[k].methods);
        if (res.methods != rows[k].methods) printf("  %s: %u\n", rows[k].select, res.methods);
        CHECK(!res.bytes || verifies(res.bytes, res.len));
        free(res.bytes);
        bci_plan_free(p);
    }
}

static void test_sealing(void) {
    static const struct {
        BciWhere where;
        const char *site, *callee, *values, *wrong;
    } rows[] = {
        {BCI_ENTRY, NULL, "Probe.enter()I", NULL, "returns void"},
        {BCI_ENTRY, NULL, "enter()V", NULL, "OWNER.NAME"},
        {BCI_ENTRY, NULL, "Probe.enter(Q)V", "method", "OWNER.NAME"},
        {BCI_ENTRY, NULL, "Probe.enter(I)V", NULL, "0 values for 1 parameters"},
        {BCI_ENTRY, NULL, "Probe.enter(I)V", "method,line", "more values"},
        {BCI_ENTRY, NULL, "Probe.enter(I)V", "name", "does not fit"},
        {BCI_ENTRY, NULL, "Probe.enter(I)V", "frob", "unknown value"},
        {BCI_ENTRY, NULL, "Probe.enter(I)V", "int:4000000000", "unknown value"},
        {BCI_ENTRY, NULL, "Probe.enter(Ljava/lang/Object;)V", "result", "at this point"},
        {BCI_ENTRY, "x", "Probe.enter()V", NULL, "no site pattern"},
        {BCI_RETURN, NULL, "Probe.exit(Ljava/lang/Object;)V", "result", NULL},
        {BCI_ENTRY, NULL, "Probe.enter(ILjava/lang/String;)V", "int:-5,str:a b", NULL},
    };
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        BciPlan *p = bci_plan_new(0);
        bci_call(bci_rule(p, "**"), rows[k].where, rows[k].site, rows[k].callee, rows[k].values);
        const char *wrong = bci_plan_seal(p);
        CHECK(rows[k].wrong ? wrong && strstr(wrong, rows[k].wrong) : !wrong);
        if (wrong && (!rows[k].wrong || !strstr(wrong, rows[k].wrong))) printf("  %s: %s\n", rows[k].callee, wrong);
        BciResult res;
        if (wrong) CHECK(bci_apply(p, scratch, bytes, size, NULL, &res) == BCI_REFUSED);
        bci_plan_free(p);
    }
    BciPlan *p = bci_plan_new(BCI_PLAN_NO_SCHEMA);
    bci_natives(bci_rule(p, "**"), "x_");
    CHECK(strstr(bci_plan_seal(p), "adds methods"));
    bci_plan_free(p);
    p = bci_plan_new(0);
    CHECK(bci_rule(p, NULL) == NULL);
    bci_call(NULL, BCI_ENTRY, NULL, "Probe.enter()V", NULL);
    CHECK(strstr(bci_plan_seal(p), "empty pattern"));
    bci_plan_free(p);
}

static void check_seal(BciPlan *p, const char *what, const char *says) {
    const char *wrong = bci_plan_seal(p);
    bool ok = says ? wrong && strstr(wrong, says) : !wrong;
    CHECK(ok);
    if (!ok) printf("  %s: %s\n", what, wrong ? wrong : "sealed");
    bci_plan_free(p);
}

/* What can never match, or would be no name in a class file, is refused with the form that is meant. */
static void test_names(void) {
    static const struct {
        const char *pattern, *wrong;
    } patterns[] = {
        {"com.acme.Foo", "slashes: com/acme/Foo"},
        {"com.acme.Foo.bar(I)V", "slashes: com/acme/Foo.bar"},
        {"Lcom/acme/Foo;", "slashes: com/acme/Foo"},
        {"com/acme/Foo;", "slashes: com/acme/Foo"},
        {"Lcom.acme.Foo;", "slashes: com/acme/Foo"},
        {"@java.lang.Deprecated **", "slashes: java/lang/Deprecated"},
        {"@Ljava/lang/Deprecated; **", "slashes: java/lang/Deprecated"},
        {"@A @B **", "one annotation"},
        {"@ **", "@ANNOTATION"},
        {"Demo.", "empty"},
        {".run", "empty"},
        {"Demo.sum(int[])", "descriptor"},
        {"Demo.sum(Ljava.lang.String;)V", "descriptor"},
        {"Demo.sum(I)I ", "descriptor"},
        {"Demo.sum([)V", "descriptor"},
        {"com.acme/Foo", "slashes"},
        {"com/acme/Foo.bar", NULL},
        {"Demo.sum", NULL},
        {"**.<init>(*Ljava/lang/*;J)V", NULL},
        {"**.a b(?[[L*", NULL},
        {"**.*(Ljava/util/*Map;?", NULL},
        {"@java/lang/Depre* **.*", NULL},
        {"*", NULL},
    };
    static const struct {
        BciWhere where;
        const char *site, *wrong;
    } sites[] = {
        {BCI_CALL_BEFORE, "@A **", "annotation"},
        {BCI_CALL_BEFORE, "java.lang.String.length", "slashes: java/lang/String.length"},
        {BCI_CALL_BEFORE, "Ljava/lang/String;.length", "slashes: java/lang/String.length"},
        {BCI_CALL_BEFORE, "[Ljava/lang/String;.clone", NULL},
        {BCI_CALL_BEFORE, ".run", NULL}, /* dynamic calls have no owner */
        {BCI_NEW, "java.lang.String", "slashes: java/lang/String"},
        {BCI_NEW, "java/lang/String.foo", "a class"},
        {BCI_NEW, "java/lang/*", NULL},
        {BCI_FIELD_GET, "t/T.f(I)", "OWNER.NAME"},
    };
    for (unsigned k = 0; k < sizeof patterns / sizeof *patterns; k++) {
        BciPlan *p = bci_plan_new(0);
        bci_rule(p, patterns[k].pattern);
        check_seal(p, patterns[k].pattern, patterns[k].wrong);
        p = bci_plan_new(0);
        bci_except(bci_rule(p, "**"), patterns[k].pattern);
        check_seal(p, patterns[k].pattern, patterns[k].wrong);
    }
    for (unsigned k = 0; k < sizeof sites / sizeof *sites; k++) {
        BciPlan *p = bci_plan_new(0);
        bci_call(bci_rule(p, "**"), sites[k].where, sites[k].site, "Probe.enter()V", NULL);
        check_seal(p, sites[k].site, sites[k].wrong);
    }
}

static void test_targets(void) {
    static const struct {
        char kind;
        const char *text, *wrong;
    } rows[] = {
        {'c', "my.Probe.enter()V", "slashes: my/Probe.enter"},
        {'c', "Lmy/Probe;.enter()V", "slashes: my/Probe.enter"},
        {'c', "my/Probe.<init>()V", "OWNER.NAME"},
        {'c', "[I.enter()V", "OWNER.NAME"},
        {'c', "my/Probe.enter()V", NULL},
        {'n', "my.Probe.hits[I", "slashes: my/Probe.hits"},
        {'n', "Lmy/Probe;.hits[I", "slashes: my/Probe.hits"},
        {'n', "my/Probe.hits", "OWNER.NAME[J"},
        {'n', "my/Probe.hits[B", "OWNER.NAME[J"},
        {'n', "my/Probe.hitsJ", "OWNER.NAME[J"},
        {'n', "my/Probe.hits:F", "OWNER.NAME[J"},
        {'n', "my/Probe.:J", "OWNER.NAME[J"},
        {'n', "my/Probe.hits[J", NULL},
        {'n', "my/Probe.hits:[I", NULL},
        {'n', "my/Probe.hits:J", NULL},
        {'n', "my/Probe.hits:I", NULL},
        {'r', "my.P.isEmpty", "slashes: my/P.isEmpty"},
        {'r', "Lmy/P;.isEmpty", "slashes: my/P.isEmpty"},
        {'r', "my/P.isEmpty(Ljava/lang/String;)Z", "without a descriptor: my/P.isEmpty"},
        {'r', "my/P", "OWNER.NAME"},
        {'r', "my/P.isEmpty", NULL},
        {'p', "a.b/", "part of a method name"},
        {'p', "<x", "part of a method name"},
        {'p', "$$wrapped$$_", NULL},
    };
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        BciPlan *p = bci_plan_new(0);
        BciRule *r = bci_rule(p, "**");
        switch (rows[k].kind) {
        case 'c': bci_call(r, BCI_ENTRY, NULL, rows[k].text, NULL); break;
        case 'n': bci_count(r, BCI_ENTRY, NULL, rows[k].text); break;
        case 'r': bci_redirect(r, "java/lang/String.isEmpty()Z", rows[k].text); break;
        default: bci_natives(r, rows[k].text);
        }
        check_seal(p, rows[k].text, rows[k].wrong);
    }
    BciPlan *p = bci_plan_new(1 << 20);
    bci_rule(p, "**");
    check_seal(p, "flags", "flag");
    p = bci_plan_new(0);
    bci_plan_flags(p, BCI_PLAN_NO_SCHEMA);
    bci_natives(bci_rule(p, "**"), "x_");
    bci_plan_flags(NULL, 1);
    check_seal(p, "later flags", "adds methods");
}

/* Texts come as standard or modified UTF-8 and go into the class as the latter (JVMS 4.4.7). */
static void test_texts(void) {
    static const struct {
        const char *text, *in_class;
    } rows[] = {
        {"str:\xf0\x9f\x98\x80!", "\xed\xa0\xbd\xed\xb8\x80!"},
        {"str:\xed\xa0\xbd\xed\xb8\x80", "\xed\xa0\xbd\xed\xb8\x80"},
        {"str:\xc3\xa9", "\xc3\xa9"},
        {"str:\xff", NULL},
        {"str:a\xf0\x9f\x98", NULL},
        {"str:\xf8\x88\x80\x80\x80", NULL},
    };
    make_class(61);
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        BciPlan *p = bci_plan_new(0);
        BciResult res;
        bci_call(bci_rule(p, "**.g"), BCI_ENTRY, NULL, "Probe.enter(Ljava/lang/String;)V", rows[k].text);
        if (!rows[k].in_class) {
            check_seal(p, rows[k].text, "UTF-8");
            continue;
        }
        CHECK(bci_plan_seal(p) == NULL && bci_apply(p, scratch, bytes, size, NULL, &res) == BCI_CHANGED);
        CHECK(verifies(res.bytes, res.len) && memmem(res.bytes, res.len, rows[k].in_class, strlen(rows[k].in_class)));
        free(res.bytes);
        bci_plan_free(p);
    }
}

static int32_t number(void *ctx, const BciSite *s) {
    int *n = ctx;
    CHECK(!strcmp(s->class_name, "t/T") && !strcmp(s->name, "f") && !strcmp(s->desc, "(I)I"));
    CHECK(s->point == BCI_RETURN && !s->is_method && s->pc > 0);
    return 1000000 + (*n)++;
}

static void test_numbers_and_natives(void) {
    BciPlan *p = bci_plan_new(0);
    BciResult res;
    int n = 0;
    BciRequest req = {.id = number, .ctx = &n};
    bci_call(bci_rule(p, "**.f"), BCI_RETURN, NULL, "Probe.exit(I)V", "site");
    bci_natives(bci_rule(p, "t/T.nat"), "hidden_");
    CHECK(bci_plan_seal(p) == NULL);
    make_class(61);
    CHECK(bci_apply(p, scratch, bytes, size, &req, &res) == BCI_CHANGED);
    CHECK(n == 2 && res.sites == 2 && res.methods == 2 && verifies(res.bytes, res.len));
    BciClass *c = bci_open(res.bytes, res.len, NULL, NULL);
    CHECK(bci_find_method(c, "hidden_nat", "(J)I") && bci_code(bci_find_method(c, "nat", "(J)I")));
    bci_close(c);
    free(res.bytes);
    bci_plan_free(p);
}

/* An annotation on the class selects its natives as it does its other methods. */
static void test_natives_by_annotation(void) {
    static const char *const patterns[] = {"@a/Mark **", "@a/Other **"};
    uint8_t mark[] = {0, 1, 0, 0, 0, 0};
    CfArena a;
    CfWriter w;
    cf_arena_init(&a, "test", 0);
    cf_w_init(&w);
    CfClass *k = cf_class_new(&a, 61, CF_ACC_PUBLIC | CF_ACC_SUPER, CF_STR("t/N"), CF_STR("java/lang/Object"));
    cf_add_method(k, CF_ACC_NATIVE, CF_STR("nat"), CF_STR("()V"));
    cf_put_u2(mark + 2, cf_add_utf8(k, CF_STR("La/Mark;")));
    CHECK(cf_attr_set(k, &k->attrs, "RuntimeVisibleAnnotations", mark, sizeof mark) == CF_OK && cf_write(k, &w, NULL) == CF_OK);
    for (int i = 0; i < 2; i++) {
        BciPlan *p = bci_plan_new(0);
        BciResult res;
        bci_natives(bci_rule(p, patterns[i]), "hidden_");
        CHECK(bci_plan_seal(p) == NULL);
        BciOutcome o = bci_apply(p, scratch, w.data, w.len, NULL, &res);
        CHECK(o == (i ? BCI_UNCHANGED : BCI_CHANGED));
        CHECK(i || (res.bytes && memmem(res.bytes, res.len, "hidden_nat", 10)));
        free(res.bytes);
        bci_plan_free(p);
    }
    cf_w_free(&w);
    cf_arena_free(&a);
}

/* Where the code of a method is in the bytes. */
static uint8_t *code_of(uint8_t *p, size_t n, const char *name, uint32_t *len) {
    CfArena a;
    CfClass *c;
    CfCode code = {0};
    cf_arena_init(&a, "test", 0);
    CHECK(cf_parse(&c, p, n, &a, NULL, NULL) == CF_OK);
    CHECK(cf_code(c, cf_find_method(c, cf_str(name), (CfStr){0}), &a, &code, NULL) == CF_OK);
    size_t at = (size_t)(code.code - p);
    *len = code.code_len;
    cf_arena_free(&a);
    return p + at;
}

/* With a handler, frames are made anew with a look at each pc: not at those behind a last instruction that is cut. */
static void test_cut_instruction(void) {
    BciPlan *p = bci_plan_new(BCI_PLAN_REBUILD_FRAMES);
    BciResult res;
    uint32_t len;
    bci_rule(p, "**.f");
    CHECK(bci_plan_seal(p) == NULL);
    make_class(61);
    uint8_t *code = code_of(bytes, size, "f", &len);
    CHECK(code[len - 1] == CF_OP_IRETURN);
    code[len - 1] = CF_OP_SIPUSH;
    CHECK(bci_apply(p, scratch, bytes, size, NULL, &res) == BCI_SKIPPED && !res.bytes);
    CHECK(res.nskipped == 1 && strstr(res.skipped[0].why, "malformed"));
    bci_plan_free(p);
}

/* What is too much need not be the code. */
static void test_too_many_locals(void) {
    BciPlan *p = bci_plan_new(0);
    BciResult res;
    uint32_t len;
    bci_call(bci_rule(p, "**.f"), BCI_RETURN, NULL, "Probe.exit(J)V", "elapsed");
    CHECK(bci_plan_seal(p) == NULL);
    make_class(61);
    cf_put_u2(code_of(bytes, size, "f", &len) - 6, 65535); /* max_locals */
    CHECK(bci_apply(p, scratch, bytes, size, NULL, &res) == BCI_SKIPPED && !res.bytes);
    CHECK(res.skipped[0].code == CF_ERR_LIMIT && strstr(res.skipped[0].why, "local variables"));
    bci_plan_free(p);
}

/* The class with what `add` adds; malloc'ed. */
static uint8_t *class_with(void (*add)(BciClass *), size_t *n) {
    uint8_t *p = NULL;
    make_class(61);
    BciClass *c = bci_open(bytes, size, NULL, NULL);
    add(c);
    CHECK(bci_write(c, NULL, NULL, &p, n, NULL) == CF_OK && verifies(p, *n));
    bci_close(c);
    return p;
}

static void make_halves(BciClass *c) {
    BciPos at = bci_end(bci_code(bci_add_method(c, CF_ACC_STATIC, "halves", "()V")));
    bci_new_local(at.code, 'J');
    for (int k = 0; k < 2; k++) {
        bci_long(at, 77777); /* ldc2_w */
        bci_store(at, 'J', 0);
    }
    BciLabel *end = bci_new_label(at.code);
    bci_int(at, 0);
    bci_jump(at, CF_OP_IFEQ, end); /* a frame has to be made */
    bci_place(at, end);
    bci_return(at);
}

/* The second half of a long in local 0, where there is no first half in front. */
static void test_half_of_long(void) {
    BciPlan *p = bci_plan_new(BCI_PLAN_REBUILD_FRAMES);
    BciResult res;
    uint32_t len;
    size_t n;
    bci_call(bci_rule(p, "**.halves"), BCI_ENTRY, NULL, "Probe.enter()V", NULL);
    CHECK(bci_plan_seal(p) == NULL);
    uint8_t *more = class_with(make_halves, &n), *code = code_of(more, n, "halves", &len);
    CHECK(len == 13 && code[3] == CF_OP_LSTORE_0 && code[7] == CF_OP_LSTORE_0);
    code[3] = code[7] = CF_OP_ASTORE_0;
    CHECK(bci_apply(p, scratch, more, n, NULL, &res) == BCI_SKIPPED && strstr(res.skipped[0].why, "malformed"));
    free(more);
    bci_plan_free(p);
}

/* ---- parameters ---- */

/* static Object over(String s, long l, int n), compiled to few slots: an int takes the place of s, n counts down. In gone() a long
 * takes that of `this`. */
static void make_overwriting(BciClass *c) {
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_STATIC, "over", "(Ljava/lang/String;JI)Ljava/lang/Object;"));
    BciPos at = bci_end(code);
    BciLabel *loop = bci_new_label(code), *out = bci_new_label(code);
    bci_int(at, 5);
    bci_store(at, 'I', 0);
    bci_place(at, loop);
    bci_load(at, 'I', 3);
    bci_jump(at, CF_OP_IFLE, out);
    bci_iinc(at, 3, -1);
    bci_jump(at, CF_OP_GOTO, loop);
    bci_place(at, out);
    bci_op(at, CF_OP_ACONST_NULL);
    bci_return(at);
    at = bci_end(bci_code(bci_add_method(c, CF_ACC_PUBLIC, "gone", "()V")));
    bci_long(at, 7);
    bci_new_local(at.code, 'I');
    bci_store(at, 'J', 0);
    bci_return(at);
}

/* Probes get what was passed, wherever they are, and the result verifies. */
static void test_passed(unsigned flags) {
    BciPlan *p = bci_plan_new(flags);
    BciRule *r = bci_rule(p, "**.over"), *r2 = bci_rule(p, "**.gone");
    BciResult res;
    size_t n;
    bci_call(r, BCI_ENTRY, NULL, "P.enter(Ljava/lang/String;)V", "param0");
    bci_call(r, BCI_BLOCK, NULL, "P.block(Ljava/lang/String;J)V", "param0,param1");
    bci_call(r, BCI_RETURN, NULL, "P.exit(JI[Ljava/lang/Object;)V", "elapsed,param2,params");
    bci_call(r, BCI_THROW, NULL, "P.thrown(Ljava/lang/Object;[Ljava/lang/Object;)V", "param0,params");
    bci_call(r2, BCI_RETURN, NULL, "P.exit(Ljava/lang/Object;)V", "this");
    bci_call(r2, BCI_THROW, NULL, "P.exit(Ljava/lang/Object;)V", "this");
    CHECK(bci_plan_seal(p) == NULL);
    uint8_t *more = class_with(make_overwriting, &n);
    CHECK(bci_apply(p, scratch, more, n, NULL, &res) == BCI_CHANGED && res.methods == 2 && verifies(res.bytes, res.len));
    BciClass *c = bci_open(res.bytes, res.len, NULL, NULL);
    int from_slots = 0, from_kept = 0;
    for (BciInsn *i = bci_first_insn(bci_code(bci_find_method(c, "over", NULL))); i; i = bci_next(i)) {
        from_slots += i->op == CF_OP_ILOAD && i->index == 3;
        from_kept += i->op == CF_OP_ILOAD && i->index >= 4;
    }
    CHECK(from_slots == 1 && from_kept == 3); /* kept at the entry; param2, params, params */
    bci_close(c);
    free(res.bytes);
    free(more);
    bci_plan_free(p);
}

static void make_numbers(BciClass *c) {
    static const char *const descs[] = {"(IBZC)V", "(IJ)V", "(SFD)V", "(ILjava/lang/String;)V", "()V"};
    for (int k = 0; k < 5; k++) {
        char name[] = {'n', 'u', 'm', (char)('0' + k), 0};
        BciMethod *m = bci_add_method(c, CF_ACC_STATIC, name, descs[k]);
        BciPos at = bci_end(bci_code(m));
        bci_load_args(at);
        bci_invoke(at, CF_OP_INVOKESTATIC, "t/N", "call", descs[k]);
        bci_return(at);
    }
}

/* Parameters and arguments as int[], long[], double[]: what is wider, or no number, does not fit. */
static void test_typed_arrays(void) {
    static const struct {
        const char *desc;
        int type;
        const char *fits; /* of num0 to num4 */
    } rows[] = {{"([I)V", 10, "10001"}, {"([J)V", 11, "11001"}, {"([D)V", 7, "10101"}};
    for (unsigned k = 0; k < 6; k++) {
        BciPlan *p = bci_plan_new(k & 1 ? BCI_PLAN_REBUILD_FRAMES : 0);
        BciRule *r = bci_rule(p, "**.num*");
        BciResult res;
        char probe[30];
        size_t n;
        snprintf(probe, sizeof probe, "P.take%s", rows[k / 2].desc);
        bci_call(r, BCI_ENTRY, NULL, probe, "params");
        bci_call(r, BCI_CALL_BEFORE, NULL, probe, "args");
        CHECK(bci_plan_seal(p) == NULL);
        uint8_t *more = class_with(make_numbers, &n);
        CHECK(bci_apply(p, scratch, more, n, NULL, &res) == BCI_PARTIAL && verifies(res.bytes, res.len));
        CHECK(strstr(res.skipped[0].why, "value \"params\"") && strstr(res.skipped[0].why, "does not fit parameter 0 (["));
        BciClass *c = bci_open(res.bytes, res.len, NULL, NULL);
        for (int m = 0; m < 5; m++) {
            char name[] = {'n', 'u', 'm', (char)('0' + m), 0};
            int arrays = 0;
            for (BciInsn *i = bci_first_insn(bci_code(bci_find_method(c, name, NULL))); i; i = bci_next(i))
                arrays += i->op == CF_OP_NEWARRAY && i->value == rows[k / 2].type;
            CHECK(arrays == (rows[k / 2].fits[m] == '1' ? 2 : 0));
        }
        bci_close(c);
        free(res.bytes);
        free(more);
        bci_plan_free(p);
    }
    BciPlan *p = bci_plan_new(0);
    bci_call(bci_rule(p, "**"), BCI_ENTRY, NULL, "P.take([F)V", "params");
    check_seal(p, "params", "does not fit parameter 0 of type [F");
}

/* ---- edges and new objects ---- */

typedef struct Asked {
    int n;
    BciSite sites[64];
} Asked;

static int32_t note_site(void *ctx, const BciSite *s) {
    Asked *a = ctx;
    if (a->n < 64) a->sites[a->n] = *s;
    return 1000 + a->n++;
}

/* Each way out of a branch is asked for once, also where the method has to go to the editor. */
static void test_edges(unsigned flags) {
    static const uint32_t targets[] = {4, 16};
    Asked asked = {0};
    BciRequest req = {.id = note_site, .ctx = &asked};
    BciPlan *p = bci_plan_new(flags);
    BciRule *r = bci_rule(p, "**.f");
    BciResult res;
    bci_count(r, BCI_EDGE, NULL, "Probe.hits[J");
    CHECK(bci_plan_seal(p) == NULL);
    make_class(61);
    CHECK(bci_apply(p, scratch, bytes, size, &req, &res) == BCI_CHANGED && res.methods == 1 && res.sites == 2);
    CHECK(asked.n == 2 && verifies(res.bytes, res.len));
    for (int k = 0; k < 2; k++)
        CHECK(asked.sites[k].point == BCI_EDGE && asked.sites[k].pc == 1 && asked.sites[k].target == targets[k]);
    BciClass *c = bci_open(res.bytes, res.len, NULL, NULL);
    BciCode *code = bci_code(bci_find_method(c, "f", NULL));
    BciInsn *cond = bci_find_op(bci_first_insn(code), CF_OP_IFLE);
    BciInsn *taken = bci_find_op(bci_next(&cond->target->node), CF_OP_GOTO);
    CHECK(bci_next(cond)->op == CF_OP_GETSTATIC && bci_next(bci_next(cond))->value == 1000);
    CHECK(bci_next(&cond->target->node)->op == CF_OP_GETSTATIC);
    CHECK(bci_next(bci_next(&cond->target->node))->value == 1001 && bci_next(&taken->target->node)->op == CF_OP_ILOAD_0);
    bci_close(c);
    free(res.bytes);
    bci_plan_free(p);
}

static void test_switch_edges(void) {
    Asked asked = {0};
    BciRequest req = {.id = note_site, .ctx = &asked};
    BciPlan *p = bci_plan_new(0);
    BciResult res;
    bci_count(bci_rule(p, "**.sw"), BCI_EDGE, NULL, "Probe.hits[I");
    CHECK(bci_plan_seal(p) == NULL);
    make_class(61);
    CHECK(bci_apply(p, scratch, bytes, size, &req, &res) == BCI_CHANGED && verifies(res.bytes, res.len));
    CHECK(asked.n == 4 && res.sites == 4);
    for (int k = 1; k < 4; k++) CHECK(asked.sites[k].target > asked.sites[k - 1].target);
    free(res.bytes);
    bci_plan_free(p);
}

/* A branch to a call that becomes another: its edge is that of the branch all the same. */
static void test_edges_to_redirected(void) {
    BciPlan *p = bci_plan_new(0);
    BciRule *r = bci_rule(p, "**.other");
    BciResult res;
    bci_count(r, BCI_EDGE, NULL, "Probe.hits[I");
    bci_redirect(r, "t/T.g()V", "Probe.g");
    CHECK(bci_plan_seal(p) == NULL);
    make_class(61);
    BciClass *c = bci_open(bytes, size, NULL, NULL);
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_STATIC, "other", "(I)I"));
    BciLabel *other = bci_new_label(code);
    BciPos at = bci_end(code);
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFLE, other);
    bci_int(at, 1);
    bci_return(at);
    bci_place(at, other);
    bci_invoke(at, CF_OP_INVOKESTATIC, "t/T", "g", "()V");
    bci_int(at, 2);
    bci_return(at);
    free(bytes);
    CHECK(bci_write(c, NULL, NULL, &bytes, &size, NULL) == CF_OK);
    bci_close(c);
    CHECK(bci_apply(p, scratch, bytes, size, NULL, &res) == BCI_CHANGED && res.nskipped == 0);
    c = bci_open(res.bytes, res.len, NULL, NULL);
    BciInsn *branch = bci_find_op(bci_first_insn(bci_code(bci_find_method(c, "other", NULL))), CF_OP_IFLE);
    BciInsn *fall = bci_next(branch), *taken = bci_next(&branch->target->node);
    CHECK(fall->op == CF_OP_GETSTATIC && taken->op == CF_OP_GETSTATIC);
    bci_close(c);
    free(res.bytes);
    bci_plan_free(p);
}

static void push_arguments(BciPos at, const char *desc) {
    for (const char *p = desc + 1; *p != ')'; p++) switch (*p) {
        case 'I': bci_int(at, 1); break;
        case 'J': bci_long(at, 1); break;
        case 'D': bci_double(at, 1); break;
        default: bci_string(at, "x"); p = strchr(p, ';');
        }
}

enum { NEW_OBJECTS = 12 };
/* With each number of arguments, an object that somebody takes and one that is forgotten before it is initialised. */
static void make_objects(BciClass *c) {
    static const char *const descs[] = {"()V", "(I)V", "(J)V", "(II)V", "(Ljava/lang/String;D)V", "(IIII)V"};
    BciPos at = bci_end(bci_code(bci_add_method(c, CF_ACC_STATIC, "objects", "()V")));
    for (int k = 0; k < NEW_OBJECTS; k++) {
        if (k & 1) bci_new_object(at, "t/A"); /* new, dup */
        else bci_type(at, CF_OP_NEW, "t/A");
        push_arguments(at, descs[k / 2]);
        bci_invoke(at, CF_OP_INVOKESPECIAL, "t/A", "<init>", descs[k / 2]);
        if (k & 1) bci_op(at, CF_OP_POP);
    }
    bci_return(at);
}

static void test_constructed(unsigned flags) {
    BciPlan *p = bci_plan_new(flags);
    BciRule *r = bci_rule(p, "**");
    BciResult res;
    size_t n;
    bci_call(r, BCI_CONSTRUCTED, NULL, "Probe.made(Ljava/lang/Object;Ljava/lang/String;)V", "result,member_desc");
    bci_call(r, BCI_CALL_BEFORE, NULL, "Probe.calls([Ljava/lang/Object;)V", "args");
    bci_call(r, BCI_CONSTRUCTED, "t/A.<init>(*)V", "Probe.made(ILjava/lang/Object;)V", "site,result");
    bci_count(r, BCI_CONSTRUCTED, "java/**", "Probe.hits[I");
    CHECK(bci_plan_seal(p) == NULL);
    uint8_t *more = class_with(make_objects, &n);
    CHECK(bci_apply(p, scratch, more, n, NULL, &res) == BCI_CHANGED && verifies(res.bytes, res.len));
    CHECK(res.sites == NEW_OBJECTS); /* super() of the constructors is no new object */
    BciClass *c = bci_open(res.bytes, res.len, NULL, NULL);
    int inits = 0, probes = 0;
    for (BciInsn *i = bci_first_insn(bci_code(bci_find_method(c, "objects", NULL))); i; i = bci_next(i)) {
        inits += i->op == CF_OP_INVOKESPECIAL;
        if (i->op == CF_OP_INVOKESPECIAL)
            CHECK(bci_next(i)->op == CF_OP_LDC_W && bci_next(bci_next(i))->op == CF_OP_INVOKESTATIC);
        probes += i->op == CF_OP_INVOKESTATIC;
    }
    CHECK(inits == NEW_OBJECTS && probes == 3 * NEW_OBJECTS + 18); /* 18 arguments are boxed */
    bci_close(c);
    free(res.bytes);
    free(more);
    bci_plan_free(p);
}

/* A call in front of super(), and a handler that it may throw to, which stands behind the initialisation but not under it. */
static void make_guarded(BciClass *c) {
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_PUBLIC, "<init>", "(J)V"));
    BciPos at = bci_end(code);
    BciLabel *start = bci_label_here(at);
    bci_invoke(at, CF_OP_INVOKESTATIC, "t/T", "g", "()V");
    BciLabel *end = bci_label_here(at);
    super_call(at);
    bci_invoke(at, CF_OP_INVOKESTATIC, "t/T", "g", "()V");
    bci_return(at);
    BciLabel *handler = bci_label_here(at);
    bci_op(at, CF_OP_POP);
    super_call(at);
    bci_return(at);
    bci_add_try(code, start, end, handler, "java/lang/RuntimeException", false);
}

/* What the probes of a name get: 0 for this, - for null, ? else; in the order of the code. */
static const char *passed_to(const BciResult *res, const char *desc, const char *probe) {
    static char text[40];
    int n = 0;
    BciClass *c = bci_open(res->bytes, res->len, NULL, NULL);
    BciCode *code = bci_code(bci_find_method(c, "<init>", desc));
    for (BciInsn *i = bci_first_insn(code), *before = NULL; i; before = i, i = bci_next(i))
        if (bci_refers_to(code, i, "P", probe, NULL))
            text[n++] = before->op == CF_OP_ALOAD_0 ? '0' : before->op == CF_OP_ACONST_NULL ? '-' : '?';
    text[n] = 0;
    bci_close(c);
    return text;
}

static void test_this_of_constructors(unsigned flags) {
    static const char *const whens[] = {"()V", "(I)V", "(J)V"};
    static const char *const calls[] = {"", "", "-0"}, *const supers[] = {"0", "00", "00"}, *const handlers[] = {"", "", "-"};
    BciPlan *p = bci_plan_new(flags);
    BciRule *r = bci_rule(p, "**.<init>");
    BciResult res;
    size_t n;
    bci_call(r, BCI_CALL_AFTER, "java/lang/Object.<init>()V", "P.begun(Ljava/lang/Object;)V", "this");
    bci_call(r, BCI_CALL_BEFORE, "java/lang/Object.<init>()V", "P.begins(Ljava/lang/Object;)V", "this");
    bci_call(r, BCI_CALL_AFTER, "t/T.g()V", "P.called(Ljava/lang/Object;)V", "this");
    bci_call(r, BCI_HANDLER, NULL, "P.handles(Ljava/lang/Object;)V", "this");
    bci_call(r, BCI_THROW, NULL, "P.thrown(Ljava/lang/Throwable;Ljava/lang/Object;)V", "exception,this");
    CHECK(bci_plan_seal(p) == NULL);
    uint8_t *more = class_with(make_guarded, &n);
    CHECK(bci_apply(p, scratch, more, n, NULL, &res) == BCI_CHANGED && res.methods == 3 && verifies(res.bytes, res.len));
    for (int k = 0; k < 3; k++) {
        CHECK(!strcmp(passed_to(&res, whens[k], "begun"), supers[k]));
        CHECK(strspn(passed_to(&res, whens[k], "begins"), "-") == strlen(supers[k]));
        CHECK(!strcmp(passed_to(&res, whens[k], "called"), calls[k]));
        CHECK(!strcmp(passed_to(&res, whens[k], "handles"), handlers[k]));
    }
    free(res.bytes);
    free(more);
    bci_plan_free(p);
}

static void make_put(BciClass *c) {
    bci_add_field(c, CF_ACC_PRIVATE, "held", "J");
    BciPos at = bci_end(bci_code(bci_add_method(c, CF_ACC_PUBLIC, "put", "(J)V")));
    bci_load(at, 'A', 0);
    bci_load(at, 'J', 1);
    bci_field(at, CF_OP_PUTFIELD, "t/T", "held", "J");
    bci_return(at);
}

/* ---- probes of interfaces, counters ---- */

/* Calls in the result, of a name, and the kind of constant that they name. */
static int calls_of(const BciResult *res, const char *name, bool *itf) {
    int n = 0;
    BciClass *c = bci_open(res->bytes, res->len, NULL, NULL);
    for (int m = 0; c && m < bci_method_count(c); m++)
        for (BciInsn *i = bci_first_insn(bci_code(bci_method(c, m))); i; i = bci_next(i))
            if (bci_refers_to(bci_code(bci_method(c, m)), i, "my/Itf", name, NULL)) {
                n++;
                *itf = bci_cp_tag_at(c, i->index) == CF_CONST_INTERFACEMETHODREF;
            }
    bci_close(c);
    return n;
}

/* JVMS 4.9.1: invokestatic of an interface method only from class version 52 on. */
static void test_interface_probe(void) {
    BciPlan *p = bci_plan_new(0);
    BciRule *r = bci_rule(p, "**.g"), *r2 = bci_rule(p, "**.f");
    BciResult res;
    bool itf = false;
    bci_call_interface(r, BCI_ENTRY, NULL, "my/Itf.enter()V", NULL);
    bci_call_interface(r2, BCI_CALL_BEFORE, "no/Such.call", "my/Itf.enter()V", NULL);
    bci_call_interface(r2, BCI_THROW, NULL, "my/Itf.thrown(Ljava/lang/Throwable;)V", "exception");
    CHECK(bci_plan_seal(p) == NULL);
    make_class(52);
    CHECK(bci_apply(p, scratch, bytes, size, NULL, &res) == BCI_CHANGED && verifies(res.bytes, res.len));
    CHECK(calls_of(&res, "enter", &itf) == 1 && itf && calls_of(&res, "thrown", &itf) == 1 && itf);
    free(res.bytes);
    make_class(51);
    CHECK(bci_apply(p, scratch, bytes, size, NULL, &res) == BCI_SKIPPED && !res.bytes && res.nskipped == 2);
    CHECK(strstr(res.skipped[0].why, "my/Itf.") && strstr(res.skipped[0].why, "52") && res.skipped[0].code == CF_ERR_USAGE);
    bci_plan_free(p);
}

static void test_also(void) {
    BciPlan *p = bci_plan_new(0);
    BciRule *r = bci_rule(p, "no/such/Class");
    BciResult res;
    bci_also(r, "t/T.f");
    bci_also(r, "t/T.g");
    bci_also(r, "t/T.sw");
    bci_except(r, "t/T.sw");
    bci_also(NULL, "t/T");
    bci_call(r, BCI_ENTRY, NULL, "Probe.enter()V", NULL);
    CHECK(bci_plan_seal(p) == NULL && bci_plan_wants(p, "t/T") && bci_plan_wants(p, "no/such/Class") &&
          !bci_plan_wants(p, "t/U"));
    make_class(61);
    CHECK(bci_apply(p, scratch, bytes, size, NULL, &res) == BCI_CHANGED && res.methods == 2);
    free(res.bytes);
    bci_plan_free(p);
}

/* A counter in a field takes no number. */
static void test_counters(void) {
    static const uint8_t longs[] = {CF_OP_GETSTATIC, CF_OP_LCONST_1, CF_OP_LADD, CF_OP_PUTSTATIC};
    static const uint8_t ints[] = {CF_OP_GETSTATIC, CF_OP_ICONST_1, CF_OP_IADD, CF_OP_PUTSTATIC};
    make_class(61);
    for (int wide = 0; wide < 2; wide++) {
        BciPlan *p = bci_plan_new(0);
        BciRule *r = bci_rule(p, "**.sw");
        BciResult res;
        bci_count(r, BCI_ENTRY, NULL, wide ? "my/Probe.calls:J" : "my/Probe.calls:I");
        bci_count(r, BCI_RETURN, NULL, wide ? "my/Probe.calls:J" : "my/Probe.calls:I");
        CHECK(bci_plan_seal(p) == NULL);
        CHECK(bci_apply(p, scratch, bytes, size, NULL, &res) == BCI_CHANGED && res.sites == 0 && verifies(res.bytes, res.len));
        BciClass *c = bci_open(res.bytes, res.len, NULL, NULL);
        BciCode *code = bci_code(bci_find_method(c, "sw", NULL));
        BciInsn *i = bci_first_insn(code);
        for (int k = 0; k < 4; k++, i = bci_next(i))
            CHECK(i->op == (wide ? longs : ints)[k] && (k % 3 || bci_refers_to(code, i, "my/Probe", "calls", wide ? "J" : "I")));
        bci_close(c);
        free(res.bytes);
        bci_plan_free(p);
    }
}

/* What does not fit in a method is told with its value, type and callee. */
static void test_misfits(void) {
    static const struct {
        BciWhere where;
        const char *select, *callee, *values, *why;
    } rows[] = {
        {BCI_RETURN, "**.sw", "my/Probe.leave(II)V", "method,result",
         "value \"result\" (J) does not fit parameter 1 (I) of my/Probe.leave(II)V"},
        {BCI_RETURN, "**.f", "my/Probe.leave(Ljava/lang/String;)V", "result",
         "value \"result\" (I) does not fit parameter 0 (Ljava/lang/String;) of my/Probe.leave"},
        {BCI_ENTRY, "**.sw", "my/Probe.enter(J)V", "param0",
         "value \"param0\" (I) does not fit parameter 0 (J) of my/Probe.enter(J)V"},
        {BCI_ENTRY, "**.sw", "my/Probe.enter(Ljava/lang/Object;)V", "param5",
         "no parameter 5, wanted as \"param5\" for parameter 0 (Ljava/lang/Object;) of my/Probe.enter"},
        {BCI_CALL_BEFORE, "**.f", "my/Probe.call(II)V", "line,arg3",
         "no value \"arg3\" at this place for parameter 1 (I) of my/Probe.call(II)V"},
    };
    make_class(61);
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        BciPlan *p = bci_plan_new(0);
        BciResult res;
        bci_call(bci_rule(p, rows[k].select), rows[k].where, NULL, rows[k].callee, rows[k].values);
        CHECK(bci_plan_seal(p) == NULL);
        CHECK(bci_apply(p, scratch, bytes, size, NULL, &res) == BCI_SKIPPED && res.nskipped == 1);
        CHECK(strstr(res.skipped[0].why, rows[k].why));
        if (!strstr(res.skipped[0].why, rows[k].why)) printf("  %s\n", res.skipped[0].why);
        bci_plan_free(p);
    }
}

/* args of a putfield: what is stored. */
static void test_arguments_of_put(void) {
    static const struct {
        BciWhere where;
        const char *value, *wrong;
    } rows[] = {
        {BCI_FIELD_PUT, "args", NULL},
        {BCI_FIELD_GET, "args", "at this point"},
        {BCI_FIELD_GET, "receiver", "at this point"},
        {BCI_NEW, "member", "at this point"},
        {BCI_NEWARRAY, "member", "at this point"},
        {BCI_ATHROW, "exception", NULL},
    };
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        BciPlan *p = bci_plan_new(0);
        bci_call(bci_rule(p, "**"), rows[k].where, NULL, "P.p(Ljava/lang/Object;)V", rows[k].value);
        check_seal(p, rows[k].value, rows[k].wrong);
    }
    BciPlan *p = bci_plan_new(0);
    BciResult res;
    size_t n;
    bci_call(bci_rule(p, "**"), BCI_FIELD_PUT, NULL, "P.p([Ljava/lang/Object;Ljava/lang/Object;)V", "args,receiver");
    CHECK(bci_plan_seal(p) == NULL);
    uint8_t *more = class_with(make_put, &n);
    CHECK(bci_apply(p, scratch, more, n, NULL, &res) == BCI_CHANGED && res.methods == 1 && verifies(res.bytes, res.len));
    free(res.bytes);
    free(more);
    bci_plan_free(p);
}

/* ---- outcomes ---- */

typedef struct Told {
    BciOutcome outcome[64];
    int n;
    char why[200];
} Told;

static void tell(void *ctx, int method, BciOutcome o, const char *why) {
    Told *t = ctx;
    CHECK(method >= 0 && method < 64 && (o == BCI_SKIPPED) == (why != NULL));
    if (method < 0 || method >= 64) return;
    CHECK(t->outcome[method] == BCI_UNCHANGED); /* once for each method */
    t->outcome[method] = o;
    t->n++;
    if (why) snprintf(t->why, sizeof t->why, "%s", why);
}

enum { MANY = 20 };
static void make_many(BciClass *c) {
    char name[20];
    for (int k = 0; k < MANY; k++) {
        snprintf(name, sizeof name, "many%d", k);
        bci_return(bci_end(bci_code(bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC, name, "()V"))));
    }
}

/* Each method that was changed or skipped is told, also behind the first BCI_MAX_SKIPS. */
static void test_outcomes(void) {
    Told all = {0}, skips = {0};
    BciRequest req = {.outcome = tell, .ctx = &all};
    BciPlan *p = bci_plan_new(0), *none = bci_plan_new(0);
    BciResult res;
    size_t n;
    uint8_t *more = class_with(make_many, &n);
    bci_call(bci_rule(p, "**"), BCI_ENTRY, NULL, "Probe.enter()V", NULL);
    bci_natives(bci_rule(p, "**"), "hidden_");
    bci_call(bci_rule(p, "**.many*"), BCI_ENTRY, NULL, "Probe.enter(I)V", "param0");
    bci_call(bci_rule(none, "**.many*"), BCI_ENTRY, NULL, "Probe.enter(I)V", "param0");
    CHECK(bci_plan_seal(p) == NULL && bci_plan_seal(none) == NULL);
    CHECK(bci_apply(p, scratch, more, n, &req, &res) == BCI_PARTIAL && res.nskipped == MANY + 1 && res.methods == 8);
    CHECK(all.n == MANY + 1 + 8 && strstr(all.why, "no parameter 0"));
    BciClass *c = bci_open(more, n, NULL, NULL);
    int k = 0;
    for (; k < bci_method_count(c); k++) {
        const char *name = bci_method_name(bci_method(c, k));
        BciOutcome is = !strncmp(name, "many", 4) || !strcmp(name, "big") ? BCI_SKIPPED
                        : !strcmp(name, "finalize")                       ? BCI_UNCHANGED
                                                                          : BCI_CHANGED;
        CHECK(all.outcome[k] == is);
    }
    CHECK(all.outcome[k] == BCI_CHANGED); /* what calls the native method */
    bci_close(c);
    free(res.bytes);
    req.ctx = &skips;
    CHECK(bci_apply(none, scratch, more, n, &req, &res) == BCI_SKIPPED && !res.bytes && skips.n == MANY);
    bci_plan_free(p);
    bci_plan_free(none);
    free(more);
}

/* An interface of this version cannot have the methods that outlining makes: nothing is changed, and no bytes come. */
static void test_nothing_outlined(void) {
    CfArena a;
    CfWriter w;
    Told told = {0};
    BciRequest req = {.outcome = tell, .ctx = &told};
    BciPlan *p = bci_plan_new(BCI_PLAN_OUTLINE);
    BciResult res;
    uint8_t *itf = NULL;
    size_t n;
    bci_call(bci_rule(p, "**"), BCI_ENTRY, NULL, "Probe.enter()V", NULL);
    CHECK(bci_plan_seal(p) == NULL);
    cf_arena_init(&a, "test", 0);
    cf_w_init(&w);
    CfClass *empty =
        cf_class_new(&a, 50, CF_ACC_PUBLIC | CF_ACC_INTERFACE | CF_ACC_ABSTRACT, CF_STR("t/I"), CF_STR("java/lang/Object"));
    CHECK(empty && cf_write(empty, &w, NULL) == CF_OK);
    BciClass *c = bci_open(w.data, w.len, NULL, NULL);
    BciPos at = bci_end(bci_code(bci_add_method(c, CF_ACC_STATIC, "<clinit>", "()V")));
    nops(at, 65534);
    bci_return(at);
    CHECK(bci_write(c, NULL, NULL, &itf, &n, NULL) == CF_OK);
    bci_close(c);
    cf_w_free(&w);
    cf_arena_free(&a);
    CHECK(bci_apply(p, scratch, itf, n, &req, &res) == BCI_SKIPPED && !res.bytes && !res.methods && res.nskipped == 1);
    CHECK(told.n == 1 && strstr(told.why, "no private methods"));
    free(itf);
    bci_plan_free(p);
}

static void make_unverifiable(BciClass *c) { bci_return(bci_end(bci_code(bci_add_method(c, CF_ACC_STATIC, "wrong", "()V")))); }

/* The result is verified on request: a class that was not valid before is not either afterwards. */
static void test_verified(void) {
    static const unsigned kinds[] = {0, BCI_PLAN_REBUILD_FRAMES, BCI_PLAN_OUTLINE};
    BciResult res;
    size_t n;
    uint32_t len;
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        BciPlan *p = everything(BCI_PLAN_VERIFY | kinds[k], "**");
        make_class(61);
        CHECK(bci_apply(p, scratch, bytes, size, NULL, &res) != BCI_REFUSED && res.methods >= 6 && verifies(res.bytes, res.len));
        free(res.bytes);
        bci_plan_free(p);
    }
    uint8_t *more = class_with(make_unverifiable, &n);
    *code_of(more, n, "wrong", &len) = CF_OP_IRETURN;
    BciPlan *p = bci_plan_new(BCI_PLAN_VERIFY), *unchecked = bci_plan_new(0);
    bci_call(bci_rule(p, "**"), BCI_ENTRY, NULL, "Probe.enter()V", NULL);
    bci_call(bci_rule(unchecked, "**.g"), BCI_ENTRY, NULL, "Probe.enter()V", NULL);
    CHECK(bci_plan_seal(p) == NULL && bci_plan_seal(unchecked) == NULL);
    CHECK(bci_apply(p, scratch, more, n, NULL, &res) == BCI_REFUSED && !res.bytes);
    CHECK(res.code == CF_ERR_VERIFY && strstr(res.error, "the result is not valid"));
    CHECK(bci_apply(unchecked, scratch, more, n, NULL, &res) == BCI_CHANGED && res.bytes);
    free(res.bytes);
    free(more);
    bci_plan_free(p);
    bci_plan_free(unchecked);
}

static void *no_memory(void *ctx, size_t n) { return NULL; }

static void test_bad_input(void) {
    BciPlan *p = everything(BCI_PLAN_REBUILD_FRAMES, "**");
    BciResult res;
    BciRequest req = {.alloc = no_memory};
    make_class(61);
    CHECK(bci_apply(p, scratch, bytes, size, &req, &res) == BCI_REFUSED && res.code == CF_ERR_NOMEM);
    CHECK(bci_apply(p, NULL, bytes, size, NULL, &res) == BCI_REFUSED && res.code == CF_ERR_NOMEM && !res.bytes);
    CHECK(bci_apply(NULL, scratch, bytes, size, NULL, &res) == BCI_REFUSED && res.code == CF_ERR_USAGE && !res.bytes);
    CHECK(!bci_plan_wants(NULL, "t/T") && !bci_plan_wants(p, NULL) && bci_scratch_size(NULL) == 0);
    for (size_t n = 0; n < size; n += n < 2000 ? 1 : 997) {
        uint8_t *cut = malloc(n + 1); /* its own block: reading on is seen by the sanitizer */
        memcpy(cut, bytes, n);
        CHECK(bci_apply(p, scratch, cut, n, NULL, &res) == BCI_REFUSED && !res.bytes);
        free(cut);
    }
    bci_plan_free(p);
}

int main(void) {
    scratch = bci_scratch_new();
    test_all_points(0);
    test_all_points(BCI_PLAN_REBUILD_FRAMES);
    test_versions();
    test_selection();
    test_sealing();
    test_names();
    test_targets();
    test_texts();
    test_interface_probe();
    test_also();
    test_counters();
    test_misfits();
    test_outcomes();
    test_nothing_outlined();
    test_verified();
    test_arguments_of_put();
    test_numbers_and_natives();
    test_natives_by_annotation();
    test_bad_input();
    test_cut_instruction();
    test_half_of_long();
    test_too_many_locals();
    test_passed(0);
    test_passed(BCI_PLAN_REBUILD_FRAMES);
    test_typed_arrays();
    test_edges(0);
    test_edges(BCI_PLAN_REBUILD_FRAMES);
    test_switch_edges();
    test_edges_to_redirected();
    test_constructed(0);
    test_constructed(BCI_PLAN_REBUILD_FRAMES);
    test_this_of_constructors(0);
    test_this_of_constructors(BCI_PLAN_REBUILD_FRAMES);
    CHECK(bci_scratch_size(scratch) < 2 << 20);
    bci_scratch_free(scratch);
    free(bytes);
    return cf_test_end();
}
