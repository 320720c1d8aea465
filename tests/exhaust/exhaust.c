/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exhaust - the Nth request for memory, a mapping, a thread or a descriptor that our code makes fails, or all from there on.
 *
 * It is preloaded and looks at who calls.  The other way, wrapping at link time, would need a second libjvm.so, and what is
 * tested must be the one that is shipped: release and debug, with the copy of classfile that lies inside, and agents with
 * theirs.  What the C library asks for on behalf of its own functions (strdup, open_memstream, fopen ...) does not come by
 * here with our caller, so those functions fail as a whole.
 *
 *   EXHAUST=WORD,WORD...     on=KINDS    m memory, p mappings and protections, t threads, f descriptors (default mpt)
 *                            nth=N       which one fails; 0: none, they are only counted
 *                            all         and all after it
 *                            wait        count only between arm() and disarm()
 *                            libs=A+B    parts of names of the libraries whose requests count (default libjvm.so+libgraft-+libbci)
 *   EXHAUST_LOG=FILE         a Log (exhaust.h), true also after a kill
 *
 * The methods of class exhaust.Exhaust count from a point in the program on, for all threads or for the one that calls.
 */
#include "exhaust.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

enum { MEMORY = 1, MAPPING = 2, THREAD = 4, DESCRIPTOR = 8 };

static _Thread_local bool own __attribute__((tls_model("initial-exec"))); /* this thread is the one to count */
static Log unlogged, *tally = &unlogged;
static _Atomic bool armed;
static bool and_all, one_thread;
static unsigned kinds = MEMORY | MAPPING | THREAD;
static uint64_t nth;
static char libs[256] = "libjvm.so+libgraft-+libbci";

/* Is the caller in one of the libraries? */
static bool counts(const void *caller, struct dl_find_object *o) {
    if (_dl_find_object((void *)caller, o) || !o->dlfo_link_map || !o->dlfo_link_map->l_name) return false;
    const char *slash = strrchr(o->dlfo_link_map->l_name, '/'), *name = slash ? slash + 1 : o->dlfo_link_map->l_name;
    for (const char *p = libs; *p;) {
        size_t n = strcspn(p, "+");
        if (n && memmem(name, strlen(name), p, n)) return true;
        p += n + (p[n] == '+');
    }
    return false;
}

static bool fails(unsigned kind, const void *caller) {
    struct dl_find_object o;
    if (!atomic_load_explicit(&armed, memory_order_acquire) || !(kinds & kind) || (one_thread && !own) || !counts(caller, &o))
        return false;
    uint64_t n = atomic_fetch_add(&tally->counted, 1) + 1;
    if (!nth || (and_all ? n < nth : n != nth)) return false;
    uint64_t i = atomic_fetch_add(&tally->failed, 1);
    if (i < LOGGED_SITES) {
        const char *slash = strrchr(o.dlfo_link_map->l_name, '/');
        strncpy(tally->site[i].lib, slash ? slash + 1 : o.dlfo_link_map->l_name, sizeof tally->site[i].lib - 1);
        tally->site[i].offset = (uint64_t)((char *)caller - (char *)o.dlfo_link_map->l_addr);
    }
    return true;
}
#define FAILS(kind, error) (fails(kind, __builtin_return_address(0)) && (errno = (error), true))

#define INSTEAD __attribute__((visibility("default")))
#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

INSTEAD void *malloc(size_t n) { return FAILS(MEMORY, ENOMEM) ? NULL : __libc_malloc(n); }
INSTEAD void *calloc(size_t n, size_t m) { return FAILS(MEMORY, ENOMEM) ? NULL : __libc_calloc(n, m); }
INSTEAD void *realloc(void *p, size_t n) { return FAILS(MEMORY, ENOMEM) ? NULL : __libc_realloc(p, n); }
INSTEAD void *aligned_alloc(size_t a, size_t n) { return FAILS(MEMORY, ENOMEM) ? NULL : __libc_memalign(a, n); }
INSTEAD int posix_memalign(void **p, size_t a, size_t n) {
    if (FAILS(MEMORY, ENOMEM)) return ENOMEM;
    *p = __libc_memalign(a, n);
    return *p ? 0 : ENOMEM;
}
INSTEAD char *strndup(const char *s, size_t n) {
    size_t len = strnlen(s, n);
    char *p = FAILS(MEMORY, ENOMEM) ? NULL : __libc_malloc(len + 1);
    if (p) memcpy(p, s, len), p[len] = 0;
    return p;
}
INSTEAD char *strdup(const char *s) {
    size_t size = strlen(s) + 1;
    char *p = FAILS(MEMORY, ENOMEM) ? NULL : __libc_malloc(size);
    return p ? memcpy(p, s, size) : NULL;
}
INSTEAD int vasprintf(char **p, const char *format, va_list args) {
    REAL(vasprintf);
    *p = (char *)1; /* undefined after a failure: whoever frees it shall notice */
    return FAILS(MEMORY, ENOMEM) ? -1 : real(p, format, args);
}
INSTEAD int asprintf(char **p, const char *format, ...) {
    REAL(vasprintf);
    *p = (char *)1;
    if (FAILS(MEMORY, ENOMEM)) return -1;
    va_list args;
    va_start(args, format);
    int n = real(p, format, args);
    va_end(args);
    return n;
}
INSTEAD FILE *open_memstream(char **p, size_t *n) {
    REAL(open_memstream);
    return FAILS(MEMORY, ENOMEM) ? NULL : real(p, n);
}
INSTEAD char *realpath(const char *path, char *resolved) {
    REAL(realpath);
    return !resolved && FAILS(MEMORY, ENOMEM) ? NULL : real(path, resolved);
}
INSTEAD int pthread_key_create(pthread_key_t *key, void (*destroy)(void *)) {
    REAL(pthread_key_create);
    return FAILS(MEMORY, ENOMEM) ? ENOMEM : real(key, destroy);
}

