/* SPDX-License-Identifier: Apache-2.0 */
/* test_bci_requests - what the editor is asked for and cannot do as asked: an error that says so, never a class that is malformed. */
#include <stdlib.h>

#include "bci.h"
#include "cf_test.h"

/* ---- making classes ---- */

/* A handle of a class that was just made; its bytes are freed by `drop`. */
typedef struct Edit {
    uint8_t *bytes;
    BciClass *c;
} Edit;

static Edit open_made(uint8_t *bytes, size_t n, unsigned flags)
{
    CfError err;
    cf_err_clear(&err);
    BciOptions opt = {.flags = flags | BCI_VERIFY_RESULT};
    Edit e = {bytes, bci_open(bytes, n, &opt, &err)};
    CHECK(e.c);
    return e;
}

static Edit fresh(unsigned major)
{
    CfArena a;
    CfWriter w;
    cf_arena_init(&a, "test", 0);
    cf_w_init(&w);
    CfClass *c = cf_class_new(&a, major, CF_ACC_PUBLIC | CF_ACC_SUPER, CF_STR("t/T"), CF_STR("java/lang/Object"));
    CHECK(c && cf_write(c, &w, NULL) == CF_OK);
    cf_arena_free(&a);
    return open_made(w.data, w.len, 0);
}

static void drop(Edit e)
{
    bci_close(e.c);
    free(e.bytes);
}

/* Writes, and opens the result. */
static Edit again(Edit e)
{
    CfError err;
    uint8_t *out;
    size_t n;
    cf_err_clear(&err);
    CHECK(bci_write(e.c, NULL, NULL, &out, &n, &err) == CF_OK);
    CHECK_TEXT(err.text, "");
    drop(e);
    return open_made(out, n, 0);
}

/* Writing fails with `text` as a part of what is said; closes. */
static void refused(Edit e, const char *text)
{
    CfError err;
    uint8_t *out;
    size_t n;
    cf_err_clear(&err);
    CHECK(bci_write(e.c, NULL, NULL, &out, &n, &err) == CF_ERR_USAGE && !out);
    if (!strstr(err.text, text))
        CHECK_TEXT(err.text, text);
    drop(e);
}

static BciCode *method(Edit e, const char *name)
{
    return bci_code(bci_find_method(e.c, name, NULL));
}

/* static void f() { with a call through an interface; } */
static Edit calling(void)
{
    Edit e = fresh(61);
    BciPos at = bci_end(bci_code(bci_add_method(e.c, CF_ACC_STATIC, "f", "()V")));
    bci_op(at, CF_OP_ACONST_NULL);
    bci_invoke(at, CF_OP_INVOKEINTERFACE, "t/I", "one", "()V");
    bci_return(at);
    return again(e);
}

/* ---- instructions ---- */

static void count_follows_index(void)
{
    Edit e = calling();
    BciCode *code = method(e, "f");
    BciInsn *call = bci_find_op(bci_first_insn(code), CF_OP_INVOKEINTERFACE);
    bci_long(bci_before(code, call), 7);
    bci_set_index(code, call, bci_cp_method(e.c, "t/I", "two", "(J)V", true));
    e = again(e);
    CHECK(bci_find_op(bci_first_insn(method(e, "f")), CF_OP_INVOKEINTERFACE)->value == 3);
    drop(e);
}

static void deleted_has_no_offset(void)
{
    Edit e = calling();
    BciCode *code = method(e, "f");
    BciInsn *null = bci_first_insn(code), *new = bci_op(bci_replace(code, null), CF_OP_ACONST_NULL);
    CfError err;
    uint8_t *out;
    size_t n;
    cf_err_clear(&err);
    CHECK(bci_write(e.c, NULL, NULL, &out, &n, &err) == CF_OK);
    CHECK(bci_insn_offset(code, null) == BCI_NO_PC && bci_insn_offset(code, new) == 0);
    CHECK(bci_insn_offset(code, NULL) == BCI_NO_PC);
    free(out);
    drop(e);
}

/* NULL, labels and deleted instructions: nothing happens. */
static void nothing_to_change(void)
{
    Edit e = calling();
    BciCode *code = method(e, "f");
    BciInsn *gone = bci_first_insn(code), *none[] = {NULL, bci_first(code), gone};
    bci_op(bci_replace(code, gone), CF_OP_ACONST_NULL);
    for (int k = 0; k < 3; k++) {
        bci_set_op(code, none[k], CF_OP_NOP);
        bci_set_index(code, none[k], 1);
        bci_set_target(code, none[k], bci_label_of(code, bci_first_insn(code)));
        bci_delete(code, none[k]);
    }
    drop(again(e));
}

static void no_new_subroutines(void)
{
    for (int how = 0; how < 2; how++) {
        Edit e = fresh(49);
        BciCode *code = bci_code(bci_add_method(e.c, CF_ACC_STATIC, "f", "(I)V"));
        BciPos at = bci_end(code);
        BciLabel *l = bci_new_label(code);
        BciInsn *load = bci_load(at, 'I', 0);
        bci_op(at, CF_OP_POP);
        BciInsn *go = bci_jump(at, CF_OP_GOTO, l);
        bci_place(at, l);
        bci_return(at);
        if (how)
            bci_set_op(code, load, CF_OP_RET);  /* iload_0: other operands anyway */
        else
            bci_set_op(code, go, CF_OP_JSR);
        refused(e, how ? "set_op: iload_0 and ret" : "set_op: goto cannot become jsr");
    }
}

/* Dead code that has a frame gets every new local, whatever letter names its kind. */
static void letters_of_new_locals(void)
{
    for (const char *letter = "IZBCSJFDAL["; *letter; letter++) {
        Edit e = fresh(61);
        BciCode *code = bci_code(bci_add_method(e.c, CF_ACC_STATIC, "f", "(I)V"));
        BciPos at = bci_end(code);
        BciLabel *l = bci_new_label(code);
        bci_load(at, 'I', 0);
        bci_jump(at, CF_OP_IFEQ, l);
        bci_return(at);
        bci_place(at, l);
        bci_return(at);
        e = again(e);
        code = method(e, "f");
        uint32_t slot = bci_new_local(code, *letter);
        bci_op(bci_replace(code, bci_find_op(bci_first_insn(code), CF_OP_IFEQ)), CF_OP_POP);    /* the last return is dead now */
        at = bci_entry(code);
        bci_op(at, strchr("AL[", *letter) ? CF_OP_ACONST_NULL : *letter == 'J' ? CF_OP_LCONST_0 : *letter == 'F' ? CF_OP_FCONST_0
                   : *letter == 'D' ? CF_OP_DCONST_0 : CF_OP_ICONST_0);
        bci_store(at, *letter, slot);
        for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i))
            if (bci_is_return(i)) {
                bci_load(bci_before(code, i), *letter, slot);
                bci_op(bci_before(code, i), strchr("JD", *letter) ? CF_OP_POP2 : CF_OP_POP);
            }
        drop(again(e));
    }
    Edit e = calling();
    bci_new_local(method(e, "f"), 'V');
    refused(e, "new_local: 'V' is no kind of value");
}

int main(void)
{
    count_follows_index();
    deleted_has_no_offset();
    nothing_to_change();
    no_new_subroutines();
    letters_of_new_locals();
    return cf_test_end();
}
