/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where tracing starts.
 *
 * Exact: JNI handles, class metadata, fields of Thread, held monitors, the pending reference
 * list, whatever registered a provider.  Ambiguous: C stacks and registers, Java stacks; a word
 * that points anywhere into an object keeps that object, and where it is (compact.c).
 * On C stacks the two halves of a word are tried as compressed references too: the compiler may
 * keep a loaded field undecoded across a call.
 */
#include "heap/handle.h"
#include "heap/heap_int.h"
#include "heap/heap_upcall.h"
#include "thread/monitor.h"

enum { MAX_PROVIDERS = 32 };

static struct {
    const char *name;
    void (*provide)(RootVisitor, void *);
} providers[MAX_PROVIDERS];
static int n_providers;

void heap_add_root_provider(const char *name, void (*provider)(RootVisitor, void *)) {
    if (n_providers == MAX_PROVIDERS) FATAL("too many root providers at %s", name);
    providers[n_providers].name = name;
    providers[n_providers++].provide = provider;
}

void heap_visit_provided_roots(RootVisitor v, void *arg) {
    refs_visit_pending(v, arg);
    for (int i = 0; i < n_providers; i++) providers[i].provide(v, arg);
}

/* ---- exact ---- */

static void visit_thread_fields(Thread *t, RootVisitor v, void *arg) {
    Object **fields[] = {&t->java_thread, &t->exception, &t->blocked_on, &t->waiting_on, &t->async_exception, &t->told_exception};
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        if (*fields[i]) v(fields[i], arg);
    for (size_t i = 0; i < ARRAY_LEN(t->roots); i++)
        if (t->roots[i]) v(&t->roots[i], arg);
    monitor_thread_roots(t, v, arg);
}

typedef struct ClassArgs {
    RootVisitor v;
    void *arg;
} ClassArgs;

static void visit_class(Class *c, void *p) {
    ClassArgs *a = p;
    class_visit_roots(c, a->v, a->arg);
}

void roots_visit_exact(RootVisitor v, void *arg) {
    ClassArgs a = {v, arg};
    FOR_EACH_THREAD(t) visit_thread_fields(t, v, arg);
    handle_roots(v, arg);
    loader_visit_root_classes(heap.young, visit_class, &a);
    monitor_roots(v, arg);
    heap_visit_provided_roots(v, arg);
}

/* Roots are not written: what they name stays where it is. */
static inline void mark_root(Object *o) {
    if (UNLIKELY(heap.compact)) compact_pin(o);
    mark_object(o);
}

/* ---- ambiguous ---- */

/* C code may hold a Class whose mirror is named nowhere else yet. */
static void mark_class_word(u8 word) {
    if (!class_region_contains((void *)word)) return;
    Class *c = (Class *)word;
    if (c->mirror) mark_object(c->mirror);
}

static inline void mark_ambiguous(u8 word) {
    if (word >> 32 == 0) mark_class_word(word);
    if ((size_t)(word - (uintptr_t)heap.base) >= heap.n_blocks << BLOCK_SHIFT) return;
    Object *o = find_object((void *)word);
    if (o) mark_root(o);
}

/* Half a word may be a compressed reference that the compiler kept undecoded.  Such a value names the
 * start of an object, never its inside: anything else is chance (the lower half of a code or stack
 * address), and chance hits inside a big array would keep all that it holds. */
static inline void mark_ambiguous_narrow(u4 half) {
    u8 word = (u8)half << 3;
    if ((size_t)(word - (uintptr_t)heap.base) >= heap.n_blocks << BLOCK_SHIFT) return;
    Object *o = find_object((void *)word);
    if ((uintptr_t)o == word) mark_root(o);
}

static void mark_java_word(u8 word, void *arg) { mark_ambiguous(word); }

/* ASan would object to reading other functions' frames. */
__attribute__((no_sanitize("address"))) NO_TSAN static void mark_native_words(const u8 *from, const u8 *to) {
    for (; from < to; from++) {
        mark_ambiguous(*from);
        mark_ambiguous_narrow((u4)*from);
        mark_ambiguous_narrow((u4)(*from >> 32));
    }
}

static void mark_thread_stacks(Thread *t) {
    if (atomic_load(&t->state) == THREAD_NEW) return;
    if (t->saved_sp && t->c_stack_base) {
        const u8 *regs = (const u8 *)t->saved_regs;
        mark_native_words(regs, (const u8 *)(&t->saved_regs + 1));
        mark_native_words((const u8 *)((uintptr_t)t->saved_sp & ~(uintptr_t)7), (const u8 *)t->c_stack_base);
    }
    upcall_java_stack(t, mark_java_word, NULL);
}

static void mark_slot(Object **slot, void *arg) {
    if (*slot) mark_root(*slot);
}

void roots_mark(void) {
    roots_visit_exact(mark_slot, NULL);
    FOR_EACH_THREAD(t) mark_thread_stacks(t);
}
