/* SPDX-License-Identifier: Apache-2.0 */
/* test_cf_walk - events of a class file: order, answers, the same errors as the model has. */
#include <stdlib.h>

#include "classfile.h"
#include "cf_test.h"

static CfArena arena, scratch;

/* class a/B { int f = 1 /. ConstantValue ./; void m() { nop; return; } /. line 7 ./; abstract void n(); }, SourceFile */
static CfWriter sample(void) {
    CfClass *c =
        cf_class_new(&arena, 61, CF_ACC_PUBLIC | CF_ACC_ABSTRACT | CF_ACC_SUPER, CF_STR("a/B"), CF_STR("java/lang/Object"));
    uint8_t b[2];
    static const uint8_t body[] = {CF_OP_NOP, CF_OP_RETURN}, lines[] = {0, 1, 0, 0, 0, 7};
    CfCode code = {.max_locals = 1, .code = body, .code_len = 2};
    CfWriter w;
    CfMember *f = cf_add_field(c, CF_ACC_STATIC | CF_ACC_FINAL, CF_STR("f"), CF_STR("I"));
    cf_put_u2(b, cf_add_int(c, 1));
    cf_attr_set(c, &f->attrs, "ConstantValue", b, 2);
    cf_add_method(c, CF_ACC_PUBLIC, CF_STR("m"), CF_STR("()V"));
    cf_add_method(c, CF_ACC_ABSTRACT, CF_STR("n"), CF_STR("()V"));
    cf_attr_append(c, &code.attrs, "LineNumberTable", lines, sizeof lines);
    cf_code_set(c, &c->methods[0], &code, NULL);
    cf_attr_set(c, &c->methods[0].attrs, "Deprecated", NULL, 0);
    cf_put_u2(b, cf_add_utf8(c, CF_STR("B.java")));
    cf_attr_set(c, &c->attrs, "SourceFile", b, 2);
    cf_w_init(&w);
    CHECK(cf_write(c, &w, NULL) == CF_OK);
    return w;
}

typedef struct Log {
    char text[400];
    const char *skip, *stop; /* events that are answered so */
} Log;

static CfWalkOn say(Log *l, const char *what, CfStr name) {
    char event[60];
    snprintf(event, sizeof event, "%s:%.*s", what, CF_STR_ARGS(name));
    snprintf(l->text + strlen(l->text), sizeof l->text - strlen(l->text), "%s%s", l->text[0] ? " " : "", event);
    return l->stop && !strcmp(event, l->stop) ? CF_WALK_STOP : l->skip && !strcmp(event, l->skip) ? CF_WALK_SKIP : CF_WALK_ON;
}
static CfWalkOn header(void *ctx, const CfClass *c) {
    CHECK(c->field_count == 0 && c->method_count == 0 && c->attrs.count == 0);
    return say(ctx, "class", c->name);
}
static CfWalkOn field(void *ctx, const CfClass *c, const CfMember *m) {
    CHECK(m->attrs.count == 0 && m->access == (CF_ACC_STATIC | CF_ACC_FINAL) && m->index == 0);
    return say(ctx, "field", cf_utf8(c, m->name));
}
static CfWalkOn method(void *ctx, const CfClass *c, const CfMember *m) {
    CHECK(m->attrs.count == 0 && m->index == (cf_str_is(cf_utf8(c, m->name), "n")));
    return say(ctx, "method", cf_utf8(c, m->name));
}
static CfWalkOn attribute(void *ctx, const CfClass *c, const CfMember *m, unsigned where, const CfAttr *a) {
    static const char *const places[] = {[CF_IN_CLASS] = "ca", [CF_IN_FIELD] = "fa", [CF_IN_METHOD] = "ma", [CF_IN_CODE] = "ka"};
    CHECK((m == NULL) == (where == CF_IN_CLASS));
    return say(ctx, places[where], cf_str(cf_attr_info[a->kind].name));
}
static CfWalkOn code(void *ctx, const CfClass *c, const CfMember *m, const CfCode *k) {
    CHECK(k->max_locals == 1 && k->code_len == 2 && k->attrs.count == 0);
    return say(ctx, "code", cf_utf8(c, m->name));
}
static CfWalkOn insn(void *ctx, const CfClass *c, const CfMember *m, const CfInsn *i) {
    return say(ctx, "insn", cf_str(cf_op_info[i->op].name));
}
static const CfVisitor all = {NULL, header, field, method, attribute, code, insn};

static const char *walk(const CfWriter *w, const CfVisitor *v, const char *skip, const char *stop) {
    static Log l;
    CfError err;
    l = (Log){.skip = skip, .stop = stop};
    cf_err_clear(&err);
    CHECK(cf_walk(w->data, w->len, v, &l, &scratch, &err) == CF_OK);
    CHECK_TEXT(err.text, "");
    return l.text;
}

static void order(const CfWriter *w) {
    CHECK_TEXT(walk(w, &all, NULL, NULL),
               "class:a/B field:f fa:ConstantValue method:m ma:Code code:m insn:nop insn:return ka:LineNumberTable ma:Deprecated "
               "method:n ca:SourceFile");
    CfVisitor v = {.insn = insn};
    CHECK_TEXT(walk(w, &v, NULL, NULL), "insn:nop insn:return");
    v = (CfVisitor){.attribute = attribute};
    CHECK_TEXT(walk(w, &v, NULL, NULL), "fa:ConstantValue ma:Code ka:LineNumberTable ma:Deprecated ca:SourceFile");
    v = (CfVisitor){.code = code, .method = method};
    CHECK_TEXT(walk(w, &v, NULL, NULL), "method:m code:m method:n");
    v = (CfVisitor){0};
    CHECK_TEXT(walk(w, &v, NULL, NULL), "");
}

