/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames without a VM: a stack made by hand of every form a frame can have, compiled ones too, and what the view and the walk of
 * signal handlers say about it; frames that are due.
 */
#include "frame/frame.h"
#include "jit/jit_int.h"
#include "os/crash.h"
#include "os/os.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- mocked: what signal handlers ask ---- */

static Class holder;
bool class_region_contains(const void *p) { return p == &holder; }
bool os_safe_copy(void *to, const void *from, size_t n) {
    if ((uintptr_t)from >> 47) return false;
    memcpy(to, from, n);
    return true;
}
void crash_print(const char *format, ...) {}
void vm_fatal(const char *file, int line, const char *fmt, ...) { /* of the debug build */
    fail_msg("%s:%d", file, line);
    abort();
}
bool monitor_enter_slow(Thread *t, Object *o) { return false; }
bool monitor_exit_slow(Thread *t, Object *o) { return false; }

/* ---- the stack ---- */

enum { CODE = 20, LOCALS = 3 };
static u1 qcode[CODE];
static Method bytecode = {.holder = &holder, .qcode = qcode, .code_len = CODE, .max_locals = LOCALS, .arg_slots = 1};
static Method native = {.holder = &holder, .access = ACC_NATIVE, .arg_slots = 2, .max_locals = 2};
static Slot cells[400];
static Thread thread;
static Object locked;
static HandleBlock handles = {.used = 7};
static LockRecord record = {.object = &locked};

/* What a call of the interpreter writes; the other words hold what was there before. */
static Frame *push(Slot *args, const u1 *pc) {
    Frame *f = (Frame *)(args + LOCALS);
    f->prev = thread.frame;
    f->method = &bytecode;
    f->pc = pc;
    f->locals = args;
    f->flags = 0;
    f->advance = 3;
    return thread.frame = f;
}

static void clear(void) {
    memset(cells, 0xa5, sizeof cells); /* stale words are everywhere */
    memset(&thread, 0, sizeof thread);
    thread.java_stack = (u1 *)cells;
    thread.java_stack_end = (u1 *)(cells + 400);
}

static void test_interpreted(void **state) {
    clear();
    Frame *f = push(cells, qcode + 5);
    f->flags |= FRAME_ENTRY;
    f->sp = frame_stack_base(f) + 2;
    frame_stack_base(f)[1].i = 42;
    cells[2].i = 17;
    FrameView v = view_youngest(&thread);
    assert_true(view_exists(v) && view_is_entry(v) && !view_is_opaque(v) && !view_is_native(v));
    assert_ptr_equal(view_method(v), &bytecode);
    assert_int_equal(view_bci(v), 5);
    assert_int_equal(view_depth(v), 2);
    assert_int_equal(view_operand(v, 1).i, 42);
    assert_int_equal(view_local(v, 2).i, 17);
    view_set_local(&thread, v, 2, (Slot){.raw = 18});
    assert_int_equal(cells[2].i, 18);
    assert_ptr_equal(frame_stack_top(&thread), f->sp);
    assert_false(view_exists(view_older(v)));
    assert_int_equal(view_count(&thread), 1);
}

static void test_stale_words(void **state) {
    clear();
    Frame *f = push(cells, qcode);
    FrameView v = view_youngest(&thread);
    assert_null(view_sync_object(v));
    assert_null(view_locks(v));
    f->sync_object = &locked;
    f->locks = &record;
    f->flags |= FRAME_SYNC | FRAME_LOCKS;
    assert_ptr_equal(view_sync_object(v), &locked);
    assert_ptr_equal(view_locks(v)->object, &locked);
    view_notify_pop(&thread, v);
    assert_int_equal(f->flags, FRAME_SYNC | FRAME_LOCKS | FRAME_NOTIFY_POP);
    view_forget_pop(v);
    assert_int_equal(f->flags, FRAME_SYNC | FRAME_LOCKS);
}

/* Three frames of one activation called by one of another: whichever of the three is written to, the youngest is told, and none of the other. */
static void test_activation(void **state) {
    for (u4 which = 0; which < 3; which++) {
        clear();
        Frame *f[4];
        for (u4 i = 0; i < 4; i++) {
            f[i] = push(cells + 40 * i, NULL);
            f[i]->flags = FRAME_COMPILED | (i > 1 ? FRAME_INLINED : 0);
        }
        view_set_local(&thread, view_at(&thread, (int)which), 2, (Slot){.raw = 18});
        assert_int_equal(cells[40 * (3 - which) + 2].i, 18);
        for (u4 i = 0; i < 4; i++) assert_int_equal(!!(f[i]->flags & FRAME_DEOPT), i > 0);
        view_notify_pop(&thread, view_at(&thread, 3));
        assert_int_equal(f[0]->flags, FRAME_COMPILED | FRAME_DEOPT | FRAME_NOTIFY_POP);
    }
}

