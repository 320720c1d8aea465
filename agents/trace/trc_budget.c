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
    FEW = 8,                        /* counted calls that say nothing of those that were refused */
    REMOVAL_SHARE = 20,             /* ... times what a retransformation takes, before the next one */
    IN_VAIN = 100,        /* ends of a watched method's calls that left the class on the stack, until it is watched no longer */
    PER_TREE = 10 * 1000, /* nanoseconds between two looks at allowances, for each tree, */
    SOON_SHARE = 20,      /* ... times what a look takes, before the next one, while calls are refused, */
    STACKS_SHARE = 200,   /* ... times what a walk over the stacks takes, before the next one */
    LEAST = 500,          /* a thread's allowance, and that of a new one */
    FIRST = 5000
};

static const double SURE = 1.2;       /* calls for each that was counted */
static const double TURN = 60;        /* nanoseconds: an interpreted turn of a loop */
static const double REFUSED = 0.1;    /* what a refused call costs, to one that is counted */
static const double LEAST_CLOSED = 1; /* nanoseconds */
static const double RESIDUE = 0.1;    /* of the budget: what closed probes may cost */
static const double MEMORY = 60e6; /* nanoseconds of processor time: calls of so long ago tell half as much of what is called */
static const double REST = 0.2;    /* of the cost: what is not let go in a look, while calls are refused */

enum Going { COUNTED, CLOSED, NOW, GONE };

typedef struct Method {
    int64_t before; /* calls that were counted until the last look, */
    double now;     /* ... since then, */
    double seen;    /* ... and lately: those of MEMORY ago with half of the weight */
    int64_t kept;   /* time for which it was counted */
    double rate;    /* calls a nanosecond of the process when it was let go */
    uint32_t class_number;
    enum Going going;
    uint16_t in_vain; /* WATCHED: ends of calls that did not help */
    bool conditions;
} Method;

typedef struct Class {
    double residue; /* of its methods' closed probes, at this look */
    double waited;  /* nanoseconds that they have cost while it was leaving */
    bool leaving, on_trees, on_stacks, due;
} Class;

static struct State {
    TrcBudget b;
    Method *methods;
    Class *classes;
    uint32_t n, cap, n_classes;
    double wanted;              /* calls that there were for each that was counted, since the last look */
    double seen, now;           /* sums over methods: `seen` of those that are counted, `now` */
    int64_t next_removal;       /* no earlier */
    double call, closed, spent; /* nanoseconds: a call, one of a closed method, all in all */
    struct {
        int64_t none, counted, closed;
        int times;
    } measured; /* the least times so far */
    int64_t begun, cpu_begun, cpu, retransforming;
    uint32_t let_go;
    double paid;       /* nanoseconds that waiting in vain has cost */
    int64_t trees;     /* how many there are */
    int64_t next_walk; /* of the stacks, no earlier */
    bool walked;       /* do classes know whether they are on stacks? */
    bool leaving;      /* is any class? */
    bool restless;     /* calls were refused: something is about to be let go */
    struct {
        double spent, call, closed;
        int64_t retransforming;
    } told; /* for reports: what these were at the last look; under the lock */
} s;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int generation; /* of the watch that is on; written under `turn` */
static bool wanted;    /* does a watch want a thread? Under `turn` */

static bool is_called;   /* a class has been left */
static unsigned answers; /* how often probes have been taken out, or were to be */
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

/* Classes of methods that are new. Under the lock. */
static bool find_classes(uint32_t from) {
    uint32_t n = s.n_classes;
    for (uint32_t i = from; i < s.n; i++) {
        uint32_t c = s.b.class_of(i);
        s.methods[i].class_number = c < TRC_METHODS ? c : 0;
        if (s.methods[i].class_number >= n) n = s.methods[i].class_number + 1;
    }
    Class *more = n > s.n_classes ? realloc(s.classes, n * sizeof *more) : s.classes;
    if (!more) return false;
    memset(more + s.n_classes, 0, (n - s.n_classes) * sizeof *more);
    s.classes = more;
    s.n_classes = n;
    return true;
}

