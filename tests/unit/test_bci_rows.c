/* SPDX-License-Identifier: Apache-2.0 */
/* test_bci_rows - line and variable rows of methods in which code was deleted, or that got rows of their own. */
#include "edited_class.h"

/* static void f(int i) with that code, in which each of `n` rows of a table is `row` bytes. */
static Edit made(const uint8_t *code, uint32_t len, const char *table, const uint8_t *rows, unsigned n, unsigned row,
                 unsigned split) {
    CfArena a;
    CfWriter w, t;
    cf_arena_init(&a, "test", 0);
    cf_w_init(&w);
    cf_w_init(&t);
    CfClass *c = cf_class_new(&a, 61, CF_ACC_PUBLIC | CF_ACC_SUPER, CF_STR("t/T"), CF_STR("java/lang/Object"));
    CfMember *m = cf_add_method(c, CF_ACC_STATIC, CF_STR("f"), CF_STR("(I)V"));
    CfCode body = {.max_stack = 2, .max_locals = 3, .code_len = len, .code = code};
    CHECK(cf_add_utf8(c, CF_STR("v")) == 7 && cf_add_utf8(c, CF_STR("I")) == 8);
    for (unsigned k = 0; k < n; k += split) { /* `split` rows in each attribute */
        t.len = 0;
        cf_w_u2(&t, n - k < split ? n - k : split);
        cf_w_bytes(&t, rows + k * row, (n - k < split ? n - k : split) * row);
        CHECK(cf_attr_append(c, &body.attrs, table, t.data, t.len) == CF_OK);
    }
    CHECK(cf_code_set(c, m, &body, NULL) == CF_OK && cf_write(c, &w, NULL) == CF_OK);
    cf_arena_free(&a);
    cf_w_free(&t);
    return open_made(w.data, w.len);
}

static const uint8_t five_nops[] = {0, 0, 0, 0, 0, CF_OP_RETURN};

/* Lines: (pc, line), two bytes each. */
static Edit lined(const uint8_t *rows, unsigned n, unsigned split) {
    return made(five_nops, sizeof five_nops, "LineNumberTable", rows, n, 4, split);
}
#define ROW(pc, line) 0, pc, 0, line

/* What is written: "pc:line ", a bar where an attribute ends. */
static void lines_are(Edit e, const char *want) {
    char got[200] = "";
    CfArena a;
    CfCode code;
    e = again(e);
    cf_arena_init(&a, "test", 0);
    const CfClass *c = bci_model(e.c);
    CHECK(cf_code(c, &c->methods[0], &a, &code, NULL) == CF_OK);
    for (unsigned k = 0; k < code.attrs.count; k++) {
        CfRows t;
        if (code.attrs.v[k].kind != CF_ATTR_LINE_NUMBER_TABLE || cf_lines(&code.attrs.v[k], &t, NULL) != CF_OK) continue;
        for (uint32_t i = 0; i < t.count; i++) {
            uint16_t pc, line;
            cf_line(&t, i, &pc, &line);
            snprintf(got + strlen(got), sizeof got - strlen(got), "%u:%u ", pc, line);
        }
        strcat(got, "|");
    }
    CHECK_TEXT(got, want);
    cf_arena_free(&a);
    drop(e);
}

/* ---- lines ---- */

static const uint8_t three_lines[] = {ROW(0, 10), ROW(2, 11), ROW(4, 12)};

static void deleted_lines_go(void) {
    Edit e = lined(three_lines, 3, 3);
    bci_delete_range(e.code, bci_insn_at(e.code, 2), bci_insn_at(e.code, 3));
    lines_are(e, "0:10 2:12 |");
    e = lined(three_lines, 3, 3);
    bci_delete_range(e.code, bci_insn_at(e.code, 0), bci_insn_at(e.code, 3));
    lines_are(e, "0:12 |");
    e = lined(three_lines, 3, 2);
    bci_delete_range(e.code, bci_insn_at(e.code, 2), bci_insn_at(e.code, 3));
    lines_are(e, "0:10 |2:12 |");
    e = lined(three_lines, 3, 3); /* what stays of a line keeps it */
    bci_delete(e.code, bci_insn_at(e.code, 2));
    lines_are(e, "0:10 2:11 3:12 |");
    e = lined(three_lines, 3, 3); /* and so does what stands instead */
    bci_op(bci_replace(e.code, bci_insn_at(e.code, 2)), CF_OP_NOP);
    bci_delete(e.code, bci_insn_at(e.code, 3));
    lines_are(e, "0:10 2:11 3:12 |");
    e = lined((const uint8_t[]){ROW(4, 12), ROW(2, 11), ROW(0, 10)}, 3, 3); /* rows may have any order */
    bci_delete_range(e.code, bci_insn_at(e.code, 2), bci_insn_at(e.code, 3));
    lines_are(e, "2:12 0:10 |");
}

static void dead_lines_go(void) {
    Edit e = lined(three_lines, 3, 3);
    bci_jump(bci_before(e.code, bci_insn_at(e.code, 2)), CF_OP_GOTO, bci_label_of(e.code, bci_insn_at(e.code, 4)));
    lines_are(e, "0:10 2:11 5:12 |");
}

