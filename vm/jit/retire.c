/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The code that there is, and how it goes.
 *
 * Code is live, retired (nobody can enter it any more, frames may still run it), or dead (no frame of its method is on any stack; a frame
 * is there as long as anything returns into its code).  Live code is in order of its making, the newest first.  It dies in pauses only
 * (sweep) and is freed in the same pause or behind it.
 *
 * A pause in which classes change throws away what was made from their methods, and empties the calls that chose one.  There may be tens
 * of thousands of methods, each in memory of its own, and few are concerned.  So they are looked for while the world runs
 * (jit_find_users); the pause takes what was found and looks only at what was made since.  What was found is worth nothing once code
 * was freed, or a call chose a method, since then: then all is looked at in the pause.
 *
 * Locks: what says [lock: jit] is called with it or in a pause.
 */
#include "core/hooks.h"
#include "core/options.h"
#include "exec/exec.h"
#include "frame/frame.h"
#include "heap/heap_upcall.h"
#include "jit/leb.h"
#include "jit/policy.h"
#include "object/version.h"
#include "os/os.h"
#include <stdlib.h>

VmLock jit_lock = VM_LOCK(COMPILER);
JitFigures jit_so_far;
static CodeBlob *blobs, *retired, *dead;
static u4 n_freed; /* times code was, for JitUsers */

static void put_in(CodeBlob **list, CodeBlob *b) {
    b->next = *list;
    b->from = list;
    if (b->next) b->next->from = &b->next;
    *list = b;
    ++*(b->retired ? &jit_so_far.retired : &jit_so_far.live);
}
static void take_out(CodeBlob *b) {
    *b->from = b->next;
    if (b->next) b->next->from = b->from;
    --*(b->retired ? &jit_so_far.retired : &jit_so_far.live);
}

/* What its cells hold later is not in the code. */
void code_add(CodeBlob *b) {
    b->left_since = os_nanos();
    class_add_uses_to_set(b->users_of, b->method->holder);
    for (u4 i = 0; i < b->n_inlined; i++) class_add_uses_to_set(b->users_of, b->inlined[i]->holder);
    put_in(&blobs, b);
}

static void end_life(CodeBlob *b) {
    take_out(b);
    b->retired = true;
    put_in(&retired, b);
    jit_so_far.thrown_away++;
    report_compilation(b, "made not entrant");
}

static void end_loops(CodeBlob *base) {
    CodeBlob *l = base->loops;
    __atomic_store_n(&base->loops, NULL, __ATOMIC_RELEASE);
    for (; l; l = l->next_loop) end_life(l);
}

static void end_loop(CodeBlob *l) {
    CodeBlob **at = &l->loop_of->loops;
    while (*at != l) at = &(*at)->next_loop;
    __atomic_store_n(at, l->next_loop, __ATOMIC_RELEASE);
    end_life(l);
}

static void end_below(CodeBlob *b) {
    end_loops(b);
    end_life(b);
}

/* What lies below optimised code goes with it, or alone; code of loops goes with the base code, or alone. */
void code_retire(CodeBlob *b, CodeEnd why) {
    if (!b) return;
    Method *m = b->method;
    story_ended(m, why);
    CodeBlob *below = b->below;
    if (b->loop_of) return end_loop(b);
    if (m->blob != b) {
        __atomic_store_n(&m->blob->below, NULL, __ATOMIC_RELEASE);
        return end_below(b);
    }
    end_loops(b);
    __atomic_store_n(&m->entry, (const void *)jit_bridge, __ATOMIC_RELEASE);
    set_tier(m, TIER_COUNTING);
    __atomic_store_n(&m->blob, NULL, __ATOMIC_RELEASE);
    method_set_heat(m, 0);
    if (m->optimised != OPT_REFUSED) m->optimised = OPT_NOT_YET;
    b->below = NULL;
    end_life(b);
    if (below) end_below(below);
}

CodeBlob *code_retire_optimised(CodeBlob *b, CodeEnd why) {
    CodeBlob *below = b->below;
    if (!below) return code_retire(b, why), NULL;
    story_ended(b->method, why);
    __atomic_store_n(&b->method->blob, below, __ATOMIC_RELEASE);
    b->below = NULL;
    end_life(b);
    return below;
}

/* --- what calls chose --- */

static void empty_site(SiteCache *s) {
    s->klass = 0;
    s->taken = s->second = 0;
    sites_start(s);
}

static void empty_sites(const CodeBlob *b) {
    for (; b; b = b->next)
        for (SiteCache *s = b->sites; s; s = s->next) empty_site(s);
}

/* --- the end --- */

