/* SPDX-License-Identifier: Apache-2.0 */
/* test_bci_analysis - dominators, liveness, types and patterns of small methods. rt_frames -m analyse has the JDK. */
#include <stdlib.h>

#include "bci.h"

static int failures;
#define CHECK(x) ((x) ? (void)0 : (failures++, printf("%s:%d: %s\n", __func__, __LINE__, #x), (void)0))

static uint8_t *bytes;

static BciClass *fresh(void) {
    CfArena a;
    CfWriter w;
    cf_arena_init(&a, "test", 0);
    cf_w_init(&w);
    CfClass *k = cf_class_new(&a, 61, 0, CF_STR("A"), CF_STR("java/lang/Object"));
    CHECK(cf_write(k, &w, NULL) == CF_OK);
    cf_arena_free(&a);
    bytes = w.data;
    return bci_open(w.data, w.len, NULL, NULL);
}

static void drop(BciClass *c) {
    bci_close(c);
    free(bytes);
}

/* static long f(int n, String s) { long r = 0; while (n > 0) { if (s == null) r += n; n--; } return r; }  plus dead code */
static BciCode *loop(BciClass *c) {
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_STATIC, "f", "(ILjava/lang/String;)J"));
    uint32_t r = bci_new_local(code, 'J');
    BciPos at = bci_end(code);
    BciLabel *head = bci_new_label(code), *out = bci_new_label(code), *skip = bci_new_label(code);
    bci_long(at, 0);
    bci_store(at, 'J', r);
    bci_place(at, head);
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFLE, out);
    bci_load(at, 'A', 1);
    bci_jump(at, CF_OP_IFNONNULL, skip);
    bci_load(at, 'J', r);
    bci_load(at, 'I', 0);
    bci_op(at, CF_OP_I2L);
    bci_op(at, CF_OP_LADD);
    bci_store(at, 'J', r);
    bci_place(at, skip);
    bci_iinc(at, 0, -1);
    bci_jump(at, CF_OP_GOTO, head);
    bci_place(at, out);
    bci_load(at, 'J', r);
    bci_return(at);
    return code;
}

static BciInsn *nth(BciCode *code, unsigned op, int n) {
    BciInsn *i = bci_find_op(bci_first_insn(code), op);
    while (n-- && i) i = bci_find_op(bci_next(i), op);
    return i;
}

static void dominators(void) {
    BciClass *c = fresh();
    BciCode *code = loop(c);
    const BciCfg *g = bci_cfg(code, 0);
    const uint32_t *idom = bci_dominators(code, g);
    CHECK(g->nblocks == 6 && idom[0] == 0 && idom[1] == 0 && idom[2] == 1 && idom[3] == 2 && idom[4] == 2 && idom[5] == 1);
    CHECK(bci_dominates(idom, 1, 4) && !bci_dominates(idom, 3, 4) && bci_dominates(idom, 4, 4) && bci_dominates(idom, 0, 5));
    bci_return(bci_end(code)); /* behind the return: not reached */
    g = bci_cfg(code, 0);
    idom = bci_dominators(code, g);
    CHECK(g->nblocks == 7 && idom[6] == BCI_NO_BLOCK && !bci_dominates(idom, 0, 6));
    drop(c);
}

static void liveness(void) {
    BciClass *c = fresh();
    BciCode *code = loop(c);
    const BciLiveness *l = bci_liveness(code, bci_cfg(code, 0));
    BciInsn *first = bci_first_insn(code), *ret = nth(code, CF_OP_LRETURN, 0);
    CHECK(bci_live(l, first, 0) && bci_live(l, first, 1) && !bci_live(l, first, 2) && !bci_live(l, first, 3));
    CHECK(bci_live(l, bci_prev(ret), 2) && bci_live(l, bci_prev(ret), 3) && !bci_live(l, bci_prev(ret), 0));
    CHECK(!bci_live(l, ret, 2) && !bci_live(l, ret, 9999));
    BciInsn *add = nth(code, CF_OP_LADD, 0);
    CHECK(!bci_live(l, add, 2) && bci_live(l, add, 0) && bci_live(l, add, 1)); /* r is written next */
    drop(c);
}

/* A handler reads x: x is live in all of the block that it covers, also where x is written again. */
static void liveness_of_handlers(void) {
    BciClass *c = fresh();
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_STATIC, "g", "(I)I"));
    BciPos at = bci_end(code);
    BciLabel *start = bci_label_here(at);
    BciInsn *one = bci_int(at, 1);
    bci_store(at, 'I', 0);
    BciLabel *end = bci_label_here(at);
    bci_int(at, 2);
    bci_return(at);
    BciLabel *handler = bci_label_here(at);
    bci_op(at, CF_OP_POP);
    bci_load(at, 'I', 0);
    bci_return(at);
    const BciLiveness *l = bci_liveness(code, bci_cfg(code, 0));
    CHECK(!bci_live(l, one, 0));
    bci_add_try(code, start, end, handler, NULL, false);
    l = bci_liveness(code, bci_cfg(code, BCI_CFG_SPLIT_THROW));
    CHECK(bci_live(l, one, 0) && !bci_live(l, nth(code, CF_OP_ICONST_2, 0), 0));
    drop(c);
}

