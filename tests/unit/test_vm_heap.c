/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heap, references, handles, monitors, safepoints without the rest of the VM: classes are made by
 * hand, what higher layers provide (upcall.h, class walks) is mocked below.
 */
#include "core/hooks.h"
#include "core/options.h"
#include "heap/alloc.h"
#include "heap/handle.h"
#include "heap/heap.h"
#include "heap/heap_upcall.h"
#include "os/os.h"
#include "thread/identity.h"
#include "thread/monitor.h"
#include "thread/thread.h"
#include "thread/thread_upcall.h"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

/* ---- mocked higher layers ---- */

u4 mirror_class_offset;
static int n_oom, n_not_owner, n_interrupted;
static Object oom_object, other_exception;
static Class *all_classes[16];
static int n_classes;
static int64_t soft_clock;

/* A test Reference: referent +8, next +12, discovered +16, queue +20, timestamp +24. */
enum { REF_REFERENT = 8, REF_NEXT = 12, REF_DISCOVERED = 16, REF_TIMESTAMP = 24 };
/* A test Thread: interrupted +8, status +12, eetop +16. */

bool upcall_ref_layout(RefLayout *out) {
    *out = (RefLayout){REF_REFERENT, REF_NEXT, REF_DISCOVERED, REF_TIMESTAMP, &soft_clock};
    return true;
}
void upcall_throw_oom(Thread *t, const char *msg) {
    n_oom++;
    t->exception = &oom_object;
}
void upcall_code_words(void (*visit)(u8, void *), void *arg) {}
void upcall_java_stack(Thread *t, void (*visit_word)(u8, void *), void *arg) {}
void upcall_java_stack_raw(Thread *t, void (*visit_word)(u8, void *), void *arg) {}
bool upcall_interrupted(Object *o, bool clear) {
    if (!o) return false;
    bool on = OBJ_FIELD(u1, o, 8) != 0;
    if (on && clear) OBJ_FIELD(u1, o, 8) = 0;
    return on;
}
int upcall_thread_status(Object *o, int status) { return 0; }
void upcall_set_eetop(Object *o, Thread *t) { OBJ_FIELD(Thread *, o, 16) = t; }
Thread *upcall_eetop(Object *o) { return OBJ_FIELD(Thread *, o, 16); }
int32_t upcall_archived_hash(const Object *o) { return 0; }
void upcall_throw_not_owner(Thread *t) {
    n_not_owner++;
    t->exception = &other_exception;
}
void upcall_throw_interrupted(Thread *t) {
    n_interrupted++;
    t->exception = &other_exception;
}
void upcall_throw_memory_fault(Thread *t) { abort(); }
void upcall_throw_negative_timeout(Thread *t) { t->exception = &other_exception; }
void class_visit_roots(Class *c, RootVisitor v, void *arg) {
    if (c->mirror) v(&c->mirror, arg);
}
void loader_visit_owned(Object *loader, RootVisitor v, void *arg) {}
void loader_visit_root_classes(bool young, void (*fn)(Class *, void *), void *arg) {
    for (int i = 0; i < n_classes; i++) fn(all_classes[i], arg);
}

/* ---- classes ---- */

static u2 node_refs[] = {8, 12};
static u2 ref_refs[] = {REF_NEXT};
static Class *node, *bytes_class, *nodes_class, *soft, *weak, *final, *phantom, *thread_class;
static Thread *self;

static Class *new_class(const char *name, u4 size, u2 *refs, u2 n_refs) {
    Class *c = class_region_alloc();
    c->name = symbol_of(name);
    c->instance_size = size;
    c->ref_offsets = refs;
    c->n_ref_offsets = n_refs;
    all_classes[n_classes++] = c;
    return c;
}

static Class *new_array_class(const char *name, u1 elem, u1 shift) {
    Class *c = new_class(name, 0, NULL, 0);
    c->flags = CF_ARRAY;
    c->elem_type = elem;
    c->elem_shift = shift;
    return c;
}

static Class *new_ref_class(const char *name, RefKind kind) {
    Class *c = new_class(name, 32, ref_refs, 1);
    c->flags = CF_REFERENCE;
    c->ref_kind = (u1)kind;
    return c;
}

/* ---- memory faults ---- */

