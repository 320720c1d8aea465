/* SPDX-License-Identifier: Apache-2.0 */
/* cov_affected.c - tests for a change; rules in cov_affected.h. */
#include "cov_affected.h"

#include <stdlib.h>
#include <string.h>

#include "agent.h"
#include "cov_filter.h"
#include "cov_source_change.h"
#include "cov_uses.h"

enum { NO_FILE = -1, MAX_SOURCE = 64 << 20, TEXT = 4600 };

typedef struct Row {   /* a class of the data */
    int32_t file;      /* that it is in, if that was changed */
    bool changed;      /* itself, or what its static initialiser made (rule 3) */
    bool inherits;     /* is or extends a changed one */
    bool reaches;      /* refers to a changed one, maybe over others */
    bool looked;       /* for its static initialiser */
    uint32_t from, to; /* probes of that */
    uint32_t uses;     /* first of its uses */
} Row;

typedef struct File { /* a file of the diff */
    CovSourceChange change;
    uint32_t epochs; /* that touched it */
    bool tests;      /* has some */
} File;

typedef struct Pair { /* of classes: the second refers to the first, or extends it */
    uint32_t of, by;
} Pair;
typedef CF_VEC(Pair) Pairs;

typedef struct Use { /* a method of `by`, with the probes from..to, uses `of` without passing a probe of that */
    uint32_t by, of, from, to;
    bool writes; /* a static field; then `of` may be `by` */
} Use;

typedef struct Ask {
    const CovData *d;
    CovDiff *diff;
    const CovAffected *want;
    Row *rows;
    File *files;
    CF_VEC(const char *) tests; /* sorted; arena */
    CF_VEC(const char *) fresh; /* "A.*": tests of A that may be new; arena */
    bool *selected;
    Pairs users, heirs; /* sorted */
    CF_VEC(Use) uses;   /* sorted by class */
    CfArena arena, scratch;
    bool all, ok;
} Ask;

/* ---- tests ----------------------------------------------------------------------------------------- */

static int by_text(const void *x, const void *y) { return strcmp(*(const char *const *)x, *(const char *const *)y); }

static bool is_test(const char *name, size_t n) { return n && !(n > 1 && !memcmp(name + n - 2, ".*", 2)); }

/* Calls for each name in that of an epoch. */
static void each_part(Ask *a, const char *name, void (*part)(Ask *, const char *, size_t)) {
    for (const char *end; name; name = end ? end + 1 : NULL) {
        end = strchr(name, '|');
        part(a, name, end ? (size_t)(end - name) : strlen(name));
    }
}

static void note_test(Ask *a, const char *name, size_t n) {
    const char *copy = is_test(name, n) ? cf_arena_copy(&a->arena, name, n) : NULL;
    if (is_test(name, n)) a->ok &= copy && cf_vec_push(&a->tests, copy);
}

static void list_tests(Ask *a) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->d->nepochs; i++) each_part(a, a->d->epochs[i].name, note_test);
    if (a->tests.len) qsort(a->tests.data, a->tests.len, sizeof *a->tests.data, by_text);
    for (uint32_t i = 0; i < a->tests.len; i++)
        if (!n || strcmp(a->tests.data[n - 1], a->tests.data[i])) a->tests.data[n++] = a->tests.data[i];
    a->tests.len = n;
    a->selected = CF_NEW_ARRAY(&a->arena, bool, n + 1u);
    a->ok &= a->selected != NULL;
}

static void select_all(Ask *a) { memset(a->selected, 1, a->tests.len); }

/* "A.*" stands for the tests of A and of its inner classes; if there are none, A holds others: for all. */
static void select_part(Ask *a, const char *name, size_t n) {
    bool cls = n > 1 && !memcmp(name + n - 2, ".*", 2), any = false;
    size_t base = cls ? n - 2 : n;
    for (uint32_t i = 0; i < a->tests.len; i++) {
        const char *t = a->tests.data[i];
        if (!n || strncmp(t, name, base) != 0 || !(cls ? t[base] == '.' || t[base] == '$' : !t[base])) continue;
        a->selected[i] = any = true;
    }
    if (!any) select_all(a);
}

