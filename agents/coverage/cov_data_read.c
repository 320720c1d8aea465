/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_data_read.c - data files into memory, merging, saving; format in cov_data.h.
 *
 * Every offset and length is checked against the file before use. A segment or record that is
 * not whole ends the reading of that part: that is the normal end of a run that was killed.
 */
#include "cov_data.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent.h"

typedef struct Loader {
    uint32_t id;
    const char *name;
} Loader;

typedef struct Range { /* probes of a class of this file */
    uint64_t first;
    uint32_t n, id;
} Range;

typedef struct Parse {
    CovData *data;
    bool counts;
    uint64_t run; /* segments of which are read */
    const uint8_t *base;
    uint64_t size;
    const uint8_t **windows;
    uint32_t nwindows;
    Loader *loaders;
    uint32_t nloaders;
    Range *ranges;
    uint32_t nranges;
} Parse;

/* Element number `n` of an array that grows by one: doubles at powers of two. NULL: no memory. */
static void *next_of(void *array, size_t n, size_t size) {
    char **at = array;
    if (n == 0 || (n >= 8 && !(n & (n - 1)))) {
        char *more = realloc(*at, (n ? 2 * n : 8) * size);
        if (!more) return NULL;
        *at = more;
    }
    return *at + n * size;
}

static CovDataClass *new_class(CovData *d) {
    CovDataClass *c = next_of(&d->classes, d->nclasses, sizeof *c);
    uint32_t *same = next_of(&d->same, d->nids, sizeof *same);
    if (!c || !same) return NULL;
    memset(c, 0, sizeof *c);
    c->id = *same = d->nids++;
    return c;
}

static const char *loader_name(const Parse *p, uint32_t id) {
    for (uint32_t i = p->nloaders; i-- > 0;)
        if (p->loaders[i].id == id) return p->loaders[i].name;
    return "?";
}

/* Numbers for a class's probes, 0 for now. */
static bool new_probes(Parse *p, CovDataClass *c, uint32_t first) {
    c->probes = CF_NEW_ARRAY(&p->data->arena, uint64_t, c->nprobes + 1u);
    Range *r = next_of(&p->ranges, p->nranges, sizeof *r);
    if (!c->probes || !r) return false;
    *r = (Range){first, c->nprobes, c->id};
    p->nranges++;
    return true;
}

static bool read_class(Parse *p, const CovClassRecord *r) {
    if (r->head.size < sizeof *r || r->name_len > r->head.size - sizeof *r ||
        r->bytes_len > r->head.size - sizeof *r - r->name_len)
        return false;
    CovDataClass *c = new_class(p->data);
    if (!c) return false;
    c->name = cf_arena_copy(&p->data->arena, r + 1, r->name_len);
    c->loader = loader_name(p, r->loader);
    c->loader_id = r->loader;
    c->crc = r->crc;
    c->nprobes = r->nprobes;
    c->bytes = (const uint8_t *)(r + 1) + r->name_len;
    c->bytes_len = r->bytes_len;
    c->of_tests = r->head.kind == COV_REC_TEST_CLASS;
    uint32_t w = r->first_probe / COV_WINDOW, at = r->first_probe % COV_WINDOW;
    if (!c->name || r->nprobes > COV_WINDOW - at || w >= p->nwindows) return r->nprobes == 0 && c->name;
    if (!new_probes(p, c, r->first_probe)) return false;
    p->data->nclasses++;
    return true;
}

static bool read_loader(Parse *p, const CovLoaderRecord *r) {
    if (r->head.size < sizeof *r || r->name_len > r->head.size - sizeof *r) return false;
    Loader *l = next_of(&p->loaders, p->nloaders, sizeof *l);
    if (!l) return false;
    *l = (Loader){r->id, cf_arena_copy(&p->data->arena, r + 1, r->name_len)};
    p->nloaders++;
    return l->name != NULL;
}

/* ---- epochs -------------------------------------------------------------------------------------- */

static int by_first(const void *x, const void *y) {
    const Range *a = x, *b = y;
    return a->first < b->first ? -1 : a->first > b->first;
}

