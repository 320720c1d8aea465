/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JVM TI inside: environments, per-thread data, helpers for the chapter files.
 *
 * An agent's jvmtiEnv * is the address of TiEnv.functions.  Environments are
 * never freed (a stale pointer must answer INVALID_ENVIRONMENT); they are linked
 * in creation order, which is event order.
 * Locks: ti_lock (plain mutex, never held across callbacks or Java) guards the
 * environment list, masks and thread records.
 */
#ifndef GRAFT_JVMTI_TI_H
#define GRAFT_JVMTI_TI_H

#include "core/hooks.h"
#include "core/lock.h"
#include "core/vm.h"
#include "exec/exec.h"
#include "exec/throw.h"
#include "frame/frame_view.h"
#include "heap/handle.h"
#include "heap/heap.h"
#include "lang/javaclasses.h"
#include "link/link.h"
#include "object/class.h"
#include "object/method.h"
#include "redefine/redefine.h"
#include "thread/monitor.h"
#include "cf_vec.h"
#include <jvmti.h>

enum { TI_MAGIC = 0x47545649, TI_FIRST_EVENT = 50, TI_EVENTS = JVMTI_MAX_EVENT_TYPE_VAL - TI_FIRST_EVENT + 1 };

enum { TI_CLASS_UNLOAD_EVENT = JVMTI_MIN_EVENT_TYPE_VAL - 1 }; /* index of the extension event, as on HotSpot */

/* Whether an environment can retransform: decided for ever when it first enables ClassFileLoadHook. */
typedef enum HookKind { HOOK_UNDECIDED, HOOK_PLAIN, HOOK_RETRANSFORMS } HookKind;

typedef struct TiEnv {
    const struct jvmtiInterface_1_ *functions; /* first: this is what agents hold */
    _Atomic u4 magic;                          /* TI_MAGIC, or 0 when disposed, while other threads may be in a callback of it */
    jvmtiCapabilities caps;
    jvmtiEventCallbacks callbacks;
    u8 enabled;           /* globally, bit event - TI_FIRST_EVENT */
    u8 enabled_somewhere; /* or for some thread */
    /* What a poster reads, without a lock; derived from the words above (ti_event.c). */
    _Atomic u8 answered;                            /* events with a callback; none when disposed */
    _Atomic u8 listening;                           /* those enabled globally */
    struct TiEnv *_Atomic next_listener[TI_EVENTS]; /* of each event: the next environment, in order, to be asked */
    DirectListener direct[N_DIRECT];                /* what leads to it while it listens alone */
    const void *storage;
    _Atomic u1 hook;                  /* HookKind: written once, under ti_lock */
    bool started;                     /* VMStart was delivered */
    jvmtiExtensionEvent class_unload; /* com.sun.hotspot.events.ClassUnload, or NULL */
    bool class_unload_enabled;
    struct TagTable *tags; /* ti_tag.h; NULL until something is tagged */
    const char **prefixes; /* of native methods, ti_native.c */
    int n_prefixes;
    struct TiEnv *_Atomic next; /* gone through without a lock; added under ti_lock, never taken off */
    struct TiEnv *prev;
} TiEnv;

/* What one environment keeps for one thread. */
typedef struct TiThread {
    TiEnv *env;
    const void *storage;
    _Atomic u8 enabled; /* changed with ti_lock held, read by the thread itself without */
    struct TiThread *next;
} TiThread;

/* The call in progress. */
typedef struct Ti {
    TiEnv *env;
    Thread *thread;  /* NULL on an unattached thread (SAFE and OnLoad calls) */
    bool entered;    /* made the NATIVE -> JAVA transition */
    bool in_body;    /* is FULL and came through enter: */
    bool held;       /* ... Thread.async_held as it was */
    Object *pending; /* ... the exception that is put aside meanwhile, or NULL */
} Ti;

extern TiEnv *_Atomic ti_envs, *ti_last_env;
extern VmLock ti_mutex;
void ti_lock(void);
void ti_unlock(void);
extern struct jvmtiInterface_1_ ti_functions;

static inline bool ti_env_valid(const TiEnv *e) { return e && atomic_load_explicit(&e->magic, memory_order_acquire) == TI_MAGIC; }
TiEnv *ti_env_new(void);

/* --- events (ti_event.c) --- */
static inline u8 ti_event_bit(jvmtiEvent e) { return (u8)1 << (e - TI_FIRST_EVENT); }
void ti_set_callbacks(TiEnv *e, const jvmtiEventCallbacks *fresh);
void ti_events_changed(void); /* recompute vm_hooks_enabled and who listens; ti_lock held */
/* Between the two callbacks and modes are changed: they take the locks of threads and of JVM TI, and give them back; then what
 * threads report is changed, too, and the world stopped for what needs that. */
void ti_events_change(void);
void ti_events_apply(Ti *x);
void ti_events_init(void);                                    /* fills vm_hooks, by the next five, too */
void ti_debugger_init(void);                                  /* a debugger's events, ti_debugger.c */
void ti_watches_init(void);                                   /* watched fields, ti_watch.c */
void ti_tags_init(void);                                      /* tag tables follow the collector, ti_tag.c */
void ti_heap_events_init(void);                               /* allocations, ti_heap_events.c */
void ti_code_init(void);                                      /* compiled code, ti_code.c */
TiThread *ti_thread_record(TiEnv *e, Thread *t, bool create); /* ti_lock held */
void ti_post_vm_start(Thread *t, bool early);
void ti_post_vm_init(Thread *t);
void ti_post_vm_death(Thread *t);
void ti_post_thread_end(Thread *t);

