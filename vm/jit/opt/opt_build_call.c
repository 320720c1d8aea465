/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builder: calls.
 *
 * KNOWN    Static, special and final ones name their method.  Of virtual ones it is what all loaded classes share: not asked, the code goes when a class comes
 *          that has another (jit/hierarchy.c); or, if that was wrong before, asked by the receiver's vtable. Or it is the methods of the one or two classes that
 *          the site has seen in base code (jit/sites.c): classes are compared.  If others were seen, too, or the method was mistaken before, they make the call in
 *          a block of its own; where it meets the bodies nothing is known of the result, and all that was read before has to be read again. Else
 *          others leave.
 * EXACT    While a body is read its receiver's class is known by that comparison, which dominates all of it (Build.exact).
 * BOUND    The class that a call names is what its receiver is verified to be. In a body whose receiver is called again that is more than the call in it says:
 *          what an abstract class leaves to its subclasses is known there.
 * BODIES   Small methods that have run are read in place of the call, larger ones if they are hot (opt_build_share.c), loops and all.  What they
 *          have of their own (monitors, breakpoints) makes them calls.  What leads from a handle to its target counts a quarter and is no level.
 * COLD     Base code counts no ways, but calls in the interpreter were counted: a method that was called a few times at most, by one that was counted hot
 *          there, stands on a way that is not taken any more: it makes what later calls find (accessors, caches, tables), or enlarges something. That
 *          way leaves (EXIT_REDO) in front of the call. So nothing was changed by it behind the point where ways meet, and no object is made because a
 *          frame would have to show it. What leaves often after all was called often by then, so the code that follows has the call.
 *          The caller's heat is of its calls, if it has no loops, or of turns: then it says something of calls in innermost loops alone.
 * LEAVES   Methods that the interpreter runs without a frame (quick/leaf.c) are what they do.
 *
 * C CODE   stands for some methods of the class library.  Some of them are nodes (opt_build_library.c), others are called as any method.
 */
#include "jit/opt/opt_build.h"
#include "core/hooks.h"
#include "core/options.h"
#include "jit/base_intrinsic.h"
#include "jit/policy.h"
#include "load/loader.h"
#include "object/class.h"
#include "object/version.h"
#include "quick/quick.h"
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LEVEL = 9,
    MOST_SMALL_LEVEL = 15,
    MOST_ROUND = 3,
    MOST_FUNCTIONS = 5,
    MOST_HANDLES = 40,
    MOST_INLINED = 4000,
    MOST_CELLS = 300,
    MOST_GLUE_CELLS = 600,
    MOST_BODY_LOCALS = 60,
    MOST_BRIDGE = 35
};

/* --- calls that stay calls --- */

static bool gives_fp(const Build *b) {
    CfStr name, desc;
    if (!b->pushes || !cf_name_and_type(b->m->version->cf, b->insn.index, &name, &desc)) return false;
    char last = desc.p[desc.len - 1];
    return (last == 'F' || last == 'D') && desc.p[desc.len - 2] == ')';
}

OptType build_result_type(const Build *b) {
    CfStr name, desc;
    if (!b->pushes || !cf_name_and_type(b->m->version->cf, b->insn.index, &name, &desc)) return OT_NONE;
    return opt_type_of(type_of_desc_char(cf_desc_result(desc).p[0]));
}

static const Class *exact_result(const Build *b) {
    CfStr name, desc;
    return cf_name_and_type(b->m->version->cf, b->insn.index, &name, &desc) ? build_exact(cf_desc_result(desc)) : NULL;
}

/* The arguments stay on the stack. */
Ref build_add_call(Build *b, OptCall how) {
    State *s = build_state(b);
    OptCall *call = opt_alloc(b->o, sizeof *call);
    Ref r = build_add(b, OPT_CALL, build_result_type(b));
    if (!call || !r) return 0;
    *call = how;
    call->n_args += b->above;
    call->bytes = b->insn.len;
    call->pushed = b->pushes;
    call->fp = gives_fp(b);
    Node *n = opt_node(b->o, r);
    n->call = call;
    n->state = s;
    if (n->type == OT_REF) n->klass = exact_result(b);
    n->in[0] = how.kind == CALL_KNOWN ? 0 : build_top(b, how.n_args);
    build_catch_call(b, how.n_args);
    return r;
}