/* ---- classes ----------------------------------------------------------------------------------------- */

static int name_of_class(const void *key, const void *item) { return strcmp(key, ((const CovDataClass *)item)->name); }

/* Calls `found` for each class of that name. */
static void each_named(Ask *a, CfStr name, void (*found)(Ask *, uint32_t of, void *), void *ctx) {
    char text[1024];
    snprintf(text, sizeof text, "%.*s", CF_STR_ARGS(name));
    const CovDataClass *at = bsearch(text, a->d->classes, a->d->nclasses, sizeof *at, name_of_class), *all = a->d->classes;
    for (; at && at > all && !strcmp(at[-1].name, text);) at--;
    for (; at && at < all + a->d->nclasses && !strcmp(at->name, text); at++) found(a, (uint32_t)(at - all), ctx);
}

static void note_user(Ask *a, uint32_t of, void *by) {
    if (of != *(uint32_t *)by) a->ok &= cf_vec_push(&a->users, (Pair){of, *(uint32_t *)by});
}

static void note_heir(Ask *a, uint32_t of, void *by) { a->ok &= cf_vec_push(&a->heirs, (Pair){of, *(uint32_t *)by}); }

static void note_use(Ask *a, uint32_t of, void *ctx) {
    Use u = *(Use *)ctx;
    u.of = of;
    if (u.of != u.by || u.writes) a->ok &= cf_vec_push(&a->uses, u);
}

typedef struct User {
    Ask *a;
    uint32_t by;
} User;

static bool on_use(void *ctx, CfStr name, uint32_t from, uint32_t to, bool writes) {
    const User *u = ctx;
    each_named(u->a, name, note_use, &(Use){.by = u->by, .from = from, .to = to, .writes = writes});
    return u->a->ok;
}

static void note_references(Ask *a, const CfClass *c, uint32_t i) {
    for (uint32_t k = 1; k < c->const_count; k++) {
        CfStr name = cf_class_name(c, (uint16_t)k);
        if (name.len) each_named(a, name, note_user, &i);
    }
    each_named(a, cf_class_name(c, c->super_class), note_heir, &i);
    for (unsigned k = 0; k < c->interface_count; k++) each_named(a, cf_class_name(c, c->interfaces[k]), note_heir, &i);
    a->rows[i].uses = a->uses.len;
    a->ok &= cov_uses(c, &a->scratch, on_use, &(User){a, i});
}

static CovDiffFile *file_of(Ask *a, const CfClass *c) {
    CfStr src = cf_utf8(c, cf_attr_index(cf_attr(&c->attrs, CF_ATTR_SOURCE_FILE)));
    char package[1024], name[512];
    snprintf(package, sizeof package, "%.*s", CF_STR_ARGS(c->name));
    char *slash = strrchr(package, '/');
    *(slash ? slash : package) = 0;
    snprintf(name, sizeof name, "%.*s", CF_STR_ARGS(src));
    CovDiffFile *f = src.len ? cov_diff_find(a->diff, package, name, false) : NULL; /* one that moved is there, too */
    return f || !src.len ? f : cov_diff_find(a->diff, package, name, true);
}

/* "p/A$B" as "p.A$B". */
static const char *class_in_names(Ask *a, const char *name, const char *behind) {
    size_t n = strlen(name), k = strlen(behind);
    char *text = cf_arena_alloc(&a->arena, n + k + 1);
    a->ok &= text != NULL;
    for (size_t i = 0; text && i < n; i++) text[i] = name[i] == '/' ? '.' : name[i];
    if (text) memcpy(text + n, behind, k + 1);
    return text;
}