/* A function that loads through its argument, and behind it one that returns 42. */
#if defined(__x86_64__)
static const u1 code[] = {0x8b, 0x07, 0xc3, 0xb8, 42, 0, 0, 0, 0xc3}; /* mov eax, [rdi]; ret; mov eax, 42; ret */
enum { RECOVERY = 3 };
#elif defined(__aarch64__)
static const u4 code[] = {0xb9400000, 0xd65f03c0, 0x52800540, 0xd65f03c0}; /* ldr w0, [x0]; ret; mov w0, #42; ret */
enum { RECOVERY = 8 };
#endif
static u1 *code_page;
static const void *volatile asked_about;
static sigjmp_buf out;

static const void *null_check(const void *pc, const void *address, void *context) {
    asked_about = address;
    return pc == code_page && (uintptr_t)address < 4096 ? code_page + RECOVERY : NULL;
}
static void on_real_fault(int sig) { siglongjmp(out, 1); }
static struct sigaction vm_handler; /* cmocka puts its own in front of each test */

static void faults_setup(void) {
    struct sigaction sa = {.sa_handler = on_real_fault};
    sigaction(SIGSEGV, &sa, NULL); /* that of an embedding program */
    os_faults_init();
    sigaction(SIGSEGV, NULL, &vm_handler);
}

static int setup(void **state) {
    faults_setup();
    symbol_init();
    class_region_init();
    heap_verify_gc = true;
    heap_init(0, (size_t)64 << 20);
    thread_equip = NULL;
    thread_init_subsystem();
    self = thread_attach_current("main", false);
    handle_thread_init(self);
    node = new_class("Node", 24, node_refs, 2); /* left +8, right +12, value +16 */
    bytes_class = new_array_class("[B", T_BYTE, 0);
    nodes_class = new_array_class("[Node", T_OBJECT, 2);
    soft = new_ref_class("Soft", REF_SOFT);
    weak = new_ref_class("Weak", REF_WEAK);
    final = new_ref_class("Final", REF_FINAL);
    phantom = new_ref_class("Phantom", REF_PHANTOM);
    thread_class = new_class("Thread", 24, NULL, 0);
    return 0;
}

static Object *tree(int depth) {
    Object *n = heap_alloc_object(self, node);
    OBJ_FIELD(int64_t, n, 16) = depth;
    if (depth > 0) {
        ref_store(n, 8, tree(depth - 1));
        ref_store(n, 12, tree(depth - 1));
    }
    return n;
}

static int tree_size(Object *n) { return n ? 1 + tree_size(ref_load(n, 8)) + tree_size(ref_load(n, 12)) : 0; }

/* Overwrite what earlier calls left on the C stack, so that dead objects really die. */
static NOINLINE void scrub_stack(void) {
    volatile char a[16384];
    memset((void *)a, 0, sizeof a);
}

static NOINLINE void collect(void) {
    scrub_stack();
    heap_gc(self, "test");
}

static void count_one(Object *o, int *n, Class *c) {
    if (obj_class(o) == c) ++*n;
}
static Class *counted;
static bool count_object(Object *o, void *arg) {
    count_one(o, arg, counted);
    return true;
}
static void count_op(void *arg) { heap_walk(count_object, arg); }
static int count_instances(Class *c) {
    int n = 0;
    counted = c;
    safepoint_run("count", count_op, &n);
    return n;
}

/* ---- heap ---- */

static void test_alloc_is_zeroed(void **state) {
    for (int i = 0; i < 20000; i++) {
        Object *a = heap_alloc_array(self, bytes_class, i % 3000);
        assert_non_null(a);
        u1 *p = ARRAY_ELEMS(u1, a);
        for (int k = 0; k < i % 3000; k++)
            if (p[k]) fail_msg("byte %d of array %d is %d", k, i, p[k]);
        memset(p, 0xff, (size_t)(i % 3000));
        assert_int_equal(array_len(a), i % 3000);
    }
}

static NOINLINE jobject make_tree_handle(void) { return handle_global(tree(14)); }

static void test_tree_survives(void **state) {
    jobject h = make_tree_handle();
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 2000; i++) tree(6);
        collect();
        assert_int_equal(tree_size(handle_get(h)), (1 << 15) - 1);
    }
    handle_delete_global(h);
    collect();
    assert_true(count_instances(node) < 1000);
}

static void test_conservative_root(void **state) {
    Object *volatile kept = tree(5);
    uintptr_t volatile interior = (uintptr_t)heap_alloc_array(self, bytes_class, 5000) + 3000;
    Object *volatile large = heap_alloc_array(self, bytes_class, 300000);
    uintptr_t volatile inside_large = (uintptr_t)large + 200000;
    large = NULL;
    collect();
    assert_int_equal(tree_size(kept), 63);
    assert_non_null(heap_object_at((void *)(interior - 3000)));
    assert_non_null(heap_object_at((void *)(inside_large - 200000)));
    assert_int_equal(array_len((Object *)(inside_large - 200000)), 300000);
}

