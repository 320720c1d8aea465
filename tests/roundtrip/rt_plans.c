/* SPDX-License-Identifier: Apache-2.0 */
/* rt_plans.c - the plans that rt_frames applies in its modes "plan-NAME". */
#include "rt_plans.h"

#include <stdlib.h>

#define OBJECT "Ljava/lang/Object;"
#define STRING "Ljava/lang/String;"
#define PROBE "java/lang/BootProbe"

static void entry(BciRule *r) { bci_call(r, BCI_ENTRY, NULL, PROBE ".enter(I)V", "method"); }
static void exits(BciRule *r) {
    bci_call(r, BCI_ENTRY, NULL, PROBE ".enter()V", NULL);
    bci_call(r, BCI_RETURN, NULL, PROBE ".exit(" OBJECT ")V", "result");
}
static void finally(BciRule *r) {
    bci_call(r, BCI_ENTRY, NULL, PROBE ".enter(" STRING STRING ")V", "class,name");
    bci_call(r, BCI_BODY, NULL, PROBE ".body(" OBJECT "[" OBJECT ")V", "this,params");
    bci_call(r, BCI_RETURN, NULL, PROBE ".exit(" OBJECT OBJECT ")V", "this,result");
    bci_call(r, BCI_THROW, NULL, PROBE ".thrown(" OBJECT ")V", "exception");
}
static void latency(BciRule *r) {
    bci_call(r, BCI_RETURN, NULL, PROBE ".took(J" STRING ")V", "elapsed,name");
    bci_call(r, BCI_THROW, NULL, PROBE ".failed(J" OBJECT ")V", "elapsed,exception");
}
static void blocks(BciRule *r) {
    bci_count(r, BCI_BLOCK, NULL, PROBE ".blocks[J");
    bci_count(r, BCI_LOOP, NULL, PROBE ".loops[I");
}
static void calls(BciRule *r) {
    bci_call(r, BCI_CALL_BEFORE, NULL, PROBE ".calls(" OBJECT "[" OBJECT STRING STRING "I)V", "receiver,args,owner,member,line");
    bci_call(r, BCI_CALL_AFTER, NULL, PROBE ".called(" STRING OBJECT ")V", "member_desc,result");
}
static void places(BciRule *r) {
    bci_call(r, BCI_LINE, NULL, PROBE ".line(II)V", "line,site");
    bci_call(r, BCI_FIELD_GET, NULL, PROBE ".get(" STRING STRING OBJECT ")V", "owner,member,result");
    bci_call(r, BCI_FIELD_PUT, NULL, PROBE ".put(" OBJECT OBJECT ")V", "receiver,arg0");
    bci_call(r, BCI_NEW, NULL, PROBE ".make(" STRING ")V", "owner");
    bci_call(r, BCI_NEWARRAY, NULL, PROBE ".array(" OBJECT STRING ")V", "result,owner");
    bci_call(r, BCI_ARRAY_GET, NULL, PROBE ".load(I)V", "int:70000");
    bci_call(r, BCI_ARRAY_PUT, NULL, PROBE ".store(" STRING ")V", "str:text");
    bci_call(r, BCI_MONITOR_ENTER, NULL, PROBE ".lock()V", NULL);
    bci_call(r, BCI_MONITOR_EXIT, NULL, PROBE ".unlock(J)V", "nanos");
    bci_call(r, BCI_HANDLER, NULL, PROBE ".caught(" OBJECT STRING ")V", "exception,desc");
    bci_call(r, BCI_ATHROW, NULL, PROBE ".throwing(" OBJECT OBJECT ")V", "null,exception");
    bci_redirect(r, "java/lang/System.nanoTime()J", PROBE ".nanoTime");
    bci_redirect(r, "java/lang/String.length()I", PROBE ".length");
}
static void edges(BciRule *r) {
    bci_count(r, BCI_EDGE, NULL, PROBE ".edges[J");
    bci_call(r, BCI_EDGE, NULL, PROBE ".edge(I" OBJECT ")V", "site,this");
}
static void objects(BciRule *r) {
    bci_call(r, BCI_CONSTRUCTED, NULL, PROBE ".made(" OBJECT STRING STRING ")V", "result,owner,member_desc");
    bci_call(r, BCI_CONSTRUCTED, "java/**", PROBE ".made(I" OBJECT ")V", "site,result");
}
static void passed(BciRule *r) {
    bci_call(r, BCI_BLOCK, NULL, PROBE ".body(" OBJECT "[" OBJECT ")V", "this,params");
    bci_call(r, BCI_RETURN, NULL, PROBE ".took(J" STRING "[" OBJECT ")V", "elapsed,name,params");
    bci_call(r, BCI_THROW, NULL, PROBE ".thrown(" OBJECT "[" OBJECT ")V", "this,params");
}
static void natives(BciRule *r) {
    bci_natives(r, "$$wrapped$$_");
    bci_call(r, BCI_ENTRY, NULL, PROBE ".enter()V", NULL);
}

/* Plans for java.base itself: a running VM cannot take probes there that make objects or name strings,
 * since these would call what they are in. */
static void boot(BciRule *r) {
    bci_call(r, BCI_ENTRY, NULL, PROBE ".enter()V", NULL);
    bci_call(r, BCI_RETURN, NULL, PROBE ".exit()V", NULL);
}
static void boot_finally(BciRule *r) {
    boot(r);
    bci_call(r, BCI_THROW, NULL, PROBE ".thrown(" OBJECT ")V", "exception");
}
static void boot_calls(BciRule *r) {
    bci_call(r, BCI_CALL_BEFORE, NULL, PROBE ".call(" OBJECT ")V", "receiver");
    bci_call(r, BCI_CALL_AFTER, NULL, PROBE ".called()V", NULL);
}

static const struct {
    const char *name;
    void (*make)(BciRule *);
    unsigned flags;
} plans[] = {
    {"entry", entry, 0},
    {"exits", exits, 0},
    {"finally", finally, 0},
    {"latency", latency, 0},
    {"blocks", blocks, 0},
    {"calls", calls, 0},
    {"places", places, 0},
    {"natives", natives, 0},
    {"boot", boot, 0},
    {"boot-frames", boot, BCI_PLAN_REBUILD_FRAMES},
    {"boot-finally", boot_finally, 0},
    {"boot-calls", boot_calls, 0},
    {"exits-frames", exits, BCI_PLAN_REBUILD_FRAMES},
    {"finally-frames", finally, BCI_PLAN_REBUILD_FRAMES},
    {"calls-frames", calls, BCI_PLAN_REBUILD_FRAMES},
    {"places-frames", places, BCI_PLAN_REBUILD_FRAMES},
    {"edges", edges, 0},
    {"edges-frames", edges, BCI_PLAN_REBUILD_FRAMES},
    {"passed", passed, 0},
    {"passed-frames", passed, BCI_PLAN_REBUILD_FRAMES},
    {"objects", objects, 0},
    {"objects-frames", objects, BCI_PLAN_REBUILD_FRAMES},
};

BciPlan *rt_plan(const char *name, unsigned limit) {
    for (unsigned k = 0; k < sizeof plans / sizeof *plans; k++) {
        if (strcmp(plans[k].name, name)) continue;
        BciPlan *p = bci_plan_new(plans[k].flags | (limit ? BCI_PLAN_OUTLINE : 0));
        plans[k].make(bci_rule(p, "**"));
        const char *wrong = bci_plan_seal(p);
        if (limit) p->code_limit = limit;
        if (!wrong) return p;
        fprintf(stderr, "plan %s: %s\n", name, wrong);
    }
    return NULL;
}
