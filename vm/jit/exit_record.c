/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exits, and calls of rare helpers, as data.
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
 *         (head of base_inline.c); what is not listed is in memory.  Frames of scopes come from CodeBlob.scopes (body_frames.c).
 *
 *         A slow path whose helper is rarely called (allocation when the thread's window is full, the first call of a class at a site) is a record,
 *         too: code of 10 bytes, jit_help_record_stub and the way back.  Behind the cells, and 0:
 *
 *             helper | kind and value of each argument | register of the result | pins that are valid
 *
 *         (optimised code: and which of CodeBlob.extra are put back.)  When it comes back, registers are loaded from memory; or the frame leaves, with ExitInfo and the result.
 *
 * ORDER   Cells first, in ascending order, then pins: a cell may equal a local, or a lower cell, that has its value in memory.  A cell that equals
 *         a register's is written as that register.  Then frames, outermost last, as the code of a slow path does it.
 *
 * OPTIMISED code (CodeBlob.optimised) has no pins.  Its cells are numbered from the root's first local on, operands behind locals, and all are read before
 * one is written: a value may lie in a cell that belongs to another one of the state.  Behind a helper all registers are what they were, for
 * objects do not move; until then they are on the C stack, where collections find them.  So are the cells that no frame has (CodeBlob.extra),
 * over which the frames of whom the helper calls may lie: they are put back.
 *
 * OBJECTS that optimised code did without (opt/opt_escape.c) are described behind the cells, which name them by numbers:
 *
 *             n | n times: class | length + 2 | fields | for each: offset and kind | source | what
 *
 *         They are made when the record is carried out: first all contents are read, then cells and frames are written, with null for these
 *         objects, then all are allocated, then filled, then named.  So a collection in between finds whole frames, empty objects, and what will be in
 *         them on the C stack; nothing stops between the first field and the last cell.  Agents are not told of them: they are no new objects.
 *         Before a helper they are made, too, for whoever looks while the thread stands there; the code goes on without them, unless somebody
 *         may have changed them (vm_locals_are_read): then it leaves behind the helper, which a slow path may always do.
 *         If there is no memory, not even the heap's reserve: before a helper the cells stay null, and nothing is lost if the code goes on.  An
 *         exit cannot go on: the activation ends with OutOfMemoryError, and no handler of its frames is asked, for they would find
 *         null in the place of objects (EXIT_LOST; the reference does the same).
 *
 * The words that were saved may be references, so they are cleared when they were used (docs/jit.md, "The frame").  Nothing here waits or stops, but for
 * the making of objects.
 *
 * Rejected: exits in code (a quarter of all code was theirs, and a fifth of the time of compiling); one record for several exits (they rarely agree
 * in bci and stack).  What leaves often, behind calls that left FRAME_LEAVE_CODE, is still code: everything is in memory there, so it is short.
 */
#include "core/hooks.h"
#include "core/options.h"
#include "heap/heap.h"
#include "jit/boxes.h"
#include "jit/exit_record.h"
#include "jit/leb.h"
#include "jit/policy.h"
#include "object/class.h"
#include "os/os.h"
#include "quick/quick.h"
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
    put(w, leb_of_signed(what));
}

void exit_end(ExitWriter *w) {
    if (make_room(w, LEB_MOST)) put(w, 0);
}

void exit_objects(ExitWriter *w, u4 n) {
    if (make_room(w, LEB_MOST)) put(w, n);
}

void exit_object(ExitWriter *w, const Class *k, int32_t length, u4 n_fields) {
    if (!make_room(w, 3 * LEB_MOST)) return;
    put(w, (u8)(uintptr_t)k);
    put(w, (u8)((int64_t)length - EXIT_BOX));
    put(w, n_fields);
}

enum { KIND_BITS = 4, KIND_REF = 8 };

