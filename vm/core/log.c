/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -Xlog[:selections[:output[:decorators[:output options]]]]
 *
 * A selection is tag1+tag2[*][=level].  It matches a message whose set of tags is equal, or with
 * '*' contains it; "all" matches every message.  Tags of which this VM has no message are
 * accepted: command lines written for another VM must not fail.
 */
#include "core/log.h"
#include "core/vm.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_OUTPUTS = 8, MAX_WORDS = 8, MAX_TEXT = 1024 };

static const struct {
    const char *tags, *help;
} kinds[] = {
#define LOGTAG(id, tags, help) {tags, help},
#include "core/log_tags.def"
#undef LOGTAG
};

typedef enum Decorator { DECO_TIME, DECO_UPTIME, DECO_PID, DECO_LEVEL, DECO_TAGS, N_DECORATORS } Decorator;
static const char *const decorator_names[N_DECORATORS][2] = {
    {"time", "t"}, {"uptime", "u"}, {"pid", "p"}, {"level", "l"}, {"tags", "tg"}};
enum { DECO_DEFAULT = 1 << DECO_UPTIME | 1 << DECO_LEVEL | 1 << DECO_TAGS };

static const struct {
    const char *name;
    bool shows_info;
} levels[] = {{"off", false}, {"trace", true}, {"debug", true}, {"info", true}, {"warning", false}, {"error", false}};

typedef struct Output {
    const char *name;
    FILE *file;
    u4 kinds, decorators;
} Output;

u4 log_enabled;
static Output outputs[MAX_OUTPUTS];
static int n_outputs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* one line at a time */

/* ---- printing ---- */

static void print_decorators(FILE *f, u4 which, LogTag k) {
    struct timespec now;
    char date[64];
    struct tm tm;
    if (which >> DECO_TIME & 1) {
        clock_gettime(CLOCK_REALTIME, &now);
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", localtime_r(&now.tv_sec, &tm));
        fprintf(f, "[%s.%03ld", date, now.tv_nsec / 1000000);
        strftime(date, sizeof date, "%z", &tm);
        fprintf(f, "%s]", date);
    }
    if (which >> DECO_UPTIME & 1) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        int64_t nanos = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec - vm.start_nanos;
        fprintf(f, "[%.3fs]", (double)(vm.start_nanos ? nanos : 0) / 1e9);
    }
    if (which >> DECO_PID & 1) fprintf(f, "[%d]", getpid());
    if (which >> DECO_LEVEL & 1) fprintf(f, "[info]");
    if (which >> DECO_TAGS & 1) fprintf(f, "[%s]", kinds[k].tags);
    if (which) fputc(' ', f);
}

static void print_line(FILE *f, u4 decorators, LogTag k, const char *text) {
    print_decorators(f, decorators, k);
    fprintf(f, "%s\n", text);
    fflush(f);
}

void log_print(LogTag k, const char *fmt, ...) {
    char text[MAX_TEXT];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < n_outputs; i++)
        if (outputs[i].kinds >> k & 1) print_line(outputs[i].file, outputs[i].decorators, k, text);
    if (!log_on(k)) print_line(stdout, DECO_DEFAULT, k, text);
    pthread_mutex_unlock(&lock);
}

/* ---- configuring ---- */

static LogConfig bad(const char *fmt, const char *what) {
    printf("[0.000s][error][logging] ");
    printf(fmt, what);
    putchar('\n');
    return LOG_BAD;
}

