/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which methods are compiled, when, and what becomes of their code.
 *
 * Method.heat counts calls and back-edges in the interpreter; at jit_hot the method is queued for the compiler thread
 * (code_queue.c), or the calling thread compiles it.  A thread that compiles runs Java and does not stop until the code is
 * published, so nothing that a safepoint protects (classes, breakpoints, watches, events) can change between looking at it and
 * publication.
 *
 * States (Method.tier_state), all changed under the lock:
 *     COUNTING --hot--> [QUEUED] --compiled--> COMPILED --jit_forget, jit_needs_more--> COUNTING        --refused--> INTERPRETED
 * Code that is thrown away is retired: nobody can enter it any more, frames may still run it.  It is freed in a pause in
 * which no compiled frame of its method is on any stack; a frame is there as long as anything returns into its code.
 */
#include "jit/exit_record.h"
#include "jit/opt/opt.h"
#include "jit/policy.h"
#include "core/hooks.h"
#include "core/lock.h"
#include "core/options.h"
#include "exec/throw.h"
#include "frame/frame.h"
#include "object/method.h"
#include "object/version.h"
#include "os/os.h"
#include <stdlib.h>

enum { MAX_RECOMPILED = 40 };

bool jit_on;
static bool reporting; /* [lock: threads, jit] some thread has bits for calls or returns */
u4 jit_hot;
u4 jit_stress_left;
bool jit_in_background;

bool jit_is_wanted(void) {
#if defined(__x86_64__)
    return vm_options.base_compiler && vm_options.run_mode != RUN_INTERPRETED && vm_options.tiered_stop > 0;
#else
    return false;
#endif
}

bool jit_optimises(void) { return vm_options.optimizing_compiler && vm_options.tiered_stop >= LEVEL_OPTIMISED; }

/* Signal-safe. */
static const void *null_exit(const void *at, const void *address, void *context) {
    uintptr_t pc = (uintptr_t)at;
    const CodeBlob *b = (uintptr_t)address < NULL_PAGE ? jit_blob_at(pc) : NULL;
    return b && exit_is_for_fault(b, at) ? jit_fault_exit(context) : NULL;
}

void jit_init(void) {
    jit_on = jit_is_wanted();
    compile_commands_init();
    u8 calls = vm_options.run_mode == RUN_COMPILED ? 2 : vm_options.compile_threshold;
    if (calls > 1u << 20) calls = 1u << 20;
    if (calls < 2) calls = 2; /* what never ran has nothing resolved */
    jit_hot = (u4)calls * JIT_HEAT_CALL;
    jit_stress_left = (u4)vm_options.deopt_interval;
    jit_in_background = vm_options.background_compilation && vm_options.run_mode != RUN_COMPILED;
    if (!jit_on) return;
    asm_detect_features();
    os_set_memory_fault_hook(null_exit);
}

static void name_last(char *to, size_t room, const Method *m) {
    snprintf(to, room, "%s %s", m->holder->name->bytes, m->name->bytes);
}

/* --- compiling [lock: jit] --- */

/* Code may come. */
static bool is_waited_for(const Method *m) {
    u1 tier = method_tier(m);
    return tier == TIER_COUNTING || tier == TIER_QUEUED;
}

static void keep_interpreted(Method *m) {
    set_tier(m, TIER_INTERPRETED);
    if (!(m->access & ACC_SYNCHRONIZED) && !method_is_leaf(m)) __atomic_store_n(&m->qentry, m->qcode, __ATOMIC_RELEASE);
}

static void refuse(Method *m, const char *why) {
    char note[128];
    story_refused(m, false, why);
    snprintf(note, sizeof note, "COMPILE SKIPPED: %s (not retryable)", why);
    report_no_code(m, jit_so_far.compiled + ++jit_so_far.refused, LEVEL_BASE, note);
    jit_so_far.last_refused_size = m->code_len;
    name_last(jit_so_far.last_refused, sizeof jit_so_far.last_refused, m);
    keep_interpreted(m);
}