INSTEAD void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset) {
    REAL(mmap);
    return FAILS(MAPPING, ENOMEM) ? MAP_FAILED : real(at, n, protection, flags, fd, offset);
}
INSTEAD int mprotect(void *at, size_t n, int protection) {
    REAL(mprotect);
    return protection != PROT_NONE && FAILS(MAPPING, ENOMEM) ? -1 : real(at, n, protection);
}
INSTEAD int pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*main)(void *), void *arg) {
    REAL(pthread_create);
    return FAILS(THREAD, EAGAIN) ? EAGAIN : real(id, attr, main, arg);
}

INSTEAD int open(const char *path, int flags, ...) {
    REAL(open);
    va_list args;
    va_start(args, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, int) : 0;
    va_end(args);
    return FAILS(DESCRIPTOR, EMFILE) ? -1 : real(path, flags, mode);
}
INSTEAD FILE *fopen(const char *path, const char *mode) {
    REAL(fopen);
    return FAILS(DESCRIPTOR, EMFILE) ? NULL : real(path, mode);
}
INSTEAD FILE *fdopen(int fd, const char *mode) {
    REAL(fdopen);
    return FAILS(MEMORY, ENOMEM) ? NULL : real(fd, mode);
}
INSTEAD DIR *opendir(const char *path) {
    REAL(opendir);
    return FAILS(DESCRIPTOR, EMFILE) ? NULL : real(path);
}
INSTEAD int socket(int domain, int type, int protocol) {
    REAL(socket);
    return FAILS(DESCRIPTOR, EMFILE) ? -1 : real(domain, type, protocol);
}
INSTEAD int accept(int fd, struct sockaddr *a, socklen_t *n) {
    REAL(accept);
    return FAILS(DESCRIPTOR, EMFILE) ? -1 : real(fd, a, n);
}
INSTEAD int accept4(int fd, struct sockaddr *a, socklen_t *n, int flags) {
    REAL(accept4);
    return FAILS(DESCRIPTOR, EMFILE) ? -1 : real(fd, a, n, flags);
}

static unsigned kinds_of(const char *letters) {
    unsigned set = 0;
    for (const char *all = "mptf", *p = letters; *p && *p != ','; p++)
        if (strchr(all, *p)) set |= 1u << (strchr(all, *p) - all);
    return set;
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("EXHAUST_LOG"), *words = getenv("EXHAUST");
    int fd = path ? open(path, O_RDWR | O_CREAT, 0666) : -1;
    if (fd >= 0 && ftruncate(fd, sizeof(Log)) == 0) {
        void *p = mmap(NULL, sizeof(Log), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (p != MAP_FAILED) tally = p;
    }
    if (fd >= 0) close(fd);
    bool waits = false;
    for (const char *w = words; w && *w; w = strchr(w, ',') ? strchr(w, ',') + 1 : NULL) {
        if (strncmp(w, "on=", 3) == 0) kinds = kinds_of(w + 3);
        else if (strncmp(w, "nth=", 4) == 0) nth = strtoull(w + 4, NULL, 10);
        else if (strncmp(w, "libs=", 5) == 0) snprintf(libs, sizeof libs, "%.*s", (int)strcspn(w + 5, ","), w + 5);
        else if (strncmp(w, "all", 3) == 0) and_all = true;
        else if (strncmp(w, "wait", 4) == 0) waits = true;
    }
    if (words && !waits) atomic_store(&armed, true);
}

/* --- class exhaust.Exhaust --- */

JNIEXPORT void JNICALL Java_exhaust_Exhaust_arm(JNIEnv *env, jclass me, jlong n, jboolean all, jboolean this_thread) {
    nth = (uint64_t)n, and_all = all, one_thread = this_thread;
    own = true;
    atomic_store(&tally->counted, 0);
    atomic_store(&tally->failed, 0);
    atomic_store_explicit(&armed, true, memory_order_release);
}
/* How many have failed. */
JNIEXPORT jint JNICALL Java_exhaust_Exhaust_disarm(JNIEnv *env, jclass me) {
    atomic_store(&armed, false);
    own = false;
    return (jint)atomic_load(&tally->failed);
}
JNIEXPORT jlong JNICALL Java_exhaust_Exhaust_counted(JNIEnv *env, jclass me) { return (jlong)atomic_load(&tally->counted); }
/* The place that did not get what it asked for, as LIBRARY+OFFSET. */
JNIEXPORT jstring JNICALL Java_exhaust_Exhaust_site(JNIEnv *env, jclass me, jint i) {
    char text[64] = "?";
    if (i >= 0 && i < LOGGED_SITES && tally->site[i].lib[0])
        snprintf(text, sizeof text, "%s+0x%lx", tally->site[i].lib, (long)tally->site[i].offset);
    return (*env)->NewStringUTF(env, text);
}
