/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_data_read.c - data files into memory, merging, saving; format in cov_data.h.
 *
 * Every offset and length is checked against the file before use. A segment or record that is
 * not whole ends the reading of that part: that is the normal end of a run that was killed.
 */
#include "cov_data.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Loader {
    uint32_t id;
    const char *name;
} Loader;

typedef struct Parse {
    CovData *data;
    const uint8_t *base;
    uint64_t size;
    const uint8_t **windows;
    uint32_t nwindows;
    Loader *loaders;
    uint32_t nloaders;
} Parse;

/* Room for element number `n` of an array that only ever grew by one: doubles at powers of two. */
static void *grow(void *p, uint32_t n, size_t elem)
{
    if (n == 0)
        return realloc(p, 8 * elem);
    return n < 8 || (n & (n - 1)) ? p : realloc(p, 2 * (size_t)n * elem);
}

static bool keep(CovData *d, void *owned)
{
    void *p = grow(d->maps, d->nmaps, sizeof *d->maps);
    if (!p)
        return false;
    d->maps = p;
    d->maps[d->nmaps++] = (struct CovMapping){owned};
    return true;
}

static char *keep_string(CovData *d, const void *p, size_t n)
{
    char *s = malloc(n + 1);
    if (!s || !keep(d, s)) {
        free(s);
        return NULL;
    }
    memcpy(s, p, n);
    s[n] = 0;
    return s;
}

static CovDataClass *new_class(CovData *d)
{
    if (d->nclasses == d->cap) {
        uint32_t cap = d->cap ? d->cap * 2 : 256;
        CovDataClass *p = realloc(d->classes, cap * sizeof *p);
        if (!p)
            return NULL;
        d->classes = p;
        d->cap = cap;
    }
    CovDataClass *c = &d->classes[d->nclasses];
    memset(c, 0, sizeof *c);
    return c;
}

static const char *loader_name(const Parse *p, uint32_t id)
{
    for (uint32_t i = p->nloaders; i-- > 0;)
        if (p->loaders[i].id == id)
            return p->loaders[i].name;
    return "?";
}

static bool read_class(Parse *p, const CovClassRecord *r)
{
    if (r->head.size < sizeof *r || r->name_len > r->head.size - sizeof *r ||
        r->bytes_len > r->head.size - sizeof *r - r->name_len)
        return false;
    CovDataClass *c = new_class(p->data);
    if (!c)
        return false;
    c->name = keep_string(p->data, r + 1, r->name_len);
    c->loader = loader_name(p, r->loader);
    c->loader_id = r->loader;
    c->crc = r->crc;
    c->nprobes = r->nprobes;
    c->bytes = (const uint8_t *)(r + 1) + r->name_len;
    c->bytes_len = r->bytes_len;
    uint32_t w = r->first_probe / COV_WINDOW, at = r->first_probe % COV_WINDOW;
    if (!c->name || r->nprobes > COV_WINDOW - at || w >= p->nwindows)
        return r->nprobes == 0 && c->name;
    c->probes = malloc(r->nprobes + 1);
    if (!c->probes || !keep(p->data, c->probes))
        return false;
    memcpy(c->probes, p->windows[w] + at, r->nprobes);
    p->data->nclasses++;
    return true;
}

static bool read_loader(Parse *p, const CovLoaderRecord *r)
{
    if (r->head.size < sizeof *r || r->name_len > r->head.size - sizeof *r)
        return false;
    void *v = grow(p->loaders, p->nloaders, sizeof *p->loaders);
    if (!v)
        return false;
    p->loaders = v;
    p->loaders[p->nloaders] = (Loader){r->id, keep_string(p->data, r + 1, r->name_len)};
    return p->loaders[p->nloaders++].name != NULL;
}

