/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the boot loader finds bytes.  Order for a class in package P:
 *
 *   1. --patch-module contents of P's module,
 *   2. lib/modules: module java.base until the module graph exists, then the
 *      module that owns P for the boot loader,
 *   3. the append path (-Xbootclasspath/a, agents), only if no named module
 *      owns P.
 *
 * Entries are directories or jars (libzip).  A jar stays open; libzip handles
 * are not thread-safe, so reads take the entry's lock.  The list only grows at
 * its end, with a release store, so that readers need no lock.
 */
#include "core/launch.h"
#include "core/vm.h"
#include "load/jimage.h"
#include "load/load_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <zip.h>

typedef struct PathEntry {
    _Atomic(struct PathEntry *) next;
    Symbol *path;
    zip_t *zip;               /* NULL: directory */
    pthread_mutex_t lock;     /* of zip */
} PathEntry;

typedef struct Patch {
    struct Patch *next;
    Symbol *module;
    _Atomic(PathEntry *) entries;
} Patch;

static _Atomic(PathEntry *) append_list;
static Patch *patches;
static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;

static PathEntry *entry_open(const char *path) {
    struct stat st;
    PathEntry *e;
    zip_t *zip = NULL;
    int err;

    if (stat(path, &st) != 0) return NULL;
    if (!S_ISDIR(st.st_mode) && !(zip = zip_open(path, ZIP_RDONLY, &err))) return NULL;
    if (!(e = calloc(1, sizeof *e))) return NULL;
    e->path = symbol_of(path);
    e->zip = zip;
    pthread_mutex_init(&e->lock, NULL);
    return e;
}

static void list_append(_Atomic(PathEntry *) *head, PathEntry *e) {
    pthread_mutex_lock(&list_mutex);
    while (atomic_load(head)) head = &atomic_load(head)->next;
    atomic_store_explicit(head, e, memory_order_release);
    pthread_mutex_unlock(&list_mutex);
}

bool boot_append_path(const char *path) {
    PathEntry *e = entry_open(path);
    if (!e) return false;
    list_append(&append_list, e);
    return true;
}

static void append_all(_Atomic(PathEntry *) *head, const char *paths) {
    char *copy = strdup(paths ? paths : ""), *save = NULL;
    for (char *p = copy ? strtok_r(copy, ":", &save) : NULL; p; p = strtok_r(NULL, ":", &save)) {
        PathEntry *e = entry_open(p); /* missing entries are ignored, as java does */
        if (e) list_append(head, e);
    }
    free(copy);
}

static void boot_patch_module(const char *module, const char *paths) {
    Patch *p = calloc(1, sizeof *p);
    if (!p) return;
    p->module = symbol_of(module);
    append_all(&p->entries, paths);
    p->next = patches;
    patches = p;
}

/* jdk.module.patch.N = module=path:path, made from --patch-module */
static void take_patches(void) {
    char key[40];
    const char *value;

    for (int n = 0; snprintf(key, sizeof key, "jdk.module.patch.%d", n), (value = property_get(key)); n++) {
        const char *eq = strchr(value, '=');
        char *module = eq ? strndup(value, (size_t)(eq - value)) : NULL;
        if (module) boot_patch_module(module, eq + 1);
        free(module);
    }
}

void classpath_init(void) {
    append_all(&append_list, vm.boot_append);
    take_patches();
}

/* --- reading --- */

static bool read_zip(PathEntry *e, const char *path, ClassBytes *out) {
    zip_stat_t st;
    zip_file_t *f = NULL;
    u1 *bytes = NULL;
    bool ok = false;

    pthread_mutex_lock(&e->lock);
    if (zip_stat(e->zip, path, 0, &st) == 0 && (st.valid & ZIP_STAT_SIZE) && st.size < (1u << 30) &&
        (bytes = malloc(st.size ? st.size : 1)) && (f = zip_fopen(e->zip, path, 0)))
        ok = zip_fread(f, bytes, st.size) == (zip_int64_t)st.size;
    if (f) zip_fclose(f);
    pthread_mutex_unlock(&e->lock);
    if (!ok) {
        free(bytes);
        return false;
    }
    out->bytes = bytes;
    out->len = st.size;
    out->owned = true;
    return true;
}

static bool read_file(PathEntry *e, const char *path, ClassBytes *out) {
    size_t n = e->path->len + strlen(path) + 2;
    char *full = malloc(n);
    FILE *f;
    struct stat st;
    u1 *bytes = NULL;
    bool ok = false;

    if (!full) return false;
    snprintf(full, n, "%s/%s", e->path->bytes, path);
    f = fopen(full, "rbe");
    free(full);
    if (!f) return false;
    if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) && (bytes = malloc((size_t)st.st_size + 1)))
        ok = fread(bytes, 1, (size_t)st.st_size, f) == (size_t)st.st_size;
    fclose(f);
    if (!ok) {
        free(bytes);
        return false;
    }
    out->bytes = bytes;
    out->len = (size_t)st.st_size;
    out->owned = true;
    return true;
}

static bool search(_Atomic(PathEntry *) *head, const char *path, ClassBytes *out) {
    for (PathEntry *e = atomic_load_explicit(head, memory_order_acquire); e;
         e = atomic_load_explicit(&e->next, memory_order_acquire)) {
        if (!(e->zip ? read_zip(e, path, out) : read_file(e, path, out))) continue;
        out->source = e->path->bytes;
        out->location = e->path;
        return true;
    }
    return false;
}

static bool search_patches(const char *module, const char *path, ClassBytes *out) {
    for (Patch *p = patches; p; p = p->next)
        if (symbol_eq(p->module, module)) return search(&p->entries, path, out);
    return false;
}

/* "jrt:/java.base", once per module. */
static Symbol *jrt_location(const char *module) {
    static Symbol *base;
    char buf[300];

    if (base && strcmp(module, "java.base") == 0) return base;
    snprintf(buf, sizeof buf, "jrt:/%s", module);
    if (strcmp(module, "java.base") == 0) return base = symbol_of(buf);
    return symbol_of(buf);
}

static bool search_image(const char *module, const char *path, ClassBytes *out) {
    out->bytes = jimage_find(module, path, &out->len);
    if (!out->bytes) return false;
    out->owned = false;
    out->location = jrt_location(module);
    out->source = out->location->bytes;
    return true;
}

bool classpath_find(Symbol *name, ClassBytes *out) {
    char small[512], *path = small;
    const char *module;
    Symbol *owner = NULL;
    bool found = false;

    *out = (ClassBytes){0};
    if (name->len + 7u > sizeof small && !(path = malloc(name->len + 7u))) return false;
    memcpy(path, name->bytes, name->len);
    memcpy(path + name->len, ".class", 7);
    if (vm.java_base_only || !java_base_module) module = "java.base";
    else if ((owner = boot_module_of_package(symbol_package(name)))) module = owner->bytes;
    else module = NULL;
    if (module) found = search_patches(module, path, out) || search_image(module, path, out);
    if (!found && !owner && !vm.java_base_only) found = search(&append_list, path, out);
    if (path != small) free(path);
    return found;
}
