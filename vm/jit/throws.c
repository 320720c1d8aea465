/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What instructions throw: where exceptions came out of compiled code.
 *
 * Each exception that meets compiled frames is noted at the instructions of these frames, those that threw it and calls, until a method has
 * MOST_NOTED of them: then it is known where its exceptions come from.  The optimising compiler makes ways to handlers only there (opt_build_handler.c).
 *
 * With -XX:+OptimizeAll, which compiles before anything ran, every second instruction has thrown.
 */
#include "jit/policy.h"
#include "core/options.h"
#include "object/version.h"
#include <stdlib.h>

enum { MOST_NOTED = 100, WORTH_CODE = 3 };

typedef struct Threw {
    struct Threw *next;
    const Method *m;
    u4 bci, times;
} Threw;

static Threw *threw_at[256]; /* [lock: jit] by m and bci */
static u4 n_threw;

static Threw **bucket(const Method *m, u4 bci) {
    uintptr_t h = ((uintptr_t)m >> 4) * 31 + bci;
    return &threw_at[(h ^ h >> 8) % ARRAY_LEN(threw_at)];
}

static Threw *find(const Method *m, u4 bci) {
    Threw *x = *bucket(m, bci);
    while (x && (x->m != m || x->bci != bci)) x = x->next;
    return x;
}

static void count(Method *m, u4 bci) {
    Threw *x = find(m, bci);
    if (!x) {
        if (!(x = malloc(sizeof *x))) return;
        Threw **at = bucket(m, bci);
        *x = (Threw){.next = *at, .m = m, .bci = bci};
        *at = x;
        n_threw++;
    }
    x->times++;
    __atomic_store_n(&m->threw, m->threw + 1, __ATOMIC_RELAXED);
}

void throws_note(Method *m, u4 bci) {
    if (__atomic_load_n(&m->threw, __ATOMIC_RELAXED) >= MOST_NOTED || !lock_try(&jit_lock)) return;
    if (m->threw < MOST_NOTED) count(m, bci);
    lock_release(&jit_lock);
}

bool throws_seen(const Method *m, u4 bci) {
    if (vm_options.optimize_all) return !(bci & 1);
    const Threw *x = m->threw ? find(m, bci) : NULL;
    return x && x->times >= WORTH_CODE;
}

void throws_forget(const ClassVersion *v) {
    for (u4 i = 0; n_threw > 0 && i < ARRAY_LEN(threw_at); i++)
        for (Threw **at = &threw_at[i], *x; (x = *at);) {
            if (!version_has(v, x->m)) {
                at = &x->next;
                continue;
            }
            *at = x->next;
            free(x);
            n_threw--;
        }
}
