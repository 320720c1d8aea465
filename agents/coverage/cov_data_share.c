/* SPDX-License-Identifier: Apache-2.0 */
/* cov_data_share.c - see cov_data_share.h. */
#include "cov_data_share.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- locks ---------------------------------------------------------------------------------------- */

enum { WRITERS, ADDING };

static bool lock_byte(int fd, int byte, short type, bool wait) {
    struct flock l = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    int rc;
    while ((rc = fcntl(fd, wait ? F_OFD_SETLKW : F_OFD_SETLK, &l)) != 0 && errno == EINTR) {}
    return rc == 0;
}

bool cov_share_claim(int fd, bool alone) { return lock_byte(fd, WRITERS, alone ? F_WRLCK : F_RDLCK, false); }

void cov_share_lock(int fd) { lock_byte(fd, ADDING, F_WRLCK, true); }

void cov_share_unlock(int fd) { lock_byte(fd, ADDING, F_UNLCK, false); }

/* ---- head and segments ---------------------------------------------------------------------------- */

static uint64_t size_of(int fd) {
    struct stat st;
    return fstat(fd, &st) == 0 ? (uint64_t)st.st_size : 0;
}

uint64_t cov_share_end(int fd, uint64_t from) {
    CovSegment s;
    for (uint64_t size = size_of(fd); from + sizeof s <= size; from += s.size) {
        if (pread(fd, &s, sizeof s, (off_t)from) != (ssize_t)sizeof s || s.magic != COV_SEG_MAGIC) break;
        if (s.size < COV_PAGE || s.size % COV_PAGE || s.size > size - from) break;
    }
    return from;
}

static bool write_head(int fd, const CovFileHead *h) { return pwrite(fd, h, sizeof *h, 0) == (ssize_t)sizeof *h; }

static bool new_head(int fd) {
    CovFileHead h = {.version = COV_SHARED_VERSION, .head_size = COV_PAGE, .state = COV_CLOSED, .shared = COV_SHARED_ONLY};
    memcpy(h.magic, COV_MAGIC, sizeof h.magic);
    int rc = posix_fallocate(fd, 0, COV_PAGE);
    if (rc && rc != EOPNOTSUPP && rc != EINVAL) return errno = rc, false;
    return (!rc || ftruncate(fd, COV_PAGE) == 0) && write_head(fd, &h);
}

/* Behind the last segment there may be zeros only. */
static bool is_whole(int fd) {
    uint64_t end = cov_share_end(fd, COV_PAGE);
    uint32_t magic = 0;
    return pread(fd, &magic, sizeof magic, (off_t)end) <= 0 || !magic;
}

bool cov_share_begin(int fd, const char **why) {
    CovFileHead h;
    if (size_of(fd) == 0) return *why = NULL, new_head(fd);
    *why = "it is not a coverage data file";
    if (pread(fd, &h, sizeof h, 0) != (ssize_t)sizeof h || size_of(fd) < COV_PAGE ||
        memcmp(h.magic, COV_MAGIC, sizeof h.magic) != 0)
        return false;
    *why = "it has another format version";
    if (h.version != COV_FILE_VERSION && h.version != COV_SHARED_VERSION) return false;
    *why = "it is damaged";
    if (!is_whole(fd)) return false;
    if (h.version == COV_SHARED_VERSION) return true;
    h.version = COV_SHARED_VERSION;
    h.shared = COV_SHARED_ALSO;
    *why = NULL;
    return write_head(fd, &h);
}

/* ---- classes -------------------------------------------------------------------------------------- */

typedef struct Stored {
    uint64_t crc;
    uint32_t len;
    char name[];
} Stored;

typedef struct Wanted {
    uint64_t crc;
    const char *name;
    size_t len;
} Wanted;

static uint32_t stored_hash(const char *name, size_t n, uint64_t crc) { return cf_hash_bytes(name, n) ^ cf_hash_u64(crc); }

static bool stored_eq(const void *item, const void *key) {
    const Stored *s = item;
    const Wanted *w = key;
    return s->crc == w->crc && s->len == w->len && !memcmp(s->name, w->name, s->len);
}

bool cov_share_has(const CfTable *classes, const char *name, uint64_t crc) {
    Wanted w = {crc, name, strlen(name)};
    return cf_table_find(classes, stored_hash(name, w.len, crc), stored_eq, &w) != NULL;
}

static void add_class(CfTable *t, const CovClassRecord *r) {
    if (r->head.size < sizeof *r || !r->bytes_len || r->name_len > r->head.size - sizeof *r) return;
    Stored *s = malloc(sizeof *s + r->name_len);
    if (!s) return;
    *s = (Stored){.crc = r->crc, .len = r->name_len};
    memcpy(s->name, r + 1, r->name_len);
    if (!cf_table_add(t, stored_hash(s->name, s->len, s->crc), s)) free(s);
}

static void add_records(CfTable *t, const uint8_t *at, const uint8_t *end) {
    while ((size_t)(end - at) >= sizeof(CovRecord)) {
        const CovRecord *r = (const CovRecord *)at;
        uint32_t size = __atomic_load_n(&r->size, __ATOMIC_ACQUIRE);
        if (size < sizeof *r || size % 8 || size > (size_t)(end - at)) return;
        if (r->kind == COV_REC_CLASS || r->kind == COV_REC_TEST_CLASS) add_class(t, (const CovClassRecord *)r);
        at += size;
    }
}

void cov_share_classes(int fd, uint64_t end, CfTable *classes) {
    const uint8_t *base = end > COV_PAGE ? mmap(NULL, end, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (base == MAP_FAILED) return;
    for (uint64_t at = COV_PAGE; at < end;) { /* whole segments: cov_share_end has seen them */
        const CovSegment *s = (const CovSegment *)(base + at);
        if (s->kind == COV_SEG_RECORDS) add_records(classes, (const uint8_t *)(s + 1), base + at + s->size);
        at += s->size;
    }
    munmap((void *)(uintptr_t)base, end);
}