/* Is `word` one of the tags of kind k? */
static bool has_tag(int k, const char *word) {
    size_t n = strlen(word);
    for (const char *p = kinds[k].tags; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
        if (strncmp(p, word, n) == 0 && (p[n] == ',' || !p[n])) return true;
    return false;
}

static bool matches(int k, char **words, int n, bool wildcard) {
    int tags = 1;
    for (const char *p = kinds[k].tags; *p; p++) tags += *p == ',';
    for (int i = 0; i < n; i++)
        if (!has_tag(k, words[i])) return false;
    return wildcard || tags == n;
}

/* tag1+tag2*=level: adds to *on or *off. */
static LogConfig take_selection(char *s, u4 *on, u4 *off) {
    char *eq = strchr(s, '='), *words[MAX_WORDS], *rest = s;
    bool info = true, known = !eq, all, wildcard;
    if (eq) *eq++ = 0;
    for (size_t i = 0; eq && i < ARRAY_LEN(levels); i++)
        if (strcmp(levels[i].name, eq) == 0) info = levels[i].shows_info, known = true;
    if (!known) return bad("Invalid level '%s' in log selection.", eq);
    size_t len = strlen(s);
    wildcard = len && s[len - 1] == '*';
    if (wildcard) s[len - 1] = 0;
    all = !*s || strcmp(s, "all") == 0;
    int n = 0;
    for (char *w; !all && n < MAX_WORDS && (w = strsep(&rest, "+"));) words[n++] = w;
    for (int k = 0; k < LOG_COUNT; k++)
        if (all || matches(k, words, n, wildcard)) *(info ? on : off) |= 1u << k;
    return LOG_OK;
}

static LogConfig take_decorators(char *s, u4 *out) {
    *out = 0;
    for (char *w; (w = strsep(&s, ","));) {
        if (strcmp(w, "none") == 0 || !*w) continue;
        bool known = false;
        for (int i = 0; i < N_DECORATORS; i++)
            if (strcmp(w, decorator_names[i][0]) == 0 || strcmp(w, decorator_names[i][1]) == 0)
                *out |= 1u << i, known = true;
        if (!known) return bad("Invalid decorator '%s'.", w);
    }
    return LOG_OK;
}

/* %p and %t in a file name: process id and start time. */
static FILE *open_file(const char *pattern) {
    char path[MAX_TEXT];
    size_t n = 0;
    for (const char *p = pattern; *p && n + 32 < sizeof path; p++) {
        time_t now = time(NULL);
        struct tm tm;
        if (*p == '%' && p[1] == 'p') n += (size_t)sprintf(path + n, "%d", getpid()), p++;
        else if (*p == '%' && p[1] == 't')
            n += strftime(path + n, sizeof path - n, "%Y-%m-%d_%H-%M-%S", localtime_r(&now, &tm)), p++;
        else path[n++] = *p;
    }
    path[n] = 0;
    return fopen(path, "w");
}

static Output *find_output(char *name) {
    bool file = strncmp(name, "file=", 5) == 0;
    if (!file && strchr(name, '=')) return bad("Unsupported log output type: %s", name), NULL;
    for (int i = 0; i < n_outputs; i++)
        if (strcmp(outputs[i].name, name) == 0) return &outputs[i];
    if (n_outputs == MAX_OUTPUTS) return bad("Too many log outputs: %s", name), NULL;
    char *path = file ? name + 5 : name;
    size_t len = strlen(path);
    if (*path == '"' && len > 1 && path[len - 1] == '"') path[len - 1] = 0, path++;
    FILE *f = strcmp(name, "stdout") == 0 ? stdout : strcmp(name, "stderr") == 0 ? stderr : open_file(path);
    if (!f) return bad("Error opening log file '%s'", path), NULL;
    outputs[n_outputs] = (Output){strdup(name), f, 0, DECO_DEFAULT};
    return &outputs[n_outputs++];
}

/* The next ':' outside of quotes ends a part. */
static char *next_part(char **p) {
    char *s = *p, *e = s;
    bool quoted = false;
    if (!s) return NULL;
    for (; *e && (quoted || *e != ':'); e++)
        if (*e == '"') quoted = !quoted;
    *p = *e ? e + 1 : NULL;
    *e = 0;
    return s;
}

static LogConfig configure(char *text) {
    char *selections = next_part(&text), *name = next_part(&text), *decorators = next_part(&text);
    u4 on = 0, off = 0, which = DECO_DEFAULT;
    LogConfig rc = LOG_OK;
    if (!*selections) selections = (char[]){"all"};
    for (char *s; rc == LOG_OK && (s = strsep(&selections, ","));) rc = take_selection(s, &on, &off);
    if (rc == LOG_OK && decorators && *decorators) rc = take_decorators(decorators, &which);
    if (rc != LOG_OK) return rc;
    Output *o = find_output(name && *name ? name : (char[]){"stdout"});
    if (!o) return LOG_BAD;
    o->kinds = (o->kinds & ~off) | on;
    o->decorators = which;
    log_enabled = 0;
    for (int i = 0; i < n_outputs; i++) log_enabled |= outputs[i].kinds;
    return LOG_OK;
}

static void print_help(void) {
    printf("-Xlog[:selections[:output[:decorators[:output options]]]]\n"
           "  selections   tag1+tag2[*][=level], separated by commas; '*': more tags may follow; all: everything\n"
           "  levels       off, trace, debug, info, warning, error (every message of this VM is info)\n"
           "  output       stdout, stderr, file=<name> (%%p: process id, %%t: start time)\n"
           "  decorators   none or");
    for (int i = 0; i < N_DECORATORS; i++) printf(" %s (%s)", decorator_names[i][0], decorator_names[i][1]);
    printf("\n  output options are accepted and ignored: files are not rotated\n\nMessages:\n");
    for (int i = 0; i < LOG_COUNT; i++) printf("  %-14s %s\n", kinds[i].tags, kinds[i].help);
    printf("\n-Xlog:disable turns everything off; -Xlog:help prints this.\n");
}

LogConfig log_configure(const char *text) {
    if (strcmp(text, ":help") == 0) return print_help(), LOG_HELP;
    if (strcmp(text, ":disable") == 0) {
        for (int i = 0; i < n_outputs; i++) outputs[i].kinds = 0;
        log_enabled = 0;
        return LOG_OK;
    }
    char *copy = strdup(*text == ':' ? text + 1 : text);
    LogConfig rc = copy ? configure(copy) : LOG_BAD;
    free(copy);
    return rc;
}