/* First test whose name begins so; the number of all if there is none. */
static uint32_t first_test(const Ask *a, const char *prefix) {
    uint32_t from = 0, to = a->tests.len;
    while (from < to) {
        uint32_t mid = (from + to) / 2;
        if (strcmp(a->tests.data[mid], prefix) < 0) from = mid + 1;
        else to = mid;
    }
    return from < a->tests.len && !strncmp(a->tests.data[from], prefix, strlen(prefix)) ? from : a->tests.len;
}

static bool has_tests(Ask *a, uint32_t c) {
    const char *prefix = class_in_names(a, a->d->classes[c].name, ".");
    return prefix && first_test(a, prefix) < a->tests.len;
}

static void found_class(Ask *a, uint32_t of, void *found) { *(bool *)found = true; }

/* Is the class file at hand of every class that is declared in this one? */
static bool knows_members(Ask *a, const CfClass *c) {
    CfRows rows;
    const CfAttr *attr = cf_attr(&c->attrs, CF_ATTR_INNER_CLASSES);
    if (!attr) return true;
    if (cf_inner_classes(attr, &rows, NULL) != CF_OK) return false;
    for (uint32_t i = 0; i < rows.count; i++) {
        CfInner inner = cf_inner(&rows, i);
        bool found = false;
        if (!cf_str_eq(cf_class_name(c, inner.outer), c->name)) continue;
        each_named(a, cf_class_name(c, inner.inner), found_class, &found);
        if (!found) return false;
    }
    return true;
}

/* Names that Maven takes for tests. */
static bool is_test_class(const char *simple) { return agent_match_list("Test*:*Test:*Tests:*TestCase:*IT:*Spec", simple); }

/* In which changed file is it, whom does it refer to? One that cannot be read might be changed. */
static void read_class(Ask *a, uint32_t i) {
    const CovDataClass *d = &a->d->classes[i];
    CfParseOptions any = {.any_version = true};
    CfClass *c;
    cf_arena_reset(&a->scratch);
    a->rows[i].file = NO_FILE;
    a->rows[i].uses = a->uses.len;
    if (cf_parse(&c, d->bytes, d->bytes_len, &a->scratch, &any, NULL) != CF_OK) return (void)(a->rows[i].changed = true);
    CovDiffFile *f = file_of(a, c);
    if (f) {
        f->used = true;
        a->rows[i].file = (int32_t)(f - a->diff->files.data);
        File *file = &a->files[a->rows[i].file];
        file->tests |= d->of_tests || has_tests(a, i);
        cov_source_constants(&file->change, c, knows_members(a, c));
    }
    note_references(a, c, i);
}

/* Tests may look at their own text and its lines: what changed in it is never nothing. */
static bool is_same(const File *f) { return f->change.same && !f->tests; }

static void mark_changed(Ask *a) {
    for (uint32_t i = 0; i < a->d->nclasses; i++) {
        int32_t f = a->rows[i].file;
        a->rows[i].changed |= f != NO_FILE && !is_same(&a->files[f]);
    }
}

static int by_pair(const void *x, const void *y) {
    const Pair *a = x, *b = y;
    return a->of != b->of ? (a->of < b->of ? -1 : 1) : a->by < b->by ? -1 : a->by > b->by;
}

static void sort_pairs(Pairs *p) {
    if (p->len) qsort(p->data, p->len, sizeof *p->data, by_pair);
}

/* First pair of class `c`. */
static uint32_t pairs_of(const Pairs *p, uint32_t c) {
    uint32_t from = 0, to = p->len;
    while (from < to) {
        uint32_t mid = (from + to) / 2;
        if (p->data[mid].of < c) from = mid + 1;
        else to = mid;
    }
    return from;
}

/* Marks the changed classes and what comes to them over pairs; `mark` gives the place of a row's mark. */
static void spread_over(Ask *a, const Pairs *p, bool *(*mark)(Row *)) {
    uint32_t *queue = CF_NEW_ARRAY(&a->scratch, uint32_t, a->d->nclasses + 1u), n = 0;
    a->ok &= queue != NULL;
    for (uint32_t i = 0; queue && i < a->d->nclasses; i++)
        if ((*mark(&a->rows[i]) = a->rows[i].changed)) queue[n++] = i;
    for (uint32_t at = 0; at < n; at++)
        for (uint32_t k = pairs_of(p, queue[at]); k < p->len && p->data[k].of == queue[at]; k++) {
            bool *by = mark(&a->rows[p->data[k].by]);
            if (*by) continue;
            *by = true;
            queue[n++] = p->data[k].by;
        }
}