/* The last range that starts at or before `probe`, if it holds it. */
static const Range *range_of(const Parse *p, uint64_t probe) {
    uint32_t from = 0, to = p->nranges;
    while (from < to) {
        uint32_t mid = (from + to) / 2;
        if (p->ranges[mid].first <= probe) from = mid + 1;
        else to = mid;
    }
    const Range *r = from ? &p->ranges[from - 1] : NULL;
    return r && probe - r->first < r->n ? r : NULL;
}

/* `base`: the file's first class; until unite they are in order. */
static bool add_hit(Parse *p, CovEpoch *e, uint32_t base, CovHit h) {
    CovHit *next = next_of(&e->hits, e->nhits, sizeof *next);
    if (!next) return false;
    *next = h;
    e->nhits++;
    p->data->classes[base + (h.cls - p->data->classes[base].id)].probes[h.probe] += h.n;
    return true;
}

bool cov_epoch_matches(const char *pattern, const char *name) {
    char part[sizeof((CovFileHead *)0)->epoch];
    if (agent_match(pattern, name)) return true;
    for (const char *end; (end = strchr(name, '|')) || *name; name = end + 1) {
        snprintf(part, sizeof part, "%.*s", (int)(end ? end - name : (ptrdiff_t)strlen(name)), name);
        if (agent_match(pattern, part)) return true;
        if (!end) break;
    }
    return false;
}

/* NULL: no memory. *skip: the user wants others. Counted only by nepochs++ of the caller. */
static CovEpoch *new_epoch(CovData *d, const char *name, size_t len, int64_t start_ms, int64_t end_ms, bool *skip) {
    CovEpoch *e = next_of(&d->epochs, d->nepochs, sizeof *e);
    if (!e) return NULL;
    *e = (CovEpoch){cf_arena_copy(&d->arena, name, len), start_ms, end_ms, NULL, 0};
    *skip = d->only && e->name && !cov_epoch_matches(d->only, e->name);
    return e->name ? e : NULL;
}

/* What stands in the segments: the epoch that ran last. */
static bool read_segment_hits(Parse *p, const CovFileHead *h, uint32_t base) {
    bool skip;
    CovEpoch *e = new_epoch(p->data, h->epoch, strlen(h->epoch), h->epoch_ms, h->end_ms, &skip);
    for (uint32_t r = 0; e && !skip && r < p->nranges; r++) {
        const uint8_t *window = p->windows[p->ranges[r].first / COV_WINDOW];
        for (uint32_t i = 0, at = p->ranges[r].first % COV_WINDOW; i < p->ranges[r].n; i++, at++) {
            uint64_t n = p->counts ? ((const uint64_t *)window)[at] : window[at] != 0;
            if (n && !add_hit(p, e, base, (CovHit){p->ranges[r].id, i, n})) return false;
        }
    }
    p->data->nepochs += e && (e->nhits || (!skip && *e->name));
    return e != NULL;
}

static bool read_epoch(Parse *p, const CovEpochRecord *r, uint32_t base) {
    if (r->head.size < sizeof *r || r->name_len > r->head.size - sizeof *r ||
        r->data_len > r->head.size - sizeof *r - r->name_len)
        return false;
    CovData *d = p->data;
    bool skip;
    CovEpoch *e = new_epoch(d, (const char *)(r + 1), r->name_len, r->start_ms, r->end_ms, &skip);
    if (!e || skip) return e != NULL;
    const uint8_t *at = (const uint8_t *)(r + 1) + r->name_len, *end = at + r->data_len;
    uint64_t probe = 0, step, n;
    while (cov_get_leb(&at, end, &step) && cov_get_leb(&at, end, &n)) {
        probe += step;
        const Range *range = range_of(p, probe);
        if (range && !add_hit(p, e, base, (CovHit){range->id, (uint32_t)(probe - range->first), n})) return false;
    }
    d->nepochs++;
    return true;
}