static void replace_args(Build *b, u4 n, Ref result) {
    b->depth -= n;
    if (b->pushes && result) build_push(b, result);
}

void build_call(Build *b, OptCall how) { replace_args(b, how.n_args, build_add_call(b, how)); }

/* --- bodies --- */

static bool has_run(const Method *m) { return method_heat(m) || method_code(m) || m->recompiled; }
static bool is_hot(const Method *m) { return method_code(m) || m->recompiled || method_heat(m) >= jit_hot / 2; }

/* A constructor, or part of one: the object is not made, nor its monitor taken, if all of that becomes a body, which matters to the loops behind it. */
static bool makes_object(const Build *b, const Method *m) {
    if (b->o->modest) return false;
    for (; b->outer; b = b->outer)
        if (b->m->flags & MF_INIT) return true;
    return m->flags & MF_INIT;
}

/* Most of what is between a handle and its target is decided while compiling. */
static u4 cost_of(const Method *m) { return constant_is_glue(m) ? m->code_len / 4u : m->code_len; }

/* What a lambda's class has between the call and the lambda's body. */
static bool is_bridge(const Method *m) { return m->holder->flags & CF_HIDDEN && m->code_len <= MOST_BRIDGE; }

static u4 levels(const Build *b) {
    u4 n = 0;
    for (const OptScope *s = b->scope; s->outer; s = s->outer) n += !constant_is_glue(s->method) && !is_bridge(s->method);
    return n;
}

static u4 times_inside(const Build *b, const Method *m) {
    u4 n = 0;
    for (; b; b = b->outer) n += b->m == m;
    return n;
}

static bool is_function(const Node *n) {
    return n->op == OPT_CONST && n->type == OT_REF && n->klass && (n->klass->flags & CF_HIDDEN || constant_is_own(n->klass));
}

/* Argument i is a function or a handle, or an object that was made before the first of the bodies of m around began, and another one than in each of these. */
static bool is_another(const Build *b, const Method *m, u4 i) {
    Ref r = build_top(b, m->arg_slots - i);
    const Node *n = opt_node(b->o, r);
    if (!r || (n->op != OPT_NEW && !is_function(n))) return false;
    for (; b; b = b->outer)
        if (b->m == m && (!b->args || b->args[i] == r || (n->op == OPT_NEW && r > b->first))) return false;
    return true;
}

/* compose(f, compose(g, h)) is the same few methods on each level, for other functions: an end is in sight. */
static bool goes_on(const Build *b, const Method *m) {
    for (u4 i = 0; i < m->arg_slots; i++)
        if (is_another(b, m, i)) return true;
    return false;
}

static bool recurs_too_deep(const Build *b, const Method *m) {
    u4 inside = times_inside(b, m);
    if (inside && inside < (constant_is_glue(m) ? MOST_HANDLES : MOST_FUNCTIONS) && goes_on(b, m)) return false;
    return inside > (build_forks(m) ? 2u : 1u) || (inside && levels(b) >= MOST_ROUND);
}

static u4 cell_of_operand(const Build *b, u4 n) { return b->scope->floor + b->depth - n; }

/* Its handlers are code, too; but if that was left too often, they look at what they catch. */
static bool may_catch(const Build *b, const Method *m) {
    return m->caught < MAX_CAUGHT || (b->o->handlers && !b->o->root->mistaken);
}

static const char *why_not(const Build *b, const Method *m) {
    if (!vm_options.inlining) return "inlining is off";
    u1 kind = __atomic_load_n(&m->kind, __ATOMIC_ACQUIRE);
    if (kind != MK_BYTECODE && kind != MK_LEAF_QUICK) return "no bytecode";
    if (!__atomic_load_n(&m->qcode, __ATOMIC_ACQUIRE) || !has_run(m)) return "never executed";
    if (m->flags & (MF_HAS_BREAKPOINT | MF_OBSOLETE | MF_JSR | MF_OBJECT_INIT | MF_CLINIT)) return "of its own kind";
    if (m->next_version) return "redefined";
    if (!build_may_lock(b, m)) return "has monitors of its own";
    if (!may_catch(b, m)) return "catches often";
    if (compile_command_dont_inline(m) || compile_command_excludes(m)) return "disallowed by CompileCommand";
    if (m->max_locals > MOST_BODY_LOCALS) return "too many locals";
    if (!constant_is_glue(m) && !build_fits_share(b, m, is_hot(m) || makes_object(b, m))) return "callee is too large";
    if (levels(b) >= (m->code_len <= BUILD_SMALL ? MOST_SMALL_LEVEL : MOST_LEVEL)) return "inlining too deep";
    if (recurs_too_deep(b, m)) return "recursive inlining too deep";
    if (b->o->inlined_bytes + cost_of(m) > MOST_INLINED) return "caller is too large";
    u4 most_cells = constant_is_glue(m) ? MOST_GLUE_CELLS : MOST_CELLS;
    if (cell_of_operand(b, m->arg_slots) + m->max_locals + FRAME_CELLS + m->max_stack > most_cells) return "caller is too large";
    return NULL;
}