void exit_field(ExitWriter *w, u4 offset, MemKind kind, bool is_ref, ExitSource from, int64_t what) {
    if (!make_room(w, 3 * LEB_MOST)) return;
    put(w, (u8)offset << KIND_BITS | (is_ref ? (u4)KIND_REF : (u4)kind));
    put(w, from);
    put(w, leb_of_signed(what));
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

void exit_help(ExitWriter *w, const void *fn, const HelperArg args[2], Reg result, u4 valid) {
    if (!make_room(w, 7 * LEB_MOST)) return;
    put(w, (u8)(uintptr_t)fn);
    for (int i = 0; i < 2; i++) {
        put(w, args[i].kind);
        put(w, (u8)args[i].value);
    }
    put(w, result);
    put(w, valid);
}

void exit_put_back(ExitWriter *w, u4 bits) {
    if (make_room(w, LEB_MOST)) put(w, bits);
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
        int64_t what = leb_signed(v);
        frame_stack_base(root)[(head >> SOURCE_BITS) - 1].raw = value_from(root, r, (ExitSource)(head & 7), what);
    }
    return at;
}

/* In optimised code. */
static Slot *place_of(const CodeBlob *b, Frame *root, u4 n) {
    u4 n_locals = b->method->max_locals;
    return n < n_locals ? local_of(root, n) : frame_stack_base(root) + (n - n_locals);
}

/* What a record says of objects, carried out as far as it is. */
typedef struct Objects {
    const u1 *at; /* in the record: the first of them */
    u4 n;
    u8 values[EXIT_MOST_CELLS]; /* of all fields, in their order; FROM_OBJECT: not used */
    Object *made[EXIT_MOST_OBJECTS];
} Objects;

typedef struct ObjectHead {
    Class *klass;
    int32_t length;
    u4 n_fields;
} ObjectHead;

static ObjectHead read_object(const u1 **at) {
    ObjectHead h = {.klass = (Class *)(uintptr_t)leb_get(at)};
    h.length = (int32_t)((int64_t)leb_get(at) + EXIT_BOX);
    h.n_fields = (u4)leb_get(at);
    return h;
}

typedef struct ObjectField {
    u4 offset, kind;
    ExitSource from;
    int64_t what;
} ObjectField;

static ObjectField read_field(const u1 **at) {
    u8 head = leb_get(at), from = leb_get(at), v = leb_get(at);
    return (ObjectField){(u4)(head >> KIND_BITS), head & ((1 << KIND_BITS) - 1), (ExitSource)from, leb_signed(v)};
}

static u8 value_of_field(const CodeBlob *b, Frame *root, const ExitRegisters *r, const ObjectField *f) {
    if (f->from == FROM_OBJECT) return 0;
    return f->from == FROM_CELL ? place_of(b, root, (u4)f->what)->raw : value_from(root, r, f->from, f->what);
}

/* All contents, before a cell is written.  The result is behind the objects. */
static const u1 *read_objects(const CodeBlob *b, Frame *root, const ExitRegisters *r, const u1 *at, Objects *o) {
    u4 n = 0;
    o->n = (u4)leb_get(&at);
    o->at = at;
    for (u4 i = 0; i < o->n; i++)
        for (u4 left = read_object(&at).n_fields; left; left--) {
            ObjectField f = read_field(&at);
            o->values[n++] = value_of_field(b, root, r, &f);
        }
    return at;
}

static const u1 *skip_cells(const u1 *at) {
    while (leb_get(&at)) leb_get(&at);
    return at;
}

static NOINLINE const u1 *store_places(const CodeBlob *b, Frame *root, const ExitRegisters *r, const u1 *at, Objects *o) {
    u8 values[EXIT_MOST_CELLS];
    u4 n = 0;
    const u1 *again = at, *end = read_objects(b, root, r, skip_cells(at), o);
    for (u8 head; (head = leb_get(&at));) {
        u8 v = leb_get(&at);
        if ((head & 7) == FROM_CELL) values[n++] = place_of(b, root, (u4)(v >> 1))->raw;
    }
    n = 0;
    for (u8 head; (head = leb_get(&again));) {
        u8 v = leb_get(&again), from = head & 7;
        int64_t what = leb_signed(v);
        Slot *to = place_of(b, root, (u4)(head >> SOURCE_BITS) - 1);
        to->raw = from == FROM_CELL ? values[n++] : from == FROM_OBJECT ? 0 : value_from(root, r, (ExitSource)from, what);
    }
    explicit_bzero(values, n * sizeof *values);
    return end;
}

static void store_pins(const CodeBlob *b, Frame *root, const ExitRegisters *r, u4 dirty) {
    for (; dirty; dirty &= dirty - 1) {
        const CodePin *p = &b->pins[__builtin_ctz(dirty)];
        local_of(root, p->local)->raw = p->fp ? r->fp[p->reg] : r->general[p->reg];
    }
}

