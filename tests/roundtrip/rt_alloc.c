/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rt_alloc - every allocation of the libraries fails once: no crash, no leak, an error that says something.
 *
 *   rt_alloc MODULES NAME...        classes by name, a/b/C
 *
 * Linked with --wrap for malloc, calloc and realloc, and with the libraries built so that each arena allocation is one
 * of malloc (CF_ARENA_EACH). Each operation runs on each class with the first allocation failing, then the second, and
 * so on until it runs through; then again with all later ones failing as well. Whatever fails, all memory must have been
 * freed when the operation has cleaned up. What comes out of an operation that reports success is the same as without a
 * failure.
 */
#include "agent_alone.h"
#include "edit/bci_edit.h"
#include "bci_plan.h"
#include "corpus.h"

#include <stdlib.h>

static long countdown = -1, live; /* allocations until one fails; -1 = never. Blocks not freed. */
static bool fired, for_good;      /* for_good: all later ones fail too */
static uint32_t expected;         /* hash of the operation's result when nothing fails */
static unsigned long outlined;

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);

static bool fails(void) {
    if (countdown < 0) return false;
    if (countdown > 0) {
        countdown--;
        return false;
    }
    countdown = for_good ? 0 : -1;
    fired = true;
    return true;
}
void *__wrap_malloc(size_t n) {
    void *p = fails() ? NULL : __real_malloc(n);
    live += p != NULL;
    return p;
}
void *__wrap_calloc(size_t n, size_t size) {
    void *p = fails() ? NULL : __real_calloc(n, size);
    live += p != NULL;
    return p;
}
void *__wrap_realloc(void *old, size_t n) {
    void *p = fails() ? NULL : __real_realloc(old, n);
    live += p != NULL && old == NULL;
    return p;
}
void __wrap_free(void *p) {
    live -= p != NULL;
    __real_free(p);
}

/* ---- operations: CF_OK with a hash of the result, or an error in *err ---- */

typedef struct Result {
    uint32_t hash;
    CfError err;
} Result;
typedef CfErrCode (*Operation)(const CorpusEntry *e, Result *r);

static CfErrCode finish(BciClass *c, Result *r) {
    uint8_t *out;
    size_t n;
    CfErrCode rc = bci_write(c, NULL, NULL, &out, &n, &r->err);
    if (rc == CF_OK) r->hash = cf_hash_bytes(out, n);
    free(out);
    bci_close(c);
    return rc;
}

static BciClass *open_class(const CorpusEntry *e, Result *r, BciFrames frames, unsigned flags) {
    return bci_open(e->bytes, e->size, &(BciOptions){.frames = frames, .flags = flags}, &r->err);
}

static CfAnswer yes(void *ctx, CfStr a, CfStr b) { return CF_YES; }
static CfAnswer no_interface(void *ctx, CfStr a) { return CF_NO; }
static CfAnswer object(void *ctx, CfStr a, CfStr *super) {
    *super = CF_STR("java/lang/Object");
    return CF_YES;
}
static CfAnswer not_super(void *ctx, CfStr a) { return CF_NO; }
static CfAnswer not_protected(void *ctx, CfStr a, CfStr b, CfStr d, bool method) { return CF_NO; }

static CfErrCode op_read(const CorpusEntry *e, Result *r) {
    static const CfHierarchy h = {NULL, yes, no_interface, object, not_super, not_protected};
    CfArena a;
    CfClass *c;
    CfWriter w;
    cf_arena_init(&a, "read", 0);
    cf_w_init(&w);
    CfParseOptions po = {.check = CF_CHECK_FORMAT};
    CfErrCode rc = cf_parse(&c, e->bytes, e->size, &a, &po, &r->err);
    if (rc == CF_OK && c->major >= 50) rc = cf_verify(c, &h, NULL, &r->err);
    if (rc == CF_OK) rc = cf_pool_collect(c, &r->err);
    if (rc == CF_OK) rc = cf_write(c, &w, &r->err);
    if (rc == CF_OK) r->hash = cf_hash_bytes(w.data, w.len);
    cf_w_free(&w);
    cf_arena_free(&a);
    return rc;
}

