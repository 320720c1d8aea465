/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_watch.c - directories through inotify; see swap_watch.h.
 *
 * inotify watches one directory, not a tree: each directory is watched and then read, in this order, so that what
 * comes in between is seen twice rather than never. A new directory is handled likewise and its files are news. When
 * the kernel drops events (queue overflow) everything is read again; unchanged bytes are sorted out later by CRC.
 * Below a root, symbolic links to directories are not followed: they may form a circle.
 */
#include "swap_watch.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "classfile.h"

enum { CLASS_FILE_MAX = 64 << 20 };

/* ---- files ------------------------------------------------------------------------------------- */

static bool same_path(const void *item, const void *key) { return !strcmp(((const SwapFile *)item)->path, key); }

SwapFile *swap_watch_file(SwapWatch *w, const char *path, int root) {
    uint32_t hash = cf_hash_bytes(path, strlen(path));
    SwapFile *f = cf_table_find(&w->files, hash, same_path, path);
    if (f) return f;
    f = calloc(1, sizeof *f);
    if (f && (f->path = strdup(path)) && cf_table_add(&w->files, hash, f)) {
        f->root = root;
        return f;
    }
    if (f) free(f->path);
    free(f);
    return NULL;
}

void swap_watch_dirty(SwapWatch *w, SwapFile *f) {
    if (!f->dirty) w->dirty++;
    f->dirty = true;
    f->tries = 0;
}

bool swap_watch_load(const SwapFile *f, SwapBytes *out) {
    if (f->entry) return swap_jar_load(f, out);
    out->p = agent_read_file(f->path, CLASS_FILE_MAX, NULL, &out->len);
    return out->p;
}

void swap_watch_want(SwapFile *f, SwapBytes next, char *refusal) {
    free(f->next.p);
    free(f->refusal);
    f->next = next;
    f->refusal = refusal;
    f->limit = false;
}

void swap_watch_adopt(SwapFile *f) {
    free(f->live.p);
    f->live = f->next;
    f->next.p = NULL;
    swap_watch_want(f, (SwapBytes){0}, NULL);
}

/* Before the program runs: what is there now is what it will load. */
static void first_sight(SwapFile *f) {
    if (f->live.p || !swap_watch_load(f, &f->live)) return;
    f->seen_crc = (uint32_t)crc32(0, f->live.p, (uInt)f->live.len);
    f->seen_len = f->live.len;
}

/* ---- directories ------------------------------------------------------------------------------- */

bool swap_is_class_file(const char *name) {
    size_t n = strlen(name);
    return n > 6 && !strcmp(name + n - 6, ".class");
}

/* The record of a file in a watched directory; NULL: it is none to watch. */
static SwapFile *watched_file(SwapWatch *w, const char *path, const char *name, int root) {
    size_t n = strlen(name);
    bool plain = w->sources ? n > 5 && !strcmp(name + n - 5, ".java") : swap_is_class_file(name);
    if (!plain && !agent_match_list(w->others, name)) return NULL;
    SwapFile *f = swap_watch_file(w, path, root);
    if (f && !plain && !f->other) f->other = true, w->n_others++;
    return f;
}

static bool note_dir(SwapWatch *w, int wd, const char *path, int root) {
    while (w->dirs.len <= (uint32_t)wd)
        if (!cf_vec_push(&w->dirs, (struct SwapDir){NULL, -1})) return false;
    char *copy = strdup(path);
    if (!copy) return false;
    free(w->dirs.data[wd].path);
    w->dirs.data[wd] = (struct SwapDir){copy, root};
    return true;
}

static bool is_directory(const char *path, const struct dirent *e) {
    struct stat st;
    if (e->d_type != DT_UNKNOWN) return e->d_type == DT_DIR;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Watches and reads a tree. `news`: its files were written; otherwise they are the start. False: no such directory. */
static bool add_tree(SwapWatch *w, const char *dir, int root, bool news) {
    int wd = inotify_add_watch(w->fd, dir, SWAP_EVENTS);
    if (wd < 0 && errno == ENOSPC)
        agent_log(w->agent, AGENT_ERROR, "%s is not watched: fs.inotify.max_user_watches is used up", dir);
    DIR *d = wd < 0 || !note_dir(w, wd, dir, root) ? NULL : opendir(dir);
    if (!d) return false;
    for (struct dirent *e; (e = readdir(d));) {
        char path[PATH_MAX];
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
            snprintf(path, sizeof path, "%s/%s", dir, e->d_name) >= (int)sizeof path)
            continue;
        if (is_directory(path, e)) {
            add_tree(w, path, root, news);
        } else {
            SwapFile *f = watched_file(w, path, e->d_name, root);
            if (f && news) swap_watch_dirty(w, f);
            else if (f && !w->sources && !f->other) first_sight(f);
        }
    }
    closedir(d);
    return true;
}

static bool add_root(SwapWatch *w, int r, bool news) {
    SwapRoot *root = &w->roots.data[r];
    char *real = realpath(root->path, NULL);
    if (!real) return false;
    free(root->path);
    root->path = real;
    root->there = root->jar ? swap_jar_scan(w, r, news) : add_tree(w, real, r, news);
    if (root->there) w->missing--;
    return root->there;
}

static char *absolute(const char *p, size_t len) {
    char *text = NULL, *cwd = *p == '/' ? NULL : getcwd(NULL, 0);
    if (asprintf(&text, "%s%s%.*s", cwd ? cwd : "", cwd ? "/" : "", (int)len, p) < 0) text = NULL;
    free(cwd);
    return text;
}

