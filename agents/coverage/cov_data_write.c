/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_data_write.c - the mapped data file of a running VM; format in cov_data.h.
 *
 * One mutex guards the shape (segments, records, tables); probes are stored without it. Segments are mapped one by
 * one and never move or go away, so an address given out stays good until the process ends.
 */
#include "cov_data_share.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent.h"
#include "cf_vec.h"

enum { MAX_WINDOWS = 4096, SMALL_RECORDS = 1 << 16 };

typedef struct Loader {
    char *name;
    bool written; /* with the first class of it */
} Loader;

typedef struct Known { /* classes written, for redefinition and pruning */
    uint64_t crc;
    uint32_t loader, first, nprobes;
    uint32_t passed;     /* probes that had passed when some were last taken out, */
    uint32_t due;        /* ... when it was last due, */
    uint32_t before;     /* ... and at cov_writer_watch */
    uint32_t rest, wait; /* calls of cov_writer_due: to go, and how many next time */
    uint32_t busy;       /* times */
    bool loops;
    uint32_t name_len;
    char name[];
} Known;

struct CovWriter {
    pthread_mutex_t lock;
    int fd;
    char *path;
    CovFileHead *head;
    bool append;
    uint64_t run;        /* append: page of the RUN segment, 0 before there is one */
    CovFileHead own;     /* `head` until then */
    const char *refused; /* append: why the file was not used */
    CfTable stored;      /* append: classes that the file had before */
    uint64_t size;       /* of the file; append: where the last segment ended when one was added */
    uint32_t cell;       /* bytes a probe: 1 or 8 */
    uint8_t *windows[MAX_WINDOWS];
    uint32_t nwindows;
    uint32_t next_probe; /* global number of the first free probe */
    CF_VEC(Loader) loaders;
    int error;              /* errno of the first segment that there was no room for */
    uint8_t *rec, *rec_end; /* free part of the newest RECORDS segment */
    uint64_t rec_size;      /* of the next one */
    CfTable known;
};

/* ---- CRC ------------------------------------------------------------------------------------ */

static uint64_t crc_table[8][256];

/* As the library is loaded: agents have no pthread_once where glibc is older than 2.34 (old_glibc.h). */
__attribute__((constructor)) static void crc_init(void) {
    for (unsigned i = 0; i < 256; i++) {
        uint64_t v = i;
        for (int b = 0; b < 8; b++) v = v & 1 ? v >> 1 ^ 0xd800000000000000u : v >> 1;
        crc_table[0][i] = v;
    }
    for (unsigned t = 1; t < 8; t++)
        for (unsigned i = 0; i < 256; i++) crc_table[t][i] = crc_table[t - 1][i] >> 8 ^ crc_table[0][crc_table[t - 1][i] & 255];
}

uint64_t cov_crc64(const uint8_t *p, size_t n) {
    uint64_t s = 0;
    for (; n >= 8; p += 8, n -= 8) { /* eight bytes a step */
        uint64_t v;
        memcpy(&v, p, 8);
        v ^= s;
        s = crc_table[7][v & 255] ^ crc_table[6][v >> 8 & 255] ^ crc_table[5][v >> 16 & 255] ^ crc_table[4][v >> 24 & 255] ^
            crc_table[3][v >> 32 & 255] ^ crc_table[2][v >> 40 & 255] ^ crc_table[1][v >> 48 & 255] ^ crc_table[0][v >> 56];
    }
    while (n--) s = s >> 8 ^ crc_table[0][(s ^ *p++) & 255];
    return s;
}

/* ---- file ------------------------------------------------------------------------------------- */

/* Opens and claims `path`; a file that another process writes is left alone. -2 = taken. */
static int open_claimed(const char *path, bool alone) {
    int fd = agent_is_own_link(path) ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (fd < 0) return -1;
    if (!cov_share_claim(fd, alone)) return close(fd), -2;
    return fd;
}

static char *path_with_pid(const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t stem = dot && (!slash || dot > slash + 1) ? (size_t)(dot - path) : strlen(path);
    char *out = NULL;
    return asprintf(&out, "%.*s-%d%s", (int)stem, path, (int)getpid(), path + stem) < 0 ? NULL : out;
}