void build_note_method(Build *b, Method *m) {
    Opt *o = b->o;
    for (u4 i = 0; i < o->n_inlined; i++)
        if (o->inlined[i] == m) return;
    Method **more = realloc(o->inlined, (o->n_inlined + 1) * sizeof *more); /* the blob takes it */
    if (!more) {
        o->no_memory = true;
        return;
    }
    o->inlined = more;
    more[o->n_inlined++] = m;
}

static OptScope *new_scope(Build *b, Method *m) {
    OptScope *s = opt_alloc(b->o, sizeof *s);
    if (!s) return NULL;
    s->outer = b->scope;
    s->method = m;
    s->number = ++b->o->n_scopes;
    s->call_bci = b->insn.pc;
    s->call_depth = b->depth;
    s->locals = cell_of_operand(b, m->arg_slots);
    s->floor = s->locals + m->max_locals + FRAME_CELLS;
    s->level = b->scope->level + 1;
    s->all = b->o->scopes;
    b->o->scopes = s;
    u4 end = s->floor + m->max_stack + 1;
    if (end > b->o->max_cells) b->o->max_cells = end;
    return s;
}

static State *caller_state(Build *b, u4 n_args) {
    u4 n_stack = b->depth - n_args, n = b->m->max_locals + n_stack;
    State *s = opt_alloc(b->o, sizeof *s + n * sizeof(Ref));
    if (!s) return NULL;
    *s = (State){.outer = b->caller,
                 .scope = b->scope,
                 .bci = b->insn.pc,
                 .depth = b->depth,
                 .n_locals = b->m->max_locals,
                 .n_stack = n_stack};
    memcpy(s->cells, b->cells, n * sizeof(Ref));
    return s;
}

/* False: it is to be called.  cur is 0 behind a body that never returns. */
bool build_body(Build *b, Method *m) {
    const char *why = why_not(b, m);
    if (vm_options.print_inlining) report_body(b->scope->level, b->insn.pc, m, why ? why : "inline");
    if (why) return false;
    Build *body = opt_alloc(b->o, sizeof *body);
    if (!body) return false;
    *body = (Build){.outer = b, .o = b->o, .m = m, .code = m->code, .len = m->code_len, .cur = b->cur, .first = b->o->n_nodes};
    body->caller = caller_state(b, m->arg_slots);
    body->scope = new_scope(b, m);
    body->cells = opt_alloc(b->o, (m->max_locals + m->max_stack + 2) * sizeof(Ref));
    body->args = opt_alloc(b->o, m->arg_slots * sizeof(Ref));
    if (b->o->no_memory) return false;
    build_note_method(b, m);
    u4 before = b->o->inlined_bytes, used, cost = cost_of(m);
    b->o->inlined_bytes += cost;
    body->bound = m->access & ACC_STATIC ? NULL : b->named;
    body->is_glue = constant_is_glue(m);
    build_share_out(body, body->is_glue ? b->share : b->share > cost ? b->share - cost : 0);
    memcpy(body->cells, b->cells + b->m->max_locals + b->depth - m->arg_slots, m->arg_slots * sizeof(Ref));
    memcpy(body->args, body->cells, m->arg_slots * sizeof(Ref));
    if (!build_method(body)) return true; /* refused as a whole */
    used = b->o->inlined_bytes - before;
    b->budget -= used < b->budget ? used : b->budget;
    b->cur = body->end;
    b->depth -= m->arg_slots;
    if (!b->cur || m->ret_type == T_VOID) return true;
    OptType t = opt_type_of((BasicType)m->ret_type);
    build_push(b, body->n_returns == 1 ? body->results[0] : build_phi(b, body->end, t, body->results, body->n_returns));
    return true;
}

