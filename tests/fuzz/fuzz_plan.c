/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_plan - any bytes as a class file, changed by plans with every kind of point and value. Nothing
 * may crash, leak or hang; if the input verifies (in a world where all classes are assignable to each
 * other), so does the result. A byte of the input picks the plan. Some plans outline what is longer than 150 bytes.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bci_rules.h"

#define OBJECT "Ljava/lang/Object;"
#define STRING "Ljava/lang/String;"

static void body_points(BciRule *r)
{
    bci_call(r, BCI_ENTRY, NULL, "P.a(I" STRING ")V", "method,class");
    bci_call(r, BCI_BODY, NULL, "P.b(" OBJECT "[" OBJECT ")V", "this,params");
    bci_call(r, BCI_RETURN, NULL, "P.c(J" OBJECT ")V", "elapsed,result");
    bci_call(r, BCI_THROW, NULL, "P.d(" OBJECT OBJECT ")V", "exception,this");
}
static void block_points(BciRule *r)
{
    bci_count(r, BCI_BLOCK, NULL, "P.blocks[J");
    bci_count(r, BCI_LOOP, NULL, "P.loops[I");
    bci_count(r, BCI_LINE, NULL, "P.lines[I");
    bci_call(r, BCI_HANDLER, NULL, "P.e(" OBJECT ")V", "exception");
    bci_call(r, BCI_ATHROW, NULL, "P.e(" OBJECT "J)V", "exception,nanos");
}
static void site_points(BciRule *r)
{
    bci_call(r, BCI_CALL_BEFORE, NULL, "P.f(" OBJECT "[" OBJECT STRING "I)V", "receiver,args,member,line");
    bci_call(r, BCI_CALL_AFTER, NULL, "P.g(" OBJECT STRING ")V", "result,member_desc");
    bci_call(r, BCI_FIELD_GET, NULL, "P.h(" OBJECT ")V", "result");
    bci_call(r, BCI_FIELD_PUT, NULL, "P.i(" OBJECT OBJECT ")V", "arg0,receiver");
    bci_call(r, BCI_NEW, NULL, "P.j(" STRING ")V", "owner");
    bci_call(r, BCI_NEWARRAY, NULL, "P.k(" OBJECT ")V", "result");
    bci_redirect(r, "**.*e*", "P.instead");
    bci_natives(r, "n$");
}
static void nothing(BciRule *r) {}

enum { PLANS = 16, OUTLINE_FROM = 8, LIMIT = 150 };
static BciPlan *plans[PLANS];
static BciScratch *scratch;

static void make_plans(void)
{
    static void (*const make[])(BciRule *) = {body_points, block_points, site_points, nothing};
    scratch = bci_scratch_new();
    for (unsigned k = 0; k < PLANS; k++) {
        plans[k] = bci_plan_new((k & 4 ? BCI_PLAN_REBUILD_FRAMES : 0) |
                                (k >= OUTLINE_FROM ? BCI_PLAN_OUTLINE : 0));
        make[k & 3](bci_rule(plans[k], k == 5 ? "@java/lang/Deprecated **" : "**"));
        const char *wrong = bci_plan_seal(plans[k]);
        if (wrong) {
            fprintf(stderr, "plan %u: %s\n", k, wrong);
            abort();
        }
        if (k >= OUTLINE_FROM)
            plans[k]->code_limit = LIMIT;
    }
}

static CfAnswer yes(void *ctx, CfStr a, CfStr b) { return CF_YES; }
static CfAnswer no(void *ctx, CfStr a) { return CF_NO; }

/* Prints the reason if the answer is no and `told`. */
static bool verifies(const uint8_t *p, size_t n, bool told)
{
    static const CfParseOptions format = {.check = CF_CHECK_FORMAT, .enable_preview = true};
    CfHierarchy h = {.is_assignable = yes, .is_interface = no, .is_superclass_of_this = no};
    CfArena a;
    CfClass *c;
    CfError err;
    cf_err_clear(&err);
    cf_arena_init(&a, "fuzz", 0);
    bool ok = cf_parse(&c, p, n, &a, &format, &err) == CF_OK && !(c->access & CF_ACC_MODULE) && c->major >= 51 &&
              cf_verify(c, &h, NULL, &err) == CF_OK;
    if (!ok && told)
        fprintf(stderr, "the result is refused: %s\n", err.text);
    cf_arena_free(&a);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static BciResult res;
    if (!scratch)
        make_plans();
    unsigned plan = (size ? data[size / 3] ^ (unsigned)size : 0) % PLANS;
    bci_apply(plans[plan], scratch, data, size, NULL, &res);
    if (res.bytes && verifies(data, size, false) && !verifies(res.bytes, res.len, true)) {
        fprintf(stderr, "plan %u\n", plan);
        abort();
    }
    free(res.bytes);
    return 0;
}