static void free_memory(CodeBlob *b) {
    report_freed(b);
    n_freed++;
    due_give_back(b->due);
    free(b->places);
    free(b->exits);
    free(b->records);
    free(b->pins);
    free(b->words);
    jit_free_sites(b->sites);
    free(b->inlined);
    free(b->trusts);
    free(b->scopes);
    cache_free(b->code, b->size);
    free(b);
}

/* In a pause. */
static void free_blob(CodeBlob *b) {
    HOOK_CALL(CODE_GONE, code_gone, b);
    free_memory(b);
}

static void free_dead(void) {
    for (CodeBlob *b; (b = dead);) {
        dead = b->next;
        free_blob(b);
    }
}

/* The same while the world runs.  Who hears of it takes locks before ours. */
static void free_dead_running(void) {
    lock_take(&jit_lock);
    CodeBlob *all = dead;
    dead = NULL;
    lock_release(&jit_lock);
    for (const CodeBlob *b = all; b; b = b->next) HOOK_CALL(CODE_GONE, code_gone, b);
    lock_take(&jit_lock);
    for (CodeBlob *b = all, *next; b; b = next) {
        next = b->next;
        free_memory(b);
    }
    lock_release(&jit_lock);
}

/* World stopped: retired code that no frame runs is dead.  Stacks may be deep and much code retired: each is looked at once. */
static void sweep(void) {
    if (!retired) return;
    for (CodeBlob *b = retired; b; b = b->next) FLAGS_CLEAR(b->method->flags, MF_CODE_RUNS);
    FOR_EACH_THREAD(t)
    for (const Frame *f = t->frame; f; f = frame_older(f))
        if (f->flags & (FRAME_COMPILED | FRAME_BORROWED) && !(f->method->flags & MF_CODE_RUNS))
            FLAGS_SET(f->method->flags, MF_CODE_RUNS);
    for (CodeBlob *b = retired, *next; b; b = next) {
        next = b->next;
        if (b->method->flags & MF_CODE_RUNS) continue;
        take_out(b);
        b->next = dead;
        dead = b;
    }
}

void jit_leave_frames(Thread *t) {
    if (!jit_on) return;
    for (Frame *f = t->frame; f; f = frame_older(f)) frame_leave_code(f);
}

/* What changes: methods; code that has something of theirs goes, and its frames leave; some run code that was retired before. */
typedef struct Change {
    bool (*method)(const Method *m, const void *what);
    bool (*code)(const CodeBlob *b, const struct Change *c);
    const void *what;
} Change;

static bool made_from(const CodeBlob *b, const Change *c) {
    if (c->method(b->method, c->what)) return true;
    for (u4 i = 0; i < b->n_inlined; i++)
        if (c->method(b->inlined[i], c->what)) return true;
    return false;
}

/* The newest live code that does; of all older code it is known which. */
static void retire_newer(u4 than, const Change *c) {
    for (CodeBlob *b = blobs, *next; b && b->id > than; b = next) {
        next = b->next;
        if (c->code(b, c)) code_retire(b, CODE_END_CHANGED);
        if (next && next->retired) next = blobs; /* went with b */
    }
}

static void frames_leave(const Change *c) {
    for (CodeBlob *b = retired; b; b = b->next)
        if (c->code(b, c)) FLAGS_SET(b->method->flags, MF_CODE_LEAVES);
    FOR_EACH_THREAD(t) {
        Frame *youngest = t->frame;
        for (Frame *f = t->frame; f; f = frame_older(f)) {
            if (f->flags & (FRAME_COMPILED | FRAME_BORROWED) &&
                (f->method->flags & MF_CODE_LEAVES || c->method(f->method, c->what)))
                frame_leave_code(youngest);
            if (!(f->flags & FRAME_INLINED)) youngest = frame_older(f);
        }
    }
    for (CodeBlob *b = retired; b; b = b->next) FLAGS_CLEAR(b->method->flags, MF_CODE_LEAVES);
}

static void forget(const Change *c) {
    retire_newer(0, c);
    frames_leave(c);
}

static bool is_same(const Method *m, const void *same) { return m == same; }

void jit_forget(Method *m) {
    if (!jit_on) return;
    forget(&(Change){is_same, made_from, m});
    sweep();
    free_dead();
}

/* --- users of classes --- */

static bool is_concerned(const Method *m, const void *holders) {
    return class_may_be_in_set(holders, m->holder) || class_may_use(m->holder, holders);
}

/* Asked of all code, of which hardly any is concerned: nothing else of it is looked at. */
static bool is_code_concerned(const CodeBlob *b, const Change *c) {
    const u8 *holders = c->what;
    return b->users_of[0] & holders[0] || b->users_of[1] & holders[1] || b->users_of[2] & holders[2] ||
           b->users_of[3] & holders[3];
}

static Change change_of(const u8 holders[4]) { return (Change){is_concerned, is_code_concerned, holders}; }

