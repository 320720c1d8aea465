/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Performance data file, format 2.0 of the jvmstat module.
 *
 *   prologue  u4 magic (big-endian), byte order, major, minor, accessible; s4 used bytes,
 *             s4 overflow; s8 modification time; s4 offset of the first entry; s4 entries
 *   entry     s4 length, s4 name offset, s4 vector length (0: scalar), type, flags, units,
 *             variability; s4 data offset; name; data
 * Offsets in an entry count from the entry.  The file stays mapped: rows of live_numbers are written
 * by perfdata_sample, which the Signal Dispatcher calls while it has nothing else to do (ten times a
 * second, never with -Xrs).
 *
 * One heap is told as two generations, for jstat: "new" is what was allocated since the last
 * collection (capacity: what may be allocated before the next), "old" what survived it.
 *
 * The folder must belong to this user and be writable by nobody else, else another user could
 * make us write somewhere; files of dead processes in it are removed on the way.  Whether a process lives is not known
 * where several containers share the folder: each file is locked (flock) by its VM, and what is locked stays.
 */
#include "serve/perfdata.h"
#include "core/launch.h"
#include "core/options.h"
#include "core/vm.h"
#include "serve/diag.h"
#include "jit/jit.h"
#include "jvm/jvm_int.h"
#include "jvm/jvm_thread.h"
#include "load/loader.h"
#include "os/os.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROLOGUE = 32, ENTRY_HEAD = 20, SUPPORTED = 1, CAUSE_ROOM = 64, METHOD_ROOM = 256 };
enum { UNITS_NONE = 1, UNITS_BYTES, UNITS_TICKS, UNITS_EVENTS, UNITS_STRING, UNITS_HERTZ };
enum { V_CONSTANT = 1, V_MONOTONIC, V_VARIABLE };

typedef struct PerfFile {
    u1 *bytes;
    size_t used, size; /* size: padded */
    int32_t entries;
} PerfFile;

static char file_path[512];

/* ---- what moves ---- */

typedef struct Sample {
    HeapGcStats young, full, *last;
    int64_t live, eden, threads, daemons;
    JitFigures jit;
} Sample;