/* --- leaves --- */

static void load_flag_of_class(Build *b, Ref receiver) {
    const Class *k = opt_node(b->o, receiver)->klass;
    if (k && !(k->flags & CF_FINALIZABLE)) return;
    Ref klass = opt_new(b->o, OPT_CLASS, OT_LONG);
    opt_node(b->o, klass)->in[0] = receiver;
    klass = build_finish(b, klass);
    Ref flags = build_load(b, OT_INT, MEM_32, klass, offsetof(Class, flags), 0);
    Ref bit = build_pure(b, OPT_AND, OT_INT, flags, build_const(b, OT_INT, CF_FINALIZABLE));
    Ref guard = build_guard(b, OPT_HOLDS, EXIT_REDO, bit, build_const(b, OT_INT, 0));
    opt_node(b->o, guard)->kind = COND_EQ;
    opt_node(b->o, guard)->from = OT_INT;
}

/* The receiver was checked. */
static bool leaf(Build *b, Method *m) {
    MethodKind kind = (MethodKind)__atomic_load_n(&m->kind, __ATOMIC_ACQUIRE);
    Ref receiver = m->arg_slots ? build_top(b, m->arg_slots) : 0, r = 0;
    switch (kind) {
    case MK_LEAF_EMPTY: break;
    case MK_LEAF_OBJECT_INIT: load_flag_of_class(b, receiver); break;
    case MK_LEAF_POKE: build_count(b, m); break;
    case MK_LEAF_GET_B:
    case MK_LEAF_GET_I:
    case MK_LEAF_GET_A:
    case MK_LEAF_GET_J: r = build_load_field(b, receiver, m->holder, m->leaf.offset, b->checked); break;
    default: return false;
    }
    build_note_method(b, m);
    replace_args(b, m->arg_slots, r);
    return true;
}

/* --- kinds of calls --- */

bool build_in_place(Build *b, Method *m) {
    return leaf(b, m) || build_library(b, m) || build_quick(b, m) || build_box(b, m) || build_body(b, m);
}

bool build_may_leave(const Build *b) { return b->o->root->mistaken < TRUSTING; }

/* Tests, where nothing was counted, take some for cold. */
static bool is_cold(const Build *b, const Method *m) {
    enum { FEW = 4 * JIT_HEAT_CALL, ONE_OF = 5 };
    if (__atomic_load_n(&m->kind, __ATOMIC_ACQUIRE) != MK_BYTECODE || method_tier(m) != TIER_COUNTING) return false;
    if (m->recompiled || method_heat(m) > FEW || !build_may_leave(b)) return false;
    if (vm_options.optimize_all) return (b->m->code_len + b->insn.pc) % ONE_OF == 0;
    return is_hot(b->m) && b->loops[b->insn.pc] == b->deepest;
}

static void call_known(Build *b, Method *m) {
    if (build_asked(b, m)) return;
    if (is_cold(b, m)) return build_leave(b, EXIT_REDO);
    if (build_in_place(b, m)) return;
    build_call(b, (OptCall){.kind = CALL_KNOWN, .method = m, .n_args = m->arg_slots});
}

static void check_receiver(Build *b, u4 n) { b->checked = build_not_null(b, build_top(b, n)); }

static bool lives_long(const Build *b, const Class *k, const Method *m) {
    const Loader *l = k->loader;
    return k == m->holder ||
           (!(k->flags & CF_HIDDEN) && (l == BOOT_LOADER || l == m->holder->loader || l == b->o->root->holder->loader));
}

/* Is it worth a comparison? */
static bool may_stand(const Build *b, const Method *m) {
    MethodKind kind = (MethodKind)__atomic_load_n(&m->kind, __ATOMIC_ACQUIRE);
    if (kind == MK_VM_NATIVE || kind == MK_LEAF_QUICK) return build_is_quick(m);
    return method_is_leaf(m) || !why_not(b, m);
}

/* --- ways that meet behind a call --- */

static u4 result_cells(const Build *b) { return b->pushes ? (opt_is_wide(build_result_type(b)) ? 2 : 1) : 0; }
static Ref result_of(const Build *b) { return b->cur && b->pushes ? build_top(b, result_cells(b)) : 0; }