static NOINLINE jobject fill_large(void) {
    Object *all = heap_alloc_array(self, nodes_class, 100);
    for (int i = 0; i < 100; i++) array_set_ref(all, i, heap_alloc_array(self, bytes_class, 20000 + i * 3000));
    return handle_global(all);
}

static void test_large_objects(void **state) {
    jobject h = fill_large();
    for (int i = 0; i < 400; i++) heap_alloc_array(self, bytes_class, 500000);
    collect();
    for (int i = 0; i < 100; i++) assert_int_equal(array_len(array_ref(handle_get(h), i)), 20000 + i * 3000);
    handle_delete_global(h);
    collect();
    assert_true(heap_used() < 4 << 20);
}

/* Objects above the size limit for windows still get there by the fast path. */
static void test_big_in_window(void **state) {
    collect();
    Object *volatile kept[200];
    for (int i = 0; i < 200; i++) {
        heap_alloc_array(self, bytes_class, 10);
        kept[i] = heap_alloc_array(self, bytes_class, 15000 + i * 80);
    }
    collect();
    for (int i = 0; i < 20000; i++) memset(ARRAY_ELEMS(u1, heap_alloc_array(self, bytes_class, 700)), 0xff, 700);
    for (int i = 0; i < 200; i++)
        for (int k = 0; k < 15000 + i * 80; k++) assert_int_equal(ARRAY_ELEMS(u1, kept[i])[k], 0);
}

static void test_oom(void **state) {
    n_oom = 0;
    assert_null(heap_alloc_array(self, bytes_class, 100 << 20));
    assert_int_equal(n_oom, 1);
    self->exception = NULL;
    assert_null(heap_alloc_array(self, bytes_class, INT32_MAX));
    assert_int_equal(n_oom, 2);
    self->exception = NULL;
    Object *volatile list = NULL;
    int n = 0;
    for (;; n++) {
        Object *a = heap_alloc_array(self, nodes_class, 1000);
        if (!a) break;
        array_set_ref(a, 0, list);
        list = a;
    }
    assert_int_equal(n_oom, 3);
    assert_true(n > 14000);
    self->exception = NULL;
    list = NULL;
    collect();
    assert_non_null(heap_alloc_array(self, bytes_class, 1 << 20));
}

static void test_stress_mode(void **state) {
    heap_stress_interval = 1;
    self->tlab = (Tlab){0};
    Object *volatile t = tree(5);
    heap_stress_interval = 0;
    assert_int_equal(tree_size(t), 63);
}

static void test_mirror_size(void **state) {
    static Class *class_class;
    if (!class_class) class_class = new_class("Class", 96, NULL, 0);
    Object *volatile m = heap_alloc_mirror(self, class_class, 400);
    assert_int_equal(heap_object_size(m), 400);
    uintptr_t volatile tail = (uintptr_t)m + 399;
    m = NULL;
    collect();
    assert_non_null(heap_object_at((void *)(tail - 399)));
    heap_alloc_mirror(self, class_class, 100000); /* large */
    collect();
}

static bool known(const void *p) { return p && heap_object_at(p) == p; }

/* Starts of young objects are found by walks that stop early, go on, and begin anew in the next window. */
static void test_starts(void **state) {
    Object *volatile kept[600];
    Object *volatile big = NULL;
    Class *class_class = new_class("Class", 96, NULL, 0); /* no other object of it may be there: they would be mirrors */
    collect();
    for (int i = 0; i < 600; i++) {
        kept[i] = heap_alloc_array(self, bytes_class, i * 37 % 200);
        if (i == 300) big = heap_alloc_mirror(self, class_class, 240);
        if (i % 100 == 99) heap_starve(self, 0); /* closes the window */
        if (i % 7) continue;
        u1 *some = (u1 *)kept[i * 31 % (i + 1)];
        assert_true(known(some));
        assert_false(known(some + 8));
        assert_false(known(self->tlab.top));
    }
    for (int i = 599; i >= 0; i--) assert_true(known(kept[i]));
    assert_true(known(big) && !known((u1 *)big - 8));
    counted = bytes_class;
    int n = 0;
    heap_walk(count_object, &n);
    assert_int_equal(n, count_instances(bytes_class));
    heap_alloc_array(self, bytes_class, 1);
    assert_int_equal(n + 1, count_instances(bytes_class));
    collect();
    for (int i = 0; i < 600; i++) assert_int_equal(array_len(kept[i]), i * 37 % 200);
}

