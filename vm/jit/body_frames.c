/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames of bodies: those that optimised code writes only when somebody looks.
 *
 * A call made by a body wants the frames of all bodies around it on the Java stack: four words each, and their positions; most calls end and
 * nobody has looked.  So optimised code writes one word, the position of the innermost, which says that the frame is due:
 *
 *     1 | number of the code | scope | depth | bci          as a position has them, but for what lies above 32 bits
 *
 * and calls with that frame as the caller's.  All else is in CodeBlob.scopes, as it is for records (exit_record.c).  Whoever goes from the callee's
 * frame to its caller's (frame_older) has the frames written first, the position last; then they are like all others, and the code, which asks behind
 * the call for the sign of that word, looks for flags in the frame as if it had written it itself (opt_emit_call.c).
 *
 * WHO MEETS ONE   Only the callee's `prev`, and R_FRAME at its entry, name such a frame.  The stubs of the entry have it written before C code looks
 *                 (jit_bridge, jit_entry_slow_c), so Thread.frame is never one.
 * WHILE           a frame is due its activation is in a call, so what scopes say stays true, and cells do not change.  Its thread writes it, or who has
 *                 stopped that thread: one at a time (lock of rank THREADS).  So flags that somebody gave the frame are not written over.
 * STALE WORDS     may look the same: a frame that has no position yet lies where a body's did.  So only a caller's is believed.
 * SIGNALS         may come at any instruction; their handler cannot know which words are stale, and writes nothing.  It goes through the
 *                 scopes itself, and believes them if the root that they lead to runs that code (due_begin).
 *
 * NUMBERS         name live code, and code that is retired, for which frames may stand.  The compiler takes one when it first needs it, freed code gives
 *                 it back.  [lock: jit] for both; who reads one has a frame, or copies carefully.
 *
 * Rejected: the code's address in the word (no room beside scope and position); a table by return addresses (C stacks are not walked); lists of calls in
 * the code (scopes and a position are all that a call is).
 */
#include "jit/jit_int.h"
#include "os/os.h"

enum {
    SCOPE_AT = 32,
    SCOPE_BITS = 13,
    NUMBER_AT = SCOPE_AT + SCOPE_BITS,
    NUMBER_BITS = 63 - NUMBER_AT,
    NUMBERS = 1 << NUMBER_BITS
};

static const CodeBlob *owners[NUMBERS];
static u4 given_back[NUMBERS], n_given_back, n_taken;

u4 due_take(void) {
    if (n_given_back) return given_back[--n_given_back];
    return n_taken + 1 < NUMBERS ? ++n_taken : 0;
}

void due_set_owner(const CodeBlob *b) {
    if (b->due) __atomic_store_n(&owners[b->due], b, __ATOMIC_RELEASE);
}

void due_give_back(u4 number) {
    if (!number) return;
    __atomic_store_n(&owners[number], NULL, __ATOMIC_RELEASE);
    given_back[n_given_back++] = number;
}

bool due_can_name(u4 scope) { return scope >> SCOPE_BITS == 0; }

u8 due_position(u4 number, u4 scope, u4 bci, u4 depth) {
    return 1ull << 63 | (u8)number << NUMBER_AT | (u8)scope << SCOPE_AT | depth << FRAME_DEPTH_SHIFT | bci;
}

static const CodeBlob *owner_of(u8 position) {
    return __atomic_load_n(&owners[position >> NUMBER_AT & (NUMBERS - 1)], __ATOMIC_ACQUIRE);
}
static u4 scope_of(u8 position) { return (u4)(position >> SCOPE_AT) & ((1u << SCOPE_BITS) - 1); }

/* --- writing --- */

static Frame *frame_of(Frame *root, const CodeScope *s) {
    return (Frame *)(frame_stack_base(root) + s->locals + s->method->max_locals);
}
static Frame *root_of(const Frame *f, const CodeScope *s, const Method *m) {
    return (Frame *)((Slot *)f - s->locals - m->max_locals) - 1;
}

Frame *jit_write_frames(const CodeBlob *b, Frame *root, u4 scope) {
    if (!scope) return root;
    const CodeScope *s = &b->scopes[scope - 1];
    Frame *caller = jit_write_frames(b, root, s->outer), *f = frame_of(root, s);
    caller->position = s->bci | s->depth << FRAME_DEPTH_SHIFT;
    f->prev = caller;
    f->method = s->method;
    if (s->holds)
        f->sync_object = method_is_static(s->method) ? s->method->holder->mirror : frame_stack_base(root)[s->locals].ref;
    f->flags = FRAME_COMPILED | FRAME_INLINED | s->holds;
    return f;
}

void frame_write_due(Frame *f) {
    u8 position = f->position;
    const CodeBlob *b = owner_of(position);
    const CodeScope *s = &b->scopes[scope_of(position) - 1];
    jit_write_frames(b, root_of(f, s, s->method), scope_of(position));
    __atomic_store_n(&f->position, (u4)position, __ATOMIC_RELEASE); /* a signal may come in between */
}

/* --- from a signal handler --- */

static bool copy_scope(const FrameDue *d, CodeScope *s, Method *m) {
    CodeBlob b;
    return os_safe_copy(&b, d->code, sizeof b) && d->scope && d->scope <= b.n_scopes &&
           os_safe_copy(s, &b.scopes[d->scope - 1], sizeof *s) && s->method && os_safe_copy(m, s->method, sizeof *m);
}

static bool runs(const FrameDue *d) {
    Frame root;
    CodeBlob b;
    return os_safe_copy(&root, d->root, sizeof root) && os_safe_copy(&b, d->code, sizeof b) && root.method == b.method &&
           (root.flags & (FRAME_COMPILED | FRAME_INLINED)) == FRAME_COMPILED;
}

bool due_begin(FrameDue *d, const Frame *f, u8 position) {
    CodeScope s;
    Method m;
    *d = (FrameDue){.code = owner_of(position), .scope = scope_of(position), .bci = position & FRAME_BCI_MASK};
    if (!d->code || !copy_scope(d, &s, &m)) return false;
    d->root = root_of(f, &s, &m);
    return runs(d);
}

bool due_next(FrameDue *d, Method *m, u4 *bci) {
    CodeScope s;
    if (!copy_scope(d, &s, m)) return false;
    *bci = d->bci;
    d->bci = s.bci;
    d->scope = s.outer;
    return true;
}
