/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The phases of the optimising compiler, in their order: a phase is a row.  Each leaves a form for which opt_check finds nothing; the debug build
 * asks after each.  -XX:PrintForm=CLASS.METHOD shows the form behind each.
 *
 * The form is full of classes and methods, and the caller's promise not to stop keeps them as they are; so nothing of it can be kept over a pause.
 * What would let a pause wait gives up between phases, and is begun anew.
 */
#include "core/options.h"
#include "jit/opt/opt.h"
#include "jit/opt/opt_pass.h"
#include "object/class.h"
#include <stdlib.h>
#include <string.h>

typedef struct Phase {
    const char *name;
    void (*run)(Opt *o);
} Phase;

/* clang-format off */
static const Phase phases[] = {{"split edges", opt_split_edges},
                               {"number", opt_number},
                               {"thread", opt_thread},
                               {"locks", opt_locks},
                               {"unroll few", opt_unroll_few},
                               {"asides", opt_asides},
                               {"escape", opt_escape},
                               {"join locks", opt_join_locks},
                               {"leaves", opt_leaves},
                               {"loops", opt_loops},
                               {"unswitch", opt_unswitch},
                               {"pick early", opt_pick_early},
                               {"vectors", opt_vectors},
                               {"quiet turns", opt_quiet_turns},
                               {"unroll many", opt_unroll_many},
                               {"join turns", opt_join_turns},
                               {"indices", opt_indices},
                               {"number again", opt_number},
                               {"remainders", opt_remainders},
                               {"pick", opt_pick},
                               {"addresses", opt_addresses},
                               {"sink", opt_sink},
                               {"apart", opt_apart}};
/* clang-format on */

static bool is_shown(const Method *m) {
    const char *want = vm_options.print_form, *dot = want ? strrchr(want, '.') : NULL;
    return dot && (size_t)(dot - want) == m->holder->name->len && !memcmp(want, m->holder->name->bytes, m->holder->name->len) &&
           !strcmp(dot + 1, m->name->bytes);
}

#ifdef GRAFT_DEBUG
static bool is_checked(void) { return true; }
#else
static bool is_checked(void) { return vm_options.optimize_all; }
#endif

const char opt_gave_up[] = "gave up";

static bool is_waited_for(const Opt *o) { return o->yields && atomic_load(&thread_self()->poll) & POLL_STOP; }

static bool goes_on(Opt *o, const char *phase, bool shown) {
    if (!o->why && is_waited_for(o)) o->why = opt_gave_up;
    if (o->why || o->no_memory) return false;
    if (shown) opt_dump(o, stdout, phase);
    const char *wrong = is_checked() ? opt_check(o) : NULL;
    if (wrong) {
        opt_dump(o, stderr, phase);
        FATAL("optimiser: %s, behind %s", wrong, phase);
    }
    return !o->no_memory;
}

static bool run(Opt *o) {
    bool shown = is_shown(o->root);
    if (o->no_memory || !opt_build(o) || !goes_on(o, "build", shown)) return false;
    for (size_t i = 0; i < ARRAY_LEN(phases); i++) {
        phases[i].run(o);
        if (!goes_on(o, phases[i].name, shown)) return false;
    }
    return true;
}

static CodeBlob *attempt(Opt *o, const char **why) {
    CodeBlob *b = run(o) ? opt_emit(o) : NULL;
    *why = o->no_memory ? NULL : o->why;
    if (!b) {
        free(o->inlined);
        free(o->trusts);
        jit_free_sites(o->sites);
    }
    cf_arena_free(&o->arena);
    return b;
}

/* What has no form with its handlers, or with all of its constructors, may have one without. */
static CodeBlob *compile(Method *m, bool is_loop, u4 bci, bool yields, const char **why) {
    bool handlers = true, modest = false, scalar = false;
    for (;;) {
        Opt o;
        opt_init(&o, m);
        o.yields = yields;
        o.is_loop = is_loop;
        o.start = bci;
        o.handlers = handlers;
        o.modest = modest;
        o.scalar = scalar;
        CodeBlob *b = attempt(&o, why);
        if (b || !*why || *why == opt_gave_up) return b;
        if (*why == opt_unroomy && !scalar) scalar = true;
        else if (*why == opt_unseen && !modest) modest = true;
        else if (o.has_handlers && handlers) handlers = false;
        else return b;
    }
}

CodeBlob *opt_compile(Method *m, bool yields, const char **why) { return compile(m, false, 0, yields, why); }

CodeBlob *opt_compile_loop(Method *m, u4 bci, bool yields, const char **why) { return compile(m, true, bci, yields, why); }
