/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AsyncGetCallTrace: the Java stack of the calling thread from inside a signal handler, for
 * sampling profilers.
 *
 * Frames are probed (frame/frame_signal.c), because the signal may have come while the youngest was being pushed or
 * popped; where that makes no sense the trace ends, or there is none.
 *
 * In compiled code the youngest frame is in a register, rbp; for some instructions at a call, before the callee has made its
 * frame or behind its return, that is an address on the Java stack that is none, and the walk gives up.
 *
 * What the code at the pc belongs to is in a table of its blob: the instruction, and the bodies it is in, which have no frames
 * as long as nobody looks, and are shown as if they had.  Elsewhere the bytecode index of the youngest frame is the one last published (call, poll,
 * allocation, throwing point), not that of the very instruction: the interpreter keeps it in a register.
 *
 * No memory is allocated: a method whose jmethodID nobody has asked for is reported with a NULL
 * id, so profilers ask for GetClassMethods in ClassPrepare, as on the reference.  A method that was
 * redefined gave its id to the one that stands for it now; its frames are reported with that (the
 * reference has no id for obsolete ones), and with index 0 if their code is another.
 */
#include "jvm/jvm_int.h"

#include "core/vm.h"
#include "jit/jit.h"
#include "frame/frame_view.h"
#include "object/method.h"
#include "os/os.h"

#include <errno.h>
#include <ucontext.h>

typedef struct AsyncFrame {
    jint lineno; /* bytecode index; -3: native method */
    jmethodID method_id;
} AsyncFrame;
typedef struct AsyncTrace {
    JNIEnv *env;
    jint num_frames; /* or a reason why not */
    AsyncFrame *frames;
} AsyncTrace;

enum { NO_JAVA_FRAME = 0, NOT_WALKABLE_JAVA = -6, UNKNOWN_STATE = -7, THREAD_EXITS = -8, NATIVE_LINE = -3 };

/* The id of m, a copy, or that of the method that took it over. */
static jmethodID known_id(Method *m) {
    MethodID *id = atomic_load_explicit(&m->id, memory_order_relaxed);
    Method now;
    if (!id && m->next_version && os_safe_copy(&now, m->next_version, sizeof now))
        id = atomic_load_explicit(&now.id, memory_order_relaxed);
    return (jmethodID)id;
}

static AsyncFrame describe(FrameProbe *p) {
    Method *m = &p->method;
    AsyncFrame a = {NATIVE_LINE, known_id(m)};
    if (method_is_native(m)) return a;
    a.lineno = m->flags & MF_OBSOLETE && !atomic_load_explicit(&m->id, memory_order_relaxed) ? 0 : (jint)p->bci;
    return a;
}

typedef struct AsyncStart {
    FrameProbe frames;
    const CodeBlob *code; /* that runs; NULL: something else does */
    uintptr_t pc;
} AsyncStart;

/* Compiled code keeps its frame in a register while it runs. */
static AsyncStart youngest(const Thread *t, const void *ucontext) {
    AsyncStart s = {.frames = probe_begin(t)};
    const uintptr_t *pc = ucontext ? cpu_context_pc(ucontext) : NULL, *fp = ucontext ? cpu_context_fp(ucontext) : NULL;
    s.pc = pc ? *pc : 0;
    if (!fp || !jit_contains(s.pc)) return s;
    s.frames.next = (const Frame *)*fp;
    s.code = jit_blob_at(s.pc);
    s.frames.runs = s.code ? s.code->method : NULL;
    return s;
}

/* The bodies around the place, innermost first; how many.  *bci becomes that of the root's instruction. */
static jint describe_bodies(const CodeBlob *b, CodePlace at, AsyncFrame *out, jint depth, u4 *bci) {
    jint n = 0;
    for (; at.scope; n++) {
        const CodeScope *s = &b->scopes[at.scope - 1];
        FrameProbe body = {.bci = at.bci};
        if (n == depth || !s->method || !os_safe_copy(&body.method, s->method, sizeof body.method)) break;
        out[n] = describe(&body);
        at.bci = s->bci;
        at.scope = s->outer;
    }
    *bci = jit_root_bci(b, at);
    return n;
}

static jint walk(AsyncStart s, AsyncFrame *out, jint depth) {
    jint n = 0;
    FrameProbe p = s.frames;
    if (!p.next) return NO_JAVA_FRAME;
    if (!probe_next(&p)) return NOT_WALKABLE_JAVA;
    if (s.code && p.method.code == s.code->method->code) /* else the frame is being made */
        n = describe_bodies(s.code, jit_place_at(s.code, s.pc), out, depth, &p.bci);
    while (n < depth) {
        out[n++] = describe(&p);
        if (!p.next || !probe_next(&p)) break;
    }
    return n;
}

JVM_EXPORT void AsyncGetCallTrace(AsyncTrace *trace, jint depth, void *ucontext) {
    Thread *t = thread_self();
    int saved = errno;
    u4 state = t ? atomic_load(&t->state) : THREAD_DEAD;
    if (!t || trace->env != &t->env || state == THREAD_DEAD || atomic_load(&vm.phase) == VM_DEAD)
        trace->num_frames = THREAD_EXITS;
    else if (state == THREAD_NEW || !t->java_stack) trace->num_frames = UNKNOWN_STATE;
    else trace->num_frames = walk(youngest(t, ucontext), trace->frames, depth);
    errno = saved;
}
