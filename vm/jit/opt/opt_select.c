/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selection of instructions: what a node wants from registers, and which nodes have no code of their own.
 *
 * Registers are given out before code is written, so both must agree on the form a node takes.  This file alone says it:
 *
 *   opt_imm        an input is a constant that is part of the instruction
 *   fused          a node is an operand of its only user's instruction: a length that an index is compared with, a load that is added, the bits that are
 *                  tested.  It is computed where the user stands, so nothing between the two may change what it reads, and what it wants in
 *                  registers must live until there: the user is close.  An operand of an operand is none.
 *   faults         a NOT_NULL whose reference is first used by an access within NULL_PAGE, with nothing between that writes, leaves or reads
 *                  memory elsewhere in objects, has no code: the access faults, and has a record for the state of the NOT_NULL
 *   opt_temps, opt_clobbers, opt_reads_late      the rest
 */
#include "jit/opt/opt_int.h"
#include "object/class.h"
#include "object/object.h"

enum { NEAR = 8, WIDEST = 8, FEW_CASES = 5, MAX_TABLE = 2000 };

bool opt_gives(const Node *n) {
    switch ((OptOp)n->op) {
    case OPT_NONE:
    case OPT_VIRTUAL:
    case OPT_HERE:
    case OPT_STORE:
    case OPT_SET_ELEMENT:
    case OPT_CARD:
    case OPT_POKE:
    case OPT_SET_COUNT:
    case OPT_ADD_COUNT:
    case OPT_VSTORE:
    case OPT_FENCE:
    case OPT_FRESH:
    case OPT_LOCK:
    case OPT_UNLOCK:
    case OPT_MONITOR_ENTER:
    case OPT_MONITOR_EXIT:
    case OPT_POLL: return false;
    case OPT_CALL: return n->type != OT_NONE;
    default: return !(opt_does(n) & (OPT_GUARD | OPT_ENDS));
    }
}

u8 opt_bits(const Node *n) { return n->type == OT_INT ? (u4)n->k : (u8)n->k; }

/* --- constants --- */

static bool fits(int64_t k) { return k == (int32_t)k; }

/* As the operand of an arithmetic instruction or a comparison. */
static bool fits_operand(const Node *k) { return k->type == OT_INT || (!opt_is_fp(k->type) && fits(k->k)); }

static bool fits_store(const Node *k) {
    return k->type == OT_INT || k->type == OT_FLOAT || k->type == OT_REF || fits(k->k); /* references are stored with 32 bits */
}

static bool fits_index(const Node *k) { return k->k >= 0 && k->k < 1 << 20; }

/* The address of a class, 32 bits, against one of such. */
static bool compares_class(const Back *b, const Node *n) {
    const Node *k = opt_node(b->o, n->in[1]);
    return opt_node(b->o, n->in[0])->op == OPT_CLASS && k->op == OPT_CONST && k->k == (u4)k->k;
}

DivideBy opt_divide_by(const Back *b, const Node *n) {
    const Node *y = opt_node(b->o, n->in[1]);
    if (y->op != OPT_CONST || y->k < 2 || y->k > INT32_MAX) return DIVIDE_ANY;
    if (y->k <= 1 << 30 && !(y->k & (y->k - 1))) return DIVIDE_POWER;
    return n->type == OT_LONG ? DIVIDE_LONG : DIVIDE_INT;
}

bool opt_imm(const Back *b, const Node *n, u4 i) {
    const Node *k = opt_node(b->o, n->in[i]);
    if (k->op != OPT_CONST) return false;
    switch ((OptOp)n->op) {
    case OPT_ADD:
    case OPT_SUB:
    case OPT_MUL:
    case OPT_AND:
    case OPT_OR:
    case OPT_XOR: return i == 1 && fits_operand(k);
    case OPT_SHL:
    case OPT_SHR:
    case OPT_USHR: return i == 1;
    case OPT_DIV:
    case OPT_REM: return i == 1 && opt_divide_by(b, n) != DIVIDE_ANY;
    case OPT_STORE: return i == 1 && fits_store(k);
    case OPT_ELEMENT: return i == 1 && fits_index(k);
    case OPT_SET_ELEMENT: return i == 1 ? fits_index(k) : i == 2 && fits_store(k);
    case OPT_POKE: return i == 2 && fits_store(k);
    case OPT_SET_COUNT:
    case OPT_ADD_COUNT: return k->k > 0 && fits(k->k);
    case OPT_IN_BOUNDS: return i == 1 || (!opt_is_const(b->o, n->in[1]) && fits_index(k));
    case OPT_PICK: return i == 1 && fits_operand(k);
    case OPT_HOLDS:
    case OPT_IF: return i == 1 && (fits_operand(k) || compares_class(b, n));
    case OPT_CARD:
    case OPT_RETURN:
    case OPT_NEW_ARRAY: return true;
    default: return false;
    }
}

