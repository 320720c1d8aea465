/* SPDX-License-Identifier: Apache-2.0 */
/* Base compiler, first look: targets of branches, which locals are worth a register, where those are live. */
#include "jit/base_int.h"
#include "object/method.h"
#include "object/version.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_WEIGHT = 4096, PASSES = 20, MOST_STEPS = 2000000 };

/* Six general registers and nine for floating point belong to pins.  Java callees and helpers keep none of them. */
static const u1 pin_regs[] = {R_12, R_13, R_14, R_15, R_8, R_9};
static const u1 pin_fregs[] = {F_6, F_7, F_8, F_9, F_10, F_11, F_12, F_13, F_14};

/* An instruction, decoded once. */
typedef struct Seen {
    u2 at, local; /* local: if it reads or writes one */
    u1 op;
    bool control; /* what follows it is not just the next one */
} Seen;

typedef struct Use { /* of a local for one kind of values */
    u4 weight;
    bool written;
} Use;

typedef void (*TargetVisitor)(Compiler *c, const CfInsn *i, u4 target);

static void visit_targets(Compiler *c, const CfInsn *i, TargetVisitor visit) {
    u4 flags = cf_op_info[i->op].flags;
    if (flags & (CF_OF_BRANCH | CF_OF_SWITCH)) visit(c, i, (u4)i->target);
    if (flags & CF_OF_SWITCH)
        for (u4 n = 0; n < i->cases; n++) visit(c, i, (u4)cf_switch_target(i, n));
}

BasicType base_type_of_access(u1 op) {
    static const u1 types[] = {T_INT, T_LONG, T_FLOAT, T_DOUBLE, T_OBJECT};
    u4 first = op_is_load(op) ? CF_OP_ILOAD : CF_OP_ISTORE, n = op - first;
    return (BasicType)types[n < 5 ? n : (n - 5) / 4];
}

static void mark_target(Compiler *c, const CfInsn *i, u4 target) {
    if (target >= c->len) return refuse(c, "bad branch");
    c->marks[target] |= MARK_TARGET | (target <= i->pc ? MARK_LOOP : 0);
}

static void note_back(Compiler *c, const CfInsn *i, u4 target) {
    if (target > i->pc) return;
    u4 n = 0;
    while (n < c->n_loops && c->loops[n].head != target) n++;
    if (n == MAX_LOOPS) return;
    if (n == c->n_loops) c->n_loops++;
    c->loops[n] = (Loop){target, i->pc};
}

static bool is_part_of_test(u1 op) {
    return op_is_load(op) || op <= CF_OP_SIPUSH || op == CF_OP_ARRAYLENGTH || op == CF_OP_GETFIELD ||
           (op >= CF_OP_IADD && op <= CF_OP_LSUB) || (op >= CF_OP_LCMP && op <= CF_OP_DCMPG);
}

/* LoopTest: the head of a loop loads and compares a few things and leaves the loop or goes on.  In place of the jump back that is written once more,
 * so that a turn takes one jump. */
bool base_loop_test(const Compiler *c, const CfInsn *jump, LoopTest *t) {
    enum { MOST = 6 };
    CfInsn i;
    if (jump->op != CF_OP_GOTO || (u4)jump->target > jump->pc) return false;
    for (u4 at = (u4)jump->target, n = 0; n < MOST && at < jump->pc && cf_insn(c->code, c->len, at, &i); at += i.len, n++) {
        if (n && c->marks[at] & MARK_TARGET) return false;
        if ((i.op >= CF_OP_IFEQ && i.op <= CF_OP_IF_ACMPNE) || i.op == CF_OP_IFNULL || i.op == CF_OP_IFNONNULL) {
            *t = (LoopTest){at + i.len, (u4)i.target};
            return t->leave > jump->pc && t->stay < jump->pc;
        }
        if (!is_part_of_test(i.op)) return false;
    }
    return false;
}

/* Behind the tests blocks start. */
static void turn_loops(Compiler *c, const Seen *seen, u4 n) {
    CfInsn i;
    LoopTest t;
    for (u4 k = 0; k < n && c->n_loops; k++) {
        if (seen[k].op != CF_OP_GOTO || !cf_insn(c->code, c->len, seen[k].at, &i) || !base_loop_test(c, &i, &t)) continue;
        c->marks[seen[k].at] |= MARK_TURNED;
        c->marks[t.stay] |= MARK_TARGET;
    }
}

/* The operand stack of a handler is the exception. */
static void mark_handlers(Compiler *c) {
    for (u4 i = 0; i < c->m->n_handlers; i++) {
        u4 at = c->m->handlers[i].handler;
        if (at >= c->len) return refuse(c, "bad handler");
        c->marks[at] |= MARK_TARGET | MARK_HANDLER;
        c->depth_at[at] = 1;
    }
}

