/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_plan - any bytes as a class file, changed by plans with every kind of point and value. Nothing
 * may crash, leak or hang; if the input verifies (in a world where all classes are assignable to each
 * other), so does the result. A byte of the input picks the plan. Some plans outline what is longer than 150 bytes.
 */
#include <stdio.h>
#include <stdlib.h>

#include "plan/bci_rules.h"

#define OBJECT "Ljava/lang/Object;"
#define STRING "Ljava/lang/String;"

static void body_points(BciRule *r) {
    bci_call(r, BCI_ENTRY, NULL, "P.a(I" STRING ")V", "method,class");
    bci_call(r, BCI_BODY, NULL, "P.b(" OBJECT "[" OBJECT ")V", "this,params");
    bci_call(r, BCI_RETURN, NULL, "P.c(J" OBJECT ")V", "elapsed,result");
    bci_call(r, BCI_THROW, NULL, "P.d(" OBJECT OBJECT "[" OBJECT ")V", "exception,this,params");
}
static void block_points(BciRule *r) {
    bci_count(r, BCI_BLOCK, NULL, "P.blocks[J");
    bci_call(r, BCI_BLOCK, NULL, "P.o(" OBJECT "[" OBJECT ")V", "this,params");
    bci_count(r, BCI_LOOP, NULL, "P.loops[I");
    bci_count(r, BCI_LOOP, NULL, "P.all:J");
    bci_count(r, BCI_LINE, NULL, "P.lines[I");
    bci_call(r, BCI_HANDLER, NULL, "P.e(" OBJECT ")V", "exception");
    bci_call(r, BCI_ATHROW, NULL, "P.e(" OBJECT "J)V", "exception,nanos");
}
static void site_points(BciRule *r) {
    bci_call(r, BCI_CALL_BEFORE, NULL, "P.f(" OBJECT "[" OBJECT STRING "I)V", "receiver,args,member,line");
    bci_call(r, BCI_CALL_AFTER, NULL, "P.g(" OBJECT STRING ")V", "result,member_desc");
    bci_call(r, BCI_FIELD_GET, NULL, "P.h(" OBJECT ")V", "result");
    bci_call(r, BCI_FIELD_PUT, NULL, "P.i(" OBJECT OBJECT "[" OBJECT ")V", "arg0,receiver,args");
    bci_call(r, BCI_NEW, NULL, "P.j(" STRING ")V", "owner");
    bci_call(r, BCI_NEWARRAY, NULL, "P.k(" OBJECT ")V", "result");
    bci_redirect(r, "**.*e*", "P.instead");
    bci_natives(r, "n$");
}
static void nothing(BciRule *r) {}
static void edge_points(BciRule *r) {
    bci_count(r, BCI_EDGE, NULL, "P.edges[J");
    bci_call(r, BCI_EDGE, NULL, "P.l(" OBJECT "I)V", "this,site");
    bci_call(r, BCI_THROW, NULL, "P.d(" OBJECT OBJECT ")V", "exception,this");
}
static void object_points(BciRule *r) {
    bci_call(r, BCI_CONSTRUCTED, NULL, "P.m(" OBJECT STRING ")V", "result,owner");
    bci_call(r, BCI_CALL_BEFORE, NULL, "P.f([" OBJECT ")V", "args");
    bci_call(r, BCI_CONSTRUCTED, NULL, "P.n(I" OBJECT ")V", "line,result");
    bci_count(r, BCI_CONSTRUCTED, NULL, "P.made[I");
}

enum { KINDS = 6, PLANS = 4 * KINDS, OUTLINE_FROM = 2 * KINDS, LIMIT = 150 };
static BciPlan *plans[PLANS];
static BciScratch *scratch;

static void make_plans(void) {
    static void (*const make[KINDS])(BciRule *) = {body_points, block_points, site_points, nothing, edge_points, object_points};
    scratch = bci_scratch_new();
    for (unsigned k = 0; k < PLANS; k++) {
        plans[k] = bci_plan_new((k / KINDS & 1 ? BCI_PLAN_REBUILD_FRAMES : 0) | (k >= OUTLINE_FROM ? BCI_PLAN_OUTLINE : 0));
        make[k % KINDS](bci_rule(plans[k], k == KINDS + 1 ? "@java/lang/Deprecated **" : "**"));
        const char *wrong = bci_plan_seal(plans[k]);
        if (wrong) {
            fprintf(stderr, "plan %u: %s\n", k, wrong);
            abort();
        }
        if (k >= OUTLINE_FROM) plans[k]->code_limit = LIMIT;
    }
}

static CfAnswer yes(void *ctx, CfStr a, CfStr b) { return CF_YES; }
static CfAnswer no(void *ctx, CfStr a) { return CF_NO; }

/* Prints the reason if the answer is no and `told`. */
static bool verifies(const uint8_t *p, size_t n, bool told) {
    static const CfParseOptions format = {.check = CF_CHECK_FORMAT, .enable_preview = true};
    CfHierarchy h = {.is_assignable = yes, .is_interface = no, .is_superclass_of_this = no};
    CfArena a;
    CfClass *c;
    CfError err;
    cf_err_clear(&err);
    cf_arena_init(&a, "fuzz", 0);
    bool ok = cf_parse(&c, p, n, &a, &format, &err) == CF_OK && !(c->access & CF_ACC_MODULE) && c->major >= 51 &&
              cf_verify(c, &h, NULL, &err) == CF_OK;
    if (!ok && told) fprintf(stderr, "the result is refused: %s\n", err.text);
    cf_arena_free(&a);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static BciResult res;
    if (!scratch) make_plans();
    unsigned plan = (size ? data[size / 3] ^ (unsigned)size : 0) % PLANS;
    BciOutcome o = bci_apply(plans[plan], scratch, data, size, NULL, &res);
    if (o == BCI_REFUSED && strstr(res.error, "the result is not valid")) { /* asked in debug builds, of valid input */
        fprintf(stderr, "plan %u: %s\n", plan, res.error);
        abort();
    }
    if (res.bytes && verifies(data, size, false) && !verifies(res.bytes, res.len, true)) {
        fprintf(stderr, "plan %u\n", plan);
        abort();
    }
    free(res.bytes);
    return 0;
}
