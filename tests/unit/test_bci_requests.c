/* SPDX-License-Identifier: Apache-2.0 */
/* test_bci_requests - what the editor is asked for and cannot do as asked: an error that says so, never a class that is malformed. */
#include "edited_class.h"

/* Writing fails with `text` as a part of what is said; closes. */
static void fails(Edit e, CfErrCode code, const char *text) {
    CfError err;
    uint8_t *out;
    size_t n;
    cf_err_clear(&err);
    CHECK(bci_write(e.c, NULL, NULL, &out, &n, &err) == code && !out);
    if (!strstr(err.text, text)) CHECK_TEXT(err.text, text);
    drop(e);
}
static void refused(Edit e, const char *text) { fails(e, CF_ERR_USAGE, text); }

static BciCode *method(Edit e, const char *name) { return bci_code(bci_find_method(e.c, name, NULL)); }

/* static void f() { with a call through an interface; } */
static Edit calling(void) {
    Edit e = fresh(61);
    BciPos at = bci_end(bci_code(bci_add_method(e.c, CF_ACC_STATIC, "f", "()V")));
    bci_op(at, CF_OP_ACONST_NULL);
    bci_invoke(at, CF_OP_INVOKEINTERFACE, "t/I", "one", "()V");
    bci_return(at);
    return again(e);
}

/* ---- instructions ---- */

static void count_follows_index(void) {
    Edit e = calling();
    BciCode *code = method(e, "f");
    BciInsn *call = bci_find_op(bci_first_insn(code), CF_OP_INVOKEINTERFACE);
    bci_long(bci_before(code, call), 7);
    bci_set_index(code, call, bci_cp_method(e.c, "t/I", "two", "(J)V", true));
    e = again(e);
    CHECK(bci_find_op(bci_first_insn(method(e, "f")), CF_OP_INVOKEINTERFACE)->value == 3);
    drop(e);
}

