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
 * Entries are directories or jars.  Jars are read by the JDK's own libzip.so, loaded when the
 * first one appears: most programs have none, and the general-purpose libzip brings a
 * cryptographic library into every process.  A jar stays open; ZIP_* lock for themselves.  The
 * list only grows at its end, with a release store, so that readers need no lock.
 */
#include "core/launch.h"
#include "core/vm.h"
#include "load/jimage.h"
#include "load/load_int.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef struct PathEntry {
    _Atomic(struct PathEntry *) next;
    Symbol *path;
    void *zip; /* NULL: directory */
} PathEntry;

typedef struct Patch {
    struct Patch *next;
    Symbol *module;
    _Atomic(PathEntry *) entries;
} Patch;

static _Atomic(PathEntry *) append_list;
static Patch *patches;
static VmLock list_mutex = VM_LOCK(CLASS_PATH);

/* ---- the JDK's libzip ---- */

static struct ZipLibrary {
    void *(*open)(const char *name, char **message);
    void *(*find)(void *zip, const char *name, int *size, int *name_length);
    unsigned char (*read)(void *zip, void *entry, unsigned char *to, char *name); /* frees the entry */
    bool there;
} libzip;

static void load_libzip(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s/libzip.so", vm.boot_library_path);
    void *lib = dlopen(path, RTLD_LAZY);
    if (!lib) return;
    libzip.open = (void *(*)(const char *, char **))dlsym(lib, "ZIP_Open");
    libzip.find = (void *(*)(void *, const char *, int *, int *))dlsym(lib, "ZIP_FindEntry");
    libzip.read = (unsigned char (*)(void *, void *, unsigned char *, char *))dlsym(lib, "ZIP_ReadEntry");
    libzip.there = libzip.open && libzip.find && libzip.read;
}

static void *jar_open(const char *path) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char *message = NULL;
    pthread_once(&once, load_libzip);
    return libzip.there ? libzip.open(path, &message) : NULL;
}

static PathEntry *entry_open(const char *path) {
    struct stat st;
    PathEntry *e;
    void *zip = NULL;

    if (stat(path, &st) != 0) return NULL;
    if (!S_ISDIR(st.st_mode) && !(zip = jar_open(path))) return NULL;
    if (!(e = calloc(1, sizeof *e))) return NULL;
    e->path = symbol_of(path);
    e->zip = zip;
    return e;
}

static void list_append(_Atomic(PathEntry *) *head, PathEntry *e) {
    HOLDING(&list_mutex);
    while (atomic_load(head)) head = &atomic_load(head)->next;
    atomic_store_explicit(head, e, memory_order_release);
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
    int size = 0, name_length = 0;
    void *entry = libzip.find(e->zip, path, &size, &name_length);
    if (!entry) return false;
    char *name = malloc((size_t)name_length + 1);
    u1 *bytes = malloc(size ? (size_t)size : 1);
    bool ok = name && bytes && libzip.read(e->zip, entry, bytes, name);
    free(name);
    if (!ok) return free(bytes), false;
    out->bytes = bytes;
    out->len = (size_t)size;
    out->owned = true;
    return true;
}

static bool read_file(PathEntry *e, const char *path, ClassBytes *out) {
    size_t n = e->path->len + strlen(path) + 2;
    char *full = malloc(n);
    struct stat st;
    u1 *bytes = NULL;
    bool ok = false;

    if (!full) return false;
    snprintf(full, n, "%s/%s", e->path->bytes, path);
    FILE *f = fopen(full, "rbe");
    free(full);
    if (!f) return false;
    if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) && (bytes = malloc((size_t)st.st_size + 1)))
        ok = fread(bytes, 1, (size_t)st.st_size, f) == (size_t)st.st_size;
    fclose(f);
    if (!ok) return free(bytes), false;
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