static void read_records(Parse *p, const uint8_t *at, const uint8_t *end)
{
    while ((size_t)(end - at) >= sizeof(CovRecord)) {
        const CovRecord *r = (const CovRecord *)at;
        uint32_t size = __atomic_load_n(&r->size, __ATOMIC_ACQUIRE);
        if (size < sizeof *r || size % 8 || size > (size_t)(end - at))
            return;
        if (r->kind == COV_REC_CLASS ? !read_class(p, (const CovClassRecord *)r)
            : r->kind == COV_REC_LOADER && !read_loader(p, (const CovLoaderRecord *)r))
            return;
        at += size;
    }
}

/* Calls for each whole segment; pass 1 collects windows, pass 2 reads records. */
static bool read_segments(Parse *p, uint32_t pass)
{
    uint64_t at = COV_PAGE;
    while (at + sizeof(CovSegment) <= p->size) {
        const CovSegment *s = (const CovSegment *)(p->base + at);
        if (s->magic != COV_SEG_MAGIC || s->size < COV_PAGE || s->size % COV_PAGE || s->size > p->size - at)
            break;
        const uint8_t *from = (const uint8_t *)(s + 1);
        if (pass == 1 && s->kind == COV_SEG_PROBES && s->size >= sizeof *s + COV_WINDOW) {
            void *v = grow(p->windows, p->nwindows, sizeof *p->windows);
            if (!v)
                return false;
            p->windows = v;
            p->windows[p->nwindows++] = from;
        } else if (pass == 2 && s->kind == COV_SEG_RECORDS) {
            read_records(p, from, p->base + at + s->size);
        }
        at += s->size;
    }
    return true;
}

static int by_name(const void *x, const void *y)
{
    const CovDataClass *a = x, *b = y;
    int c = strcmp(a->name, b->name);
    return c ? c : a->crc < b->crc ? -1 : a->crc > b->crc;
}

void cov_data_sort(CovData *d)
{
    if (d->nclasses)
        qsort(d->classes, d->nclasses, sizeof *d->classes, by_name);
}

/* The same class from several loaders or runs becomes one. */
static void unite(CovData *d)
{
    cov_data_sort(d);
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->nclasses; i++) {
        CovDataClass *c = &d->classes[i], *last = n ? &d->classes[n - 1] : NULL;
        if (last && !by_name(last, c) && last->nprobes == c->nprobes) {
            if (strcmp(c->loader, last->loader) < 0)
                last->loader = c->loader;       /* a choice that does not depend on the order */
            for (uint32_t k = 0; k < c->nprobes; k++)
                last->probes[k] |= c->probes[k];
        } else {
            d->classes[n++] = *c;
        }
    }
    d->nclasses = n;
}