/* False: no memory. */
static bool make_room(uint32_t n) {
    uint32_t known = s.n, cap = n + n / 2 + 64;
    if (n == known) return true;
    s.b.lock(true);
    Method *more = n > s.cap ? realloc(s.methods, cap * sizeof *more) : s.methods;
    if (more && n > s.cap) {
        memset(more + s.cap, 0, (cap - s.cap) * sizeof *more);
        s.cap = cap;
    }
    if (more) s.methods = more;
    if (more) s.n = n;
    bool done = more && find_classes(known);
    if (!done) s.n = known;
    for (uint32_t i = 0; i < s.n; i++) s.methods[i].conditions = s.b.has_condition(i);
    s.b.lock(false);
    return done;
}

static Class *class_of(uint32_t m) { return &s.classes[s.methods[m].class_number]; }

/* What the calls of the last `used` nanoseconds were. Whose calls they were tells the time before, too, because only some are counted while many
 * are refused. */
static void count_calls(double used) {
    double keep = MEMORY / (MEMORY + used), seen = 0, calls = 0;
    for (uint32_t i = 0; i < s.n; i++) {
        Method *m = &s.methods[i];
        int64_t now = __atomic_load_n(&s.b.tree->counts[i], __ATOMIC_RELAXED);
        m->now = (double)(now - m->before);
        m->seen = m->seen * keep + m->now;
        calls += m->now;
        if (m->going == COUNTED) seen += m->seen;
        m->before = now;
    }
    s.seen = seen;
    s.now = calls;
}

/* Of this look's calls, also those that were refused: its share lately, but no more than what was counted just now can be by chance. */
static double cost_of(uint32_t i) {
    const Method *m = &s.methods[i];
    if (m->going != COUNTED || m->seen <= 0) return 0;
    double share = m->seen / s.seen, most = (m->now + FEW) / (s.now + FEW);
    return (share < most ? share : most) * s.now * s.wanted * s.call * (m->conditions ? 2 : 1);
}

/* Part of the whole that is so many times the rest. */
static double part_of(double times) { return times / (1 + times); }

/* What its probe costs while it is closed, as a multiple of the processor time without it. Conditions are evaluated still. */
static double residue_of(const Method *m) { return m->going == CLOSED ? m->rate * (m->conditions ? s.call : s.closed) : 0; }

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
 * are: only what was seen some times goes, and not all; the next look tells the rest. */
static void choose(double cost, double left, double used) {
    uint32_t *order = malloc((s.n + 1) * sizeof *order), n = 0, chosen = 0;
    if (!order) return;
    bool sure = s.wanted <= SURE;
    if (!sure && left < cost * REST) left = cost * REST;
    for (uint32_t i = 0; i < s.n; i++)
        if (cost_of(i) > 0 && (sure || s.methods[i].seen > FEW)) order[n++] = i;
    qsort(order, n, sizeof *order, by_cost);
    s.b.lock(true);
    for (; chosen < n && cost > left; chosen++) {
        Method *m = &s.methods[order[chosen]];
        double its = cost_of(order[chosen]);
        cost -= its;
        m->kept = agent_nanos(CLOCK_MONOTONIC) - s.begun;
        m->rate = its / (s.call * (m->conditions ? 2 : 1) * used);
        m->going = CLOSED;
        set_state(order[chosen], TRC_CLOSED, true);
    }
    s.let_go += chosen;
    s.b.lock(false);
    free(order);
}

/* ---- taking probes out ------------------------------------------------------------------------------- */

static void watch_class(uint32_t class_number, bool on) {
    for (uint32_t i = 0; i < s.n; i++)
        if (s.methods[i].class_number == class_number && s.methods[i].going == COUNTED) {
            s.methods[i].in_vain = 0;
            set_state(i, TRC_WATCHED, on && s.b.can_be_told);
        }
}

/* Lets classes with closed methods leave, if all of them cost more than they may. Returns what closed probes have cost in the last `used` nanoseconds. */
static double thin_out(double used) {
    double all = 0;
    for (uint32_t c = 0; c < s.n_classes; c++) s.classes[c].residue = 0;
    for (uint32_t i = 0; i < s.n; i++) {
        all += residue_of(&s.methods[i]);
        class_of(i)->residue += residue_of(&s.methods[i]);
    }
    s.b.lock(true);
    for (uint32_t i = 0; i < s.n_classes; i++) {
        Class *c = &s.classes[i];
        if (c->leaving) c->waited += part_of(c->residue) * used;
        else if (c->residue > 0 && all > s.b.share * RESIDUE) {
            c->leaving = true;
            watch_class(i, true);
        }
    }
    s.b.lock(false);
    return part_of(all) * used;
}