static void exclude(Method *m) {
    char name[512];
    story_refused(m, false, "excluded by -XX:CompileCommand");
    if (vm_options.print_compilation && !compile_commands_quiet)
        printf("### Excluding compile: %s%s::%s\n", method_is_static(m) ? "static " : "",
               class_external_name(m->holder, name, sizeof name), m->name->bytes);
    keep_interpreted(m);
}

/* While calls are reported no thread passes by the checks of an entry: they keep those with event bits out. */
static void open_entry(const CodeBlob *b) {
    __atomic_store_n(&b->method->entry, b->code + (reporting ? 0 : b->entry), __ATOMIC_RELEASE);
}

static void publish(Method *m, CodeBlob *b) {
    code_add(b);
    if (b->optimised) b->below = m->blob; /* NULL with -XX:+OptimizeAll */
    __atomic_store_n(&m->blob, b, __ATOMIC_RELEASE);
    method_set_heat(m, 0);
    TSAN_RELEASE(b); /* compiled code leads to it */
    open_entry(b);
    set_tier(m, TIER_COMPILED);
    b->id = ++jit_so_far.compiled + jit_so_far.refused;
    jit_so_far.bytecode_bytes += m->code_len;
    for (u4 i = 0; i < b->n_scopes; i++) jit_so_far.bytecode_bytes += b->scopes[i].method->code_len; /* as the reference counts */
    jit_so_far.code_bytes += b->size;
    jit_so_far.last_size = m->code_len;
    name_last(jit_so_far.last, sizeof jit_so_far.last, m);
    report_compilation(b, NULL);
    if (compile_command_prints(m)) report_code(b);
    report_made(b);
}

static void report_not_optimised(const Method *m, const char *why) {
    report_no_bodies();
    story_refused(m, true, why);
    report_no_code(m, 0, LEVEL_OPTIMISED, why);
}

static CodeBlob *make(Method *m) {
    const char *why = NULL;
    int64_t start = os_nanos();
    bool reports = reporting && __atomic_load_n(&m->reports, __ATOMIC_RELAXED);
    bool all = vm_options.optimize_all && vm_options.tiered_stop >= LEVEL_OPTIMISED;
    CodeBlob *b = all && !reports ? opt_compile(m, false, &why) : NULL;
    if (!b && why) report_not_optimised(m, why);
    if (!b) b = base_compile(m, reports, &why);
    jit_so_far.nanos += (u8)(os_nanos() - start);
    if (b) publish(m, b);
    else if (why) refuse(m, why);
    else method_set_heat(m, 0);
    return b;
}

/* Code is freed in pauses only: until this thread polls it is there, whoever retires it. */
static bool compile_locked(Method *m) {
    CodeBlob *b = NULL;
    if (is_waited_for(m) && m->qcode) {
        if (compile_command_excludes(m)) exclude(m);
        else b = make(m);
    }
    lock_release(&jit_lock);
    if (b) HOOK_CALL(CODE_MADE, code_made, thread_self(), b);
    return method_tier(m) == TIER_COMPILED;
}

static bool compile(Method *m) { return lock_try(&jit_lock) && compile_locked(m); /* next time */ }

bool jit_compile_queued(Method *m) {
    if (m->next_version) return false; /* replaced meanwhile */
    lock_take(&jit_lock);
    bool done = compile_locked(m);
    return done || method_tier(m) == TIER_INTERPRETED;
}

/* True: m is compiled now. */
static bool compile_or_queue(Method *m) { return jit_in_background ? !queue_add(m) && compile(m) : compile(m); }

bool jit_called(Method *m) {
    if (!is_waited_for(m)) return false;
    u4 heat = method_warm(m, JIT_HEAT_CALL); /* of queued ones the hottest comes first */
    return heat >= jit_hot && method_tier(m) == TIER_COUNTING && compile_or_queue(m);
}

static void set_reports(Method *m, bool on) { __atomic_store_n(&m->reports, on, __ATOMIC_RELAXED); }

/* m's code reports nothing, and is hot where it is not to be run.  True: now it has other code. */
static bool make_reporting(Method *m) {
    if (!lock_try(&jit_lock)) return false;
    set_reports(m, true);
    if (m->blob && !m->blob->reports) code_retire(m->blob, CODE_END_REPORTS);
    lock_release(&jit_lock);
    return method_tier(m) == TIER_COUNTING && compile_or_queue(m);
}