/* Rows of the input at one place stay as they are, in all their attributes. */
static void shared_places_stay(void) {
    static const uint8_t rows[] = {ROW(0, 10), ROW(0, 20), ROW(2, 11), ROW(2, 21), ROW(4, 12), ROW(2, 31)};
    Edit e = lined(rows, 6, 6);
    bci_delete(e.code, bci_insn_at(e.code, 5 - 1));
    lines_are(e, "0:10 0:20 2:11 2:21 4:12 2:31 |");
    e = lined(rows, 6, 3);
    bci_delete_range(e.code, bci_insn_at(e.code, 0), bci_insn_at(e.code, 1));
    lines_are(e, "0:11 |0:21 2:12 0:31 |");
    e = lined(rows, 6, 3); /* a new one replaces them */
    bci_add_line(e.code, bci_label_of(e.code, bci_insn_at(e.code, 2)), 99);
    lines_are(e, "0:10 0:20 2:99 |4:12 |");
}

static void added_lines_hold(void) {
    Edit e = lined(three_lines, 3, 3);
    BciLabel *l = bci_label_of(e.code, bci_insn_at(e.code, 2));
    bci_add_line(e.code, l, 98);
    bci_add_line(e.code, l, 99);
    CHECK(bci_line_count(e.code) == 3);
    lines_are(e, "0:10 2:99 4:12 |");
    e = lined(three_lines, 3, 3);
    BciPos at = bci_before(e.code, bci_insn_at(e.code, 2));
    l = bci_label_here(at);
    bci_op(at, CF_OP_NOP);
    bci_add_line(e.code, l, 99);
    lines_are(e, "0:10 5:12 2:99 |");
    e = lined(three_lines, 3, 3);
    at = bci_after(e.code, bci_insn_at(e.code, 1));
    l = bci_label_here(at);
    bci_op(at, CF_OP_NOP);
    bci_add_line(e.code, l, 99);
    lines_are(e, "0:10 3:11 5:12 2:99 |");
}

/* The code at the entry has the line of pc 0, or one of its own, and that of pc 0 begins behind it. */
static void lines_at_the_entry(void) {
    for (int how = 0; how < 6; how++) {
        static const char *const want[] = {"0:10 4:11 6:12 |", "4:11 6:12 0:99 2:10 |", "0:10 4:11 6:12 1:99 2:10 |",
                                           "0:99 4:11 6:12 |", "2:10 4:11 6:12 0:99 |", "0:10 4:11 6:12 2:99 |"};
        Edit e = lined(three_lines, 3, 3);
        if (how == 3) /* given to the instruction before the entry is used */
            bci_add_line(e.code, bci_label_of(e.code, bci_insn_at(e.code, 0)), 99);
        BciPos at = bci_entry(e.code);
        BciLabel *l = how == 1 ? bci_label_here(at) : NULL;
        BciInsn *first = bci_op(at, CF_OP_NOP);
        l = how == 2 ? bci_label_here(at) : l;
        bci_op(at, CF_OP_NOP);
        if (how == 1 || how == 2) bci_add_line(e.code, l, 99);
        else if (how == 4) /* the label that bci_entry has made */ bci_add_line(e.code, bci_label_of(e.code, first), 99);
        else if (how == 5) bci_add_line(e.code, bci_label_of(e.code, bci_insn_at(e.code, 0)), 99);
        lines_are(e, want[how]);
    }
}

/* ---- variables ---- */

#define VAR(pc, length, slot) 0, pc, 0, length, 0, 7, 0, 8, 0, slot

static void vars_are(Edit e, uint32_t n) {
    e = again(e); /* which checks that there are no duplicates */
    CHECK(bci_var_count(e.code) == n);
    drop(e);
}

/* One row for each variable (4.7.13). */
static void equal_variables_are_one(void) {
    static const uint8_t empty[] = {VAR(1, 0, 1), VAR(2, 0, 1), VAR(2, 0, 2)},
                         overlap[] = {VAR(0, 3, 1), VAR(1, 2, 1), VAR(2, 1, 1)};
    for (unsigned split = 1; split <= 3; split += 2) {
        Edit e = made(five_nops, sizeof five_nops, "LocalVariableTable", empty, 3, 10, split);
        bci_op(bci_before(e.code, bci_insn_at(e.code, 4)), CF_OP_NOP);
        bci_mark_changed(e.code);
        vars_are(e, 3);
        e = made(five_nops, sizeof five_nops, "LocalVariableTable", empty, 3, 10, split);
        bci_delete(e.code, bci_insn_at(e.code, 1));
        vars_are(e, 2);
        e = made(five_nops, sizeof five_nops, "LocalVariableTable", overlap, 3, 10, split);
        bci_delete(e.code, bci_insn_at(e.code, 0));
        vars_are(e, 2);
        e = made(five_nops, sizeof five_nops, "LocalVariableTable", overlap, 3, 10, split);
        bci_delete_range(e.code, bci_insn_at(e.code, 0), bci_insn_at(e.code, 1));
        vars_are(e, 1);
    }
}

int main(void) {
    deleted_lines_go();
    dead_lines_go();
    shared_places_stay();
    added_lines_hold();
    lines_at_the_entry();
    equal_variables_are_one();
    return cf_test_end();
}
