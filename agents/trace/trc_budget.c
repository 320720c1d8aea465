/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_budget.c - see trc_budget.h. Looks are made by a thread of the agent, which holds `turn` meanwhile, so that whoever has ended
 * the watch and taken `turn` knows that none goes on. The agent's lock guards the array of methods.
 */
#include "trc_budget.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    LOOK = 10 * 1000 * 1000,    /* nanoseconds between looks, at least */
    LOOKS_SHARE = 1000,         /* ... and this many times as long as a look takes, */
    LATEST = 200 * 1000 * 1000, /* ... but no more than this */
    ENOUGH = 5 * 1000 * 1000,   /* processor time in nanoseconds; what used less is looked at together with what comes */
    WARM_UP = 5 * 1000 * 1000,  /* nanoseconds: until the helper's methods are compiled */
    PAIRS = 100,                /* calls that are measured at a time */
    LEAST = 500,                /* a thread's allowance, and that of a new one */
    FIRST = 5000
};

static const double SURE = 1.2; /* calls for each that was counted */

typedef struct Method {
    int64_t calls, before; /* that were counted: at this look and at the last one */
    int64_t kept;          /* time for which it was counted; 0: it still is */
    int round;             /* in which it was let go */
    bool conditions;
} Method;

static struct State {
    TrcBudget b;
    Method *methods;
    uint32_t n, cap;
    double wanted;      /* calls that there were for each that was counted, since the last look */
    double call, spent; /* nanoseconds: a call, all in all */
    int64_t begun, cpu_begun, cpu, retransforming;
    int round;
    uint32_t let_go;
} s;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int generation; /* of the watch that is on; under `turn` */

double trc_share_of(const char *text) {
    char *end;
    double v = strtod(text, &end);
    if (end == text || !(v > 0 && v <= 100) || (*end && strcmp(end, "%") != 0)) return -1;
    return v / 100;
}

/* ---- what calls cost ------------------------------------------------------------------------------- */

static void measure_call(JNIEnv *env, jmethodID calibrate) {
    int64_t from = agent_nanos(CLOCK_THREAD_CPUTIME_ID);
    (*env)->CallStaticVoidMethod(env, s.b.helper, calibrate, 0, PAIRS);
    double each = (double)(agent_nanos(CLOCK_THREAD_CPUTIME_ID) - from) / PAIRS * 1.25;
    if (!s.call || each < s.call) s.call = each;
}

static bool make_room(uint32_t n) {
    if (n <= s.cap) return s.n = n, true;
    uint32_t cap = n + n / 2 + 64;
    s.b.lock(true);
    Method *more = realloc(s.methods, cap * sizeof *more);
    if (more) {
        memset(more + s.cap, 0, (cap - s.cap) * sizeof *more);
        s.methods = more;
        s.cap = cap;
        s.n = n;
    }
    s.b.lock(false);
    return more;
}

static void count_calls(void) {
    size_t depth = 0;
    s.b.lock(true);
    for (uint32_t i = 0; i < s.n; i++) {
        s.methods[i].calls = 0;
        s.methods[i].conditions = s.b.has_condition(i);
    }
    for (TrcThread *th = trc_first(s.b.tree); th; th = th->all)
        for (TrcNode *n = &th->root; (n = trc_next(&th->root, n, &depth));) {
            uint32_t m = trc_method(n->key);
            if (m < s.n) s.methods[m].calls += n->calls;
        }
    s.b.lock(false);
}

static double cost_of(uint32_t m) {
    double calls = (double)(s.methods[m].calls - s.methods[m].before);
    return calls <= 0 ? 0 : calls * s.wanted * s.call * (s.methods[m].conditions ? 2 : 1);
}

/* ---- letting go ------------------------------------------------------------------------------------ */

static int by_cost(const void *a, const void *b) {
    double x = cost_of(*(const uint32_t *)a), y = cost_of(*(const uint32_t *)b);
    return x > y ? -1 : x < y;
}

/* The dearest methods, until no more than `left` nanoseconds of this look's cost remain. If many calls are missing, nobody knows whose they
 * are: only what made a good part of those that were counted goes, the next look tells the rest. */
static bool choose(double cost, double left) {
    uint32_t *order = malloc((s.n + 1) * sizeof *order), n = 0, chosen = 0;
    if (!order) return false;
    for (uint32_t i = 0; i < s.n; i++)
        if (!s.methods[i].kept && cost_of(i) > 0) order[n++] = i;
    qsort(order, n, sizeof *order, by_cost);
    double least = s.wanted > SURE ? cost / 20 : 0;
    for (; chosen < n && cost > left && cost_of(order[chosen]) >= least; chosen++) {
        Method *m = &s.methods[order[chosen]];
        cost -= cost_of(order[chosen]);
        m->kept = agent_nanos(CLOCK_MONOTONIC) - s.begun;
        m->round = s.round;
    }
    free(order);
    s.let_go += chosen;
    return chosen;
}

static void let_go(JNIEnv *env) {
    int64_t from = agent_nanos(CLOCK_THREAD_CPUTIME_ID);
    s.b.let_go(env);
    s.retransforming += agent_nanos(CLOCK_THREAD_CPUTIME_ID) - from;
}

