/* SPDX-License-Identifier: Apache-2.0 */
/* test_bci_checked - misuse of the editor is reported with the line of the call that did it. */
#include <stdlib.h>

#define BCI_CHECKED
#include "bci.h"

static int failures;
#define CHECK(x) ((x) ? (void)0 : (failures++, printf("%s:%d: %s\n", __func__, __LINE__, #x), (void)0))

static uint8_t *bytes;

static BciClass *fresh(unsigned flags)
{
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

static void drop(BciClass *c)
{
    bci_close(c);
    free(bytes);
}

static bool says(BciMethod *m, const char *what, int line)
{
    CfError err;
    char place[60];
    cf_err_clear(&err);
    bci_method_error(m, &err);
    snprintf(place, sizeof place, "test_bci_checked.c:%d)", line);
    if (strstr(err.text, what) && (line ? strstr(err.text, place) != NULL : !strchr(err.text, '(')))
        return true;
    printf("%s\n", err.text);
    return false;
}

static bool write_fails(BciClass *c, CfError *err)
{
    uint8_t *out;
    size_t n;
    cf_err_clear(err);
    bool bad = bci_write(c, NULL, NULL, &out, &n, err) != CF_OK && !out;
    free(out);
    return bad;
}

static void label_placed_twice(void)
{
    BciClass *c = fresh(0);
    BciMethod *m = bci_add_method(c, CF_ACC_STATIC, "f", "()V");
    BciPos at = bci_end(bci_code(m));
    BciLabel *l = bci_label_here(at);
    bci_place(at, l); int line = __LINE__;
    bci_return(at);         /* does nothing any more */
    CHECK(says(m, "label placed twice", line));
    drop(c);
}

static void foreign_labels(void)
{
    for (int how = 0; how < 4; how++) {
        BciClass *c = fresh(0);
        BciMethod *f = bci_add_method(c, CF_ACC_STATIC, "f", "()V"), *g = bci_add_method(c, CF_ACC_STATIC, "g", "()V");
        BciCode *code = bci_code(g);
        BciPos at = bci_end(code);
        BciLabel *l = bci_label_here(bci_end(bci_code(f))), *own = bci_label_here(at);
        int line = __LINE__ + 1;
        if (how == 0) bci_jump(at, CF_OP_GOTO, l); else if (how == 1) bci_place(at, l); else if (how == 2) bci_add_line(code, l, 5); else bci_add_try(code, own, own, l, NULL, false);
        CHECK(says(g, "a label of method f()V is used in another one", line));
        CHECK(bci_method_error(f, NULL) == CF_OK);
        drop(c);
    }
}

static void label_never_placed(void)
{
    BciClass *c = fresh(0);
    BciMethod *m = bci_add_method(c, CF_ACC_STATIC, "f", "()V");
    BciPos at = bci_end(bci_code(m));
    CfError err;
    bci_jump(at, CF_OP_GOTO, bci_new_label(bci_code(m))); int line = __LINE__;
    bci_return(at);
    CHECK(write_fails(c, &err) && says(m, "never placed", line));
    drop(c);
}

static void stack_is_not_balanced(void)
{
    BciClass *c = fresh(0);
    BciMethod *m = bci_add_method(c, CF_ACC_STATIC, "f", "(I)V");
    BciPos at = bci_end(bci_code(m));
    CfError err;
    BciLabel *l = bci_new_label(bci_code(m));
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFEQ, l);
    bci_int(at, 5); int line = __LINE__;
    bci_place(at, l);
    bci_return(at);
    CHECK(write_fails(c, &err) && says(m, "stack depth 1 meets depth 0", line));
    drop(c);

    c = fresh(0);
    m = bci_add_method(c, CF_ACC_STATIC, "f", "()V");
    at = bci_end(bci_code(m));
    bci_int(at, 5);
    bci_op(at, CF_OP_POP2); line = __LINE__;
    bci_return(at);
    CHECK(write_fails(c, &err) && says(m, "underflow at inserted pop2", line));
    drop(c);
}

/* Nothing of the editor's own checks sees that an int is returned as a reference. */
static void result_is_verified(void)
{
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

int main(void)
{
    label_placed_twice();
    foreign_labels();
    label_never_placed();
    stack_is_not_balanced();
    result_is_verified();
    printf(failures ? "%d failed\n" : "ok\n", failures);
    return failures != 0;
}