/* A full disk must be an error here and not a SIGBUS in a probe. */
static bool reserve_blocks(int fd, uint64_t at, uint64_t size) {
    int rc = posix_fallocate(fd, (off_t)at, (off_t)size);
    if (rc == EOPNOTSUPP || rc == EINVAL) return ftruncate(fd, (off_t)(at + size)) == 0;
    errno = rc;
    return rc == 0;
}

/* Flags and counts stand in the lower 2 GB if they fit: their addresses are constants of compiled code, and there such a constant takes six bytes and
 * not ten (Dispatch of tests/bench on HotSpot costs 1.08 and not 1.11 of what it costs without probes). Java's heap begins above. */
static void *map_segment(const CovWriter *w, uint32_t kind, uint64_t size) {
    void *p = MAP_FAILED;
#ifdef MAP_32BIT
    if (kind == COV_SEG_PROBES || kind == COV_SEG_COUNTS)
        p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_32BIT, w->fd, (off_t)w->size);
#endif
    return p != MAP_FAILED ? p : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, w->fd, (off_t)w->size);
}

/* At the end of the file, mapped. NULL if disk or address space is exhausted. */
static CovSegment *put_segment(CovWriter *w, uint32_t kind, uint64_t payload) {
    uint64_t size = (sizeof(CovSegment) + payload + COV_PAGE - 1) / COV_PAGE * COV_PAGE;
    CovSegment *s = reserve_blocks(w->fd, w->size, size) ? map_segment(w, kind, size) : MAP_FAILED;
    if (s == MAP_FAILED) {
        int why = errno;
        (void)!ftruncate(w->fd, (off_t)w->size); /* blocks got in part go back */
        errno = why;
        return NULL;
    }
    s->kind = kind;
    s->size = size;
    s->run = w->run ? w->run : kind == COV_SEG_RUN ? w->size / COV_PAGE : 0;
    __atomic_store_n(&s->magic, COV_SEG_MAGIC, __ATOMIC_RELEASE);
    w->size += size;
    return s;
}

static bool begin_run(CovWriter *w);

/* A new segment; that of a shared file is added under its lock. */
static CovSegment *add_segment(CovWriter *w, uint32_t kind, uint64_t payload) {
    if (!w->append) return put_segment(w, kind, payload);
    if (!w->run && !begin_run(w)) return NULL;
    cov_share_lock(w->fd);
    w->size = cov_share_end(w->fd, w->size);
    CovSegment *s = put_segment(w, kind, payload);
    cov_share_unlock(w->fd);
    return s;
}

static void fill_head(CovWriter *w) {
    w->head->version = COV_FILE_VERSION;
    w->head->head_size = COV_PAGE;
    w->head->state = COV_RUNNING;
    w->head->pid = (uint32_t)getpid();
    w->head->counts = w->cell > 1;
    memcpy(w->head->magic, COV_MAGIC, 8);
}

static bool start_file(CovWriter *w) {
    if (ftruncate(w->fd, 0) != 0 || !reserve_blocks(w->fd, 0, COV_PAGE)) return false;
    w->head = mmap(NULL, COV_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, w->fd, 0);
    if (w->head == MAP_FAILED) return false;
    w->size = COV_PAGE;
    fill_head(w);
    return true;
}

/* The run's head in the file, which is locked. */
static bool start_run(CovWriter *w, const char **why) {
    if (!cov_share_begin(w->fd, why)) return false;
    w->size = cov_share_end(w->fd, COV_PAGE);
    cov_share_classes(w->fd, w->size, &w->stored);
    CovSegment *s = put_segment(w, COV_SEG_RUN, sizeof w->own);
    if (!s) return *why = NULL, false;
    w->run = s->run;
    w->head = (CovFileHead *)(s + 1);
    *w->head = w->own;
    return true;
}

static bool try_run(CovWriter *w, const char **why) {
    *why = "another VM does not share it";
    w->fd = open_claimed(w->path, false);
    if (w->fd < 0) return *why = w->fd == -2 ? *why : NULL, w->fd = -1, false;
    cov_share_lock(w->fd);
    bool begun = start_run(w, why);
    int error = errno;
    cov_share_unlock(w->fd);
    if (!begun) close(w->fd), w->fd = -1;
    errno = error;
    return begun;
}