/* Depth of loops, as differences from one instruction to the next. */
static void note_loop(int16_t *change, const CfInsn *i, u4 target) {
    change[target]++;
    change[i->pc + 1]--;
}

/* How many instructions there are. */
static u4 scan_code(Compiler *c, int16_t *change, Seen *seen) {
    const u4 control = CF_OF_END | CF_OF_RETURN | CF_OF_THROW | CF_OF_BRANCH | CF_OF_SWITCH;
    CfInsn i;
    u4 n = 0;
    for (u4 at = 0; at < c->len && !c->why; at += i.len) {
        if (!cf_insn(c->code, c->len, at, &i)) return refuse(c, "unknown instruction"), n;
        u4 flags = cf_op_info[i.op].flags;
        if (flags & (CF_OF_JSR | CF_OF_RET)) return refuse(c, "jsr"), n;
        seen[n++] = (Seen){(u2)at, (u2)i.index, i.op, flags & control};
        c->marks[at] |= MARK_START;
        c->has_monitors |= i.op == CF_OP_MONITORENTER;
        if (!(flags & (CF_OF_BRANCH | CF_OF_SWITCH))) continue;
        visit_targets(c, &i, mark_target);
        visit_targets(c, &i, note_back);
        if (flags & CF_OF_BRANCH && (u4)i.target <= at) note_loop(change, &i, (u4)i.target);
    }
    mark_handlers(c);
    for (u4 at = 0; at < c->len && !c->why; at++)
        if (c->marks[at] & MARK_TARGET && !(c->marks[at] & MARK_START)) refuse(c, "branch into an instruction");
    return n;
}

static bool uses_local(u1 op) { return op_is_load(op) || op_is_store(op) || op == CF_OP_IINC; }
static BasicType type_of_use(u1 op) { return op == CF_OP_IINC ? T_INT : base_type_of_access(op); }

static void note_use(Use *uses, const Seen *s, u4 weight) {
    Use *u = &uses[s->local * WEBS + web_of(type_of_use(s->op))];
    u->weight += weight;
    u->written |= op_is_store(s->op) || s->op == CF_OP_IINC;
}

static void count_uses(const Seen *seen, u4 n, const int16_t *change, Use *uses) {
    int depth = 0;
    u4 done = 0;
    for (u4 k = 0; k < n; k++) {
        for (; done <= seen[k].at; done++) depth += change[done];
        u4 weight = depth > 4 ? MAX_WEIGHT : 1u << 3 * (depth < 0 ? 0 : depth);
        if (uses_local(seen[k].op)) note_use(uses, &seen[k], weight);
    }
}

static void choose(Compiler *c, const Use *uses, bool fp, const u1 *regs, u4 n_regs) {
    for (u4 k = 0; k < n_regs; k++) {
        u4 best = 0, best_weight = 0;
        for (u4 l = 0; l < c->m->max_locals * (u4)WEBS; l++) {
            if (c->pin_of[l] != NO_PIN || uses[l].weight <= best_weight || fp != (l % WEBS == WEB_FP)) continue;
            best = l;
            best_weight = uses[l].weight;
        }
        if (!best_weight) return;
        c->pin_of[best] = (u1)c->n_pins;
        c->pins[c->n_pins++] =
            (Pin){.local = (u2)(best / WEBS), .web = (u1)(best % WEBS), .reg = regs[k], .fp = fp, .written = uses[best].written};
    }
}

/* --- liveness of pins: backwards over the code until nothing changes, once if no branch leads back --- */

typedef struct Step {
    u2 at;
    u2 used, kept; /* in = (out & kept) | used */
    u2 written;
    bool control; /* what follows it is not just the next one */
    bool calls;
} Step;

static u2 pins_of(const Compiler *c, u4 local) {
    u2 pins = 0;
    for (u1 w = 0; w < WEBS; w++)
        if (pin_of(c, local, w) >= 0) pins |= (u2)(1u << pin_of(c, local, w));
    return pins;
}

static Step step_of(const Compiler *c, const Seen *i) {
    Step s = {.at = i->at, .kept = 0xffff, .control = i->control};
    bool store = op_is_store(i->op);
    s.calls = i->op >= CF_OP_INVOKEVIRTUAL && i->op <= CF_OP_INVOKEDYNAMIC;
    if (!uses_local(i->op)) return s;
    BasicType t = type_of_use(i->op);
    int p = pin_of(c, i->local, web_of(t));
    u2 pin = (u2)(p < 0 ? 0 : 1u << p);
    s.written = i->op == CF_OP_IINC || store ? pin : 0;
    if (!store) {
        s.used = pin;
        return s;
    }
    s.kept = (u2)~pins_of(c, i->local);
    if (t == T_LONG || t == T_DOUBLE) s.kept &= (u2)~pins_of(c, i->local + 1u);
    return s;
}

