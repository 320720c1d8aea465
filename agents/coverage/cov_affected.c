/* SPDX-License-Identifier: Apache-2.0 */
/* cov_affected.c - tests for a change; rules in cov_affected.h. */
#include "cov_affected.h"

#include <stdlib.h>
#include <string.h>

#include "agent.h"
#include "cov_filter.h"

enum { NO_FILE = -1, MAX_SOURCE = 64 << 20, TEXT = 4600 };

typedef struct Row {   /* a class of the data */
    int32_t file;      /* that it is in, if that was changed */
    bool changed;      /* itself, or what its static initialiser made (rule 2) */
    bool reaches;      /* refers to a changed one, maybe over others */
    bool looked;       /* for its static initialiser */
    uint32_t from, to; /* probes of that */
} Row;

typedef struct Ask {
    const CovData *d;
    CovDiff *diff;
    const CovAffected *want;
    Row *rows;
    CF_VEC(const char *) tests; /* sorted; arena */
    CF_VEC(const char *) fresh; /* new ones; arena */
    bool *selected;
    CF_VEC(uint32_t) users; /* pairs: a class, one that refers to it; sorted */
    uint32_t *tests_of;     /* by file of the diff: epochs that touched it */
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

/* `c` refers to the classes of that name. */
static void note_reference(Ask *a, CfStr name, uint32_t c) {
    char text[1024];
    snprintf(text, sizeof text, "%.*s", CF_STR_ARGS(name));
    const CovDataClass *at = bsearch(text, a->d->classes, a->d->nclasses, sizeof *at, name_of_class), *all = a->d->classes;
    for (; at && at > all && !strcmp(at[-1].name, text);) at--;
    for (; at && at < all + a->d->nclasses && !strcmp(at->name, text); at++)
        if ((uint32_t)(at - all) != c) a->ok &= cf_vec_push(&a->users, (uint32_t)(at - all)) && cf_vec_push(&a->users, c);
}

static CovDiffFile *file_of(Ask *a, const CfClass *c) {
    CfStr src = cf_utf8(c, cf_attr_index(cf_attr(&c->attrs, CF_ATTR_SOURCE_FILE)));
    char package[1024], name[512];
    snprintf(package, sizeof package, "%.*s", CF_STR_ARGS(c->name));
    char *slash = strrchr(package, '/');
    *(slash ? slash : package) = 0;
    snprintf(name, sizeof name, "%.*s", CF_STR_ARGS(src));
    return src.len ? cov_diff_find(a->diff, package, name, true) : NULL;
}

/* Is it changed, whom does it refer to? One that cannot be read might be changed. */
static void read_class(Ask *a, uint32_t i) {
    const CovDataClass *d = &a->d->classes[i];
    CfParseOptions any = {.any_version = true};
    CfClass *c;
    cf_arena_reset(&a->scratch);
    a->rows[i].file = NO_FILE;
    if (cf_parse(&c, d->bytes, d->bytes_len, &a->scratch, &any, NULL) != CF_OK) return (void)(a->rows[i].changed = true);
    CovDiffFile *f = file_of(a, c);
    if (f) {
        f->used = a->rows[i].changed = true;
        a->rows[i].file = (int32_t)(f - a->diff->files.data);
    }
    for (uint32_t k = 1; k < c->const_count; k++) {
        CfStr name = cf_class_name(c, (uint16_t)k);
        if (name.len) note_reference(a, name, i);
    }
}

static int by_pair(const void *x, const void *y) {
    const uint32_t *a = x, *b = y;
    return a[0] != b[0] ? (a[0] < b[0] ? -1 : 1) : a[1] < b[1] ? -1 : a[1] > b[1];
}

/* First pair of class `c`. */
static uint32_t users_of(const Ask *a, uint32_t c) {
    uint32_t from = 0, to = a->users.len / 2;
    while (from < to) {
        uint32_t mid = (from + to) / 2;
        if (a->users.data[2 * mid] < c) from = mid + 1;
        else to = mid;
    }
    return from;
}

static void mark_users(Ask *a) {
    uint32_t *queue = CF_NEW_ARRAY(&a->scratch, uint32_t, a->d->nclasses + 1u), n = 0;
    a->ok &= queue != NULL;
    for (uint32_t i = 0; queue && i < a->d->nclasses; i++)
        if ((a->rows[i].reaches = a->rows[i].changed)) queue[n++] = i;
    for (uint32_t at = 0; at < n; at++)
        for (uint32_t k = users_of(a, queue[at]); k < a->users.len / 2 && a->users.data[2 * k] == queue[at]; k++) {
            uint32_t user = a->users.data[2 * k + 1];
            if (a->rows[user].reaches) continue;
            a->rows[user].reaches = true;
            queue[n++] = user;
        }
}

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

static bool touches_change(const Ask *a, const CovEpoch *e) {
    for (size_t k = 0; k < e->nhits; k++)
        if (a->rows[cov_data_hit_class(a->d, &e->hits[k])].changed) return true;
    return false;
}

/* Rule 2, once over; false if nothing was found. */
static bool spread(Ask *a) {
    bool found = false;
    mark_users(a);
    for (uint32_t i = 0; a->ok && i < a->d->nepochs; i++) {
        const CovEpoch *e = &a->d->epochs[i];
        if (!touches_change(a, e)) continue;
        for (size_t k = 0; k < e->nhits; k++) {
            uint32_t c = cov_data_hit_class(a->d, &e->hits[k]);
            if (a->rows[c].changed || !a->rows[c].reaches || !initialised(a, &e->hits[k], c)) continue;
            a->rows[c].changed = found = true;
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
            if (row->file != NO_FILE) a->tests_of[row->file]++;
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

/* Names that Maven takes for tests. */
static void new_source(Ask *a, const char *path) {
    const char *file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    char simple[512], package[512], name[1100];
    snprintf(simple, sizeof simple, "%.*s", (int)strcspn(file, "."), file);
    if (!agent_match_list("Test*:*Test:*Tests:*TestCase:*IT:*Spec", simple)) return say(a, path, "new: no test knows it");
    package_of(a, path, package, sizeof package);
    snprintf(name, sizeof name, "%s%s%s.*", package, *package ? "." : "", simple);
    const char *copy = cf_arena_copy(&a->arena, name, strlen(name));
    a->ok &= copy && cf_vec_push(&a->fresh, copy);
    say(a, path, "new, and a test by its name");
}

static void judge_file(Ask *a, uint32_t i) {
    const CovDiffFile *f = &a->diff->files.data[i];
    char text[100];
    if (agent_match_list(a->want->ignore, f->path)) say(a, f->path, "ignored");
    else if (!cov_diff_is_source(f->path)) all_for(a, f->path, "not a source");
    else if (f->kind == COV_DIFF_NEW && !f->used) new_source(a, f->path);
    else if (!f->used) all_for(a, f->path, "changed, and no data of it");
    else if (!a->tests_of[i]) all_for(a, f->path, "changed, and nothing of it ran in any test");
    else if (f->constants && f->kind != COV_DIFF_GONE)
        all_for(a, f->path, "lines that look like constants, which other classes copy");
    else snprintf(text, sizeof text, "%s", f->kind == COV_DIFF_GONE ? "gone" : "changed"), say(a, f->path, text);
}

static void tell_tests(Ask *a) {
    char text[100];
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->tests.len; i++) {
        if (!a->selected[i]) continue;
        a->want->test(a->want->ctx, a->tests.data[i]);
        n++;
    }
    for (uint32_t i = 0; i < a->fresh.len; i++) a->want->test(a->want->ctx, a->fresh.data[i]);
    snprintf(text, sizeof text, "%u of %u tests%s", n, a->tests.len, a->fresh.len ? ", and new ones" : "");
    a->want->tell(a->want->ctx, text);
}

static void judge(Ask *a) {
    for (uint32_t i = 0; a->ok && i < a->d->nclasses; i++) read_class(a, i);
    if (a->users.len) qsort(a->users.data, a->users.len / 2, 2 * sizeof *a->users.data, by_pair);
    while (a->ok && spread(a)) {}
    if (a->ok) choose(a);
    for (uint32_t i = 0; a->ok && i < a->diff->files.len; i++) judge_file(a, i);
    if (a->all) select_all(a);
    if (a->ok) tell_tests(a);
}

CovAffectedResult cov_affected(const CovData *d, CovDiff *diff, const CovAffected *want) {
    Ask a = {.d = d, .diff = diff, .want = want, .ok = true};
    cf_arena_init(&a.arena, "affected", 1 << 16);
    cf_arena_init(&a.scratch, "affected scratch", 1 << 16);
    a.rows = CF_NEW_ARRAY(&a.arena, Row, d->nclasses + 1u);
    a.tests_of = CF_NEW_ARRAY(&a.arena, uint32_t, diff->files.len + 1u);
    list_tests(&a);
    a.ok &= a.rows && a.tests_of;
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
    cf_arena_free(&a.scratch);
    cf_arena_free(&a.arena);
    return !a.ok ? COV_AFFECTED_FAILED : a.all ? COV_AFFECTED_ALL : COV_AFFECTED_SOME;
}