struct JitUsers {
    CF_VEC(CodeBlob *) code;   /* live: to be retired */
    CF_VEC(SiteCache *) sites; /* that chose a method of the classes */
    u4 last_id, freed, filled; /* when they were looked for */
};

static bool chose(const SiteCache *s, const u8 holders[4]) {
    const Method *first = __atomic_load_n(&s->klass, __ATOMIC_ACQUIRE) ? s->target : NULL;
    const Method *second = __atomic_load_n(&s->second, __ATOMIC_ACQUIRE) ? s->second_target : NULL;
    return (first && class_may_be_in_set(holders, first->holder)) || (second && class_may_be_in_set(holders, second->holder));
}

static bool note_users(JitUsers *u, const u8 holders[4]) {
    bool ok = true;
    Change change = change_of(holders);
    for (CodeBlob *b = blobs; b && ok; b = b->next) {
        if (is_code_concerned(b, &change)) ok = cf_vec_push(&u->code, b);
        for (SiteCache *s = b->sites; s && ok; s = s->next)
            if (chose(s, holders)) ok = cf_vec_push(&u->sites, s);
    }
    for (const CodeBlob *b = retired; b && ok; b = b->next) /* frames run it */
        for (SiteCache *s = b->sites; s && ok; s = s->next)
            if (chose(s, holders)) ok = cf_vec_push(&u->sites, s);
    return ok;
}

static void free_users(JitUsers *u) {
    cf_vec_free(&u->code);
    cf_vec_free(&u->sites);
    free(u);
}

JitUsers *jit_find_users(const u8 holders[4]) {
    JitUsers *u = jit_on ? calloc(1, sizeof *u) : NULL;
    if (!u) return NULL;
    u->filled = atomic_load(&sites_filled);
    lock_take(&jit_lock);
    u->last_id = blobs ? blobs->id : 0;
    u->freed = n_freed;
    bool ok = note_users(u, holders);
    lock_release(&jit_lock);
    if (ok) return u;
    free_users(u);
    return NULL;
}

void jit_users_done(JitUsers *u) {
    if (!u) return;
    free_dead_running();
    free_users(u);
}

static bool holds(const JitUsers *u) { return u && u->freed == n_freed; }

/* Methods are constants of the code only if they are in cells of its class, and cells are where redefinition looks. */
void jit_forget_users(const u8 holders[4], const JitUsers *found) {
    if (!jit_on) return;
    Change change = change_of(holders);
    retire_newer(holds(found) ? found->last_id : 0, &change);
    for (u4 i = 0; holds(found) && i < found->code.len; i++)
        if (!found->code.data[i]->retired) code_retire(found->code.data[i], CODE_END_CHANGED);
    frames_leave(&change);
    sweep();
    if (!found) free_dead();
}

/* What new code chose counts as well. */
void jit_forget_chosen(const JitUsers *found) {
    if (holds(found) && found->filled == atomic_load(&sites_filled)) {
        for (u4 i = 0; i < found->sites.len; i++) empty_site(found->sites.data[i]);
    } else {
        empty_sites(blobs);
        empty_sites(retired);
    }
}

static bool no_method(const Method *m, const void *what) { return false; }
static bool is_mistrusted(const CodeBlob *b, const Change *c) { return hierarchy_breaks(b, c->what); }

static void forget_mistrusted(void *c) {
    Change change = {no_method, is_mistrusted, c};
    for (CodeBlob *b = blobs, *next; b; b = next) {
        next = b->next;
        if (!is_mistrusted(b, &change)) continue;
        code_give_up(b, CODE_END_HIERARCHY);
        if (next && next->retired) next = blobs;
    }
    frames_leave(&change);
    sweep();
    free_dead();
}

void jit_class_dispatches(Class *c) {
    if (jit_on) safepoint_run("class that code did not expect", forget_mistrusted, c);
}

void jit_forget_callers(const Method *m) {
    u8 its_class[4] = {0};
    class_add_to_set(its_class, m->holder);
    jit_forget_users(its_class, NULL);
}

void jit_forget_all(void) {
    if (!jit_on) return;
    while (blobs) code_retire(blobs, CODE_END_CHANGED);
    FOR_EACH_THREAD(t) jit_leave_frames(t);
    sweep();
    free_dead();
}

/*
 * DropCodeInterval: code is thrown away by chance, of any method or of one whose frame is among the youngest.  As sites do it, while
 * others run it and the frames stay; or as redefinition does, its frames leaving, which is rarer because it looks at all of a stack: the deeper
 * it was, the longer until the next time.  The numbers are the same in every run of a thread.
 */
static _Thread_local u4 rest; /* drops until one may stop the world */

