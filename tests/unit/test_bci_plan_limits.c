/* SPDX-License-Identifier: Apache-2.0 */
/* test_bci_plan_limits - plans at the edge: handlers whose frame says Object, classes whose constant pool is nearly full. */
#include <stdlib.h>

#include "bci_plan.h"
#include "cf_test.h"
#include "verifies.h"

static BciScratch *scratch;

/* ---- handlers ---- */

/* A handler whose frame says Object, with the tags of frames; `wide`: as full_frame, one that has locals. */
static void make_handler(CfWriter *w, bool wide) {
    uint8_t insns[] = {CF_OP_INVOKESTATIC, 0, 0, CF_OP_RETURN, CF_OP_POP, CF_OP_RETURN, CF_OP_POP, CF_OP_RETURN};
    uint8_t rows[] = {0, 0, 0, 3, 0, 4, 0, 0, 0, 0, 0, 3, 0, 6, 0, 0};
    uint8_t map[] = {0, 2, 64 + 4, 7, 0, 0, 64 + 1, 7, 0, 0},
            full[] = {0, 2, 255, 0, 4, 0, 1, 1, 0, 1, 7, 0, 0, 247, 0, 1, 7, 0, 0};
    CfCode code = {.max_stack = 1, .max_locals = 1, .code_len = sizeof insns, .code = insns, .handlers = {rows, 2}};
    CfArena a;
    cf_arena_init(&a, "test", 0);
    cf_w_init(w);
    CfClass *k = cf_class_new(&a, 52, CF_ACC_PUBLIC | CF_ACC_SUPER, CF_STR("t/H"), CF_STR("java/lang/Object"));
    CfMember *m = cf_add_method(k, CF_ACC_STATIC, CF_STR("m"), CF_STR("(I)V"));
    unsigned object = cf_add_class(k, CF_STR("java/lang/Object")), throwable = cf_add_class(k, CF_STR("java/lang/Throwable"));
    cf_put_u2(insns + 1, cf_add_method_ref(k, CF_STR("t/H"), CF_STR("m2"), CF_STR("()V"), false));
    cf_put_u2(map + 4, object);
    cf_put_u2(map + 8, throwable);
    cf_put_u2(full + 11, object);
    cf_put_u2(full + 17, throwable);
    CHECK(cf_attr_append(k, &code.attrs, "StackMapTable", wide ? full : map, wide ? sizeof full : sizeof map) == CF_OK);
    CHECK(cf_code_set(k, m, &code, NULL) == CF_OK && cf_write(k, w, NULL) == CF_OK && verifies(w->data, w->len));
    cf_arena_free(&a);
}

static int count_ops(const BciResult *res, const char *name, unsigned op) {
    int n = 0;
    BciClass *c = bci_open(res->bytes, res->len, NULL, NULL);
    for (BciInsn *i = bci_find_op(bci_first_insn(bci_code(bci_find_method(c, name, NULL))), op); i;
         i = bci_find_op(bci_next(i), op))
        n++;
    bci_close(c);
    return n;
}

/* What a handler catches is a Throwable for the probe too, but only where the frame does not say so it is made one. */
static void test_handlers(unsigned flags, bool wide) {
    static const char *const probes[][2] = {{"P.e(Ljava/lang/Throwable;)V", "exception"},
                                            {"P.e(ILjava/lang/Throwable;Ljava/lang/Object;)V", "site,exception,exception"}};
    CfWriter w;
    make_handler(&w, wide);
    for (int k = 0; k < 2; k++) {
        BciPlan *p = bci_plan_new(flags);
        BciResult res;
        bci_call(bci_rule(p, "**"), BCI_HANDLER, NULL, probes[k][0], probes[k][1]);
        CHECK(bci_plan_seal(p) == NULL);
        CHECK(bci_apply(p, scratch, w.data, w.len, NULL, &res) == BCI_CHANGED && verifies(res.bytes, res.len));
        CHECK(count_ops(&res, "m", CF_OP_CHECKCAST) == 1);
        free(res.bytes);
        bci_plan_free(p);
    }
    cf_w_free(&w);
}

/* ---- a full pool ---- */