/* Position instead of pc; sp and qcells are whatever they are. */
static void test_compiled(void **state) {
    static const struct { u4 bci, depth; } places[] = {{0, 0}, {19, 0}, {0, 7}, {65535, 0x7fff}, {12, 3}};
    clear();
    Frame *f = push(cells, NULL);
    f->flags = FRAME_COMPILED;
    FrameView v = view_youngest(&thread);
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        f->position = places[i].bci | places[i].depth << FRAME_DEPTH_SHIFT;
        assert_int_equal(view_bci(v), places[i].bci);
        assert_int_equal(view_depth(v), places[i].depth);
        assert_ptr_equal(frame_stack_top(&thread), frame_stack_base(f) + places[i].depth);
    }
    f->flags |= FRAME_DEOPT; /* not gone yet */
    assert_int_equal(view_bci(v), 12);
    f->pc = qcode + 12; /* the interpreter's now */
    f->sp = frame_stack_base(f) + 3;
    f->flags = FRAME_ENTRY;
    assert_int_equal(view_bci(v), 12);
    assert_int_equal(view_depth(v), 3);
}

static void test_natives(void **state) {
    clear();
    Object *mirror = &locked;
    thread.handles = &handles;
    Frame *outer = push(cells, qcode + 9);
    outer->sp = frame_stack_base(outer) + 2;
    NativeFrame *nf = (NativeFrame *)outer->sp;
    frame_push_native(&thread, nf, &native, frame_stack_base(outer), mirror);
    FrameView v = view_youngest(&thread);
    assert_true(view_is_native(v) && view_is_opaque(v) && !view_is_vm_native(v) && !view_is_entry(v));
    assert_int_equal(view_bci(v), 0);
    assert_int_equal(view_depth(v), 1);
    assert_ptr_equal(view_operand(v, 0).ref, mirror);
    assert_int_equal(native_frame_mark(v.frame).used, 7);
    assert_null(view_sync_object(v));
    assert_null(view_locks(v));
    frame_turn_vm_native(nf);
    assert_true(view_is_vm_native(v) && !view_is_native(v));
    Frame *light = (Frame *)(frame_stack_top(&thread) + 2);
    frame_push_vm_native(&thread, light, &native, frame_stack_top(&thread), 1);
    assert_int_equal(view_count(&thread), 3);
    assert_int_equal(view_depth(view_youngest(&thread)), 1);
    assert_true(view_same(view_at(&thread, 1), v));
    assert_ptr_equal(view_at(&thread, 2).frame, outer);
    assert_false(view_exists(view_at(&thread, 3)));
    frame_pop(&thread, light);
    frame_pop(&thread, &nf->frame);
    assert_ptr_equal(view_youngest(&thread).frame, outer);
}

static void test_probe(void **state) {
    clear();
    Frame *outer = push(cells, NULL);
    outer->flags = FRAME_COMPILED;
    outer->position = 8 | 1 << FRAME_DEPTH_SHIFT;
    Frame *inner = push(frame_stack_base(outer), (const u1 *)0xa5a5a5a5a5a5a5a5); /* just pushed: pc not written yet */
    FrameProbe p = probe_begin(&thread);
    assert_true(probe_next(&p));
    assert_int_equal(p.bci, 0);
    assert_true(probe_next(&p));
    assert_int_equal(p.bci, 8);
    assert_null(p.next);
    inner->prev = (Frame *)0xa5a5a5a5a5a5a5a0;
    p = probe_begin(&thread);
    assert_false(probe_next(&p));
    assert_non_null(p.next);
}

/* Code of `bytecode` with a body in a body, which calls: nothing of the bodies' frames is written but that word. */
static CodeScope scopes[] = {{.method = &bytecode, .bci = 7, .locals = 1, .depth = 3},
                             {.method = &native, .outer = 1, .bci = 9, .locals = 30, .depth = 1}};
static CodeBlob code = {.method = &bytecode, .scopes = scopes, .n_scopes = 2};

typedef struct Due {
    Frame *root, *body, *inner, *callee;
} Due;

