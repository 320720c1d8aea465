/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_live.c - `graft trace --attach PID --live`: which methods are called now, how often, and what time passes in them.
 *
 * The agent is started with the options given; then, for each look, it is asked for a snapshot of its table in a file of ours, and what has
 * changed since the last one is shown. The end takes the probes out again. If no options are given and the agent traces in that JVM already, what it
 * traces is looked at, and left as it is.
 */
#include "cmd_attach.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct Row {
    char *method;
    int64_t calls, failed, total, self;
} Row;

typedef struct Table {
    Row *rows; /* by method */
    size_t n;
    double at; /* seconds */
} Table;

static char folder[] = "/tmp/graft-live-XXXXXX", *file; /* the snapshot */
static volatile sig_atomic_t ended;
static void end(int signal) { ended = signal; }

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- tables --------------------------------------------------------------------------------------- */

static int by_method(const void *a, const void *b) { return strcmp(((const Row *)a)->method, ((const Row *)b)->method); }

/* "method",calls,failed,total,self */
static bool read_row(char *line, Row *r) {
    char *close = *line == '"' ? strrchr(line, '"') : NULL;
    long long v[4];
    if (!close || sscanf(close + 1, ",%lld,%lld,%lld,%lld", &v[0], &v[1], &v[2], &v[3]) != 4) return false;
    *close = 0;
    *r = (Row){text_of("%s", line + 1), v[0], v[1], v[2], v[3]};
    text_printable(r->method);
    return true;
}

static Table read_table(const char *file) {
    Table t = {.at = seconds_now()};
    char *line = NULL;
    size_t size = 0, room = 0;
    FILE *in = fopen(file, "re");
    if (!in) graft_die("%s: %m", file);
    while (getline(&line, &size, in) > 0) {
        if (t.n == room && !(t.rows = realloc(t.rows, (room = 2 * room + 64) * sizeof *t.rows))) graft_die("out of memory");
        t.n += read_row(line, &t.rows[t.n]);
    }
    free(line);
    fclose(in);
    if (t.n) qsort(t.rows, t.n, sizeof *t.rows, by_method);
    return t;
}

static void free_table(Table *t) {
    for (size_t i = 0; i < t->n; i++) free(t->rows[i].method);
    free(t->rows);
    *t = (Table){0};
}

/* ---- a look --------------------------------------------------------------------------------------- */

static int by_time(const void *x, const void *y) {
    const Row *a = x, *b = y;
    if (a->self != b->self) return a->self < b->self ? 1 : -1;
    if (a->calls != b->calls) return a->calls < b->calls ? 1 : -1;
    return strcmp(a->method, b->method);
}

/* What is in `now` and was not in `before`, the dearest first; methods as in `now`. */
static Row *changes(const Table *before, const Table *now, size_t *n) {
    Row *c = malloc((now->n + 1) * sizeof *c);
    if (!c) graft_die("out of memory");
    *n = 0;
    for (size_t i = 0; i < now->n; i++) {
        const Row *old = before->n ? bsearch(&now->rows[i], before->rows, before->n, sizeof(Row), by_method) : NULL;
        Row r = now->rows[i];
        if (old && old->calls <= r.calls)
            r = (Row){r.method, r.calls - old->calls, r.failed - old->failed, r.total - old->total, r.self - old->self};
        if (r.calls || r.self > 0) c[(*n)++] = r;
    }
    qsort(c, *n, sizeof *c, by_time);
    return c;
}

static long rows_that_fit(const Given *g) {
    struct winsize w;
    long most = 20;
    if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_row > 8) most = w.ws_row - 5;
    return option_number(g, "rows", most, 1);
}