static bool *reaches(Row *r) { return &r->reaches; }
static bool *inherits(Row *r) { return &r->inherits; }

/* ---- static initialisers ---------------------------------------------------------------------------- */

static void find_initialiser(Ask *a, uint32_t i) {
    const CovDataClass *d = &a->d->classes[i];
    Row *row = &a->rows[i];
    CfParseOptions any = {.any_version = true};
    CfClass *c;
    row->looked = true;
    cf_arena_reset(&a->scratch);
    if (cf_parse(&c, d->bytes, d->bytes_len, &a->scratch, &any, NULL) != CF_OK) return;
    CovMethods it = {.cls = c, .arena = &a->scratch};
    while (cov_methods_next(&it))
        if (cf_str_is(cf_utf8(c, it.method->name), "<clinit>")) row->from = it.first, row->to = it.total;
}

/* Did it run in the epoch? */
static bool initialised(Ask *a, const CovHit *h, uint32_t c) {
    if (!a->rows[c].looked) find_initialiser(a, c);
    return h->probe >= a->rows[c].from && h->probe < a->rows[c].to;
}

static uint32_t uses_end(const Ask *a, uint32_t c) { return c + 1 < a->d->nclasses ? a->rows[c + 1].uses : a->uses.len; }

/* Did the method with that probe use a changed class, or one that has something of a changed one? */
static bool uses_change(const Ask *a, uint32_t c, uint32_t probe) {
    for (uint32_t k = a->rows[c].uses; k < uses_end(a, c); k++) {
        const Use *u = &a->uses.data[k];
        if (probe >= u->from && probe < u->to && a->rows[u->of].inherits) return true;
    }
    return false;
}

static bool touches_change(const Ask *a, const CovEpoch *e) {
    for (size_t k = 0; k < e->nhits; k++) {
        uint32_t c = cov_data_hit_class(a->d, &e->hits[k]);
        if (a->rows[c].changed || uses_change(a, c, e->hits[k].probe)) return true;
    }
    return false;
}

static bool mark(Row *r) { return !r->changed && r->reaches && (r->changed = true); }

/* A method with that probe ran, and so did a changed class: what it wrote to static fields may be of that. */
static bool mark_written(Ask *a, uint32_t c, uint32_t probe) {
    bool found = false;
    for (uint32_t k = a->rows[c].uses; k < uses_end(a, c); k++) {
        const Use *u = &a->uses.data[k];
        if (u->writes && probe >= u->from && probe < u->to) found |= mark(&a->rows[u->of]);
    }
    return found;
}

/* Rule 3, once over; false if nothing was found. */
static bool spread(Ask *a) {
    bool found = false;
    cf_arena_reset(&a->scratch);
    spread_over(a, &a->users, reaches);
    spread_over(a, &a->heirs, inherits);
    for (uint32_t i = 0; a->ok && i < a->d->nepochs; i++) {
        const CovEpoch *e = &a->d->epochs[i];
        if (!touches_change(a, e)) continue;
        for (size_t k = 0; k < e->nhits; k++) {
            uint32_t c = cov_data_hit_class(a->d, &e->hits[k]);
            found |= mark_written(a, c, e->hits[k].probe);
            if (!a->rows[c].changed && a->rows[c].reaches && initialised(a, &e->hits[k], c)) found |= mark(&a->rows[c]);
        }
    }
    return found;
}

/* ---- choice ---------------------------------------------------------------------------------------- */

static void say(Ask *a, const char *path, const char *what) {
    char text[TEXT];
    snprintf(text, sizeof text, "%s: %s", path, what);
    a->want->tell(a->want->ctx, text);
}

