/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builder: monitors.
 *
 * WHO KNOWS   which monitors are held: the frame, as everywhere (frame/frame.h).  The root's is in memory as long as it runs, so LOCK, MONITOR_ENTER
 *             and what gives back change it there, and exits have nothing to add.  A body has no frame yet.  That it holds the monitor of its
 *             method follows from where the code is: from LOCK to UNLOCK, and all of the body's code but LOCK itself is between them.  So frames
 *             that are written for a synchronized body, by code or by a record, have FRAME_SYNC, but for the record of LOCK (EXIT_ENTERING).
 *             Lock records of bodies would have to be moved into a frame that comes later: bodies with monitorenter are called.
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

bool build_may_lock(const Method *m) {
    if (has_monitors(m)) return false;
    return !(m->access & ACC_SYNCHRONIZED) || method_is_static(m) || !writes_receiver(m);
}

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
    if (b->outer) return build_refuse(b, "monitors of a body"), true;
    Ref o = build_top(b, 1);
    build_not_null(b, o);
    add(b, op == CF_OP_MONITORENTER ? OPT_MONITOR_ENTER : OPT_MONITOR_EXIT, o, build_state(b));
    b->depth--;
    return true;
}
