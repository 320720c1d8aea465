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

#include "agent_zip.h"

enum { ENTRY_MAX = 64 << 20 };

bool swap_is_jar(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (!strcmp(dot, ".jar") || !strcmp(dot, ".zip") || !strcmp(dot, ".war"));
}

bool swap_jar_load(const SwapFile *f, SwapBytes *out) {
    char *jar = strndup(f->path, f->entry - 2); /* "JAR!/ENTRY" */
    AgentZip *z = jar ? agent_zip_open(jar) : NULL;
    int64_t k = agent_zip_find(z, f->path + f->entry);
    *out = (SwapBytes){0};
    if (k >= 0) out->p = (void *)agent_zip_read(z, (uint32_t)k, ENTRY_MAX, &out->len);
    agent_zip_close(z);
    free(jar);
    return out->p != NULL;
}

static void one_entry(SwapWatch *w, int root, AgentZip *z, uint32_t index, bool news) {
    AgentZipEntry e = agent_zip_entry(z, index);
    char *path = NULL;
    const char *jar = w->roots.data[root].path;
    if (!swap_is_class_file(e.name) || !strncmp(e.name, "META-INF/", 9) || asprintf(&path, "%s!/%s", jar, e.name) < 0) return;
    SwapFile *f = swap_watch_file(w, path, root);
    free(path);
    if (!f) return;
    f->entry = (uint32_t)strlen(jar) + 2;
    if (!news && !f->live.p) {
        if ((f->live.p = (void *)agent_zip_read(z, index, ENTRY_MAX, &f->live.len))) {
            f->seen_crc = e.crc;
            f->seen_len = e.size;
        }
    } else if (f->seen_crc != e.crc || f->seen_len != e.size) {
        swap_watch_dirty(w, f);
    }
}

bool swap_jar_scan(SwapWatch *w, int root, bool news) {
    SwapRoot *r = &w->roots.data[root];
    char *copy = strdup(r->path);
    if (copy) r->wd = inotify_add_watch(w->fd, dirname(copy), SWAP_EVENTS);
    free(copy);
    AgentZip *z = agent_zip_open(r->path);
    if (!z) return false;
    for (uint32_t i = 0; i < agent_zip_count(z); i++) one_entry(w, root, z, i, news);
    agent_zip_close(z);
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
