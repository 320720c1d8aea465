/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -Xlog[:selections[:output[:decorators[:output options]]]]
 *
 * A selection is tag1+tag2[*][=level].  It matches a message whose set of tags is equal, or with
 * '*' contains it; "all" matches every message.  Tags are checked against those of the reference
 * (log_sets.def): command lines written for it must not fail, misspelled ones must.
 */
#include "log/log_int.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_WORDS = 5, DEFAULT_FILE_COUNT = 5, MAX_FILE_COUNT = 1000 };
#define DEFAULT_FILE_BYTES ((u8)20 << 20)

static const char *const words[] = {
#define LOGWORD(tag) #tag,
#include "log/log_sets.def"
};
static const char *const sets[] = {
#define LOGSET(tags) tags,
#include "log/log_sets.def"
};

typedef struct Selection {
    char *tags[MAX_WORDS];
    int n;
    bool wildcard, all;
    LogLevel level;
} Selection;

/* Where complaints go: the log before the VM runs, the answer of jcmd afterwards. */
static FILE *complaints;

__attribute__((format(printf, 1, 2))) static LogConfig bad(const char *fmt, ...) {
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (complaints) fprintf(complaints, "%s\n", text);
    else log_print(LOG_LOGGING_ERROR, "%s", text);
    return LOG_BAD;
}

/* ---- suggestions ---- */

double log_similarity(const char *a, size_t n, const char *b) {
    size_t m = strlen(b), hits = 0;
    for (size_t i = 0; i + 1 < n; i++)
        for (size_t j = 0; j + 1 < m; j++)
            if (a[i] == b[j] && a[i + 1] == b[j + 1]) {
                hits++;
                break;
            }
    return n + m ? 2.0 * (double)hits / (double)(n + m) : 0;
}
static const char *suggestion(const char *word, const char *const *list, size_t n, char *buf, size_t len) {
    const char *best = NULL;
    double score = 0.5;
    for (size_t i = 0; i < n; i++) {
        double s = log_similarity(word, strlen(word), list[i]);
        if (s >= score && (!best || s > score)) best = list[i], score = s;
    }
    *buf = 0;
    if (best) snprintf(buf, len, " Did you mean '%s'?", best);
    return buf;
}

/* ---- selections ---- */

static bool known(const char *word) {
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strcmp(words[i], word) == 0) return true;
    return false;
}

/* Is `word` one of the tags in a list separated by sep? */
static bool has_tag(const char *list, char sep, const char *word) {
    size_t n = strlen(word);
    for (const char *p = list; p; p = strchr(p, sep) ? strchr(p, sep) + 1 : NULL)
        if (strncmp(p, word, n) == 0 && (p[n] == sep || !p[n])) return true;
    return false;
}
static bool matches(const Selection *s, const char *list, char sep) {
    int tags = 1;
    if (s->all) return true;
    for (const char *p = list; *p; p++) tags += *p == sep;
    for (int i = 0; i < s->n; i++)
        if (!has_tag(list, sep, s->tags[i])) return false;
    return s->wildcard || tags == s->n;
}

static LogConfig take_tags(char *text, Selection *s) {
    char hint[128];
    size_t len = strlen(text);
    s->all = strcmp(text, "all") == 0;
    if (s->all) return LOG_OK;
    s->wildcard = len && text[len - 1] == '*';
    if (s->wildcard) text[len - 1] = 0;
    for (char *w, *rest = text; (w = strsep(&rest, "+"));) {
        if (!known(w))
            return bad("Invalid tag '%s' in log selection.%s", w, suggestion(w, words, ARRAY_LEN(words), hint, sizeof hint));
        if (s->n == MAX_WORDS) return bad("Too many tags in log selection '%s' (can only have up to %d tags).", text, MAX_WORDS);
        for (int i = 0; i < s->n; i++)
            if (strcmp(s->tags[i], w) == 0) return bad("Log selection contains duplicates of tag %s.", w);
        s->tags[s->n++] = w;
    }
    return LOG_OK;
}

/* The text is written over and must outlive the selection. */
static LogConfig parse_selection(char *text, Selection *s) {
    char *eq = strchr(text, '='), hint[128];
    *s = (Selection){.level = LEVEL_INFO};
    if (eq) {
        *eq++ = 0;
        int level = 0;
        while (level < N_LEVELS && strcmp(log_level_names[level], eq) != 0) level++;
        if (level == N_LEVELS)
            return bad("Invalid level '%s' in log selection.%s", eq,
                       suggestion(eq, log_level_names, N_LEVELS, hint, sizeof hint));
        s->level = (LogLevel)level;
    }
    return take_tags(text, s);
}

