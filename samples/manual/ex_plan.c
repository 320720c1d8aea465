/* SPDX-License-Identifier: Apache-2.0 */
/* ex_plan.c - examples of bci_plan.h; see manual.c. Those of bci_agent.h are the samples beside. */
#include <stdlib.h>

#include "manual.h"

/* EXAMPLE bci_plan.h: building */
/* Entry and both exits of all methods but toString, with the time they took; calls of String.length counted. */
static BciPlan *make_plan(void) {
    BciPlan *plan = bci_plan_new(BCI_PLAN_NO_SCHEMA);
    BciRule *r = bci_rule(plan, "**");
    bci_except(r, "**.toString()*");
    bci_call(r, BCI_ENTRY, NULL, "my/Probe.enter(Ljava/lang/String;)V", "name");
    bci_call(r, BCI_RETURN, NULL, "my/Probe.leave(JLjava/lang/Object;)V", "elapsed,result");
    bci_call(r, BCI_THROW, NULL, "my/Probe.failed(Ljava/lang/Object;)V", "exception");
    bci_count(bci_rule(plan, "Demo.*"), BCI_CALL_BEFORE, "java/lang/**", "my/Probe.calls[I");
    bci_count(bci_rule(plan, "Demo"), BCI_THROW, NULL, "my/Probe.failures:J");
    bci_plan_flags(plan, BCI_PLAN_VERIFY); /* in debug builds of an agent */
    const char *wrong = bci_plan_seal(plan);
    if (!wrong) return plan;
    fprintf(stderr, "%s\n", wrong);
    bci_plan_free(plan);
    return NULL;
}
/* END */

/* EXAMPLE bci_plan.h: applying */
static int32_t number(void *ctx, const BciSite *site) {
    printf("  place %d: %s.%s line %u\n", *(int *)ctx, site->class_name, site->name, site->line);
    return (*(int *)ctx)++;
}
static void tell(void *ctx, int method, BciOutcome outcome, const char *why) {
    if (outcome == BCI_SKIPPED) fprintf(stderr, "method %d left as it is: %s\n", method, why);
}
/* One class after the other; each thread has a scratch of its own. Returns the new bytes, or NULL. */
static uint8_t *apply(const BciPlan *plan, BciScratch *scratch, const uint8_t *bytes, size_t len, size_t *new_len) {
    int places = 0;
    BciRequest request = {.id = number, .outcome = tell, .ctx = &places};
    BciResult result;
    switch (bci_apply(plan, scratch, bytes, len, &request, &result)) {
    case BCI_UNCHANGED: return NULL;
    case BCI_REFUSED: fprintf(stderr, "left as it is: %s\n", result.error); return NULL;
    case BCI_PARTIAL:
    case BCI_SKIPPED: fprintf(stderr, "%u methods left as they are\n", result.nskipped); break;
    case BCI_CHANGED: break;
    }
    printf("%u methods changed\n", result.methods);
    for (uint32_t k = 0; k < result.noutlined && k < BCI_MAX_SKIPS; k++) /* with BCI_PLAN_OUTLINE */
        printf("method %d was cut: %u parts\n", result.outlined[k].method, result.outlined[k].parts);
    *new_len = result.len;
    return result.bytes;
}
/* END */

void examples_of_plans(const uint8_t *bytes, size_t len) {
    BciPlan *plan = make_plan();
    BciScratch *scratch = bci_scratch_new();
    size_t n = 0;
    uint8_t *out = plan && bci_plan_wants(plan, "Demo") ? apply(plan, scratch, bytes, len, &n) : NULL;
    printf("apply: %s\n", out && verifies(out, n) ? "ok" : "wrong");
    free(out);
    bci_scratch_free(scratch);
    bci_plan_free(plan);
}