static CfErrCode op_dump(const CorpusEntry *e, Result *r) {
    CfArena a;
    CfClass *c;
    cf_arena_init(&a, "dump", 0);
    CfErrCode rc = cf_parse(&c, e->bytes, e->size, &a, NULL, &r->err);
    FILE *f = rc == CF_OK ? fopen("/dev/null", "w") : NULL;
    if (f) {
        cf_dump(c, CF_DUMP_ALL, f);
        fclose(f);
    }
    cf_arena_free(&a);
    return rc;
}

static CfErrCode rewrite(const CorpusEntry *e, Result *r, BciFrames frames, unsigned flags) {
    BciClass *c = open_class(e, r, frames, flags);
    for (int i = 0; c && i < bci_method_count(c); i++) bci_mark_changed(bci_code(bci_method(c, i)));
    return c ? finish(c, r) : r->err.code;
}
static CfErrCode op_same(const CorpusEntry *e, Result *r) { return rewrite(e, r, BCI_FRAMES_KEEP, BCI_COMPACT_POOL); }
static CfErrCode op_rebuild(const CorpusEntry *e, Result *r) { return rewrite(e, r, BCI_FRAMES_REBUILD, 0); }

static void call_probe(BciPos at, BciInsn *site, void *arg) {
    bci_string(at, arg);
    bci_invoke(at, CF_OP_INVOKESTATIC, "probe/P", "hit", "(Ljava/lang/String;)V");
}

static void edit(BciCode *code) {
    uint32_t slot = bci_new_local(code, 'J');
    BciPos at = bci_entry(code);
    bci_long(at, 1l << 40);
    bci_store(at, 'J', slot);
    call_probe(bci_entry_initialised(code), NULL, "entry");
    for (BciInsn *i = bci_first_insn(code), *next; i; i = next) {
        next = bci_next(i);
        if (bci_is_cond(i) && !(i->flags & BCI_F_NEW)) call_probe(bci_on_edge(code, i, i->target), i, "edge");
        else if ((i->op == CF_OP_TABLESWITCH || i->op == CF_OP_LOOKUPSWITCH) && i->sw->n)
            call_probe(bci_on_case(code, i, 0), i, "case");
    }
    bci_each_return(code, call_probe, "return");
    bci_on_throw(code, call_probe, "throw");
    bci_add_line(code, bci_label_of(code, bci_first_insn(code)), 7);
    bci_add_var(code, bci_label_of(code, bci_first_insn(code)), bci_as_label(bci_last(code)), "added", "J", slot);
}

static CfErrCode op_edit(const CorpusEntry *e, Result *r) {
    BciClass *c = open_class(e, r, BCI_FRAMES_KEEP, 0);
    for (int i = 0, n = c ? bci_method_count(c) : 0; i < n; i++) {
        BciMethod *m = bci_method(c, i);
        if (bci_method_access(m) & CF_ACC_NATIVE) bci_wrap_native(m, "$n_");
        else if (bci_code(m)) edit(bci_code(m));
    }
    if (c && !(bci_class_access(c) & CF_ACC_INTERFACE)) {
        bci_add_field(c, CF_ACC_STATIC, "$f", "I");
        bci_add_interface(c, "probe/I");
        call_probe(bci_clinit_entry(c), NULL, "clinit");
    }
    return c ? finish(c, r) : r->err.code;
}

