/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which methods are compiled, when, and what becomes of their code.
 *
 * Method.heat counts calls and back-edges in the interpreter; at jit_hot the calling thread compiles the method.  A thread
 * that compiles runs Java and does not stop until the code is published, so nothing that a safepoint protects (classes,
 * breakpoints, watches, events) can change between looking at it and publication.
 *
 * States (Method.tier_state), all changed under the lock:
 *     COUNTING --compiled--> COMPILED --jit_forget, jit_needs_more--> COUNTING        --refused--> INTERPRETED
 * Code that is thrown away is retired: nobody can enter it any more, frames may still run it.  It is freed in a pause in
 * which no compiled frame of its method is on any stack; a frame is there as long as anything returns into its code.
 */
#include "jit/policy.h"
#include "core/lock.h"
#include "core/options.h"
#include "frame/frame.h"
#include "object/method.h"
#include "object/version.h"
#include <stdio.h>
#include <stdlib.h>

enum { MAX_RECOMPILED = 40, RETIRED_BEFORE_SWEEP = 0 };

bool jit_on;
u4 jit_hot;
u4 jit_stress_left;

static VmLock lock = VM_LOCK(COMPILER);
static CodeBlob *blobs, *retired;
static u4 compilations;

void jit_init(void) {
#if defined(__x86_64__)
    jit_on = vm_options.base_compiler && vm_options.run_mode != RUN_INTERPRETED;
#endif
    u8 calls = vm_options.run_mode == RUN_COMPILED ? 2 : vm_options.compile_threshold;
    if (calls > 1u << 20) calls = 1u << 20;
    if (calls < 2) calls = 2; /* what never ran has nothing resolved */
    jit_hot = (u4)calls * JIT_HEAT_CALL;
    jit_stress_left = (u4)vm_options.deopt_interval;
    if (jit_on) asm_detect_features();
}

static void print_line(const Method *m, const char *what, u4 size) {
    if (!vm_options.print_compilation) return;
    printf("%5u b %s::%s%s (%u bytes) %s", compilations, m->holder->name->bytes, m->name->bytes, m->desc->bytes, m->code_len, what);
    if (size) printf(" %u", size);
    putchar('\n');
    fflush(stdout);
}

/* --- compiling [lock: jit] --- */

static void refuse(Method *m, const char *why) {
    print_line(m, why, 0);
    m->tier_state = TIER_INTERPRETED;
    if (!(m->access & ACC_SYNCHRONIZED) && !method_is_leaf(m)) __atomic_store_n(&m->qentry, m->qcode, __ATOMIC_RELEASE);
}

static void publish(Method *m, CodeBlob *b) {
    b->next = blobs;
    blobs = b;
    __atomic_store_n(&m->blob, b, __ATOMIC_RELEASE);
    m->heat = 0;
    __atomic_store_n(&m->entry, b->code, __ATOMIC_RELEASE);
    __atomic_store_n(&m->tier_state, TIER_COMPILED, __ATOMIC_RELEASE);
    compilations++;
    print_line(m, "->", b->size);
}

static bool compile(Method *m) {
    const char *why = NULL;
    if (!lock_try(&lock)) return false; /* next time */
    if (m->tier_state == TIER_COUNTING && m->qcode) {
        CodeBlob *b = base_compile(m, &why);
        if (b) publish(m, b);
        else if (why) refuse(m, why);
        else m->heat = 0;
    }
    lock_release(&lock);
    return m->tier_state == TIER_COMPILED;
}

bool jit_called(Method *m) {
    if (m->tier_state != TIER_COUNTING) return false;
    m->heat += JIT_HEAT_CALL;
    return m->heat >= jit_hot && compile(m);
}

void jit_hot_loop(Thread *t, Method *m) {
    m->heat = 0;
    if (thread_events(t) || m->tier_state == TIER_INTERPRETED) return;
    t->hot_loop = m;
    atomic_fetch_or(&t->poll, POLL_HOT_LOOP);
}

/* Another thread may retire the code meanwhile; it is not freed as long as this one does not stop. */
const void *jit_code_at(const Method *m, u4 bci) {
    const CodeBlob *b = __atomic_load_n(&m->blob, __ATOMIC_ACQUIRE);
    u4 lo = 0, hi = b ? b->n_entries : 0;
    while (lo < hi) {
        u4 mid = (lo + hi) / 2;
        if (b->entries[mid].bci == bci) return b->code + b->entries[mid].offset;
        if (b->entries[mid].bci < bci) lo = mid + 1;
        else hi = mid;
    }
    return NULL;
}