static void show(const Process *p, const Table *before, const Table *now, long rows) {
    size_t n;
    double seconds = now->at - before->at;
    Row *c = changes(before, now, &n);
    if (isatty(STDOUT_FILENO)) printf("\033[H\033[2J");
    printf("%s%d  %.100s%s  %zu methods, %zu of them called in these %.1f s%s\n\n", ink(stdout, INK_BOLD), (int)p->pid,
           p->command, ink(stdout, INK_PLAIN), now->n, n, seconds, isatty(STDOUT_FILENO) ? "; Ctrl-C ends" : "");
    printf("%s%12s %9s %8s %8s %12s  method%s\n", ink(stdout, INK_BOLD), "calls/s", "failed/s", "total %", "self %", "us a call",
           ink(stdout, INK_PLAIN));
    for (size_t i = 0; i < n && (long)i < rows; i++)
        printf("%12.1f %9.1f %8.1f %8.1f %12.3f  %s\n", (double)c[i].calls / seconds, (double)c[i].failed / seconds,
               (double)c[i].total / 1e7 / seconds, (double)c[i].self / 1e7 / seconds,
               c[i].calls ? (double)c[i].total / 1e3 / (double)c[i].calls : 0, c[i].method);
    if (!isatty(STDOUT_FILENO)) putchar('\n');
    fflush(stdout);
    free(c);
}

static bool is_there(const Process *p) { return !kill(p->pid, 0) || errno != ESRCH; }

static void wait_until(double when) {
    for (double left; !ended && (left = when - seconds_now()) > 0;)
        nanosleep(&(struct timespec){(time_t)left, (long)((left - (double)(time_t)left) * 1e9)}, NULL);
}

/* ---- the command ----------------------------------------------------------------------------------- */

typedef struct View {
    long interval, looks, rows; /* looks 0: for ever */
} View;

/* The library stays in a JVM when its agent has been stopped: then it has no snapshot. */
static bool starts(const Given *g, const Process *p, const char *snapshot) {
    for (int i = 0; i < g->n; i++)
        if (!g->v[i].row->command) return true; /* an option of the agent */
    return !strstr(p->agents, "trace") || attach_ask(p, "trace", snapshot) != 0;
}

static void watch(const Process *p, const char *snapshot, const View *v) {
    Table before = {0};
    for (long i = 0; !ended && is_there(p) && (!v->looks || i <= v->looks); i++) {
        attach_load(p, "trace", snapshot);
        Table now = read_table(file);
        if (i) show(p, &before, &now, v->rows);
        free_table(&before);
        before = now;
        if (!v->looks || i < v->looks) wait_until(now.at + (double)v->interval);
    }
    free_table(&before);
}

static void remove_file(void) {
    unlink(file);
    rmdir(folder);
}

bool live_is_wanted(const AgentKind *a, const Given *g) { return strcmp(a->name, "trace") == 0 && option_on(g, "live"); }

int live_run(const AgentKind *a, const Given *g, const Process *p) {
    char *report;
    struct sigaction on_end = {.sa_handler = end};
    if (strcmp(a->name, "trace") != 0) graft_die("%s has no live view: graft trace", a->name);
    if (p->foreign || p->uid != geteuid())
        graft_die("process %d has other files or another user: --live needs the same", (int)p->pid);
    View view = {option_number(g, "interval", 2, 1), option_number(g, "looks", 0, 1), rows_that_fit(g)};
    char *options = attach_options(a, g, p, &report);
    if (!mkdtemp(folder)) graft_die("%s: %m", folder);
    file = text_of("%s/table", folder);
    atexit(remove_file);
    char *escaped = option_escaped(file), *snapshot = text_of("snapshot=%s", escaped);
    bool own = starts(g, p, snapshot);
    sigaction(SIGINT, &on_end, NULL);
    sigaction(SIGTERM, &on_end, NULL);
    if (own) attach_load(p, a->name, options);
    watch(p, snapshot, &view);
    if (!is_there(p)) graft_say("process %d has ended", (int)p->pid);
    else if (own) attach_load(p, a->name, "stop");
    if (own && report) graft_say("all of it is in %s", report);
    free(report);
    free(escaped);
    free(snapshot);
    return ferror(stdout) ? GRAFT_ERROR : 0;
}
