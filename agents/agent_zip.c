/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_zip.c - see agent_zip.h. Numbers of the format are APPNOTE.TXT's; they are little-endian.
 *
 * Why a reader of our own, where a library would be the rule: it has to be inside the agents, whole, as a static library of Debian.
 * libzip is packaged as a shared library only; libarchive's drags in libraries for formats that no jar has. minizip's (1.1, Debian 12) was put behind this
 * interface and measured: where long has 64 bits it never looks at zip64 numbers of entries, so none of these can be read; a file that lacks
 * its last byte, which java refuses, opens, since the comment's length is not looked at; a comment with an end's signature in it hides the
 * archive. It opens eight times as slowly. Debian 13 has a newer one: worth another look when that is the oldest system to build on.
 */
#include "agent_zip.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    LOCAL = 0x04034b50,
    CENTRAL = 0x02014b50,
    END = 0x06054b50,
    END64 = 0x06064b50,
    LOCATOR64 = 0x07064b50,
    LOCAL_SIZE = 30,
    CENTRAL_SIZE = 46,
    END_SIZE = 22,
    END64_SIZE = 56,
    LOCATOR64_SIZE = 20,
    COMMENT_MAX = 0xffff,
    EXTRA64 = 1, /* tag of the sizes that do not fit into 32 bits */
    STORED = 0,
    DEFLATED = 8,
    ENCRYPTED = 1,
    TABLE_MAX = 1 << 30
};

struct AgentZip {
    int fd;
    uint32_t count;
    char *names;
    AgentZipEntry *entries;
    uint32_t *by_name; /* entries in the order of their names, equal ones in the archive's order */
};

static unsigned u2(const uint8_t *p) { return p[0] | (unsigned)p[1] << 8; }
static uint32_t u4(const uint8_t *p) { return u2(p) | (uint32_t)u2(p + 2) << 16; }
static uint64_t u8(const uint8_t *p) { return u4(p) | (uint64_t)u4(p + 4) << 32; }

static bool read_at(int fd, uint64_t at, void *buf, size_t n) {
    for (size_t done = 0; done < n;) {
        ssize_t got = pread(fd, (char *)buf + done, n - done, (off_t)(at + done));
        if (got <= 0) return false;
        done += (size_t)got;
    }
    return true;
}

/* ---- the table --------------------------------------------------------------------------------- */

typedef struct Table {
    uint64_t at, size; /* in the file */
    uint64_t front;    /* bytes in front of the archive: what its offsets do not count */
} Table;

/* The end record may be followed by a comment, in which another one's signature can stand: the record whose comment ends the file counts. */
static bool find_end(int fd, uint64_t file, uint8_t end[END_SIZE], uint64_t *at) {
    size_t n = file < END_SIZE + COMMENT_MAX ? (size_t)file : END_SIZE + COMMENT_MAX;
    uint8_t *tail = malloc(n ? n : 1);
    bool found = false;
    if (tail && n >= END_SIZE && read_at(fd, file - n, tail, n))
        for (size_t i = n - END_SIZE + 1; i-- > 0 && !found;)
            if (u4(tail + i) == END && i + END_SIZE + u2(tail + i + 20) == n) {
                memcpy(end, tail + i, END_SIZE);
                *at = file - n + i;
                found = true;
            }
    free(tail);
    return found;
}

static bool find_table(int fd, uint64_t file, Table *t) {
    uint8_t end[END_SIZE], locator[LOCATOR64_SIZE], end64[END64_SIZE];
    uint64_t behind, offset; /* the table ends where the end record begins */
    if (!find_end(fd, file, end, &behind)) return false;
    t->size = u4(end + 12);
    offset = u4(end + 16);
    if (behind >= LOCATOR64_SIZE + END64_SIZE && read_at(fd, behind - LOCATOR64_SIZE, locator, sizeof locator) &&
        u4(locator) == LOCATOR64) {
        behind -= LOCATOR64_SIZE + END64_SIZE;
        if (!read_at(fd, behind, end64, sizeof end64) || u4(end64) != END64) return false;
        t->size = u8(end64 + 40);
        offset = u8(end64 + 48);
    }
    if (t->size > behind || t->size > TABLE_MAX || offset > behind - t->size) return false;
    t->at = behind - t->size;
    t->front = t->at - offset;
    return true;
}

/* What does not fit into 32 bits stands in the extra field, in this order, and only that. */
static bool wide_numbers(AgentZipEntry *e, const uint8_t *extra, size_t n) {
    uint64_t *wide[] = {&e->size, &e->packed_size, &e->at};
    for (size_t len; n >= 4; extra += 4 + len, n -= 4 + len) {
        if ((len = u2(extra + 2)) > n - 4) return false;
        if (u2(extra) != EXTRA64) continue;
        size_t used = 0;
        for (size_t i = 0; i < 3; i++) {
            if (*wide[i] != UINT32_MAX) continue;
            if (used + 8 > len) return false;
            *wide[i] = u8(extra + 4 + used);
            used += 8;
        }
        return true;
    }
    return true;
}