/* Old objects between the windows. */
static void test_starts_in_holes(void **state) {
    enum { N = 3000 };
    jobject h = handle_global(heap_alloc_array(self, nodes_class, N));
    for (int i = 0; i < N; i++) array_set_ref(handle_get(h), i, heap_alloc_array(self, bytes_class, 100 + i % 50));
    for (int i = 0; i < N; i++)
        if (i / 20 % 2) array_set_ref(handle_get(h), i, NULL);
    collect();
    for (int i = 0; i < N; i++)
        if (i / 20 % 2) {
            Object *o = heap_alloc_array(self, bytes_class, i % 90);
            array_set_ref(handle_get(h), i, o);
            if (i % 5 == 0) assert_true(known(o));
        }
    for (int i = 0; i < N; i++) assert_true(known(array_ref(handle_get(h), i)));
    collect();
    for (int i = 0; i < N; i++) assert_int_equal(array_len(array_ref(handle_get(h), i)), i / 20 % 2 ? i % 90 : 100 + i % 50);
    handle_delete_global(h);
}

static bool on_dirty_card(const Object *o) { return heap_card_bias[(uintptr_t)o >> CARD_SHIFT] != 0; }

/* What the stores into new objects dirty has no old objects beside it: a young collection would trace them again. */
static void test_cards_of_new_objects(void **state) {
    enum { N = 6000, RUN = 20 };
    jobject h = handle_global(heap_alloc_array(self, nodes_class, N));
    for (int i = 0; i < N; i++) array_set_ref(handle_get(h), i, heap_alloc_object(self, node));
    for (int i = 0; i < N; i++)
        if (i / RUN % 2) array_set_ref(handle_get(h), i, NULL);
    collect();
    for (int i = 0; i < N / 2; i++) {
        Object *o = heap_alloc_object(self, node);
        ref_store(o, 8, o);
        assert_true(on_dirty_card(o));
    }
    for (int i = 0; i < N; i++) assert_true(i / RUN % 2 || !on_dirty_card(array_ref(handle_get(h), i)));
    handle_delete_global(h);
}

/* Objects of one size begin at all distances from what the first cache repeats itself after, as they do where they lie one behind the other. */
static void test_places_in_the_cache(void **state) {
    enum { N = 340, LINE = 64, SETS = 64 };
    static const int lengths[] = {680, 2048, 4096, 5000}; /* references; the last ones are large objects */
    jobject h = handle_global(heap_alloc_array(self, nodes_class, N));
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        u4 in[SETS] = {0}, used = 0, most = 0;
        for (int i = 0; i < N; i++) array_set_ref(handle_get(h), i, heap_alloc_array(self, nodes_class, lengths[k]));
        for (int i = 0; i < N; i++) in[(uintptr_t)array_ref(handle_get(h), i) / LINE % SETS]++;
        for (int i = 0; i < SETS; i++) {
            used += in[i] != 0;
            most = in[i] > most ? in[i] : most;
        }
        assert_true(used >= SETS / 4 && most <= 3 * N / (SETS / 4));
        collect();
    }
    handle_delete_global(h);
}

/* ---- references ---- */

static Object *new_ref(Class *c, Object *referent) {
    Object *r = heap_alloc_object(self, c);
    ref_store(r, REF_REFERENT, referent);
    OBJ_FIELD(int64_t, r, REF_TIMESTAMP) = soft_clock; /* as the constructor of SoftReference does */
    return r;
}

static NOINLINE jobject make_refs(jobject strong) {
    Object *all = heap_alloc_array(self, nodes_class, 6);
    Class *kinds[] = {soft, weak, final, phantom};
    for (int i = 0; i < 4; i++) array_set_ref(all, i, new_ref(kinds[i], heap_alloc_object(self, node)));
    array_set_ref(all, 4, new_ref(weak, handle_get(strong)));
    /* weak and final to one object: the weak one is cleared, the object stays for finalisation */
    Object *both = heap_alloc_object(self, node);
    array_set_ref(all, 5, new_ref(weak, both));
    ref_store(ref_load(all, ARRAY_BASE + 8), REF_REFERENT, both);
    return handle_global(all);
}

/* Not inlined: gcc would warn about the branch where the handle is null. */
static NOINLINE Object *element(jobject array, int i) {
    Object *a = handle_get(array);
    if (!a) abort();
    return array_ref(a, i);
}

