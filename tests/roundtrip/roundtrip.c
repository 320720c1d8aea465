/* SPDX-License-Identifier: Apache-2.0 */
/*
 * roundtrip.c - every class of jimages and jars: parse, FORMAT check, write, compare bytes, verify; walk, signatures and
 * annotations (rt_views.h).
 *
 *   roundtrip [-v] [-b] [-n] FILE...     lib/modules, jars, .class files; -v lists every problem, -b prints times, -n no verify
 *
 * The hierarchy for the verifier is the corpus itself. A class that refers to classes outside of it cannot be verified to the
 * end; it is counted as "open", not as failed; likewise one of version 50 that type checking refuses, since a VM infers its
 * types then. Module descriptors are only round-tripped; versions before 50 are not verified. Exit status 0 = no class failed.
 */
#include "rt_flow.h"
#include "rt_views.h"
#include "world.h"

#include <stdlib.h>
#include <time.h>

/* ------------------------------------------------------------------------ the passes */

typedef struct Count {
    unsigned classes, bad_parse, bad_check, bad_write, bad_verify, open, verified, inferred, old, modules;
    size_t bytes;
    double parse, check, write, verify;
} Count;

static bool verbose;

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void problem(const CorpusEntry *e, const char *step, const CfError *err) {
    printf("%s: %s: %s%s%s%s\n", e->path, step, err->where[0] ? "[" : "", err->where, err->where[0] ? "] " : "", err->text);
}

static void load(World *w, CfArena *arena, Count *n) {
    for (uint32_t i = 0; i < w->corpus.entries.len; i++) {
        CorpusEntry *e = &w->corpus.entries.data[i];
        CfError err;
        cf_err_clear(&err);
        n->classes++;
        n->bytes += e->size;
        double t = seconds();
        CfErrCode rc = cf_parse(&e->cls, e->bytes, e->size, arena, NULL, &err);
        n->parse += seconds() - t;
        if (rc != CF_OK) {
            n->bad_parse++;
            problem(e, "parse", &err);
            continue;
        }
        world_add(w, e->cls);
    }
}

static void check_and_write(CorpusEntry *e, Count *n) {
    CfError err;
    CfWriter out;
    cf_err_clear(&err);
    if (e->cls->access & CF_ACC_MODULE) {
        n->modules++;
    } else {
        double t = seconds();
        if (cf_check(e->cls, NULL, &err) != CF_OK) {
            n->bad_check++;
            problem(e, "check", &err);
        }
        n->check += seconds() - t;
    }
    cf_w_init(&out);
    cf_err_clear(&err);
    double t = seconds();
    CfErrCode rc = cf_write(e->cls, &out, &err);
    n->write += seconds() - t;
    if (rc != CF_OK || out.len != e->size || memcmp(out.data, e->bytes, out.len) != 0) {
        n->bad_write++;
        problem(e, "write differs", &err);
    }
    cf_w_free(&out);
}

static void verify(World *w, CorpusEntry *e, Count *n) {
    static const CfVerifyOptions brief = {.no_details = true}, full = {0};
    const CfHierarchy h = world_hierarchy(w);
    CfError err;
    if (e->cls->access & CF_ACC_MODULE) return;
    if (e->cls->major < 50) {
        n->old++;
        return;
    }
    cf_err_clear(&err);
    w->current = e->cls;
    double t = seconds();
    CfErrCode rc = cf_verify(e->cls, &h, verbose ? &full : &brief, &err);
    n->verify += seconds() - t;
    if (rc == CF_OK) {
        n->verified++;
    } else if (rc == CF_ERR_LOAD) {
        n->open++;
    } else if (cf_verify_may_fail_over(e->cls, &err)) {
        n->inferred++;
    } else {
        n->bad_verify++;
        problem(e, "verify", &err);
    }
}

int main(int argc, char **argv) {
    World w = {0};
    Count n = {0};
    CfArena arena, scratch;
    ViewCount v = {0};
    FlowCount d = {0};
    bool bench = false, no_verify = false, ok = true;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-v") == 0) verbose = true;
        else if (strcmp(argv[i], "-b") == 0) bench = true;
        else if (strcmp(argv[i], "-n") == 0) no_verify = true;
        else ok = corpus_add(&w.corpus, argv[i]) && ok;
    }
    cf_arena_init(&arena, "corpus", 64 * 1024);
    cf_arena_init(&scratch, "walk", 64 * 1024);
    load(&w, &arena, &n);
    for (uint32_t i = 0; i < w.corpus.entries.len; i++) {
        CorpusEntry *e = &w.corpus.entries.data[i];
        if (!e->cls) continue;
        check_and_write(e, &n);
        check_views(e, &scratch, &v);
        check_flow(e, &scratch, &d);
        if (!no_verify) verify(&w, e, &n);
    }
    printf("%u classes, %zu bytes: %u unreadable, %u fail checks, %u not identical, %u verified, %u fail verification, "
           "%u open, %u of version 50 left to inference, %u before version 50, %u modules\n",
           n.classes, n.bytes, n.bad_parse, n.bad_check, n.bad_write, n.verified, n.bad_verify, n.open, n.inferred, n.old,
           n.modules);
    printf("walked over %u members, %u attributes, %u instructions: %u classes differ; %u signatures, %u malformed; "
           "%u attributes with annotations, %u malformed\n",
           v.members, v.attributes, v.instructions, v.bad_walk, v.signatures, v.bad_signature, v.annotations, v.bad_annotation);
    printf("flow of %u methods: %u declared frames: %u classes differ\n", d.methods, d.frames, d.bad);
    if (bench && n.classes)
        printf("microseconds per class: parse %.2f, check %.2f, write %.2f, verify %.2f, walk over members %.2f, kinds %.2f\n",
               n.parse * 1e6 / n.classes, n.check * 1e6 / n.classes, n.write * 1e6 / n.classes, n.verify * 1e6 / n.classes,
               v.walk * 1e6 / n.classes, d.kinds * 1e6 / n.classes);
    unsigned failed =
        n.bad_parse + n.bad_check + n.bad_write + n.bad_verify + v.bad_walk + v.bad_signature + v.bad_annotation + d.bad;
    printf("%u passed, %u failed\n", n.classes - failed, failed);
    return failed || !ok || !n.classes;
}