/* Deals out what the budget allows until the next look, to the threads that have counted since the last one. Sets s.wanted. */
static void allow(double used) {
    int64_t refused = s.b.tree->refused, counted = 0, busy = 0;
    if (!s.b.tree->limited) return;
    s.b.lock(true);
    for (TrcThread *th = trc_first(s.b.tree); th; th = th->all) busy += th->entered != th->begun;
    int64_t calls = (int64_t)(used * s.b.share / (s.call + 1) / (double)(busy ? busy : 1)) + LEAST;
    for (TrcThread *th = trc_first(s.b.tree); th; th = th->all)
        if (th->entered != th->begun) counted += trc_allow(s.b.tree, th, calls);
    refused = s.b.tree->refused - refused;
    s.wanted = counted ? (double)(counted + refused) / (double)counted : 1;
    s.b.lock(false);
}

/* The probes that would cost too much if all calls were counted. */
static void judge(JNIEnv *env, double used) {
    double wanted = 0;
    for (uint32_t i = 0; i < s.n; i++) wanted += cost_of(i);
    double spent = wanted / s.wanted, plain = used > spent * 1.01 ? used - spent : used * 0.01;
    s.spent += spent;
    s.round++;
    if (wanted > s.b.share * plain && choose(wanted, s.b.share * plain / 2)) let_go(env);
    for (uint32_t i = 0; i < s.n; i++) s.methods[i].before = s.methods[i].calls;
}

static void look(JNIEnv *env) {
    int64_t own = agent_nanos(CLOCK_THREAD_CPUTIME_ID), cpu = agent_nanos(CLOCK_PROCESS_CPUTIME_ID) - s.cpu_begun;
    if (cpu - s.cpu < ENOUGH || !make_room(s.b.methods())) return;
    count_calls();
    allow((double)(cpu - s.cpu));
    judge(env, (double)(cpu - s.cpu));
    s.cpu = cpu;
    s.spent += (double)(agent_nanos(CLOCK_THREAD_CPUTIME_ID) - own);
}

/* ---- the watch ------------------------------------------------------------------------------------- */

static void JNICALL watch(jvmtiEnv *ti, JNIEnv *env, void *unused) {
    int64_t warm = agent_nanos(CLOCK_THREAD_CPUTIME_ID) + WARM_UP, took = 0;
    pthread_mutex_lock(&turn);
    s.b.stand_apart(env);
    int mine = generation;
    jmethodID calibrate = (*env)->GetStaticMethodID(env, s.b.helper, "calibrate", "(II)V");
    while (calibrate && agent_nanos(CLOCK_THREAD_CPUTIME_ID) < warm) measure_call(env, calibrate);
    while (calibrate && generation == mine) {
        int64_t pause = took * LOOKS_SHARE;
        pause = pause < LOOK ? LOOK : pause > LATEST ? LATEST : pause;
        pthread_mutex_unlock(&turn);
        nanosleep(&(struct timespec){pause / 1000000000, pause % 1000000000}, NULL);
        pthread_mutex_lock(&turn);
        if (generation != mine) break;
        int64_t from = agent_nanos(CLOCK_THREAD_CPUTIME_ID) - s.retransforming;
        measure_call(env, calibrate);
        look(env);
        took = agent_nanos(CLOCK_THREAD_CPUTIME_ID) - s.retransforming - from;
    }
    pthread_mutex_unlock(&turn);
}

bool trc_budget_begin(const TrcBudget *b, JNIEnv *env) {
    trc_budget_end();
    pthread_mutex_lock(&turn);
    b->lock(true);
    free(s.methods);
    s = (struct State){
        .b = *b, .wanted = 1, .begun = agent_nanos(CLOCK_MONOTONIC), .cpu_begun = agent_nanos(CLOCK_PROCESS_CPUTIME_ID)};
    b->tree->allowance = b->share ? FIRST : INT64_MAX;
    for (TrcThread *th = trc_first(b->tree); th; th = th->all) trc_allow(b->tree, th, b->tree->allowance);
    b->tree->refused = 0;
    b->lock(false);
    pthread_mutex_unlock(&turn);
    return !b->share || agent_start_thread(b->agent, env, "graft trace budget", watch);
}

void trc_budget_end(void) {
    pthread_mutex_lock(&turn);
    generation++;
    pthread_mutex_unlock(&turn);
}

bool trc_let_go(uint32_t m) {
    if (!s.b.lock) return false;
    s.b.lock(true);
    bool gone = m < s.n && s.methods[m].kept;
    s.b.lock(false);
    return gone;
}

bool trc_let_go_now(uint32_t m) { return m < s.n && s.methods[m].kept && s.methods[m].round == s.round; }

double trc_kept(uint32_t m) {
    int64_t all = agent_nanos(CLOCK_MONOTONIC) - s.begun;
    return m < s.n && s.methods[m].kept && all ? (double)s.methods[m].kept / (double)all : 1;
}

bool trc_budget_spent(TrcSpent *spent) {
    int64_t cpu = agent_nanos(CLOCK_PROCESS_CPUTIME_ID) - s.cpu_begun;
    *spent = (TrcSpent){.share = s.spent < (double)cpu ? s.spent / ((double)cpu - s.spent) : 1,
                        .call_nanos = s.call,
                        .retransforming = s.retransforming,
                        .methods = s.let_go,
                        .refused = s.b.tree ? s.b.tree->refused : 0};
    return s.b.share > 0;
}