static int64_t at_least(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t since_start(int64_t nanos) { return nanos ? nanos - vm.start_nanos : 0; }

static int64_t eden_capacity(const Sample *s) { return at_least((int64_t)heap_young_budget(), s->eden); }
static int64_t old_capacity(const Sample *s) { return at_least((int64_t)heap_committed() - eden_capacity(s), s->live); }

static const struct {
    const char *name;
    u1 units, variability;
} live_numbers[] = {
#define FIXED(name, units, value)
#define TEXT(name, value)
#define PROPERTY(key)
#define NUMBER(name, units, variability, value) {name, UNITS_##units, V_##variability},
#include "serve/perfdata.def"
};
static void measure(const Sample *s, int64_t values[ARRAY_LEN(live_numbers)]) {
#define FIXED(name, units, value)
#define TEXT(name, value)
#define PROPERTY(key)
#define NUMBER(name, units, variability, value) *values++ = (int64_t)(value);
#include "serve/perfdata.def"
}

enum { TEXT_CAUSE, TEXT_CAUSE_NOW, TEXT_METHOD, TEXT_REFUSED };
static const struct {
    const char *name, *none;
    int32_t room;
} live_texts[] = {[TEXT_CAUSE] = {"sun.gc.lastCause", "No GC", CAUSE_ROOM},
                  [TEXT_CAUSE_NOW] = {"sun.gc.cause", "No GC", CAUSE_ROOM},
                  [TEXT_METHOD] = {"sun.ci.lastMethod", "", METHOD_ROOM},
                  [TEXT_REFUSED] = {"sun.ci.lastFailedMethod", "", METHOD_ROOM}};

static u1 *mapped; /* the file; NULL: none */
static size_t mapped_size;
static size_t number_at[ARRAY_LEN(live_numbers)], text_at[ARRAY_LEN(live_texts)];

/* Offset of the data in the file. */
static size_t add(PerfFile *f, const char *name, char type, u1 units, u1 variability, const void *data, size_t n,
                  int32_t vector) {
    size_t name_room = ALIGN_UP(strlen(name) + 1, (size_t)8);
    size_t name_at = ENTRY_HEAD, data_at = ALIGN_UP(name_at + name_room, (size_t)8);
    size_t len = ALIGN_UP(data_at + n, (size_t)8);
    u1 *more = realloc(f->bytes, f->used + len);
    if (!more) return 0;
    f->bytes = more;
    u1 *e = more + f->used;
    memset(e, 0, len);
    int32_t head[] = {(int32_t)len, (int32_t)name_at, vector};
    memcpy(e, head, sizeof head);
    e[12] = (u1)type;
    e[13] = SUPPORTED;
    e[14] = units;
    e[15] = variability;
    memcpy(e + 16, &(int32_t){(int32_t)data_at}, 4);
    strcpy((char *)e + name_at, name);
    memcpy(e + data_at, data, n);
    f->used += len;
    f->entries++;
    return (size_t)(e - f->bytes) + data_at;
}
static void add_text(PerfFile *f, const char *name, const char *text) {
    size_t n = strlen(text ? text : "") + 1;
    add(f, name, 'B', UNITS_STRING, V_CONSTANT, text ? text : "", n, (int32_t)n);
}
static void add_number(PerfFile *f, const char *name, u1 units, int64_t v) { add(f, name, 'J', units, V_CONSTANT, &v, 8, 0); }
static void add_live(PerfFile *f) {
    for (size_t i = 0; i < ARRAY_LEN(live_numbers); i++)
        number_at[i] = add(f, live_numbers[i].name, 'J', live_numbers[i].units, live_numbers[i].variability, &(int64_t){0}, 8, 0);
    for (size_t i = 0; i < ARRAY_LEN(live_texts); i++) {
        char none[METHOD_ROOM] = "";
        snprintf(none, sizeof none, "%s", live_texts[i].none);
        text_at[i] =
            add(f, live_texts[i].name, 'B', UNITS_STRING, V_VARIABLE, none, (size_t)live_texts[i].room, live_texts[i].room);
    }
}

/* Tools call files of options flags (vmFlags); all else is vmArgs. */
static bool is_flag_file(const char *argument) { return strncmp(argument, "-XX:Flags=", 10) == 0; }
static bool is_argument(const char *argument) { return !is_flag_file(argument); }

static void fill(PerfFile *f) {
    char *args = arguments_text(is_argument), *flags = arguments_text(is_flag_file), *jdk = diag_jdk_version(thread_self());
    int64_t now = os_millis();
#define NUMBER(name, units, variability, value)
#define FIXED(name, units, value) add_number(f, name, UNITS_##units, value);
#define TEXT(name, value) add_text(f, name, value);
#define PROPERTY(key) TEXT("java.property." key, property_get(key))
#include "serve/perfdata.def"
    add_live(f);
    free(args);
    free(flags);
    free(jdk);
}

/* Readers map the file and want whole pages. */
static bool pad(PerfFile *f) {
    size_t size = ALIGN_UP(f->used, os_page_size());
    u1 *more = realloc(f->bytes, size);
    if (!more) return false;
    memset(more + f->used, 0, size - f->used);
    f->bytes = more;
    f->size = size;
    return true;
}

static void finish(PerfFile *f) {
    u1 *p = f->bytes;
    static const u1 magic[] = {0xca, 0xfe, 0xc0, 0xc0};
    memcpy(p, magic, 4);
    p[4] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    p[5] = 2;
    p[6] = 0;
    p[7] = 1; /* accessible */
    memcpy(p + 8, &(int32_t){(int32_t)f->used}, 4);
    memcpy(p + 24, &(int32_t){PROLOGUE}, 4);
    memcpy(p + 28, &f->entries, 4);
    memcpy(p + 16, &(int64_t){1}, 8);
}

/* Of a process that this system does not show. */
static bool is_in_use(const char *path) {
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool used = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (fd >= 0) close(fd);
    return used;
}

static void remove_stale(const char *folder) {
    DIR *d = opendir(folder);
    char path[1024];
    for (struct dirent *e; d && (e = readdir(d));) {
        char *end;
        long pid = strtol(e->d_name, &end, 10);
        if (*end || pid <= 0 || (kill((pid_t)pid, 0) != 0 && errno == EPERM)) continue;
        if (kill((pid_t)pid, 0) == 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (!is_in_use(path)) unlink(path);
    }
    if (d) closedir(d);
}

/* The folder of this user, made if need be; false if it is not to be trusted. */
static bool user_folder(char *buf, size_t len) {
    struct passwd pw, *found = NULL;
    char text[2048];
    struct stat st;
    if (getpwuid_r(geteuid(), &pw, text, sizeof text, &found) != 0 || !found) return false;
    snprintf(buf, len, "/tmp/hsperfdata_%s", found->pw_name);
    if (mkdir(buf, 0755) != 0 && errno != EEXIST) return false;
    return lstat(buf, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 022);
}

/* A new or left-over file of this user; what is another name of some file (a hard link), no file, or in use keeps its contents. */
static int open_own(const char *path) {
    struct stat st;
    int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd < 0) return -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_nlink == 1 &&
        flock(fd, LOCK_EX | LOCK_NB) == 0 && ftruncate(fd, 0) == 0)
        return fd;
    close(fd);
    return -1;
}