/* A record that is carried out. */
typedef struct Leaving {
    CodeBlob *blob;
    Frame *root, *f; /* the innermost */
    ExitInfo info;
    const u1 *cells, *end;
} Leaving;

static CodeBlob *blob_of(const ExitRegisters *r) { return (CodeBlob *)jit_blob_at((uintptr_t)r->from - 1); }

/* o: of optimised code. */
static Leaving write_state(Thread *t, ExitRegisters *r, CodeBlob *b, Objects *o) {
    Leaving l = {.blob = b, .root = t->frame};
    const u1 *at = l.blob->records + find(l.blob, r->from)->record;
    l.info = (ExitInfo)leb_get(&at);
    u4 scope = (u4)leb_get(&at), bci = (u4)leb_get(&at), depth = (u4)leb_get(&at), dirty = (u4)leb_get(&at);
    l.cells = at;
    l.end = l.blob->optimised ? store_places(l.blob, l.root, r, at, o) : store_cells(l.root, r, at);
    store_pins(l.blob, l.root, r, dirty);
    l.f = jit_write_frames(l.blob, l.root, scope);
    l.f->position = bci | depth << FRAME_DEPTH_SHIFT;
    if (scope && (l.info & 15) == EXIT_ENTERING) l.f->flags &= ~(u4)FRAME_SYNC; /* it is about to take the monitor */
    return l;
}

/* --- objects that the code did without --- */

/* A box of the library's cache, if it has one for the value: storing the value there once more changes nothing. */
static Object *allocate(Thread *t, const ObjectHead *h, const u8 *values) {
    if (h->length != EXIT_BOX) return heap_alloc_reserved(t, h->klass, h->length);
    Object *cached = box_cached(box_of(h->klass), h->n_fields ? box_number(box_of(h->klass), values[0]) : 0);
    return cached ? cached : heap_alloc_reserved(t, h->klass, -1);
}

static bool allocate_all(Thread *t, Objects *o) {
    const u1 *at = o->at;
    const u8 *values = o->values;
    memset(o->made, 0, o->n * sizeof *o->made);
    for (u4 i = 0; i < o->n; i++) {
        ObjectHead h = read_object(&at);
        if (!(o->made[i] = allocate(t, &h, values))) return false;
        values += h.n_fields;
        for (; h.n_fields; h.n_fields--) read_field(&at);
    }
    return true;
}

static void fill(Object *o, const ObjectField *f, u8 value) {
    switch (f->kind) {
    case KIND_REF: ref_store(o, f->offset, (Object *)(uintptr_t)value); return;
    case MEM_U8: OBJ_FIELD(u1, o, f->offset) = (u1)value; return;
    case MEM_U16: OBJ_FIELD(u2, o, f->offset) = (u2)value; return;
    case MEM_64: OBJ_FIELD(u8, o, f->offset) = value; return;
    default: OBJ_FIELD(u4, o, f->offset) = (u4)value; return;
    }
}

static void fill_all(const Objects *o) {
    const u1 *at = o->at;
    u4 n = 0;
    for (u4 i = 0; i < o->n; i++)
        for (u4 left = read_object(&at).n_fields; left; left--) {
            ObjectField f = read_field(&at);
            u8 value = o->values[n++];
            fill(o->made[i], &f, f.from == FROM_OBJECT ? (u8)(uintptr_t)o->made[f.what] : value);
        }
}

static void name_all(const Leaving *l, const Objects *o) {
    const u1 *at = l->cells;
    for (u8 head; (head = leb_get(&at));) {
        u8 v = leb_get(&at);
        if ((head & 7) == FROM_OBJECT) place_of(l->blob, l->root, (u4)(head >> SOURCE_BITS) - 1)->ref = o->made[v >> 1];
    }
    for (Frame *f = l->f; f->flags & FRAME_INLINED; f = f->prev)
        if (f->flags & FRAME_RELOCK && !f->sync_object)
            f->sync_object = local_of(f, 0)->ref; /* whose monitor it is about to take */
}