static u4 draw(u4 n) {
    static _Thread_local u8 state;
    u8 h = (state += 0x9e3779b97f4a7c15u);
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    return (u4)((h ^ h >> 29) >> 32) % n;
}

static Method *draw_method(const Thread *t) {
    u4 back = draw(8);
    const CodeBlob *b = blobs;
    for (const Frame *f = back < 4 ? t->frame : NULL; f; f = frame_older(f))
        if (f->flags & FRAME_COMPILED && !(f->flags & FRAME_INLINED) && !back--) return f->method;
    for (u4 n = jit_so_far.live ? draw(jit_so_far.live) : 0; b && n; n--) b = b->next;
    return b ? b->method : NULL;
}

static void drop_stopped(void *t) {
    enum { FRAMES_A_DROP = 64 };
    u4 depth = 0;
    for (const Frame *f = ((Thread *)t)->frame; f; f = frame_older(f)) depth++;
    rest = depth / FRAMES_A_DROP;
    Method *m = draw_method(t);
    if (m) jit_forget(m);
}

static void drop_running(const Thread *t) {
    lock_take(&jit_lock);
    const Method *m = draw_method(t);
    if (m) code_retire(m->blob, CODE_END_DROPPED);
    lock_release(&jit_lock);
}

void jit_drop_code(Thread *t) {
    if (draw((u4)vm_options.drop_interval)) return;
    if (rest) rest--;
    if (rest || draw(8)) drop_running(t);
    else safepoint_run("code dropped", drop_stopped, t);
}

static bool is_of(const Method *m, const void *version) {
    const ClassVersion *v = version;
    return m >= v->methods && m < v->methods + v->n_methods_all;
}

/* A guarded body may be of a class that goes earlier than its callers. */
static void forget_inlined(const ClassVersion *v) {
    bool any = false;
    Change gone = {is_of, made_from, v};
    for (const CodeBlob *b = blobs; b && !any; b = b->next) any = b->n_inlined && made_from(b, &gone);
    if (any) forget(&gone);
}

/* Frames may still run code that has its bodies. */
static void strip_retired(const ClassVersion *v) {
    for (CodeBlob *b = retired; b; b = b->next) {
        u4 n = 0;
        for (u4 i = 0; i < b->n_inlined; i++)
            if (!is_of(b->inlined[i], v)) b->inlined[n++] = b->inlined[i];
        b->n_inlined = n;
        for (u4 i = 0; i < b->n_scopes; i++)
            if (b->scopes[i].method && is_of(b->scopes[i].method, v)) b->scopes[i].method = NULL;
    }
}

static void take_out_and_free(CodeBlob *b) {
    take_out(b);
    free_blob(b);
}

static void free_code_of(CodeBlob *b) {
    if (b->below) free_code_of(b->below);
    for (CodeBlob *l = b->loops, *next; l; l = next) {
        next = l->next_loop;
        take_out_and_free(l);
    }
    take_out_and_free(b);
}

/* When v was replaced all code that had bodies of it was retired, and later code calls their successors.  But its own methods may have been
 * compiled since: frames ran them in a loop. */
void jit_free_version(ClassVersion *v) {
    if (!jit_on) return;
    sites_forget(v);
    throws_forget(v);
    if (!v->methods) return;
    story_forget(v);
    queue_forget(v);
    if (v->klass->version == v) forget_inlined(v);
    strip_retired(v);
    for (u4 i = 0; i < v->n_methods_all; i++) {
        if (v->methods[i].blob) free_code_of(v->methods[i].blob);
    }
    for (CodeBlob *b = retired, *next; b; b = next) {
        next = b->next;
        if (is_of(b->method, v)) take_out_and_free(b);
    }
}

static void visit_words_of(const CodeBlob *b, void (*visit)(u8, void *), void *arg) {
    for (u4 i = 0; i < b->n_words; i++) visit(b->words[i], arg);
    const u1 *at = b->records, *end = at + b->n_record_bytes;
    while (at < end) {
        u8 v = leb_get(&at);
        visit(v, arg);
        visit((u8)leb_signed(v), arg);
    }
}

/* Code that can be entered, and what runs still. */
void upcall_code_words(void (*visit)(u8, void *), void *arg) {
    for (const CodeBlob *b = blobs; b; b = b->next) visit_words_of(b, visit, arg);
    for (const CodeBlob *b = retired; b; b = b->next) visit_words_of(b, visit, arg);
}

void code_visit_live(void (*visit)(CodeBlob *b, void *arg), void *arg) {
    for (CodeBlob *b = blobs, *next; b; b = next) {
        next = b->next;
        visit(b, arg);
    }
}

void jit_visit_code(void (*visit)(CodeBlob *b, void *arg), void *arg) {
    lock_take(&jit_lock);
    code_visit_live(visit, arg);
    lock_release(&jit_lock);
}
