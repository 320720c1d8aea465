/* SPDX-License-Identifier: Apache-2.0 */
/* FrameView over physical frames; frame_view.h has the contract. */
#include "frame/frame.h"

FrameView view_older(FrameView v) { return frame_view_older(v); }

FrameView view_at(const Thread *t, int depth) {
    FrameView v = view_youngest(t);
    while (view_exists(v) && depth-- > 0) v = view_older(v);
    return v;
}
int view_count(const Thread *t) {
    int n = 0;
    FOR_EACH_FRAME(v, t) n++;
    return n;
}

Method *view_method(FrameView v) { return frame_view_method(v); }
u4 view_bci(FrameView v) { return frame_view_bci(v); }
bool view_is_native(FrameView v) { return v.frame->flags & FRAME_NATIVE; }
bool view_is_vm_native(FrameView v) { return v.frame->flags & FRAME_VM_NATIVE; }
bool view_is_opaque(FrameView v) { return v.frame->flags & FRAME_OPAQUE; }
bool view_is_entry(FrameView v) {
    return (v.frame->flags & (FRAME_ENTRY | FRAME_BRIDGED)) == FRAME_ENTRY || v.frame->flags & FRAME_FROM_C;
}
bool view_is_hidden(FrameView v) { return frame_of_hidden(frame_view_method(v)); }

Slot view_local(FrameView v, u4 i) { return frame_locals(v.frame)[i]; }
void view_set_local(const Thread *t, FrameView v, u4 i, Slot value) {
    frame_leave_code(frame_youngest(t, v.frame));
    frame_locals(v.frame)[i] = value;
}
u4 view_depth(FrameView v) { return (u4)(frame_sp(v.frame) - frame_stack_base(v.frame)); }
Slot view_operand(FrameView v, u4 i) { return frame_stack_base(v.frame)[i]; }

bool view_any_cell(FrameView v, bool (*is)(Slot cell, void *arg), void *arg) {
    u4 n_locals = view_method(v)->max_locals, depth = view_depth(v);
    for (u4 i = 0; i < n_locals; i++)
        if (is(view_local(v, i), arg)) return true;
    for (u4 i = 0; i < depth; i++)
        if (is(view_operand(v, i), arg)) return true;
    return false;
}

Object *view_sync_object(FrameView v) { return frame_sync_object(v.frame); }
const LockRecord *view_locks(FrameView v) { return frame_locks(v.frame); }

void view_leave_code(const Thread *t) {
    if (t->frame) frame_leave_code(t->frame);
}

void view_notify_pop(const Thread *t, FrameView v) {
    frame_leave_code(frame_youngest(t, v.frame));
    v.frame->flags |= FRAME_NOTIFY_POP;
}
bool view_notifies_pop(FrameView v) { return v.frame->flags & FRAME_NOTIFY_POP; }
void view_forget_pop(FrameView v) { v.frame->flags &= ~(u4)FRAME_NOTIFY_POP; }
