/* SPDX-License-Identifier: Apache-2.0 */
/* test_bci_edit - the editor on classes made by itself: what is inserted where, tables, layout, errors. */
#include <stdlib.h>

#include "bci.h"

static int failures;
#define CHECK(x) ((x) ? (void)0 : (failures++, printf("%s:%d: %s\n", __func__, __LINE__, #x), (void)0))

typedef struct Bytes {
    uint8_t *p;
    size_t n;
} Bytes;

/* ---- making classes ---- */

static Bytes empty_class(unsigned major, const char *name) {
    CfArena a;
    cf_arena_init(&a, "test", 0);
    CfClass *c = cf_class_new(&a, major, CF_ACC_PUBLIC | CF_ACC_SUPER, cf_str(name), CF_STR("java/lang/Object"));
    CfWriter w;
    cf_w_init(&w);
    CHECK(c && cf_write(c, &w, NULL) == CF_OK);
    cf_arena_free(&a);
    return (Bytes){w.data, w.len};
}

static BciClass *open_bytes(Bytes b, const BciOptions *opt) {
    CfError err;
    cf_err_clear(&err);
    BciClass *c = bci_open(b.p, b.n, opt, &err);
    if (!c) printf("open: %s: %s\n", err.where, err.text);
    CHECK(c);
    return c;
}

/* Writes and closes; frees `old`. */
static Bytes finish(BciClass *c, Bytes old) {
    CfError err;
    Bytes b = {0};
    cf_err_clear(&err);
    if (bci_write(c, NULL, NULL, &b.p, &b.n, &err) != CF_OK) printf("write: %s: %s\n", err.where, err.text);
    CHECK(b.p);
    bci_close(c);
    free(old.p);
    return b;
}

/* static int f(int n) { int s = 0; while (n > 0) { try { s += n; n--; } catch (RuntimeException e) { return -1; } } return s; } */
static void make_loop(BciClass *c) {
    BciMethod *m = bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC, "f", "(I)I");
    BciCode *code = bci_code(m);
    uint32_t s = bci_new_local(code, 'I');
    BciPos at = bci_end(code);
    BciLabel *loop = bci_new_label(code), *out = bci_new_label(code);
    bci_int(at, 0);
    bci_store(at, 'I', s);
    bci_place(at, loop);
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFLE, out);
    BciLabel *start = bci_label_here(at);
    bci_load(at, 'I', s);
    bci_load(at, 'I', 0);
    bci_op(at, CF_OP_IADD);
    bci_store(at, 'I', s);
    bci_iinc(at, 0, -1);
    BciLabel *end = bci_label_here(at);
    bci_jump(at, CF_OP_GOTO, loop);
    BciLabel *handler = bci_label_here(at);
    bci_op(at, CF_OP_POP);
    bci_int(at, -1);
    bci_return(at);
    bci_place(at, out);
    bci_load(at, 'I', s);
    bci_return(at);
    bci_add_try(code, start, end, handler, "java/lang/RuntimeException", false);
    bci_add_line(code, loop, 10);
    bci_add_line(code, start, 11);
    bci_add_line(code, out, 12);
    bci_add_var(code, loop, out, "s", "I", s);
}

static Bytes loop_class(unsigned major) {
    Bytes b = empty_class(major, "t/Loop");
    BciClass *c = open_bytes(b, NULL);
    make_loop(c);
    return finish(c, b);
}

static BciCode *loop_code(BciClass *c) {
    BciCode *code = bci_code(bci_find_method(c, "f", NULL));
    CHECK(code);
    return code;
}

static uint32_t count_op(BciCode *code, unsigned op) {
    uint32_t n = 0;
    for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i)) n += i->op == op;
    return n;
}

static uint32_t count_frames(const CfClass *c, const char *method) {
    CfArena a;
    CfCode code;
    CfMapIter it;
    CfMapFrame f;
    uint32_t n = 0;
    cf_arena_init(&a, "test", 0);
    CHECK(cf_code(c, cf_find_method(c, cf_str(method), (CfStr){0}), &a, &code, NULL) == CF_OK);
    CHECK(cf_map_start(cf_attr(&code.attrs, CF_ATTR_STACK_MAP_TABLE), &it, NULL) == CF_OK);
    int rc;
    while ((rc = cf_map_next(&it, &f)) > 0) n++;
    CHECK(rc == 0);
    cf_arena_free(&a);
    return n;
}

/* ---- tests ---- */

static void built_code_reads_back(void) {
    Bytes b = loop_class(61);
    BciClass *c = open_bytes(b, NULL);
    BciCode *code = loop_code(c);
    CHECK(bci_max_locals(code) == 2);
    CHECK(count_frames(bci_model(c), "f") == 3); /* loop, handler, out */
    CHECK(bci_try_count(code) == 1 && bci_line_count(code) == 3 && bci_var_count(code) == 1);
    CHECK(!strcmp(bci_var(code, 0)->name, "s"));
    CHECK(bci_first_insn(code)->op == CF_OP_ICONST_0);
    CHECK(bci_insn_at(code, 2)->line == 10 && bci_insn_at(code, 6)->line == 11);
    CHECK(!bci_changed(c));
    uint8_t *out;
    size_t n;
    CHECK(bci_write(c, NULL, NULL, &out, &n, NULL) == CF_OK && n == b.n && !memcmp(out, b.p, n));
    free(out);
    bci_close(c);
    free(b.p);
}

static void rewritten_code_is_the_same(BciFrames frames) {
    Bytes b = loop_class(61);
    BciOptions opt = {.frames = frames};
    BciClass *c = open_bytes(b, &opt);
    bci_mark_changed(loop_code(c));
    uint8_t *out;
    size_t n;
    CHECK(bci_write(c, NULL, NULL, &out, &n, NULL) == CF_OK && n == b.n && !memcmp(out, b.p, n));
    free(out);
    bci_close(c);
    free(b.p);
}

