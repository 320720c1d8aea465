/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiled code: what the rest of the VM sees.  Theory, terms, picture: docs/jit.md.
 *
 * Registers while compiled code runs:  rbx = Thread, rbp = Frame of the running method.  A call passes
 *     rdi = Method, rsi = first argument cell (on the Java stack), rbp = the caller's frame;  result: a cell in rax, or a float or double in xmm0.
 * The callee makes its frame, and returns with rbp = its first local, from which the caller knows its frame.  All other registers belong to the callee.  Whoever leaves compiled code
 * stores rbp to Thread.frame first.
 */
#ifndef GRAFT_JIT_JIT_H
#define GRAFT_JIT_JIT_H

#include "object/class.h"
#include "object/method.h"
#include "thread/thread.h"
#include <stdio.h>

enum {                       /* Method.tier_state */
       TIER_COUNTING = 0,    /* interpreted; its calls are counted */
       TIER_COMPILED = 1,    /* entry leads to its code */
       TIER_INTERPRETED = 2, /* for good: the compiler refused it */
       TIER_QUEUED = 3       /* interpreted until the compiler thread has it */
};

/* Where a frame that stands at bci, all its cells in memory, enters: interpreted ones at loops, the operand stack being empty, and
 * those that caught an exception, which is their operand.  The stack pointer is as at a call. */
typedef struct CodeEntry {
    u4 bci, offset;
} CodeEntry;

/* A body in the code of another method: of `method`, called at bci of the scope `outer`.  Scopes are numbered from 1; 0 is the method itself. */
typedef struct CodeScope {
    Method *method; /* NULL: its class is gone, and the code is retired */
    u4 outer, bci;
    u4 locals, depth,
        holds; /* its first local's cell; of the caller's stack at the call; FRAME_SYNC, FRAME_RELOCK or 0: exit_record.c */
} CodeScope;

/* From `offset` on the code is that of bci in the scope; offsets ascend. */
typedef struct CodePlace {
    u4 offset, scope, bci;
} CodePlace;

/* An exit that is data, and where it is: behind the call of its stub, or one behind the address of an instruction that faults if a reference is null. */
typedef struct CodeExit {
    u4 at, record;
} CodeExit;

/* A register that has a local. */
typedef struct CodePin {
    u2 local;
    u1 reg;
    bool fp, is_int; /* is_int: the upper half of the cell may hold anything */
} CodePin;

/* All objects of the class, and of those below it, have the method there (hierarchy.c). */
typedef struct CodeTrust {
    Class *klass;
    Method *method;
    u4 index; /* in vtables */
} CodeTrust;

typedef struct JitUsers JitUsers; /* what was made from the methods of some classes: jit_find_users */
/* The code of one method.  Published by Method.entry, never changed; freed when nobody can run it (retire.c). */
struct CodeBlob {
    CodeBlob *next, **from; /* all of them, or the retired ones; what points to it [lock: jit] */
    u8 users_of[4];         /* whose redefinition concerns it: the holders of its methods, and those that these may use */
    Method *method;
    const u1 *code; /* where it runs */
    u4 size;
    u4 id;    /* of the compilation, from 1 */
    u4 body;  /* offset behind the checks that the code begins with */
    u4 entry; /* offset at which calls enter: 0, or body if the method needs no checks.  While calls are reported: 0 */
    u4 n_entries;
    _Atomic bool retired;
    bool optimised;    /* opt/ made it: its records have all cells, those of locals too */
    u4 due;            /* optimised: its name in frames that are due (body_frames.c), or 0 */
    u2 extra, n_extra; /* optimised: cells, above the locals, that helpers by a record put back (opt_home.c, opt_cells.c) */
    _Atomic u4 left;   /* how often it was left by a record, since left_since */
    _Atomic int64_t left_since;    /* nanoseconds */
    CodeBlob *loops;               /* base code: optimised code of loops of the method, through next_loop [lock: jit] */
    CodeBlob *next_loop, *loop_of; /* such code: the next one, and the base code */
    CodeBlob *below; /* optimised: base code of the method, where frames enter at loops and handlers; or NULL [lock: jit] */
    bool reports;    /* calls and returns to JVM TI: threads with method events may run it */
    CodeExit *exits; /* in order */
    u1 *records;     /* of the exits, numbers by leb.h from end to end */
    u4 n_record_bytes;
    CodePin *pins;
    u4 n_exits;
    struct SiteCache *sites; /* of its interface calls */
    u1 *places;              /* coded, see places.c; NULL: there was no memory for them */
    u4 n_places, n_scopes;
    CodeScope *scopes; /* from 1 */
    Method **inlined;  /* whose bodies are in the code, or that it calls without asking */
    u4 n_inlined, n_trusts;
    CodeTrust *trusts; /* what it takes for sure */
    MethodID *told;    /* what JVM TI called the method when it heard of the code [lock: jit, or who made it] */
    u8 *words;         /* constants of the code that may name objects (constants.c) */
    u4 n_words;
    CodeEntry entries[]; /* in order of bci */
};

extern bool jit_on;       /* methods are counted and compiled */
bool jit_is_wanted(void); /* by the command line, and this CPU can */
void jit_init(void);      /* options are known; nothing else happens before a method is hot */

