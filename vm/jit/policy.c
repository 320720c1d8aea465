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
static bool background;

static VmLock lock = VM_LOCK(COMPILER);
static CodeBlob *blobs, *retired;
static JitFigures figures; /* the cache: when asked for */

static void put_in(CodeBlob **list, CodeBlob *b) {
    b->next = *list;
    b->from = list;
    if (b->next) b->next->from = &b->next;
    *list = b;
    ++*(b->retired ? &figures.retired : &figures.live);
}
static void take_out(CodeBlob *b) {
    *b->from = b->next;
    if (b->next) b->next->from = b->from;
    --*(b->retired ? &figures.retired : &figures.live);
}

bool jit_is_wanted(void) {
#if defined(__x86_64__)
    return vm_options.base_compiler && vm_options.run_mode != RUN_INTERPRETED && vm_options.tiered_stop > 0;
#else
    return false;
#endif
}

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
    background = vm_options.background_compilation && vm_options.run_mode != RUN_COMPILED;
    if (!jit_on) return;
    asm_detect_features();
    os_set_memory_fault_hook(null_exit);
}

static void print_line(const Method *m, u4 id, const char *note) {
    if (vm_options.print_compilation || vm_options.print_inlining) report_compilation(m, id, !background, note);
}

static void name_last(char *to, size_t room, const Method *m) {
    snprintf(to, room, "%s %s", m->holder->name->bytes, m->name->bytes);
}

/* --- compiling [lock: jit] --- */

static void set_tier(Method *m, u1 tier) { __atomic_store_n(&m->tier_state, tier, __ATOMIC_RELEASE); }

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
    snprintf(note, sizeof note, "COMPILE SKIPPED: %s (not retryable)", why);
    print_line(m, figures.compiled + ++figures.refused, note);
    figures.last_refused_size = m->code_len;
    name_last(figures.last_refused, sizeof figures.last_refused, m);
    keep_interpreted(m);
}

static void exclude(Method *m) {
    char name[512];
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
    put_in(&blobs, b);
    __atomic_store_n(&m->blob, b, __ATOMIC_RELEASE);
    method_set_heat(m, 0);
    TSAN_RELEASE(b); /* compiled code leads to it */
    open_entry(b);
    set_tier(m, TIER_COMPILED);
    b->id = ++figures.compiled + figures.refused;
    figures.bytecode_bytes += m->code_len;
    for (u4 i = 0; i < b->n_scopes; i++) figures.bytecode_bytes += b->scopes[i].method->code_len; /* as the reference counts */
    figures.code_bytes += b->size;
    figures.last_size = m->code_len;
    name_last(figures.last, sizeof figures.last, m);
    print_line(m, b->id, NULL);
    if (compile_command_prints(m)) report_code(b);
    report_made(b);
}

static CodeBlob *make(Method *m) {
    const char *why = NULL;
    int64_t start = os_nanos();
    CodeBlob *b = base_compile(m, reporting && __atomic_load_n(&m->reports, __ATOMIC_RELAXED), &why);
    figures.nanos += (u8)(os_nanos() - start);
    if (b) publish(m, b);
    else if (why) refuse(m, why);
    else method_set_heat(m, 0);
    return b;
}

/* b cannot be entered any more.  [lock: jit] or at a safepoint */
static void retire(CodeBlob *b) {
    if (!b) return;
    Method *m = b->method;
    __atomic_store_n(&m->entry, (const void *)jit_bridge, __ATOMIC_RELEASE);
    set_tier(m, TIER_COUNTING);
    __atomic_store_n(&m->blob, NULL, __ATOMIC_RELEASE);
    method_set_heat(m, 0);
    take_out(b);
    b->retired = true;
    put_in(&retired, b);
    figures.thrown_away++;
    print_line(m, b->id, "made not entrant");
}

/* Code is freed in pauses only: until this thread polls it is there, whoever retires it. */
static bool compile_locked(Method *m) {
    CodeBlob *b = NULL;
    if (is_waited_for(m) && m->qcode) {
        if (compile_command_excludes(m)) exclude(m);
        else b = make(m);
    }
    lock_release(&lock);
    if (b) HOOK_CALL(CODE_MADE, code_made, thread_self(), b);
    return method_tier(m) == TIER_COMPILED;
}

static bool compile(Method *m) { return lock_try(&lock) && compile_locked(m); /* next time */ }

bool jit_compile_queued(Method *m) {
    if (m->next_version) return false; /* replaced meanwhile */
    lock_take(&lock);
    bool done = compile_locked(m);
    return done || method_tier(m) == TIER_INTERPRETED;
}

/* True: m is compiled now. */
static bool compile_or_queue(Method *m) { return background ? !queue_add(m) && compile(m) : compile(m); }

bool jit_called(Method *m) {
    if (!is_waited_for(m)) return false;
    u4 heat = method_warm(m, JIT_HEAT_CALL); /* of queued ones the hottest comes first */
    return heat >= jit_hot && method_tier(m) == TIER_COUNTING && compile_or_queue(m);
}