/* Both ways meet with the result; 0: the way ends. */
static void join(Build *b, BlockRef mine, Ref my_result, Ref result, u4 depth) {
    if (b->cur && mine) {
        Ref args[2] = {result, my_result};
        BlockRef meet = build_meet(b); /* the edge from cur is the first */
        b->cur = mine;
        build_go(b, meet);
        b->cur = meet;
        if (b->pushes) result = build_phi(b, meet, build_result_type(b), args, 2);
    } else if (mine) {
        b->cur = mine;
        result = my_result;
    }
    b->depth = depth;
    if (b->cur && b->pushes) build_push(b, result);
}

bool build_declines_often(const Method *m) { return __atomic_load_n(&m->kind, __ATOMIC_ACQUIRE) == MK_LEAF_QUICK && is_hot(m); }

static bool others_body(Build *b, OptCall how, u4 depth) {
    const State *s = build_state(b);
    if (how.kind != CALL_KNOWN || !build_declines_often(how.method)) return false;
    memcpy(b->cells + b->m->max_locals, s->cells + s->n_locals, depth * sizeof(Ref));
    return build_body(b, how.method);
}

void build_call_others(Build *b, OptCall how, BlockRef other, u4 depth) {
    BlockRef own = b->cur;
    Ref mine = result_of(b), theirs;
    b->cur = other;
    b->depth = depth;
    if (others_body(b, how, depth)) {
        theirs = result_of(b);
    } else {
        opt_block(b->o, other)->seldom = own != 0;
        theirs = build_add_call(b, how);
    }
    join(b, own, mine, theirs, depth - how.n_args);
}

/* --- by the classes that the site saw --- */

static SiteCache *new_site(Build *b, Method *im, u4 index) {
    SiteCache *s = malloc(sizeof *s);
    if (!s) return b->o->no_memory = true, NULL;
    *s = (SiteCache){.imethod = im, .next = b->o->sites, .m = b->m, .bci = b->insn.pc, .vtable_index = index, .late = true};
    sites_start(s);
    TSAN_RELEASE(s); /* compiled code leads to it */
    return b->o->sites = s;
}

static bool several_in(const CodeBlob *code, const Method *m, u4 bci) {
    for (; code; code = code->below)
        for (SiteCache *s = code->sites; s; s = s->next)
            if (s->m == m && s->bci == bci && __atomic_load_n(&s->second, __ATOMIC_ACQUIRE)) return true;
    return false;
}

/* Did its caches meet several, so that what one remembers is of no use? */
static bool met_several(const Build *b) {
    return several_in(method_code(b->o->root), b->m, b->insn.pc) || several_in(method_code(b->m), b->m, b->insn.pc);
}

/* If less than two classes of receivers are known the call looks at them, as long as the code may be made anew for what it sees. */
static void call_somebody(Build *b, OptCall how) {
    Class *two[2];
    bool others, wanted = vm_options.inlining && b->o->root->relearnt < MAX_RELEARNT;
    u4 known = sites_receivers(b->o->root, b->m, b->insn.pc, two, &others);
    how.looks = wanted && known < 2;
    how.many = how.kind == CALL_INTERFACE && !known && met_several(b);
    if (how.looks && !how.site) how.site = new_site(b, NULL, how.vtable_index);
    build_call(b, how);
}

/* Receivers of classes k, one or two, have m. */
typedef struct Target {
    Class *k[2];
    Method *m;
} Target;

/* Where cur goes for receivers of the target's classes; cur is where the others are. */
static BlockRef test_classes(Build *b, Ref klass, const Target *t) {
    BlockRef to[2], found;
    build_fork(b, COND_EQ, OT_LONG, klass, build_const(b, OT_LONG, (int64_t)(uintptr_t)t->k[0]), to);
    found = to[0];
    b->cur = to[1];
    if (!t->k[1]) return found;
    build_fork(b, COND_EQ, OT_LONG, klass, build_const(b, OT_LONG, (int64_t)(uintptr_t)t->k[1]), to);
    b->cur = to[0];
    BlockRef both = build_meet(b);
    b->cur = found;
    build_go(b, both);
    b->cur = to[1];
    return both;
}