/* Which classes have counted calls that run? Under the lock. */
static void look_at_trees(void) {
    for (uint32_t i = 0; i < s.n_classes; i++) s.classes[i].on_trees = false;
    for (TrcThread *th = trc_first(s.b.tree); th; th = th->all)
        for (const TrcNode *n = __atomic_load_n(&th->current, __ATOMIC_RELAXED); n && n->parent; n = n->parent)
            if (trc_method(n->key) < s.n) class_of(trc_method(n->key))->on_trees = true;
}

static bool is_of(const TrcNode *n, uint32_t class_number) {
    uint32_t m = trc_method(n->key);
    return m < s.n && s.methods[m].class_number == class_number;
}

/* Is a counted call of this class running? Under the lock. */
static bool is_on_trees(uint32_t class_number) {
    for (TrcThread *th = trc_first(s.b.tree); th; th = th->all)
        for (const TrcNode *n = __atomic_load_n(&th->current, __ATOMIC_RELAXED); n && n->parent; n = n->parent)
            if (is_of(n, class_number)) return true;
    return false;
}

static void put_on_stack(uint32_t class_number) {
    if (class_number < s.n_classes) s.classes[class_number].on_stacks = true;
}

/* Walks over the stacks, if it is time for it, or somebody waits. */
static void look_at_stacks(JNIEnv *env, bool hurry) {
    int64_t from = agent_nanos(CLOCK_MONOTONIC);
    s.walked = false;
    if (!hurry && from < s.next_walk) return;
    for (uint32_t i = 0; i < s.n_classes; i++) s.classes[i].on_stacks = false;
    s.walked = s.b.stacks(env, put_on_stack);
    int64_t now = agent_nanos(CLOCK_MONOTONIC);
    s.next_walk = now + (now - from) * STACKS_SHARE;
}

/* Has the method returned in time often enough that it will again? */
static bool is_short(const TrcNode *n) { return n->calls > 3 && n->nanos / n->calls < SHORT; }

/* Would a frame of the class that goes on in its old version cost more than closed probes do? Each call that such a frame made stands for a turn of a
 * loop that would be interpreted, and is compared with the calls of what is to lose its probes. Frames that will be gone soon do not matter. Under the lock. */
static bool gains_by_waiting(uint32_t class_number) {
    double all = 1, turns = 0;
    for (uint32_t i = 0; i < s.n; i++)
        if (s.methods[i].class_number == class_number && s.methods[i].going == CLOSED) all += (double)s.methods[i].before;
    for (TrcThread *th = trc_first(s.b.tree); th; th = th->all)
        for (const TrcNode *n = __atomic_load_n(&th->current, __ATOMIC_RELAXED); n && n->parent; n = n->parent)
            for (const TrcNode *c = is_of(n, class_number) && !is_short(n) ? n->first : NULL; c; c = c->next)
                turns += (double)c->calls;
    return turns / all * TURN > s.closed;
}

/* Shall the class lose its probes now? Under the lock. */
static bool is_due(uint32_t class_number) {
    Class *c = &s.classes[class_number];
    bool uncounted = !c->on_trees && (!s.walked || c->on_stacks);
    if (!c->on_trees && !uncounted) return true;
    if (uncounted && s.walked) watch_class(class_number, false);
    if (c->waited <= WAIT_IN_VAIN) return false;
    bool due = c->waited + s.paid > WAIT || (c->on_trees && !gains_by_waiting(class_number));
    if (due) s.paid += c->waited;
    return due;
}

/* Those that are due have none of their closed methods CLOSED any more, but NOW. True: there are such. Under the lock. */
static bool find_due(void) {
    bool any = false;
    s.leaving = false;
    for (uint32_t i = 0; i < s.n_classes; i++) {
        Class *c = &s.classes[i];
        if (!c->leaving) continue;
        if (!is_due(i)) {
            s.leaving = true;
            continue;
        }
        watch_class(i, false);
        *c = (Class){.due = true};
        any = true;
    }
    for (uint32_t i = 0; i < s.n && any; i++)
        if (class_of(i)->due && s.methods[i].going == CLOSED) s.methods[i].going = NOW;
    for (uint32_t i = 0; i < s.n_classes && any; i++) s.classes[i].due = false;
    return any;
}

