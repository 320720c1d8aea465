/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference hashes the mirror of each class that it verifies, once, so each takes a number of the thread's sequence (thread/identity.c). Classes of its
 * archive were verified when that was made: boot classes with a line in lib/classlist, which is read when the first boot class is linked behind start-up.
 * A line of `@lambda-proxy` names a class, and the class of one of its lambdas: the method that this has, and that it calls.  No file: no class is archived.
 * What the reference loaded beside while it verified those (ToLongFunction for Collectors) the file does not tell: such a class takes a number too many here.
 */
#include "link/archived.h"
#include "core/vm.h"
#include "load/loader.h"
#include "object/version.h"
#include "thread/thread_upcall.h"
#include "thread/identity.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PLACES = 1 << 12, MOST_NAMES = PLACES / 2 }; /* the file of JDK 17 has 1,200 */

static const char *text; /* the file, mapped */
static u4 text_len, n_names;
static u4 names[PLACES]; /* by hash: where in the text, times 2, plus 1 if it has lambdas; 0: free */

static u4 hash_of(const char *name, size_t n) {
    u4 h = 2166136261u;
    while (n--) h = (h ^ (u1)*name++) * 16777619u;
    return h ^ h >> 13;
}
static u4 place_of(const char *name, size_t n) { return hash_of(name, n) % PLACES; }

static size_t name_length(const char *p) {
    size_t n = 0;
    while (p + n < text + text_len && p[n] != '\n' && p[n] != ' ') n++;
    return n;
}

static void map_text(void) {
    char path[4096];
    struct stat s;
    snprintf(path, sizeof path, "%s/classlist", vm.boot_library_path);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    void *p = fstat(fd, &s) == 0 && s.st_size > 0 && s.st_size < 1 << 24
                  ? mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                  : MAP_FAILED;
    close(fd);
    if (p == MAP_FAILED) return;
    text = p;
    text_len = (u4)s.st_size;
}

static void add_name(const char *p, size_t n, bool lambda) {
    u4 i = place_of(p, n);
    while (names[i]) i = (i + 1) % PLACES;
    names[i] = (u4)(p - text) * 2 + lambda;
    n_names++;
}

static void read_names(void) {
    static const char lambdas[] = "@lambda-proxy ";
    map_text();
    for (const char *p = text, *end = text + text_len, *next; p < end && n_names < MOST_NAMES; p = next) {
        next = memchr(p, '\n', (size_t)(end - p));
        next = next ? next + 1 : end;
        bool lambda = (size_t)(next - p) > sizeof lambdas && memcmp(p, lambdas, sizeof lambdas - 1) == 0;
        if (lambda) p += sizeof lambdas - 1;
        size_t n = *p == '#' || *p == '@' ? 0 : name_length(p);
        if (n) add_name(p, n, lambda);
    }
}

/* " name TYPE ... class name type ..." */
static bool tells_of(const char *line, const Class *lambda) {
    const CfClass *cf = lambda->version->cf;
    const char *end = memchr(line, '\n', (size_t)(text + text_len - line));
    size_t len = (size_t)((end ? end : text + text_len) - line);
    CfStr owner, name, desc;
    char word[1024];
    bool has = false, calls = false;
    for (u4 i = 0; i < cf->method_count && !has; i++) {
        name = cf_utf8(cf, cf->methods[i].name);
        int n = snprintf(word, sizeof word, " %.*s ", (int)name.len, name.p);
        has = len > (size_t)n && memcmp(line, word, (size_t)n) == 0;
    }
    for (unsigned i = 1; has && !calls && i < cf->const_count; i++) {
        if (!cf_member_ref(cf, i, &owner, &name, &desc)) continue;
        int n = snprintf(word, sizeof word, " %.*s %.*s %.*s ", (int)owner.len, owner.p, (int)name.len, name.p, (int)desc.len,
                         desc.p);
        calls = n < (int)sizeof word && memmem(line, len, word, (size_t)n);
    }
    return calls;
}

/* A line of that name; if there is a lambda, one that tells of it. */
static bool has_line(const char *name, size_t len, const Class *lambda) {
    for (u4 i = place_of(name, len); names[i]; i = (i + 1) % PLACES) {
        const char *p = text + names[i] / 2;
        if (names[i] % 2 != (lambda != NULL) || name_length(p) != len || memcmp(p, name, len) != 0) continue;
        if (!lambda || tells_of(p + len, lambda)) return true;
    }
    return false;
}

static bool is_archived(const Class *c) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    while (class_is_array(c)) c = c->component;
    if (!c->loader->is_boot) return false;
    pthread_once(&once, read_names);
    const char *name = c->name->bytes, *lambda = c->flags & CF_HIDDEN ? strstr(name, "$$Lambda$") : NULL;
    if (c->flags & CF_HIDDEN) return lambda && has_line(name, (size_t)(lambda - name), c);
    return c->flags & CF_PRIMITIVE || has_line(name, c->name->len, NULL);
}

/* The numbers of the archive itself are those of the process that made it; any will do that do not change. */
int32_t upcall_archived_hash(const Object *o) {
    const Class *c = obj_class(o)->flags & CF_MIRROR ? mirror_class(o) : NULL;
    if (!c || !is_archived(c)) return 0;
    return (int32_t)(hash_of(c->name->bytes, c->name->len) & INT32_MAX) | 1;
}

void archived_hash_mirror(Thread *t, const Class *c) {
    if (vm.booted && c->mirror && !is_archived(c)) object_hash(t, c->mirror);
}