static void all_for(Ask *a, const char *path, const char *why) {
    char text[300];
    snprintf(text, sizeof text, "%s: all tests", why);
    say(a, path, text);
    a->all = true;
}

static void choose(Ask *a) {
    for (uint32_t i = 0; i < a->d->nepochs; i++) {
        const CovEpoch *e = &a->d->epochs[i];
        for (size_t k = 0; k < e->nhits; k++) {
            const Row *row = &a->rows[cov_data_hit_class(a->d, &e->hits[k])];
            if (row->file != NO_FILE) a->files[row->file].epochs++;
        }
        if (touches_change(a, e)) each_part(a, e->name, select_part);
    }
}

/* The package that a source says it is in; "" without one. */
static void package_of(Ask *a, const char *path, char *package, size_t n) {
    char full[4200];
    size_t len;
    snprintf(full, sizeof full, "%s%s%s", a->diff->root ? a->diff->root : "", a->diff->root ? "/" : "", path);
    const char *text = agent_read_file(full, MAX_SOURCE, &a->scratch, &len);
    *package = 0;
    for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *p = line + strspn(line, " \t");
        if (strncmp(p, "package ", 8) != 0) continue;
        p += 8;
        return (void)snprintf(package, n, "%.*s", (int)strcspn(p, "; \t\r\n"), p);
    }
}

static void new_source(Ask *a, const char *path) {
    const char *file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    char simple[512], package[512], name[1100];
    snprintf(simple, sizeof simple, "%.*s", (int)strcspn(file, "."), file);
    if (!is_test_class(simple)) return say(a, path, "new: no test knows it");
    package_of(a, path, package, sizeof package);
    snprintf(name, sizeof name, "%s%s%s.*", package, *package ? "." : "", simple);
    const char *copy = cf_arena_copy(&a->arena, name, strlen(name));
    a->ok &= copy && cf_vec_push(&a->fresh, copy);
    say(a, path, "new, and a test by its name");
}

static void judge_file(Ask *a, uint32_t i) {
    const CovDiffFile *f = &a->diff->files.data[i];
    const File *file = &a->files[i];
    char text[100];
    if (agent_match_list(a->want->ignore, f->path)) say(a, f->path, "ignored");
    else if (!cov_diff_is_source(f->path)) all_for(a, f->path, "not a source");
    else if (is_same(file)) say(a, f->path, "comments or layout only");
    else if (f->kind == COV_DIFF_NEW && !f->used) new_source(a, f->path);
    else if (!f->used) all_for(a, f->path, "changed, and no data of it");
    else if (!file->epochs) all_for(a, f->path, "changed, and nothing of it ran in any test");
    else if (file->change.constants && f->kind != COV_DIFF_GONE)
        all_for(a, f->path, "maybe another value of a constant, which other classes copy");
    else snprintf(text, sizeof text, "%s", f->kind == COV_DIFF_GONE ? "gone" : "changed"), say(a, f->path, text);
}

static bool is_gone(const Ask *a, const Row *row) {
    return row->file != NO_FILE && a->diff->files.data[row->file].kind == COV_DIFF_GONE;
}

/* Classes with tests whose text was changed, or that of a class they extend: there may be new ones. */
static void list_renewed(Ask *a) {
    for (uint32_t i = 0; a->ok && i < a->d->nclasses; i++) {
        const CovDataClass *c = &a->d->classes[i];
        const char *slash = strrchr(c->name, '/');
        if (!a->rows[i].inherits || is_gone(a, &a->rows[i])) continue;
        if (!has_tests(a, i) && !(c->of_tests && is_test_class(slash ? slash + 1 : c->name))) continue;
        const char *name = class_in_names(a, c->name, ".*");
        a->ok &= name && cf_vec_push(&a->fresh, name);
    }
}