static void entry_is_run_once(void) {
    Bytes b = loop_class(61);
    BciClass *c = open_bytes(b, NULL);
    BciCode *code = loop_code(c);
    BciInsn *a = bci_op(bci_entry(code), CF_OP_NOP);
    BciInsn *d = bci_op(bci_entry(code), CF_OP_NOP);
    CHECK(bci_next(a) == d && bci_first_insn(code) == a);
    b = finish(c, b);
    c = open_bytes(b, NULL);
    code = loop_code(c);
    CHECK(bci_first_insn(code)->op == CF_OP_NOP);
    CHECK(bci_insn_at(code, 4)->line == 10); /* lines moved by two */
    CHECK(bci_try(code, 0)->start == bci_as_label(bci_insn_at(code, 8)->prev));
    bci_close(c);
    free(b.p);
}

static void before_is_reached_by_branches(void) {
    Bytes b = loop_class(61);
    BciClass *c = open_bytes(b, NULL);
    BciCode *code = loop_code(c);
    BciInsn *load = bci_insn_at(code, 2);
    bci_iinc(bci_before(code, load), 0, 0);
    bci_op(bci_after(code, bci_prev(load)), CF_OP_NOP);
    BciInsn *go = bci_find_op(load, CF_OP_GOTO);
    CHECK(bci_next(&go->target->node)->op == CF_OP_IINC);
    b = finish(c, b);
    free(b.p);
}

static void emit_nop(BciPos at, BciInsn *site, void *arg) {
    (*(int *)arg)++;
    bci_op(at, CF_OP_NOP);
}

static void all_exits(void) {
    Bytes b = loop_class(61);
    BciClass *c = open_bytes(b, NULL);
    BciCode *code = loop_code(c);
    int returns = 0, throws = 0;
    bci_op(bci_entry(code), CF_OP_NOP);
    bci_each_return(code, emit_nop, &returns);
    CHECK(bci_on_throw(code, emit_nop, &throws));
    CHECK(returns == 2 && throws == 1);
    b = finish(c, b);
    c = open_bytes(b, NULL);
    code = loop_code(c);
    CHECK(bci_try_count(code) == 3); /* the old one, and two runs */
    CHECK(bci_try(code, 0)->type != 0 && bci_try(code, 1)->type == 0);
    CHECK(bci_try(code, 1)->handler == bci_try(code, 2)->handler);
    CHECK(bci_next(&bci_try(code, 1)->handler->node)->op == CF_OP_NOP);
    CHECK(bci_try(code, 1)->start == bci_as_label(bci_insn_at(code, 1)->prev));
    CHECK(count_op(code, CF_OP_ATHROW) == 1 && count_op(code, CF_OP_NOP) == 4);
    bci_close(c);
    free(b.p);
}

static void edges_and_new_locals(void) {
    Bytes b = loop_class(61);
    BciClass *c = open_bytes(b, NULL);
    BciCode *code = loop_code(c);
    uint32_t j = bci_new_local(code, 'J'), i = bci_new_local(code, 'I');
    CHECK(j == 2 && i == 4);
    bci_long(bci_entry(code), 1L << 40);
    bci_store(bci_entry(code), 'J', j);
    bci_int(bci_entry(code), 100000);
    bci_store(bci_entry(code), 'I', i);
    BciInsn *cond = bci_find_op(bci_first_insn(code), CF_OP_IFLE);
    BciLabel *to = cond->target;
    bci_iinc(bci_on_edge(code, cond, to), i, 1);
    bci_iinc(bci_on_edge(code, cond, to), i, 1000); /* the same edge again */
    bci_iinc(bci_on_edge(code, cond, NULL), i, 3);
    b = finish(c, b);
    c = open_bytes(b, NULL);
    code = loop_code(c);
    CHECK(bci_max_locals(code) == 5);
    cond = bci_find_op(bci_first_insn(code), CF_OP_IFLE);
    BciInsn *first = bci_next(&cond->target->node);
    CHECK(first->op == CF_OP_IINC && first->value == 1);
    CHECK(bci_next(first)->value == 1000 && (bci_next(first)->flags & BCI_F_WIDE));
    CHECK(bci_next(bci_next(first))->op == CF_OP_GOTO);
    CHECK(bci_next(cond)->op == CF_OP_IINC && bci_next(cond)->value == 3);
    CHECK(count_frames(bci_model(c), "f") == 4);
    bci_close(c);
    free(b.p);
}

/* A branch's own field names the edge also when the edge has code already; a deleted instruction stays deleted when
 * something is inserted where it stood, also at a position taken before. */
static void edges_again(void) {
    Bytes b = loop_class(61);
    BciClass *c = open_bytes(b, NULL);
    BciCode *code = loop_code(c);
    BciInsn *cond = bci_find_op(bci_first_insn(code), CF_OP_IFLE);
    for (int k = 1; k <= 3; k++) bci_iinc(bci_on_edge(code, cond, cond->target), 0, k);
    const BciInsn *first = bci_next(&cond->target->node);
    for (int k = 1; k <= 3; k++, first = bci_next(first)) CHECK(first->op == CF_OP_IINC && first->value == k);
    CHECK(first->op == CF_OP_GOTO && bci_next(&first->target->node)->op == CF_OP_ILOAD_1);
    free(finish(c, b).p);
}

