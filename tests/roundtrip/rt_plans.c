/* SPDX-License-Identifier: Apache-2.0 */
/* rt_plans.c - the plans that rt_frames applies in its modes "plan-NAME". */
#include "rt_plans.h"

#include <stdlib.h>

#define OBJECT "Ljava/lang/Object;"
#define STRING "Ljava/lang/String;"

static void entry(BciRule *r)
{
    bci_call(r, BCI_ENTRY, NULL, "Probe.enter(I)V", "method");
}
static void exits(BciRule *r)
{
    bci_call(r, BCI_ENTRY, NULL, "Probe.enter()V", NULL);
    bci_call(r, BCI_RETURN, NULL, "Probe.exit(" OBJECT ")V", "result");
}
static void finally(BciRule *r)
{
    bci_call(r, BCI_ENTRY, NULL, "Probe.enter(" STRING STRING ")V", "class,name");
    bci_call(r, BCI_BODY, NULL, "Probe.body(" OBJECT "[" OBJECT ")V", "this,params");
    bci_call(r, BCI_RETURN, NULL, "Probe.exit(" OBJECT OBJECT ")V", "this,result");
    bci_call(r, BCI_THROW, NULL, "Probe.thrown(" OBJECT ")V", "exception");
}
static void latency(BciRule *r)
{
    bci_call(r, BCI_RETURN, NULL, "Probe.took(J" STRING ")V", "elapsed,name");
    bci_call(r, BCI_THROW, NULL, "Probe.failed(J" OBJECT ")V", "elapsed,exception");
}
static void blocks(BciRule *r)
{
    bci_count(r, BCI_BLOCK, NULL, "Probe.blocks[J");
    bci_count(r, BCI_LOOP, NULL, "Probe.loops[I");
}
static void calls(BciRule *r)
{
    bci_call(r, BCI_CALL_BEFORE, NULL, "Probe.calls(" OBJECT "[" OBJECT STRING STRING "I)V",
             "receiver,args,owner,member,line");
    bci_call(r, BCI_CALL_AFTER, NULL, "Probe.called(" STRING OBJECT ")V", "member_desc,result");
}
static void places(BciRule *r)
{
    bci_call(r, BCI_LINE, NULL, "Probe.line(II)V", "line,site");
    bci_call(r, BCI_FIELD_GET, NULL, "Probe.get(" STRING STRING OBJECT ")V", "owner,member,result");
    bci_call(r, BCI_FIELD_PUT, NULL, "Probe.put(" OBJECT OBJECT ")V", "receiver,arg0");
    bci_call(r, BCI_NEW, NULL, "Probe.make(" STRING ")V", "owner");
    bci_call(r, BCI_NEWARRAY, NULL, "Probe.array(" OBJECT STRING ")V", "result,owner");
    bci_call(r, BCI_ARRAY_GET, NULL, "Probe.load(I)V", "int:70000");
    bci_call(r, BCI_ARRAY_PUT, NULL, "Probe.store(" STRING ")V", "str:text");
    bci_call(r, BCI_MONITOR_ENTER, NULL, "Probe.lock()V", NULL);
    bci_call(r, BCI_MONITOR_EXIT, NULL, "Probe.unlock(J)V", "nanos");
    bci_call(r, BCI_HANDLER, NULL, "Probe.caught(" OBJECT STRING ")V", "exception,desc");
    bci_call(r, BCI_ATHROW, NULL, "Probe.throwing(" OBJECT OBJECT ")V", "null,exception");
    bci_redirect(r, "java/lang/System.nanoTime()J", "Probe.nanoTime");
    bci_redirect(r, "java/lang/String.length()I", "Probe.length");
}
static void natives(BciRule *r)
{
    bci_natives(r, "$$wrapped$$_");
    bci_call(r, BCI_ENTRY, NULL, "Probe.enter()V", NULL);
}

/* The probe is in java.base itself, see boot.sh. */
static void boot(BciRule *r)
{
    bci_call(r, BCI_ENTRY, NULL, "java/lang/BootProbe.enter()V", NULL);
    bci_call(r, BCI_RETURN, NULL, "java/lang/BootProbe.exit()V", NULL);
}

static const struct {
    const char *name;
    void (*make)(BciRule *);
    unsigned flags;
} plans[] = {
    {"entry", entry, 0},     {"exits", exits, 0},   {"finally", finally, 0}, {"latency", latency, 0},
    {"blocks", blocks, 0},   {"calls", calls, 0},   {"places", places, 0},   {"natives", natives, 0},
    {"boot", boot, 0},       {"boot-frames", boot, BCI_PLAN_REBUILD_FRAMES},
    {"exits-frames", exits, BCI_PLAN_REBUILD_FRAMES},
    {"finally-frames", finally, BCI_PLAN_REBUILD_FRAMES},
    {"calls-frames", calls, BCI_PLAN_REBUILD_FRAMES},
    {"places-frames", places, BCI_PLAN_REBUILD_FRAMES},
};

BciPlan *rt_plan(const char *name)
{
    for (unsigned k = 0; k < sizeof plans / sizeof *plans; k++) {
        if (strcmp(plans[k].name, name))
            continue;
        BciPlan *p = bci_plan_new(plans[k].flags);
        plans[k].make(bci_rule(p, "**"));
        const char *wrong = bci_plan_seal(p);
        if (!wrong)
            return p;
        fprintf(stderr, "plan %s: %s\n", name, wrong);
    }
    return NULL;
}