/* A file that cannot be appended to is left alone, and a name with the process id used. */
static bool begin_run(CovWriter *w) {
    const char *why;
    if (try_run(w, &why)) return true;
    char *other = why && !w->refused ? path_with_pid(w->path) : NULL;
    if (!other) return false;
    w->refused = why;
    free(w->path);
    w->path = other;
    return try_run(w, &why);
}

/* A folder that can be written, or a file: told at once, not with the first class. */
static bool can_append(const char *path) {
    const char *slash = strrchr(path, '/');
    char *dir = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    bool ok = access(path, F_OK) == 0 ? access(path, R_OK | W_OK) == 0 : dir && access(dir, W_OK) == 0;
    free(dir);
    return ok;
}

static bool open_alone(CovWriter *w) {
    w->fd = open_claimed(w->path, true);
    if (w->fd == -2) {
        char *other = path_with_pid(w->path);
        if (!other) return false;
        free(w->path);
        w->path = other;
        w->fd = open_claimed(other, true);
    }
    return w->fd >= 0 && start_file(w);
}

static bool open_append(CovWriter *w) {
    w->head = &w->own;
    fill_head(w);
    return can_append(w->path);
}

CovWriter *cov_writer_open(const char *path, bool counts, bool append, char *err, size_t errlen) {
    CovWriter *w = calloc(1, sizeof *w);
    if (!w || !(w->path = strdup(path))) return snprintf(err, errlen, "out of memory"), free(w), NULL;
    pthread_mutex_init(&w->lock, NULL);
    w->cell = counts ? sizeof(uint64_t) : 1;
    w->fd = -1;
    w->append = append;
    w->rec_size = append ? SMALL_RECORDS : COV_RECORD_SEGMENT; /* of many processes, most have little to say */
    if (append ? open_append(w) : open_alone(w)) return w;
    int why = errno;
    snprintf(err, errlen, "%s: cannot make the data file: %s", path, strerror(why));
    if (w->fd >= 0 && !append) agent_discard_output(w->path);
    if (w->fd >= 0) close(w->fd);
    free(w->path);
    free(w);
    errno = why;
    return NULL;
}

const char *cov_writer_refused(const CovWriter *w) { return w->refused; }

bool cov_writer_begun(CovWriter *w) {
    pthread_mutex_lock(&w->lock);
    bool begun = !w->append || w->run;
    pthread_mutex_unlock(&w->lock);
    return begun;
}

const char *cov_writer_path(const CovWriter *w) { return w->path; }

int cov_writer_error(const CovWriter *w) { return __atomic_load_n(&w->error, __ATOMIC_RELAXED); }

CovFileHead *cov_writer_head(CovWriter *w) { return w->head; }

/* ---- records -------------------------------------------------------------------------------------- */

/* Told by cov_writer_error. */
static void *no_room(CovWriter *w) {
    if (!w->error) w->error = errno;
    return NULL;
}

/* Room for a record; the caller fills it and publishes by publish(). Lock held. */
static void *new_record(CovWriter *w, uint64_t size) {
    if (size > UINT32_MAX / 2) return NULL;
    if (size > (uint64_t)(w->rec_end - w->rec)) {
        uint64_t payload = size > w->rec_size / 4 ? size : w->rec_size - sizeof(CovSegment);
        CovSegment *s = add_segment(w, COV_SEG_RECORDS, payload);
        while (!s && payload > size) { /* the rest of a full disk is used up in smaller parts */
            payload = payload / 4 > size ? payload / 4 : size;
            s = add_segment(w, COV_SEG_RECORDS, payload);
        }
        if (!s) return no_room(w);
        uint8_t *from = (uint8_t *)(s + 1), *end = (uint8_t *)s + s->size;
        if (payload == size) /* a big class has its own segment; the open one goes on */
            return from;
        w->rec = from;
        w->rec_end = end;
        if (w->rec_size < COV_RECORD_SEGMENT) w->rec_size *= 2;
    }
    void *p = w->rec;
    w->rec += size;
    return p;
}