/* Takes the probes out of those classes that are left, or have been waited for long enough. */
static void remove_probes(JNIEnv *env, bool hurry) {
    int64_t from = agent_nanos(CLOCK_THREAD_CPUTIME_ID);
    bool left = false;
    if (!hurry && agent_nanos(CLOCK_MONOTONIC) < s.next_removal) return;
    s.b.lock(true);
    look_at_trees();
    for (uint32_t i = 0; i < s.n_classes && !left; i++) left = s.classes[i].leaving && !s.classes[i].on_trees;
    s.b.lock(false);
    if (left) look_at_stacks(env, hurry);
    s.b.lock(true);
    bool any = find_due();
    s.b.lock(false);
    if (any) {
        s.b.let_go(env);
        s.b.lock(true);
        for (uint32_t i = 0; i < s.n; i++)
            if (s.methods[i].going == NOW) s.methods[i].going = GONE;
        s.b.lock(false);
        int64_t took = agent_nanos(CLOCK_THREAD_CPUTIME_ID) - from;
        s.retransforming += took;
        s.next_removal = agent_nanos(CLOCK_MONOTONIC) + took * REMOVAL_SHARE;
    }
    __atomic_fetch_add(&answers, 1, __ATOMIC_RELEASE);
}

static void sleep_for(int64_t nanos) { nanosleep(&(struct timespec){nanos / 1000000000, nanos % 1000000000}, NULL); }

void trc_budget_left(uint32_t m) {
    s.b.lock(true);
    bool free = m < s.n && !is_on_trees(s.methods[m].class_number);
    if (m < s.n && !free && ++s.methods[m].in_vain >= IN_VAIN) set_state(m, TRC_WATCHED, false);
    s.b.lock(false);
    if (!free) return;
    unsigned before = __atomic_load_n(&answers, __ATOMIC_ACQUIRE);
    __atomic_store_n(&is_called, true, __ATOMIC_RELEASE);
    for (int64_t waited = 0; waited < MEETING && __atomic_load_n(&answers, __ATOMIC_ACQUIRE) == before; waited += NAP)
        sleep_for(NAP);
}

/* ---- looks ----------------------------------------------------------------------------------------- */

/* Deals out what the budget allows until the next look, to the threads that have counted since the last one. Sets s.wanted. */
static void allow(double used) {
    int64_t refused = s.b.tree->refused, counted = 0, busy = 0;
    if (!s.b.tree->limited) return;
    s.b.lock(true);
    s.trees = 0;
    for (TrcThread *th = trc_first(s.b.tree); th; th = th->all, s.trees++) busy += th->entered != th->begun;
    int64_t calls = (int64_t)(used * s.b.share / (s.call + 1) / (double)(busy ? busy : 1)) + LEAST;
    for (TrcThread *th = trc_first(s.b.tree); th; th = th->all)
        if (th->entered != th->begun) counted += trc_allow(s.b.tree, th, calls);
    refused = s.b.tree->refused - refused;
    s.wanted = counted ? (double)(counted + refused) / (double)counted : 1;
    s.spent += (double)refused * s.call * REFUSED;
    s.b.lock(false);
}

/* Lets go what would cost too much if all calls were counted. */
static void judge(double used) {
    double wanted = 0;
    for (uint32_t i = 0; i < s.n; i++) wanted += cost_of(i);
    double spent = wanted / s.wanted, plain = used > spent * 1.01 ? used - spent : used * 0.01;
    s.spent += spent;
    if (wanted > s.b.share * plain) choose(wanted, s.b.share * plain / 2, used);
}

static void tell(void) {
    s.b.lock(true);
    s.told.spent = s.spent;
    s.told.call = s.call;
    s.told.closed = s.closed;
    s.told.retransforming = s.retransforming;
    s.b.lock(false);
}

static void look(void) {
    int64_t own = agent_nanos(CLOCK_THREAD_CPUTIME_ID), cpu = agent_nanos(CLOCK_PROCESS_CPUTIME_ID) - s.cpu_begun;
    double used = (double)(cpu - s.cpu);
    if (used < ENOUGH || !make_room(s.b.methods())) return;
    allow(used);
    s.restless = s.wanted > SURE;
    count_calls(used);
    judge(used);
    s.spent += thin_out(used);
    s.cpu = cpu;
    s.spent += (double)(agent_nanos(CLOCK_THREAD_CPUTIME_ID) - own);
}

