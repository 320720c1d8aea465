/* SPDX-License-Identifier: Apache-2.0 */
/* Inside jit/ only. */
#ifndef GRAFT_JIT_JIT_INT_H
#define GRAFT_JIT_JIT_INT_H

#include "core/hooks.h"
#include "exec/exec.h"
#include "jit/asm/asm.h"
#include "frame/frame.h"
#include "heap/handle.h"
#include "jit/jit.h"
#include "object/method.h"

enum {
    NULL_PAGE = 4096, /* an access below this address is one through null */
    MAX_FAULTS = 4    /* of a method, until its code asks for null */
};

/* --- stubs: jumped to from compiled code --- */
void jit_entry_slow_stub(void);   /* entry: a check failed; registers as at the call */
void jit_help_stub(void);         /* called: a helper, in rax */
void jit_help_inlined_stub(void); /* the same from an inlined body, whose frame is in rsi */
void jit_entered_stub(void);      /* called: jit_h_entered, in rax, or what it would call */
void jit_returns_stub(void);      /* the same, jit_h_returns */
void jit_break_stub(void);        /* the same, jit_h_break */
void jit_leaf_stub(void); /* called: a C function, in rax, that looks at no frame and does not stop; it keeps r12 to r15 */
/* Called about an object in Thread.leaf_result; they keep all registers. */
void jit_look_stub(void);    /* SiteCache.calls_left of Thread.asked is used up, the object being the receiver */
void jit_subtype_stub(void); /* COND_NE: it is of the class Thread.asked */
void jit_window_stub(void);  /* COND_NE: the thread's window has room for Thread.asked bytes now */
void jit_take_stub(void);    /* COND_NE: its monitor, which is inflated, was taken, or */
void jit_give_stub(void);    /* given back */
void jit_select_stub(
    void); /* called: interface method in rdi, class in rax; COND_EQ: rdi is what it calls, by the thread's method cache */
void jit_exit_stub(void);         /* leave compiled code for good; esi = ExitInfo, rdx = result of a call */
void jit_exit_inlined_stub(void); /* the same from an inlined body, whose frame is in rdi */
void jit_exit_record_stub(void);  /* called: the same, by the record of the return address: exit_record.c */
void jit_help_record_stub(void);  /* called: a helper by the record, all registers of values are as they were; or the same */
const void *jit_fault_exit(void *context); /* an instruction faulted: the context becomes that of a call of this stub */

/* How a frame leaves compiled code.  Its locals and operand stack are in memory, position is at the instruction.  EXIT_BROKEN: and its
 * breakpoint was told. */
typedef u4 ExitInfo;
#define EXIT_BROKEN (1u << 31)
enum ExitKind {
    EXIT_REDO,     /* the interpreter does the instruction (again): it throws, or is rare */
    EXIT_UNQUICK,  /* the same; it was not executed before, so the code is worth making anew */
    EXIT_AFTER,    /* behind a call or helper that left FRAME_LEAVE_CODE; rdx = its result */
    EXIT_AT,       /* position is where to go on (polls) */
    EXIT_ENTERING, /* behind the lock of a synchronized method: redo, or it was not entered and no handler of it is asked */
    EXIT_THROW,    /* here on: the instruction throws */
    EXIT_NULL = EXIT_THROW,
    EXIT_FAULT, /* null was found by a fault */
    EXIT_ZERO,
    EXIT_INDEX,
    EXIT_CAST,
    EXIT_ATHROW,
    EXIT_RETHROW, /* what came out of the call, and is its only operand now, goes on: no handler that the code has fits */
    EXIT_LOST     /* there is no memory for what its frames want (exit_record.c): they end, with OutOfMemoryError */
};
static inline ExitInfo exit_info(enum ExitKind kind, u4 advance, u4 popped, u4 pushed) {
    return (ExitInfo)kind | advance << 4 | pushed << 8 | popped << 12;
}
static inline u4 exit_popped(ExitInfo info) { return (info & ~EXIT_BROKEN) >> 12; }

