/* SPDX-License-Identifier: Apache-2.0 */
/* test_bci_foreign - inserted code stores another class into a local of the input that a kept frame names. */
#include <stdlib.h>

#include "bci.h"
#include "cf_types.h"

static int failures;
#define CHECK(x) ((x) ? (void)0 : (failures++, printf("%s:%d: %s\n", __func__, __LINE__, #x), (void)0))

typedef struct Bytes {
    uint8_t *p;
    size_t n;
} Bytes;

/* static void f(a.Y p, int n) { while (n != 0) { n--; } p.m(); } */
static Bytes sample(void) {
    CfArena a;
    CfWriter w;
    CfError err;
    Bytes b = {0};
    cf_arena_init(&a, "test", 0);
    cf_w_init(&w);
    cf_err_clear(&err);
    CfClass *k = cf_class_new(&a, 52, CF_ACC_PUBLIC | CF_ACC_SUPER, CF_STR("t/A"), CF_STR("java/lang/Object"));
    CHECK(cf_write(k, &w, NULL) == CF_OK);
    BciClass *c = bci_open(w.data, w.len, NULL, &err);
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC, "f", "(La/Y;I)V"));
    BciPos at = bci_end(code);
    BciLabel *out = bci_new_label(code), *loop = bci_label_here(at);
    bci_load(at, 'I', 1);
    bci_jump(at, CF_OP_IFEQ, out);
    bci_iinc(at, 1, -1);
    bci_jump(at, CF_OP_GOTO, loop);
    bci_place(at, out);
    bci_load(at, 'A', 0);
    bci_invoke(at, CF_OP_INVOKEVIRTUAL, "a/Y", "m", "()V");
    bci_return(at);
    CHECK(bci_write(c, NULL, NULL, &b.p, &b.n, &err) == CF_OK);
    bci_close(c);
    cf_w_free(&w);
    cf_arena_free(&a);
    return b;
}

static void store(BciPos at, const char *desc) {
    bci_invoke(at, CF_OP_INVOKESTATIC, "t/Make", "make", desc);
    bci_store(at, 'A', 0);
}

/* Everything that comes to the loop has the new class; or only what comes back to it. */
static void at_entry(BciCode *code) { store(bci_entry(code), "()La/X;"); }
static void in_loop(BciCode *code) { store(bci_before(code, bci_find_op(bci_first_insn(code), CF_OP_IINC)), "()La/X;"); }
static void same_class_in_loop(BciCode *code) {
    store(bci_before(code, bci_find_op(bci_first_insn(code), CF_OP_IINC)), "()La/Y;");
}
static void cast_in_loop(BciCode *code) {
    BciPos at = bci_before(code, bci_find_op(bci_first_insn(code), CF_OP_IINC));
    bci_invoke(at, CF_OP_INVOKESTATIC, "t/Make", "make", "()La/X;");
    bci_type(at, CF_OP_CHECKCAST, "a/Y");
    bci_store(at, 'A', 0);
}

static const char *always(void *ctx, const char *a, const char *b) { return ctx; }

/* Class that the frame at the loop's head names for local 0. */
static void check_frame(Bytes b, const char *want) {
    CfArena a;
    CfClass *k;
    CfCode code;
    CfTypes t;
    CfFlow f;
    CfFrame fr;
    CfMapIter it;
    CfMapFrame mf;
    cf_arena_init(&a, "test", 0);
    CHECK(cf_parse(&k, b.p, b.n, &a, NULL, NULL) == CF_OK && cf_types_init(&t, k, &a, NULL));
    CfMember *m = cf_find_method(k, CF_STR("f"), CF_STR(""));
    CHECK(cf_code(k, m, &a, &code, NULL) == CF_OK && cf_flow_init(&f, &t, m, &code, false));
    CHECK(cf_frame_init(&f, &fr) && cf_frame_entry(&f, &fr));
    CHECK(cf_map_start(cf_attr(&code.attrs, CF_ATTR_STACK_MAP_TABLE), &it, NULL) == CF_OK && cf_map_next(&it, &mf) == 1);
    CHECK(cf_frame_from_map(&f, &fr, &mf));
    CfStr is = cf_type_name(&t, fr.locals[0]);
    if (!cf_str_is(is, want)) printf("%.*s instead of %s\n", CF_STR_ARGS(is), want);
    CHECK(cf_str_is(is, want));
    cf_types_free(&t);
    cf_arena_free(&a);
}

/* `super`: what the caller says X and Y have in common; `frame` NULL: an error with the text `error`. */
static void edit(void (*how)(BciCode *), BciFrames frames, const char *super, const char *frame, const char *error) {
    Bytes in = sample(), out = {0};
    CfError err;
    cf_err_clear(&err);
    BciTypes types = {(void *)super, always};
    BciOptions opt = {.frames = frames, .flags = BCI_VERIFY_RESULT, .types = super ? &types : NULL};
    BciClass *c = bci_open(in.p, in.n, &opt, &err);
    how(bci_code(bci_find_method(c, "f", NULL)));
    CfErrCode rc = bci_write(c, NULL, NULL, &out.p, &out.n, &err);
    if (frame) {
        if (rc != CF_OK) printf("%s\n", err.text);
        CHECK(rc == CF_OK);
        if (rc == CF_OK) check_frame(out, frame);
    } else {
        CHECK(rc == CF_ERR_VERIFY && strstr(err.text, error) && strstr(err.where, "method f(La/Y;I)V"));
        CHECK(err.offset == 0);
    }
    bci_close(c);
    free(in.p);
    free(out.p);
}

int main(void) {
    const char *text = "stores a/X into local 0, which is a/Y at 0";
    edit(at_entry, BCI_FRAMES_KEEP, NULL, "a/X", NULL);  /* noticed: frames are made anew */
    edit(at_entry, BCI_FRAMES_KEEP, "a/Y", "a/Y", NULL); /* known to be a subclass: kept */
    edit(in_loop, BCI_FRAMES_KEEP, NULL, NULL, text);    /* Y and X meet: nobody knows */
    edit(in_loop, BCI_FRAMES_KEEP, "a/Y", "a/Y", NULL);
    edit(in_loop, BCI_FRAMES_KEEP, "a/Z", "a/Z", NULL);
    edit(in_loop, BCI_FRAMES_REBUILD, NULL, "a/Y", NULL); /* trusted */
    edit(same_class_in_loop, BCI_FRAMES_KEEP, NULL, "a/Y", NULL);
    edit(cast_in_loop, BCI_FRAMES_KEEP, NULL, "a/Y", NULL);
    printf(failures ? "%d failures\n" : "ok\n", failures);
    return failures != 0;
}