/* Guarded probes at every call and return, with a new local of their own, and one that is set at the entry: no data flow. */
static void guarded(BciPos at, BciInsn *site, void *arg) {
    BciLabel *off = bci_new_label(at.code);
    uint32_t slot = bci_new_local(at.code, 'A');
    bci_field(at, CF_OP_GETSTATIC, "probe/P", "on", "Z");
    bci_jump(at, CF_OP_IFEQ, off);
    bci_string(at, arg);
    bci_store(at, 'A', slot);
    bci_load(at, 'A', slot);
    bci_invoke(at, CF_OP_INVOKESTATIC, "probe/P", "hit", "(Ljava/lang/String;)V");
    bci_place(at, off);
}
static CfErrCode op_guards(const CorpusEntry *e, Result *r) {
    BciClass *c = open_class(e, r, BCI_FRAMES_KEEP, 0);
    for (int i = 0, n = c ? bci_method_count(c) : 0; i < n; i++) {
        BciCode *code = bci_code(bci_method(c, i));
        if (!code) continue;
        uint32_t calls = bci_new_local(code, 'I');
        bci_int(bci_entry(code), 0);
        bci_store(bci_entry(code), 'I', calls);
        for (BciInsn *k = bci_first_insn(code), *next; k; k = next) {
            next = bci_next(k);
            if (k->flags & BCI_F_NEW || !bci_is_invoke(k)) continue;
            bci_iinc(bci_before(code, k), calls, 1);
            guarded(bci_before(code, k), k, "call");
        }
        bci_each_return(code, guarded, "return");
    }
    return c ? finish(c, r) : r->err.code;
}

/* What is longer than 120 bytes after calls of a probe at every line is outlined. */
static CfErrCode op_outline(const CorpusEntry *e, Result *r) {
    BciClass *c = open_class(e, r, BCI_FRAMES_KEEP, BCI_OUTLINE);
    if (c) c->code_limit = 120;
    for (int i = 0, n = c ? bci_method_count(c) : 0; i < n; i++) {
        BciCode *code = bci_code(bci_method(c, i));
        unsigned line = 0;
        for (BciInsn *k = bci_first_insn(code); k; k = bci_next(k))
            if (!(k->flags & BCI_F_NEW) && k->line != line) {
                line = k->line;
                call_probe(bci_before(code, k), k, "line");
                call_probe(bci_before(code, k), k, "line");
            }
    }
    uint8_t *out;
    size_t n;
    CfErrCode rc = c ? bci_write(c, NULL, NULL, &out, &n, &r->err) : r->err.code;
    if (c && rc == CF_OK) {
        r->hash = cf_hash_bytes(out, n);
        for (int i = 0; i < bci_method_count(c); i++) outlined += bci_outlined(bci_method(c, i));
    }
    if (c) free(out);
    bci_close(c);
    return rc;
}

static CfErrCode op_rename(const CorpusEntry *e, Result *r) {
    static const BciRenaming rows[] = {
        {"java/util/", NULL, NULL, "other/place/"}, {"java/lang/Integer", "value", NULL, "v"}, {"java/lang/", NULL, NULL, "a/"}};
    BciClass *c = open_class(e, r, BCI_FRAMES_KEEP, BCI_COMPACT_POOL);
    if (!c) return r->err.code;
    CfErrCode rc = bci_rename_list(c, rows, 3, BCI_NAMES_STRINGS, &r->err);
    if (rc == CF_OK) return finish(c, r);
    bci_close(c);
    return rc;
}

static CfErrCode op_copy(const CorpusEntry *e, Result *r) {
    BciClass *c = open_class(e, r, BCI_FRAMES_KEEP, 0), *to = open_class(e, r, BCI_FRAMES_KEEP, 0);
    for (int i = 0, n = c && to ? bci_method_count(c) : 0; i < n; i++) {
        BciMethod *m = bci_method(c, i);
        char name[20];
        snprintf(name, sizeof name, "copied%d", i);
        if (bci_method_name(m) && bci_method_name(m)[0] != '<') bci_copy_method(to, m, name);
        if (!(bci_method_access(m) & (CF_ACC_NATIVE | CF_ACC_ABSTRACT))) bci_copy_body(bci_method(to, i), m);
    }
    for (int i = 0, n = c && to ? bci_model(c)->field_count : 0; i < n; i++) {
        const CfClass *k = bci_model(c);
        const CfMember *f = &k->fields[i];
        char as[20], field[100], desc[100];
        CfStr a = cf_utf8(k, f->name), d = cf_utf8(k, f->desc);
        snprintf(as, sizeof as, "copied%d", i);
        snprintf(field, sizeof field, "%.*s", CF_STR_ARGS(a));
        snprintf(desc, sizeof desc, "%.*s", CF_STR_ARGS(d));
        if (a.len < sizeof field && d.len < sizeof desc) bci_copy_field(to, c, field, desc, as);
    }
    CfErrCode rc = r->err.code;
    if (c && to) rc = finish(to, r);
    else bci_close(to);
    bci_close(c);
    return rc;
}