static void inserting_where_deleted(void) {
    Bytes b = loop_class(61);
    BciClass *c = open_bytes(b, NULL);
    BciCode *code = loop_code(c);
    BciInsn *inc = bci_find_op(bci_first_insn(code), CF_OP_IINC), *store = bci_prev(inc);
    BciPos before = bci_before(code, inc);
    bci_delete(code, inc);
    bci_iinc(before, 0, -2);
    bci_iinc(bci_before(code, inc), 0, -3);
    bci_iinc(bci_after(code, inc), 0, -4);
    BciLabel *l = bci_new_label(code);
    bci_place(before, l);
    CHECK(l->node.prev->value == -4 || l->node.prev->prev->value == -4);
    BciInsn *next = bci_next(store);
    bci_delete(code, store);
    bci_op(bci_before(code, next), CF_OP_POP);
    CHECK(next->value == -2 && bci_prev(next)->op == CF_OP_POP);
    b = finish(c, b);
    c = open_bytes(b, NULL);
    int n = 0, by[4] = {0};
    for (BciInsn *i = bci_first_insn(loop_code(c)); i; i = bci_next(i))
        if (i->op == CF_OP_IINC && n < 4) by[n++] = i->value;
    CHECK(n == 3 && by[0] == -2 && by[1] == -3 && by[2] == -4);
    bci_close(c);
    free(b.p);
}

/* 12,000 three-byte instructions between a conditional branch and its target. */
static void far_branches(void) {
    Bytes b = loop_class(61);
    BciClass *c = open_bytes(b, NULL);
    BciCode *code = loop_code(c);
    BciInsn *inc = bci_find_op(bci_first_insn(code), CF_OP_IINC);
    for (int k = 0; k < 12000; k++) bci_iinc(bci_after(code, inc), 0, 0);
    b = finish(c, b);
    c = open_bytes(b, NULL);
    code = loop_code(c);
    BciInsn *cond = bci_find_op(bci_first_insn(code), CF_OP_IFGT);
    CHECK(cond && bci_next(cond)->op == CF_OP_GOTO_W);
    CHECK(cond && bci_next(&cond->target->node) == bci_next(bci_next(cond)));
    CHECK(count_op(code, CF_OP_GOTO_W) == 2 && count_op(code, CF_OP_GOTO) == 0);
    CHECK(count_frames(bci_model(c), "f") == 4);
    bci_close(c);
    free(b.p);
}

/* What a class of an older version may hold, but not its instructions name (4.4, table 4.4-C; 4.9.1). */
static void older_versions(void) {
    static const char *const want[] = {
        "ldc of a constant of kind Class needs class version 49, this is 48",
        "invokestatic of a constant of kind InterfaceMethodref needs class version 52, this is 48"};
    Bytes from = empty_class(61, "t/New"), b;
    BciClass *c = open_bytes(from, NULL);
    for (int how = 0; how < 2; how++) {
        char name[] = {'m', (char)('0' + how), 0};
        BciPos at = bci_end(bci_code(bci_add_method(c, CF_ACC_STATIC, name, "()V")));
        if (how) bci_invoke_itf(at, CF_OP_INVOKESTATIC, "t/I", "f", "()V");
        else bci_ldc_class(at, "t/I"), bci_op(at, CF_OP_POP);
        bci_return(at);
    }
    from = finish(c, from);
    BciClass *newer = open_bytes(from, NULL);
    for (int how = 0; how < 4; how++) {
        CfError err;
        cf_err_clear(&err);
        b = empty_class(48, "t/Old");
        c = open_bytes(b, NULL);
        char name[] = {'m', (char)('0' + how % 2), 0};
        if (how < 2) {
            CHECK(!bci_copy_method(c, bci_find_method(newer, name, NULL), NULL));
        } else {
            BciPos at = bci_end(bci_code(bci_add_method(c, CF_ACC_STATIC, name, "()V")));
            CHECK(!(how % 2 ? bci_invoke_itf(at, CF_OP_INVOKESTATIC, "t/I", "f", "()V") : bci_ldc(at, bci_cp_class(c, "t/I"))));
        }
        CHECK(bci_method_error(bci_find_method(c, name, NULL), &err) == CF_ERR_USAGE && strstr(err.text, want[how % 2]));
        bci_close(c);
        free(b.p);
    }
    bci_close(newer);
    free(from.p);
}

/* A class that could not be opened is accepted by what a caller would do next, and the first error stays. */
static void no_class(void) {
    CfError err, other;
    uint8_t *out;
    size_t n;
    cf_err_clear(&err);
    cf_err_clear(&other);
    BciClass *c = bci_open((const uint8_t *)"no class", 8, NULL, &err);
    CHECK(!c && bci_method_count(c) == 0 && !bci_method(c, 0) && !bci_find_method(c, "f", NULL));
    bci_op(bci_entry(bci_code(bci_find_method(c, "f", NULL))), CF_OP_NOP);
    CHECK(bci_method_error(bci_find_method(c, "f", NULL), &other) == CF_ERR_USAGE);
    CHECK(bci_write(c, NULL, NULL, &out, &n, &err) == CF_ERR_FORMAT && !out && strstr(err.text, "agic"));
    bci_close(c);
}

static void emit_once(BciPos at, BciInsn *site, void *arg) {
    CHECK(at.code);
    ++*(int *)arg;
    bci_op(at, CF_OP_BIPUSH); /* a usage error: has an operand */
}

/* Who emits code is not asked any more when the method has failed. */
static void failed_methods_are_left(void) {
    Bytes b = loop_class(61);
    for (int how = 0; how < 2; how++) {
        BciClass *c = open_bytes(b, NULL);
        BciCode *code = loop_code(c);
        int asked = 0;
        CHECK(bci_find_op(bci_next(bci_find_op(bci_first_insn(code), CF_OP_IRETURN)), CF_OP_IRETURN));
        if (how) bci_each_return(code, emit_once, &asked);
        CHECK(how || !bci_on_throw(code, emit_once, &asked));
        CHECK(how == 0 || !bci_on_throw(code, emit_once, &asked));
        CHECK(asked == 1);
        bci_close(c);
    }
    free(b.p);
    CHECK(!bci_method_name(NULL) && !bci_method_desc(NULL) && bci_method_index(NULL) == -1 &&
          bci_param_slot(NULL, 0, NULL) == -1);
    CHECK(!strcmp(bci_return_desc(NULL), "V") && !bci_outlined(NULL) && !bci_method_class(NULL) && !bci_method_access(NULL));
}