static void set_reports(Method *m, bool on) { __atomic_store_n(&m->reports, on, __ATOMIC_RELAXED); }

/* m's code reports nothing, and is hot where it is not to be run.  True: now it has other code. */
static bool make_reporting(Method *m) {
    if (!lock_try(&lock)) return false;
    set_reports(m, true);
    if (m->blob && !m->blob->reports) retire(m->blob);
    lock_release(&lock);
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

/* Another thread may retire the code meanwhile; it is not freed as long as this one does not stop. */
const void *jit_code_at(const Thread *t, const Method *m, u4 bci) {
    const CodeBlob *b = method_code(m);
    if (b && !jit_may_run(t, b)) return NULL;
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

/* Code that reports is slower, so it goes with the last one who wants it. */
void jit_report(bool on) {
    if (on == reporting) return;
    lock_take(&lock);
    reporting = on;
    for (CodeBlob *b = blobs, *next; b; b = next) {
        next = b->next;
        if (on || !b->reports) {
            open_entry(b);
            continue;
        }
        set_reports(b->method, false);
        retire(b);
        method_set_heat(b->method, jit_hot / 2);
    }
    lock_release(&lock);
}

void jit_needs_more(Method *m) {
    lock_take(&lock);
    if (m->blob && m->recompiled < MAX_RECOMPILED) {
        m->recompiled++;
        retire(m->blob);
        method_set_heat(m, jit_hot / 2);
    }
    lock_release(&lock);
}

/* A fault takes longer than everything else about an exception: where they are frequent null is asked for. */
void jit_found_null(Method *m) {
    lock_take(&lock);
    if (m->faults < MAX_FAULTS && ++m->faults == MAX_FAULTS && m->blob) {
        retire(m->blob);
        method_set_heat(m, jit_hot / 2);
    }
    lock_release(&lock);
}

/* A handler in a body costs its root the code: a method that needs one often is called. */
void jit_caught_in_body(Method *root, Method *body) {
    lock_take(&lock);
    if (body->caught < MAX_CAUGHT) body->caught++;
    if (body->caught == MAX_CAUGHT && root->blob) {
        retire(root->blob);
        method_set_heat(root, jit_hot / 2);
    }
    lock_release(&lock);
}

bool jit_look_at_receiver(Method *m, SiteCache *s, const Object *receiver) {
    if (!lock_try(&lock)) return false;                              /* next time */
    bool anew = sites_look(m->blob, s, receiver) && sites_wanted(m); /* frames in retired code look, too */
    if (anew) {
        m->profiled++;
        retire(m->blob);
        method_set_heat(m, jit_hot / 2);
    }
    lock_release(&lock);
    return anew;
}

void jit_free_sites(SiteCache *s) {
    for (SiteCache *next; s; s = next) {
        next = s->next;
        free(s);
    }
}

static void empty_sites(const CodeBlob *b) {
    for (; b; b = b->next)
        for (SiteCache *s = b->sites; s; s = s->next) {
            s->klass = 0;
            s->taken = s->second = 0;
            sites_start(s);
        }
}

void jit_forget_chosen(void) {
    empty_sites(blobs);
    empty_sites(retired);
}

static void free_blob(CodeBlob *b) {
    HOOK_CALL(CODE_GONE, code_gone, b);
    report_freed(b);
    take_out(b);
    free(b->places);
    free(b->exits);
    free(b->records);
    free(b->pins);
    jit_free_sites(b->sites);
    free(b->inlined);
    free(b->scopes);
    cache_free(b->code, b->size);
    free(b);
}

/* World stopped: retired code that no frame runs.  Stacks may be deep and much code retired: each is looked at once. */
static void sweep(void) {
    if (!retired) return;
    for (CodeBlob *b = retired; b; b = b->next) FLAGS_CLEAR(b->method->flags, MF_CODE_RUNS);
    FOR_EACH_THREAD(t)
    for (const Frame *f = t->frame; f; f = f->prev)
        if (f->flags & (FRAME_COMPILED | FRAME_BORROWED) && !(f->method->flags & MF_CODE_RUNS))
            FLAGS_SET(f->method->flags, MF_CODE_RUNS);
    for (CodeBlob *b = retired, *next; b; b = next) {
        next = b->next;
        if (!(b->method->flags & MF_CODE_RUNS)) free_blob(b);
    }
}

void jit_leave_frames(Thread *t) {
    if (!jit_on) return;
    for (Frame *f = t->frame; f; f = f->prev) frame_leave_code(f);
}

/* Code goes if a method fits that it was made from, and its frames leave; some run code that was retired before. */
typedef bool (*MethodTest)(const Method *m, const void *arg);

static bool made_from(const CodeBlob *b, MethodTest test, const void *arg) {
    if (test(b->method, arg)) return true;
    for (u4 i = 0; i < b->n_inlined; i++)
        if (test(b->inlined[i], arg)) return true;
    return false;
}

static void forget(MethodTest test, const void *arg) {
    for (CodeBlob *b = blobs, *next; b; b = next) {
        next = b->next;
        if (made_from(b, test, arg)) retire(b);
    }
    for (CodeBlob *b = retired; b; b = b->next)
        if (made_from(b, test, arg)) FLAGS_SET(b->method->flags, MF_CODE_LEAVES);
    FOR_EACH_THREAD(t)
    for (Frame *f = t->frame; f; f = f->prev)
        if (f->flags & (FRAME_COMPILED | FRAME_BORROWED) && (f->method->flags & MF_CODE_LEAVES || test(f->method, arg)))
            frame_leave_code(f);
    for (CodeBlob *b = retired; b; b = b->next) FLAGS_CLEAR(b->method->flags, MF_CODE_LEAVES);
}

static bool is_same(const Method *m, const void *same) { return m == same; }

void jit_forget(Method *m) {
    if (!jit_on) return;
    forget(is_same, m);
    sweep();
}

static bool is_concerned(const Method *m, const void *holders) {
    return class_may_be_in_set(holders, m->holder) || class_may_use(m->holder, holders);
}

/* Methods are constants of the code only if they are in cells of its class, and cells are where redefinition looks. */
void jit_forget_users(const u8 holders[4]) {
    if (!jit_on) return;
    forget(is_concerned, holders);
    sweep();
}

void jit_forget_callers(const Method *m) {
    u8 its_class[4] = {0};
    class_add_to_set(its_class, m->holder);
    jit_forget_users(its_class);
}

void jit_forget_all(void) {
    if (!jit_on) return;
    while (blobs) retire(blobs);
    FOR_EACH_THREAD(t) jit_leave_frames(t);
    sweep();
}

/*
 * DropCodeInterval: code is thrown away by chance, of any method or of one whose frame is among the youngest.  As sites do it, while
 * others run it and the frames stay; or as redefinition does, its frames leaving, which is rarer because it looks at all of a stack, that
 * may be deep.  The numbers are the same in every run of a thread.
 */
static u4 draw(u4 n) {
    static _Thread_local u8 state;
    u8 h = (state += 0x9e3779b97f4a7c15u);
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    return (u4)((h ^ h >> 29) >> 32) % n;
}

static Method *draw_method(const Thread *t) {
    u4 back = draw(8);
    const CodeBlob *b = blobs;
    for (const Frame *f = back < 4 ? t->frame : NULL; f; f = f->prev)
        if (f->flags & FRAME_COMPILED && !(f->flags & FRAME_INLINED) && !back--) return f->method;
    for (u4 n = figures.live ? draw(figures.live) : 0; b && n; n--) b = b->next;
    return b ? b->method : NULL;
}

static void drop_stopped(void *t) {
    Method *m = draw_method(t);
    if (m) jit_forget(m);
}

static void drop_running(const Thread *t) {
    lock_take(&lock);
    const Method *m = draw_method(t);
    if (m) retire(m->blob);
    lock_release(&lock);
}

void jit_drop_code(Thread *t) {
    if (draw((u4)vm_options.drop_interval)) return;
    if (draw(8)) drop_running(t);
    else safepoint_run("code dropped", drop_stopped, t);
}

static bool is_of(const Method *m, const void *version) {
    const ClassVersion *v = version;
    return m >= v->methods && m < v->methods + v->n_methods_all;
}

/* A guarded body may be of a class that goes earlier than its callers. */
static void forget_inlined(const ClassVersion *v) {
    bool any = false;
    for (const CodeBlob *b = blobs; b && !any; b = b->next) any = b->n_inlined && made_from(b, is_of, v);
    if (any) forget(is_of, v);
    for (CodeBlob *b = retired; b; b = b->next) {
        u4 n = 0;
        for (u4 i = 0; i < b->n_inlined; i++)
            if (!is_of(b->inlined[i], v)) b->inlined[n++] = b->inlined[i];
        b->n_inlined = n;
        for (u4 i = 0; i < b->n_scopes; i++)
            if (b->scopes[i].method && is_of(b->scopes[i].method, v)) b->scopes[i].method = NULL;
    }
}

static void free_of(CodeBlob *list, const ClassVersion *v) {
    for (CodeBlob *b = list, *next; b; b = next) {
        next = b->next;
        if (!is_of(b->method, v)) continue;
        b->method->blob = NULL;
        free_blob(b);
    }
}

void jit_free_version(ClassVersion *v) {
    if (!jit_on) return;
    sites_forget(v);
    if (!v->methods) return;
    queue_forget(v);
    forget_inlined(v);
    bool any = retired != NULL;
    for (u4 i = 0; i < v->n_methods_all && !any; i++) any = v->methods[i].blob != NULL;
    if (!any) return;
    free_of(blobs, v);
    free_of(retired, v);
}

void jit_visit_code(void (*visit)(CodeBlob *b, void *arg), void *arg) {
    lock_take(&lock);
    for (CodeBlob *b = blobs; b; b = b->next) visit(b, arg);
    lock_release(&lock);
}

JitFigures jit_figures(void) {
    lock_take(&lock);
    JitFigures f = figures;
    CacheFigures c = cache_figures();
    f.cache_total = c.total;
    f.cache_used = c.used;
    f.cache_most = c.most_used;
    lock_release(&lock);
    return f;
}
