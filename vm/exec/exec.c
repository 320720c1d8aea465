/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Java stacks of threads, and their references as roots.
 *
 * A Java stack is reserved whole and committed by touching, so a generous size costs
 * nothing until it is used.  Its last part is the reserve: java_stack_limit is the
 * end that programs see; while a StackOverflowError is being made the limit is
 * moved to java_stack_end (throw.c).
 */
#include "exec/exec.h"
#include "core/options.h"
#include "exec/framemap.h"
#include "interp/interp.h"
#include "jit/jit.h"
#include "os/os.h"
#include <stdlib.h>

enum { STACK_FACTOR = 8, STACK_MAX = 1 << 30, STACK_DEFAULT = 8 << 20, STACK_RESERVE = 256 << 10, STACK_MIN = 512 << 10 };

ExecTier exec_tier;

void exec_init(void) {
    jit_init();
    interp_init();
}

/* Our frames are about as large as those of the reference's interpreter; compiled
 * frames there are smaller, so a thread gets several times what it asks for. */
bool exec_thread_init(Thread *t, size_t bytes) {
    size_t size = bytes > STACK_MAX / STACK_FACTOR ? STACK_MAX : bytes ? bytes * STACK_FACTOR : STACK_DEFAULT;
    if (size < STACK_MIN) size = STACK_MIN;
    size = ALIGN_UP(size, os_page_size()) + STACK_RESERVE;
    u1 *p = os_reserve(NULL, size);
    if (!p) return false;
    if (!os_commit(p, size)) return os_unreserve(p, size), false;
    t->java_stack = p;
    t->java_stack_end = p + size - 4096;
    t->java_stack_limit = p + size - STACK_RESERVE;
    t->frame = NULL;
    exec_set_event_bits(t, exec_initial_event_bits);
    return true;
}

void exec_thread_free(Thread *t) {
    if (!t->java_stack) return;
    os_unreserve(t->java_stack, (size_t)(t->java_stack_end + 4096 - t->java_stack));
    t->java_stack = NULL;
    for (LockRecord *r = t->exec_data, *next; r; r = next) {
        next = r->next;
        free(r);
    }
    t->exec_data = NULL;
}

typedef void (*WordVisitor)(u8 word, void *arg);

static void visit_cells(Slot *from, Slot *to, WordVisitor visit, void *arg) {
    for (Slot *s = from; s < to; s++) visit(s->raw, arg);
}

static void frame_roots(Frame *f, WordVisitor visit, void *arg) {
    Method *m = f->method;
    if (f->flags & FRAME_SYNC) visit((u8)(uintptr_t)f->sync_object, arg);
    visit((u8)(uintptr_t)m->holder->mirror, arg);
    for (LockRecord *r = frame_locks(f); r; r = r->next) visit((u8)(uintptr_t)r->object, arg);
    if (f->flags & FRAME_OPAQUE) {
        visit_cells(f->locals, f->locals + m->arg_slots, visit, arg);
    } else {
        const u8 *live = framemap_locals(m, frame_bci(f));
        for (u4 i = 0; i < m->max_locals; i++)
            if (!live || (live[i >> 6] >> (i & 63) & 1)) visit(f->locals[i].raw, arg);
    }
    visit_cells(frame_stack_base(f), frame_sp(f), visit, arg);
}

/* Locals that have a value, operand stacks up to their tops, monitors. */
void exec_roots(Thread *t, WordVisitor visit, void *arg) {
    if (!t->java_stack) return;
    for (Frame *f = t->frame; f; f = f->prev) frame_roots(f, visit, arg);
}

u4 exec_initial_event_bits;

void exec_set_event_bits(Thread *t, u4 bits) {
    t->event_bits = bits;
    if (bits || t->forced_frame) jit_leave_frames(t);
    if (bits || t->forced_frame || vm_options.safepoint_stress) atomic_fetch_or(&t->poll, POLL_STICKY);
    else atomic_fetch_and(&t->poll, ~(u4)POLL_STICKY);
}

void exec_use_bytecode(Method *m) {
    if (m->kind != MK_VM_NATIVE || !(m->flags & MF_INTRINSIC)) return;
    __atomic_store_n(&m->kind, MK_BYTECODE, __ATOMIC_RELEASE);
    FLAGS_CLEAR(m->flags, MF_INTRINSIC);
}

/* --- forced exits: done by the tiers, see interp_forced_exit --- */

enum { ROOT_FORCED = 6 }; /* Thread.roots */

static void force(Thread *t, bool pop, Slot value) {
    t->forced_frame = t->frame;
    t->forced_pop = pop;
    t->forced_value = value;
    BasicType r = (BasicType)t->frame->method->ret_type;
    t->roots[ROOT_FORCED] = !pop && (r == T_OBJECT || r == T_ARRAY) ? value.ref : NULL;
    exec_set_event_bits(t, t->event_bits); /* the next poll looks */
}
void exec_force_pop(Thread *t) {
    force(t, true, (Slot){.raw = 0});
}
void exec_force_return(Thread *t, Slot value) {
    force(t, false, value);
}
void exec_forget_forced(Thread *t) {
    t->forced_frame = NULL;
    t->roots[ROOT_FORCED] = NULL;
    exec_set_event_bits(t, t->event_bits);
}
/* Two frames of bytecode with no C code between them, and a call that can be made again. */
bool exec_can_pop(Thread *t) {
    Frame *f = t->frame;
    if (!f || f->flags & FRAME_OPAQUE || (f->flags & (FRAME_ENTRY | FRAME_BRIDGED)) == FRAME_ENTRY || f->flags & FRAME_FROM_C || !f->prev || f->prev->flags & FRAME_OPAQUE) return false;
    return interp_call_repeatable(f->prev);
}

void exec_version_free(ClassVersion *v) {
    jit_free_version(v);
    for (u4 i = 0; i < v->n_methods_all; i++) {
        Method *m = &v->methods[i];
        framemap_free(m);
        free(m->qcode);
        m->qcode = m->qentry = NULL;
    }
    free(v->qcells);
    v->qcells = NULL;
}