static void too_large(bool skip) {
    Bytes b = loop_class(61);
    BciOptions opt = {.flags = skip ? BCI_SKIP_FAILED : 0};
    BciClass *c = open_bytes(b, &opt);
    BciCode *code = loop_code(c);
    CfError err;
    cf_err_clear(&err);
    for (int k = 0; k < 22000; k++) bci_iinc(bci_entry(code), 0, 0);
    uint8_t *out;
    size_t n;
    CfErrCode rc = bci_write(c, NULL, NULL, &out, &n, &err);
    if (skip) {
        CHECK(rc == CF_OK && n == b.n && !memcmp(out, b.p, n));
        CHECK(bci_method_error(bci_find_method(c, "f", NULL), &err) == CF_ERR_LIMIT);
    } else {
        CHECK(rc == CF_ERR_LIMIT && !out);
    }
    CHECK(strstr(err.text, "method f(I)I in class t/Loop") && strstr(err.text, "660"));
    free(out);
    bci_close(c);
    free(b.p);
}

static void switches(void) {
    Bytes b = empty_class(61, "t/Sw");
    BciClass *c = open_bytes(b, NULL);
    static const int32_t dense[] = {3, 4, 6}, sparse[] = {-100000, 7, 1 << 30};
    for (int pad = 0; pad < 4; pad++) {
        char name[] = {'s', (char)('0' + pad), 0};
        BciCode *code = bci_code(bci_add_method(c, CF_ACC_STATIC, name, "(I)I"));
        BciPos at = bci_end(code);
        BciLabel *l[4];
        for (int k = 0; k < 4; k++) l[k] = bci_new_label(code);
        for (int k = 0; k < pad; k++) bci_op(at, CF_OP_NOP);
        bci_load(at, 'I', 0);
        bci_switch(at, pad & 1 ? dense : sparse, l, 3, l[3]);
        for (int k = 0; k < 4; k++) {
            bci_place(at, l[k]);
            bci_int(at, k);
            bci_return(at);
        }
    }
    b = finish(c, b);
    c = open_bytes(b, NULL);
    for (int pad = 0; pad < 4; pad++) {
        char name[] = {'s', (char)('0' + pad), 0};
        BciCode *code = bci_code(bci_find_method(c, name, NULL));
        BciInsn *sw = bci_find_op(bci_first_insn(code), pad & 1 ? CF_OP_TABLESWITCH : CF_OP_LOOKUPSWITCH);
        CHECK(sw);
        if (!sw) continue;
        CHECK(sw->sw->n == (pad & 1 ? 4 : 3));
        CHECK(bci_next(&sw->sw->targets[1]->node)->op == CF_OP_ICONST_1);
        CHECK(bci_next(&sw->sw->deflt->node)->op == CF_OP_ICONST_3);
        bci_op(bci_on_case(code, sw, 1), CF_OP_NOP);
        bci_op(bci_on_edge(code, sw, sw->sw->targets[0]), CF_OP_NOP);
        BciLabel *common = sw->sw->deflt; /* the same edge, one case of which has code of its own */
        bci_iinc(bci_on_case(code, sw, sw->sw->n), 0, 7);
        bci_iinc(bci_on_edge(code, sw, common), 0, 8);
        bci_iinc(bci_on_edge(code, sw, sw->sw->deflt), 0, 9);
        bci_op(bci_entry(code), CF_OP_NOP); /* other padding */
    }
    b = finish(c, b);
    c = open_bytes(b, NULL);
    BciCode *code = bci_code(bci_find_method(c, "s1", NULL));
    BciInsn *sw = bci_find_op(bci_first_insn(code), CF_OP_TABLESWITCH);
    CHECK(bci_next(&sw->sw->targets[1]->node)->op == CF_OP_NOP);
    CHECK(sw->sw->targets[2] != sw->sw->deflt);
    const BciInsn *in = bci_next(&sw->sw->deflt->node), *edge = bci_next(&sw->sw->targets[2]->node);
    CHECK(in->value == 7 && bci_next(in)->op == CF_OP_GOTO && bci_next(&bci_next(in)->target->node) == edge);
    CHECK(edge->value == 8 && bci_next(edge)->value == 9 && bci_next(bci_next(edge))->op == CF_OP_GOTO);
    bci_close(c);
    free(b.p);
}

static void constructors(void) {
    Bytes b = empty_class(61, "t/Ctor");
    BciClass *c = open_bytes(b, NULL);
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_PUBLIC, "<init>", "(I)V"));
    BciPos at = bci_end(code);
    BciLabel *other = bci_new_label(code), *join = bci_new_label(code);
    bci_load(at, 'I', 1); /* super(); with a branch in front of it */
    bci_jump(at, CF_OP_IFEQ, other);
    bci_op(at, CF_OP_NOP);
    bci_jump(at, CF_OP_GOTO, join);
    bci_place(at, other);
    bci_new_object(at, "java/lang/Object"); /* a constructor call that is not ours */
    BciInsn *foreign = bci_invoke(at, CF_OP_INVOKESPECIAL, "java/lang/Object", "<init>", "()V");
    bci_op(at, CF_OP_POP);
    bci_place(at, join);
    bci_load(at, 'A', 0);
    BciInsn *super = bci_invoke(at, CF_OP_INVOKESPECIAL, "java/lang/Object", "<init>", "()V");
    bci_return(at);
    CHECK(bci_is_init_call(code, super) && !bci_is_init_call(code, foreign));
    int n = 0;
    CHECK(bci_entry_initialised(code).next == bci_next(super));
    emit_nop(bci_entry_initialised(code), NULL, &n);
    bci_each_return(code, emit_nop, &n);
    CHECK(bci_on_throw(code, emit_nop, &n) && n == 3);
    b = finish(c, b);
    c = open_bytes(b, NULL);
    code = bci_code(bci_find_method(c, "<init>", NULL));
    CHECK(bci_try_count(code) == 1);
    BciInsn *call = bci_prev(&bci_try(code, 0)->start->node);
    CHECK(call->op == CF_OP_INVOKESPECIAL && bci_is_init_call(code, call));
    CHECK(count_frames(bci_model(c), "<init>") == 3);
    bci_close(c);
    free(b.p);
}