static void read_records(Parse *p, const uint8_t *at, const uint8_t *end, bool epochs, uint32_t base) {
    while ((size_t)(end - at) >= sizeof(CovRecord)) {
        const CovRecord *r = (const CovRecord *)at;
        uint32_t size = __atomic_load_n(&r->size, __ATOMIC_ACQUIRE);
        if (size < sizeof *r || size % 8 || size > (size_t)(end - at)) return;
        bool ok = true;
        if (epochs) ok = r->kind != COV_REC_EPOCH || read_epoch(p, (const CovEpochRecord *)r, base);
        else if (r->kind == COV_REC_CLASS || r->kind == COV_REC_TEST_CLASS) ok = read_class(p, (const CovClassRecord *)r);
        else if (r->kind == COV_REC_LOADER) ok = read_loader(p, (const CovLoaderRecord *)r);
        if (!ok) return;
        at += size;
    }
}

/* Calls for each whole segment; pass 1 collects windows, pass 2 reads classes and loaders, pass 3 epochs. `base`: the
 * file's first class. */
static bool read_segments(Parse *p, uint32_t pass, uint32_t base) {
    const uint32_t kind = p->counts ? COV_SEG_COUNTS : COV_SEG_PROBES, cell = p->counts ? sizeof(uint64_t) : 1;
    uint64_t at = COV_PAGE;
    while (at + sizeof(CovSegment) <= p->size) {
        const CovSegment *s = (const CovSegment *)(p->base + at);
        if (s->magic != COV_SEG_MAGIC || s->size < COV_PAGE || s->size % COV_PAGE || s->size > p->size - at) break;
        const uint8_t *from = (const uint8_t *)(s + 1);
        if (s->run != p->run) {
        } else if (pass == 1 && s->kind == kind && s->size >= sizeof *s + (uint64_t)COV_WINDOW * cell) {
            const uint8_t **window = next_of(&p->windows, p->nwindows, sizeof *window);
            if (!window) return false;
            *window = from;
            p->nwindows++;
        } else if (pass > 1 && s->kind == COV_SEG_RECORDS) {
            read_records(p, from, p->base + at + s->size, pass == 3, base);
        }
        at += s->size;
    }
    return true;
}

static int by_name(const void *x, const void *y) {
    const CovDataClass *a = x, *b = y;
    int c = strcmp(a->name, b->name);
    return c ? c : a->crc < b->crc ? -1 : a->crc > b->crc;
}

void cov_data_sort(CovData *d) {
    if (d->nclasses) qsort(d->classes, d->nclasses, sizeof *d->classes, by_name);
}

/* The same class from several loaders or runs becomes one. */
static bool unite(CovData *d) {
    cov_data_sort(d);
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->nclasses; i++) {
        CovDataClass *c = &d->classes[i], *last = n ? &d->classes[n - 1] : NULL;
        if (last && !by_name(last, c) && last->nprobes == c->nprobes) {
            if (strcmp(c->loader, last->loader) < 0) last->loader = c->loader; /* a choice that does not depend on the order */
            for (uint32_t k = 0; k < c->nprobes; k++) last->probes[k] += c->probes[k];
            last->of_tests &= c->of_tests;
            if (!last->bytes_len) last->bytes = c->bytes, last->bytes_len = c->bytes_len;
            d->same[c->id] = last->id;
        } else {
            d->classes[n++] = *c;
        }
    }
    d->nclasses = n;
    for (uint32_t i = 0; d->flags_only && i < n; i++)
        for (uint32_t k = 0; k < d->classes[i].nprobes; k++) d->classes[i].probes[k] = d->classes[i].probes[k] != 0;
    uint32_t *place = realloc(d->place, (d->nids + 1) * sizeof *place);
    if (!place) return false;
    d->place = place;
    for (uint32_t i = 0; i < n; i++) place[d->classes[i].id] = i;
    return true;
}

uint32_t cov_data_hit_class(const CovData *d, const CovHit *h) {
    uint32_t id = h->cls;
    while (d->same[id] != id) id = d->same[id];
    return d->place[id];
}

/* One run of the file; `p` has base and size. */
static bool read_run(CovData *d, const Parse *file, const CovFileHead *h, uint64_t number) {
    Parse p = {.data = d, .base = file->base, .size = file->size, .run = number, .counts = h->counts != 0};
    CovFileHead *run = next_of(&d->runs, d->nruns, sizeof *run);
    uint32_t base = d->nclasses;
    if (!run) return false;
    d->nruns++;
    *run = *h;
    run->vm[sizeof run->vm - 1] = run->command[sizeof run->command - 1] = run->epoch[sizeof run->epoch - 1] = 0;
    d->flags_only |= !p.counts;
    bool ok = read_segments(&p, 1, base) && read_segments(&p, 2, base);
    if (p.nranges) qsort(p.ranges, p.nranges, sizeof *p.ranges, by_first);
    ok = ok && read_segments(&p, 3, base) && read_segment_hits(&p, run, base);
    free(p.windows);
    free(p.loaders);
    free(p.ranges);
    return ok;
}

