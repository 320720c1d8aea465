/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Printing of -Xlog messages: decorators, outputs, rotation of files.
 *
 * A file that exists is not overwritten: it becomes the archive <name>.N, N running from 0 to
 * filecount - 1, and so does the file in use when it has grown to filesize.
 */
#include "log/log_int.h"
#include "core/vm.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

const LogKind log_kinds[LOG_COUNT] = {
#define LOGTAG(id, tags, help) {tags, help, LEVEL_INFO},
#define LOGTAG_AT(id, level, tags, help) {tags, help, LEVEL_##level},
#include "log/log_tags.def"
};
const char *const log_level_names[N_LEVELS] = {"off", "trace", "debug", "info", "warning", "error"};
const char *const log_decorator_names[N_DECORATORS][2] = {
#define DECORATOR(id, name, abbreviation) {name, abbreviation},
#include "log/log_decorators.def"
};

#define WARNINGS_ONLY (1u << LOG_GC_WARNING | 1u << LOG_OS_THREAD_WARNING | 1u << LOG_LOGGING_WARNING | 1u << LOG_LOGGING_ERROR)
u4 log_enabled = WARNINGS_ONLY;
LogOutput log_outputs[MAX_OUTPUTS] = {
    {.name = "stdout", .decorators = DECO_DEFAULT, .base = LEVEL_WARNING, .level = {[0 ... LOG_COUNT - 1] = LEVEL_WARNING}},
    {.name = "stderr", .decorators = DECO_DEFAULT}};
int log_n_outputs = 2;
VmLock log_lock = VM_LOCK(LOG); /* one line at a time */

void log_update_enabled(void) {
    u4 bits = 0;
    for (int i = 0; i < log_n_outputs; i++)
        for (int k = 0; k < LOG_COUNT; k++)
            if (log_output_wants(&log_outputs[i], (LogTag)k)) bits |= 1u << k;
    log_enabled = bits;
}

void log_verbose(LogTag k, bool on) {
    HOLDING(&log_lock);
    log_outputs[0].level[k] = (u1)(on ? log_kinds[k].level : LEVEL_OFF);
    log_update_enabled();
}

/* ---- decorators ---- */

static size_t put_date(char *to, size_t len, bool utc) {
    struct timespec now;
    struct tm tm;
    clock_gettime(CLOCK_REALTIME, &now);
    (utc ? gmtime_r : localtime_r)(&now.tv_sec, &tm);
    size_t n = strftime(to, len, "[%Y-%m-%dT%H:%M:%S", &tm);
    n += (size_t)snprintf(to + n, len - n, ".%03ld", now.tv_nsec / 1000000);
    return n + strftime(to + n, len - n, "%z]", &tm);
}

static int64_t nanos_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static size_t put_decorator(char *to, size_t len, Decorator d, LogTag k, LogOutput *o) {
    int64_t up = vm.start_nanos ? nanos_of(CLOCK_MONOTONIC) - vm.start_nanos : 0;
    char host[128] = "";
    int n, width;
    switch (d) {
    case DECO_TIME:
    case DECO_UTCTIME: return put_date(to, len, d == DECO_UTCTIME);
    case DECO_UPTIME: n = snprintf(to, len, "[%.3fs]", (double)up / 1e9); break;
    case DECO_TIMEMILLIS: n = snprintf(to, len, "[%ldms]", (long)(nanos_of(CLOCK_REALTIME) / 1000000)); break;
    case DECO_UPTIMEMILLIS: n = snprintf(to, len, "[%ldms]", (long)(up / 1000000)); break;
    case DECO_TIMENANOS: n = snprintf(to, len, "[%ldns]", (long)nanos_of(CLOCK_REALTIME)); break;
    case DECO_UPTIMENANOS: n = snprintf(to, len, "[%ldns]", (long)up); break;
    case DECO_HOSTNAME:
        gethostname(host, sizeof host - 1);
        n = snprintf(to, len, "[%s]", host);
        break;
    case DECO_PID: n = snprintf(to, len, "[%d]", getpid()); break;
    case DECO_TID: n = snprintf(to, len, "[%ld]", syscall(SYS_gettid)); break;
    case DECO_LEVEL:
        width = (int)strlen(log_level_names[log_kinds[k].level]);
        if (width > o->level_width) o->level_width = width;
        n = snprintf(to, len, "[%-*s]", o->level_width, log_level_names[log_kinds[k].level]);
        break;
    default:
        width = (int)strlen(log_kinds[k].tags);
        if (width > o->tags_width) o->tags_width = width;
        n = snprintf(to, len, "[%-*s]", o->tags_width, log_kinds[k].tags);
    }
    return n < 0 ? 0 : (size_t)n < len ? (size_t)n : len - 1;
}

