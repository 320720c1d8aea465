/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mutants.c - makes mutants of the classes of a jar and says what this library thinks of each, for JudgeMutants.java, which
 * asks the VM it runs on.
 *
 *   mutants SEED COUNT OUT JAR LIBRARY...      LIBRARY: lib/modules, jars; only for the hierarchy
 *
 * OUT holds records: class name (u2 length and bytes), u4 size, class bytes, u2 length, verdict ("OK", "OPEN: ..." if a class is missing, or
 * "ClassFormatError: message" ...).
 */
#include "mutate.h"
#include "world.h"

static const char *simple_name(CfErrCode code)
{
    const char *n = cf_err_class(code);
    return n ? strrchr(n, '/') + 1 : "OPEN";
}

/* As the VM does it: FORMAT checks when defined, verification when linked. */
static CfErrCode judge(World *w, CfStr name, const uint8_t *p, size_t n, CfError *err)
{
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

int main(int argc, char **argv)
{
    World w = {.current_wins = true};
    CfArena arena;
    if (argc < 5)
        return 2;
    Mutator m = {88172645463325252u + strtoul(argv[1], NULL, 0) * 2};
    unsigned long count = strtoul(argv[2], NULL, 0);
    FILE *out = fopen(argv[3], "wb");
    if (!out || !corpus_add(&w.corpus, argv[4]))
        return 2;
    uint32_t originals = w.corpus.entries.len;
    for (int i = 5; i < argc; i++)
        corpus_add(&w.corpus, argv[i]);
    cf_arena_init(&arena, "world", 64 * 1024);
    for (uint32_t i = 0; i < w.corpus.entries.len; i++) {
        CorpusEntry *e = &w.corpus.entries.data[i];
        if (cf_parse(&e->cls, e->bytes, e->size, &arena, NULL, NULL) == CF_OK)
            world_add(&w, e->cls);
    }
    for (unsigned long k = 0; k < count && originals; k++) {
        const CorpusEntry *e = &w.corpus.entries.data[mutate_random(&m, originals)];
        if (!e->cls || e->cls->major < 50 || (e->cls->access & CF_ACC_MODULE))
            continue;
        size_t n = e->size;
        uint8_t *p = malloc(n + 1);
        memcpy(p, e->bytes, n);
        mutate(&m, &p, &n);
        CfError err;
        CfErrCode rc = judge(&w, e->cls->name, p, n, &err);
        char verdict[CF_ERR_TEXT + 64];
        if (rc == CF_OK)
            strcpy(verdict, "OK");
        else
            snprintf(verdict, sizeof verdict, "%s: %s", simple_name(rc), err.text);
        CfWriter r;
        cf_w_init(&r);
        cf_w_u2(&r, e->cls->name.len);
        cf_w_bytes(&r, e->cls->name.p, e->cls->name.len);
        cf_w_u4(&r, (uint32_t)n);
        cf_w_bytes(&r, p, n);
        cf_w_u2(&r, (unsigned)strlen(verdict));
        cf_w_bytes(&r, verdict, strlen(verdict));
        fwrite(r.data, 1, r.len, out);
        cf_w_free(&r);
        free(p);
    }
    return fclose(out) != 0;
}
