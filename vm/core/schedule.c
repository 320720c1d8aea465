/* SPDX-License-Identifier: Apache-2.0 */
/* Rules are read once and never change; what is counted are arrivals at the points that a rule waits for. */
#include "core/schedule.h"

#ifdef GRAFT_DEBUG
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_RULES = 32, NAME_SIZE = 64, THREAD_NAME_SIZE = 16, WAIT_MS = 20000 };

typedef struct ScheduleRule {
    char at[NAME_SIZE], until[NAME_SIZE];
    char who[THREAD_NAME_SIZE]; /* "" for everybody */
    unsigned ms;                /* of a rule without `until` */
    _Atomic unsigned seen;      /* arrivals at `until` */
} ScheduleRule;

static ScheduleRule rules[MAX_RULES];
static int n_rules;
static unsigned long chance_seed; /* 0: no rule "*" */
static pthread_once_t rules_read = PTHREAD_ONCE_INIT;

static void read_rule(const char *text) {
    ScheduleRule *r = &rules[n_rules];
    if (sscanf(text, "*=%lu", &chance_seed) == 1) return;
    if (n_rules < MAX_RULES &&
        (sscanf(text, "%63[^=>]=%u", r->at, &r->ms) == 2 || sscanf(text, "%63[^=>]>%63s", r->at, r->until) == 2)) {
        char *who = strchr(r->at, '@');
        if (who) {
            *who++ = 0;
            snprintf(r->who, sizeof r->who, "%.15s", who);
        }
        n_rules++;
    } else fprintf(stderr, "GRAFT_SCHEDULE: \"%s\" is no rule (see vm/core/schedule.h)\n", text);
}

static void read_rules(void) {
    const char *env = getenv("GRAFT_SCHEDULE");
    char *copy = env ? strdup(env) : NULL, *rest = copy;
    for (char *text; rest && (text = strsep(&rest, ","));) read_rule(text);
    free(copy);
}

static void sleep_micros(unsigned long us) {
    struct timespec ts = {(time_t)(us / 1000000), (long)(us % 1000000) * 1000};
    nanosleep(&ts, NULL);
}

static void obey(ScheduleRule *r) {
    if (!r->until[0]) return sleep_micros(r->ms * 1000ul);
    unsigned before = atomic_load(&r->seen);
    for (int i = 0; i < WAIT_MS && atomic_load(&r->seen) == before; i++) sleep_micros(1000);
}

static bool concerns_me(const ScheduleRule *r) {
    char name[THREAD_NAME_SIZE];
    return !r->who[0] || (pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, r->who) == 0);
}

static void take_chances(void) {
    static _Thread_local unsigned long state;
    if (!state) state = chance_seed ^ (unsigned long)pthread_self();
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    unsigned long dice = state >> 58, us = state >> 40 & 1023;
    if (dice < 8) sleep_micros(us);
    else if (dice < 24) sleep_micros(0);
}

void schedule_point(const char *name) {
    pthread_once(&rules_read, read_rules);
    for (int i = 0; i < n_rules; i++)
        if (strcmp(rules[i].until, name) == 0) atomic_fetch_add(&rules[i].seen, 1);
    for (int i = 0; i < n_rules; i++)
        if (strcmp(rules[i].at, name) == 0 && concerns_me(&rules[i])) obey(&rules[i]);
    if (chance_seed) take_chances();
}
#endif