/* --- nodes without code of their own --- */

static void count_use(Opt *o, Ref user, Ref *use, void *arg) { ((u4 *)arg)[*use]++; }

static void count_uses(Back *b) {
    for (u4 i = 0; i < b->o->n_order; i++)
        for (Ref r = opt_block(b->o, b->o->order[i])->first; r; r = opt_node(b->o, r)->next)
            opt_visit_uses(b->o, r, false, true, count_use, b->n_uses);
}

static bool has_fused_input(const Back *b, const Node *n) {
    for (u4 i = 0; i < opt_ops[n->op].inputs; i++)
        if (n->in[i] && b->fused[n->in[i]]) return true;
    return false;
}

/* From r to its user nothing changes what r reads; it is not far. */
static bool reaches(const Back *b, Ref r, Ref user) {
    bool reads = opt_does(opt_node(b->o, r)) & OPT_READS;
    u4 steps = 0;
    for (Ref at = opt_node(b->o, r)->next; at != user; at = opt_node(b->o, at)->next) {
        u1 does = opt_does(opt_node(b->o, at));
        if (++steps > NEAR || does & OPT_STOPS || (reads && does & OPT_WRITES)) return false;
    }
    return true;
}

/* Whole cells of memory are operands; narrow ones and references are made wider first. */
static bool is_memory_operand(const Node *n, u1 type) {
    if (n->op != OPT_LOAD && n->op != OPT_ELEMENT) return false;
    return n->type == type && type != OT_REF && (n->kind == MEM_32 || n->kind == MEM_64);
}

static bool is_zero(const Back *b, Ref r) { return opt_is_const(b->o, r) && !opt_node(b->o, r)->k; }

/* IF asks the class, in place of 0 or 1. */
static bool asks_type(const Back *b, const Node *n, const Node *x) {
    return n->op == OPT_IF && x->op == OPT_INSTANCE_OF && opt_compares_type(x->what) != TYPE_ASKED && is_zero(b, n->in[1]) &&
           (n->kind == COND_EQ || n->kind == COND_NE);
}

static bool may_be_operand(const Back *b, const Node *n, u4 i) {
    const Node *x = opt_node(b->o, n->in[i]);
    switch ((OptOp)n->op) {
    case OPT_ADD:
    case OPT_SUB:
    case OPT_MUL:
    case OPT_AND:
    case OPT_OR:
    case OPT_XOR:
    case OPT_FADD:
    case OPT_FSUB:
    case OPT_FMUL:
    case OPT_FDIV: return i == 1 && n->in[0] != n->in[1] && is_memory_operand(x, n->type);
    case OPT_IN_BOUNDS: return i == 1 && x->op == OPT_LENGTH;
    case OPT_IF:
    case OPT_HOLDS:
        if (i == 0 && x->op == OPT_CLASS) return compares_class(b, n);
        if (i == 0 && x->op == OPT_INSTANCE_OF) return asks_type(b, n, x);
        if (i == 0 && x->op == OPT_AND)
            return is_zero(b, n->in[1]) && (n->kind == COND_EQ || n->kind == COND_NE) && x->type == n->from;
        if (i == 0) return opt_imm(b, n, 1) && is_memory_operand(x, n->from);
        return is_memory_operand(x, n->from) && !b->fused[n->in[0]];
    default: return false;
    }
}

static bool commutes(u1 op) {
    return op == OPT_ADD || op == OPT_MUL || op == OPT_AND || op == OPT_OR || op == OPT_XOR || op == OPT_FADD || op == OPT_FMUL;
}

static bool fuse(Back *b, Ref r, u4 i) {
    const Node *n = opt_node(b->o, r);
    Ref in = n->in[i];
    if (!in || b->n_uses[in] != 1 || opt_node(b->o, in)->block != n->block) return false;
    if (!may_be_operand(b, n, i) || has_fused_input(b, opt_node(b->o, in)) || !reaches(b, in, r)) return false;
    return b->fused[in] = true;
}