static CfErrCode op_analyse(const CorpusEntry *e, Result *r) {
    BciClass *c = open_class(e, r, BCI_FRAMES_KEEP, 0);
    for (int i = 0; c && i < bci_method_count(c); i++) {
        BciCode *code = bci_code(bci_method(c, i));
        const BciCfg *g = bci_cfg(code, BCI_CFG_SPLIT_THROW);
        const BciLiveness *l = bci_liveness(code, g);
        BciState s;
        bci_dominators(code, g);
        for (uint32_t b = 0; g && b < g->nblocks; b++) {
            bci_state(code, g->blocks[b].first, &s);
            bci_live(l, g->blocks[b].first, 0);
        }
    }
    return c ? finish(c, r) : r->err.code;
}

static int32_t number(void *ctx, const BciSite *site) { return (int32_t)site->pc; }

static void exits(BciRule *r) {
    bci_call(r, BCI_ENTRY, NULL, "P.enter(I)V", "site");
    bci_call(r, BCI_RETURN, NULL, "P.exit()V", NULL);
    bci_call(r, BCI_THROW, NULL, "P.exit([Ljava/lang/Object;)V", "params");
    bci_natives(r, "$n_");
}
static void edges(BciRule *r) {
    bci_count(r, BCI_EDGE, NULL, "P.edges[J");
    bci_call(r, BCI_CONSTRUCTED, NULL, "P.made(ILjava/lang/Object;)V", "site,result");
}

static CfErrCode apply(const BciPlan *p, BciScratch *s, const CorpusEntry *e, Result *r) {
    BciResult res = {0};
    BciRequest req = {.id = number};
    BciOutcome o = bci_apply(p, s, e->bytes, e->size, &req, &res);
    bool refused = o == BCI_REFUSED, skipped = !refused && res.nskipped;
    CfErrCode rc = refused ? res.code : skipped ? res.skipped[0].code : CF_OK;
    snprintf(r->err.text, sizeof r->err.text, "%s", skipped ? res.skipped[0].why : res.error);
    r->hash = res.bytes ? cf_hash_bytes(res.bytes, res.len) : 0;
    free(res.bytes);
    return rc;
}

/* A scratch that was used when memory ran out is as good as any other. */
static CfErrCode apply_plan(const CorpusEntry *e, Result *r, unsigned flags, void (*add)(BciRule *)) {
    BciPlan *p = bci_plan_new(flags);
    BciScratch *s = bci_scratch_new();
    add(bci_rule(p, "**"));
    const char *wrong = bci_plan_seal(p);
    CfErrCode rc = wrong || !s ? CF_ERR_NOMEM : CF_OK;
    snprintf(r->err.text, sizeof r->err.text, "%s", wrong ? wrong : "no scratch");
    if (rc == CF_OK && (rc = apply(p, s, e, r)) != CF_OK) {
        Result again = {0};
        countdown = -1;
        if (strstr(r->err.text, "is full")) {
            fired = false; /* an error that no failed allocation explains */
        } else if (apply(p, s, e, &again) != CF_OK || again.hash != expected) {
            fired = false;
            snprintf(r->err.text, sizeof r->err.text, "the scratch is spoilt: %s", again.err.text);
        }
    }
    bci_scratch_free(s);
    bci_plan_free(p);
    return rc;
}
static CfErrCode op_plan(const CorpusEntry *e, Result *r) { return apply_plan(e, r, BCI_PLAN_REBUILD_FRAMES, exits); }
static CfErrCode op_edges(const CorpusEntry *e, Result *r) { return apply_plan(e, r, 0, edges); }
static CfErrCode op_verified(const CorpusEntry *e, Result *r) { return apply_plan(e, r, BCI_PLAN_VERIFY, exits); }

