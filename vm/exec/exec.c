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
#include "interp/interp.h"
#include "os/os.h"
#include <stdlib.h>

enum { STACK_DEFAULT = 8 << 20, STACK_RESERVE = 256 << 10, STACK_MIN = 512 << 10 };

ExecTier exec_tier;

void exec_init(void) {
    interp_init();
}

/* Our frames are about as large as those of the reference's interpreter; compiled
 * frames there are smaller, so a thread gets several times what it asks for. */
bool exec_thread_init(Thread *t, size_t bytes) {
    size_t size = bytes ? bytes * 8 : STACK_DEFAULT;
    if (size < STACK_MIN) size = STACK_MIN;
    size = ALIGN_UP(size, os_page_size()) + STACK_RESERVE;
    u1 *p = os_reserve(NULL, size);
    if (!p || !os_commit(p, size)) return false;
    t->java_stack = p;
    t->java_stack_end = p + size - 4096;
    t->java_stack_limit = p + size - STACK_RESERVE;
    t->frame = NULL;
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

/* Every cell up to the published stack top, frame headers included: a superset of the roots. */
void exec_roots(Thread *t, void (*visit_word)(u8 word, void *), void *arg) {
    if (!t->java_stack) return;
    for (Slot *s = (Slot *)t->java_stack, *end = exec_stack_top(t); s < end; s++) visit_word(s->raw, arg);
    for (Frame *f = t->frame; f; f = f->prev) {
        visit_word((u8)(uintptr_t)f->sync_object, arg);
        visit_word((u8)(uintptr_t)f->method->holder->mirror, arg);
        for (LockRecord *r = f->locks; r; r = r->next) visit_word((u8)(uintptr_t)r->object, arg);
    }
}

void exec_set_event_bits(Thread *t, u4 bits) {
    t->event_bits = bits;
    if (bits) atomic_fetch_or(&t->poll, POLL_EVENTS);
    else atomic_fetch_and(&t->poll, ~(u4)POLL_EVENTS);
}