static void answers(const CfWriter *w) {
    CHECK_TEXT(walk(w, &all, "class:a/B", NULL), "class:a/B ca:SourceFile");
    CHECK_TEXT(walk(w, &all, "field:f", NULL) + strlen("class:a/B "),
               "field:f method:m ma:Code code:m insn:nop insn:return ka:LineNumberTable ma:Deprecated method:n ca:SourceFile");
    CHECK_TEXT(walk(w, &all, "method:m", "method:n"), "class:a/B field:f fa:ConstantValue method:m method:n");
    CHECK_TEXT(walk(w, &all, "ma:Code", "method:n"),
               "class:a/B field:f fa:ConstantValue method:m ma:Code ma:Deprecated method:n");
    CHECK_TEXT(walk(w, &all, "code:m", "method:n"),
               "class:a/B field:f fa:ConstantValue method:m ma:Code code:m ma:Deprecated method:n");
    CHECK_TEXT(walk(w, &all, "insn:nop", "ka:LineNumberTable"),
               "class:a/B field:f fa:ConstantValue method:m ma:Code code:m insn:nop ka:LineNumberTable");
    static const char *const stops[] = {"class:a/B", "field:f",  "fa:ConstantValue", "method:m",     "ma:Code",
                                        "code:m",    "insn:nop", "ma:Deprecated",    "ca:SourceFile"};
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        const char *got = walk(w, &all, NULL, stops[i]);
        size_t n = strlen(got), m = strlen(stops[i]);
        CHECK(n >= m && !strcmp(got + n - m, stops[i]));
    }
}

/* Every cut, and every byte changed: as the model. Each in memory of its own size. */
static void errors(const CfWriter *w) {
    CfVisitor none = {0}, code_only = {.insn = insn};
    CfError walked, parsed;
    CfClass *c;
    for (size_t n = 0; n < 2 * w->len + 1; n++) {
        size_t size = n <= w->len ? n : w->len;
        uint8_t *b = malloc(size ? size : 1);
        memcpy(b, w->data, size);
        if (n > w->len) b[n - w->len - 1] ^= 0x41;
        cf_err_clear(&walked);
        cf_err_clear(&parsed);
        CfErrCode rc = cf_parse(&c, b, size, &arena, NULL, &parsed);
        CHECK(cf_walk(b, size, &none, NULL, NULL, &walked) == rc && walked.offset == parsed.offset);
        CHECK_TEXT(walked.text, parsed.text);
        CHECK_TEXT(walked.where, parsed.where);
        Log l = {0};
        if (rc != CF_OK) CHECK(cf_walk(b, size, &code_only, &l, &scratch, NULL) != CF_OK);
        free(b);
    }
    uint8_t *b = malloc(w->len + 1);
    memcpy(b, w->data, w->len);
    cf_err_clear(&walked);
    CHECK(cf_walk(b, w->len + 1, &none, NULL, NULL, &walked) == CF_ERR_FORMAT);
    CHECK_TEXT(walked.text, "Extra bytes at the end of class file a/B");
    free(b);
}

static void bad_code(const CfWriter *w) {
    static const uint8_t body[] = {0, 0, 0, 2, CF_OP_NOP, CF_OP_RETURN};
    uint8_t *b = malloc(w->len), *at = NULL;
    CfError err;
    Log l = {0};
    memcpy(b, w->data, w->len);
    for (size_t i = 0; i + sizeof body <= w->len; i++)
        if (!memcmp(b + i, body, sizeof body)) at = b + i;
    CHECK(at != NULL);
    at[5] = CF_OP_GOTO; /* does not fit */
    cf_err_clear(&err);
    CfVisitor v = {.insn = insn}, not_code = {.method = method};
    CHECK(cf_walk(b, w->len, &v, &l, NULL, &err) == CF_ERR_FORMAT && err.offset == at + 5 - b);
    CHECK_TEXT(err.text, "No instruction at pc 1");
    CHECK_TEXT(err.where, "method m");
    CHECK_TEXT(l.text, "insn:nop");
    CHECK(cf_walk(b, w->len, &not_code, &l, NULL, NULL) == CF_OK);
    at[3] = 9; /* code_length past the attribute */
    CHECK(cf_walk(b, w->len, &v, &l, NULL, NULL) == CF_ERR_FORMAT && cf_walk(b, w->len, &not_code, &l, NULL, NULL) == CF_OK);
    b[7] = 70;
    CfParseOptions any = {.any_version = true};
    CHECK(cf_walk(b, w->len, &not_code, &l, NULL, NULL) == CF_ERR_VERSION);
    not_code.options = &any;
    CHECK(cf_walk(b, w->len, &not_code, &l, NULL, NULL) == CF_OK);
    free(b);
}

int main(void) {
    cf_arena_init(&arena, "test", 0);
    cf_arena_init(&scratch, "walk", 0);
    CfWriter w = sample();
    order(&w);
    answers(&w);
    errors(&w);
    bad_code(&w);
    cf_w_free(&w);
    cf_arena_free(&scratch);
    cf_arena_free(&arena);
    return cf_test_end();
}