bool jit_called_reported(Thread *t, Method *m) {
    if (thread_events(t) & EXEC_EVENTS_PER_INSN) return false;
    const CodeBlob *b = method_code(m);
    if (!b) {
        set_reports(m, true);
        return jit_called(m);
    }
    if (b->reports) return true;
    return method_warm(m, JIT_HEAT_CALL) >= jit_hot && make_reporting(m);
}

void jit_hot_loop(Thread *t, Method *m) {
    method_set_heat(m, 0);
    if (thread_events(t) & EXEC_EVENTS_PER_INSN || method_tier(m) == TIER_INTERPRETED) return;
    t->hot_loop = m;
    atomic_fetch_or(&t->poll, POLL_HOT_LOOP);
}

/* --- optimising --- */

static bool may_be_optimised(const Method *m) {
    const CodeBlob *b = m->blob;
    return b && !b->optimised && !b->reports && m->optimised != OPT_DONE && m->optimised != OPT_REFUSED && !m->next_version;
}

/* The time it takes counts; NULL and no reason: there is no memory. */
static CodeBlob *optimised(Hot h, bool yields, const char **why) {
    int64_t start = os_nanos();
    CodeBlob *b = h.loop == WHOLE_METHOD ? opt_compile(h.m, yields, why) : opt_compile_loop(h.m, (u4)h.loop, yields, why);
    jit_so_far.nanos += (u8)(os_nanos() - start);
    if (*why == opt_gave_up) report_no_bodies();
    else if (*why) report_not_optimised(h.m, *why);
    return b;
}

static CodeBlob *optimise_method(Hot h, bool yields, const char **why) {
    Method *m = h.m;
    CodeBlob *b = NULL;
    if (may_be_optimised(m) && !compile_command_excludes(m)) {
        b = optimised(h, yields, why);
        m->optimised = b ? OPT_DONE : !*why ? OPT_NOT_YET : *why == opt_gave_up ? OPT_WAITS : OPT_REFUSED;
        if (b) publish(m, b);
    } else if (m->optimised == OPT_WAITS) {
        m->optimised = OPT_NOT_YET;
    }
    return b;
}

void code_give_up(CodeBlob *b, CodeEnd why) {
    if (b->loop_of) return code_retire(b, why);
    Method *m = b->method;
    const CodeBlob *below = code_retire_optimised(b, why);
    if (below) open_entry(below);
    m->samples = 0;
    m->optimised = OPT_NOT_YET;
}

/* Code of a loop is no method's entry: only frames of base code go there. */
static void publish_loop(CodeBlob *base, CodeBlob *b) {
    code_add(b);
    b->loop_of = base;
    b->next_loop = base->loops;
    b->id = ++jit_so_far.compiled + jit_so_far.refused;
    jit_so_far.code_bytes += b->size;
    TSAN_RELEASE(b);
    __atomic_store_n(&base->loops, b, __ATOMIC_RELEASE);
    report_compilation(b, NULL);
    report_made(b);
}

static CodeBlob *base_code(const Method *m) {
    CodeBlob *b = method_code(m);
    return b && b->optimised ? __atomic_load_n(&b->below, __ATOMIC_ACQUIRE) : b;
}

CodeBlob *code_of_loop(const Method *m, u4 bci) {
    const CodeBlob *base = base_code(m);
    CodeBlob *l = base ? __atomic_load_n(&base->loops, __ATOMIC_ACQUIRE) : NULL;
    while (l && l->entries[0].bci != bci) l = l->next_loop;
    return l;
}

/* That of a loop counts as the method's, so that it does not come again and again. */
static void count_mistake(Method *m) {
    m->samples = 0;
    if (++m->mistaken >= MOST_MISTAKEN) m->optimised = OPT_REFUSED;
}

/* A loop that is refused counts as a mistake of its method: it is not asked for again and again. */
static CodeBlob *optimise_loop(Hot h, bool yields, const char **why) {
    CodeBlob *base = h.m->next_version ? NULL : base_code(h.m);
    if (!base || base->reports || code_of_loop(h.m, (u4)h.loop) || compile_command_excludes(h.m)) return NULL;
    CodeBlob *b = optimised(h, yields, why);
    if (b) publish_loop(base, b);
    else if (*why && *why != opt_gave_up) count_mistake(h.m);
    return b;
}