/* False: there is no memory, nothing has changed.  [gc] */
static bool make_objects(Thread *t, const Leaving *l, Objects *o) {
    if (!o->n) return true;
    Object *pending = t->exception;
    t->exception = NULL;
    t->frame = l->f;
    bool all = allocate_all(t, o);
    if (all) {
        fill_all(o);
        name_all(l, o);
    }
    explicit_bzero(o->values, sizeof o->values);
    explicit_bzero(o->made, sizeof o->made);
    t->exception = pending;
    return all;
}

/* Code that is left in front of a call mostly did not expect the receiver. */
static void learn_receiver(const Leaving *l) {
    const u1 *code = l->f->method->qcode + frame_bci(l->f);
    u4 op = __atomic_load_n(code, __ATOMIC_ACQUIRE), depth = l->f->position >> FRAME_DEPTH_SHIFT;
    u4 n_args = op == Q_INVOKEVIRTUAL_Q ? code[1] : op == Q_INVOKEINTERFACE_Q ? code[3] : 0;
    const Object *receiver = n_args && n_args <= depth ? frame_sp(l->f)[-(int32_t)n_args].ref : NULL;
    if (receiver) jit_learn_receiver(l->f->method, frame_bci(l->f), obj_class(receiver));
}

/* What is left that often, in a short time, was made for another program than runs; but code that throws is as it should be. */
static void count_exit(const Leaving *l) {
    enum { MOST_EXITS = 64, SECONDS = 4 };
    CodeBlob *b = l->blob;
    u4 kind = l->info & 15;
    if (kind == EXIT_UNQUICK) jit_needs_more(b);
    if (kind == EXIT_ATHROW || kind == EXIT_RETHROW || !b->optimised || b->retired) return;
    if (kind == EXIT_REDO) learn_receiver(l);
    if (kind >= EXIT_THROW && (jit_throws_are_watched() || atomic_load_explicit(&vm_locals_are_read, memory_order_relaxed)))
        return;
    if (++b->left < MOST_EXITS) return;
    int64_t now = os_nanos();
    bool often = now - b->left_since < SECONDS * 1000000000ll;
    b->left = 0;
    b->left_since = now;
    if (often) jit_mistaken(b, l->f->method, frame_bci(l->f));
}

StubResult jit_exit_by_record(Thread *t, ExitRegisters *r) {
    Objects o;
    o.n = 0;
    Leaving l = write_state(t, r, blob_of(r), &o);
    explicit_bzero(r, sizeof *r);
    count_exit(&l);
    if (!make_objects(t, &l, &o)) l.info = exit_info(EXIT_LOST, 0, 0, 0);
    return (StubResult){(u8)(uintptr_t)l.f, (const void *)(uintptr_t)l.info};
}

/* --- helpers --- */

static u8 read_arg(Frame *root, const u1 **at) {
    u8 kind = leb_get(at), value = leb_get(at);
    return kind == ARG_CELL ? frame_stack_base(root)[value].raw : value;
}

static bool is_left(const Frame *f) {
    if (vm_options.deopt_interval && (int32_t)jit_stress_left <= 0) return true;
    for (; !(f->flags & FRAME_LEAVE_CODE); f = f->prev)
        if (!(f->flags & FRAME_INLINED)) return false;
    return true;
}

/* From memory, as code does it behind every call: those that were popped are never used. */
static void load_cells(Frame *root, ExitRegisters *r, const u1 *at) {
    for (u8 head; (head = leb_get(&at));) {
        u8 from = head & 7, reg = leb_get(&at) >> 1, cell = frame_stack_base(root)[(head >> SOURCE_BITS) - 1].raw;
        if (from == FROM_REG) r->general[reg] = cell;
        else if (from == FROM_FREG) r->fp[reg] = cell;
    }
}

static void load_pins(const CodeBlob *b, Frame *root, ExitRegisters *r, u4 valid) {
    for (; valid; valid &= valid - 1) {
        const CodePin *p = &b->pins[__builtin_ctz(valid)];
        u8 v = local_of(root, p->local)->raw;
        *(p->fp ? &r->fp[p->reg] : &r->general[p->reg]) = p->is_int ? (u4)v : v;
    }
}

static StubResult leave_with(const Leaving *l, ExitRegisters *r, u8 value) {
    explicit_bzero(r, sizeof *r);
    r->general[EXIT_RESULT] = value;
    return (StubResult){(u8)(uintptr_t)l->f, (const void *)(uintptr_t)l->info};
}

