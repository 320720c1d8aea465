/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_jar.c - the class files of an archive; see swap_watch.h.
 *
 * A jar is written as a whole or replaced by another, so its directory is watched for its name, and all entries are
 * compared with what was seen by the CRC in the archive's own table: only what changed is unpacked. An archive that is
 * half there cannot be opened; it counts as missing and is tried again. What is below META-INF (versions for other
 * Java releases) is left out.
 */
#include "swap_watch.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <zip.h>

enum { ENTRY_MAX = 64 << 20 };

bool swap_is_jar(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (!strcmp(dot, ".jar") || !strcmp(dot, ".zip") || !strcmp(dot, ".war"));
}

static bool read_entry(zip_t *z, zip_uint64_t index, SwapBytes *out) {
    zip_stat_t st;
    zip_file_t *f = NULL;
    *out = (SwapBytes){0};
    if (zip_stat_index(z, index, 0, &st) || st.size > ENTRY_MAX || !(f = zip_fopen_index(z, index, 0))) return false;
    out->p = malloc(st.size + 1);
    zip_int64_t n = out->p ? zip_fread(f, out->p, st.size) : -1;
    zip_fclose(f);
    out->len = n > 0 ? (size_t)n : 0;
    return n == (zip_int64_t)st.size;
}

bool swap_jar_load(const SwapFile *f, SwapBytes *out) {
    char *jar = strndup(f->path, f->entry - 2); /* "JAR!/ENTRY" */
    zip_t *z = jar ? zip_open(jar, ZIP_RDONLY, NULL) : NULL;
    zip_int64_t k = z ? zip_name_locate(z, f->path + f->entry, 0) : -1;
    *out = (SwapBytes){0};
    bool ok = k >= 0 && read_entry(z, (zip_uint64_t)k, out);
    if (z) zip_discard(z);
    free(jar);
    return ok;
}

static void one_entry(SwapWatch *w, int root, zip_t *z, zip_uint64_t index, bool news) {
    zip_stat_t st;
    char *path = NULL;
    const char *jar = w->roots.data[root].path;
    if (zip_stat_index(z, index, 0, &st) || !swap_is_class_file(st.name) || !strncmp(st.name, "META-INF/", 9) ||
        asprintf(&path, "%s!/%s", jar, st.name) < 0)
        return;
    SwapFile *f = swap_watch_file(w, path, root);
    free(path);
    if (!f) return;
    f->entry = (uint32_t)strlen(jar) + 2;
    if (!news && !f->live.p) {
        if (read_entry(z, index, &f->live)) {
            f->seen_crc = st.crc;
            f->seen_len = st.size;
        }
    } else if (f->seen_crc != st.crc || f->seen_len != st.size) {
        swap_watch_dirty(w, f);
    }
}

bool swap_jar_scan(SwapWatch *w, int root, bool news) {
    SwapRoot *r = &w->roots.data[root];
    char *copy = strdup(r->path);
    if (copy) r->wd = inotify_add_watch(w->fd, dirname(copy), SWAP_EVENTS);
    free(copy);
    zip_t *z = zip_open(r->path, ZIP_RDONLY | ZIP_CHECKCONS, NULL);
    if (!z) return false;
    for (zip_int64_t i = 0, n = zip_get_num_entries(z, 0); i < n; i++) one_entry(w, root, z, (zip_uint64_t)i, news);
    zip_discard(z);
    return true;
}

bool swap_jar_event(SwapWatch *w, int wd, const char *name) {
    uint32_t before = w->dirty;
    for (uint32_t i = 0; i < w->roots.len; i++) {
        SwapRoot *r = &w->roots.data[i];
        const char *slash = strrchr(r->path, '/');
        if (!r->jar || !r->there || r->wd != wd || strcmp(slash ? slash + 1 : r->path, name) != 0) continue;
        if (!swap_jar_scan(w, (int)i, true)) {
            r->there = false;
            w->missing++;
        }
    }
    return w->dirty > before;
}
