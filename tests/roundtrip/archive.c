/* SPDX-License-Identifier: Apache-2.0 */
/* archive.c - zip files with stored members (APPNOTE 4.3): local headers and bytes as they come, the directory at the end. */
#include "archive.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h>

typedef struct Archive {
    char path[4096];
    FILE *f;
    uint32_t size, members;
    CF_VEC(uint8_t) directory;
} Archive;

static CF_VEC(Archive *) archives;

static void fail(const char *path) {
    perror(path);
    exit(2);
}

static void make_dirs(char *path) {
    for (char *p = path + 1; (p = strchr(p, '/')); p++) {
        *p = 0;
        if (mkdir(path, 0777) != 0 && errno != EEXIST) fail(path);
        *p = '/';
    }
}

static Archive *archive_at(char *path) {
    for (uint32_t i = archives.len; i-- > 0;)
        if (strcmp(archives.data[i]->path, path) == 0) return archives.data[i];
    Archive *a = calloc(1, sizeof *a);
    make_dirs(path);
    if (!a || !cf_vec_push(&archives, a) || !(a->f = fopen(path, "wb"))) fail(path);
    strcpy(a->path, path);
    return a;
}

/* "modules:/java.base/a/B.class" or "x/y.jar:a/B.class": the archive, and the member's name */
static const char *destination(const char *dir, const CorpusEntry *e, char *path, size_t size) {
    const char *colon = strrchr(e->path, ':'), *name = colon ? colon + 1 : e->path;
    const char *file = e->path;
    for (const char *q = e->path; q < colon; q++)
        if (*q == '/') file = q + 1;
    const char *member = *name == '/' ? strchr(name + 1, '/') : name;
    if (!member || !*member) fail(e->path);
    if (*name == '/') snprintf(path, size, "%s/jdk%.*s.jar", dir, (int)(member - name), name);
    else snprintf(path, size, "%s/jars/%.*s", dir, (int)(colon - file), file);
    return *name == '/' ? member + 1 : member;
}

static uint8_t *put(uint8_t *p, unsigned width, uint32_t value) {
    for (; width; width--, value >>= 8) *p++ = (uint8_t)value;
    return p;
}

/* What the header before a member and its row in the directory share: versions to names' length, both of stored members. */
static uint8_t *put_facts(uint8_t *p, uint32_t crc, uint32_t size, uint32_t name) {
    p = put(p, 2, 10);         /* version needed */
    p = put(p, 2, 0);          /* flags */
    p = put(p, 2, 0);          /* stored */
    p = put(p, 4, 0x00210000); /* the first day of the format */
    p = put(put(put(p, 4, crc), 4, size), 4, size);
    return put(put(p, 2, name), 2, 0);
}

void archive_add(const char *dir, const CorpusEntry *e, const uint8_t *bytes, size_t size) {
    char path[4096];
    uint8_t head[46];
    const char *name = destination(dir, e, path, sizeof path);
    Archive *a = archive_at(path);
    uint32_t length = (uint32_t)strlen(name), crc = (uint32_t)crc32(0, bytes, (unsigned)size);
    uint8_t *end = put_facts(put(head, 4, 0x04034b50), crc, (uint32_t)size, length);
    size_t local = (size_t)(end - head);
    if (fwrite(head, 1, local, a->f) != local || fwrite(name, 1, length, a->f) != length || fwrite(bytes, 1, size, a->f) != size)
        fail(path);
    end = put_facts(put(put(head, 4, 0x02014b50), 2, 10), crc, (uint32_t)size, length);
    end = put(put(put(put(end, 2, 0), 4, 0), 4, 0), 4, a->size);
    for (const uint8_t *p = head; p < end; p++)
        if (!cf_vec_push(&a->directory, *p)) fail(path);
    for (const char *p = name; *p; p++)
        if (!cf_vec_push(&a->directory, (uint8_t)*p)) fail(path);
    a->size += (uint32_t)(local + length + size);
    if (++a->members == 0xffff) fail(path); /* more would be another format */
}

void archive_close(void) {
    uint8_t tail[22];
    for (uint32_t i = 0; i < archives.len; i++) {
        Archive *a = archives.data[i];
        put(put(put(put(put(put(put(put(tail, 4, 0x06054b50), 2, 0), 2, 0), 2, a->members), 2, a->members), 4, a->directory.len),
                4, a->size),
            2, 0);
        if (fwrite(a->directory.data, 1, a->directory.len, a->f) != a->directory.len ||
            fwrite(tail, 1, sizeof tail, a->f) != sizeof tail || fclose(a->f) != 0)
            fail(a->path);
        cf_vec_free(&a->directory);
        free(a);
    }
    cf_vec_free(&archives);
}