bool jit_optimise(Hot h, bool yields) {
    const char *why = NULL;
    CodeBlob *b = NULL;
    bool whole = h.loop == WHOLE_METHOD;
    if (lock_try(&jit_lock)) { /* if not, another sample will come */
        b = whole ? optimise_method(h, yields, &why) : optimise_loop(h, yields, &why);
        lock_release(&jit_lock);
    } else if (whole && h.m->optimised == OPT_WAITS) {
        h.m->optimised = OPT_NOT_YET;
    }
    if (b) HOOK_CALL(CODE_MADE, code_made, thread_self(), b);
    return why != opt_gave_up;
}

void jit_mistaken(CodeBlob *b, const Method *m, u4 bci) {
    lock_take(&jit_lock);
    sites_doubt(m, bci);
    if (!b->retired) {
        code_give_up(b, CODE_END_MISTAKEN);
        count_mistake(b->method);
    }
    lock_release(&jit_lock);
}

void jit_learn_receiver(const Method *m, u4 bci, Class *k) {
    if (!lock_try(&jit_lock)) return; /* the next one */
    sites_learn(m, bci, k);
    lock_release(&jit_lock);
}

static bool learn_chosen(Method *root, const CodeBlob *base) {
    bool any = root->blob && root->blob->optimised && sites_learn_chosen(root->blob->sites);
    for (const CodeBlob *l = base ? base->loops : NULL; l; l = l->next_loop) any |= sites_learn_chosen(l->sites);
    return any;
}

static void give_up_all(Method *root, CodeBlob *base) {
    if (root->blob->optimised) code_give_up(root->blob, CODE_END_SITES);
    for (CodeBlob *l = base ? base->loops : NULL, *next; l; l = next) {
        next = l->next_loop;
        code_give_up(l, CODE_END_SITES);
    }
}

void jit_learn_missed(Method *root, const Method *m, u4 bci, const Method *called) {
    if (!lock_try(&jit_lock)) return;
    CodeBlob *base = root->relearnt < MAX_RELEARNT ? base_code(root) : NULL;
    if (base && sites_missed(m, bci, called) && ++root->samples >= ENOUGH_SAMPLES) {
        root->samples = 0;
        root->relearnt++;
        if (learn_chosen(root, base)) give_up_all(root, base);
    }
    lock_release(&jit_lock);
}

/* Another thread may retire the code meanwhile; it is not freed as long as this one does not stop. */
const void *jit_code_at(const Thread *t, const Method *m, u4 bci) {
    const CodeBlob *b = base_code(m), *loop = code_of_loop(m, bci);
    if (b && !jit_may_run(t, b)) return NULL;
    if (loop && !thread_events(t)) return loop->code;
    u4 lo = 0, hi = b ? b->n_entries : 0;
    while (lo < hi) {
        u4 mid = (lo + hi) / 2;
        if (b->entries[mid].bci == bci) return b->code + b->entries[mid].offset;
        if (b->entries[mid].bci < bci) lo = mid + 1;
        else hi = mid;
    }
    return NULL;
}

const void *jit_osr(Thread *t, Frame *f) {
    Method *m = f->method, *hot = t->hot_loop;
    t->hot_loop = NULL;
    atomic_fetch_and(&t->poll, ~(u4)POLL_HOT_LOOP);
    u4 events = thread_events(t);
    if (m != hot || events & EXEC_EVENTS_PER_INSN || f->sp != frame_stack_base(f) || f->flags & FRAME_NOTIFY_POP) return NULL;
    if ((u1 *)__builtin_frame_address(0) < t->c_stack_limit) return NULL;
    const CodeBlob *b = method_code(m);
    if (UNLIKELY(events) && !(b && b->reports)) make_reporting(m);
    else if (method_tier(m) != TIER_COMPILED && !compile_or_queue(m)) return NULL;
    u4 bci = frame_bci(f);
    const void *code = jit_code_at(t, m, bci);
    if (!code) return NULL;
    u4 from_c = (f->flags & (FRAME_ENTRY | FRAME_BRIDGED)) == FRAME_ENTRY ? FRAME_FROM_C : 0;
    f->flags = (f->flags & ~(u4)(FRAME_LEAVE_CODE | FRAME_ENTRY | FRAME_BRIDGED)) | FRAME_COMPILED | from_c;
    f->position = bci;
    return t->osr_code = code;
}

