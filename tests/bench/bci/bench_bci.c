/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_bci - the library under test of bench-bci: the same rows over the same classes as
 * BciYardstick.java. Reads lines "ROW PASSES", answers each with the least CPU nanoseconds of one
 * pass; "ready N" first. `bench_bci MODULES cold N` makes one pass of row "exits" over N classes.
 */
#include "bci_plan.h"
#include "corpus.h"

#include <stdlib.h>
#include <time.h>

static Corpus corpus;
static uint64_t sink;

static void *keep(void *ctx, size_t n) {
    static uint8_t *p;
    static size_t cap;
    if (n > cap) p = realloc(p, cap = n * 2);
    return p;
}

static const char *const rows[] = {"untouched",    "copy",    "frames", "entry", "exits",
                                   "exits-frames", "finally", "edit",   "guard", "timed"};
enum { UNTOUCHED, COPY, FRAMES, ENTRY, EXITS, EXITS_FRAMES, FINALLY, EDIT, GUARD, TIMED, ROWS };
static BciPlan *plans[ROWS];
static BciScratch *scratch;

static void make_plans(void) {
    scratch = bci_scratch_new();
    for (int k = 0; k < ROWS; k++) {
        BciPlan *p = plans[k] = bci_plan_new(k == EXITS_FRAMES || k == FRAMES ? BCI_PLAN_REBUILD_FRAMES : 0);
        BciRule *r = bci_rule(p, k == UNTOUCHED ? "no/such/Class.*" : "**");
        bci_except(r, "**.finalize");
        if (k != FRAMES) bci_call(r, BCI_ENTRY, NULL, "Probe.enter()V", NULL);
        if (k == EXITS || k == EXITS_FRAMES || k == FINALLY) bci_call(r, BCI_RETURN, NULL, "Probe.exit()V", NULL);
        if (k == FINALLY) bci_call(r, BCI_THROW, NULL, "Probe.exit()V", NULL);
        const char *wrong = bci_plan_seal(p);
        if (wrong) {
            fprintf(stderr, "%s\n", wrong);
            exit(1);
        }
    }
}

static void by_plan(int row, const CorpusEntry *e) {
    static BciResult res;
    BciRequest req = {.alloc = keep};
    BciOutcome o = bci_apply(plans[row], scratch, e->bytes, e->size, &req, &res);
    if (o == BCI_UNCHANGED) {
        memcpy(keep(NULL, e->size), e->bytes, e->size); /* as an agent that must hand out a copy */
        res.len = e->size;
    } else if (o != BCI_CHANGED) {
        fprintf(stderr, "%s: %s: %s\n", rows[row], e->path, o == BCI_PARTIAL ? res.skipped[0].why : res.error);
        exit(1);
    }
    sink += res.len;
}

static void call_at_entry(BciCode *code, bool guarded) {
    BciPos at = bci_entry(code);
    BciLabel *off = guarded ? bci_new_label(code) : NULL;
    if (guarded) {
        bci_field(at, CF_OP_GETSTATIC, "Probe", "on", "Z");
        bci_jump(at, CF_OP_IFEQ, off);
    }
    bci_invoke(at, CF_OP_INVOKESTATIC, "Probe", "enter", "()V");
    if (guarded) bci_place(at, off);
}

static void now(BciPos at) { bci_invoke(at, CF_OP_INVOKESTATIC, "java/lang/System", "nanoTime", "()J"); }

static void took(BciPos at, BciInsn *site, void *start) {
    now(at);
    bci_load(at, 'J', *(uint32_t *)start);
    bci_op(at, CF_OP_LSUB);
    bci_invoke(at, CF_OP_INVOKESTATIC, "Probe", "took", "(J)V");
}

static void time_it(BciCode *code) {
    uint32_t start = bci_new_local(code, 'J');
    now(bci_entry(code));
    bci_store(bci_entry(code), 'J', start);
    bci_each_return(code, took, &start);
}

static void by_editor(const CorpusEntry *e, int row) {
    BciClass *c = bci_open(e->bytes, e->size, NULL, NULL);
    uint8_t *out;
    size_t n;
    for (int i = 0; c && i < bci_method_count(c); i++) {
        BciCode *code = bci_code(bci_method(c, i));
        if (code && row == TIMED) time_it(code);
        else if (code && row != COPY) call_at_entry(code, row == GUARD);
        else if (code) bci_mark_changed(code);
    }
    CfError err;
    cf_err_clear(&err);
    if (!c || bci_write(c, keep, NULL, &out, &n, &err) != CF_OK) {
        fprintf(stderr, "copy: %s: %s\n", e->path, err.text);
        exit(1);
    }
    sink += n;
    bci_close(c);
}

static long pass(const char *name, uint32_t count) {
    int row = 0;
    while (row < ROWS - 1 && strcmp(rows[row], name)) row++;
    struct timespec a, b;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
    for (uint32_t i = 0; i < count; i++)
        if (row == COPY || row == EDIT || row == GUARD || row == TIMED) by_editor(&corpus.entries.data[i], row);
        else by_plan(row, &corpus.entries.data[i]);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
    return (b.tv_sec - a.tv_sec) * 1000000000L + b.tv_nsec - a.tv_nsec;
}

int main(int argc, char **argv) {
    Corpus all = {0};
    char row[64];
    int passes;
    if (argc < 2 || !corpus_add(&all, argv[1])) return 2;
    uint32_t limit = argc > 3 ? (uint32_t)atoi(argv[3]) : UINT32_MAX;
    for (uint32_t i = 0; i < all.entries.len && corpus.entries.len < limit; i++) {
        CorpusEntry e = all.entries.data[i];
        if (strstr(e.path, ":/java.base/") && !strstr(e.path, "module-info")) {
            uint8_t *p = malloc(e.size); /* out of the mapping: pages are there */
            memcpy(p, e.bytes, e.size);
            e.bytes = p;
            cf_vec_push(&corpus.entries, e);
        }
    }
    make_plans();
    if (argc > 3) {
        pass("exits", corpus.entries.len);
        return 0;
    }
    printf("ready %u\n", (unsigned)corpus.entries.len);
    fflush(stdout);
    while (scanf("%63s %d", row, &passes) == 2) {
        long best = 1L << 62;
        for (; passes > 0; passes--) {
            long t = pass(row, corpus.entries.len);
            best = t < best ? t : best;
        }
        printf("%ld\n", best);
        fflush(stdout);
    }
    return sink == 1;
}