const void *jit_osr(Thread *t, Frame *f) {
    Method *m = f->method, *hot = t->hot_loop;
    t->hot_loop = NULL;
    atomic_fetch_and(&t->poll, ~(u4)POLL_HOT_LOOP);
    if (m != hot || thread_events(t) || f->sp != frame_stack_base(f) || f->flags & FRAME_NOTIFY_POP) return NULL;
    if ((u1 *)__builtin_frame_address(0) < t->c_stack_limit) return NULL;
    if (m->tier_state != TIER_COMPILED && !compile(m)) return NULL;
    u4 bci = frame_bci(f);
    const void *code = jit_code_at(m, bci);
    if (!code) return NULL;
    u4 from_c = (f->flags & (FRAME_ENTRY | FRAME_BRIDGED)) == FRAME_ENTRY ? FRAME_FROM_C : 0;
    f->flags = (f->flags & ~(u4)(FRAME_LEAVE_CODE | FRAME_ENTRY | FRAME_BRIDGED)) | FRAME_COMPILED | from_c;
    f->position = bci;
    return t->osr_code = code;
}

/* --- throwing away --- */

static void unlink_blob(CodeBlob **list, CodeBlob *b) {
    CodeBlob **p = list;
    while (*p != b) p = &(*p)->next;
    *p = b->next;
}

/* [lock: jit] or at a safepoint */
static void retire(Method *m) {
    CodeBlob *b = m->blob;
    if (!b) return;
    __atomic_store_n(&m->entry, (const void *)jit_bridge, __ATOMIC_RELEASE);
    __atomic_store_n(&m->tier_state, TIER_COUNTING, __ATOMIC_RELEASE);
    m->blob = NULL;
    m->heat = 0;
    unlink_blob(&blobs, b);
    b->retired = true;
    b->next = retired;
    retired = b;
    print_line(m, "thrown away", 0);
}

void jit_needs_more(Method *m) {
    lock_take(&lock);
    if (m->blob && m->recompiled < MAX_RECOMPILED) {
        m->recompiled++;
        retire(m);
        m->heat = jit_hot / 2;
    }
    lock_release(&lock);
}

static void free_blob(CodeBlob *b) {
    cache_free(b->code, b->size);
    free(b);
}

/* World stopped: retired code that no frame runs. */
static void sweep(void) {
    FOR_EACH_THREAD(t)
        for (const Frame *f = t->frame; f; f = f->prev)
            if (f->flags & (FRAME_COMPILED | FRAME_BORROWED))
                for (CodeBlob *b = retired; b; b = b->next) b->running |= b->method == f->method;
    for (CodeBlob **p = &retired; *p;) {
        CodeBlob *b = *p;
        if (b->running) {
            b->running = false;
            p = &b->next;
            continue;
        }
        *p = b->next;
        free_blob(b);
    }
}

void jit_leave_frames(Thread *t) {
    if (!jit_on) return;
    for (Frame *f = t->frame; f; f = f->prev) frame_leave_code(f);
}

void jit_forget(Method *m) {
    if (!jit_on) return;
    retire(m);
    FOR_EACH_THREAD(t)
        for (Frame *f = t->frame; f; f = f->prev)
            if (f->method == m) frame_leave_code(f);
    sweep();
}

void jit_forget_all(void) {
    if (!jit_on) return;
    while (blobs) retire(blobs->method);
    FOR_EACH_THREAD(t) jit_leave_frames(t);
    sweep();
}

static void free_of(CodeBlob **list, const ClassVersion *v) {
    for (CodeBlob **p = list; *p;) {
        CodeBlob *b = *p;
        if (b->method < v->methods || b->method >= v->methods + v->n_methods_all) {
            p = &b->next;
            continue;
        }
        *p = b->next;
        b->method->blob = NULL;
        free_blob(b);
    }
}

void jit_free_version(ClassVersion *v) {
    if (!jit_on || !v->methods) return;
    bool any = retired != NULL;
    for (u4 i = 0; i < v->n_methods_all && !any; i++) any = v->methods[i].blob != NULL;
    if (!any) return;
    free_of(&blobs, v);
    free_of(&retired, v);
}