/* Runs with heads in segments of their own. */
static bool read_runs(CovData *d, const Parse *file) {
    uint64_t at = COV_PAGE;
    while (at + sizeof(CovSegment) <= file->size) {
        const CovSegment *s = (const CovSegment *)(file->base + at);
        if (s->magic != COV_SEG_MAGIC || s->size < COV_PAGE || s->size % COV_PAGE || s->size > file->size - at) break;
        if (s->kind == COV_SEG_RUN && !read_run(d, file, (const CovFileHead *)(s + 1), at / COV_PAGE)) return false;
        at += s->size;
    }
    return true;
}

bool cov_data_load(CovData *d, const char *path, char *err, size_t errlen) {
    Parse p = {.data = d};
    size_t size;
    /* Read into memory rather than mapped: the file may be cut by its writer while we look at it. */
    if (!d->arena.chunks) cf_arena_init(&d->arena, "coverage data", 1 << 16);
    p.base = agent_read_file(path, INT64_MAX, &d->arena, &size);
    if (!p.base) return snprintf(err, errlen, "%s: %s", path, errno == EINVAL ? "no regular file" : strerror(errno)), false;
    p.size = size;
    const CovFileHead *h = (const CovFileHead *)p.base;
    if (p.size < COV_PAGE || memcmp(h->magic, COV_MAGIC, 8) != 0)
        return snprintf(err, errlen, "%s: not a coverage data file", path), false;
    if (h->version != COV_FILE_VERSION && h->version != COV_SHARED_VERSION)
        return snprintf(err, errlen, "%s: format version %u, this program reads %d and %d", path, h->version, COV_FILE_VERSION,
                        COV_SHARED_VERSION),
               false;
    bool several = h->version == COV_SHARED_VERSION && h->shared;
    bool ok = (several && h->shared == COV_SHARED_ONLY) || read_run(d, &p, h, 0);
    ok = ok && (!several || read_runs(d, &p));
    ok &= unite(d);
    if (!ok) snprintf(err, errlen, "%s: out of memory", path);
    return ok;
}

bool cov_data_add_class(CovData *d, const char *name, const uint8_t *bytes, size_t len, uint32_t nprobes) {
    CovDataClass *c = new_class(d);
    if (!c) return false;
    c->name = cf_arena_copy(&d->arena, name, strlen(name));
    c->loader = "";
    c->crc = cov_crc64(bytes, len);
    c->bytes = cf_arena_copy(&d->arena, bytes, len);
    c->bytes_len = len;
    c->nprobes = nprobes;
    c->extra = 1;
    c->probes = CF_NEW_ARRAY(&d->arena, uint64_t, nprobes + 1u);
    if (!c->name || !c->probes || !c->bytes) return false;
    d->nclasses++;
    return true;
}

/* ---- saving ------------------------------------------------------------------------------------- */

/* Times of the first and last run; VM and command of the first one. */
static int64_t save_head(const CovData *d, CovFileHead *h) {
    int64_t end = 0;
    for (uint32_t i = 0; i < d->nruns; i++) {
        const CovFileHead *r = &d->runs[i];
        if (i == 0 || r->start_ms < h->start_ms) h->start_ms = r->start_ms;
        if (r->end_ms > end) end = r->end_ms;
    }
    if (d->nruns) {
        memcpy(h->vm, d->runs[0].vm, sizeof h->vm);
        memcpy(h->command, d->runs[0].command, sizeof h->command);
    }
    return end;
}