/* The tests of a source that is gone are gone. */
static void forget_gone(Ask *a) {
    for (uint32_t i = 0; a->ok && i < a->d->nclasses; i++) {
        const char *prefix = is_gone(a, &a->rows[i]) ? class_in_names(a, a->d->classes[i].name, ".") : NULL;
        for (uint32_t t = prefix ? first_test(a, prefix) : a->tests.len; t < a->tests.len; t++)
            if (!strncmp(a->tests.data[t], prefix, strlen(prefix))) a->selected[t] = false;
    }
}

/* Is it one of those that A.* stands for? */
static bool is_fresh(const Ask *a, const char *test) {
    for (uint32_t i = 0; i < a->fresh.len; i++) {
        size_t n = strlen(a->fresh.data[i]) - 1;
        if (!strncmp(test, a->fresh.data[i], n) && strcmp(test, a->fresh.data[i]) != 0) return true;
    }
    return false;
}

static void tell_tests(Ask *a) {
    char text[100];
    uint32_t n = 0;
    CF_VEC(const char *) told = {0};
    for (uint32_t i = 0; a->ok && i < a->tests.len; i++) {
        n += a->selected[i];
        if (a->selected[i] && !is_fresh(a, a->tests.data[i])) a->ok &= cf_vec_push(&told, a->tests.data[i]);
    }
    for (uint32_t i = 0; a->ok && i < a->fresh.len; i++) a->ok &= cf_vec_push(&told, a->fresh.data[i]);
    if (told.len) qsort(told.data, told.len, sizeof *told.data, by_text);
    for (uint32_t i = 0; a->ok && i < told.len; i++)
        if (!i || strcmp(told.data[i - 1], told.data[i]) != 0) a->want->test(a->want->ctx, told.data[i]);
    cf_vec_free(&told);
    snprintf(text, sizeof text, "%u of %u tests%s", n, a->tests.len, a->fresh.len ? ", and new ones" : "");
    a->want->tell(a->want->ctx, text);
}

static void judge(Ask *a) {
    for (uint32_t i = 0; i < a->diff->files.len; i++)
        if (cov_diff_is_source(a->diff->files.data[i].path))
            cov_source_change(&a->files[i].change, a->diff, &a->diff->files.data[i]);
    for (uint32_t i = 0; a->ok && i < a->d->nclasses; i++) read_class(a, i);
    sort_pairs(&a->users);
    sort_pairs(&a->heirs);
    mark_changed(a);
    spread_over(a, &a->heirs, inherits);
    if (a->ok) list_renewed(a);
    while (a->ok && spread(a)) {}
    if (a->ok) choose(a);
    for (uint32_t i = 0; a->ok && i < a->diff->files.len; i++) judge_file(a, i);
    if (a->all) select_all(a);
    if (a->ok) forget_gone(a);
    if (a->ok) tell_tests(a);
}

CovAffectedResult cov_affected(const CovData *d, CovDiff *diff, const CovAffected *want) {
    Ask a = {.d = d, .diff = diff, .want = want, .ok = true};
    cf_arena_init(&a.arena, "affected", 1 << 16);
    cf_arena_init(&a.scratch, "affected scratch", 1 << 16);
    a.rows = CF_NEW_ARRAY(&a.arena, Row, d->nclasses + 1u);
    a.files = CF_NEW_ARRAY(&a.arena, File, diff->files.len + 1u);
    list_tests(&a);
    a.ok &= a.rows && a.files;
    if (a.ok && !a.tests.len) {
        want->problem(want->ctx, "the data has no tests: run them with the agent's option tests=on");
        a.ok = false;
    } else {
        judge(&a);
        if (!a.ok) want->problem(want->ctx, "out of memory");
    }
    cf_vec_free(&a.tests);
    cf_vec_free(&a.fresh);
    cf_vec_free(&a.users);
    cf_vec_free(&a.heirs);
    cf_vec_free(&a.uses);
    cf_arena_free(&a.scratch);
    cf_arena_free(&a.arena);
    return !a.ok ? COV_AFFECTED_FAILED : a.all ? COV_AFFECTED_ALL : COV_AFFECTED_SOME;
}