/* ---- the watch ------------------------------------------------------------------------------------- */

/* Has a thread used up its allowance? */
static bool is_refusing(const TrcTree *tree) {
    for (TrcThread *th = trc_first(tree); th; th = th->all)
        if (__atomic_load_n(&th->entered, __ATOMIC_RELAXED) > __atomic_load_n(&th->most, __ATOMIC_RELAXED)) return true;
    return false;
}

/* A watch that rests has not its turn: another one may begin, and have a state of its own. */
typedef struct Rest {
    int generation;
    const TrcTree *tree;
    int64_t most, soon, check; /* no longer than that; from when on, and how often it is asked whether calls are refused */
    bool leaving;              /* somebody may call */
} Rest;

static bool is_over(int mine) { return __atomic_load_n(&generation, __ATOMIC_RELAXED) != mine; }

/* True: somebody called. */
static bool rest(const Rest *r) {
    int64_t next = r->soon;
    bool yes = false;
    for (int64_t rested = 0, step; rested < r->most && !yes && !is_over(r->generation); rested += step) {
        if (rested >= next && is_refusing(r->tree)) break;
        if (rested >= next) next = rested + r->check;
        step = r->leaving ? NAP : (next < r->most ? next : r->most) - rested;
        sleep_for(step);
        yes = !is_over(r->generation) && __atomic_exchange_n(&is_called, false, __ATOMIC_ACQ_REL);
    }
    return yes;
}

static void JNICALL watch(jvmtiEnv *ti, JNIEnv *env, void *unused) {
    int64_t warm = agent_nanos(CLOCK_THREAD_CPUTIME_ID) + WARM_UP, took = 0;
    pthread_mutex_lock(&turn);
    bool late = !wanted; /* the watch that it was started for has ended, or another thread has taken it over */
    wanted = false;
    int mine = generation;
    if (late) {
        pthread_mutex_unlock(&turn);
        return;
    }
    s.b.stand_apart(env);
    jmethodID calibrate = (*env)->GetStaticMethodID(env, s.b.helper, "calibrate", "(II)V");
    while (calibrate && agent_nanos(CLOCK_THREAD_CPUTIME_ID) < warm) measure_calls(env, calibrate);
    tell();
    while (calibrate && !is_over(mine)) {
        int64_t pause = took * LOOKS_SHARE, soon = LOOK_SOON + took * SOON_SHARE;
        pause = s.restless ? soon : pause < LOOK ? LOOK : pause > LATEST ? LATEST : pause;
        Rest r = {mine, s.b.tree, pause, soon, LOOK + s.trees * PER_TREE, s.leaving};
        pthread_mutex_unlock(&turn);
        bool hurry = rest(&r);
        pthread_mutex_lock(&turn);
        if (is_over(mine)) break;
        if (hurry) {
            look(); /* so that what has begun since goes with it */
            remove_probes(env, true);
            tell();
            continue;
        }
        int64_t from = agent_nanos(CLOCK_THREAD_CPUTIME_ID) - s.retransforming;
        measure_calls(env, calibrate);
        look();
        remove_probes(env, false);
        tell();
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
    free(s.classes);
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
        memset(b->tree->counts, 0, known * sizeof *b->tree->counts);
        b->tree->states[CLOSED_NOBODY] = TRC_CLOSED;
    }
    b->lock(false);
    wanted = b->share > 0;
    pthread_mutex_unlock(&turn);
    return !b->share || agent_start_thread(b->agent, env, "graft trace budget", watch);
}

void trc_budget_end(void) {
    pthread_mutex_lock(&turn);
    __atomic_fetch_add(&generation, 1, __ATOMIC_RELAXED);
    wanted = false;
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
    *spent = (TrcSpent){.share = s.told.spent < (double)cpu ? s.told.spent / ((double)cpu - s.told.spent) : 1,
                        .call_nanos = s.told.call,
                        .closed_nanos = s.told.closed,
                        .retransforming = s.told.retransforming,
                        .methods = s.let_go,
                        .refused = s.b.tree ? s.b.tree->refused : 0};
    for (uint32_t i = 0; i < s.n; i++) spent->closed += s.methods[i].going == CLOSED;
    return s.b.share > 0;
}
