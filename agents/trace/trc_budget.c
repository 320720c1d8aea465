/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_budget.c - see trc_budget.h. Looks are made by a thread of the agent, which holds `turn` meanwhile, so that whoever has ended
 * the watch and taken `turn` knows that none goes on. The agent's lock guards the array of methods. Threads of the program
 * and the agent's thread tell each other by two words that a class has been left and that its probes are gone. They wait by short sleeps, and never
 * without a limit, for a retransformation may need what the other one holds.
 */
#include "trc_budget.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    LOOK = 10 * 1000 * 1000,     /* nanoseconds between looks, at least, */
    LOOK_SOON = 3 * 1000 * 1000, /* ... while calls are refused */
    LOOKS_SHARE = 1000,          /* ... and this many times as long as a look takes, */
    LATEST = 200 * 1000 * 1000,  /* ... but no more than this */
    ENOUGH = 2 * 1000 * 1000,    /* processor time in nanoseconds; what used less is looked at together with what comes */
    WARM_UP = 2 * 1000 * 1000,   /* nanoseconds: until the helper's methods are compiled */
    PAIRS = 100,                 /* calls that are measured at a time, */
    CLOSED_PAIRS = 1000,         /* ... of a closed method, */
    ENOUGH_TIMES = 100,          /* ... and for how many times */
    WAIT = 100 * 1000 * 1000, /* what closed probes may have cost, in nanoseconds, until classes that are on a stack lose them, */
    WAIT_IN_VAIN = 5 * 1000 * 1000, /* ... if it loses little by that */
    SHORT = 5 * 1000 * 1000,        /* ... that a call may take whose end is not worth waiting for */
    MEETING = 100 * 1000 * 1000,    /* ... that a thread of the program waits for the agent's */
    NAP = 500 * 1000,               /* ... between two looks whether the other one has spoken */
    FEW = 20,                       /* counted calls that say nothing of those that were refused */
    LEAST = 500,                    /* a thread's allowance, and that of a new one */
    FIRST = 5000
};

static const double SURE = 1.2;       /* calls for each that was counted */
static const double TURN = 60;        /* nanoseconds: an interpreted turn of a loop */
static const double LEAST_CLOSED = 1; /* nanoseconds */
static const double RESIDUE = 0.25;   /* of the budget: what closed probes may cost */

enum Going { COUNTED, CLOSED, LEAVING, NOW, GONE };

typedef struct Method {
    int64_t calls, before; /* that were counted: at this look and at the last one */
    int64_t kept;          /* time for which it was counted */
    int64_t since;         /* LEAVING: processor time of the process */
    double rate;           /* calls a nanosecond of the process when it was let go */
    uint32_t class_number;
    enum Going going;
    bool conditions;
} Method;

static struct State {
    TrcBudget b;
    Method *methods;
    uint32_t n, cap;
    double wanted;              /* calls that there were for each that was counted, since the last look */
    double call, closed, spent; /* nanoseconds: a call, one of a closed method, all in all */
    struct {
        int64_t none, counted, closed;
        int times;
    } measured; /* the least times so far */
    int64_t begun, cpu_begun, cpu, retransforming;
    uint32_t let_go;
    double paid;   /* nanoseconds that waiting in vain has cost */
    bool leaving;  /* is any class? */
    bool restless; /* calls were refused: something is about to be let go */
} s;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int generation; /* of the watch that is on; under `turn` */

static bool is_called;                                                           /* a class has been left */
static unsigned removals;                                                        /* how often probes have been taken out */
static const uint32_t NOBODY = TRC_METHODS - 1, CLOSED_NOBODY = TRC_METHODS - 2; /* no methods: to measure */

double trc_share_of(const char *text) {
    char *end;
    double v = strtod(text, &end);
    if (end == text || !(v > 0 && v <= 100) || (*end && strcmp(end, "%") != 0)) return -1;
    return v / 100;
}

/* ---- what calls cost ------------------------------------------------------------------------------- */

/* Into *least, if it took less. */
static void take_time(JNIEnv *env, jmethodID calibrate, uint32_t method, int pairs, int64_t *least) {
    int64_t from = agent_nanos(CLOCK_THREAD_CPUTIME_ID);
    (*env)->CallStaticVoidMethod(env, s.b.helper, calibrate, (jint)trc_key(method), pairs);
    int64_t took = agent_nanos(CLOCK_THREAD_CPUTIME_ID) - from;
    if (!*least || took < *least) *least = took;
}

static double cost_of_one(int64_t took, int pairs) {
    return took > s.measured.none ? (double)(took - s.measured.none) / pairs * 1.25 : 0.1;
}