static void in_place_or_call(Build *b, const Target *t, OptCall how) {
    Exact outer = b->exact;
    b->exact = (Exact){build_top(b, how.n_args), t->k[1] ? NULL : t->k[0]};
    if (!build_in_place(b, t->m)) build_call(b, (OptCall){.kind = CALL_KNOWN, .method = t->m, .n_args = how.n_args});
    b->exact = outer;
}

/* The operands stay where they are until one way is done, for the next one. */
static void by_targets(Build *b, Ref klass, const Target *t, u4 n, OptCall how, bool trusted) {
    u4 depth = b->depth;
    Ref *saved = opt_alloc(b->o, depth * sizeof *saved), *operands = b->cells + b->m->max_locals;
    if (!saved) return;
    memcpy(saved, operands, depth * sizeof *saved);
    BlockRef found = test_classes(b, klass, t), others = b->cur;
    b->cur = found;
    in_place_or_call(b, t, how);
    BlockRef mine = b->cur;
    Ref my_result = result_of(b);
    memcpy(operands, saved, depth * sizeof *saved);
    b->depth = depth;
    b->cur = others;
    if (n > 1) {
        by_targets(b, klass, t + 1, n - 1, how, trusted);
    } else if (trusted) {
        build_leave(b, EXIT_REDO);
    } else {
        opt_block(b->o, others)->seldom = mine != 0;
        call_somebody(b, how);
    }
    join(b, mine, my_result, result_of(b), depth - how.n_args);
}

static bool may_be_target(const Build *b, const Class *k, const Method *m, OptCall how) {
    return m && m->arg_slots == how.n_args && lives_long(b, k, m) && may_stand(b, m);
}

/* The only class that the cache of an interface call met in the code, or in that below. */
static Class *only_met(const CodeBlob *code, const Method *m, u4 bci) {
    for (; code; code = code->below)
        for (SiteCache *s = code->sites; s; s = s->next)
            if (s->m == m && s->bci == bci && __atomic_load_n(&s->klass, __ATOMIC_ACQUIRE))
                return __atomic_load_n(&s->second, __ATOMIC_ACQUIRE) ? NULL : (Class *)(uintptr_t)s->klass;
    return NULL;
}

/* Calls outside of hot loops are made too seldom to be looked at. */
static u4 met(const Build *b, Class *two[2]) {
    if (b->o->root->mistaken) return 0;
    two[0] = only_met(method_code(b->o->root), b->m, b->insn.pc);
    if (!two[0]) two[0] = only_met(method_code(b->m), b->m, b->insn.pc);
    return two[0] && !class_is_array(two[0]);
}

/* For tests, where code is made before sites have seen anything: a class that may come, or may not. */
static u4 guess(const Build *b, Class *named, Class *two[2]) {
    Class *k = named ? named : b->m->holder;
    if (!vm_options.optimize_all || k->access & (ACC_ABSTRACT | ACC_INTERFACE)) return 0;
    two[0] = k;
    return 1;
}

static u4 find_targets(Build *b, Class *named, const Method *im, OptCall how, Target to[2], bool *trusted) {
    Class *two[2];
    bool others = false;
    u4 seen = vm_options.inlining ? sites_receivers(b->o->root, b->m, b->insn.pc, two, &others) : 0, n = 0;
    if (!seen && vm_options.inlining) seen = im ? met(b, two) : 0;
    if (!seen && vm_options.inlining) seen = guess(b, named, two);
    *trusted = !others && build_may_leave(b);
    for (u4 i = 0; i < seen; i++) {
        Method *m = sites_target(two[i], im, how.vtable_index);
        if (!may_be_target(b, two[i], m, how)) {
            *trusted = false;
            continue;
        }
        if (n && to[0].m == m) to[0].k[1] = two[i];
        else to[n++] = (Target){{two[i], NULL}, m};
    }
    return n;
}

static void by_one(Build *b, const Target *t, OptCall how) {
    Ref r = build_guard(b, OPT_IS_CLASS, EXIT_REDO, build_top(b, how.n_args), 0);
    opt_node(b->o, r)->what = t->k[0];
    opt_node(b->o, r)->after = b->checked;
    in_place_or_call(b, t, how);
}

