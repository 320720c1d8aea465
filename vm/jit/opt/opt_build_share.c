/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builder: which calls become bodies, and how large these may be together.
 *
 * SHARES   Bytecode is read in its order, and bodies at once with it.  If the first calls that come took what they want there would be nothing left for
 *          a loop behind them.  So a method has a budget, bytes of bytecode, and each of its calls a share: by the weight of the call among those that
 *          are still to come.  A call in a loop weighs LOOP times one outside of it.  What a body and the bodies in it leave of their share goes to the
 *          calls behind.  A body's own calls share what the share has beyond the body.
 * MAKERS   A constructor weighs as if it were in a loop more: objects are not made, and their monitors not taken, if it becomes a body.
 * BOUNDED  Of a call whose callee is known, and in turn those that it calls, it is known what it wants at most: that is put aside, and the others have shares of
 *          what is left.
 * GLUE     Of what leads from a handle to its target nothing is left, so it takes no share, and each of its calls has all that it was given.  Nor do calls of
 *          leaves, of C code (but what it declines often) and of what gives boxes weigh anything: they become no bodies.
 * SMALL    methods cost hardly more than their call: they may exceed their share (LENIENT).  The root's budget, and the depth, bound them.  Those that
 *          call nobody are always taken: a call deep in bodies writes the frames of all of them.
 * LARGE    ones are taken if the share has room for their calls as well (EACH).  A body whose own calls stay calls is worse than code of its own, which has a
 *          budget of its own.
 *
 * FORKS    A small method that calls itself in more than one place (a tree, a sequence that is halved) is its own body twice: of the calls that are left most are
 *          leaves of the tree. One that calls itself once makes a chain, as deep as it is long; there larger frames cost more than calls.
 *
 * Loops are known by the order of the bytecode: from a jump back to its target.  Calls that have never run weigh nothing.
 *
 * Rejected: first come, first served (constructors in front of a loop ate what its body wanted); bodies put in by a phase of their own, the
 * most urgent first (better, but a form that was built would be changed: states, cells and blocks renumbered).
 */
#include "jit/opt/opt_build.h"
#include "jit/policy.h"
#include "object/version.h"
#include "quick/quick.h"

enum {
    MOST_FORKING = 64,
    LENIENT = 4,
    TINY = 12,
    EACH = 20,
    LOOP = 8,
    MOST_LOOPS = 3,
    MOST_DEPTH = 16,
    MOST_BOUNDED = 150,
    MOST_CHAIN = 6
};
#define UNBOUNDED UINT32_MAX

static bool is_call(u1 op) { return op >= CF_OP_INVOKEVIRTUAL && op <= CF_OP_INVOKEDYNAMIC; }

/* By bci: how many loops are around; one for each target of jumps back, up to the last of these. */
static void find_depths(const Build *b, u1 *depth) {
    CfInsn i;
    u4 *ends = opt_alloc(b->o, b->len * sizeof *ends); /* by target */
    for (u4 at = 0; ends && at < b->len && cf_insn(b->code, b->len, at, &i); at += i.len)
        if (cf_op_info[i.op].flags & CF_OF_BRANCH && (u4)i.target <= at) ends[i.target] = at + 1;
    for (u4 head = 0; ends && head < b->len; head++)
        for (u4 at = head; at < ends[head]; at++)
            if (depth[at] < MOST_DEPTH) depth[at]++;
}

static u4 weight(u4 depth) {
    u4 w = 1;
    for (u4 i = 0; i < depth && i < MOST_LOOPS; i++) w *= LOOP;
    return w;
}

/* Of the call at bci at; NULL: others, too. */
static const Method *known_callee(const Method *m, u4 at, u1 quick) {
    if (quick != Q_INVOKESTATIC_Q && quick != Q_INVOKESPECIAL_Q && quick != Q_INVOKEFINAL_Q) return NULL;
    u2 cell;
    memcpy(&cell, m->qcode + at + 1, sizeof cell);
    return m->qcells[cell];
}

static bool wants_body(const Method *callee) {
    if (!callee || build_declines_often(callee)) return true;
    return !method_is_leaf(callee) && callee->kind != MK_VM_NATIVE && !build_is_box(callee);
}