static void warn_if_nothing(const Selection *s) {
    char text[256] = "";
    bool any = false;
    for (size_t i = 0; i < ARRAY_LEN(sets) && !any; i++) any = matches(s, sets[i], '+');
    for (int k = 0; k < LOG_COUNT && !any; k++) any = matches(s, log_kinds[k].tags, ',');
    if (any) return;
    for (int i = 0; i < s->n; i++) {
        if (i) strncat(text, "+", sizeof text - strlen(text) - 1);
        strncat(text, s->tags[i], sizeof text - strlen(text) - 1);
    }
    if (complaints) fprintf(complaints, "No tag set matches selection: %s%s.\n", text, s->wildcard ? "*" : "");
    else log_print(LOG_LOGGING_WARNING, "No tag set matches selection: %s%s.", text, s->wildcard ? "*" : "");
}

/* "a+b*=level" to the words that a description shows. */
static void note_selection(LogOutput *o, const Selection *s) {
    char text[512];
    size_t n = 0;
    if (s->all) {
        o->base = s->level;
        free(o->selections);
        o->selections = NULL;
        return;
    }
    for (int i = 0; i < s->n; i++) n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i ? "+" : "", s->tags[i]);
    snprintf(text + n, sizeof text - n, "%s=%s", s->wildcard ? "*" : "", log_level_names[s->level]);
    if (o->selections && has_tag(o->selections, ',', text)) return;
    char *joined = NULL;
    if (asprintf(&joined, "%s,%s", o->selections ? o->selections : "", text) < 0) return;
    free(o->selections);
    o->selections = joined;
}

/* ---- decorators ---- */

static LogConfig take_decorators(char *s, u4 *out) {
    *out = 0;
    for (char *w; (w = strsep(&s, ","));) {
        if (strcmp(w, "none") == 0 || !*w) continue;
        bool found = false;
        for (int i = 0; i < N_DECORATORS; i++)
            if (strcmp(w, log_decorator_names[i][0]) == 0 || strcmp(w, log_decorator_names[i][1]) == 0)
                *out |= 1u << i, found = true;
        if (!found) return bad("Invalid decorator '%s'.", w);
    }
    return LOG_OK;
}

/* ---- outputs ---- */

/* %p and %t in a file name: process id and start time. */
static char *expand_name(const char *pattern) {
    char path[4096];
    size_t n = 0;
    time_t now = time(NULL);
    struct tm tm;
    for (const char *p = pattern; *p && n + 32 < sizeof path; p++) {
        if (*p == '%' && p[1] == 'p') n += (size_t)sprintf(path + n, "%d", getpid()), p++;
        else if (*p == '%' && p[1] == 't')
            n += strftime(path + n, sizeof path - n, "%Y-%m-%d_%H-%M-%S", localtime_r(&now, &tm)), p++;
        else path[n++] = *p;
    }
    path[n] = 0;
    return strdup(path);
}

static bool take_bytes(const char *s, u8 *out) {
    char *end;
    if (!isdigit((unsigned char)*s)) return false;
    *out = strtoull(s, &end, 10);
    int shift = *end == 'k' || *end == 'K' ? 10 : *end == 'm' || *end == 'M' ? 20 : *end == 'g' || *end == 'G' ? 30 : 0;
    *out <<= shift;
    return end[shift != 0] == 0;
}

static LogConfig take_file_options(LogOutput *o, char *s) {
    for (char *w; s && (w = strsep(&s, ","));) {
        char *eq = strchr(w, '=');
        u8 n = 0;
        if (eq) *eq++ = 0;
        if (!*w) continue;
        if (!eq) return bad("Invalid option '%s' for log file output.", w);
        if (strcmp(w, "filecount") == 0) {
            if (!take_bytes(eq, &n) || n > MAX_FILE_COUNT)
                return bad("Invalid option: filecount must be in range [0, %d]", MAX_FILE_COUNT);
            o->file_count = (u4)n;
        } else if (strcmp(w, "filesize") == 0) {
            if (!take_bytes(eq, &n)) return bad("Invalid option: filesize must be in range [0, %lu]", UINT64_MAX);
            o->rotate_bytes = n;
        } else if (strcmp(w, "async") != 0) {
            return bad("Invalid option '%s' for log file output.", w);
        }
    }
    return LOG_OK;
}