static u2 live_out(const Compiler *c, const CfInsn *i) {
    u4 flags = cf_op_info[i->op].flags;
    u2 out = flags & (CF_OF_END | CF_OF_RETURN | CF_OF_THROW) || i->pc + i->len >= c->len ? 0 : c->pins_at[i->pc + i->len].valid;
    if (flags & (CF_OF_BRANCH | CF_OF_SWITCH)) out |= c->pins_at[i->target].valid;
    if (flags & CF_OF_SWITCH)
        for (u4 n = 0; n < i->cases; n++) out |= c->pins_at[cf_switch_target(i, n)].valid;
    return out;
}

static bool pass(Compiler *c, const Step *steps, u4 n) {
    bool changed = false;
    CfInsn i;
    u2 live = 0;
    for (u4 k = n; k-- > 0;) {
        const Step *s = &steps[k];
        if (s->control) {
            if (!cf_insn(c->code, c->len, s->at, &i)) return false;
            live = live_out(c, &i);
        }
        live = (u2)((live & s->kept) | s->used);
        changed |= live != c->pins_at[s->at].valid;
        c->pins_at[s->at].valid = live;
    }
    return changed;
}

/* --- loops with calls: what they do not write need not be stored before each call, what they do not use not be loaded behind it --- */

static void narrow_to_loop(Compiler *c, const Step *steps, u4 n, const Loop *l) {
    u2 used = 0, written = 0;
    bool calls = false;
    for (u4 k = 0; k < n && steps[k].at <= l->end; k++) {
        const Step *s = &steps[k];
        if (s->at < l->head) continue;
        calls |= s->calls;
        used |= s->used | s->written;
        written |= s->written;
    }
    for (u4 at = l->head; calls && at <= l->end; at++) {
        c->pins_at[at].valid &= used;
        c->pins_at[at].dirty &= written;
    }
}

static void find_states(Compiler *c, const Step *steps, u4 n) {
    u2 written = 0;
    for (u4 p = 0; p < c->n_pins; p++)
        if (c->pins[p].written) written |= (u2)(1u << p);
    for (u4 at = 0; at < c->len; at++) c->pins_at[at].dirty = c->pins_at[at].valid & written;
    for (u4 k = 0; k < c->n_loops; k++) narrow_to_loop(c, steps, n, &c->loops[k]);
}

static bool find_live(Compiler *c, const Seen *seen, u4 n) {
    if (!c->n_pins) return true;
    Step *steps = malloc(n * sizeof *steps);
    bool loops = false;
    if (!steps) return false;
    for (u4 k = 0; k < n; k++) {
        loops |= c->marks[seen[k].at] & MARK_LOOP;
        steps[k] = step_of(c, &seen[k]);
    }
    int left = PASSES;
    while (pass(c, steps, n) && loops && --left) {}
    find_states(c, steps, n);
    free(steps);
    if (!left) refuse(c, "loops too deep");
    return true;
}

/* --- depths, where one pass in the order of the code does not know them --- */

int base_depth_from_behind(Compiler *c, u4 at) {
    const Method *m = c->root;
    if (!c->kinds.at) {
        if (!m->cf_code) return refuse(c, "jumps too tangled"), -1; /* made by the VM */
        CfKindsResult r = cf_kinds_init(&c->kinds, m->version->cf, m->cf, m->cf_code, CF_KINDS_ALL, MOST_STEPS, &c->arena);
        if (r == CF_KINDS_NO_MEMORY) c->no_memory = true;
        else if (r != CF_KINDS_OK) refuse(c, "jumps too tangled");
        if (r != CF_KINDS_OK) return -1;
    }
    return cf_kinds_go(&c->kinds, at) ? (int)c->kinds.cur.depth : -1;
}

bool base_scan(Compiler *c) {
    int16_t *change = calloc(c->len + 2u, sizeof *change);
    Use *uses = calloc((c->m->max_locals + 2u) * WEBS, sizeof *uses);
    Seen *seen = malloc(c->len * sizeof *seen);
    bool ok = change && uses && seen;
    if (ok) {
        u4 n = scan_code(c, change, seen);
        if (!c->why) {
            turn_loops(c, seen, n);
            count_uses(seen, n, change, uses);
            c->this_stays = !method_is_static(c->m) && !uses[WEB_INT].written && !uses[WEB_CELL].written && !uses[WEB_FP].written;
            choose(c, uses, false, pin_regs, ARRAY_LEN(pin_regs));
            choose(c, uses, true, pin_fregs, ARRAY_LEN(pin_fregs));
            ok = find_live(c, seen, n);
        }
    }
    free(change);
    free(uses);
    free(seen);
    if (!ok) c->no_memory = true;
    return ok && !c->why;
}
