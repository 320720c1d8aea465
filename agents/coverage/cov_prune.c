/* SPDX-License-Identifier: Apache-2.0 */
/* cov_prune.c - when which classes lose probes that have passed; see cov_prune.h. */
#include "cov_prune.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "cf_table.h"

enum {
    PERIOD = 1000,         /* milliseconds of a round where nothing is compiled, or if asked for */
    SAMPLES = 10,          /* looks in it */
    REST_MAX = 16,         /* periods, if nothing is found */
    START = 4000,          /* of processor time, until the first round of compiled code, */
    LONGEST_SLEEP = 30000, /* ... looked at so often, at least */
    LOOK = 10,             /* between two looks */
    LOOK_LEAST = 2,        /* of processor time between them: else nothing happens that could be seen */
    IDLE_SHARE = 50,       /* who uses less than this part of the time does nothing */
    LONGEST_NAP = 1000,
    WATCH = 150,        /* looks of a round, */
    BUSY = 4,           /* ... of which so many found a class busy, */
    BUSY_ALONE = 75,    /* ... or on top of a stack */
    TRIES = 50,         /* looks for a moment when a class is on no stack */
    BATCHES = 3,        /* ... of which so many may rewrite */
    LOOK_SHARE = 20,    /* times what a look takes, before the next one */
    FRAMES_RUNNING = 4, /* of interpreted code: a probe's class may be the one that calls what runs */
    FRAMES_ALL = 1024   /* a stack that is deeper may hold anything */
};

static pthread_mutex_t pruner_lock = PTHREAD_MUTEX_INITIALIZER, round_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t pruner_wake = PTHREAD_COND_INITIALIZER;
static unsigned wanted_session; /* number of the session whose pruner may run; under pruner_lock */
static CovClasses *classes;     /* of it, until its thread has begun; likewise */

typedef struct Ways {
    int period; /* milliseconds; 0: by processor time */
    bool asked; /* nobody but the user may end it */
    bool all;   /* classes need not be found running */
    bool loops; /* are looked out for */
} Ways;
static Ways ways; /* likewise */

typedef struct Pruner {
    CovClasses *classes;
    JNIEnv *env;
    unsigned session;
    Ways ways;
    int64_t look; /* what the last look took, in nanoseconds */
} Pruner;

bool cov_prune_read(const char *text, int *period) {
    char *end;
    long n = 0;
    *period = COV_PRUNE_WHERE_IT_PAYS;
    if (!text) return true;
    if (!strcmp(text, "on")) n = PERIOD;
    else if (strcmp(text, "off") != 0 && ((n = strtol(text, &end, 10)) < 0 || *end || end == text || n > INT_MAX)) return false;
    *period = (int)n;
    return true;
}

/* ---- looks at stacks --------------------------------------------------------------------------- */

typedef struct Seen {
    const Agent *agent;
    JNIEnv *env;
    CfTable methods, names; /* jmethodIDs; names of their classes, which are the table's */
} Seen;

static bool same_word(const void *item, const void *key) { return item == key; }
static bool same_text(const void *item, const void *key) { return !strcmp(item, key); }

static bool has_name(const CfTable *names, const char *name) {
    return cf_table_find(names, cf_hash_bytes(name, strlen(name)), same_text, name) != NULL;
}

static void see_method(Seen *s, jmethodID method) {
    jclass cls;
    uint32_t hash = cf_hash_u64((uint64_t)(uintptr_t)method);
    if (cf_table_find(&s->methods, hash, same_word, method)) return;
    cf_table_add(&s->methods, hash, (void *)method);
    if ((*s->agent->ti)->GetMethodDeclaringClass(s->agent->ti, method, &cls)) return;
    char *name = agent_class_name(s->agent, cls);
    if (!name || has_name(&s->names, name) || !cf_table_add(&s->names, cf_hash_bytes(name, strlen(name)), name)) free(name);
    (*s->env)->DeleteLocalRef(s->env, cls);
}

static void forget_seen(Seen *s) {
    uint32_t it = 0;
    for (void *name; (name = cf_table_next(&s->names, &it));) free(name);
    cf_table_free(&s->names);
    cf_table_free(&s->methods);
}

static bool runs(jint state) {
    return (state & (JVMTI_THREAD_STATE_RUNNABLE | JVMTI_THREAD_STATE_IN_NATIVE)) == JVMTI_THREAD_STATE_RUNNABLE;
}