static NOINLINE Object *referent(jobject all, int i) { return ref_load(element(all, i), REF_REFERENT); }

static NOINLINE jobject make_node(void) { return handle_global(heap_alloc_object(self, node)); }

static void test_references(void **state) {
    collect();
    refs_take_pending();
    jobject strong = make_node();
    jobject all = make_refs(strong);
    collect();
    assert_non_null(referent(all, 0)); /* soft: plenty of room */
    assert_null(referent(all, 1));
    assert_non_null(referent(all, 2)); /* final: kept */
    assert_ptr_equal(ref_load(element(all, 2), REF_NEXT), element(all, 2));
    assert_null(referent(all, 3));
    assert_non_null(referent(all, 4));
    assert_null(referent(all, 5));
    assert_true(refs_has_pending());
    int n = 0;
    for (Object *r = refs_take_pending(); r; r = ref_load(r, REF_DISCOVERED)) n++;
    assert_int_equal(n, 4);
    handle_delete_global(strong);
    soft_clock += 1000000000; /* soft reference not used for a long time */
    collect();
    assert_null(referent(all, 0));
    assert_null(referent(all, 4));
    refs_take_pending();
    handle_delete_global(all);
}

/* ---- handles ---- */

static NOINLINE jobject make_weak(void) { return handle_weak(heap_alloc_object(self, node)); }

static void test_handles(void **state) {
    Object *o = heap_alloc_object(self, node);
    HandleMark m = handle_mark(self);
    jobject h[200];
    for (int i = 0; i < 200; i++) h[i] = handle_local(self, o);
    for (int i = 0; i < 200; i++) assert_ptr_equal(handle_get(h[i]), o);
    for (int i = 50; i < 150; i++) handle_delete_local(self, h[i]);
    assert_int_equal(handle_kind(self, h[60]), JNIInvalidRefType);
    assert_int_equal(handle_kind(self, h[10]), JNILocalRefType);
    for (int i = 0; i < 300; i++) assert_ptr_equal(handle_get(handle_local(self, o)), o);
    handle_push_frame(self);
    jobject inner = handle_local(self, o);
    jobject out = handle_pop_frame(self, inner);
    assert_ptr_equal(handle_get(out), o);
    handle_reset(self, m);
    assert_int_equal(handle_mark(self).used, m.used);
    jobject w = make_weak(), g = handle_global(o);
    assert_int_equal(handle_kind(self, w), JNIWeakGlobalRefType);
    assert_int_equal(handle_kind(self, g), JNIGlobalRefType);
    collect();
    assert_null(handle_get(w));
    handle_delete_weak(w);
    handle_delete_global(g);
    assert_int_equal(handle_kind(self, g), JNIInvalidRefType);
}

static int blocks_of(const Thread *t) {
    int n = 0;
    for (const HandleBlock *b = t->handles; b; b = b->prev) n++;
    return n;
}

/* One is made, the oldest is deleted: what lives stays within the blocks that as many need. */
static void test_handle_window(void **state) {
    enum { WINDOW = 200, ROUNDS = 20000, NEEDED = (WINDOW + HANDLE_CELLS - 1) / HANDLE_CELLS };
    HandleMark m = handle_mark(self);
    Object *o = heap_alloc_object(self, node);
    jobject window[WINDOW];
    int before = blocks_of(self);
    for (int i = 0; i < WINDOW; i++) window[i] = handle_local(self, o);
    for (int i = 0; i < ROUNDS; i++) {
        handle_delete_local(self, window[i % WINDOW]);
        window[i % WINDOW] = handle_local(self, o);
    }
    assert_in_range(blocks_of(self), before, before + NEEDED);
    handle_reset(self, m);
    assert_int_equal(blocks_of(self), before);
}

/* ---- monitors and safepoints ---- */

enum { STORM_THREADS = 8, STORM_ROUNDS = 20000 };
static Object *volatile shared;
static int counter;
static _Atomic int running;

static void storm(Thread *t, void *arg) {
    handle_thread_init(t);
    for (int i = 0; i < STORM_ROUNDS; i++) {
        monitor_enter(t, shared);
        if (i % 7 == 0) monitor_enter(t, shared);
        counter++;
        if (i % 7 == 0) monitor_exit(t, shared);
        monitor_exit(t, shared);
        if (i % 50 == 0) heap_new_array(t, bytes_class, 2000);
        thread_poll(t);
    }
    threads_lock(); /* as thread_unequip is called: the count of all ended threads is kept */
    handle_thread_free(t);
    threads_unlock();
    atomic_fetch_sub(&running, 1);
}