static void members_and_pool(void) {
    Bytes b = loop_class(61);
    BciClass *c = open_bytes(b, NULL);
    uint32_t before = bci_model(c)->const_count;
    CHECK(bci_cp_class(c, "t/Loop") && bci_model(c)->const_count == before);
    CHECK(bci_add_field(c, CF_ACC_STATIC, "x", "J"));
    bci_add_interface(c, "java/io/Serializable");
    bci_add_interface(c, "java/io/Serializable");
    CHECK(bci_interface_count(c) == 1);
    BciPos at = bci_clinit_entry(c);
    bci_long(at, 5);
    bci_field(at, CF_OP_PUTSTATIC, "t/Loop", "x", "J");
    uint16_t h = bci_cp_method_handle(
        c, CF_REF_INVOKESTATIC,
        bci_cp_method(c, "java/lang/invoke/ConstantBootstraps", "nullConstant",
                      "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;", false));
    uint16_t row;
    CHECK(bci_add_bootstrap(c, h, NULL, 0, &row) && row == 0);
    BciInsn *ldc = bci_ldc(at, bci_cp_dynamic(c, row, "n", "Ljava/lang/Object;"));
    bci_op(at, CF_OP_POP);
    CHECK(ldc && ldc->op == CF_OP_LDC);
    b = finish(c, b);
    c = open_bytes(b, NULL);
    CHECK(bci_has_field(c, "x", "J") && bci_find_method(c, "<clinit>", "()V"));
    CHECK(!strcmp(bci_interface(c, 0), "java/io/Serializable"));
    CfBootstrap bs;
    CHECK(cf_bootstrap(bci_model(c), 0, &bs) && bs.args.count == 0);
    const char *owner, *name, *desc;
    BciInsn *put = bci_find_op(bci_first_insn(bci_code(bci_find_method(c, "<clinit>", NULL))), CF_OP_PUTSTATIC);
    CHECK(put && bci_cp_member_at(c, put->index, &owner, &name, &desc));
    CHECK(!strcmp(owner, "t/Loop") && !strcmp(name, "x") && !strcmp(desc, "J"));
    bci_close(c);
    free(b.p);
}

static void constants_are_small(void) {
    Bytes b = empty_class(61, "t/K");
    BciClass *c = open_bytes(b, NULL);
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_STATIC, "k", "()V"));
    BciPos at = bci_end(code);
    static const struct {
        int32_t v;
        unsigned op;
    } ints[] = {{-1, CF_OP_ICONST_M1}, {5, CF_OP_ICONST_5},    {6, CF_OP_BIPUSH},  {-128, CF_OP_BIPUSH},
                {128, CF_OP_SIPUSH},   {-32768, CF_OP_SIPUSH}, {32768, CF_OP_LDC}, {INT32_MIN, CF_OP_LDC}};
    for (size_t k = 0; k < sizeof ints / sizeof *ints; k++) CHECK(bci_int(at, ints[k].v)->op == ints[k].op);
    CHECK(bci_float(at, 2.0f)->op == CF_OP_FCONST_2 && bci_float(at, -0.0f)->op == CF_OP_LDC);
    CHECK(bci_double(at, 0.0)->op == CF_OP_DCONST_0 && bci_double(at, -0.0)->op == CF_OP_LDC2_W);
    CHECK(bci_long(at, 1)->op == CF_OP_LCONST_1 && bci_long(at, 1L << 33)->op == CF_OP_LDC2_W);
    for (int k = 0; k < 300; k++) bci_cp_int(c, 1000000 + k);
    CHECK(bci_int(at, 1000299)->op == CF_OP_LDC_W);
    bci_return(at);
    b = finish(c, b);
    c = open_bytes(b, NULL);
    CHECK(bci_insn_at(bci_code(bci_find_method(c, "k", NULL)), 2)->value == 6);
    bci_close(c);
    free(b.p);
}

static void graph(void) {
    Bytes b = loop_class(61);
    BciClass *c = open_bytes(b, NULL);
    BciCode *code = loop_code(c);
    const BciCfg *g = bci_cfg(code, 0);
    CHECK(g && g->nblocks == 5);
    /* 0: init  1: loop test  2: body, goto  3: handler  4: out */
    CHECK(g->blocks[1].nsucc == 2 && g->edges[g->blocks[1].succ].kind == BCI_EDGE_FALL && g->edges[g->blocks[1].succ].to == 2 &&
          g->edges[g->blocks[1].succ + 1].to == 4);
    CHECK(g->blocks[2].nsucc == 2 && g->edges[g->blocks[2].succ].to == 1 &&
          g->edges[g->blocks[2].succ + 1].kind == BCI_EDGE_THROW && g->edges[g->blocks[2].succ + 1].to == 3);
    CHECK(g->blocks[3].is_handler && g->blocks[3].npred == 1 && g->blocks[3].reachable);
    CHECK(g->blocks[1].npred == 2 && g->blocks[4].nsucc == 0);
    g = bci_cfg(code, BCI_CFG_SPLIT_THROW);
    CHECK(g && g->nblocks == 6); /* the goto lies behind the range */
    CHECK(bci_cfg_block(g, bci_find_op(bci_first_insn(code), CF_OP_GOTO)) == 3);
    bci_close(c);
    free(b.p);
}