static LogOutput *make_file(const char *name, char *options) {
    char *given = options ? strdup(options) : NULL;
    LogOutput o = {
        .name = strdup(name), .decorators = DECO_DEFAULT, .file_count = DEFAULT_FILE_COUNT, .rotate_bytes = DEFAULT_FILE_BYTES};
    if (log_n_outputs == MAX_OUTPUTS) return bad("Too many log outputs: %s", name), NULL;
    bool ok = take_file_options(&o, options) == LOG_OK;
    if (ok) {
        o.path = expand_name(name + 5);
        ok = log_file_open(&o);
        if (!ok) bad("Error opening log file '%s': %s", o.path, strerror(errno));
    }
    if (ok) {
        log_outputs[log_n_outputs] = o;
        free(given);
        return &log_outputs[log_n_outputs++];
    }
    bad("Initialization of output '%s' using options '%s' failed.", name, given ? given : "(null)");
    free(given);
    free(o.path);
    free(o.name);
    return NULL;
}

/* "stdout", "#2", "file=x", or just a file name; quotes around the name are dropped. */
static LogOutput *find_output(const char *text, char *options) {
    char name[4200], *end;
    if (*text == '#') {
        unsigned long i = strtoul(text + 1, &end, 10);
        if (!text[1] || *end || i >= (unsigned long)log_n_outputs) return bad("Invalid output index '%s'", text), NULL;
        return &log_outputs[i];
    }
    bool file = strncmp(text, "file=", 5) == 0, plain = strcmp(text, "stdout") == 0 || strcmp(text, "stderr") == 0;
    if (!file && !plain && strchr(text, '=')) return bad("Unsupported log output type: %s", text), NULL;
    const char *path = file ? text + 5 : text;
    size_t len = strlen(path);
    bool quoted = len > 1 && *path == '"' && path[len - 1] == '"';
    if (*path == '"' && !quoted) return bad("Missing terminating quote in -Xlog option '%s'", text), NULL;
    if (plain) snprintf(name, sizeof name, "%s", text);
    else snprintf(name, sizeof name, "file=%.*s", (int)(len - 2 * quoted), path + quoted);
    for (int i = 0; i < log_n_outputs; i++)
        if (strcmp(log_outputs[i].name, name) == 0) {
            if (options && *options && !complaints)
                log_print(LOG_LOGGING_WARNING, "Output options for existing outputs are ignored.");
            return &log_outputs[i];
        }
    return make_file(name, options);
}

/* ---- the whole ---- */

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

static void apply(LogOutput *o, const Selection *s) {
    for (int k = 0; k < LOG_COUNT; k++)
        if (matches(s, log_kinds[k].tags, ',')) o->level[k] = (u1)s->level;
    note_selection(o, s);
}

static LogConfig configure(char *what, const char *output, char *decorators, char *options) {
    enum { MAX_SELECTIONS = 256 };
    Selection *list = calloc(MAX_SELECTIONS, sizeof *list);
    u4 which = DECO_DEFAULT;
    int n = 0;
    LogConfig rc = list ? LOG_OK : LOG_BAD;
    for (char *s; rc == LOG_OK && n < MAX_SELECTIONS && (s = strsep(&what, ","));) rc = parse_selection(s, &list[n++]);
    if (rc == LOG_OK && decorators && *decorators) rc = take_decorators(decorators, &which);
    LogOutput *o = rc == LOG_OK ? find_output(output && *output ? output : "stdout", options) : NULL;
    for (int i = 0; o && i < n; i++) {
        warn_if_nothing(&list[i]);
        apply(o, &list[i]);
    }
    if (o && decorators) o->decorators = which;
    if (o && complaints) o->reconfigured = true;
    free(list);
    HOLDING(&log_lock);
    log_update_enabled();
    return o ? LOG_OK : LOG_BAD;
}

void log_disable(void) {
    HOLDING(&log_lock);
    for (int i = 0; i < log_n_outputs; i++) {
        LogOutput *o = &log_outputs[i];
        memset(o->level, LEVEL_OFF, sizeof o->level);
        o->base = LEVEL_OFF;
        free(o->selections);
        o->selections = NULL;
        if (i >= 2) {
            if (o->file) fclose(o->file);
            free(o->name);
            free(o->path);
        }
    }
    log_n_outputs = 2;
    log_update_enabled();
}