static void publish(CovRecord *r, uint32_t size) { __atomic_store_n(&r->size, size, __ATOMIC_RELEASE); }

uint32_t cov_writer_loader(CovWriter *w, const char *name) {
    char *copy = strdup(name);
    pthread_mutex_lock(&w->lock);
    bool ok = copy && cf_vec_push(&w->loaders, (Loader){copy, false});
    uint32_t id = ok ? w->loaders.len - 1 : COV_BAD;
    pthread_mutex_unlock(&w->lock);
    if (!ok) free(copy);
    return id;
}

/* Lock held. */
static bool write_loader(CovWriter *w, uint32_t id) {
    Loader *l = id < w->loaders.len ? &w->loaders.data[id] : NULL;
    if (!l || l->written) return l != NULL;
    size_t n = strlen(l->name);
    uint32_t size = (uint32_t)((sizeof(CovLoaderRecord) + n + 7) & ~7u);
    CovLoaderRecord *r = new_record(w, size);
    if (!r) return false;
    r->head.kind = COV_REC_LOADER;
    r->id = id;
    r->name_len = (uint32_t)n;
    memcpy(r + 1, l->name, n);
    publish(&r->head, size);
    return l->written = true;
}

static uint8_t *window_locked(CovWriter *w, uint32_t n) {
    while (w->nwindows <= n && w->nwindows < MAX_WINDOWS) {
        CovSegment *s = add_segment(w, w->cell > 1 ? COV_SEG_COUNTS : COV_SEG_PROBES, (uint64_t)COV_WINDOW * w->cell);
        if (!s) return no_room(w);
        w->windows[w->nwindows++] = (uint8_t *)(s + 1);
    }
    return n < w->nwindows ? w->windows[n] : NULL;
}

uint8_t *cov_writer_window(CovWriter *w, uint32_t n) {
    pthread_mutex_lock(&w->lock);
    uint8_t *p = window_locked(w, n);
    pthread_mutex_unlock(&w->lock);
    return p;
}

uint32_t cov_writer_reserve(CovWriter *w, uint32_t n) {
    uint32_t first = COV_BAD;
    if (n > COV_WINDOW) return COV_BAD;
    pthread_mutex_lock(&w->lock);
    uint32_t at = w->next_probe, room = COV_WINDOW - at % COV_WINDOW;
    if (n > room) at += room;
    if (window_locked(w, at / COV_WINDOW)) {
        first = at;
        w->next_probe = at + n;
    }
    pthread_mutex_unlock(&w->lock);
    return first;
}

static uint32_t known_hash(const char *name, uint32_t loader, uint64_t crc) {
    return cf_hash_bytes(name, strlen(name)) ^ cf_hash_u64(crc + loader);
}

static bool known_eq(const void *item, const void *key) {
    const Known *a = item, *b = *(const Known *const *)key;
    const char *name = ((const char *const *)key)[1];
    return a->crc == b->crc && a->loader == b->loader && !strcmp(a->name, name);
}

static Known *find_known(CovWriter *w, const char *name, uint32_t loader, uint64_t crc) {
    Known probe = {.crc = crc, .loader = loader};
    const void *key[2] = {&probe, name};
    return cf_table_find(&w->known, known_hash(name, loader, crc), known_eq, key);
}

uint32_t cov_writer_find(CovWriter *w, const char *name, uint32_t loader, uint64_t crc) {
    pthread_mutex_lock(&w->lock);
    const Known *k = find_known(w, name, loader, crc);
    pthread_mutex_unlock(&w->lock);
    return k ? k->first : COV_BAD;
}

/* Lock held; the class file itself only if no run of the file has it. */
static bool write_class(CovWriter *w, const CovClassRecord *rec, const char *name, size_t n, const uint8_t *bytes) {
    uint64_t len = cov_share_has(&w->stored, name, rec->crc) ? 0 : rec->bytes_len;
    uint64_t size = (sizeof *rec + n + len + 7) & ~(uint64_t)7;
    CovClassRecord *r = write_loader(w, rec->loader) ? new_record(w, size) : NULL;
    if (!r) return false;
    *r = *rec;
    r->head = (CovRecord){0, rec->head.kind ? rec->head.kind : COV_REC_CLASS};
    r->name_len = (uint32_t)n;
    r->bytes_len = len;
    memcpy(r + 1, name, n);
    memcpy((char *)(r + 1) + n, bytes, len);
    publish(&r->head, (uint32_t)size);
    return true;
}