/* What an interface call of the code chose for the first two classes: for objects of them it is done.  Each class is stored last, by one thread; a
 * pause in which methods are replaced or classes go away empties both (jit_forget_chosen). */
typedef struct SiteCache {
    u4 klass;  /* as headers have it; 0: empty */
    u4 second; /* another class, or 0 */
    Method *target, *second_target;
    u4 taken;        /* how many places threads fill, or have filled */
    Method *imethod; /* NULL: a virtual call */
    struct SiteCache *next;
    const Method *m; /* it is in, at bci: the method that is compiled, or a body in it */
    u4 bci;
    u4 vtable_index;
    /* What receivers are (sites.c) [lock: jit], but for calls_left, which code counts down. */
    int32_t calls_left;
    u4 seen, also;             /* classes of the first one that was looked at, and of the first one of another class, or 0 */
    u1 looked, differ, others; /* how many were of none of the two */
    bool late;                 /* in optimised code: looked at more seldom */
} SiteCache;

/* --- C functions that stubs call: runtime.c --- */
typedef struct StubResult {
    u8 value;
    const void *go;
} StubResult; /* rax, rdx; go: jump there instead of returning */
StubResult jit_bridge_c(Thread *t, Method *m, Slot *args);
void jit_leaf_threw(Frame *caller);
u4 jit_look_c(Thread *t, Frame *root);
u4 jit_subtype_c(Thread *t, Frame *root);
u4 jit_window_c(Thread *t, Frame *root);
u4 jit_take_c(Thread *t, Frame *root);
u4 jit_give_c(Thread *t, Frame *root);
const void *jit_entry_slow_c(Thread *t, Method *m, Slot *args); /* NULL: return */
StubResult jit_exit_c(Thread *t, Frame *f, ExitInfo info, u8 result);

/* --- helpers that compiled code calls: runtime.c --- */
u8 jit_h_poll(Thread *t, Frame *f);
u8 jit_h_poll_optimised(Thread *t, Frame *f); /* the same in optimised code: only its caller may be wished for */
u8 jit_h_catch(Thread *t, Frame *f);
u8 jit_h_new(Thread *t, Frame *f, Class *c);
u8 jit_h_box(Thread *t, Frame *f, u8 value, Class *c); /* what valueOf does; value: a cell of it */
u8 jit_h_newarray(Thread *t, Frame *f, int32_t n, Class *array_class);
u8 jit_h_generic(Thread *t, Frame *f); /* the instruction at position, by the interpreter's functions */
u8 jit_h_select(Thread *t, Frame *f, SiteCache *s, Object *receiver);
u8 jit_h_link(Thread *t, Frame *f, MethodKind kind, Slot *args); /* invokeBasic, linkTo*: whom to call */
u8 jit_h_lock(Thread *t, Frame *f);                              /* of a synchronized method */
u8 jit_h_unlock(Thread *t, Frame *f);
u8 jit_h_clone_array(Thread *t, Frame *f, Object *o);
u8 jit_h_clone(Thread *t, Frame *f, Object *o); /* of an array; 0: to be called, else the result or FRAME_EXCEPTION */
u8 jit_h_aastore(Thread *t, Frame *f);          /* array and index are fine */
u8 jit_h_monitorenter(Thread *t, Frame *f, Object *o);
u8 jit_h_monitorexit(Thread *t, Frame *f, Object *o);

/* --- the same, for events of calls: call_events.c --- */
u8 jit_h_entered(Thread *t, Frame *f);                        /* MethodEntry */
u8 jit_h_returns(Thread *t, Frame *f, u8 raw, u8 value_bits); /* MethodExit; raw: the result's cell, or 0 */
u8 jit_h_break(Thread *t, Frame *f, const void *owner);       /* Breakpoint */
void jit_event_rest(Thread *t, Frame *f, const DirectListener *d, int k, HandleMark mark); /* rare things behind a callback */
u8 jit_value_bits(u1 type);                    /* the value in a cell of the type; 0: none, or a reference */
void (*jit_helper_stub(const void *fn))(void); /* which stub calls it */