/* named: of a virtual call. */
static bool by_class(Build *b, Class *named, const Method *im, OptCall how) {
    Target to[2];
    bool trusted;
    u4 n = find_targets(b, named, im, how, to, &trusted);
    if (!n) return false;
    if (trusted && n == 1 && !to[0].k[1]) return by_one(b, &to[0], how), true;
    Ref receiver = build_top(b, how.n_args), klass = opt_new(b->o, OPT_CLASS, OT_LONG);
    opt_node(b->o, klass)->in[0] = receiver;
    opt_node(b->o, klass)->after = b->checked;
    klass = build_finish(b, klass);
    build_state(b); /* before a body's result is there */
    by_targets(b, klass, to, n, how, trusted);
    return true;
}

/* Of all that the receiver may be only one class can have objects now: comparing it costs one load, its vtable three, and more is known behind. */
static bool by_only_class(Build *b, Class *named, OptCall how) {
    Class *k = vm_options.inlining && build_may_leave(b) ? class_only_concrete(named) : NULL;
    Method *m = k ? sites_target(k, NULL, how.vtable_index) : NULL;
    if (!may_be_target(b, k, m, how)) return false;
    return by_one(b, &(Target){{k, NULL}, m}, how), true;
}

Method *build_only_target(Build *b, Class *named, u4 n, u4 index) {
    Method *m = vm_options.inlining ? class_only_target(named, index) : NULL;
    if (!m || m->arg_slots != n || !may_stand(b, m)) return NULL;
    Ref receiver = build_top(b, n), r = build_guard(b, OPT_HAS_METHOD, EXIT_REDO, receiver, 0);
    Node *guard = opt_node(b->o, r);
    guard->k = index;
    guard->method = m;
    guard->after = b->checked;
    return m;
}

static Method *trusted_target(Build *b, Class *named, OptCall how) {
    Opt *o = b->o;
    Method *m = vm_options.inlining && !(named->flags & CF_TARGETS_BROKEN) ? class_only_target(named, how.vtable_index) : NULL;
    if (!may_be_target(b, named, m, how) || !hierarchy_trust(&o->trusts, &o->n_trusts, (CodeTrust){named, m, how.vtable_index}))
        return NULL;
    build_note_method(b, m);
    return m;
}

static bool in_place_or_called(Build *b, Method *m, OptCall how) {
    if (m && !build_in_place(b, m)) build_call(b, (OptCall){.kind = CALL_KNOWN, .method = m, .n_args = how.n_args});
    return m;
}

/* Is there one that all receivers have? */
static bool by_trust(Build *b, Class *named, OptCall how) { return in_place_or_called(b, trusted_target(b, named, how), how); }
static bool by_vtable(Build *b, Class *named, OptCall how) {
    return in_place_or_called(b, build_only_target(b, named, how.n_args, how.vtable_index), how);
}

static Class *named_class(const Build *b) {
    const ClassVersion *v = b->m->version;
    u4 index = cf_const(v->cf, b->insn.index)->a;
    bool resolved = atomic_load_explicit(&v->pool_state[index], memory_order_acquire) == POOL_RESOLVED;
    return resolved ? v->pool[index].klass : NULL;
}

static const Class *exact_class(const Build *b, Ref r) {
    const Class *k = opt_node(b->o, r)->klass;
    for (b = b->outer; b && !k; b = b->outer)
        if (b->exact.r == r) k = b->exact.klass;
    return k;
}

/* A receiver whose class is known has its method.  That class lives as long as the code: this has made the object, which a body that is noted does,
 * or compared its class with one that does, or it is a constant. */
static bool by_known_class(Build *b, const Method *im, OptCall how) {
    const Class *k = exact_class(b, build_top(b, how.n_args));
    Method *m = k && !class_is_array(k) ? sites_target((Class *)k, im, how.vtable_index) : NULL;
    if (!m || m->arg_slots != how.n_args) return false;
    build_note_method(b, m);
    call_known(b, m);
    return true;
}