void log_rotate_all(void) {
    HOLDING(&log_lock);
    for (int i = 2; i < log_n_outputs; i++) log_file_rotate(&log_outputs[i]);
}

static void print_list(FILE *out, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++) fprintf(out, "%s%s", i ? ", " : "", list[i]);
    fputc('\n', out);
}
static void print_decorators(FILE *out) {
    for (int i = 0; i < N_DECORATORS; i++)
        fprintf(out, "%s%s (%s)", i ? ", " : "", log_decorator_names[i][0], log_decorator_names[i][1]);
    fputc('\n', out);
}

static void describe_output(FILE *out, int i) {
    const LogOutput *o = &log_outputs[i];
    bool any = false;
    fprintf(out, " #%d: %s all=%s%s ", i, o->name, log_level_names[o->base], o->selections ? o->selections : "");
    for (int d = 0; d < N_DECORATORS; d++)
        if (o->decorators >> d & 1) fprintf(out, "%s%s", any ? "," : "", log_decorator_names[d][0]), any = true;
    if (!any) fprintf(out, "none");
    if (o->path) fprintf(out, " filecount=%u,filesize=%luK,async=false", o->file_count, (unsigned long)(o->rotate_bytes >> 10));
    fprintf(out, "%s\n", o->reconfigured ? " (reconfigured)" : "");
}

void log_describe(FILE *out) {
    fprintf(out, "Available log levels: ");
    print_list(out, log_level_names, N_LEVELS);
    fprintf(out, "Available log decorators: ");
    print_decorators(out);
    fprintf(out, "Available log tags: ");
    print_list(out, words, ARRAY_LEN(words));
    fprintf(out, "Messages of this VM:\n");
    for (int i = 0; i < LOG_COUNT; i++)
        fprintf(out, " %s (%s): %s\n", log_kinds[i].tags, log_level_names[log_kinds[i].level], log_kinds[i].help);
    fprintf(out, "Log output configuration:\n");
    for (int i = 0; i < log_n_outputs; i++) describe_output(out, i);
}

bool log_reconfigure(const char *output, const char *what, const char *decorators, const char *options, FILE *out) {
    char *w = strdup(what && *what ? what : "all"), *d = decorators ? strdup(decorators) : NULL,
         *o = options ? strdup(options) : NULL;
    complaints = out;
    bool ok = w && configure(w, output, d, o) == LOG_OK;
    complaints = NULL;
    free(w);
    free(d);
    free(o);
    return ok;
}

static void print_help(void) {
    printf("-Xlog Usage: -Xlog[:[selections][:[output][:[decorators][:output-options]]]]\n"
           "\t selections are lists of tag1[+tag2...][*][=level], separated by commas; without * the tags\n"
           "\t of a message must be exactly these; all stands for every message\n\n"
           "Available log levels:\n ");
    print_list(stdout, log_level_names, N_LEVELS);
    printf("\nAvailable log decorators: \n ");
    print_decorators(stdout);
    printf(" none stands for no decoration.\n\nAvailable log tags:\n ");
    print_list(stdout, words, ARRAY_LEN(words));
    printf("\nMessages of this VM:\n");
    for (int i = 0; i < LOG_COUNT; i++)
        printf("  %-14s %-8s %s\n", log_kinds[i].tags, log_level_names[log_kinds[i].level], log_kinds[i].help);
    printf("\nAvailable log outputs:\n stdout/stderr\n file=<filename>\n"
           "  %%p and %%t in the name stand for the process id and the time of the start.\n"
           "  filesize=N[K|M|G]  the file is rotated at this size (20M; 0: only by jcmd VM.log rotate)\n"
           "  filecount=N        archives kept besides the file (5; 0: never rotated, overwritten at start)\n\n"
           "-Xlog:disable turns everything off, warnings included; -Xlog:async is accepted, writing is never\n"
           "asynchronous; -Xlog:help prints this.\n");
}

LogConfig log_configure(const char *text) {
    if (strcmp(text, ":help") == 0) return print_help(), LOG_HELP;
    if (strcmp(text, ":async") == 0) return LOG_OK;
    if (strcmp(text, ":disable") == 0) return log_disable(), LOG_OK;
    char *copy = strdup(*text == ':' ? text + 1 : text), *rest = copy;
    if (!copy) return LOG_BAD;
    char *what = next_part(&rest), *output = next_part(&rest), *decorators = next_part(&rest);
    LogConfig rc = configure(*what ? what : (char[]){"all"}, output, decorators, rest);
    free(copy);
    return rc;
}