/* Classes of frames: the youngest ones of threads that run, or with `all` each frame of each thread. False if it cannot be told. */
static bool look(Pruner *p, Seen *s, jint frames, bool all) {
    jvmtiEnv *ti = p->classes->agent->ti;
    jvmtiStackInfo *threads;
    jint n;
    bool whole = true;
    int64_t from = agent_nanos(CLOCK_MONOTONIC);
    *s = (Seen){.agent = p->classes->agent, .env = p->env};
    if ((*ti)->GetAllStackTraces(ti, frames, &threads, &n)) return false;
    for (jint i = 0; i < n; i++) {
        whole &= threads[i].frame_count < frames;
        for (jint k = 0; (all || runs(threads[i].state)) && k < threads[i].frame_count; k++)
            see_method(s, threads[i].frame_buffer[k].method);
        (*p->env)->DeleteLocalRef(p->env, threads[i].thread);
    }
    (*ti)->Deallocate(ti, (unsigned char *)threads);
    p->look = agent_nanos(CLOCK_MONOTONIC) - from;
    return whole;
}

static void note_running(Pruner *p, jint frames) {
    Seen s;
    look(p, &s, frames, false);
    uint32_t it = 0;
    for (const char *name; (name = cf_table_next(&s.names, &it));) cov_writer_busy(p->classes->writer, name);
    forget_seen(&s);
}

static void note_storing(Pruner *p) {
    int64_t from = agent_nanos(CLOCK_THREAD_CPUTIME_ID);
    cov_writer_look(p->classes->writer);
    p->look = agent_nanos(CLOCK_THREAD_CPUTIME_ID) - from;
}

/* ---- rewriting ----------------------------------------------------------------------------------- */

/* Of `found`, the classes that may go now come first; their number. */
static jint put_apart(Pruner *p, jclass *found, jint n) {
    Seen s;
    jint kept = 0;
    bool known = look(p, &s, FRAMES_ALL, true);
    for (jint i = 0; i < n; i++) {
        char *name = agent_class_name(p->classes->agent, found[i]);
        if (name && (!cov_writer_loops(p->classes->writer, name) || (known && !has_name(&s.names, name)))) {
            jclass swap = found[kept];
            found[kept++] = found[i];
            found[i] = swap;
        }
        free(name);
    }
    forget_seen(&s);
    return kept;
}

static bool is_among(void *names, JNIEnv *env, jclass cls, const char *name) { return has_name(names, name); }

/* How many of `names` lost probes; those are told to the writer. */
static uint32_t take_out(Pruner *p, CfTable *names) {
    jclass *found = NULL;
    const Agent *a = p->classes->agent;
    jint n = agent_find_classes(a, p->env, is_among, names, &found);
    jint kept = p->ways.loops ? put_apart(p, found, n) : n;
    if (kept) agent_retransform_these(a, p->env, kept, found);
    for (jint i = 0; i < n; i++) {
        char *name = i < kept ? agent_class_name(a, found[i]) : NULL;
        if (name) cov_writer_pruned(p->classes->writer, name);
        free(name);
        (*p->env)->DeleteLocalRef(p->env, found[i]);
    }
    (*a->ti)->Deallocate(a->ti, (unsigned char *)found);
    if (kept) agent_log(a, AGENT_DEBUG, "%d classes lost probes that have passed", (int)kept);
    return (uint32_t)kept;
}

/* One batch of the classes that are due. `left`: some of them have to wait. */

static bool rewrite_due(Pruner *p, uint32_t busy, bool quiet, bool *left) {
    CfTable names = {0};
    pthread_mutex_lock(&round_lock);
    char *text = p->classes->prune ? cov_writer_due(p->classes->writer, busy, quiet) : NULL;
    for (char *at = text; at && *at; at += strlen(at) + 1) cf_table_add(&names, cf_hash_bytes(at, strlen(at)), at);
    uint32_t n = names.count ? take_out(p, &names) : 0;
    *left = n < names.count;
    pthread_mutex_unlock(&round_lock);
    cf_table_free(&names);
    free(text);
    return n > 0;
}

/* ---- time ------------------------------------------------------------------------------------------ */

/* False when the session is over. */
static bool wait_ms(const Pruner *p, int64_t ms) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    pthread_mutex_lock(&pruner_lock);
    int64_t ns = until.tv_nsec + ms * 1000000;
    until.tv_sec += ns / 1000000000;
    until.tv_nsec = ns % 1000000000;
    while (wanted_session == p->session && !pthread_cond_timedwait(&pruner_wake, &pruner_lock, &until)) {}
    bool on = wanted_session == p->session;
    pthread_mutex_unlock(&pruner_lock);
    return on;
}

static int64_t used_ms(void) { return agent_nanos(CLOCK_PROCESS_CPUTIME_ID) / 1000000; }

/* Until the process has used so much processor time: it cannot do so sooner than with all processors. */
static bool wait_used(const Pruner *p, int64_t ms) {
    int processors = get_nprocs(); /* sysconf would make the package ask for a newer glibc */
    for (int64_t left; (left = ms - used_ms()) > 0;) {
        int64_t sleep = left / (processors > 1 ? processors : 1) + LOOK;
        if (!wait_ms(p, sleep < LONGEST_SLEEP ? sleep : LONGEST_SLEEP)) return false;
    }
    return true;
}