typedef struct Help {
    u8 (*fn)(Thread *, Frame *, u8, u8);
    u8 x, y, result, valid;
    const u1 *end;
} Help;

static Help read_help(const Leaving *l) {
    const u1 *at = l->end;
    Help h = {.fn = (u8(*)(Thread *, Frame *, u8, u8))(uintptr_t)leb_get(&at)};
    h.x = read_arg(l->root, &at);
    h.y = read_arg(l->root, &at);
    h.result = leb_get(&at);
    h.valid = leb_get(&at);
    h.end = at;
    return h;
}

/* Moves of references go through the scratch register, too. */
static void clear_dead(ExitRegisters *r, u4 valid) {
    for (u4 i = 0; i < ARRAY_LEN(r->general); i++)
        if (!(valid >> i & 1)) r->general[i] = 0;
    r->fp[ASM_FSCRATCH] = 0;
}

typedef struct Extra {
    const u1 *at; /* in the record */
    u4 bits, first, next, n;
} Extra;

/* The next one that is put back, or n. */
static u4 next_extra(Extra *e) {
    while (!e->bits) {
        if (e->next >= e->n) return e->n;
        e->bits = (u4)leb_get(&e->at);
        e->first = e->next;
        e->next += EXIT_CELLS;
    }
    u4 bit = (u4)__builtin_ctz(e->bits);
    e->bits &= e->bits - 1;
    return e->first + bit;
}

/* How many were copied. */
static u4 copy_extra(const CodeBlob *b, const u1 *at, const Slot *from, Slot *to) {
    Extra e = {.at = at, .n = b->n_extra};
    u4 n = 0;
    for (u4 i; (i = next_extra(&e)) < e.n;) to[n++] = from[i];
    return n;
}

static void put_back_extra(const CodeBlob *b, const u1 *at, const Slot *from, Slot *to) {
    Extra e = {.at = at, .n = b->n_extra};
    u4 n = 0;
    for (u4 i; (i = next_extra(&e)) < e.n;) to[i] = from[n++];
}

/* For optimised code: nothing is loaded again.  Collections scan the C stack: what is not used of `o` is cleared, or old words there would keep
 * objects. */
static NOINLINE StubResult help_optimised(Thread *t, CodeBlob *b, ExitRegisters *r) {
    Objects o = {.n = 0};
    Leaving l = write_state(t, r, b, &o);
    Help h = read_help(&l);
    Slot extra[b->n_extra + 1]; /* above the frame, where no collection looks; making objects may need one */
    u4 n_extra = copy_extra(b, h.end, frame_stack_base(l.root) + b->extra, extra);
    bool made = make_objects(t, &l, &o);
    u8 value;
    clear_dead(r, (u4)h.valid);
    t->frame = l.f;
    value = h.fn(t, l.f, h.x, h.y);
    if (o.n && atomic_load_explicit(&vm_locals_are_read, memory_order_relaxed)) l.f->flags |= FRAME_DEOPT;
    if (is_left(l.f)) {
        if (!made) l.info = exit_info(EXIT_LOST, 0, 0, 0);
        explicit_bzero(extra, n_extra * sizeof *extra);
        return leave_with(&l, r, value);
    }
    put_back_extra(b, h.end, extra, frame_stack_base(l.root) + b->extra);
    explicit_bzero(extra, n_extra * sizeof *extra);
    if (h.result != NO_REG) r->general[h.result] = value;
    return (StubResult){0, NULL};
}

static NOINLINE StubResult help_base(Thread *t, CodeBlob *b, ExitRegisters *r) {
    const u1 *from = r->from;
    Leaving l = write_state(t, r, b, NULL);
    Help h = read_help(&l);
    t->frame = l.f;
    explicit_bzero(r, sizeof *r);
    u8 value = h.fn(t, l.f, h.x, h.y);
    if (is_left(l.f)) return leave_with(&l, r, value);
    load_cells(l.root, r, l.cells);
    load_pins(b, l.root, r, (u4)h.valid);
    if (h.result != NO_REG) r->general[h.result] = value;
    r->from = from;
    return (StubResult){0, NULL};
}

StubResult jit_help_by_record(Thread *t, ExitRegisters *r) {
    CodeBlob *b = blob_of(r);
    return b->optimised ? help_optimised(t, b, r) : help_base(t, b, r);
}