/* One row of the table; its length, 0 if it is wrong. */
static size_t read_row(const uint8_t *p, size_t n, const Table *t, AgentZipEntry *e) {
    if (n < CENTRAL_SIZE || u4(p) != CENTRAL) return 0;
    size_t name = u2(p + 28), extra = u2(p + 30), all = CENTRAL_SIZE + name + extra + u2(p + 32);
    if (all > n) return 0;
    *e = (AgentZipEntry){.flags = (uint16_t)u2(p + 8),
                         .method = (uint16_t)u2(p + 10),
                         .crc = u4(p + 16),
                         .packed_size = u4(p + 20),
                         .size = u4(p + 24),
                         .at = u4(p + 42)};
    if (!wide_numbers(e, p + CENTRAL_SIZE + name, extra)) return 0;
    uint64_t room = t->at - t->front;
    if (e->at > room || LOCAL_SIZE > room - e->at || e->packed_size > room - e->at - LOCAL_SIZE) return 0;
    e->at += t->front;
    return all;
}

static bool read_rows(AgentZip *z, const uint8_t *p, const Table *t) {
    size_t n = (size_t)t->size, rows = n / CENTRAL_SIZE;
    if (!(z->names = malloc(n + 1)) || !(z->entries = malloc((rows + 1) * sizeof *z->entries))) return false;
    char *name = z->names; /* a row is longer than its name and a zero */
    for (size_t at = 0, row; at < n; at += row) {
        AgentZipEntry *e = &z->entries[z->count];
        if (!(row = read_row(p + at, n - at, t, e))) return false;
        size_t len = u2(p + at + 28);
        memcpy(name, p + at + CENTRAL_SIZE, len);
        name[len] = 0;
        e->name = name;
        name += len + 1;
        z->count++;
    }
    return true;
}

static int compare_names(const void *a, const void *b, void *zip) {
    const AgentZip *z = zip;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    int c = strcmp(z->entries[i].name, z->entries[k].name);
    return c ? c : (i > k) - (i < k);
}

static bool sort_names(AgentZip *z) {
    if (!(z->by_name = malloc((z->count + 1) * sizeof *z->by_name))) return false;
    for (uint32_t i = 0; i < z->count; i++) z->by_name[i] = i;
    qsort_r(z->by_name, z->count, sizeof *z->by_name, compare_names, z);
    return true;
}

AgentZip *agent_zip_open(const char *path) {
    struct stat st;
    Table t;
    AgentZip *z = calloc(1, sizeof *z);
    if (!z) return NULL;
    z->fd = open(path, O_RDONLY | O_CLOEXEC);
    uint8_t *rows = NULL;
    bool ok = z->fd >= 0 && fstat(z->fd, &st) == 0 && S_ISREG(st.st_mode) && find_table(z->fd, (uint64_t)st.st_size, &t) &&
              (rows = malloc((size_t)t.size + 1)) && read_at(z->fd, t.at, rows, (size_t)t.size) && read_rows(z, rows, &t) &&
              sort_names(z);
    free(rows);
    if (ok) return z;
    agent_zip_close(z);
    return NULL;
}

void agent_zip_close(AgentZip *z) {
    if (!z) return;
    if (z->fd >= 0) close(z->fd);
    free(z->names);
    free(z->entries);
    free(z->by_name);
    free(z);
}

uint32_t agent_zip_count(const AgentZip *z) { return z->count; }
AgentZipEntry agent_zip_entry(const AgentZip *z, uint32_t k) { return z->entries[k]; }

int64_t agent_zip_find(const AgentZip *z, const char *name) {
    uint32_t from = 0, to = z ? z->count : 0;
    while (from < to) { /* the first that is not less */
        uint32_t middle = from + (to - from) / 2;
        if (strcmp(z->entries[z->by_name[middle]].name, name) < 0) from = middle + 1;
        else to = middle;
    }
    return z && from < z->count && !strcmp(z->entries[z->by_name[from]].name, name) ? (int64_t)z->by_name[from] : -1;
}

/* ---- entries ----------------------------------------------------------------------------------- */

static bool inflate_all(uint8_t *in, size_t n, char *out, size_t size) {
    z_stream s = {.next_in = in, .avail_in = (uInt)n, .next_out = (Bytef *)out, .avail_out = (uInt)size};
    if (inflateInit2(&s, -MAX_WBITS) != Z_OK) return false;
    bool ok = inflate(&s, Z_FINISH) == Z_STREAM_END && s.total_out == size;
    inflateEnd(&s);
    return ok;
}

/* The entry's own header may have another length of the extra field than the table. */
static bool read_packed(const AgentZip *z, const AgentZipEntry *e, void *buf) {
    uint8_t head[LOCAL_SIZE];
    return read_at(z->fd, e->at, head, sizeof head) && u4(head) == LOCAL &&
           read_at(z->fd, e->at + LOCAL_SIZE + u2(head + 26) + u2(head + 28), buf, (size_t)e->packed_size);
}

char *agent_zip_read(const AgentZip *z, uint32_t k, size_t most, size_t *len) {
    const AgentZipEntry *e = &z->entries[k];
    bool stored = e->method == STORED;
    if ((!stored && e->method != DEFLATED) || (e->flags & ENCRYPTED)) return NULL;
    if (most > UINT32_MAX - 1) most = UINT32_MAX - 1; /* zlib's counters */
    if (e->size > most || e->packed_size > most || (stored && e->packed_size != e->size)) return NULL;
    char *out = malloc((size_t)e->size + 1), *in = stored ? out : malloc((size_t)e->packed_size + 1);
    bool ok = out && in && read_packed(z, e, in) &&
              (stored || inflate_all((uint8_t *)in, (size_t)e->packed_size, out, (size_t)e->size)) &&
              crc32(0, (const Bytef *)out, (uInt)e->size) == e->crc;
    if (!stored) free(in);
    if (!ok) return free(out), NULL;
    out[e->size] = 0;
    *len = (size_t)e->size;
    return out;
}
