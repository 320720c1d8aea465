/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builder: monitors.
 *
 * WHO KNOWS   which monitors are held: the frame, as everywhere (frame/frame.h).  The root's is in memory as long as it runs, so LOCK, MONITOR_ENTER
 *             and what gives back change it there, and exits have nothing to add.  A body has no frame yet.  That it holds the monitor of its
 *             method follows from where the code is: from LOCK to UNLOCK, and all of the body's code but LOCK itself is between them.  So frames
 *             that are written for a synchronized body, by code or by a record, have FRAME_SYNC, but for the record of LOCK (EXIT_ENTERING).
 *             Lock records of bodies would have to be moved into a frame that comes later: bodies with monitorenter are called, or, if that
 *             has never run or makes something the first time, leave there.
 * RECEIVER    A frame's monitor is found by local 0.  Bodies that write it are called.
 * ORDER       All these nodes are stops: nothing that was read before is still so, stores stay on their side, and another thread may have the
 *             monitor for long.  UNLOCK is the last node of its method: what is thrown there is thrown at the return.  A root asks NO_LOCKS before.
 */
#include "jit/opt/opt_build.h"
#include "object/class.h"

static bool has_monitors(const Method *m) {
    CfInsn i;
    for (u4 at = 0; at < m->code_len && cf_insn(m->code, m->code_len, at, &i); at += i.len)
        if (cf_op_info[i.op].flags & CF_OF_MONITOR) return true;
    return false;
}

static bool writes_receiver(const Method *m) {
    CfInsn i;
    for (u4 at = 0; at < m->code_len && cf_insn(m->code, m->code_len, at, &i); at += i.len) {
        bool one = i.op == CF_OP_ISTORE || i.op == CF_OP_FSTORE || i.op == CF_OP_ASTORE,
             two = i.op == CF_OP_LSTORE || i.op == CF_OP_DSTORE;
        bool brief = i.op >= CF_OP_ISTORE_0 && i.op <= CF_OP_ASTORE_3;
        if ((one || two || brief || i.op == CF_OP_IINC) && !i.index) return true;
    }
    return false;
}

static bool ends_straight(const CfInsn *i) {
    return cf_op_info[i->op].flags & (CF_OF_BRANCH | CF_OF_SWITCH | CF_OF_END | CF_OF_RETURN | CF_OF_THROW);
}

/* What stands behind the monitorenter at `at`, up to the next branch, shows whether it ran: e.g. an instance that was there whenever somebody asked. */
static bool never_entered(const Method *m, u4 at) {
    CfInsn i;
    for (; at < m->code_len && cf_insn(m->code, m->code_len, at, &i); at += i.len) {
        if (build_never_ran(m, &i)) return true;
        if (ends_straight(&i)) return false;
    }
    return false;
}

/* Where the straight way to `at` begins, and the instruction in front of that. */
static u4 way_to(const Method *m, u4 at, CfInsn *before) {
    CfInsn i;
    u4 start = 0;
    for (u4 pc = 0; pc < at && cf_insn(m->code, m->code_len, pc, &i); pc += i.len) {
        if (!ends_straight(&i)) continue;
        start = pc + i.len;
        *before = i;
    }
    return start;
}

/*
 * Is the block that is entered there what makes something the first time that it is asked for?  In a method without loops one way leads there, and that is where
 * something was null, or a flag not set.  That it ran then tells nothing of what is to come; if it does often the root will be mistaken.
 */
static bool makes_first(const Method *m, u4 enter) {
    CfInsn i, before = {0};
    u4 start = way_to(m, enter, &before), ways = 0;
    bool falls = before.op == CF_OP_IFNONNULL || before.op == CF_OP_IFNE;
    if (!start || (falls && (u4)before.target <= enter)) return false;
    if (!falls && cf_op_info[before.op].flags & CF_OF_BRANCH && before.op != CF_OP_GOTO) return false;
    for (u4 pc = 0; pc < m->code_len && cf_insn(m->code, m->code_len, pc, &i); pc += i.len) {
        u4 flags = cf_op_info[i.op].flags;
        if (flags & CF_OF_SWITCH) return false;
        if (!(flags & CF_OF_BRANCH)) continue;
        u4 target = (u4)i.target;
        if (target <= pc || (target > start && target <= enter)) return false;
        if (target == start && i.op != CF_OP_IFNULL && i.op != CF_OP_IFEQ) return false;
        ways += target == start;
    }
    return ways + falls == 1;
}

static bool enters(const Build *b, const Method *m) {
    CfInsn i;
    for (u4 at = 0; at < m->code_len && cf_insn(m->code, m->code_len, at, &i); at += i.len)
        if (i.op == CF_OP_MONITORENTER && !never_entered(m, at) && !(build_may_leave(b) && makes_first(m, at))) return true;
    return false;
}

bool build_may_lock(const Build *b, const Method *m) {
    if (enters(b, m)) return false;
    return !(m->access & ACC_SYNCHRONIZED) || method_is_static(m) || !writes_receiver(m);
}

bool build_keeps_monitor(const Method *m) { return !has_monitors(m) && !writes_receiver(m); }

static Ref sync_object(Build *b) {
    return method_is_static(b->m) ? build_const(b, OT_REF, (int64_t)(uintptr_t)b->m->holder->mirror) : b->receiver;
}

static void add(Build *b, OptOp op, Ref object, State *s) {
    Ref r = build_add(b, op, OT_NONE);
    opt_node(b->o, r)->in[0] = object;
    opt_node(b->o, r)->state = s;
}

void build_lock(Build *b) {
    if (!(b->m->access & ACC_SYNCHRONIZED)) return;
    b->receiver = method_is_static(b->m) ? 0 : b->cells[0];
    add(b, OPT_LOCK, sync_object(b), build_state_at_start(b));
}

void build_unlock(Build *b) {
    if (!b->outer && has_monitors(b->m)) build_guard(b, OPT_NO_LOCKS, EXIT_REDO, 0, 0);
    if (!(b->m->access & ACC_SYNCHRONIZED)) return;
    State *s = build_state(b);
    add(b, OPT_UNLOCK, b->outer ? sync_object(b) : 0, s);
}

bool build_monitor_op(Build *b) {
    u1 op = b->insn.op;
    if (op != CF_OP_MONITORENTER && op != CF_OP_MONITOREXIT) return false;
    if (b->outer) return build_leave(b, EXIT_REDO), true;
    Ref o = build_top(b, 1);
    build_not_null(b, o);
    add(b, op == CF_OP_MONITORENTER ? OPT_MONITOR_ENTER : OPT_MONITOR_EXIT, o, build_state(b));
    b->depth--;
    return true;
}
