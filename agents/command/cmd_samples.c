/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_samples.c - see cmd_samples.h. The form of a dump is HotSpot's, 8 to 25, which Graft has as well. */
#include "cmd_samples.h"
#include "cmd_attach.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* ---- threads ----------------------------------------------------------------------------------- */

static ThreadSample *thread_of(Samples *s, long tid) {
    for (size_t i = 0; i < s->nthreads; i++)
        if (s->threads[i].tid == tid) return &s->threads[i];
    s->threads = realloc(s->threads, (s->nthreads + 1) * sizeof *s->threads);
    if (!s->threads) graft_die("out of memory");
    s->threads[s->nthreads] = (ThreadSample){.tid = tid, .cpu = -1, .bytes = -1, .bytes_begin = -1};
    return &s->threads[s->nthreads++];
}

static bool read_number(const char *path, const char *fmt, long long *value) {
    FILE *in = fopen(path, "re");
    bool ok = in && fscanf(in, fmt, value) == 1;
    if (in) fclose(in);
    return ok;
}

/* In a container the JVM numbers its threads otherwise. */
static long inner_number(const Process *p, const char *task) {
    char path[64], line[256];
    long tid = atol(task);
    snprintf(path, sizeof path, "/proc/%d/task/%ld/status", (int)p->pid, tid);
    FILE *in = p->inner != p->pid ? fopen(path, "re") : NULL;
    while (in && fgets(line, sizeof line, in))
        if (!strncmp(line, "NSpid:", 6)) tid = atol(strrchr(line, '\t') + 1);
    if (in) fclose(in);
    return tid;
}

/* Processor time of all threads now. */
static void read_times(Samples *s) {
    char path[320];
    long long nanos;
    snprintf(path, sizeof path, "/proc/%d/task", (int)s->process->pid);
    DIR *tasks = opendir(path);
    for (struct dirent *e; tasks && (e = readdir(tasks));) {
        snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", (int)s->process->pid, e->d_name);
        if (*e->d_name == '.' || !read_number(path, "%lld", &nanos)) continue;
        ThreadSample *t = thread_of(s, inner_number(s->process, e->d_name));
        if (t->cpu < 0) t->cpu_begin = nanos;
        t->cpu = nanos;
        t->seen = true;
    }
    if (tasks) closedir(tasks);
}

/* ---- stacks ------------------------------------------------------------------------------------ */

static void add_weight(Weight **list, size_t *n, const char *text, int64_t nanos) {
    for (size_t i = 0; i < *n; i++)
        if (!strcmp((*list)[i].text, text)) return (void)((*list)[i].nanos += nanos);
    *list = realloc(*list, (*n + 1) * sizeof **list);
    if (!*list) graft_die("out of memory");
    (*list)[(*n)++] = (Weight){text_of("%s", text), nanos};
}

typedef struct Stack {
    ThreadSample *thread;
    int64_t nanos;
    char text[4096];
    size_t len;
    int depth;
} Stack;

static void finish(Samples *s, Stack *k) {
    char method[512];
    if (k->thread && k->depth && k->nanos > 0 && !strcmp(k->thread->state, "RUNNABLE")) {
        snprintf(method, sizeof method, "%.*s", (int)strcspn(k->text, "\n"), k->text);
        method[strcspn(method, "(")] = 0;
        add_weight(&s->methods, &s->nmethods, method, k->nanos);
        add_weight(&s->stacks, &s->nstacks, k->text, k->nanos);
        s->total += k->nanos;
    }
    *k = (Stack){0};
}

/* "101304B", "447K"; -1: not told. */
static int64_t bytes_of(const char *line) {
    const char *at = strstr(line, " allocated=");
    char *end;
    if (!at) return -1;
    double n = strtod(at + 11, &end);
    return (int64_t)(n * (*end == 'K' ? 1 << 10 : *end == 'M' ? 1 << 20 : *end == 'G' ? 1 << 30 : 1));
}