static void mistakes_are_reported(void) {
    Bytes b = loop_class(61);
    BciClass *c = open_bytes(b, NULL);
    BciCode *code = loop_code(c);
    CfError err;
    cf_err_clear(&err);
    CHECK(!bci_op(bci_entry(code), CF_OP_GETSTATIC));
    CHECK(!bci_op(bci_entry(code), CF_OP_NOP)); /* nothing works after a failure */
    CHECK(bci_method_error(bci_find_method(c, "f", NULL), &err) == CF_ERR_USAGE && strstr(err.text, "getstatic"));
    CHECK(strstr(err.where, "f(I)I"));
    bci_revert(bci_find_method(c, "f", NULL));
    code = loop_code(c);
    bci_jump(bci_entry(code), CF_OP_GOTO, bci_new_label(code));
    uint8_t *out;
    size_t n;
    cf_err_clear(&err);
    CHECK(bci_write(c, NULL, NULL, &out, &n, &err) == CF_ERR_USAGE && strstr(err.text, "never placed"));
    bci_close(c);
    c = open_bytes(b, NULL);
    code = loop_code(c);
    bci_op(bci_entry(code), CF_OP_IADD);
    cf_err_clear(&err);
    CHECK(bci_write(c, NULL, NULL, &out, &n, &err) == CF_ERR_VERIFY && strstr(err.text, "underflow"));
    bci_close(c);
    free(b.p);
}

/* An edit that changes the type of an old local across an old frame: KEEP cannot stay. */
static void clash_falls_back(void) {
    Bytes b = loop_class(61);
    BciClass *c = open_bytes(b, NULL);
    BciCode *code = loop_code(c);
    BciInsn *store = bci_find_op(bci_first_insn(code), CF_OP_ISTORE_1);
    BciInsn *pop = bci_op(bci_after(code, store), CF_OP_FCONST_1); /* local 1 becomes a float at the loop head */
    CHECK(pop && bci_store(bci_after(code, pop), 'F', 1));
    CfError err;
    uint8_t *out;
    size_t n;
    cf_err_clear(&err);
    CfErrCode rc = bci_write(c, NULL, NULL, &out, &n, &err);
    CHECK(rc == CF_OK); /* sizes and frames are computed; it is for the verifier to refuse the iload_1 */
    free(out);
    bci_close(c);
    free(b.p);
}

static void old_versions_have_no_frames(void) {
    Bytes b = loop_class(49);
    BciClass *c = open_bytes(b, NULL);
    BciCode *code = loop_code(c);
    int n = 0;
    bci_each_return(code, emit_nop, &n);
    bci_on_throw(code, emit_nop, &n);
    b = finish(c, b);
    c = open_bytes(b, NULL);
    CHECK(count_frames(bci_model(c), "f") == 0);
    bci_close(c);
    free(b.p);
}

static void natives_are_wrapped(void) {
    Bytes b = empty_class(61, "t/N");
    BciClass *c = open_bytes(b, NULL);
    BciMethod *m = bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_NATIVE, "go", "(IJ)D");
    BciMethod *w = bci_wrap_native(m, "$$t_");
    CHECK(w && !strcmp(bci_method_name(w), "go") && !(bci_method_access(w) & CF_ACC_NATIVE));
    b = finish(c, b);
    c = open_bytes(b, NULL);
    m = bci_find_method(c, "$$t_go", "(IJ)D");
    CHECK(m && (bci_method_access(m) & CF_ACC_NATIVE) && (bci_method_access(m) & CF_ACC_PRIVATE));
    BciCode *code = bci_code(bci_find_method(c, "go", "(IJ)D"));
    CHECK(code && count_op(code, CF_OP_INVOKESPECIAL) == 1 && count_op(code, CF_OP_DRETURN) == 1);
    bci_close(c);
    free(b.p);
}

/* <clinit> is never native, whatever its flags say (JVMS 4.6). */
static void initialisers_are_no_natives(void) {
    Bytes b = empty_class(61, "t/N");
    BciClass *c = open_bytes(b, NULL);
    BciMethod *m = bci_add_method(c, CF_ACC_STATIC | CF_ACC_NATIVE, "<clinit>", "()V");
    CHECK(!bci_wrap_native(m, "$$t_") && !strcmp(bci_method_name(m), "<clinit>"));
    bci_close(c);
    free(b.p);
}

/* A constructor call, a cast and a handler, each with a type annotation, and one on the variable. */
static Bytes annotated_class(void) {
    static const uint8_t insns[] = {
        CF_OP_NOP,            /* 0 */
        CF_OP_NEW,      0, 0, /* 1 */
        CF_OP_ASTORE_0,       /* 4 */
        CF_OP_RETURN,         /* 5 */
        CF_OP_POP,            /* 6: handler */
        CF_OP_RETURN,         /* 7 */
    };
    CfArena a;
    cf_arena_init(&a, "test", 0);
    CfClass *c = cf_class_new(&a, 49, CF_ACC_PUBLIC | CF_ACC_SUPER, CF_STR("t/Ann"), CF_STR("java/lang/Object"));
    CfMember *m = cf_add_method(c, CF_ACC_STATIC, CF_STR("g"), CF_STR("()V"));
    uint8_t code[sizeof insns], rows[8] = {0, 1, 0, 5, 0, 6, 0, 0};
    memcpy(code, insns, sizeof insns);
    cf_put_u2(code + 2, c->this_class);
    unsigned type = cf_add_utf8(c, CF_STR("Lt/A;")), value = cf_add_utf8(c, CF_STR("v"));
    uint8_t t[2] = {(uint8_t)(type >> 8), (uint8_t)type}, v[2] = {(uint8_t)(value >> 8), (uint8_t)value};
    const uint8_t anns[] = {
        0,    3, 0x44, 0, 1,    0,    t[0], t[1], 0, 1, v[0], v[1], '[', 0, 1, '@', t[0], t[1], 0, 0, /* new at 1; v = {@A} */
        0x40, 0, 1,    0, 5,    0,    1,    0,    0, 0, t[0], t[1], 0,   0,                           /* variable 0 in 5..6 */
        0x42, 0, 0,    0, t[0], t[1], 0,    0,                                                        /* exception row 0 */
    };
    CfCode cc = {.max_stack = 1, .max_locals = 1, .code_len = sizeof code, .code = code, .handlers = {rows, 1}};
    CHECK(cf_attr_append(c, &cc.attrs, "RuntimeVisibleTypeAnnotations", anns, sizeof anns) == CF_OK);
    CHECK(cf_code_set(c, m, &cc, NULL) == CF_OK);
    CfWriter w;
    cf_w_init(&w);
    CHECK(cf_write(c, &w, NULL) == CF_OK);
    cf_arena_free(&a);
    w.data[7] = 61; /* newer version now: written without the frame the handler would need */
    return (Bytes){w.data, w.len};
}