static void fuse_inputs(Back *b, Ref r) {
    Node *n = opt_node(b->o, r);
    for (u4 i = 0; i < opt_ops[n->op].inputs && n->op != OPT_PHI; i++)
        if (fuse(b, r, i)) return;
    if (!commutes(n->op) || opt_is_const(b->o, n->in[1])) return;
    Ref x = n->in[0];
    n->in[0] = n->in[1];
    n->in[1] = x;
    if (fuse(b, r, 1)) return;
    n->in[1] = n->in[0];
    n->in[0] = x;
}

/* --- null --- */

static bool within_page(int64_t disp) { return disp >= 0 && disp <= NULL_PAGE - WIDEST; }

static bool accesses(const Back *b, const Node *n, Ref object) {
    if (n->in[0] != object) return false;
    switch ((OptOp)n->op) {
    case OPT_LOAD: return within_page(n->k);
    case OPT_STORE: return within_page(n->k) && n->in[1] != object;
    case OPT_LENGTH:
    case OPT_CLASS:
    case OPT_IS_CLASS:
    case OPT_HAS_METHOD: return true;
    default: return false;
    }
}

/* The node, or an operand of it that has no code of its own, that is the first to use what NOT_NULL asks about; or 0. (An identity hash asks the
   lock word in the midst of its code: nothing has a record there.) */
static Ref first_access(const Back *b, Ref guard) {
    Ref object = opt_node(b->o, guard)->in[0];
    u4 steps = 0;
    for (Ref r = opt_node(b->o, guard)->next; r && ++steps < NEAR; r = opt_node(b->o, r)->next) {
        const Node *n = opt_node(b->o, r);
        if (b->fused[r]) continue;
        if (accesses(b, n, object)) return r;
        for (u4 i = 0; i < opt_ops[n->op].inputs && n->op != OPT_PHI; i++)
            if (n->in[i] && b->fused[n->in[i]] && accesses(b, opt_node(b->o, n->in[i]), object)) return r;
        if (opt_does(n) || n->op == OPT_IDENTITY_HASH) return 0;
    }
    return 0;
}

static void silence_names(Back *b) {
    for (Ref r = opt_block(b->o, 1)->first; r; r = opt_node(b->o, r)->next)
        if (opt_node(b->o, r)->op == OPT_VIRTUAL) b->silent[r] = true;
}

static void find_faults(Back *b) {
    if (b->o->root->faults >= MAX_FAULTS) return;
    for (u4 i = 0; i < b->o->n_order; i++)
        for (Ref r = opt_block(b->o, b->o->order[i])->first; r; r = opt_node(b->o, r)->next) {
            if (opt_node(b->o, r)->op != OPT_NOT_NULL) continue;
            Ref at = first_access(b, r);
            if (!at) continue;
            b->faults[at] = r;
            b->silent[r] = true;
        }
}

bool opt_select(Back *b) {
    size_t n = b->o->n_nodes + 1;
    b->n_uses = opt_alloc(b->o, n * sizeof *b->n_uses);
    b->fused = opt_alloc(b->o, n * sizeof *b->fused);
    b->faults = opt_alloc(b->o, n * sizeof *b->faults);
    b->silent = opt_alloc(b->o, n * sizeof *b->silent);
    if (b->o->no_memory) return false;
    count_uses(b);
    silence_names(b);
    for (u4 i = 0; i < b->o->n_order; i++)
        for (Ref r = opt_block(b->o, b->o->order[i])->first; r; r = opt_node(b->o, r)->next) fuse_inputs(b, r);
    find_faults(b);
    return true;
}

/* --- what registers a node wants --- */

static bool stores_reference(const Back *b, const Node *n, u4 value) { return n->from == OT_REF && !opt_imm(b, n, value); }

SwitchBy opt_switch_by(const Back *b, const Node *n) {
    u4 cases = opt_block(b->o, n->block)->n_succs - 1;
    if (cases < FEW_CASES) return SWITCH_SEARCH;
    int64_t range = (int64_t)n->keys[cases - 1] - n->keys[0] + 1;
    return range > 3 * (int64_t)cases || range > MAX_TABLE ? SWITCH_SEARCH : SWITCH_TABLE;
}

TypeBy opt_compares_type(const Class *k) {
    if (k->access & ACC_INTERFACE) return TYPE_INTERFACE;
    if (k->depth >= DISPLAY_DEPTH || k->flags & CF_ARRAY) return TYPE_ASKED;
    return k->access & ACC_FINAL ? TYPE_EXACT : TYPE_DISPLAY;
}

