/* SPDX-License-Identifier: Apache-2.0 */
/* cov_source.c - source and class files in folders and archives. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent.h"
#include "agent_zip.h"
#include "cov_report.h"

enum { MAX_PATHS = 64, MAX_FILE = 64 << 20 };

typedef struct Place {
    char *path;
    AgentZip *zip; /* NULL: a folder */
} Place;

struct CovSources {
    Place places[MAX_PATHS];
    unsigned count;
};

static bool is_folder(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A folder of modules (java.base/module-info.java ...) stands for the folders in it. */
static void add_modules(CovSources *s, const char *path) {
    DIR *d = opendir(path);
    char *sub = NULL, *info = NULL;
    for (struct dirent *e; d && s->count < MAX_PATHS && (e = readdir(d));) {
        if (e->d_name[0] == '.' || asprintf(&sub, "%s/%s", path, e->d_name) < 0) continue;
        if (asprintf(&info, "%s/module-info.java", sub) >= 0) {
            if (access(info, R_OK) == 0 && is_folder(sub)) {
                s->places[s->count++].path = sub;
                sub = NULL;
            }
            free(info);
        }
        free(sub);
    }
    if (d) closedir(d);
}

/* "source: PATH is no folder and no archive", or why it cannot be read. */
static void complain(const char *what, const char *path, void (*problem)(void *, const char *), void *ctx) {
    char msg[4200];
    bool there = access(path, R_OK) == 0;
    snprintf(msg, sizeof msg, "%s: %s%s%s", what, path, there ? " is no folder and no archive" : ": ",
             there ? "" : strerror(errno));
    problem(ctx, msg);
}

CovSources *cov_sources_open(const char *list, void (*problem)(void *, const char *), void *ctx) {
    CovSources *s = calloc(1, sizeof *s);
    size_t len;
    for (const char *p; s && s->count < MAX_PATHS && (p = agent_list_next(&list, &len));) {
        Place *place = &s->places[s->count];
        place->path = strndup(p, len);
        if (place->path && !is_folder(place->path)) place->zip = agent_zip_open(place->path);
        if (!place->path || (!place->zip && !is_folder(place->path))) {
            if (place->path) complain("source", place->path, problem, ctx);
            free(place->path);
            continue;
        }
        s->count++;
        if (!place->zip) add_modules(s, place->path);
    }
    return s;
}

void cov_sources_close(CovSources *s) {
    for (unsigned i = 0; s && i < s->count; i++) {
        agent_zip_close(s->places[i].zip);
        free(s->places[i].path);
    }
    free(s);
}

/* Entry `name`, or `<one folder>/name` as in the JDK's src.zip. */
static int64_t find_entry(AgentZip *z, const char *name) {
    int64_t i = agent_zip_find(z, name);
    size_t want = strlen(name);
    for (uint32_t k = 0; i < 0 && k < agent_zip_count(z); k++) {
        const char *slash = strchr(agent_zip_entry(z, k).name, '/');
        if (slash && strlen(slash + 1) == want && !strcmp(slash + 1, name)) i = k;
    }
    return i;
}

/* The path of package/name in a folder; false if it is not there. */
static bool folder_path(const Place *p, const char *package, const char *name, char *buf, size_t n) {
    struct stat st;
    snprintf(buf, n, "%s/%s%s%s", p->path, package, *package ? "/" : "", name);
    return stat(buf, &st) == 0 && S_ISREG(st.st_mode);
}

char *cov_sources_read(CovSources *s, const char *package, const char *name, size_t *len) {
    char path[4096], *text = NULL;
    for (unsigned i = 0; s && !text && i < s->count; i++) {
        Place *p = &s->places[i];
        if (!p->zip) {
            if (folder_path(p, package, name, path, sizeof path)) text = agent_read_file(path, MAX_FILE, NULL, len);
            continue;
        }
        snprintf(path, sizeof path, "%s%s%s", package, *package ? "/" : "", name);
        int64_t k = find_entry(p->zip, path);
        if (k >= 0) text = agent_zip_read(p->zip, (uint32_t)k, MAX_FILE, len);
    }
    return text;
}

const char *cov_sources_path(CovSources *s, const char *package, const char *name, char *buf, size_t n) {
    for (unsigned i = 0; s && i < s->count; i++)
        if (!s->places[i].zip && folder_path(&s->places[i], package, name, buf, n)) return buf;
    snprintf(buf, n, "%s%s%s", package, *package ? "/" : "", name);
    return buf;
}

/* ---- classes that were never loaded ------------------------------------------------------------ */

typedef struct Adder {
    CovData *data;
    CfArena arena;
    bool ok;
    unsigned unread; /* class files of the path at hand that cannot be read, or are none */
    char first[256]; /* one of them */
} Adder;

static void note_unread(Adder *a, const char *name) {
    if (!a->unread++) snprintf(a->first, sizeof a->first, "%.*s", (int)sizeof a->first - 1, name);
}

static int find_name(const void *key, const void *item) { return strcmp(key, ((const CovDataClass *)item)->name); }

static void add_one(Adder *a, const char *file, const uint8_t *bytes, size_t len, uint32_t known) {
    CfClass *c;
    char name[4096];
    CfParseOptions any = {.any_version = true};
    cf_arena_reset(&a->arena);
    if (cf_parse(&c, bytes, len, &a->arena, &any, NULL) != CF_OK) return note_unread(a, file);
    if (cov_filter_class(c)) return;
    snprintf(name, sizeof name, "%.*s", CF_STR_ARGS(c->name));
    if (known && bsearch(name, a->data->classes, known, sizeof *a->data->classes, find_name)) return;
    CovMethods it = {.cls = c, .arena = &a->arena};
    while (cov_methods_next(&it)) {}
    if (it.total && !cov_data_add_class(a->data, name, bytes, len, it.total)) a->ok = false;
}

static bool class_name(const char *n) {
    size_t len = strlen(n);
    return len > 6 && !strcmp(n + len - 6, ".class") && !strstr(n, "META-INF/");
}

static void add_folder(Adder *a, const char *path, uint32_t known, int depth) {
    DIR *d = depth < 64 ? opendir(path) : NULL;
    char sub[4096];
    for (struct dirent *e; d && (e = readdir(d));) {
        if (e->d_name[0] == '.') continue;
        snprintf(sub, sizeof sub, "%s/%s", path, e->d_name);
        size_t len;
        if (is_folder(sub)) {
            add_folder(a, sub, known, depth + 1);
        } else if (class_name(e->d_name)) {
            char *bytes = agent_read_file(sub, MAX_FILE, NULL, &len);
            if (bytes) add_one(a, sub, (const uint8_t *)bytes, len, known);
            else note_unread(a, sub);
            free(bytes);
        }
    }
    if (d) closedir(d);
    else if (depth < 64) note_unread(a, path);
}

static void add_archive(Adder *a, AgentZip *z, uint32_t known) {
    for (uint32_t k = 0; k < agent_zip_count(z); k++) {
        size_t len;
        const char *name = agent_zip_entry(z, k).name;
        if (!class_name(name)) continue;
        char *bytes = agent_zip_read(z, k, MAX_FILE, &len);
        if (bytes) add_one(a, name, (const uint8_t *)bytes, len, known);
        else note_unread(a, name);
        free(bytes);
    }
}

bool cov_add_classes(CovData *data, const char *list, void (*problem)(void *, const char *), void *ctx) {
    Adder a = {.data = data, .ok = true};
    cf_arena_init(&a.arena, "class path", 1 << 16);
    cov_data_sort(data);
    size_t len;
    for (const char *p; (p = agent_list_next(&list, &len));) {
        char *path = strndup(p, len), msg[4600];
        /* known grows per path: the first of two equal names wins, as on a class path */
        uint32_t known = data->nclasses;
        AgentZip *z = path && !is_folder(path) ? agent_zip_open(path) : NULL;
        if (z) {
            add_archive(&a, z, known);
            agent_zip_close(z);
        } else if (path && is_folder(path)) {
            add_folder(&a, path, known, 0);
        } else {
            complain("classes", path ? path : "?", problem, ctx);
            a.ok = false;
        }
        if (a.unread) {
            snprintf(msg, sizeof msg, "classes: %s: %u class files cannot be read, %s for one", path, a.unread, a.first);
            problem(ctx, msg);
            a.ok = false;
            a.unread = 0;
        }
        cov_data_sort(data);
        free(path);
    }
    cf_arena_free(&a.arena);
    return a.ok;
}