static void wait_for_threads(void) {
    while (atomic_load(&running)) {
        THREAD_BLOCKING(self) os_futex_wait((_Atomic u4 *)&running, 0, os_nanos() + 1000000);
        THREAD_BLOCKING(self) {
            struct timespec ts = {0, 1000000};
            nanosleep(&ts, NULL);
        }
    }
}

static void test_monitor_storm(void **state) {
    shared = heap_alloc_object(self, node);
    jobject keep = handle_global(shared);
    counter = 0;
    int32_t hash = object_hash(self, shared);
    atomic_store(&running, STORM_THREADS);
    for (int i = 0; i < STORM_THREADS; i++) assert_true(thread_start(NULL, storm, NULL, 0, "storm", true, NULL));
    for (int i = 0; i < 20 && atomic_load(&running); i++) {
        heap_gc(self, "storm");
        THREAD_BLOCKING(self) {
            struct timespec ts = {0, 2000000};
            nanosleep(&ts, NULL);
        }
    }
    wait_for_threads();
    assert_int_equal(counter, STORM_THREADS * STORM_ROUNDS);
    assert_int_equal(object_hash(self, shared), hash);
    collect();
    assert_int_equal(atomic_load(&shared->lock), LOCK_HASH_MASK); /* deflated, hash bit kept */
    handle_delete_global(keep);
}

static int turn, handed;
static void ping(Thread *t, void *arg) {
    int me = (int)(intptr_t)arg;
    monitor_enter(t, shared);
    for (int i = 0; i < 2000; i++) {
        while (turn != me) monitor_wait(t, shared, 0);
        turn = !me;
        handed++;
        monitor_notify(t, shared, i & 1);
    }
    monitor_exit(t, shared);
    atomic_fetch_sub(&running, 1);
}

static void test_wait_notify(void **state) {
    shared = heap_alloc_object(self, node);
    jobject keep = handle_global(shared);
    turn = handed = 0;
    atomic_store(&running, 2);
    for (intptr_t i = 0; i < 2; i++) thread_start(NULL, ping, (void *)i, 0, "ping", true, NULL);
    wait_for_threads();
    assert_int_equal(handed, 4000);
    /* time-out, ownership */
    monitor_enter(self, shared);
    monitor_enter(self, shared);
    int64_t start = os_millis();
    assert_true(monitor_wait(self, shared, 30));
    assert_true(os_millis() - start >= 29);
    assert_true(monitor_exit(self, shared));
    assert_true(monitor_held_by(self, shared));
    assert_true(monitor_exit(self, shared));
    n_not_owner = 0;
    assert_false(monitor_wait(self, shared, 1));
    assert_false(monitor_notify(self, shared, false));
    assert_false(monitor_exit(self, shared));
    assert_int_equal(n_not_owner, 3);
    self->exception = NULL;
    handle_delete_global(keep);
}

static _Atomic int stage;
static void sleeper(Thread *t, void *arg) {
    monitor_enter(t, shared);
    atomic_store(&stage, 1);
    monitor_wait(t, shared, 0);
    monitor_exit(t, shared);
    atomic_store(&stage, 2);
    t->exception = NULL;
    atomic_store(&stage, thread_sleep_millis(t, 100000) ? -1 : 3);
    atomic_fetch_sub(&running, 1);
}

static void await_stage(int s) {
    for (int i = 0; i < 5000 && atomic_load(&stage) != s; i++) {
        THREAD_BLOCKING(self) {
            struct timespec ts = {0, 1000000};
            nanosleep(&ts, NULL);
        }
    }
    assert_int_equal(atomic_load(&stage), s);
}

/* As the VM does it: who holds the lock keeps the thread, which may wake by itself and end. */
static void interrupt(Object *java_thread) {
    OBJ_FIELD(u1, java_thread, 8) = 1;
    threads_lock();
    thread_interrupt_wakeup(thread_of_java(java_thread));
    threads_unlock();
}

static void test_interrupt(void **state) {
    shared = heap_alloc_object(self, node);
    jobject keep = handle_global(shared);
    Object *jt = heap_alloc_object(self, thread_class);
    Thread *t;
    n_interrupted = 0;
    atomic_store(&stage, 0);
    atomic_store(&running, 1);
    assert_true(thread_start(jt, sleeper, NULL, 0, "sleeper", true, &t));
    assert_ptr_equal(thread_of_java(jt), t);
    await_stage(1);
    interrupt(jt);
    await_stage(2);
    assert_int_equal(n_interrupted, 1);
    interrupt(jt);
    await_stage(3);
    wait_for_threads();
    handle_delete_global(keep);
}

