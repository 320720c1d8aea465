/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instrumentation points.  The VM never includes jvmti/; JVM TI fills this
 * table and raises bits in vm_hooks_enabled.  A hook that is off costs one
 * test of a global word that is almost always in cache.
 * Rows: hooks.def  HOOK(NAME, field, (parameter types))
 * No VM lock is held while a hook runs.  Hooks may run Java code, but for gc_*,
 * class_unload, code_gone and version_gone, which are called in a pause.
 */
#ifndef GRAFT_CORE_HOOKS_H
#define GRAFT_CORE_HOOKS_H

#include "core/lock.h"
#include "core/types.h"

typedef enum HookBit {
#define HOOK(NAME, field, params) HOOK_##NAME,
#include "core/hooks.def"
    HOOK_COUNT
} HookBit;

typedef struct VmHooks {
#define HOOK(NAME, field, params) void(*field) params;
#include "core/hooks.def"
} VmHooks;

extern VmHooks vm_hooks;
extern _Atomic bool vm_locals_are_read; /* an agent may read locals, and so get at objects that compiled code does without */
extern _Atomic u8 vm_hooks_enabled;     /* bit HookBit */

static inline bool hook_on(HookBit b) { return UNLIKELY(atomic_load_explicit(&vm_hooks_enabled, memory_order_relaxed) >> b & 1); }
#define HOOK_CALL(NAME, field, ...) \
    do { \
        lock_none_from(0, "hook " #NAME); \
        if (hook_on(HOOK_##NAME)) vm_hooks.field(__VA_ARGS__); \
    } while (0)

/* Compiled code calls a listener directly, not by the hook, if it is the only one and listens on all threads: for MethodEntry,
 * MethodExit, and a Breakpoint that it owns.  JVM TI says who that is (ti_event.c); theory: jit/call_events.c. */
enum { DIRECT_ENTRY, DIRECT_EXIT, DIRECT_BREAK, N_DIRECT };
typedef struct DirectListener {
    void *env;
    void *_Atomic callback; /* NULL: none any more */
} DirectListener;
extern DirectListener *_Atomic direct_listeners[N_DIRECT];
/* Behind the callback of told, if it is not the listener any more: those behind it are told. */
extern void (*direct_changed)(Thread *t, int k, const DirectListener *told, Method *m, Slot result);

/* What jvmti/ provides to start/: an extension record, bound at link time. */
typedef struct VmExtension {
    const char *name;
    /* GetEnv(version) for versions this extension knows; 1 = not mine, else JNI code in *rc */
    bool (*get_env)(void **out, int version, int *rc);
    /* run -agentlib/-agentpath/-Xrun agents in order; false = VM must not start */
    bool (*load_agents)(void);
    void (*phase_changed)(int vm_phase); /* after vm.phase was set; posts VMStart/VMInit/VMDeath */
    void (*unload_agents)(void);
    /* attach: returns Agent_OnAttach result; writes error text */
    int (*attach_agent)(const char *lib, bool absolute, const char *opts, char *err, size_t errlen);
    /* the nth loaded agent library handle, for native lookup; NULL = end */
    void *(*agent_library)(int n);
    const char *(*agent_name)(int n); /* its name as given; signal-safe */
    /* the nth native method prefix in the order of application; NULL = end; never freed */
    const char *(*native_prefix)(int n);
} VmExtension;
extern const VmExtension *vm_extensions[]; /* NULL-terminated; defined by start/extensions.c */

#endif