/* retire.c: a poll of t, which stands in compiled code or at the entry of some: is it one of DropCodeInterval? */
void jit_drop_code(Thread *t);
/* t polls in base code of m, and its poll word has POLL_SAMPLE: code_sample.c.  f: its frame, at a loop; NULL: at an entry. */
void jit_sample(Thread *t, Method *m, Frame *f);
void jit_sample_optimised(Thread *t, const Frame *root); /* the same in optimised code, whose frame root is */

/* Counts down to the next deoptimisation for its own sake; DeoptimizeInterval. */
extern u4 jit_stress_left;

/* --- codecache.c --- */
/* False: full, or the system gives no such memory. */
bool cache_alloc(u4 size, const void *owner, u1 **write, const u1 **run);
const void *cache_owner(uintptr_t pc); /* of the range in use that pc is in or the one before it; signal-safe */
void cache_free(const u1 *run, u4 size);
/* A jump near to all code, to a stub of the library, which lies out of its reach, with fn in rax if there is one.  NULL: no room. */
const void *cache_near(void (*stub)(void), const void *fn);
typedef struct CacheFigures {
    uintptr_t start;
    u8 total, used, most_used;
    u4 full; /* how often there was no room */
} CacheFigures;
CacheFigures cache_figures(void);

/* --- places.c: which code belongs to which instruction, a list that is added to in the order of offsets --- */
typedef struct Places {
    u1 *bytes;
    u4 len, cap, n;
    CodePlace last, next; /* written, and not yet */
    bool waiting, failed;
} Places;
void places_add(Places *p, CodePlace next);
void places_end(Places *p);
const u1 *places_next(const u1 *at, CodePlace *p); /* from {0}, n_places times */

/* --- body_frames.c --- */
/* All frames but for the position of the innermost, which is the result: what calls would have left. */
Frame *jit_write_frames(const CodeBlob *b, Frame *root, u4 scope);
/* Names of code in due frames.  [lock: jit] */
u4 due_take(void);                     /* 0: all are in use */
void due_set_owner(const CodeBlob *b); /* before the code is published */
void due_give_back(u4 number);         /* or 0 */
bool due_can_name(u4 scope);
u8 due_position(u4 number, u4 scope, u4 bci, u4 depth);

void jit_free_sites(SiteCache *s); /* and those behind it; policy.c */

/* May t run b?  Code that reports nothing is not for threads with event bits. */
static inline bool jit_may_run(const Thread *t, const CodeBlob *b) {
    u4 events = thread_events(t);
    return !events || (b->reports && !(events & EXEC_EVENTS_PER_INSN));
}

/* --- base compiler --- */
/* Heap blob, code in the cache; NULL and *why if the method is refused (or, *why being NULL, there is no room).
 * The caller runs Java, holds the lock, and lets no safepoint pass until it has published the blob. */
CodeBlob *base_compile(Method *m, bool reports, const char **why);
bool base_may_guard(const Method *m); /* may a call become a comparison of classes and m's body? */
/* The function that does a call of m from cells, without a frame, as a VmNative; `declines`: as a QuickNative, or else m is to be called.  NULL: none. */
const void *base_c_function(const Method *m, bool *declines);
/* What a method of Unsafe does with memory.  False: another method. */
typedef enum RawOp {
    RAW_GET,
    RAW_PUT,
    RAW_GET_AT,
    RAW_PUT_AT,
    RAW_CAS,
    RAW_CAX,
    RAW_ADD,
    RAW_SWAP,
    RAW_FENCE
} RawOp; /* AT: an absolute address */
typedef struct RawAccess {
    u1 op, kind; /* kind: MemKind, signed or not as a load is */
    bool bit;    /* a boolean is stored */
    bool fence;  /* volatile store, full fence */
} RawAccess;
bool base_raw_access(const Method *m, RawAccess *a);

#endif