static u4 weight_of(const Build *b, u4 at, u1 quick) {
    const Method *callee = known_callee(b->m, at, quick);
    return wants_body(callee) ? weight(b->loops[at] + (callee && !b->o->modest && callee->flags & MF_INIT)) : 0;
}

/* How many calls, of those that have run. */
static u4 calls_in(const Method *m) {
    CfInsn i;
    u4 n = 0;
    for (u4 at = 0; at < m->code_len && cf_insn(m->code, m->code_len, at, &i); at += i.len) {
        u1 quick = is_call(i.op) ? quick_current_opcode(m, m->qcode + at) : i.op;
        n += quick != i.op && wants_body(known_callee(m, at, quick));
    }
    return n;
}

/* At most, for the bodies of m and of all that it calls; UNBOUNDED: more than `most`, or it calls others than known ones. */
static u4 wants(const Method *m, u4 most, u4 depth) {
    CfInsn i;
    u4 sum = m->code_len;
    if (depth > MOST_CHAIN || sum > most || !m->qcode) return UNBOUNDED;
    for (u4 at = 0; at < m->code_len && cf_insn(m->code, m->code_len, at, &i); at += i.len) {
        u1 quick = is_call(i.op) ? quick_current_opcode(m, m->qcode + at) : i.op;
        const Method *callee = quick != i.op ? known_callee(m, at, quick) : NULL;
        if (quick == i.op || !wants_body(callee)) continue;
        u4 more = callee ? wants(callee, most - sum, depth + 1) : UNBOUNDED;
        if (more < EACH) more = EACH;
        if (more > most - sum) return UNBOUNDED;
        sum += more;
    }
    return sum;
}

static u4 bounded(const Build *b, u4 at, u1 quick) {
    const Method *callee = known_callee(b->m, at, quick);
    return callee && wants_body(callee) ? wants(callee, MOST_BOUNDED, 0) : UNBOUNDED;
}

void build_share_out(Build *b, u4 budget) {
    CfInsn i;
    b->budget = budget;
    b->loops = opt_alloc(b->o, b->len + 1);
    if (!b->loops) return;
    find_depths(b, b->loops);
    for (u4 at = 0; at < b->len && cf_insn(b->code, b->len, at, &i); at += i.len) {
        u1 quick = is_call(i.op) ? quick_current_opcode(b->m, b->m->qcode + at) : i.op;
        if (b->loops[at] > b->deepest) b->deepest = b->loops[at];
        if (quick == i.op) continue;
        u4 aside = bounded(b, at, quick);
        if (aside != UNBOUNDED) b->aside += aside;
        else b->weights += weight_of(b, at, quick);
    }
    if (b->second) b->weights *= 2, b->aside *= 2;
}

void build_share(Build *b) {
    u4 aside = b->is_glue ? UNBOUNDED : bounded(b, b->insn.pc, b->quick);
    if (aside != UNBOUNDED) {
        b->aside -= aside < b->aside ? aside : b->aside;
        b->share = aside < b->budget ? aside : b->budget;
        return;
    }
    u4 w = weight_of(b, b->insn.pc, b->quick), left = b->budget > b->aside ? b->budget - b->aside : 0;
    if (b->weights < w) b->weights = w; /* code that leads here from several bodies */
    b->share = b->is_glue ? b->budget : w ? (u4)((u8)left * w / b->weights) : 0;
    b->weights -= w;
}

/* A name and type of its own are taken for itself. */
bool build_forks(const Method *m) {
    CfInsn i;
    u4 n = 0;
    if (m->code_len > MOST_FORKING) return false;
    for (u4 at = 0; at < m->code_len && cf_insn(m->code, m->code_len, at, &i); at += i.len) {
        CfStr name, desc;
        n += is_call(i.op) && cf_name_and_type(m->version->cf, i.index, &name, &desc) && cf_str_eq(name, symbol_str(m->name)) &&
             cf_str_eq(desc, symbol_str(m->desc));
    }
    return n > 1;
}

bool build_fits_share(const Build *b, const Method *m, bool hot) {
    u4 bytes = m->code_len, calls = bytes <= LARGEST_BODY ? calls_in(m) : 0;
    if (bytes <= BUILD_SMALL) return !calls || bytes <= LENIENT * b->share + TINY;
    return hot && bytes <= LARGEST_BODY && bytes + calls * EACH <= b->share;
}