static _Atomic long ticks;
static _Atomic bool stop_ticking;
static void ticker(Thread *t, void *arg) {
    while (!atomic_load(&stop_ticking)) {
        atomic_fetch_add(&ticks, 1);
        thread_poll(t);
    }
    atomic_fetch_sub(&running, 1);
}

static void test_suspend(void **state) {
    Thread *t;
    atomic_store(&running, 1);
    atomic_store(&stop_ticking, false);
    assert_true(thread_start(NULL, ticker, NULL, 0, "ticker", true, &t));
    while (atomic_load(&ticks) < 1000) cpu_pause();
    for (int i = 0; i < 100; i++) {
        thread_suspend(t);
        long before = atomic_load(&ticks);
        heap_gc(self, "while suspended");
        assert_int_equal(atomic_load(&ticks), before);
        thread_resume(t);
        while (atomic_load(&ticks) == before) cpu_pause();
    }
    atomic_store(&stop_ticking, true);
    wait_for_threads();
}

static void test_park(void **state) {
    thread_unpark(self);
    thread_unpark(self);
    thread_park(self, false, 0); /* takes the permit */
    int64_t start = os_nanos();
    thread_park(self, false, 20000000);
    assert_true(os_nanos() - start >= 19000000);
    thread_park(self, true, os_millis() + 20);
    thread_park(self, true, 1);
}

static void test_raw_monitor(void **state) {
    RawMonitor *m = raw_monitor_create("test");
    assert_true(raw_monitor_valid(m));
    assert_int_equal(raw_monitor_exit(m), -1);
    assert_int_equal(raw_monitor_enter(m), 0);
    assert_int_equal(raw_monitor_enter(m), 0);
    assert_int_equal(raw_monitor_wait(m, 10), 0);
    assert_int_equal(raw_monitor_notify(m, true), 0);
    assert_int_equal(raw_monitor_exit(m), 0);
    assert_int_equal(raw_monitor_exit(m), 0);
    assert_int_equal(raw_monitor_wait(m, 10), -1);
    assert_int_equal(raw_monitor_destroy(m), 0);
}

static void test_symbols(void **state) {
    char name[32];
    Symbol *first = symbol_of("java/lang/Object");
    for (int i = 0; i < 40000; i++) {
        int n = snprintf(name, sizeof name, "sym/%d", i);
        Symbol *s = symbol_intern(name, (size_t)n);
        assert_ptr_equal(s, symbol_lookup(name, (size_t)n));
    }
    assert_ptr_equal(first, symbol_of("java/lang/Object"));
    assert_true(symbol_eq(symbol_package(first), "java/lang"));
    assert_true(symbol_eq(symbol_replace(first, '/', '.'), "java.lang.Object"));
    assert_null(symbol_lookup("never seen", 10));
}

/* ---- words and tables that threads change together ---- */

enum { RACERS = 4, RACED_SYMBOLS = 40000, RACE_ROUNDS = 300000 };
static Symbol *interned[RACERS][RACED_SYMBOLS];
static u1 flag_word;
static _Atomic int lost_bits, lined_up;

static void race(void (*body)(Thread *, void *)) {
    atomic_store(&running, RACERS);
    for (intptr_t i = 0; i < RACERS; i++) assert_true(thread_start(NULL, body, (void *)i, 0, "racer", false, NULL));
    wait_for_threads();
}
/* Each begins somewhere else; what it just made it finds, and what another made it does not make again. */
static void intern_all(Thread *t, void *arg) {
    int me = (int)(intptr_t)arg;
    char text[32];
    thread_to_native(t);
    for (int i = 0; i < RACED_SYMBOLS; i++) {
        int k = (i + me * (RACED_SYMBOLS / RACERS / 16)) % RACED_SYMBOLS;
        size_t len = (size_t)snprintf(text, sizeof text, "raced/%d", k);
        interned[me][k] = symbol_intern(text, len);
        if (symbol_lookup(text, len) != interned[me][k]) interned[me][k] = NULL;
    }
    thread_to_java(t);
    atomic_fetch_sub(&running, 1);
}
static void test_symbols_raced(void **state) {
    race(intern_all);
    for (int k = 0; k < RACED_SYMBOLS; k++) {
        char text[32];
        snprintf(text, sizeof text, "raced/%d", k);
        assert_non_null(interned[0][k]);
        assert_string_equal(interned[0][k]->bytes, text);
        for (int r = 1; r < RACERS; r++) assert_ptr_equal(interned[r][k], interned[0][k]);
    }
}