/* --- stubs (stubs_x64.c) --- */
void jit_bridge(void); /* Method.entry of what is not compiled */
/* From C: runs code that expects the registers of a call; rbp = frame. */
typedef struct JitResult {
    u8 cell;
    double fp;
} JitResult; /* rax, xmm0: the result is in one of them */
JitResult jit_enter(Thread *t, Method *m, Slot *args, const void *code, Frame *frame);
static inline u8 jit_result(JitResult r, u1 type) {
    return type == T_FLOAT || type == T_DOUBLE ? (union {
                                                     double fp;
                                                     u8 cell;
                                                 }){r.fp}
                                                     .cell
                                               : r.cell;
}
const void *jit_code_at(const Thread *t, const Method *m, u4 bci); /* policy.c: its entry there; NULL: none that t may run */

/* --- the interpreter asks (policy.c) --- */
enum { JIT_HEAT_CALL = 32 }; /* a back-edge counts 1 */
extern u4 jit_hot;           /* heat from which a method is compiled */
/* m, not compiled, was called.  True: now it is. */
bool jit_called(Method *m);
/* The same for a thread with event bits. */
bool jit_called_reported(Thread *t, Method *m);
static inline bool jit_ready(Thread *t, Method *m) {
    if (!UNLIKELY(jit_on)) return false;
    if (UNLIKELY(thread_events(t))) return jit_called_reported(t, m);
    return method_tier(m) == TIER_COMPILED || jit_called(m);
}
/* Some thread has, or is about to get, bits for calls or returns; none has any more. */
void jit_report(bool on);
/* runtime.c: f, interpreted, calls m, compiled.  False: an exception is pending, or f is to be left, or FRAME_REPEAT. */
bool jit_call(Thread *t, Frame *f, Method *m, Slot *args, u4 advance);
/* C code of the native whose frame is the youngest calls m, which is compiled.  False: an exception is pending.  Only a native's frame tells that C code lies
 * between it and the frame of m: for other C code m is interpreted. */
bool jit_call_from_native(Thread *t, Method *m, Slot *args, Slot *ret);
void jit_hot_loop(Thread *t, Method *m); /* the next poll of t asks jit_osr */
/* f stands at f->pc, published: where compiled code takes it over, f being compiled now; or NULL. */
const void *jit_osr(Thread *t, Frame *f);

/* --- who changes what code was made from: retire.c.  At a safepoint --- */
void jit_forget(Method *m); /* m's code, and its frames go on in the interpreter */
/* The same for all code of the classes in a set (class_add_to_set) and of those that may have methods of theirs in their cells. */
void jit_forget_users(const u8 holders[4], const JitUsers *found);
/* What the pause will look for, looked for while the world runs; t, current, stops for nobody.  NULL: no memory, or nothing is compiled. */
JitUsers *jit_find_users(const u8 holders[4]);
void jit_users_done(JitUsers *found); /* behind the pause: also code that is dead now is freed.  May be NULL */
/* c is about to have objects: code that took the methods of others for all there are goes, and its frames leave.  [blocks] */
void jit_class_dispatches(Class *c);
void jit_forget_callers(const Method *m); /* code that may have m's body, or C that stands for it, in it */
void jit_forget_all(void);
void jit_forget_chosen(const JitUsers *found); /* what interface calls chose; found: of classes in the set alone */
void jit_free_version(ClassVersion *v);        /* its methods are about to be freed; no frame runs them */
/* Compiled frames of t go on in the interpreter; t stopped or current. */
void jit_leave_frames(Thread *t);
/* --- who tells about code --- */
u4 jit_places(const CodeBlob *b, CodePlace *to); /* room for n_places; how many there are */
u4 jit_root_bci(const CodeBlob *b, CodePlace p); /* of the instruction of the method itself; signal-safe */
/* All code that can be entered; visit takes no lock before METHOD_IDS and does not stop.  The caller runs Java. */
void jit_visit_code(void (*visit)(CodeBlob *b, void *arg), void *arg);
typedef struct JitFigures {
    u4 compiled, refused, thrown_away;    /* so far */
    u4 live, retired;                     /* code that can be entered, that cannot */
    u8 nanos, bytecode_bytes, code_bytes; /* spent on, read, written, so far */
    u8 cache_total, cache_used, cache_most;
    u4 last_size, last_refused_size;   /* in bytes of bytecode */
    char last[256], last_refused[256]; /* "java/lang/String hashCode"; "" */
} JitFigures;
JitFigures jit_figures(void); /* the caller runs Java, or holds no lock from COMPILER on */
/* As jcmd Compiler.codelist, codecache, perfmap print them; the caller runs Java. */
void jit_list_code(FILE *out);
void jit_describe_cache(FILE *out);
void jit_explain(FILE *out, const char *method); /* what is known of the code of "CLASS.METHOD"; code_story.c [blocks] */
void jit_print_queue(FILE *out);
void jit_print_times(FILE *out); /* -XX:+CITime */
bool jit_write_perf_map(void);   /* /tmp/perf-PID.map */
/* For crash reports: signal-safe. */
const CodeBlob *jit_blob_at(uintptr_t pc);
int jit_bci_at(const CodeBlob *b, uintptr_t pc);
CodePlace jit_place_at(const CodeBlob *b, uintptr_t pc);
/* Is pc in compiled code?  Then the frame register holds the youngest frame.  Signal-safe. */
bool jit_contains(uintptr_t pc);

#endif