/* Arrays of exactly the named class.  While somebody listens to VMObjectAlloc the call is made: its frame is on the stack that is told. */
static bool by_clone(Build *b, const Method *named, Class *of) {
    if (!named || !base_is_clone(named) || !of || !class_is_array(of) || !build_may_leave(b)) return false;
    Ref array = build_top(b, 1);
    if (exact_class(b, array) != of) {
        Ref r = build_guard(b, OPT_IS_CLASS, EXIT_REDO, array, 0);
        opt_node(b->o, r)->what = of;
        opt_node(b->o, r)->after = b->checked;
    }
    build_ask_bits(b, EXIT_REDO, OT_LONG, MEM_64, &vm_hooks_enabled, 1ll << HOOK_VM_ALLOC);
    State *s = build_state(b);
    Ref r = build_add(b, OPT_CLONE, OT_REF);
    Node *n = opt_node(b->o, r);
    n->in[0] = array;
    n->klass = of;
    n->not_null = true;
    n->state = s;
    n->n_args = 1;
    replace_args(b, 1, r);
    return true;
}

/* What the receiver of a body is more than the call in it says: the calls around named subclasses. */
static Class *bounded(const Build *b, Ref receiver, Class *named) {
    for (; b->outer; b = b->outer)
        if (b->bound && b->args[0] == receiver && class_is_subtype(b->bound, named)) named = b->bound;
    return named;
}

static void by_hierarchy(Build *b, Method *named, OptCall how) {
    Class *of = b->named;
    if (by_known_class(b, NULL, how) || by_clone(b, named, of)) return;
    if (!of && named) of = named->holder;
    if (of) of = bounded(b, build_top(b, how.n_args), of);
    if (named && (by_trust(b, of, how) || by_only_class(b, of, how))) return;
    if (named && by_vtable(b, of, how)) return;
    if (!by_class(b, of, NULL, how)) call_somebody(b, how);
}

static void call_virtual(Build *b, u4 n, u4 index) {
    const ClassVersion *v = b->m->version;
    bool resolved = atomic_load_explicit(&v->pool_state[b->insn.index], memory_order_acquire) == POOL_RESOLVED;
    Method *named = resolved ? v->pool[b->insn.index].method->method : NULL;
    check_receiver(b, n);
    b->named = named_class(b);
    by_hierarchy(b, named, (OptCall){.kind = CALL_VTABLE, .n_args = n, .vtable_index = index});
    b->named = NULL;
}

static void call_special(Build *b, Method *m) {
    Class *named = named_class(b);
    check_receiver(b, m->arg_slots);
    b->named = named && !class_is_interface(named) ? named : NULL;
    call_known(b, m);
    b->named = NULL;
}

/* Lambdas in default methods are private methods of the interface: nobody overrides them. */
static bool by_private(Build *b, Method *im, u4 n_args) {
    if (!(im->access & ACC_PRIVATE) || !class_is_interface(im->holder) || im->arg_slots != n_args) return false;
    opt_node(b->o, build_guard(b, OPT_IS_A, EXIT_REDO, build_top(b, n_args), 0))->what = im->holder;
    call_known(b, im);
    return true;
}

static void call_interface(Build *b) {
    Method *im = *build_cell(b);
    OptCall how = {.kind = CALL_INTERFACE, .n_args = b->m->qcode[b->insn.pc + 3], .method = im};
    check_receiver(b, how.n_args);
    if (by_private(b, im, how.n_args)) return;
    if (by_known_class(b, im, how)) return;
    if (!(how.site = new_site(b, im, 0)) || by_class(b, NULL, im, how)) return;
    call_somebody(b, how);
}

static bool call_op(Build *b) {
    switch (b->quick) {
    case Q_INVOKESTATIC_Q:
        b->checked = 0;
        call_known(b, *build_cell(b));
        return true;
    case Q_INVOKESPECIAL_Q:
    case Q_INVOKEFINAL_Q: call_special(b, *build_cell(b)); return true;
    case Q_INVOKEVIRTUAL_Q: call_virtual(b, b->m->qcode[b->insn.pc + 1], b->m->qcode[b->insn.pc + 2]); return true;
    case Q_INVOKEVIRTUAL_W: {
        const ResolvedMethod *rm = *build_cell(b);
        call_virtual(b, rm->arg_slots, rm->vtable_index);
        return true;
    }
    case Q_INVOKEINTERFACE_Q: call_interface(b); return true;
    default: return build_handle_op(b);
    }
}

bool build_call_op(Build *b) {
    if (b->insn.op < CF_OP_INVOKEVIRTUAL || b->insn.op > CF_OP_INVOKEDYNAMIC) return false;
    if (b->quick != b->insn.op) build_share(b);
    return call_op(b);
}