static void pin_to_processor(int k) {
    cpu_set_t mine, allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed)) return;
    k %= CPU_COUNT(&allowed);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &allowed) && k-- == 0) {
            CPU_ZERO(&mine);
            CPU_SET(cpu, &mine);
            sched_setaffinity(0, sizeof mine, &mine);
        }
}
/* What another's plain store took away shows only once it and ours have left the processors: a load of ours right behind our store is
 * answered from it. */
static bool stays(u1 bit, u1 wanted) {
    atomic_thread_fence(memory_order_seq_cst);
    for (int i = 0; i < 50; i++)
        if ((*(volatile u1 *)&flag_word & bit) != wanted) return false;
    return true;
}
/* Every racer has a bit of its own in one word: nobody else sets or clears it. */
static void toggle_bit(Thread *t, void *arg) {
    u1 bit = (u1)(1 << (intptr_t)arg);
    thread_to_native(t);
    pin_to_processor((int)(intptr_t)arg);
    atomic_fetch_add(&lined_up, 1);
    while (atomic_load(&lined_up) < RACERS) sched_yield();
    for (int i = 0; i < RACE_ROUNDS; i++) {
        FLAGS_SET(flag_word, bit);
        if (!stays(bit, bit)) atomic_fetch_add(&lost_bits, 1);
        FLAGS_CLEAR(flag_word, bit);
        if (!stays(bit, 0)) atomic_fetch_add(&lost_bits, 1);
    }
    thread_to_java(t);
    atomic_fetch_sub(&running, 1);
}
static void test_flags_raced(void **state) {
    race(toggle_bit);
    assert_int_equal(atomic_load(&lost_bits), 0);
    assert_int_equal(flag_word, 0);
}

static void test_memory_fault_hook(void **state) {
    struct sigaction before;
    code_page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(code_page, code, sizeof code);
    assert_int_equal(mprotect(code_page, 4096, PROT_READ | PROT_EXEC), 0);
    __builtin___clear_cache((char *)code_page, (char *)code_page + sizeof code);
    int (*load)(const void *) = (int (*)(const void *))code_page;
    sigaction(SIGSEGV, &vm_handler, &before);
    os_set_memory_fault_hook(null_check);

    int here = 7;
    assert_int_equal(load(&here), 7);
    assert_int_equal(load(NULL), 42);
    assert_int_equal(load((void *)4000), 42);
    assert_ptr_equal(asked_about, (void *)4000);

    bool volatile declined = false; /* not its own: goes on as if there were no hook */
    if (!sigsetjmp(out, 1)) load((void *)8192);
    else declined = asked_about == (void *)8192;
    assert_true(declined);

    asked_about = &here;
    declined = false; /* no page can have this address; the kernel does not tell it */
    if (!sigsetjmp(out, 1)) load((void *)0x8000000000000000);
    else declined = true;
    assert_true(declined);
#if defined(__x86_64__)
    assert_ptr_equal(asked_about, &here);
#endif

    os_set_memory_fault_hook(NULL);
    declined = false;
    if (!sigsetjmp(out, 1)) load(NULL);
    else declined = true;
    assert_true(declined);
    sigaction(SIGSEGV, &before, NULL);
    munmap(code_page, 4096);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symbols),
        cmocka_unit_test(test_symbols_raced),
        cmocka_unit_test(test_flags_raced),
        cmocka_unit_test(test_alloc_is_zeroed),
        cmocka_unit_test(test_tree_survives),
        cmocka_unit_test(test_conservative_root),
        cmocka_unit_test(test_large_objects),
        cmocka_unit_test(test_big_in_window),
        cmocka_unit_test(test_oom),
        cmocka_unit_test(test_stress_mode),
        cmocka_unit_test(test_mirror_size),
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_starts_in_holes),
        cmocka_unit_test(test_cards_of_new_objects),
        cmocka_unit_test(test_places_in_the_cache),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_handles),
        cmocka_unit_test(test_handle_window),
        cmocka_unit_test(test_monitor_storm),
        cmocka_unit_test(test_wait_notify),
        cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_suspend),
        cmocka_unit_test(test_park),
        cmocka_unit_test(test_raw_monitor),
        cmocka_unit_test(test_memory_fault_hook),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
