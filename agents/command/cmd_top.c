/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_top.c - `graft top`: what a running JVM does, once or again and again. */
#include "cmd_samples.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DUMPS = 10, STACKS = 3, STACK_LINES = 6 };

typedef struct Gc {
    int64_t runs, ticks, used, capacity, loaded, frequency;
    bool known;
} Gc;

static Gc read_gc(const Process *p) {
    Gc g = {0};
    PerfData d;
    int64_t v;
    char name[80];
    if (!(g.known = perf_read(p, &d))) return g;
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "sun.gc.collector.%d.invocations", i);
        if (perf_number(&d, name, &v)) g.runs += v;
        snprintf(name, sizeof name, "sun.gc.collector.%d.time", i);
        if (perf_number(&d, name, &v)) g.ticks += v;
        for (int k = 0; k < 3 && i < 2; k++) {
            snprintf(name, sizeof name, "sun.gc.generation.%d.space.%d.used", i, k);
            if (perf_number(&d, name, &v)) g.used += v;
            snprintf(name, sizeof name, "sun.gc.generation.%d.space.%d.capacity", i, k);
            if (perf_number(&d, name, &v)) g.capacity += v;
        }
    }
    if (!perf_number(&d, "sun.os.hrt.frequency", &g.frequency) || g.frequency <= 0) g.frequency = 1000000000;
    if (perf_number(&d, "java.cls.loadedClasses", &v)) g.loaded = v;
    if (perf_number(&d, "java.cls.sharedLoadedClasses", &v)) g.loaded += v;
    perf_free(&d);
    return g;
}

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void pause_for(double seconds) {
    struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

/* ---- tables ------------------------------------------------------------------------------------ */

static void heading(const char *text) { printf("\n%s%s%s\n", ink(stdout, INK_BOLD), text, ink(stdout, INK_PLAIN)); }

/* Bytes that all threads allocated; -1: the VM does not tell. */
static double allocated(const Samples *s) {
    double sum = -1;
    for (size_t i = 0; i < s->nthreads; i++)
        if (s->threads[i].bytes >= 0) sum = (sum < 0 ? 0 : sum) + (double)(s->threads[i].bytes - s->threads[i].bytes_begin);
    return sum;
}

static void put_head(const Samples *s, const Gc *before, const Gc *now, double seconds) {
    const Process *p = s->process;
    int64_t cpu = 0;
    int threads = 0;
    double bytes = allocated(s);
    for (size_t i = 0; i < s->nthreads; i++) {
        cpu += s->threads[i].cpu > 0 ? s->threads[i].cpu - s->threads[i].cpu_begin : 0;
        threads += s->threads[i].seen;
    }
    printf("%s%d  %.120s%s\n", ink(stdout, INK_BOLD), (int)p->pid, p->command, ink(stdout, INK_PLAIN));
    printf("vm %s %s, up %s, %d threads%s%s\n", p->vm, p->version, text_seconds(p->uptime), threads,
           *p->agents ? ", agents " : "", p->agents);
    printf("cpu %.0f %%, allocation %s%s\n", (double)cpu / seconds / 1e7, bytes < 0 ? "not told" : text_bytes(bytes / seconds),
           bytes < 0 ? "" : "/s");
    if (!now->known) return (void)printf("heap and collector: no performance data (-XX:-UsePerfData?)\n");
    printf("heap %s of %s, collections %lld (+%lld), %.2f s in all, %.1f %% of the time now, classes %lld\n",
           text_bytes((double)now->used), text_bytes((double)now->capacity), (long long)now->runs,
           (long long)(now->runs - before->runs), (double)now->ticks / (double)now->frequency,
           100.0 * (double)(now->ticks - before->ticks) / (double)now->frequency / seconds, (long long)now->loaded);
}

static void put_threads(const Samples *s, long rows, double seconds) {
    heading("   cpu     alloc/s  state          thread");
    for (size_t i = 0; i < s->nthreads && rows; i++) {
        const ThreadSample *t = &s->threads[i];
        if (!t->seen || !*t->name) continue;
        rows--;
        double bytes = t->bytes < 0 ? 0 : (double)(t->bytes - t->bytes_begin) / seconds;
        printf("%5.1f %% %11s  %-14s %s\n", (double)(t->cpu - t->cpu_begin) / seconds / 1e7,
               t->bytes < 0 ? "-" : text_bytes(bytes), t->state, t->name);
    }
}

static void put_weights(const Samples *s, long rows) {
    heading("   cpu  method");
    for (size_t i = 0; i < s->nmethods && (long)i < rows; i++)
        printf("%5.1f %% %s\n", 100.0 * (double)s->methods[i].nanos / (double)s->total, s->methods[i].text);
    if (!s->nmethods) printf("        no thread was seen using the processor in Java code\n");
    heading("   cpu  stack");
    for (size_t i = 0; i < s->nstacks && i < STACKS; i++) {
        const char *line = s->stacks[i].text;
        printf("%5.1f %% ", 100.0 * (double)s->stacks[i].nanos / (double)s->total);
        for (int k = 0; k < STACK_LINES && *line; k++, line += strcspn(line, "\n"), line += *line == '\n')
            printf("%s%.*s\n", k ? "          " : "", (int)strcspn(line, "\n"), line);
    }
}

static void look(Samples *s, long interval, long rows, bool clear) {
    Gc before = read_gc(s->process), now;
    double begun = seconds_now();
    samples_begin(s);
    for (int i = 1; i <= DUMPS; i++) {
        double left = begun + (double)interval * i / DUMPS - seconds_now();
        if (left > 0) pause_for(left);
        samples_take(s);
    }
    double seconds = seconds_now() - begun;
    now = read_gc(s->process);
    samples_sort(s);
    if (clear) printf("\033[H\033[2J");
    put_head(s, &before, &now, seconds);
    put_threads(s, rows, seconds);
    put_weights(s, rows);
    fflush(stdout);
}

int top_run(const Command *c, Given *g) {
    if (g->nrest != 1) graft_die("top: which process? graft top PID|NAME");
    long interval = option_number(g, "interval", 2, 1), rows = option_number(g, "rows", 10, 1);
    bool once = option_on(g, "once") || !isatty(STDOUT_FILENO);
    Process p = process_find(g->rest[0]);
    Samples s = {.process = &p};
    samples_take(&s);
    do {
        look(&s, interval, rows, !once);
        if (!once && !process_read(p.pid, &p)) graft_die("process %s has ended", g->rest[0]);
    } while (!once);
    return ferror(stdout) ? GRAFT_ERROR : 0;
}