static const uint8_t *ann_bytes(BciClass *c, CfArena *a, uint32_t *len) {
    CfCode code;
    CfMember *m = cf_find_method(bci_model(c), CF_STR("g"), (CfStr){0});
    CHECK(cf_code(bci_model(c), m, a, &code, NULL) == CF_OK);
    const CfAttr *t = cf_attr(&code.attrs, CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS);
    *len = t ? t->len : 0;
    return t ? t->data : NULL;
}

static void type_annotations_follow(void) {
    Bytes b = annotated_class();
    CfArena a;
    uint32_t len;
    cf_arena_init(&a, "test", 0);
    BciClass *c = open_bytes(b, NULL);
    BciCode *code = bci_code(bci_find_method(c, "g", NULL));
    BciInsn *new = bci_find_op(bci_first_insn(code), CF_OP_NEW), *store = bci_find_op(new, CF_OP_ASTORE_0);
    bci_op(bci_entry(code), CF_OP_NOP);        /* everything moves by one */
    bci_op(bci_before(code, new), CF_OP_NOP);  /* the `new` by two; the range from 1 grows */
    bci_op(bci_after(code, store), CF_OP_NOP); /* the variable's range begins behind it */
    BciInsn *pop = bci_find_op(store, CF_OP_POP);
    BciLabel *l = bci_label_of(code, store);
    bci_add_try(code, l, bci_try(code, 0)->end, bci_label_of(code, pop), "java/lang/Error", true);
    b = finish(c, b);
    c = open_bytes(b, NULL);
    const uint8_t *p = ann_bytes(c, &a, &len);
    CHECK(len == 42 && p && cf_get_u2(p) == 3);
    if (p) {
        CHECK(p[2] == 0x44 && cf_get_u2(p + 3) == 3);
        CHECK(p[20] == 0x40 && cf_get_u2(p + 23) == 8 && cf_get_u2(p + 25) == 1);
        CHECK(p[34] == 0x42 && cf_get_u2(p + 35) == 1); /* a row was put in front */
    }
    code = bci_code(bci_find_method(c, "g", NULL));
    bci_delete(code, bci_find_op(bci_first_insn(code), CF_OP_NEW)); /* and its annotation */
    bci_op(bci_before(code, bci_find_op(bci_first_insn(code), CF_OP_ASTORE_0)), CF_OP_ACONST_NULL);
    b = finish(c, b);
    c = open_bytes(b, NULL);
    p = ann_bytes(c, &a, &len);
    CHECK(p && cf_get_u2(p) == 2 && p[2] == 0x40);
    bci_close(c);
    cf_arena_free(&a);
    free(b.p);
}

/* Two classes meet in a local where no frame of an input can tell: oracle, or java/lang/Object. */
static const char *common(void *ctx, const char *a, const char *b) {
    (*(int *)ctx)++;
    return strcmp(a, b) ? "t/Base" : NULL;
}

static void merges_ask_the_oracle(bool oracle) {
    int asked = 0;
    BciTypes types = {&asked, common};
    BciOptions opt = {.types = oracle ? &types : NULL};
    Bytes b = empty_class(61, "t/Merge");
    BciClass *c = open_bytes(b, &opt);
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_STATIC, "m", "(Lt/A;Lt/B;I)V"));
    BciPos at = bci_end(code);
    uint32_t x = bci_new_local(code, 'A');
    BciLabel *other = bci_new_label(code), *join = bci_new_label(code);
    bci_load(at, 'I', 2);
    bci_jump(at, CF_OP_IFEQ, other);
    bci_load(at, 'A', 0);
    bci_store(at, 'A', x);
    bci_jump(at, CF_OP_GOTO, join);
    bci_place(at, other);
    bci_load(at, 'A', 1);
    bci_store(at, 'A', x);
    bci_place(at, join);
    bci_return(at);
    b = finish(c, b);
    CHECK(asked == (oracle ? 1 : 0));
    c = open_bytes(b, NULL);
    CfArena a;
    CfCode cc;
    CfMapIter it;
    CfMapFrame f = {0};
    uint8_t tag = 0;
    uint16_t data = 0;
    cf_arena_init(&a, "test", 0);
    CHECK(cf_code(bci_model(c), cf_find_method(bci_model(c), CF_STR("m"), (CfStr){0}), &a, &cc, NULL) == CF_OK);
    CHECK(cf_map_start(cf_attr(&cc.attrs, CF_ATTR_STACK_MAP_TABLE), &it, NULL) == CF_OK);
    CHECK(cf_map_next(&it, &f) == 1 && f.chop_append == 0 && cf_map_next(&it, &f) == 1 && f.chop_append == 1);
    CHECK(cf_map_type_next(&f.locals, &tag, &data) && tag == CF_VTAG_OBJECT);
    CHECK(cf_str_is(cf_class_name(bci_model(c), data), oracle ? "t/Base" : "java/lang/Object"));
    bci_close(c);
    cf_arena_free(&a);
    free(b.p);
}

