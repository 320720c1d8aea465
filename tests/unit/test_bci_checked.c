/* SPDX-License-Identifier: Apache-2.0 */
/* test_bci_checked - misuse of the editor is reported with the line of the call that did it. */
#include <stdlib.h>

#define BCI_CHECKED
#include "bci.h"

static int failures;
#define CHECK(x) ((x) ? (void)0 : (failures++, printf("%s:%d: %s\n", __func__, __LINE__, #x), (void)0))

static uint8_t *bytes;

static BciClass *fresh(unsigned flags) {
    CfArena a;
    CfWriter w;
    cf_arena_init(&a, "test", 0);
    cf_w_init(&w);
    CfClass *k = cf_class_new(&a, 61, 0, CF_STR("A"), CF_STR("java/lang/Object"));
    CHECK(cf_write(k, &w, NULL) == CF_OK);
    cf_arena_free(&a);
    bytes = w.data;
    BciOptions opt = {.flags = flags};
    return bci_open(w.data, w.len, &opt, NULL);
}

static void drop(BciClass *c) {
    bci_close(c);
    free(bytes);
}

static bool says(BciMethod *m, const char *what, int line) {
    CfError err;
    char place[60];
    cf_err_clear(&err);
    bci_method_error(m, &err);
    snprintf(place, sizeof place, "test_bci_checked.c:%d)", line);
    if (strstr(err.text, what) && (line ? strstr(err.text, place) != NULL : !strchr(err.text, '('))) return true;
    printf("%s\n", err.text);
    return false;
}

static bool write_fails(BciClass *c, CfError *err) {
    uint8_t *out;
    size_t n;
    cf_err_clear(err);
    bool bad = bci_write(c, NULL, NULL, &out, &n, err) != CF_OK && !out;
    free(out);
    return bad;
}

static void label_placed_twice(void) {
    BciClass *c = fresh(0);
    BciMethod *m = bci_add_method(c, CF_ACC_STATIC, "f", "()V");
    BciPos at = bci_end(bci_code(m));
    BciLabel *l = bci_label_here(at);
    bci_place(at, l);
    int line = __LINE__ - 1;
    bci_return(at); /* does nothing any more */
    CHECK(says(m, "label placed twice", line));
    drop(c);
}

static void foreign_labels(void) {
    for (int how = 0; how < 4; how++) {
        BciClass *c = fresh(0);
        BciMethod *f = bci_add_method(c, CF_ACC_STATIC, "f", "()V"), *g = bci_add_method(c, CF_ACC_STATIC, "g", "()V");
        BciCode *code = bci_code(g);
        BciPos at = bci_end(code);
        BciLabel *l = bci_label_here(bci_end(bci_code(f))), *own = bci_label_here(at);
        int line = __LINE__ + 1 + how;
        if (how == 0) bci_jump(at, CF_OP_GOTO, l);
        else if (how == 1) bci_place(at, l);
        else if (how == 2) bci_add_line(code, l, 5);
        else bci_add_try(code, own, own, l, NULL, false);
        CHECK(says(g, "a label of method f()V is used in another one", line));
        CHECK(bci_method_error(f, NULL) == CF_OK);
        drop(c);
    }
}

/* Instructions of one method, used with the code of another. */
static void foreign_instructions(void) {
    BciClass *c = fresh(0);
    BciPos at = bci_end(bci_code(bci_add_method(c, CF_ACC_STATIC, "f", "()V")));
    bci_return(at);
    at = bci_end(bci_code(bci_add_method(c, CF_ACC_STATIC, "g", "()I")));
    bci_int(at, 5);
    bci_return(at);
    CfError err;
    uint8_t *out, *in;
    size_t n;
    cf_err_clear(&err);
    CHECK(bci_write(c, NULL, NULL, &out, &n, &err) == CF_OK);
    drop(c);
    in = out;
    for (int how = 0; how < 6; how++) {
        c = bci_open(in, n, NULL, &err);
        BciMethod *f = bci_find_method(c, "f", NULL);
        BciCode *code = bci_code(f);
        BciInsn *other = bci_first_insn(bci_code(bci_find_method(c, "g", NULL)));
        int line = __LINE__ + 1 + how;
        if (how == 0) bci_op(bci_before(code, other), CF_OP_NOP);
        else if (how == 1) bci_op(bci_after(code, other), CF_OP_NOP);
        else if (how == 2) bci_delete(code, other);
        else if (how == 3) bci_set_op(code, other, CF_OP_ICONST_1);
        else if (how == 4) bci_replace(code, other);
        else bci_label_of(code, other);
        CHECK(says(f, "iconst_5 at 0 is an instruction of another method", line));
        CHECK(bci_method_error(bci_find_method(c, "g", NULL), NULL) == CF_OK);
        CHECK(write_fails(c, &err));
        bci_close(c);
    }
    free(in);
}

