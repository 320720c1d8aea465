/* SPDX-License-Identifier: Apache-2.0 */
/* corpus.c - reading jimage files, jars and single class files. */
#include "corpus.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

static bool add(Corpus *c, const char *container, const char *name, const uint8_t *bytes, size_t size) {
    char *path = malloc(strlen(container) + strlen(name) + 2);
    sprintf(path, "%s:%s", container, name);
    return cf_vec_push(&c->entries, (CorpusEntry){path, bytes, size, NULL});
}

static bool ends_with(const char *s, const char *tail) {
    size_t n = strlen(s), t = strlen(tail);
    return n >= t && strcmp(s + n - t, tail) == 0;
}

/* ------------------------------------------------------------------------ jimage */

static uint32_t le4(const uint8_t *p) { return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24; }

enum { LOC_END, LOC_MODULE, LOC_PARENT, LOC_BASE, LOC_EXT, LOC_OFFSET, LOC_PACKED, LOC_SIZE, LOC_KINDS };

static void read_location(const uint8_t *p, uint64_t v[LOC_KINDS]) {
    memset(v, 0, LOC_KINDS * sizeof *v);
    for (unsigned kind; (kind = *p >> 3) != LOC_END && kind < LOC_KINDS;) {
        unsigned n = (*p++ & 7) + 1;
        for (; n; n--) v[kind] = v[kind] << 8 | *p++;
    }
}

static bool add_jimage(Corpus *c, const uint8_t *m, size_t size, const char *path) {
    uint32_t table = le4(m + 16), loc_size = le4(m + 20), str_size = le4(m + 24);
    const uint8_t *offsets = m + 28 + 4 * (size_t)table;
    const uint8_t *locations = offsets + 4 * (size_t)table;
    const char *strings = (const char *)locations + loc_size;
    const uint8_t *data = (const uint8_t *)strings + str_size;
    char name[1024];
    if (data > m + size) return false;
    for (uint32_t i = 0; i < table; i++) {
        uint64_t v[LOC_KINDS];
        read_location(locations + le4(offsets + 4 * (size_t)i), v);
        if (strcmp(strings + v[LOC_EXT], "class") != 0 || v[LOC_PACKED]) continue;
        snprintf(name, sizeof name, "/%s/%s%s%s.class", strings + v[LOC_MODULE], strings + v[LOC_PARENT],
                 v[LOC_PARENT] ? "/" : "", strings + v[LOC_BASE]);
        if (!add(c, path, name, data + v[LOC_OFFSET], v[LOC_SIZE])) return false;
    }
    return true;
}

/* ------------------------------------------------------------------------ jars */

/* MemorySanitizer does not see what a library without it has written. */
#if defined __has_feature
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define WRITTEN(p, n) __msan_unpoison(p, n)
#endif
#endif
#ifndef WRITTEN
#define WRITTEN(p, n) ((void)0)
#endif

static bool add_jar(Corpus *c, const char *path) {
    zip_t *z = zip_open(path, ZIP_RDONLY, NULL);
    if (!z) return false;
    for (zip_int64_t i = 0, n = zip_get_num_entries(z, 0); i < n; i++) {
        zip_stat_t st;
        if (zip_stat_index(z, (zip_uint64_t)i, 0, &st) != 0) continue;
        WRITTEN(&st, sizeof st);
        for (const char *s = st.name; WRITTEN(s, 1), *s; s++)
            ;
        if (!ends_with(st.name, ".class")) continue;
        uint8_t *bytes = malloc(st.size + 1);
        zip_file_t *f = zip_fopen_index(z, (zip_uint64_t)i, 0);
        if (f && bytes && zip_fread(f, bytes, st.size) == (zip_int64_t)st.size) {
            WRITTEN(bytes, st.size);
            add(c, path, st.name, bytes, st.size);
        }
        if (f) zip_fclose(f);
    }
    zip_discard(z);
    return true;
}

bool corpus_add(Corpus *c, const char *path) {
    bool ok = false;
    int fd = open(path, O_RDONLY);
    struct stat st;
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 28) {
        uint8_t *m = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (m != MAP_FAILED) {
            if (le4(m) == 0xCAFEDADA) ok = add_jimage(c, m, (size_t)st.st_size, path);
            else if (cf_get_u4(m) == 0xCAFEBABE) ok = add(c, path, "", m, (size_t)st.st_size);
            else ok = add_jar(c, path);
        }
    }
    if (fd >= 0) close(fd);
    if (!ok) fprintf(stderr, "cannot read %s\n", path);
    return ok;
}