static void types(void) {
    BciClass *c = fresh();
    BciCode *code = loop(c);
    BciState s;
    CHECK(bci_state(code, bci_first_insn(code), &s) && s.depth == 0 && s.nlocals == 4);
    CHECK(s.locals[0].kind == 'I' && s.locals[1].kind == 'A' && !strcmp(s.locals[1].name, "java/lang/String"));
    CHECK(s.locals[2].kind == 0 && s.locals[3].kind == 0);
    CHECK(bci_state(code, nth(code, CF_OP_LADD, 0), &s) && s.depth == 4 && s.locals[2].kind == 'J' && s.locals[3].kind == '2');
    CHECK(s.stack[0].kind == 'J' && s.stack[1].kind == '2' && s.stack[2].kind == 'J' && s.stack[3].kind == '2');
    BciInsn *dead = bci_return(bci_end(code));
    CHECK(!bci_state(code, dead, &s) && s.depth == 0 && !s.locals);
    bci_delete(code, dead);
    BciPos at = bci_before(code, nth(code, CF_OP_IINC, 0)); /* the answer follows an edit */
    uint32_t slot = bci_new_local(code, 'A');
    bci_new_object(at, "a/B");
    BciInsn *init = bci_invoke(at, CF_OP_INVOKESPECIAL, "a/B", "<init>", "()V");
    BciInsn *store = bci_store(at, 'A', slot);
    bci_op(at, CF_OP_ACONST_NULL);
    BciInsn *pop = bci_op(at, CF_OP_POP);
    CHECK(bci_state(code, init, &s) && s.depth == 2 && s.stack[1].kind == 'U' && s.stack[1].site == nth(code, CF_OP_NEW, 0));
    CHECK(bci_state(code, store, &s) && s.depth == 1 && s.stack[0].kind == 'A' && !strcmp(s.stack[0].name, "a/B"));
    CHECK(bci_state(code, pop, &s) && s.stack[0].kind == 'N' && s.locals[slot].kind == 'A');
    CHECK(bci_state(code, nth(code, CF_OP_LRETURN, 0), &s) && s.locals[slot].kind == 0);
    drop(c);
}

static void types_in_constructors(void) {
    BciClass *c = fresh();
    BciCode *code = bci_code(bci_add_method(c, 0, "<init>", "([I)V"));
    BciPos at = bci_end(code);
    BciState s;
    bci_load(at, 'A', 0);
    bci_invoke(at, CF_OP_INVOKESPECIAL, "java/lang/Object", "<init>", "()V");
    BciInsn *ret = bci_return(at);
    CHECK(bci_state(code, bci_first_insn(code), &s) && s.locals[0].kind == 'U' && !s.locals[0].site);
    CHECK(!strcmp(s.locals[1].name, "[I"));
    CHECK(bci_state(code, ret, &s) && s.locals[0].kind == 'A' && !strcmp(s.locals[0].name, "A"));
    drop(c);
}

static void unbalanced_code_fails(void) {
    BciClass *c = fresh();
    BciCode *code = loop(c);
    BciState s;
    CfError err;
    bci_op(bci_entry(code), CF_OP_POP);
    CHECK(!bci_state(code, nth(code, CF_OP_LRETURN, 0), &s));
    CHECK(bci_method_error(bci_code_method(code), &err) == CF_ERR_VERIFY && strstr(err.text, "underflow"));
    drop(c);
}

static void patterns(void) {
    static const uint16_t sum[] = {BCI_ANY_LOAD, BCI_ANY, CF_OP_LADD, BCI_ANY_STORE};
    static const uint16_t test[] = {BCI_ANY_LOAD, BCI_ANY_COND}, across[] = {BCI_ANY_STORE, BCI_ANY_LOAD};
    BciClass *c = fresh();
    BciCode *code = loop(c);
    BciInsn *f[4], *i = bci_find_pattern(bci_first(code), sum, 4, f);
    CHECK(i && i->op == CF_OP_ILOAD_0 && f[2]->op == CF_OP_LADD && f[3]->op == CF_OP_LSTORE_2);
    i = bci_find_pattern(bci_first_insn(code), test, 2, f);
    CHECK(i && f[1]->op == CF_OP_IFLE && bci_find_pattern(f[1], test, 2, f) && f[1]->op == CF_OP_IFNONNULL);
    CHECK(!bci_find_pattern(f[1], test, 2, NULL));
    CHECK(!bci_find_pattern(bci_first(code), across, 2, NULL)); /* lstore, then the loop's head */
    i = bci_invoke(bci_entry(code), CF_OP_INVOKESTATIC, "p/Q", "call", "()V");
    CHECK(bci_refers_to(code, i, "p/Q", "call", "()V") && bci_refers_to(code, i, NULL, "call", NULL));
    CHECK(!bci_refers_to(code, i, "p/R", NULL, NULL) && !bci_refers_to(code, bci_next(i), NULL, NULL, NULL));
    drop(c);
}

int main(void) {
    dominators();
    liveness();
    liveness_of_handlers();
    types();
    types_in_constructors();
    unbalanced_code_fails();
    patterns();
    printf(failures ? "%d failed\n" : "ok\n", failures);
    return failures != 0;
}
