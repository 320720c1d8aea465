/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mutants.c - makes mutants of the classes of a jar and says what this library thinks of each, for JudgeMutants.java, which
 * asks the VM it runs on.
 *
 *   mutants SEED COUNT OUT JAR LIBRARY...      LIBRARY: lib/modules, jars; only for the hierarchy
 *
 * OUT holds records: class name (u2 length and bytes), u4 size, class bytes, u2 length, verdict ("OK", "OPEN: ..." if a class
 * is missing, or "ClassFormatError: message" ...), u2 number of such verdicts on other methods that are bad too.
 */
#include "mutate.h"
#include "world.h"

static const char *simple_name(CfErrCode code) {
    const char *n = cf_err_class(code);
    return n ? strrchr(n, '/') + 1 : "OPEN";
}

/* As the VM does it: FORMAT checks when defined, verification when linked. */
static CfErrCode judge(World *w, CfStr name, const uint8_t *p, size_t n, CfError *err) {
    char z[512];
    CfArena a;
    CfClass *c;
    CfParseOptions opt = {.check = CF_CHECK_FORMAT, .name = z};
    snprintf(z, sizeof z, "%.*s", CF_STR_ARGS(name));
    cf_arena_init(&a, "mutant", 0);
    cf_err_clear(err);
    CfErrCode rc = cf_parse(&c, p, n, &a, &opt, err);
    if (rc == CF_OK && c->major < 50) {
        rc = cf_fail(err, CF_ERR_USAGE, -1, "old");
    } else if (rc == CF_OK) {
        CfHierarchy h = world_hierarchy(w);
        w->current = c;
        rc = cf_verify(c, &h, NULL, err);
        w->current = NULL;
    }
    cf_arena_free(&a);
    return rc;
}

static void put_verdict(CfWriter *w, CfErrCode rc, const CfError *err) {
    char verdict[CF_ERR_TEXT + 64];
    snprintf(verdict, sizeof verdict, rc == CF_OK ? "OK" : "%s: %s", simple_name(rc), err->text);
    cf_w_u2(w, (unsigned)strlen(verdict));
    cf_w_bytes(w, verdict, strlen(verdict));
}

/* What is wrong with each method by itself: a VM may look at them in another order. */
static void put_methods(CfWriter *w, World *world, const uint8_t *p, size_t n) {
    CfArena a, scratch;
    CfClass *c;
    size_t at = w->len;
    unsigned bad = 0;
    CfHierarchy h = world_hierarchy(world);
    cf_w_u2(w, 0);
    cf_arena_init(&a, "mutant", 0);
    cf_arena_init(&scratch, "method", 0);
    if (cf_parse(&c, p, n, &a, NULL, NULL) == CF_OK && c->major >= 50) {
        world->current = c;
        for (unsigned k = 0; k < c->method_count; k++) {
            CfError err;
            cf_err_clear(&err);
            CfErrCode rc = cf_verify_method(c, &c->methods[k], &h, NULL, &scratch, &err);
            if (rc != CF_OK && rc != CF_ERR_LOAD) put_verdict(w, rc, &err), bad++;
        }
        world->current = NULL;
    }
    cf_w_patch_u2(w, at, bad);
    cf_arena_free(&scratch);
    cf_arena_free(&a);
}

int main(int argc, char **argv) {
    World w = {.current_wins = true};
    CfArena arena;
    if (argc < 5) return 2;
    Mutator m = {88172645463325252u + strtoul(argv[1], NULL, 0) * 2};
    unsigned long count = strtoul(argv[2], NULL, 0);
    FILE *out = fopen(argv[3], "wb");
    if (!out || !corpus_add(&w.corpus, argv[4])) return 2;
    uint32_t originals = w.corpus.entries.len;
    for (int i = 5; i < argc; i++) corpus_add(&w.corpus, argv[i]);
    cf_arena_init(&arena, "world", 64 * 1024);
    for (uint32_t i = 0; i < w.corpus.entries.len; i++) {
        CorpusEntry *e = &w.corpus.entries.data[i];
        if (cf_parse(&e->cls, e->bytes, e->size, &arena, NULL, NULL) == CF_OK) world_add(&w, e->cls);
    }
    for (unsigned long k = 0; k < count && originals; k++) {
        const CorpusEntry *e = &w.corpus.entries.data[mutate_random(&m, originals)];
        if (!e->cls || e->cls->major < 50 || (e->cls->access & CF_ACC_MODULE)) continue;
        size_t n = e->size;
        uint8_t *p = malloc(n + 1);
        memcpy(p, e->bytes, n);
        mutate(&m, &p, &n);
        CfError err;
        CfErrCode rc = judge(&w, e->cls->name, p, n, &err);
        CfWriter r;
        cf_w_init(&r);
        cf_w_u2(&r, e->cls->name.len);
        cf_w_bytes(&r, e->cls->name.p, e->cls->name.len);
        cf_w_u4(&r, (uint32_t)n);
        cf_w_bytes(&r, p, n);
        put_verdict(&r, rc, &err);
        if (rc == CF_OK || rc == CF_ERR_LOAD) cf_w_u2(&r, 0);
        else put_methods(&r, &w, p, n);
        fwrite(r.data, 1, r.len, out);
        cf_w_free(&r);
        free(p);
    }
    return fclose(out) != 0;
}