static size_t put_decorators(char *to, size_t len, u4 which, LogTag k, LogOutput *o) {
    size_t n = 0;
    for (int d = 0; d < N_DECORATORS; d++)
        if (which >> d & 1) n += put_decorator(to + n, len - n, (Decorator)d, k, o);
    if (which && n + 1 < len) to[n++] = ' ';
    to[n] = 0;
    return n;
}

/* ---- files ---- */

static int archive_digits(const LogOutput *o) { return snprintf(NULL, 0, "%u", o->file_count ? o->file_count - 1 : 0); }
static void archive_name(const LogOutput *o, u4 i, char *to, size_t len) {
    snprintf(to, len, "%s.%0*u", o->path, archive_digits(o), i);
}

/* The first number not in use, else the oldest. */
static u4 first_archive(const LogOutput *o) {
    char name[4096];
    struct stat st;
    u4 best = 0;
    time_t oldest = 0;
    for (u4 i = 0; i < o->file_count; i++) {
        archive_name(o, i, name, sizeof name);
        if (stat(name, &st) != 0) return i;
        if (i == 0 || st.st_mtime < oldest) oldest = st.st_mtime, best = i;
    }
    return best;
}

static void archive(LogOutput *o) {
    char name[4096];
    archive_name(o, o->next_archive, name, sizeof name);
    remove(name);
    rename(o->path, name);
    o->next_archive = (o->next_archive + 1) % o->file_count;
}

bool log_file_open(LogOutput *o) {
    struct stat st;
    bool there = stat(o->path, &st) == 0 && S_ISREG(st.st_mode);
    if (o->file_count) {
        o->next_archive = first_archive(o);
        if (there && st.st_size > 0) archive(o);
    }
    o->file = fopen(o->path, there && !o->file_count ? "w" : "a");
    o->written = 0;
    return o->file != NULL;
}

void log_file_rotate(LogOutput *o) {
    if (!o->path || !o->file || !o->file_count) return;
    fclose(o->file);
    archive(o);
    o->file = fopen(o->path, "a");
    o->written = 0;
}

/* ---- printing ---- */

/* Told once, where the reference tells it; later lines may find room again. */
static void write_failed(LogOutput *o, const char *what, int error) {
    if (o->failed) return;
    o->failed = true;
    vm_fprintf(stderr, "Could not %s log: %s (%s (%d))\n", what, o->name, strerror(error), error);
}

static void print_line(LogOutput *o, u4 decorators, LogTag k, const char *text) {
    char head[512];
    FILE *f = o->path ? o->file : o == &log_outputs[1] ? stderr : stdout;
    if (!f) return;
    size_t n = put_decorators(head, sizeof head, decorators, k, o);
    if (fprintf(f, "%s%s\n", head, text) < 0) write_failed(o, "write", errno);
    o->written += n + strlen(text) + 1;
    if (fflush(f) != 0) write_failed(o, "flush", errno);
    if (o->path && o->file_count && o->rotate_bytes && o->written >= o->rotate_bytes) log_file_rotate(o);
}

void log_print(LogTag k, const char *fmt, ...) {
    char text[MAX_LOG_LINE];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    HOLDING(&log_lock);
    for (int i = 0; i < log_n_outputs; i++)
        if (log_output_wants(&log_outputs[i], k)) print_line(&log_outputs[i], log_outputs[i].decorators, k, text);
    if (!log_on(k) && log_kinds[k].level == LEVEL_INFO) print_line(&log_outputs[0], DECO_DEFAULT, k, text);
}