static Due call_of_body(void) {
    clear();
    if (!code.due) code.due = due_take();
    due_set_owner(&code);
    Due d = {.root = push(cells, NULL)};
    d.root->flags = FRAME_COMPILED;
    d.body = (Frame *)(frame_stack_base(d.root) + 1 + LOCALS);
    d.inner = (Frame *)(frame_stack_base(d.root) + 30 + 2);
    d.inner->position = due_position(code.due, 2, 11, 4);
    thread.frame = d.inner;
    d.callee = push(frame_stack_base(d.inner) + 1, qcode + 5);
    return d;
}

static void test_due(void **state) {
    Due d = call_of_body();
    assert_true(frame_is_due(d.inner));
    FrameView v = view_older(view_youngest(&thread));
    assert_false(frame_is_due(d.inner));
    const struct {
        Frame *f;
        const Method *m;
        u4 bci, depth, flags;
    } want[] = {
        {d.inner, &native, 11, 4, FRAME_COMPILED | FRAME_INLINED},
        {d.body, &bytecode, 9, 1, FRAME_COMPILED | FRAME_INLINED},
        {d.root, &bytecode, 7, 3, FRAME_COMPILED},
    };
    for (size_t i = 0; i < ARRAY_LEN(want); i++, v = view_older(v)) {
        assert_ptr_equal(v.frame, want[i].f);
        assert_ptr_equal(view_method(v), want[i].m);
        assert_int_equal(view_bci(v), want[i].bci);
        assert_int_equal(view_depth(v), want[i].depth);
        assert_int_equal(v.frame->flags, want[i].flags);
    }
    assert_false(view_exists(v));
}

/* The youngest of an activation may be due, and all of it is told. */
static void test_due_leaves(void **state) {
    Due d = call_of_body();
    view_set_local(&thread, view_at(&thread, 3), 2, (Slot){.raw = 18});
    assert_int_equal(d.inner->flags & d.body->flags & d.root->flags & FRAME_DEOPT, FRAME_DEOPT);
    assert_int_equal(d.callee->flags, 0);
}

static u4 probe_all(const Frame *youngest, const Method *runs, u4 *bcis) {
    FrameProbe p = probe_begin(&thread);
    u4 n = 0;
    if (youngest) p.next = youngest;
    p.runs = runs;
    while (p.next && probe_next(&p)) bcis[n++] = p.bci;
    return p.next ? 0 : n;
}

static void test_due_probe(void **state) {
    u4 bcis[8];
    Due d = call_of_body();
    Slot before[ARRAY_LEN(cells)];
    memcpy(before, cells, sizeof before);
    assert_int_equal(probe_all(NULL, NULL, bcis), 4);
    assert_int_equal(bcis[0], 5);
    assert_int_equal(bcis[1], 11);
    assert_int_equal(bcis[2], 9);
    assert_int_equal(bcis[3], 7);
    assert_int_equal(probe_all(d.inner, &bytecode, bcis), 3); /* at the call, before the callee has a frame */
    assert_int_equal(bcis[0], 11);
    assert_memory_equal(before, cells, sizeof before);
    /* The root runs, and has not got a position yet: such a word was there before. */
    d.root->position = due_position(code.due, 2, 3, 0);
    assert_int_equal(probe_all(d.root, &bytecode, bcis), 1);
    /* Nobody's word any more. */
    due_give_back(code.due);
    assert_int_equal(probe_all(NULL, NULL, bcis), 0);
    code.due = 0;
}

static bool is_17(Slot cell, void *arg) { return cell.raw == 17; }
static void test_any_cell(void **state) {
    clear();
    Frame *f = push(cells, qcode);
    f->sp = frame_stack_base(f) + 1;
    FrameView v = view_youngest(&thread);
    frame_stack_base(f)[1].raw = 17; /* above the top */
    assert_false(view_any_cell(v, is_17, NULL));
    frame_stack_base(f)[0].raw = 17;
    assert_true(view_any_cell(v, is_17, NULL));
}

int main(void) {
    /* What every call writes lies together, in one cache line behind the arguments. */
    _Static_assert(offsetof(Frame, advance) == 36, "five hot words");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interpreted), cmocka_unit_test(test_stale_words), cmocka_unit_test(test_activation),
        cmocka_unit_test(test_compiled),    cmocka_unit_test(test_natives),     cmocka_unit_test(test_probe),
        cmocka_unit_test(test_any_cell),    cmocka_unit_test(test_due),         cmocka_unit_test(test_due_leaves),
        cmocka_unit_test(test_due_probe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