bool cov_writer_class(CovWriter *w, const CovClassRecord *rec, const char *name, const uint8_t *bytes, bool loops) {
    size_t n = strlen(name);
    Known *k = malloc(sizeof *k + n + 1);
    if (!k) return false;
    *k = (Known){.crc = rec->crc,
                 .loader = rec->loader,
                 .first = rec->first_probe,
                 .nprobes = rec->nprobes,
                 .wait = 1,
                 .loops = loops,
                 .name_len = (uint32_t)n};
    memcpy(k->name, name, n + 1);
    pthread_mutex_lock(&w->lock);
    bool ok = !find_known(w, name, rec->loader, rec->crc) && write_class(w, rec, name, n, bytes);
    if (!ok || !cf_table_add(&w->known, known_hash(name, rec->loader, rec->crc), k)) free(k);
    pthread_mutex_unlock(&w->lock);
    return ok;
}

/* ---- epochs ---------------------------------------------------------------------------------- */

void cov_put_pair(CovPairs *p, uint64_t probe, uint64_t n) {
    agent_put_leb(&p->out, probe - p->last);
    agent_put_leb(&p->out, n);
    p->last = probe;
}

/* Cells of a window that are in use. Lock held. */
static uint32_t cells_of(const CovWriter *w, uint32_t window) {
    uint32_t from = window * COV_WINDOW;
    return w->next_probe <= from ? 0 : w->next_probe - from < COV_WINDOW ? w->next_probe - from : COV_WINDOW;
}

/* What has passed, as pairs. Words of eight bytes are looked at first: most of them are 0. Lock held. */
static void collect(const CovWriter *w, CovPairs *out) {
    for (uint32_t i = 0; i < w->nwindows; i++) {
        const uint64_t *words = (const uint64_t *)w->windows[i];
        uint32_t per = sizeof *words / w->cell;
        for (uint32_t k = 0, n = (cells_of(w, i) + per - 1) / per; k < n; k++) {
            uint64_t v = __atomic_load_n(&words[k], __ATOMIC_RELAXED), at = (uint64_t)i * COV_WINDOW + (uint64_t)k * per;
            if (per == 1 && v) cov_put_pair(out, at, v);
            for (uint32_t b = 0; per > 1 && v; b++, v >>= 8)
                if (v & 255) cov_put_pair(out, at + b, 1);
        }
    }
}

bool cov_get_leb(const uint8_t **p, const uint8_t *end, uint64_t *v) {
    *v = 0;
    for (unsigned shift = 0; *p < end && shift < 64; shift += 7) {
        uint8_t b = *(*p)++;
        *v |= (uint64_t)(b & 127) << shift;
        if (b < 128) return true;
    }
    return false;
}

/* Takes out of the cells what is in the pairs, and nothing else: probes may pass meanwhile. Lock held. */
static void clear(CovWriter *w, const CfWriter *pairs) {
    uint64_t probe = 0, step, n;
    for (const uint8_t *p = pairs->data, *end = p + pairs->len; cov_get_leb(&p, end, &step) && cov_get_leb(&p, end, &n);) {
        probe += step;
        uint8_t *base = w->windows[probe / COV_WINDOW];
        if (w->cell > 1) __atomic_fetch_sub((uint64_t *)base + probe % COV_WINDOW, n, __ATOMIC_RELAXED);
        else __atomic_store_n(base + probe % COV_WINDOW, 0, __ATOMIC_RELAXED);
    }
}

/* Lock held. */
static bool epoch_locked(CovWriter *w, const char *name, int64_t start, int64_t end, const CfWriter *pairs) {
    size_t n = strlen(name), len = pairs->len;
    uint64_t size = (sizeof(CovEpochRecord) + n + len + 7) & ~(uint64_t)7;
    CovEpochRecord *r = pairs->bad ? NULL : new_record(w, size);
    if (!r) return false;
    r->head.kind = COV_REC_EPOCH;
    r->start_ms = start;
    r->end_ms = end;
    r->name_len = (uint32_t)n;
    r->data_len = (uint32_t)len;
    memcpy(r + 1, name, n);
    memcpy((char *)(r + 1) + n, pairs->data, len);
    publish(&r->head, (uint32_t)size);
    return true;
}