static void deleted_has_no_offset(void) {
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
static void nothing_to_change(void) {
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

static void no_new_subroutines(void) {
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
        if (how) bci_set_op(code, load, CF_OP_RET); /* iload_0: other operands anyway */
        else bci_set_op(code, go, CF_OP_JSR);
        refused(e, how ? "set_op: iload_0 and ret" : "set_op: goto cannot become jsr");
    }
}

/* Dead code that has a frame gets every new local, whatever letter names its kind. */
static void letters_of_new_locals(void) {
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
        bci_op(bci_replace(code, bci_find_op(bci_first_insn(code), CF_OP_IFEQ)), CF_OP_POP); /* the last return is dead now */
        at = bci_entry(code);
        bci_op(at, strchr("AL[", *letter) ? CF_OP_ACONST_NULL
                   : *letter == 'J'       ? CF_OP_LCONST_0
                   : *letter == 'F'       ? CF_OP_FCONST_0
                   : *letter == 'D'       ? CF_OP_DCONST_0
                                          : CF_OP_ICONST_0);
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

/* ---- members ---- */

static void bodies_are_there(void) {
    Edit e = fresh(61);
    bci_add_method(e.c, CF_ACC_STATIC, "f", "()V");
    refused(e, "its body was never filled");
    e = fresh(61);
    BciMethod *m = bci_add_method(e.c, CF_ACC_STATIC, "f", "()V");
    bci_return(bci_end(bci_code(m)));
    bci_revert(m);
    refused(e, "its body was never filled");
    e = fresh(61);
    m = bci_add_method(e.c, CF_ACC_STATIC, "f", "()V");
    bci_revert(m);
    bci_return(bci_end(bci_code(m)));
    drop(again(e));
    e = fresh(61);
    bci_set_class_access(e.c, CF_ACC_PUBLIC | CF_ACC_SUPER | CF_ACC_ABSTRACT);
    m = bci_add_method(e.c, CF_ACC_ABSTRACT, "f", "()V");
    bci_revert(m);
    CHECK(!bci_code(m));
    drop(again(e));
    e = fresh(61);
    m = bci_add_method(e.c, CF_ACC_STATIC, "f", "()V");
    bci_return(bci_end(bci_code(m)));
    bci_set_method_access(m, CF_ACC_STATIC | CF_ACC_NATIVE);
    refused(e, "is abstract or native, but has a body");
}

static void names_are_taken(void) {
    Edit e = calling();
    bci_add_method(e.c, CF_ACC_STATIC | CF_ACC_NATIVE, "g", "()V");
    bci_rename_method(bci_find_method(e.c, "g", NULL), "f");
    refused(e, "rename: method f()V exists already");
    e = calling();
    BciMethod *m = bci_add_method(e.c, CF_ACC_STATIC | CF_ACC_NATIVE, "g", "()V");
    bci_rename_method(m, "g");
    bci_rename_method(m, "h");
    drop(again(e));
    e = calling();
    m = bci_add_method(e.c, CF_ACC_STATIC | CF_ACC_NATIVE, "g", "()V");
    bci_add_method(e.c, CF_ACC_STATIC | CF_ACC_NATIVE, "n$g", "()V");
    int n = bci_method_count(e.c);
    CHECK(!bci_wrap_native(m, "n$") && bci_method_count(e.c) == n);
    CHECK_TEXT(bci_method_name(m), "g");
    refused(e, "method n$g()V exists already");
}

static void attributes_once(void) {
    Edit e = calling();
    bci_method_attribute(bci_find_method(e.c, "f", NULL), "Code", "", 0);
    refused(e, "attribute Code is what bci_code gives");
    e = calling();
    BciMethod *m = bci_find_method(e.c, "f", NULL);
    bci_method_attribute(m, "Exceptions", "\0\0", 2);
    bci_method_attribute(m, "Synthetic", "", 0);
    bci_method_attribute(m, "Mine", "", 0);
    bci_method_attribute(m, "Mine", "", 0);
    e = again(e);
    bci_method_attribute(bci_find_method(e.c, "f", NULL), "Exceptions", "\0\0", 2);
    refused(e, "attribute Exceptions exists already");
}

/* A descriptor with that many ints. */
static const char *ints(int n) {
    static char d[300];
    memset(d, 'I', sizeof d);
    d[0] = '(';
    memcpy(d + n + 1, ")V", 3);
    return d;
}

static void arguments_fit(void) {
    Edit e = fresh(61);
    bci_add_method(e.c, CF_ACC_NATIVE, "f", ints(255));
    refused(e, "more than 255 argument slots");
    e = fresh(61);
    BciMethod *m = bci_add_method(e.c, CF_ACC_NATIVE | CF_ACC_STATIC, "f", ints(255));
    bci_add_method(e.c, CF_ACC_NATIVE, "g", ints(254));
    e = again(e);
    m = bci_find_method(e.c, "f", NULL);
    bci_set_method_access(m, CF_ACC_NATIVE);
    refused(e, "more than 255 argument slots");
    for (unsigned op = CF_OP_INVOKEVIRTUAL; op <= CF_OP_INVOKEINTERFACE; op++) {
        e = calling();
        BciPos at = bci_entry(method(e, "f"));
        if (op != CF_OP_INVOKESTATIC) bci_op(at, CF_OP_ACONST_NULL);
        for (int k = 0; k < 255; k++) bci_int(at, 0);
        bci_invoke(at, op, "t/T", "g", ints(255));
        if (op == CF_OP_INVOKESTATIC) drop(again(e));
        else refused(e, "a call with more than 255 argument slots");
    }
}

/* ---- texts ---- */

static void add_field(BciClass *c, const char *s) { bci_add_field(c, CF_ACC_STATIC, s, "I"); }
static void add_method(BciClass *c, const char *s) { bci_add_method(c, CF_ACC_NATIVE, s, "()V"); }
static void rename_it(BciClass *c, const char *s) { bci_rename_method(bci_method(c, 0), s); }
static void field_of(BciClass *c, const char *s) { bci_cp_field(c, "a/B", s, "I"); }
static void method_of(BciClass *c, const char *s) { bci_cp_method(c, "a/B", s, "()V", false); }
static void dynamic(BciClass *c, const char *s) { bci_cp_invoke_dynamic(c, 0, s, "()V"); }
static void field_desc(BciClass *c, const char *s) { bci_add_field(c, CF_ACC_STATIC, "x", s); }
static void field_of_desc(BciClass *c, const char *s) { bci_cp_field(c, "a/B", "x", s); }
static void method_desc(BciClass *c, const char *s) { bci_add_method(c, CF_ACC_NATIVE, "x", s); }
static void method_of_desc(BciClass *c, const char *s) { bci_cp_method(c, "a/B", "x", s, true); }
static void method_type(BciClass *c, const char *s) { bci_cp_method_type(c, s); }
static void init_desc(BciClass *c, const char *s) { bci_add_method(c, 0, "<init>", s); }
static void class_const(BciClass *c, const char *s) { bci_cp_class(c, s); }
static void owner(BciClass *c, const char *s) { bci_cp_field(c, s, "x", "I"); }
static void interface_of(BciClass *c, const char *s) { bci_add_interface(c, s); }
static void utf8(BciClass *c, const char *s) { bci_cp_utf8(c, s); }
static void string(BciClass *c, const char *s) { bci_cp_string(c, s); }
static void inserted(BciClass *c, const char *s) { bci_string(bci_entry(bci_code(bci_method(c, 0))), s); }
static void attribute(BciClass *c, const char *s) { bci_method_attribute(bci_method(c, 0), s, "", 0); }

static void bad_texts(void) {
    static const struct {
        void (*how)(BciClass *c, const char *s);
        const char *text, *says;
    } rows[] = {
        {add_field, "a;b", "is no name of a field"},
        {add_field, "", "is no name of a field"},
        {add_method, "a;b", "is no name of a method"},
        {add_method, "<x>", "is no name of a method"},
        {rename_it, "a/b", "is no name of a method"},
        {field_of, "a.b", "is no name of a field"},
        {method_of, "[", "is no name of a method"},
        {dynamic, "<run>", "is no name of a method"},
        {field_desc, "X", "bad descriptor X"},
        {field_desc, "", "bad descriptor "},
        {field_of_desc, "Q", "bad descriptor Q"},
        {field_of_desc, "La/B", "bad descriptor"},
        {method_desc, "(V)V", "bad descriptor"},
        {method_of_desc, "I", "bad descriptor"},
        {method_type, "()", "bad descriptor"},
        {init_desc, "()I", "bad descriptor"},
        {class_const, "a.b.C", "\"a.b.C\" is no class name"},
        {class_const, "La/B;", "is no class name"},
        {owner, "a//B", "is no class name"},
        {interface_of, "[La/B;", "is no class name"},
        {utf8, "\xf0\x9f\x98\x80", "not modified UTF-8"},
        {string, "\xff", "not modified UTF-8"},
        {inserted, "\xc3", "not modified UTF-8"},
        {add_field, "\xf0\x9f\x98\x80", "not modified UTF-8"},
        {attribute, "\x80", "not modified UTF-8"},
        {rename_it, "\x80", "not modified UTF-8"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Edit e = calling();
        rows[k].how(e.c, rows[k].text);
        refused(e, rows[k].says);
    }
    static char huge[70000];
    memset(huge, 'x', sizeof huge - 1);
    void (*const names[])(BciClass *, const char *) = {add_field,   add_method, rename_it, field_of, method_of, dynamic,
                                                       class_const, owner,      utf8,      string,   attribute};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        Edit e = calling();
        bci_cp_name_type(e.c, "x", "I"); /* nothing else of a reference is new */
        bci_cp_class(e.c, "a/B");
        names[k](e.c, huge);
        fails(e, CF_ERR_LIMIT, "a string of 69999 bytes is too long for the constant pool");
    }
    Edit e = calling();
    CHECK(bci_cp_class(e.c, "[[I") && bci_cp_method(e.c, "[La/B;", "clone", "()Ljava/lang/Object;", false));
    CHECK(bci_cp_string(e.c, "\xed\xa0\xbd\xed\xb8\x80") && bci_cp_name_type(e.c, "a-b", "()V"));
    CHECK(bci_cp_name_type(e.c, "<init>", "(J)V") && bci_cp_method(e.c, "a/B", "<init>", "()V", false));
    drop(again(e));
}

/* ---- rows ---- */

static void variables_have_slots(void) {
    static const struct {
        const char *name, *desc;
        uint32_t slot;
        const char *says;
    } rows[] = {
        {"v", "I", 70000, "add_var: there is no local variable 70000 for v"},
        {"v", "I", 2, "there is no local variable 2"},
        {"v", "J", 1, "there is no local variable 1"},
        {"v", "I", UINT32_MAX, "there is no local variable"},
        {"v", "", 0, "bad descriptor"},
        {"a;b", "I", 0, "is no name"},
        {"v", "J", 0, NULL},
        {"v", "I", 1, NULL},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Edit e = calling();
        BciCode *code = method(e, "f");
        bci_new_local(code, 'J');
        bci_add_var(code, bci_label_of(code, bci_first_insn(code)), bci_as_label(bci_last(code)), rows[k].name, rows[k].desc,
                    rows[k].slot);
        if (rows[k].says) refused(e, rows[k].says);
        else drop(again(e));
    }
}

static void ranges_have_a_direction(void) {
    for (int how = 0; how < 3; how++) {
        Edit e = calling();
        BciCode *code = method(e, "f");
        BciInsn *call = bci_find_op(bci_first_insn(code), CF_OP_INVOKEINTERFACE);
        BciLabel *a = bci_label_of(code, call), *b = bci_label_of(code, bci_next(call));
        BciPos at = bci_end(code);
        BciLabel *handler = bci_label_here(at);
        bci_op(at, CF_OP_ATHROW);
        bci_add_try(code, how == 0 ? b : a, how == 2 ? b : a, handler, NULL, false);
        if (how == 2) { /* what it covered goes; the null is taken behind it */
            bci_op(bci_before(code, bci_next(call)), CF_OP_POP);
            bci_delete(code, call);
        }
        if (how == 0) {
            refused(e, "exception row 0 ends in front of its start");
            continue;
        }
        e = again(e); /* covers nothing: left out */
        CHECK(bci_try_count(method(e, "f")) == 0);
        drop(e);
    }
}

static void arrays_have_dimensions(void) {
    for (unsigned dims = 1; dims <= 3; dims++) {
        Edit e = calling();
        BciPos at = bci_entry(method(e, "f"));
        for (unsigned k = 0; k < dims; k++) bci_int(at, 1);
        bci_multi_array(at, "[[I", dims);
        bci_op(at, CF_OP_POP);
        if (dims == 3) refused(e, "bci_multi_array");
        else drop(again(e));
    }
}

int main(void) {
    count_follows_index();
    deleted_has_no_offset();
    nothing_to_change();
    no_new_subroutines();
    letters_of_new_locals();
    bodies_are_there();
    names_are_taken();
    attributes_once();
    arguments_fit();
    bad_texts();
    variables_have_slots();
    ranges_have_a_direction();
    arrays_have_dimensions();
    return cf_test_end();
}