/* --- throwing away --- */

static void go_on_reporting(CodeBlob *b, void *unused) {
    (void)unused;
    if (b->method->blob != b) return; /* below other code */
    if (reporting || !b->reports) return open_entry(b);
    set_reports(b->method, false);
    code_retire(b, CODE_END_REPORTS);
    method_set_heat(b->method, jit_hot / 2);
}

/* Code that reports is slower, so it goes with the last one who wants it. */
void jit_report(bool on) {
    if (on == reporting) return;
    lock_take(&jit_lock);
    reporting = on;
    code_visit_live(go_on_reporting, NULL);
    lock_release(&jit_lock);
}

/* Base code that lies below other code, or has code of loops, cannot be made anew alone: all of it goes, and none of it was mistaken. */
void jit_needs_more(CodeBlob *b) {
    Method *m = b->method;
    lock_take(&jit_lock);
    if (b->retired) {
        /* frames run it still, what comes after it may know more */
    } else if (m->blob == b && b->optimised) {
        code_give_up(b, CODE_END_MISTAKEN);
        count_mistake(m);
    } else if (m->recompiled < MAX_RECOMPILED) {
        m->recompiled++;
        m->samples = 0;
        code_retire(m->blob, CODE_END_NEW);
        method_set_heat(m, jit_hot / 2);
    }
    lock_release(&jit_lock);
}

/* A fault takes longer than everything else about an exception: where they are frequent null is asked for. */
void jit_found_null(Method *m) {
    lock_take(&jit_lock);
    if (m->faults < MAX_FAULTS && ++m->faults == MAX_FAULTS && m->blob) {
        code_retire(m->blob, CODE_END_FAULTS);
        method_set_heat(m, jit_hot / 2);
    }
    lock_release(&jit_lock);
}

/* A handler in a body costs its root the code: a method that needs one often is called. */
void jit_caught_in_body(Method *root, Method *body) {
    lock_take(&jit_lock);
    if (body->caught < MAX_CAUGHT) body->caught++;
    if (body->caught == MAX_CAUGHT && root->blob && !root->blob->optimised) {
        code_retire(root->blob, CODE_END_HANDLER);
        method_set_heat(root, jit_hot / 2);
    }
    lock_release(&jit_lock);
}

static bool look_late(Method *m, SiteCache *s, const Object *receiver) {
    if (!sites_look_late(m, s, receiver) || m->relearnt >= MAX_RELEARNT || !m->blob) return false;
    CodeBlob *base = base_code(m);
    m->relearnt++;
    give_up_all(m, base);
    if (!base) method_set_heat(m, jit_hot / 2);
    return true;
}

static bool look_early(Method *m, SiteCache *s, const Object *receiver) {
    if (!sites_look(m->blob, s, receiver) || !sites_wanted(m)) return false;
    m->profiled++;
    code_retire(m->blob, CODE_END_SITES);
    method_set_heat(m, jit_hot / 2);
    return true;
}

/* Frames in retired code look, too. */
bool jit_look_at_receiver(Method *m, SiteCache *s, const Object *receiver) {
    if (!lock_try(&jit_lock)) return false; /* next time */
    bool anew = s->late ? look_late(m, s, receiver) : look_early(m, s, receiver);
    lock_release(&jit_lock);
    return anew;
}

void jit_free_sites(SiteCache *s) {
    for (SiteCache *next; s; s = next) {
        next = s->next;
        free(s);
    }
}

JitFigures jit_figures(void) {
    lock_take(&jit_lock);
    JitFigures f = jit_so_far;
    CacheFigures c = cache_figures();
    f.cache_total = c.total;
    f.cache_used = c.used;
    f.cache_most = c.most_used;
    lock_release(&jit_lock);
    return f;
}
