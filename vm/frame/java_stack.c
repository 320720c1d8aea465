/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Java stacks of threads, and their words as roots.
 *
 * A Java stack is reserved whole and committed by touching, so a generous size costs
 * nothing until it is used.  Its last part is the reserve: java_stack_limit is the
 * end that programs see; while a StackOverflowError is being made the limit is
 * moved to java_stack_end (exec/throw.c).  Behind that is room for two frames of compiled code, the first of which began before the
 * end and the second, which calls nothing, never asked.
 */
#include "frame/frame.h"
#include "frame/framemap.h"
#include "os/os.h"

enum {
    STACK_FACTOR = 8,
    STACK_MAX = 1 << 30,
    STACK_DEFAULT = 8 << 20,
    STACK_RESERVE = 256 << 10,
    STACK_MIN = 512 << 10,
    STACK_SLACK = 32 << 10
};

/* Our frames are about as large as those of the reference's interpreter; compiled
 * frames there are smaller, so a thread gets several times what it asks for. */
bool java_stack_init(Thread *t, size_t bytes) {
    size_t size = bytes > STACK_MAX / STACK_FACTOR ? STACK_MAX : bytes ? bytes * STACK_FACTOR : STACK_DEFAULT;
    if (size < STACK_MIN) size = STACK_MIN;
    size = ALIGN_UP(size, os_page_size()) + STACK_RESERVE;
    u1 *p = os_reserve(NULL, size);
    if (!p) return false;
    if (!os_commit(p, size)) return os_unreserve(p, size), false;
    t->java_stack = p;
    t->java_stack_end = p + size - STACK_SLACK;
    t->java_stack_limit = p + size - STACK_RESERVE;
    t->frame = NULL;
    return true;
}

void java_stack_free(Thread *t) {
    if (!t->java_stack) return;
    os_unreserve(t->java_stack, (size_t)(t->java_stack_end + STACK_SLACK - t->java_stack));
    t->java_stack = NULL;
    frame_free_records(t);
}

/* --- roots --- */

typedef void (*WordVisitor)(u8 word, void *arg);

static void visit_cells(Slot *from, Slot *to, WordVisitor visit, void *arg) {
    for (Slot *s = from; s < to; s++) visit(s->raw, arg);
}

static void frame_words(Frame *f, WordVisitor visit, void *arg) {
    Method *m = f->method;
    if (frame_sync_object(f)) visit((u8)(uintptr_t)f->sync_object, arg);
    visit((u8)(uintptr_t)m->holder->mirror, arg);
    for (LockRecord *r = frame_locks(f); r; r = r->next) visit((u8)(uintptr_t)r->object, arg);
    Slot *locals = frame_locals(f);
    if (f->flags & FRAME_OPAQUE) {
        visit_cells(locals, locals + m->arg_slots, visit, arg);
    } else {
        const u8 *live = framemap_locals(m, frame_bci(f));
        for (u4 i = 0; i < m->max_locals; i++)
            if (!live || (live[i >> 6] >> (i & 63) & 1)) visit(locals[i].raw, arg);
    }
    visit_cells(frame_stack_base(f), frame_sp(f), visit, arg);
}

/* Locals that have a value, operand stacks up to their tops, monitors: cells of physical frames, whatever is inlined. */
void java_stack_words(Thread *t, WordVisitor visit, void *arg) {
    if (!t->java_stack) return;
    for (u4 i = 0; t->callee_args && i < t->callee->arg_slots; i++) visit(t->callee_args[i].raw, arg);
    for (Frame *f = t->frame; f; f = frame_older(f)) frame_words(f, visit, arg);
}

/* Stale words are among them. */
void java_stack_raw_words(Thread *t, WordVisitor visit, void *arg) {
    if (!t->java_stack || !t->frame) return;
    const u1 *most = t->java_stack_end + STACK_SLACK, *youngest = (const u1 *)t->frame;
    const u8 *end = (const u8 *)(most - youngest < STACK_SLACK ? most : youngest + STACK_SLACK);
    for (const u8 *w = (const u8 *)t->java_stack; w < end; w++) visit(*w, arg);
}