static CfAnswer below_base(void *ctx, CfStr from, CfStr to) {
    return cf_str_is(to, "t/Base") && (cf_str_is(from, "t/A") || cf_str_is(from, "t/B")) ? CF_YES : CF_NO;
}
static CfAnswer no_interface(void *ctx, CfStr name) { return CF_NO; }

static bool verifies(Bytes b) {
    CfHierarchy h = {.is_assignable = below_base, .is_interface = no_interface, .is_superclass_of_this = no_interface};
    CfArena a;
    CfClass *c;
    CfError err;
    cf_err_clear(&err);
    cf_arena_init(&a, "verify", 0);
    bool ok = cf_parse(&c, b.p, b.n, &a, NULL, &err) == CF_OK && cf_verify(c, &h, NULL, &err) == CF_OK;
    if (!ok) printf("%s: %s\n", err.where, err.text);
    cf_arena_free(&a);
    return ok;
}

/* Base m(A a, B b, int n) { Base x = a; while (n > 0) { x = b; n--; } return x; } */
static Bytes changing_local(void) {
    int asked = 0;
    BciTypes types = {&asked, common};
    BciOptions opt = {.types = &types};
    Bytes b = empty_class(61, "t/Loop");
    BciClass *c = open_bytes(b, &opt);
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_STATIC, "m", "(Lt/A;Lt/B;I)Lt/Base;"));
    BciPos at = bci_end(code);
    uint32_t x = bci_new_local(code, 'A');
    BciLabel *loop = bci_new_label(code), *out = bci_new_label(code);
    bci_load(at, 'A', 0);
    bci_store(at, 'A', x);
    bci_place(at, loop);
    bci_load(at, 'I', 2);
    bci_jump(at, CF_OP_IFLE, out);
    bci_load(at, 'A', 1);
    bci_store(at, 'A', x);
    bci_iinc(at, 2, -1);
    bci_jump(at, CF_OP_GOTO, loop);
    bci_place(at, out);
    bci_load(at, 'A', x);
    bci_return(at);
    return finish(c, b);
}

/* A label without a frame in the input is reached first with A, and once the loop is known with Base, which A is. */
static void new_labels_forget_first_guesses(BciFrames frames) {
    BciOptions opt = {.frames = frames};
    Bytes b = changing_local();
    CHECK(verifies(b));
    BciClass *c = open_bytes(b, &opt);
    BciCode *code = bci_code(bci_find_method(c, "m", NULL));
    BciInsn *cond = bci_find_op(bci_first_insn(code), CF_OP_IFLE);
    bci_op(bci_on_edge(code, cond, cond->target), CF_OP_NOP);
    b = finish(c, b);
    CHECK(verifies(b));
    free(b.p);
}

/* Class names may have parentheses (JVMS 4.2.1): the first or last `)` of a descriptor need not end its parameters. */
static void parentheses_in_names(void) {
    Bytes b = empty_class(61, "t/Odd");
    BciOptions opt = {.frames = BCI_FRAMES_REBUILD};
    BciClass *c = open_bytes(b, &opt);
    BciMethod *m = bci_add_method(c, CF_ACC_STATIC, "m", "(Lt/X)I;[Lt/Y)J;)Lt/Z)D;");
    BciPos at = bci_end(bci_code(m));
    CHECK(!strcmp(bci_return_desc(m), "Lt/Z)D;"));
    bci_load(at, 'A', 0);
    bci_load(at, 'A', 1);
    bci_invoke(at, CF_OP_INVOKESTATIC, "t/Odd", "m", "(Lt/X)I;[Lt/Y)J;)Lt/Z)D;");
    bci_return(at);
    b = finish(c, b);
    CHECK(verifies(b));
    free(b.p);
}

/* A constant that the class's version does not know is a mistake of the caller, not a broken result. */
static void constants_of_newer_versions(void) {
    Bytes b = empty_class(50, "t/Old");
    for (int k = 0; k < 3; k++) {
        CfError err;
        uint8_t *out = NULL;
        size_t n;
        cf_err_clear(&err);
        BciClass *c = open_bytes(b, NULL);
        k == 0 ? bci_cp_method_type(c, "()V") : k == 1 ? bci_cp_invoke_dynamic(c, 0, "m", "()V") : bci_cp_string(c, "fine");
        bci_set_class_access(c, bci_class_access(c) | CF_ACC_FINAL);
        CHECK(bci_write(c, NULL, NULL, &out, &n, &err) == (k == 2 ? CF_OK : CF_ERR_USAGE));
        CHECK(k != 0 || strstr(err.text, "MethodType constant needs class version 51"));
        free(out);
        bci_close(c);
    }
    free(b.p);
}

int main(void) {
    constants_of_newer_versions();
    type_annotations_follow();
    merges_ask_the_oracle(true);
    merges_ask_the_oracle(false);
    parentheses_in_names();
    new_labels_forget_first_guesses(BCI_FRAMES_KEEP);
    new_labels_forget_first_guesses(BCI_FRAMES_REBUILD);
    built_code_reads_back();
    rewritten_code_is_the_same(BCI_FRAMES_KEEP);
    rewritten_code_is_the_same(BCI_FRAMES_REBUILD);
    entry_is_run_once();
    before_is_reached_by_branches();
    all_exits();
    edges_and_new_locals();
    edges_again();
    inserting_where_deleted();
    older_versions();
    no_class();
    failed_methods_are_left();
    far_branches();
    too_large(false);
    too_large(true);
    switches();
    constructors();
    members_and_pool();
    constants_are_small();
    graph();
    mistakes_are_reported();
    clash_falls_back();
    old_versions_have_no_frames();
    natives_are_wrapped();
    initialisers_are_no_natives();
    printf(failures ? "%d failed\n" : "ok\n", failures);
    return failures != 0;
}