/* The counters then exist for nobody; the program runs on. As the reference says it. */
static void warn_full(void) {
    vm_fprintf(stderr,
               "OpenJDK 64-Bit Server VM warning: Insufficient space for shared memory file:\n   %d\n"
               "Try using the -Djava.io.tmpdir= option to select an alternate temp location.\n\n",
               getpid());
}

void perfdata_start(void) {
    char folder[400];
    PerfFile f = {.bytes = calloc(1, PROLOGUE), .used = PROLOGUE};
    if (!vm_options.perf_data || !f.bytes || !user_folder(folder, sizeof folder)) return free(f.bytes);
    remove_stale(folder);
    fill(&f);
    finish(&f);
    if (!pad(&f)) f.size = f.used;
    snprintf(file_path, sizeof file_path, "%s/%d", folder, getpid());
    int fd = open_own(file_path);
    if (fd < 0 || write(fd, f.bytes, f.size) != (ssize_t)f.size) {
        if (fd >= 0) warn_full();
        if (fd >= 0) unlink(file_path);
        file_path[0] = 0;
    } else {
        u1 *p = mmap(NULL, f.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (p != MAP_FAILED) mapped_size = f.size, mapped = p;
    }
    if (fd >= 0) close(fd); /* the mapping keeps the file open, and with it the lock */
    free(f.bytes);
    if (mapped) jvm_signal_idle = perfdata_sample;
}

/* ---- sampling; state NATIVE ---- */

/* [lock: threads, held] */
static void take_sample(Sample *s) {
    *s = (Sample){.jit = jit_figures()};
    heap_gc_stats(HEAP_GC_YOUNG, &s->young);
    heap_gc_stats(HEAP_GC_FULL, &s->full);
    if (s->young.id | s->full.id) s->last = s->young.id > s->full.id ? &s->young : &s->full;
    s->live = s->last ? (int64_t)s->last->used_after : 0;
    s->eden = at_least((int64_t)heap_used() - s->live, 0);
    FOR_EACH_THREAD(k) {
        if (!thread_object(k) || k->hidden_from_java) continue;
        s->threads++;
        s->daemons += k->is_daemon;
    }
}

static void put_text(int which, const char *text) {
    char cell[METHOD_ROOM] = "";
    size_t room = (size_t)live_texts[which].room;
    if (!text_at[which]) return;
    snprintf(cell, room, "%s", text);
    memcpy(mapped + text_at[which], cell, room);
}

void perfdata_sample(void) {
    static u8 told, told_compiled;
    Sample s;
    if (!mapped) return;
    threads_lock(); /* pauses hold it: figures of one moment */
    take_sample(&s);
    int64_t values[ARRAY_LEN(live_numbers)];
    measure(&s, values);
    for (size_t i = 0; i < ARRAY_LEN(live_numbers); i++)
        if (number_at[i]) memcpy(mapped + number_at[i], &values[i], 8);
    if (s.last && s.last->id != told) {
        told = s.last->id;
        put_text(TEXT_CAUSE, s.last->cause);
    }
    if (s.jit.compiled != told_compiled) {
        told_compiled = s.jit.compiled;
        put_text(TEXT_METHOD, s.jit.last);
    }
    put_text(TEXT_REFUSED, s.jit.last_refused);
    threads_unlock();
}

void perfdata_stop(void) {
    if (file_path[0]) unlink(file_path);
}