static void measure_calls(JNIEnv *env, jmethodID calibrate) {
    take_time(env, calibrate, NOBODY, 0, &s.measured.none);
    take_time(env, calibrate, NOBODY, PAIRS, &s.measured.counted);
    if (s.measured.times++ < ENOUGH_TIMES) take_time(env, calibrate, CLOSED_NOBODY, CLOSED_PAIRS, &s.measured.closed);
    s.call = cost_of_one(s.measured.counted, PAIRS);
    s.closed = cost_of_one(s.measured.closed, CLOSED_PAIRS);
    if (s.closed < LEAST_CLOSED) s.closed = LEAST_CLOSED; /* a compiler takes such a loop apart */
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
        s.methods[i].class_number = s.b.class_of(i);
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

/* Part of the whole that is so many times the rest. */
static double part_of(double times) { return times / (1 + times); }

/* What its probe costs while it is closed, as a multiple of the processor time without it. Conditions are evaluated still. */
static double residue_of(const Method *m) {
    return m->going == CLOSED || m->going == LEAVING ? m->rate * (m->conditions ? s.call : s.closed) : 0;
}

/* ---- letting go ------------------------------------------------------------------------------------ */

static void set_state(uint32_t m, uint8_t bit, bool on) {
    if (on) __atomic_fetch_or(&s.b.tree->states[m], bit, __ATOMIC_RELAXED);
    else __atomic_fetch_and(&s.b.tree->states[m], (uint8_t)~bit, __ATOMIC_RELAXED);
}

static int by_cost(const void *a, const void *b) {
    double x = cost_of(*(const uint32_t *)a), y = cost_of(*(const uint32_t *)b);
    return x > y ? -1 : x < y;
}

/* The dearest methods, until no more than `left` nanoseconds of this look's cost remain. If many calls are missing, nobody knows whose they
 * are: only what was counted some times, and made a good part of those that were, goes; the next look tells the rest. */
static void choose(double cost, double left, double used) {
    uint32_t *order = malloc((s.n + 1) * sizeof *order), n = 0, chosen = 0;
    if (!order) return;
    int64_t few = s.wanted > SURE ? FEW : 0;
    for (uint32_t i = 0; i < s.n; i++)
        if (s.methods[i].going == COUNTED && cost_of(i) > 0 && s.methods[i].calls - s.methods[i].before > few) order[n++] = i;
    qsort(order, n, sizeof *order, by_cost);
    double least = s.wanted > SURE ? cost / 20 : 0;
    for (; chosen < n && cost > left && cost_of(order[chosen]) >= least; chosen++) {
        Method *m = &s.methods[order[chosen]];
        cost -= cost_of(order[chosen]);
        m->kept = agent_nanos(CLOCK_MONOTONIC) - s.begun;
        m->rate = (double)(m->calls - m->before) * s.wanted / used;
        m->going = CLOSED;
        set_state(order[chosen], TRC_CLOSED, true);
    }
    free(order);
    s.let_go += chosen;
}

/* ---- taking probes out ------------------------------------------------------------------------------- */

/* All of a class that are in one state get into another one; those that are still counted are watched, or no longer. */
static void move_class(uint32_t class_number, enum Going from, enum Going to) {
    for (uint32_t i = 0; i < s.n; i++) {
        Method *m = &s.methods[i];
        if (m->class_number != class_number) continue;
        if (m->going == from) {
            m->going = to;
            m->since = agent_nanos(CLOCK_PROCESS_CPUTIME_ID);
        } else if (m->going == COUNTED) set_state(i, TRC_WATCHED, to == LEAVING && s.b.can_be_told);
    }
}

/* The classes of closed methods begin to leave, the dearest first, until the others cost no more than they may. */
static void thin_out(void) {
    double all = 0;
    for (uint32_t i = 0; i < s.n; i++) all += s.methods[i].going == CLOSED ? residue_of(&s.methods[i]) : 0;
    while (all > s.b.share * RESIDUE) {
        uint32_t dearest = 0;
        double most = 0;
        for (uint32_t i = 0; i < s.n; i++)
            if (s.methods[i].going == CLOSED && residue_of(&s.methods[i]) > most) most = residue_of(&s.methods[dearest = i]);
        if (most <= 0) return;
        for (uint32_t i = 0; i < s.n; i++)
            if (s.methods[i].going == CLOSED && s.methods[i].class_number == s.methods[dearest].class_number)
                all -= residue_of(&s.methods[i]);
        s.b.lock(true);
        move_class(s.methods[dearest].class_number, CLOSED, LEAVING);
        s.b.lock(false);
    }
}

static bool is_of(const TrcNode *n, uint32_t class_number) {
    uint32_t m = trc_method(n->key);
    return m < s.n && s.methods[m].class_number == class_number;
}

/* Is a counted call of a method of this class running? Under the lock. */
static bool is_on_stack(uint32_t class_number) {
    for (TrcThread *th = trc_first(s.b.tree); th; th = th->all)
        for (const TrcNode *n = __atomic_load_n(&th->current, __ATOMIC_RELAXED); n && n->parent; n = n->parent)
            if (is_of(n, class_number)) return true;
    return false;
}

/* Has the method returned in time often enough that it will again? */
static bool is_short(const TrcNode *n) { return n->calls > 3 && n->nanos / n->calls < SHORT; }

/* Would a frame of the class that goes on in its old version cost more than closed probes do? Each call that such a frame made stands for a turn of a
 * loop that would be interpreted, and is compared with the calls of what is to lose its probes. Frames that will be gone soon do not matter. Under the lock. */
static bool gains_by_waiting(uint32_t class_number) {
    double all = 1, turns = 0;
    for (uint32_t i = 0; i < s.n; i++)
        if (s.methods[i].class_number == class_number && s.methods[i].going == LEAVING) all += (double)s.methods[i].calls;
    for (TrcThread *th = trc_first(s.b.tree); th; th = th->all)
        for (const TrcNode *n = __atomic_load_n(&th->current, __ATOMIC_RELAXED); n && n->parent; n = n->parent)
            for (const TrcNode *c = is_of(n, class_number) && !is_short(n) ? n->first : NULL; c; c = c->next)
                turns += (double)c->calls;
    return turns / all * TURN > s.closed;
}

/* Shall the class of this method lose its probes now? Under the lock. */
static bool is_due(uint32_t m, int64_t now) {
    uint32_t class_number = s.methods[m].class_number;
    double paid = 0;
    if (s.methods[m].going != LEAVING) return false;
    if (!is_on_stack(class_number)) return true;
    for (uint32_t i = 0; i < s.n; i++)
        if (s.methods[i].class_number == class_number && s.methods[i].going == LEAVING)
            paid += part_of(residue_of(&s.methods[i])) * (double)(now - s.methods[i].since);
    bool due = paid > WAIT_IN_VAIN && (paid + s.paid > WAIT || !gains_by_waiting(class_number));
    if (due) s.paid += paid;
    return due;
}

/* Takes the probes out of those classes that are left, or have been waited for long enough. */
static void remove_probes(JNIEnv *env) {
    int64_t from = agent_nanos(CLOCK_THREAD_CPUTIME_ID), now = agent_nanos(CLOCK_PROCESS_CPUTIME_ID);
    bool any = false;
    s.leaving = false;
    s.b.lock(true);
    for (uint32_t i = 0; i < s.n; i++)
        if (is_due(i, now)) {
            move_class(s.methods[i].class_number, LEAVING, NOW);
            any = true;
        }
    for (uint32_t i = 0; i < s.n; i++) s.leaving |= s.methods[i].going == LEAVING;
    s.b.lock(false);
    if (!any) return;
    s.b.let_go(env);
    s.b.lock(true);
    for (uint32_t i = 0; i < s.n; i++)
        if (s.methods[i].going == NOW) s.methods[i].going = GONE;
    s.b.lock(false);
    __atomic_fetch_add(&removals, 1, __ATOMIC_RELEASE);
    s.retransforming += agent_nanos(CLOCK_THREAD_CPUTIME_ID) - from;
}

static void sleep_for(int64_t nanos) { nanosleep(&(struct timespec){nanos / 1000000000, nanos % 1000000000}, NULL); }

void trc_budget_left(uint32_t m) {
    s.b.lock(true);
    bool free = m < s.n && !is_on_stack(s.methods[m].class_number);
    s.b.lock(false);
    if (!free) return;
    unsigned before = __atomic_load_n(&removals, __ATOMIC_ACQUIRE);
    __atomic_store_n(&is_called, true, __ATOMIC_RELEASE);
    for (int64_t waited = 0; waited < MEETING && __atomic_load_n(&removals, __ATOMIC_ACQUIRE) == before; waited += NAP)
        sleep_for(NAP);
}

/* ---- looks ----------------------------------------------------------------------------------------- */

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

/* Lets go what would cost too much if all calls were counted. */
static void judge(double used) {
    double wanted = 0, residue = 0;
    for (uint32_t i = 0; i < s.n; i++) {
        wanted += cost_of(i);
        residue += residue_of(&s.methods[i]);
    }
    double spent = wanted / s.wanted, plain = used > spent * 1.01 ? used - spent : used * 0.01;
    s.spent += spent + part_of(residue) * used;
    if (wanted > s.b.share * plain) choose(wanted, s.b.share * plain / 2, used);
    for (uint32_t i = 0; i < s.n; i++) s.methods[i].before = s.methods[i].calls;
}

static void look(void) {
    int64_t own = agent_nanos(CLOCK_THREAD_CPUTIME_ID), cpu = agent_nanos(CLOCK_PROCESS_CPUTIME_ID) - s.cpu_begun;
    if (cpu - s.cpu < ENOUGH || !make_room(s.b.methods())) return;
    count_calls();
    allow((double)(cpu - s.cpu));
    s.restless = s.wanted > SURE;
    judge((double)(cpu - s.cpu));
    thin_out();
    s.cpu = cpu;
    s.spent += (double)(agent_nanos(CLOCK_THREAD_CPUTIME_ID) - own);
}

/* ---- the watch ------------------------------------------------------------------------------------- */

/* True: somebody called. That can only be while a class is leaving. */
static bool rest(int64_t nanos) {
    bool yes = false;
    for (int64_t step; nanos > 0 && !yes; nanos -= step) {
        step = s.leaving && nanos > NAP ? NAP : nanos;
        sleep_for(step);
        yes = __atomic_exchange_n(&is_called, false, __ATOMIC_ACQ_REL);
    }
    return yes;
}

static void JNICALL watch(jvmtiEnv *ti, JNIEnv *env, void *unused) {
    int64_t warm = agent_nanos(CLOCK_THREAD_CPUTIME_ID) + WARM_UP, took = 0;
    pthread_mutex_lock(&turn);
    s.b.stand_apart(env);
    int mine = generation;
    jmethodID calibrate = (*env)->GetStaticMethodID(env, s.b.helper, "calibrate", "(II)V");
    while (calibrate && agent_nanos(CLOCK_THREAD_CPUTIME_ID) < warm) measure_calls(env, calibrate);
    while (calibrate && generation == mine) {
        int64_t pause = took * LOOKS_SHARE;
        pause = s.restless ? LOOK_SOON : pause < LOOK ? LOOK : pause > LATEST ? LATEST : pause;
        pthread_mutex_unlock(&turn);
        bool hurry = rest(pause);
        pthread_mutex_lock(&turn);
        if (generation != mine) break;
        if (hurry) {
            remove_probes(env);
            continue;
        }
        int64_t from = agent_nanos(CLOCK_THREAD_CPUTIME_ID) - s.retransforming;
        measure_calls(env, calibrate);
        look();
        remove_probes(env);
        took = agent_nanos(CLOCK_THREAD_CPUTIME_ID) - s.retransforming - from;
    }
    pthread_mutex_unlock(&turn);
}

bool trc_budget_begin(const TrcBudget *b, JNIEnv *env) {
    trc_budget_end();
    pthread_mutex_lock(&turn);
    uint32_t known = b->methods();
    b->lock(true);
    free(s.methods);
    s = (struct State){.b = *b,
                       .wanted = 1,
                       .restless = true,
                       .begun = agent_nanos(CLOCK_MONOTONIC),
                       .cpu_begun = agent_nanos(CLOCK_PROCESS_CPUTIME_ID)};
    b->tree->allowance = b->share ? FIRST : INT64_MAX;
    for (TrcThread *th = trc_first(b->tree); th; th = th->all) trc_allow(b->tree, th, b->tree->allowance);
    b->tree->refused = 0;
    if (b->tree->states) {
        memset(b->tree->states, 0, known);
        b->tree->states[CLOSED_NOBODY] = TRC_CLOSED;
    }
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
    bool gone = m < s.n && s.methods[m].going != COUNTED;
    s.b.lock(false);
    return gone;
}

bool trc_let_go_now(uint32_t m) { return m < s.n && s.methods[m].going == NOW; }

double trc_kept(uint32_t m) {
    int64_t all = agent_nanos(CLOCK_MONOTONIC) - s.begun;
    return m < s.n && s.methods[m].going != COUNTED && all ? (double)s.methods[m].kept / (double)all : 1;
}

bool trc_budget_spent(TrcSpent *spent) {
    int64_t cpu = agent_nanos(CLOCK_PROCESS_CPUTIME_ID) - s.cpu_begun;
    *spent = (TrcSpent){.share = s.spent < (double)cpu ? s.spent / ((double)cpu - s.spent) : 1,
                        .call_nanos = s.call,
                        .closed_nanos = s.closed,
                        .retransforming = s.retransforming,
                        .methods = s.let_go,
                        .refused = s.b.tree ? s.b.tree->refused : 0};
    for (uint32_t i = 0; i < s.n; i++) spent->closed += s.methods[i].going == CLOSED || s.methods[i].going == LEAVING;
    return s.b.share > 0;
}