static bool is_root(const SwapWatch *w, const char *path) {
    char *real = realpath(path, NULL);
    bool known = false;
    for (uint32_t i = 0; i < w->roots.len; i++)
        known |= !strcmp(w->roots.data[i].path, path) || (real && !strcmp(w->roots.data[i].path, real));
    free(real);
    return known;
}

/* Takes the path. `named`: who cannot be watched is told. */
static void open_root(SwapWatch *w, char *path, bool named, bool news) {
    struct stat st;
    bool exists = path && stat(path, &st) == 0;
    bool jar = path && !w->sources && swap_is_jar(path) && (!exists || S_ISREG(st.st_mode));
    AgentLevel level = named ? AGENT_ERROR : AGENT_DEBUG;
    if (path && is_root(w, path)) return free(path);
    if (!path || (exists && !S_ISDIR(st.st_mode) && !jar) || (jar && !named) ||
        !cf_vec_push(&w->roots, (SwapRoot){.path = path, .jar = jar})) {
        agent_log(w->agent, level, "%s is not watched: no directory%s", path ? path : "?", jar ? "; name jars by watch=" : "");
        return free(path);
    }
    w->missing++;
    if (!add_root(w, (int)w->roots.len - 1, news))
        agent_log(w->agent, named ? AGENT_INFO : AGENT_DEBUG, "%s is not there yet; waiting for it",
                  w->roots.data[w->roots.len - 1].path);
}

bool swap_watch_open(SwapWatch *w, const Agent *agent, const char *list, bool named) {
    w->agent = agent;
    w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (w->fd < 0) return agent_refuse(agent, "no inotify: %m");
    size_t len;
    for (const char *p; (p = agent_list_next(&list, &len));) open_root(w, absolute(p, len), named, false);
    return true;
}

void swap_watch_close(SwapWatch *w) {
    SwapFile *f;
    for (uint32_t it = 0; (f = cf_table_next(&w->files, &it));) {
        swap_watch_want(f, (SwapBytes){0}, NULL);
        free(f->live.p);
        free(f->name);
        free(f->path);
        free(f);
    }
    for (uint32_t i = 0; i < w->roots.len; i++) free(w->roots.data[i].path);
    for (uint32_t i = 0; i < w->dirs.len; i++) free(w->dirs.data[i].path);
    cf_table_free(&w->files);
    cf_vec_free(&w->roots);
    cf_vec_free(&w->dirs);
    if (w->fd >= 0) close(w->fd);
    *w = (SwapWatch){.sources = w->sources, .fd = -1};
}

bool swap_watch_add(SwapWatch *w, const char *path, bool news) {
    uint32_t before = w->roots.len;
    open_root(w, absolute(path, strlen(path)), false, news);
    return w->roots.len > before;
}

bool swap_watch_missing(SwapWatch *w) {
    uint32_t before = w->dirty;
    for (uint32_t r = 0; w->missing && r < w->roots.len; r++)
        if (!w->roots.data[r].there) add_root(w, (int)r, true);
    return w->dirty > before;
}

/* ---- events ------------------------------------------------------------------------------------ */

static void lost(SwapWatch *w, struct SwapDir *dir) {
    SwapRoot *root = dir->root >= 0 ? &w->roots.data[dir->root] : NULL;
    if (root && root->there && !strcmp(root->path, dir->path)) {
        root->there = false;
        w->missing++;
    }
    free(dir->path);
    *dir = (struct SwapDir){NULL, -1};
}

/* Watches go along with what is renamed: of a root they are taken off, so that what comes to its place is looked for. */
static void moved(SwapWatch *w, const struct SwapDir *dir) {
    int root = dir->root;
    if (root < 0 || strcmp(w->roots.data[root].path, dir->path) != 0) return;
    for (uint32_t wd = 0; wd < w->dirs.len; wd++) {
        struct SwapDir *d = &w->dirs.data[wd];
        if (!d->path || d->root != root) continue;
        inotify_rm_watch(w->fd, (int)wd);
        lost(w, d);
    }
}

static bool one_event(SwapWatch *w, const struct inotify_event *e) {
    uint32_t before = w->dirty;
    if (e->mask & IN_Q_OVERFLOW) {
        agent_log(w->agent, AGENT_INFO, "too many changes at once: all directories are read again");
        for (uint32_t r = 0; r < w->roots.len; r++)
            if (w->roots.data[r].there) add_tree(w, w->roots.data[r].path, (int)r, true);
        return w->dirty > before;
    }
    if (e->len && swap_jar_event(w, e->wd, e->name)) return true;
    struct SwapDir *dir = e->wd >= 0 && (uint32_t)e->wd < w->dirs.len ? &w->dirs.data[e->wd] : NULL;
    if (!dir || !dir->path) return false;
    if (e->mask & IN_IGNORED) return lost(w, dir), false;
    if (e->mask & IN_MOVE_SELF) return moved(w, dir), false;
    char path[PATH_MAX];
    if (!e->len || snprintf(path, sizeof path, "%s/%s", dir->path, e->name) >= (int)sizeof path) return false;
    if (e->mask & IN_ISDIR) {
        add_tree(w, path, dir->root, true);
        return w->dirty > before;
    }
    SwapFile *f = watched_file(w, path, e->name, dir->root);
    if (f) swap_watch_dirty(w, f);
    return f != NULL;
}

bool swap_watch_read(SwapWatch *w) {
    _Alignas(struct inotify_event) char buf[16384];
    bool news = false;
    for (ssize_t n; (n = read(w->fd, buf, sizeof buf)) > 0;)
        for (char *p = buf; p < buf + n;) {
            const struct inotify_event *e = (const struct inotify_event *)p;
            news |= one_event(w, e);
            p += sizeof *e + e->len;
        }
    return news;
}