/* "name" #1 ... nid=0x10a1 state */
static void head_line(Samples *s, Stack *k, const char *line, const int64_t *before, size_t nbefore) {
    const char *end = strrchr(line, '"'), *nid = end ? strstr(end, " nid=") : NULL;
    if (!nid) return;
    ThreadSample *t = thread_of(s, strtol(nid + 5, NULL, 0));
    snprintf(t->name, sizeof t->name, "%.*s", (int)(end - line - 1), line + 1);
    snprintf(t->state, sizeof t->state, "VM");
    t->bytes = bytes_of(end);
    if (t->bytes_begin < 0) t->bytes_begin = t->bytes;
    size_t i = (size_t)(t - s->threads);
    k->thread = t;
    k->nanos = i < nbefore && before[i] >= 0 ? t->cpu - before[i] : 0;
}

static void frame_line(Stack *k, const char *line, size_t n) {
    const char *version = memchr(line, '@', n), *module = memchr(line, '/', n), *paren = memchr(line, '(', n);
    if (version && module && paren && version < module && module < paren) { /* java.base@17/java.lang.X: no module is wanted */
        n -= (size_t)(module + 1 - line);
        line = module + 1;
    }
    if (k->depth++ >= STACK_DEPTH || k->len + n + 2 > sizeof k->text) return;
    k->len += (size_t)snprintf(k->text + k->len, sizeof k->text - k->len, "%s%.*s", k->len ? "\n" : "", (int)n, line);
}

static void read_dump(Samples *s, const char *text, const int64_t *before, size_t nbefore) {
    Stack k = {0};
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t n = strcspn(line, "\n");
        char *copy = text_printable(text_of("%.*s", (int)n, line)), *state = strstr(copy, "java.lang.Thread.State: ");
        if (*copy == '"') {
            finish(s, &k);
            head_line(s, &k, copy, before, nbefore);
        } else if (state && k.thread)
            snprintf(k.thread->state, sizeof k.thread->state, "%.*s", (int)strcspn(state + 24, " "), state + 24);
        else if (!strncmp(copy, " at ", 4)) frame_line(&k, copy + 4, n - 4);
        free(copy);
    }
    finish(s, &k);
}

void samples_take(Samples *s) {
    char *text;
    size_t n = s->nthreads;
    int64_t *before = calloc(n + 1, sizeof *before);
    if (!before) graft_die("out of memory");
    for (size_t i = 0; i < n; i++) {
        before[i] = s->threads[i].cpu;
        s->threads[i].seen = false;
    }
    read_times(s);
    if (attach_request(s->process, "threaddump", "-e", "", "", &text))
        graft_die("process %d gives no thread dump: %.200s", (int)s->process->pid, text);
    read_dump(s, text, before, n);
    free(before);
    free(text);
}

static void forget(Weight **list, size_t *n) {
    for (size_t i = 0; i < *n; i++) free((*list)[i].text);
    free(*list);
    *list = NULL;
    *n = 0;
}

void samples_begin(Samples *s) {
    for (size_t i = 0; i < s->nthreads; i++) {
        s->threads[i].cpu_begin = s->threads[i].cpu;
        s->threads[i].bytes_begin = s->threads[i].bytes;
    }
    forget(&s->methods, &s->nmethods);
    forget(&s->stacks, &s->nstacks);
    s->total = 0;
}

static int heavier(const void *a, const void *b) {
    int64_t x = ((const Weight *)a)->nanos, y = ((const Weight *)b)->nanos;
    return (y > x) - (y < x);
}

static int busier(const void *a, const void *b) {
    const ThreadSample *x = a, *y = b;
    int64_t p = x->cpu - x->cpu_begin, q = y->cpu - y->cpu_begin;
    return (q > p) - (q < p);
}

void samples_sort(Samples *s) {
    if (s->nmethods) qsort(s->methods, s->nmethods, sizeof *s->methods, heavier);
    if (s->nstacks) qsort(s->stacks, s->nstacks, sizeof *s->stacks, heavier);
    if (s->nthreads) qsort(s->threads, s->nthreads, sizeof *s->threads, busier);
}