static bool map_file(const char *path, Parse *p, char *err, size_t errlen)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0) {
        snprintf(err, errlen, "%s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    p->size = (uint64_t)st.st_size;
    /* Read into memory rather than mapped: the file may be cut by its writer while we look at it. */
    uint8_t *copy = malloc(p->size + COV_PAGE);
    uint64_t got = 0;
    ssize_t n = 1;
    while (copy && got < p->size && (n = read(fd, copy + got, p->size - got)) > 0)
        got += (uint64_t)n;
    close(fd);
    p->size = got;
    p->base = copy;
    if (!copy || n < 0 || !keep(p->data, copy)) {
        snprintf(err, errlen, "%s: cannot be read", path);
        free(copy);
        return false;
    }
    return true;
}

bool cov_data_load(CovData *d, const char *path, char *err, size_t errlen)
{
    Parse p = {.data = d};
    if (!map_file(path, &p, err, errlen))
        return false;
    const CovFileHead *h = (const CovFileHead *)p.base;
    if (p.size < COV_PAGE || memcmp(h->magic, COV_MAGIC, 8) != 0) {
        snprintf(err, errlen, "%s: not a coverage data file", path);
        return false;
    }
    if (h->version != COV_FILE_VERSION) {
        snprintf(err, errlen, "%s: format version %u, this program reads %d", path, h->version,
                 COV_FILE_VERSION);
        return false;
    }
    void *v = grow(d->runs, d->nruns, sizeof *d->runs);
    bool ok = v != NULL;
    if (ok) {
        d->runs = v;
        CovRun *run = &d->runs[d->nruns++];
        run->head = *h;
        run->head.vm[sizeof run->head.vm - 1] = run->head.command[sizeof run->head.command - 1] = 0;
        ok = read_segments(&p, 1) && read_segments(&p, 2);
    }
    free(p.windows);
    free(p.loaders);
    if (!ok)
        snprintf(err, errlen, "%s: out of memory", path);
    unite(d);
    return ok;
}

bool cov_data_add_class(CovData *d, const char *name, const uint8_t *bytes, size_t len, uint32_t nprobes)
{
    CovDataClass *c = new_class(d);
    if (!c)
        return false;
    uint8_t *copy = malloc(len + 1);
    if (!copy || !keep(d, copy)) {
        free(copy);
        return false;
    }
    memcpy(copy, bytes, len);
    c->name = keep_string(d, name, strlen(name));
    c->loader = "";
    c->crc = cov_crc64(bytes, len);
    c->bytes = copy;
    c->bytes_len = len;
    c->nprobes = nprobes;
    c->extra = 1;
    c->probes = calloc(1, nprobes + 1);
    if (!c->name || !c->probes || !keep(d, c->probes))
        return false;
    d->nclasses++;
    return true;
}

/* ---- saving ------------------------------------------------------------------------------------- */

/* Times of the first and last run; VM and command of the first one. */
static int64_t save_head(const CovData *d, CovFileHead *h)
{
    int64_t end = 0;
    for (uint32_t i = 0; i < d->nruns; i++) {
        const CovFileHead *r = &d->runs[i].head;
        if (i == 0 || r->start_ms < h->start_ms)
            h->start_ms = r->start_ms;
        if (r->end_ms > end)
            end = r->end_ms;
    }
    if (d->nruns) {
        memcpy(h->vm, d->runs[0].head.vm, sizeof h->vm);
        memcpy(h->command, d->runs[0].head.command, sizeof h->command);
    }
    return end;
}

static bool save_class(CovWriter *w, const CovDataClass *c, uint32_t loader)
{
    uint32_t first = cov_writer_reserve(w, c->nprobes);
    uint8_t *at = first == COV_BAD ? NULL : cov_writer_window(w, first / COV_WINDOW);
    CovClassRecord rec = {.crc = c->crc, .first_probe = first, .nprobes = c->nprobes,
                          .loader = loader, .bytes_len = c->bytes_len};
    if (!at || !cov_writer_class(w, &rec, c->name, c->bytes))
        return false;
    memcpy(at + first % COV_WINDOW, c->probes, c->nprobes);
    return true;
}

bool cov_data_save(const CovData *d, const char *path, char *err, size_t errlen)
{
    CovWriter *w = cov_writer_open(path, err, errlen);
    if (!w)
        return false;
    int64_t end = save_head(d, cov_writer_head(w));
    const char *last = NULL;
    uint32_t loader = COV_BAD;
    bool ok = true;
    for (uint32_t i = 0; ok && i < d->nclasses; i++) {
        const CovDataClass *c = &d->classes[i];
        if (!last || strcmp(last, c->loader) != 0)
            loader = cov_writer_loader(w, last = c->loader);
        ok = save_class(w, c, loader);
    }
    if (ok)
        cov_writer_close(w, end);
    else
        snprintf(err, errlen, "%s: %s", path, strerror(ENOSPC));
    cov_writer_free(w);
    return ok;
}

void cov_data_free(CovData *d)
{
    for (uint32_t i = 0; i < d->nmaps; i++)
        free(d->maps[i].owned);
    free(d->maps);
    free(d->runs);
    free(d->classes);
    *d = (CovData){0};
}