/* Until the next look at compiled code; a process that does nothing is asked more and more seldom. */
static bool wait_look(const Pruner *p) {
    int64_t share = p->look * LOOK_SHARE / 1000000, sleep = share > LOOK ? share : LOOK, from = used_ms(), used = 0;
    do {
        if (!wait_ms(p, sleep)) return false;
        int64_t now = used_ms() - from;
        if (now - used <= sleep / IDLE_SHARE && sleep < LONGEST_NAP) sleep *= 2;
        used = now;
    } while (used < LOOK_LEAST);
    return true;
}

/* ---- rounds ---------------------------------------------------------------------------------------- */

static bool wait_period(Pruner *p, int ms) {
    for (int i = 0; i < SAMPLES && !p->ways.all; i++) {
        if (!wait_ms(p, ms / SAMPLES)) return false;
        note_running(p, FRAMES_RUNNING);
    }
    return !p->ways.all || wait_ms(p, ms);
}

static void prune_by_period(Pruner *p) {
    for (int rest = 1; wait_period(p, p->ways.period * rest);) {
        bool left, any = rewrite_due(p, !p->ways.all, false, &left);
        rest = any || left || p->ways.all ? 1 : rest < REST_MAX ? 2 * rest : rest; /* a program that idles is left alone */
    }
}

static bool one_processor(void) {
    cpu_set_t set;
    return !sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) == 1;
}

static bool watch(Pruner *p, bool alone) {
    cov_writer_watch(p->classes->writer);
    for (int i = 0; i < WATCH; i++) {
        if (!wait_look(p)) return false;
        if (alone) note_running(p, 1);
        else note_storing(p);
    }
    cov_writer_watched(p->classes->writer);
    return true;
}

static void prune_by_use(Pruner *p) {
    for (int64_t next = START; wait_used(p, next); next = 2 * used_ms()) {
        bool left = true, alone = one_processor();
        if (!watch(p, alone)) return;
        for (int tries = 0, batches = 0; left && tries < TRIES && batches < BATCHES; tries++) {
            if (tries && !wait_look(p)) return;
            batches += rewrite_due(p, alone ? BUSY_ALONE : BUSY, true, &left);
        }
    }
}

static void JNICALL pruner(jvmtiEnv *ti, JNIEnv *env, void *arg) {
    pthread_mutex_lock(&pruner_lock);
    Pruner p = {.classes = classes, .env = env, .session = wanted_session, .ways = ways};
    classes = NULL;
    pthread_mutex_unlock(&pruner_lock);
    if (!p.classes) return; /* the session that it was started for is over, or another thread has taken over */
    if (p.ways.period) prune_by_period(&p);
    else prune_by_use(&p);
}

/* ---- sessions -------------------------------------------------------------------------------------- */

static bool interpreted(const Agent *a) {
    char *info = NULL;
    bool yes = !(*a->ti)->GetSystemProperty(a->ti, "java.vm.info", &info) && info && strstr(info, "interpreted mode");
    (*a->ti)->Deallocate(a->ti, (unsigned char *)info);
    return yes;
}

void cov_prune_begin(CovClasses *c, const char *text, int period, bool may) {
    bool compiled = !interpreted(c->agent), by_itself = period == COV_PRUNE_WHERE_IT_PAYS,
         all = !by_itself && strcmp(text, "on") != 0;
    Ways w = {.period = all ? period : compiled ? 0 : PERIOD, .asked = !by_itself, .all = all, .loops = compiled && !all};
    c->prune = by_itself ? may && !compiled : period > 0;
    pthread_mutex_lock(&pruner_lock);
    classes = c->prune ? c : NULL;
    ways = w;
    pthread_mutex_unlock(&pruner_lock);
    if (c->prune && w.period) agent_log(c->agent, AGENT_DEBUG, "probes that have passed are taken out every %d ms", w.period);
    else if (c->prune)
        agent_log(c->agent, AGENT_DEBUG, "probes that have passed are taken out after %d ms of processor time", START);
}

void cov_prune_start(CovClasses *c, JNIEnv *env) {
    if (c->prune) agent_start_thread(c->agent, env, "coverage", pruner);
}

void cov_prune_end(void) {
    pthread_mutex_lock(&pruner_lock);
    wanted_session++;
    classes = NULL;
    pthread_cond_broadcast(&pruner_wake);
    pthread_mutex_unlock(&pruner_lock);
}

bool cov_prune_leave(CovClasses *c, JNIEnv *env) {
    if (!c->prune) return true;
    pthread_mutex_lock(&pruner_lock);
    bool asked = ways.asked;
    pthread_mutex_unlock(&pruner_lock);
    if (asked) return false;
    cov_prune_end();
    pthread_mutex_lock(&round_lock);
    c->prune = false;
    if (c->rewritten) cov_classes_retransform(c, env);
    pthread_mutex_unlock(&round_lock);
    return true;
}