/* --- phases (ti_env.c) --- */
/* Phase as this environment sees it, and as a member of the sets in functions.def and events.def. */
enum { ONLOAD = 1, PRIMORDIAL = 2, START = 4, LIVE = 8, ANY = 15 };
jvmtiPhase ti_phase(const TiEnv *e);
int ti_phase_bit(const TiEnv *e); /* 0 when dead */

/* --- modules (ti_module.c) --- */
/* The module of a class whose bytes an agent changed must read the unnamed modules. */
void ti_module_transformed(Thread *t, Object *loader, const char *class_name);
void ti_module_redefined(Thread *t, Class *c);
void ti_modules_catch_up(Thread *t);

/* --- capabilities --- */
bool ti_has_capability(const TiEnv *e, int bit);

/* --- results --- */
void *ti_alloc(size_t n);                        /* memory that Deallocate frees; NULL only for n == 0 or OOM */
jvmtiError ti_string(const char *s, char **out); /* copies; out may be NULL */
jvmtiError ti_bytes(const void *p, size_t n, unsigned char **out);
/* Array of local references; *out NULL when n is 0. */
jvmtiError ti_ref_array(Ti *x, Object **objs, jint n, jobject **out);

/* --- tables in Code --- */
typedef CfErrCode (*TiDecode)(const CfAttr *, CfRows *, CfError *);
/* Steps *i from 0 through the readable attributes of one kind; they may be several. */
bool ti_next_table(const Method *m, CfAttrKind kind, TiDecode decode, int *i, CfRows *rows);

/* --- argument conversion, after the checks of the entry --- */
Thread *ti_thread(Ti *x, jthread h); /* NULL handle = current; NULL result = not alive */
static inline Class *ti_class(jclass h) { return mirror_class(handle_get(h)); }
static inline Method *ti_method(jmethodID id) { return atomic_load_explicit(&((MethodID *)id)->method, memory_order_acquire); }
static inline Field *ti_field(jfieldID id) { return (Field *)id; }
bool ti_check_method(jmethodID id);
static inline bool ti_is(jobject h, Class *c) { /* an instance of c */
    Object *o = handle_get(h);
    return o && obj_instanceof(o, c);
}
/* Takes each `item` for which `gone` holds off a list, and frees it. */
#define TI_DROP_IF(Type, list, item, gone) \
    for (Type **at_ = &(list), *item; (item = *at_);) { \
        if (!(gone)) at_ = &item->next; \
        else *at_ = item->next, free(item); \
    }

const char *ti_native_prefix(int n); /* over all environments; NULL behind the last */

/* Growing list of objects for results collected while the world runs or stands. */
typedef struct TiRefs {
    CF_VEC(Object *) list;
    bool failed; /* there was no memory for some */
} TiRefs;
bool ti_refs_add(TiRefs *r, Object *o);
jvmtiError ti_refs_give(Ti *x, TiRefs *r, jint *count, jobject **out); /* frees r */

void ti_live_threads(TiRefs *r);                        /* ti_thread.c */
jint ti_thread_state(const Thread *t, const Object *o); /* of o, which t runs, or nobody (NULL). [lock: threads], or in a pause */

/* How this thread's calls of RedefineClasses and RetransformClasses are meant (ti_redefine.c). */
extern _Thread_local RedefineMode ti_redefine_mode;

/* op(t, arg) with t stopped, or t the caller; THREAD_NOT_ALIVE if it is gone (ti_frame.c). */
jvmtiError ti_on_thread(Ti *x, jthread h, void (*op)(Thread *, void *), void *arg);
/* Is k a subtype of what the descriptor of a reference type names?  By names (ti_local.c). */
bool ti_type_fits(const char *desc, size_t len, const Class *k);
BasicType ti_function_type(BasicType t); /* of the functions for values of type t: narrow ones are ints (ti_forced.c) */
/* Requests for FramePop of a frame that leaves without one (ti_debugger.c); its thread stopped or current. */
void ti_forget_pops(FrameView v);

/* What a disposed environment had set; world stopped. */
void ti_debugger_dispose(TiEnv *e);
void ti_watches_dispose(TiEnv *e);
void ti_tags_dispose(TiEnv *e);

enum {
    CAP_NONE = -1,
#define CAP(bit, name) CAP_##name = bit,
#include "capabilities.def"
};

/* What a function ends with that answers one thing. */
#define TI_ANSWER(out, value) (*(out) = (value), JVMTI_ERROR_NONE)

/* --- bodies, one prototype per row --- */
#define TI_WITH_CTX(...) (Ti * x __VA_OPT__(, ) __VA_ARGS__)
#define FN(slot, name, phases, ctx, cap, params, args, checks) jvmtiError ti_##name TI_WITH_CTX params;
#include "functions.def"

#endif