/* A call that knows no place does not name that of the one before. */
static void no_wrong_place(void) {
    BciClass *c = fresh(0);
    BciMethod *m = bci_add_method(c, CF_ACC_STATIC, "f", "()V"),
              *n = bci_add_method(c, CF_ACC_STATIC | CF_ACC_NATIVE, "n", "()V");
    bci_return(bci_end(bci_code(m)));
    CHECK(!bci_wrap_native(m, "x_") && says(m, "not native", 0));
    drop(c);
    c = fresh(0);
    m = bci_add_method(c, CF_ACC_STATIC, "f", "()V"), n = bci_add_method(c, CF_ACC_STATIC | CF_ACC_NATIVE, "n", "()V");
    bci_return(bci_end(bci_code(m)));
    CHECK(!bci_copy_body(m, n) && says(m, "a body can only come from a method with one", 0));
    drop(c);
}

static void label_never_placed(void) {
    BciClass *c = fresh(0);
    BciMethod *m = bci_add_method(c, CF_ACC_STATIC, "f", "()V");
    BciPos at = bci_end(bci_code(m));
    CfError err;
    bci_jump(at, CF_OP_GOTO, bci_new_label(bci_code(m)));
    int line = __LINE__ - 1;
    bci_return(at);
    CHECK(write_fails(c, &err) && says(m, "never placed", line));
    drop(c);
}

static void stack_is_not_balanced(void) {
    BciClass *c = fresh(0);
    BciMethod *m = bci_add_method(c, CF_ACC_STATIC, "f", "(I)V");
    BciPos at = bci_end(bci_code(m));
    CfError err;
    BciLabel *l = bci_new_label(bci_code(m));
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFEQ, l);
    bci_int(at, 5);
    int line = __LINE__ - 1;
    bci_place(at, l);
    bci_return(at);
    CHECK(write_fails(c, &err) && says(m, "stack depth 1 meets depth 0", line));
    drop(c);

    c = fresh(0);
    m = bci_add_method(c, CF_ACC_STATIC, "f", "()V");
    at = bci_end(bci_code(m));
    bci_int(at, 5);
    bci_op(at, CF_OP_POP2);
    line = __LINE__ - 1;
    bci_return(at);
    CHECK(write_fails(c, &err) && says(m, "underflow at inserted pop2", line));
    drop(c);
}

/* Nothing of the editor's own checks sees that an int is returned as a reference. */
static void result_is_verified(void) {
    for (unsigned flags = 0; flags <= BCI_VERIFY_RESULT; flags += BCI_VERIFY_RESULT) {
        BciClass *c = fresh(flags);
        BciPos at = bci_end(bci_code(bci_add_method(c, CF_ACC_STATIC, "f", "(I)Ljava/lang/String;")));
        CfError err;
        bci_load(at, 'I', 0);
        bci_op(at, CF_OP_ARETURN);
        CHECK(write_fails(c, &err) == (flags != 0));
        CHECK(!flags || strstr(err.text, "the result is not valid: "));
        drop(c);
    }
}

int main(void) {
    label_placed_twice();
    foreign_labels();
    foreign_instructions();
    no_wrong_place();
    label_never_placed();
    stack_is_not_balanced();
    result_is_verified();
    printf(failures ? "%d failed\n" : "ok\n", failures);
    return failures != 0;
}