static CfWalkOn add_name(void *ctx, const CfClass *c, const CfMember *m) {
    CfStr name = cf_utf8(c, m->name);
    *(uint32_t *)ctx = *(uint32_t *)ctx * 31 + cf_hash_bytes(name.p, name.len);
    return CF_WALK_ON;
}
static CfErrCode op_walk(const CorpusEntry *e, Result *r) {
    static const CfVisitor v = {.field = add_name, .method = add_name};
    return cf_walk(e->bytes, e->size, &v, &r->hash, NULL, &r->err);
}

/* An agent tells on standard error what fails; what it does not tell there must not have failed. */
static CfErrCode agent(const CorpusEntry *e, Result *r, bool live) {
    FILE *was = stderr;
    stderr = fmemopen(r->err.text, sizeof r->err.text, "w");
    r->hash = agent_alone(e->bytes, e->size, live);
    bool told = ftell(stderr) > 0;
    fclose(stderr);
    stderr = was;
    return told ? CF_ERR_NOMEM : CF_OK;
}
static CfErrCode op_agent(const CorpusEntry *e, Result *r) { return agent(e, r, false); }
static CfErrCode op_attached(const CorpusEntry *e, Result *r) { return agent(e, r, true); }

static const struct {
    const char *name;
    Operation run;
} operations[] = {{"read", op_read},       {"walk", op_walk},         {"dump", op_dump},       {"same", op_same},
                  {"rebuild", op_rebuild}, {"edit", op_edit},         {"guards", op_guards},   {"outline", op_outline},
                  {"rename", op_rename},   {"copy", op_copy},         {"analyse", op_analyse}, {"plan", op_plan},
                  {"edges", op_edges},     {"verified", op_verified}, {"agent", op_agent},     {"attached", op_attached}};

static int problem(const CorpusEntry *e, const char *op, long k, const char *what) {
    printf("%s: %s, allocation %ld: %s\n", e->path, op, k, what);
    return 1;
}

static int exhaust(const CorpusEntry *e, const char *name, Operation run, unsigned long *total) {
    Result good = {0};
    CfErrCode rc = run(e, &good);
    if (rc != CF_OK) return problem(e, name, -1, good.err.text);
    expected = good.hash;
    for (long k = 0;; k++) {
        Result r = {0};
        long before = live;
        fired = false;
        countdown = k;
        rc = run(e, &r);
        countdown = -1;
        if (live != before) return problem(e, name, k, "leak");
        if (rc != CF_OK && r.err.text[0] == 0) return problem(e, name, k, "an error without a text");
        if (rc != CF_OK && fired && rc != CF_ERR_NOMEM && !strstr(r.err.text, "memory")) return problem(e, name, k, r.err.text);
        if (rc == CF_OK && r.hash != good.hash) return problem(e, name, k, "success, but another result");
        if (rc != CF_OK && !fired) return problem(e, name, k, r.err.text);
        if (!fired) return 0;
        ++*total;
    }
}

int main(int argc, char **argv) {
    Corpus all = {0};
    int bad = 0;
    unsigned long total = 0, classes = 0;
    if (argc < 3 || !corpus_add(&all, argv[1])) return 2;
    for (int i = 2; i < argc; i++)
        for (size_t k = 0; k < all.entries.len; k++) {
            const CorpusEntry *e = &all.entries.data[k];
            size_t n = strlen(e->path), m = strlen(argv[i]);
            if (n < m + 7 || e->path[n - m - 7] != '/' || strncmp(e->path + n - m - 6, argv[i], m)) continue;
            classes++;
            for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
                for (int pass = 0; pass < 2; pass++) {
                    for_good = pass;
                    bad |= exhaust(e, operations[o].name, operations[o].run, &total);
                }
            break;
        }
    printf("%lu classes, %lu failed allocations%s\n", classes, total, bad ? "" : ": no crash, no leak, each reported");
    if (!outlined) printf("no method was outlined\n");
    return bad || !outlined || classes != (unsigned long)argc - 2;
}
