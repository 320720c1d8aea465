/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exits as data.
 *
 * Most exits of compiled code are never taken: null, a wrong index, an instruction that had never run.  So what an exit has to store, and where it
 * is, stands in a record, and the code of the exit is a call of jit_exit_record_stub, five bytes; where a fault finds null there is none, the handler
 * goes to the stub as if the instruction had called it.  The stub saves all registers; the record is found by the return address (CodeBlob.exits,
 * in order of address), carried out, and the exit goes on like one that is written as code.
 *
 * RECORD  Numbers are LEB128:
 *
 *             info (ExitInfo) | scope | bci | depth | pins | n | n times: cell - the cell before, and source | what
 *
 *         pins: bits of CodeBlob.pins, registers that have locals of which memory has not the value.  Cells are numbered as the compiler does
 *         (head of base_inline.c); what is not listed is in memory.  Frames of scopes come from CodeBlob.scopes.
 *
 * ORDER   Cells first, in ascending order, then pins: a cell may equal a local, or a lower cell, that has its value in memory.  A cell that equals
 *         a register's is written as that register.  Then frames, outermost last, as the code of a slow path does it.
 *
 * The words that were saved may be references, so they are cleared when they were used (docs/jit.md, "The frame").  Nothing here waits or stops.
 *
 * Rejected: exits in code (a quarter of all code was theirs, and a fifth of the time of compiling); one record for several exits (they rarely agree
 * in bci and stack).  What leaves often, behind calls that left FRAME_LEAVE_CODE, is still code: everything is in memory there, so it is short.
 */
#include "jit/exit_record.h"
#include "jit/leb.h"
#include "object/class.h"
#include <stdlib.h>
#include <string.h>

enum { SOURCE_BITS = 3 };

/* --- writing --- */

static bool make_room(ExitWriter *w, u4 n) {
    if (w->failed) return false;
    if (w->cap - w->len >= n) return true;
    u4 cap = w->cap ? 2 * w->cap : 256;
    u1 *more = realloc(w->bytes, cap);
    if (!more) return !(w->failed = true);
    w->bytes = more;
    w->cap = cap;
    return true;
}

static void put(ExitWriter *w, u8 v) { w->len = (u4)(leb_put(w->bytes + w->len, v) - w->bytes); }

u4 exit_begin(ExitWriter *w, ExitInfo info, u4 scope, u4 bci, u4 depth, u4 dirty) {
    enum { HEAD_NUMBERS = 6 };
    u4 at = w->len;
    if (!make_room(w, HEAD_NUMBERS * LEB_MOST)) return 0;
    put(w, info);
    put(w, scope);
    put(w, bci);
    put(w, depth);
    put(w, dirty);
    return at;
}

void exit_cell(ExitWriter *w, u4 cell, ExitSource from, int64_t what) {
    if (!make_room(w, 3 * LEB_MOST)) return;
    put(w, (u8)(cell + 1) << SOURCE_BITS | from);
    put(w, (u8)what << 1 ^ (u8)(what >> 63)); /* small ones of both signs are short */
}

void exit_end(ExitWriter *w) {
    if (make_room(w, LEB_MOST)) put(w, 0);
}

void exit_key(ExitWriter *w, u4 at, u4 record) {
    if (w->n_keys == w->cap_keys) {
        u4 cap = w->cap_keys ? 2 * w->cap_keys : 32;
        CodeExit *more = realloc(w->keys, cap * sizeof *more);
        if (!more) {
            w->failed = true;
            return;
        }
        w->keys = more;
        w->cap_keys = cap;
    }
    w->keys[w->n_keys++] = (CodeExit){at, record};
}

void exit_writer_free(ExitWriter *w) {
    free(w->bytes);
    free(w->keys);
}

/* --- reading --- */

static const CodeExit *find(const CodeBlob *b, const u1 *from) {
    u4 at = (u4)(from - b->code);
    for (u4 lo = 0, hi = b->n_exits; lo < hi;) {
        u4 mid = (lo + hi) / 2;
        if (b->exits[mid].at == at) return &b->exits[mid];
        if (b->exits[mid].at < at) lo = mid + 1;
        else hi = mid;
    }
    return NULL;
}

bool exit_is_for_fault(const CodeBlob *b, const void *pc) { return find(b, (const u1 *)pc + 1); }

static Slot *local_of(Frame *root, u4 local) { return frame_locals(root) + local; }

static u8 value_from(Frame *root, const ExitRegisters *r, ExitSource from, int64_t what) {
    switch (from) {
    case FROM_REG: return r->general[what];
    case FROM_FREG: return r->fp[what];
    case FROM_CELL: return frame_stack_base(root)[what].raw;
    case FROM_LOCAL: return local_of(root, (u4)what)->raw;
    case FROM_INT_LOCAL: return (u4)local_of(root, (u4)what)->i;
    default: return (u8)what;
    }
}

static const u1 *store_cells(Frame *root, const ExitRegisters *r, const u1 *at) {
    for (u8 head; (head = leb_get(&at));) {
        u8 v = leb_get(&at);
        int64_t what = (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
        frame_stack_base(root)[(head >> SOURCE_BITS) - 1].raw = value_from(root, r, (ExitSource)(head & 7), what);
    }
    return at;
}

static void store_pins(const CodeBlob *b, Frame *root, const ExitRegisters *r, u4 dirty) {
    for (; dirty; dirty &= dirty - 1) {
        const CodePin *p = &b->pins[__builtin_ctz(dirty)];
        local_of(root, p->local)->raw = p->fp ? r->fp[p->reg] : r->general[p->reg];
    }
}

static Frame *frame_of(Frame *root, const CodeScope *s) {
    return (Frame *)(frame_stack_base(root) + s->locals + s->method->max_locals);
}

/* All frames but for the position of the innermost, which is the result: what calls would have left. */
static Frame *write_frames(const CodeBlob *b, Frame *root, u4 scope) {
    if (!scope) return root;
    const CodeScope *s = &b->scopes[scope - 1];
    Frame *caller = write_frames(b, root, s->outer), *f = frame_of(root, s);
    caller->position = s->bci | s->depth << FRAME_DEPTH_SHIFT;
    f->prev = caller;
    f->method = s->method;
    if (s->holds) f->sync_object = method_is_static(s->method) ? s->method->holder->mirror : frame_stack_base(root)[s->locals].ref;
    f->flags = FRAME_COMPILED | FRAME_INLINED | s->holds;
    return f;
}

StubResult jit_exit_by_record(Thread *t, ExitRegisters *r) {
    const CodeBlob *b = jit_blob_at((uintptr_t)r->from - 1);
    const u1 *at = b->records + find(b, r->from)->record;
    Frame *root = t->frame;
    ExitInfo info = (ExitInfo)leb_get(&at);
    u4 scope = (u4)leb_get(&at), bci = (u4)leb_get(&at), depth = (u4)leb_get(&at), dirty = (u4)leb_get(&at);
    store_cells(root, r, at);
    store_pins(b, root, r, dirty);
    Frame *f = write_frames(b, root, scope);
    f->position = bci | depth << FRAME_DEPTH_SHIFT;
    explicit_bzero(r, sizeof *r);
    return (StubResult){(u8)(uintptr_t)f, (const void *)(uintptr_t)info};
}