/* `numbers`: the probes' too; else they are in the epochs. */
static bool save_class(CovWriter *w, const CovDataClass *c, uint32_t loader, uint64_t *where, bool numbers, bool counts) {
    uint32_t first = cov_writer_reserve(w, c->nprobes);
    uint8_t *at = first == COV_BAD ? NULL : cov_writer_window(w, first / COV_WINDOW);
    CovClassRecord rec = {
        .crc = c->crc, .first_probe = first, .nprobes = c->nprobes, .loader = loader, .bytes_len = c->bytes_len};
    rec.head.kind = c->of_tests ? COV_REC_TEST_CLASS : COV_REC_CLASS;
    if (!at || !cov_writer_class(w, &rec, c->name, c->bytes, true)) return false;
    *where = first;
    for (uint32_t i = 0, k = first % COV_WINDOW; numbers && i < c->nprobes; i++, k++)
        if (counts) ((uint64_t *)at)[k] = c->probes[i];
        else at[k] = c->probes[i] != 0;
    return true;
}

typedef struct SavedHit {
    uint64_t probe, n;
} SavedHit;

static int by_probe(const void *x, const void *y) {
    const SavedHit *a = x, *b = y;
    return a->probe < b->probe ? -1 : a->probe > b->probe;
}

/* An epoch with the probe numbers of the new file; `where`: first probe by index in `classes`. */
static bool save_epoch(CovWriter *w, const CovData *d, const CovEpoch *e, const uint64_t *where) {
    SavedHit *hits = malloc((e->nhits + 1) * sizeof *hits);
    CovPairs pairs = {.last = 0};
    for (size_t i = 0; hits && i < e->nhits; i++)
        hits[i] = (SavedHit){where[cov_data_hit_class(d, &e->hits[i])] + e->hits[i].probe, e->hits[i].n};
    if (hits && e->nhits) qsort(hits, e->nhits, sizeof *hits, by_probe);
    for (size_t i = 0; hits && i < e->nhits; i++) cov_put_pair(&pairs, hits[i].probe, d->flags_only ? 1 : hits[i].n);
    bool ok = hits && cov_writer_epoch(w, e->name, e->start_ms, e->end_ms, &pairs);
    free(hits);
    cf_w_free(&pairs.out);
    return ok;
}

static bool save_content(CovWriter *w, const CovData *d, uint64_t *where) {
    const char *last = NULL;
    uint32_t loader = COV_BAD;
    bool ok = true, named = false;
    for (uint32_t i = 0; i < d->nepochs; i++) named |= *d->epochs[i].name != 0;
    for (uint32_t i = 0; ok && i < d->nclasses; i++) {
        const CovDataClass *c = &d->classes[i];
        if (!last || strcmp(last, c->loader) != 0) loader = cov_writer_loader(w, last = c->loader);
        ok = save_class(w, c, loader, &where[i], !named, !d->flags_only);
    }
    for (uint32_t i = 0; ok && named && i < d->nepochs; i++) ok = save_epoch(w, d, &d->epochs[i], where);
    return ok;
}

bool cov_data_save(const CovData *d, const char *path, char *err, size_t errlen) {
    char *fresh = NULL; /* the old file stays until the new one is whole */
    if (asprintf(&fresh, "%s.new", path) < 0) return snprintf(err, errlen, "out of memory"), false;
    CovWriter *w = cov_writer_open(fresh, !d->flags_only, false, err, errlen);
    if (!w) return unlink(fresh), free(fresh), false;
    int64_t end = save_head(d, cov_writer_head(w));
    uint64_t *where = malloc((d->nclasses + 1) * sizeof *where);
    bool ok = where && save_content(w, d, where);
    free(where);
    if (ok) cov_writer_close(w, end);
    else snprintf(err, errlen, "%s: %s", path, strerror(cov_writer_error(w) ? cov_writer_error(w) : ENOMEM));
    if (ok && rename(cov_writer_path(w), path) != 0) {
        snprintf(err, errlen, "%s: %s", path, strerror(errno));
        ok = false;
    }
    if (!ok) unlink(cov_writer_path(w));
    cov_writer_free(w);
    free(fresh);
    return ok;
}

void cov_data_free(CovData *d) {
    cf_arena_free(&d->arena);
    for (uint32_t i = 0; i < d->nepochs; i++) free(d->epochs[i].hits);
    free(d->runs);
    free(d->epochs);
    free(d->same);
    free(d->place);
    free(d->classes);
    *d = (CovData){0};
}