u4 opt_temps(const Back *b, const Node *n) {
    switch ((OptOp)n->op) {
    case OPT_IF: {
        const Node *x = opt_node(b->o, n->in[0]);
        return b->fused[n->in[0]] && x->op == OPT_INSTANCE_OF && opt_compares_type(x->what) != TYPE_EXACT;
    }
    case OPT_DIV:
    case OPT_REM: return opt_divide_by(b, n) != DIVIDE_ANY;
    case OPT_STORE: return stores_reference(b, n, 1);
    case OPT_SET_ELEMENT:
    case OPT_POKE: return stores_reference(b, n, 2);
    case OPT_CAS:
    case OPT_CAX: return n->from == OT_REF;
    case OPT_CARD: return !opt_imm(b, n, 0);
    case OPT_ADD_COUNT:
    case OPT_HAS_METHOD:
    case OPT_IS_A:
    case OPT_IDENTITY_HASH:
    case OPT_INSTANCE_OF:
    case OPT_NEW:
    case OPT_NEW_ARRAY:
    case OPT_CLONE:
    case OPT_BOX:
    case OPT_SHARED_BOX:
    case OPT_LOCK: return 1;
    case OPT_FMIN:
    case OPT_FMAX: return 2;
    case OPT_UNLOCK: return n->in[0] ? 1 : 2;
    case OPT_MONITOR_ENTER:
    case OPT_MONITOR_EXIT: return 2;
    case OPT_MAY_HOLD: return 3;
    case OPT_SWITCH: return opt_switch_by(b, n) == SWITCH_TABLE;
    default: return 0;
    }
}

Clobber opt_clobbers(const Back *b, const Node *n) {
    switch ((OptOp)n->op) {
    case OPT_DIV:
    case OPT_REM: {
        DivideBy by = opt_divide_by(b, n);
        return (Clobber){.general = by == DIVIDE_ANY || by == DIVIDE_LONG ? ASM_DIV_CLOBBERS : 0};
    }
    case OPT_CAS:
    case OPT_CAX: return (Clobber){.general = 1u << ASM_CAS_OLD};
    case OPT_QUICK:
    case OPT_FREM: return (Clobber){.general = GENERAL_REGS & ~ASM_C_SAVED, .fp = FLOAT_REGS};
    case OPT_LOCK:
    case OPT_UNLOCK:
    case OPT_MONITOR_ENTER:
    case OPT_MONITOR_EXIT: return (Clobber){.general = 1 << R_AX};
    case OPT_CALL: return (Clobber){.general = GENERAL_REGS, .fp = FLOAT_REGS};
    default: return (Clobber){0};
    }
}

bool opt_reads_late(const Back *b, const Node *n, u4 i) {
    switch ((OptOp)n->op) {
    case OPT_DIV:
    case OPT_REM: return i == 0 && (opt_divide_by(b, n) == DIVIDE_INT || opt_divide_by(b, n) == DIVIDE_LONG);
    case OPT_CAS:
    case OPT_CAX: return i != 1;
    case OPT_ATOMIC_ADD:
    case OPT_ATOMIC_SWAP: return i == 0;
    case OPT_FMIN:
    case OPT_FMAX:
    case OPT_IDENTITY_HASH:
    case OPT_INSTANCE_OF:
    case OPT_LOCK:
    case OPT_UNLOCK:
    case OPT_MONITOR_ENTER:
    case OPT_MONITOR_EXIT:
    case OPT_BOX:
    case OPT_SHARED_BOX:
    case OPT_CLONE:
    case OPT_NEW_ARRAY: return true;
    default: return false;
    }
}

/* A helper or an exit of r wants its state when the result's register may have been written. */
bool opt_state_late(const Back *b, Ref r) {
    const Node *n = opt_node(b->o, r);
    if (n->op == OPT_LOAD || n->op == OPT_LENGTH || n->op == OPT_CLASS) return false; /* the access is the first instruction */
    if (n->op == OPT_LOCK || n->op == OPT_UNLOCK || n->op == OPT_MONITOR_ENTER || n->op == OPT_MONITOR_EXIT) return true;
    return n->op == OPT_NEW || n->op == OPT_NEW_ARRAY || n->op == OPT_NEW_ARRAYS || n->op == OPT_CLONE || n->op == OPT_BOX ||
           b->faults[r];
}