/* static void pick(int) with a branch, one(), two(), three() {}, and a pool with room for n entries. */
static void make_full(CfWriter *w, uint32_t n) {
    static const char *const names[] = {"one", "two", "three"};
    uint8_t nothing[] = {CF_OP_RETURN};
    CfCode code = {.code_len = 1, .code = nothing};
    CfArena a;
    cf_arena_init(&a, "test", 0);
    cf_w_init(w);
    CfClass *k = cf_class_new(&a, 52, CF_ACC_PUBLIC | CF_ACC_SUPER, CF_STR("t/Full"), CF_STR("java/lang/Object"));
    uint8_t branch[] = {CF_OP_ILOAD_0, CF_OP_IFEQ, 0, 4, CF_OP_RETURN, CF_OP_RETURN};
    CfCode picks = {.max_stack = 1, .max_locals = 1, .code_len = sizeof branch, .code = branch};
    CHECK(cf_attr_append(k, &picks.attrs, "StackMapTable", (uint8_t[]){0, 1, 5}, 3) == CF_OK);
    CHECK(cf_code_set(k, cf_add_method(k, CF_ACC_STATIC, CF_STR("pick"), CF_STR("(I)V")), &picks, NULL) == CF_OK);
    for (int i = 0; i < 3; i++)
        CHECK(cf_code_set(k, cf_add_method(k, CF_ACC_STATIC, cf_str(names[i]), CF_STR("()V")), &code, NULL) == CF_OK);
    for (int32_t i = 0; k->const_count < 65535 - n; i++) cf_add_int(k, i + 1000000);
    CHECK(cf_write(k, w, NULL) == CF_OK);
    cf_arena_free(&a);
}

/* Only the method that needs what does not fit is left as it was, whatever comes behind it. */
static void test_full_pool(void) {
    static const char *const greedy[] = {"**.one", "**.two", "**.three"};
    for (int k = 0; k < 3; k++) {
        CfWriter w;
        BciPlan *p = bci_plan_new(0);
        BciResult res;
        make_full(&w, 7); /* t/P.p needs 6: class, name and type, with their texts; t/P.q and its string 8 */
        bci_call(bci_rule(p, greedy[k]), BCI_RETURN, NULL, "t/P.q(Ljava/lang/String;)V", "str:more");
        BciRule *r = bci_rule(p, "**");
        bci_except(r, greedy[k]);
        bci_except(r, "**.pick");
        bci_call(r, BCI_RETURN, NULL, "t/P.p()V", NULL);
        CHECK(bci_plan_seal(p) == NULL);
        CHECK(bci_apply(p, scratch, w.data, w.len, NULL, &res) == BCI_PARTIAL && res.methods == 2);
        CHECK(res.nskipped == 1 && res.skipped[0].method == k + 1 && res.skipped[0].code == CF_ERR_LIMIT);
        CHECK(strstr(res.skipped[0].why, "pool") && res.bytes && verifies(res.bytes, res.len));
        free(res.bytes);
        bci_plan_free(p);
        cf_w_free(&w);
    }
}

/* Nor a method in front of it that has to go to the editor. */
static void test_full_pool_and_editor(void) {
    CfWriter w;
    BciPlan *p = bci_plan_new(0);
    BciResult res;
    make_full(&w, 7);
    bci_count(bci_rule(p, "**.pick"), BCI_EDGE, NULL, "t/P.hits[J");
    bci_call(bci_rule(p, "**.three"), BCI_RETURN, NULL, "t/P.q(Ljava/lang/String;)V", "str:more");
    CHECK(bci_plan_seal(p) == NULL);
    CHECK(bci_apply(p, scratch, w.data, w.len, NULL, &res) == BCI_PARTIAL && res.methods == 1 && res.nskipped == 1);
    CHECK(res.skipped[0].method == 3 && strstr(res.skipped[0].why, "pool") && res.bytes && verifies(res.bytes, res.len));
    free(res.bytes);
    bci_plan_free(p);
    cf_w_free(&w);
}

int main(void) {
    scratch = bci_scratch_new();
    for (int k = 0; k < 4; k++) test_handlers(k & 1 ? BCI_PLAN_REBUILD_FRAMES : 0, k & 2);
    test_full_pool();
    test_full_pool_and_editor();
    bci_scratch_free(scratch);
    return cf_test_end();
}