bool cov_writer_epoch(CovWriter *w, const char *name, int64_t start_ms, int64_t end_ms, const CovPairs *pairs) {
    pthread_mutex_lock(&w->lock);
    bool ok = epoch_locked(w, name, start_ms, end_ms, &pairs->out);
    pthread_mutex_unlock(&w->lock);
    return ok;
}

/* One in which nothing was passed is told of if it has a name; that of a class (A.*) is begun after each of its tests. */
static bool worth_telling(const char *epoch, const CovPairs *pairs) {
    size_t n = strlen(epoch);
    return pairs->out.len || (n && epoch[n - 1] != '*');
}

bool cov_writer_cut(CovWriter *w, const char *name, int64_t now_ms) {
    CovPairs pairs = {.last = 0};
    pthread_mutex_lock(&w->lock);
    collect(w, &pairs);
    bool ok = !pairs.out.bad;
    if (ok && worth_telling(w->head->epoch, &pairs)) {
        ok = epoch_locked(w, w->head->epoch, w->head->epoch_ms, now_ms, &pairs.out);
        if (ok) clear(w, &pairs.out);
    }
    if (ok) { /* else what passed stays with the epoch it passed in, which goes on */
        snprintf(w->head->epoch, sizeof w->head->epoch, "%s", name);
        w->head->epoch_ms = now_ms;
    }
    pthread_mutex_unlock(&w->lock);
    cf_w_free(&pairs.out);
    return ok;
}

/* ---- pruning --------------------------------------------------------------------------------- */

/* Lock held. */
static uint32_t passed_now(const CovWriter *w, const Known *k) {
    const uint8_t *flags = w->windows[k->first / COV_WINDOW] + k->first % COV_WINDOW;
    uint32_t n = 0;
    for (uint32_t i = 0; i < k->nprobes; i++) n += __atomic_load_n(&flags[i], __ATOMIC_RELAXED) != 0;
    return n;
}

void cov_writer_watch(CovWriter *w) {
    uint32_t it = 0;
    pthread_mutex_lock(&w->lock);
    for (Known *k; (k = cf_table_next(&w->known, &it));) {
        k->busy = 0;
        k->before = passed_now(w, k);
    }
    pthread_mutex_unlock(&w->lock);
}

/* Which probes pass all the time: flags that are 1 are made STAMPED, which says passed as well, and soon looked at again. Whatever happens
 * meanwhile, no flag is ever 0 again. */
enum { STAMPED = 2, STAMPS = 16, STAMPS_BACK = 12, BETWEEN_STAMPS = 100 };

/* How many flags had been stored since they were stamped last. Lock held. */
static uint32_t stamp(uint8_t *flags, uint32_t n) {
    uint32_t back = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (__atomic_load_n(&flags[i], __ATOMIC_RELAXED) != 1) continue;
        __atomic_store_n(&flags[i], STAMPED, __ATOMIC_RELAXED);
        back++;
    }
    return back;
}

static void wait_ns(int64_t ns) {
    int64_t from = agent_nanos(CLOCK_MONOTONIC);
    while (agent_nanos(CLOCK_MONOTONIC) - from < ns) {}
}

/* Do probes of the class pass some million times a second? Lock held. */
static bool passes_always(uint8_t *flags, uint32_t n) {
    if (!stamp(flags, n)) return false; /* not even once since the last look */
    for (uint32_t i = 0, missed = 0; i < STAMPS; i++) {
        wait_ns(BETWEEN_STAMPS);
        missed += stamp(flags, n) == 0;
        if (missed > STAMPS - STAMPS_BACK) return false;
    }
    return true;
}

void cov_writer_look(CovWriter *w) {
    uint32_t it = 0;
    pthread_mutex_lock(&w->lock);
    for (Known *k; (k = cf_table_next(&w->known, &it));)
        k->busy += passes_always(w->windows[k->first / COV_WINDOW] + k->first % COV_WINDOW, k->nprobes);
    pthread_mutex_unlock(&w->lock);
}

void cov_writer_watched(CovWriter *w) {
    pthread_mutex_lock(&w->lock);
    for (uint32_t i = 0; i < w->nwindows; i++)
        for (uint32_t k = 0, n = cells_of(w, i); k < n; k++)
            if (__atomic_load_n(&w->windows[i][k], __ATOMIC_RELAXED) == STAMPED)
                __atomic_store_n(&w->windows[i][k], 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&w->lock);
}

/* Lock held: the next one of that name, NULL if there is none. */
static Known *next_named(CovWriter *w, const char *name, size_t n, uint32_t *it) {
    Known *k;
    while ((k = cf_table_next(&w->known, it)) && (k->name_len != n || memcmp(k->name, name, n) != 0)) {}
    return k;
}

void cov_writer_busy(CovWriter *w, const char *name) {
    uint32_t it = 0;
    pthread_mutex_lock(&w->lock);
    for (Known *k; (k = next_named(w, name, strlen(name), &it));) k->busy++;
    pthread_mutex_unlock(&w->lock);
}

bool cov_writer_loops(CovWriter *w, const char *name) {
    uint32_t it = 0;
    bool loops = false;
    pthread_mutex_lock(&w->lock);
    for (Known *k; (k = next_named(w, name, strlen(name), &it));) loops |= k->loops;
    pthread_mutex_unlock(&w->lock);
    return loops;
}

static bool is_due(const CovWriter *w, Known *k, uint32_t busy, bool quiet) {
    if (k->passed == k->nprobes) return false;
    if (k->rest) {
        k->rest--;
        return false;
    }
    if (k->busy < busy) return false;
    k->due = passed_now(w, k);
    if (k->due == k->passed) return k->busy = 0, false;
    return !quiet || k->due == k->before;
}

char *cov_writer_due(CovWriter *w, uint32_t busy, bool quiet) {
    char *names = NULL;
    size_t len = 0;
    uint32_t it = 0;
    FILE *out = NULL;
    pthread_mutex_lock(&w->lock);
    for (Known *k; (k = cf_table_next(&w->known, &it));)
        if (is_due(w, k, busy, quiet) && (out || (out = open_memstream(&names, &len))))
            fwrite(k->name, 1, strlen(k->name) + 1, out);
    pthread_mutex_unlock(&w->lock);
    if (!out) return NULL;
    fputc(0, out);
    return fclose(out) ? NULL : names;
}

/* Another class of that name may have lost nothing: it is left alone as long. */
void cov_writer_pruned(CovWriter *w, const char *name) {
    uint32_t it = 0;
    pthread_mutex_lock(&w->lock);
    for (Known *k; (k = next_named(w, name, strlen(name), &it));) {
        k->passed = k->due;
        k->rest = k->wait;
        k->wait = 2 * k->wait + 1;
        k->busy = 0;
    }
    pthread_mutex_unlock(&w->lock);
}

void cov_writer_close(CovWriter *w, int64_t end_ms) {
    w->head->end_ms = end_ms;
    __atomic_store_n(&w->head->state, COV_CLOSED, __ATOMIC_RELEASE);
}

void cov_writer_give_way(CovWriter *old, const char *new_path, bool append) {
    bool same = old->fd >= 0 && !strcmp(old->path, new_path);
    if (same && !append && (!old->append || cov_share_claim(old->fd, true))) unlink(new_path); /* the mapping lives on */
    if (old->fd >= 0) close(old->fd);
    old->fd = -1;
}

void cov_writer_free(CovWriter *w) {
    uint32_t it = 0;
    for (void *k; (k = cf_table_next(&w->known, &it));) free(k);
    cf_table_free(&w->known);
    it = 0;
    for (void *k; (k = cf_table_next(&w->stored, &it));) free(k);
    cf_table_free(&w->stored);
    for (uint32_t i = 0; i < w->loaders.len; i++) free(w->loaders.data[i].name);
    cf_vec_free(&w->loaders);
    if (w->fd >= 0) close(w->fd);
    free(w->path);
    free(w);
}
