/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How JVM TI hangs on the VM: GetEnv, agent libraries, phases.  The record at
 * the end is all that start/ knows (core/hooks.h).
 */
#include "ti.h"
#include "ti_notice.h"
#include "core/launch.h"
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef jint(JNICALL *OnLoad)(JavaVM *, char *, void *);
typedef void(JNICALL *OnUnload)(JavaVM *);

typedef struct Loaded {
    void *handle;
    char *name;
    struct Loaded *next;
} Loaded;
static Loaded *loaded;

/* 1.0-1.2, 9, 11, 13..17; measured on the reference. */
static bool version_known(int v) {
    int major = v >> 16 & 0xfff, minor = v >> 8 & 0xff;
    if ((v & 0xf0000000) != 0x30000000) return false;
    if (major == 1) return minor <= 2;
    return (major == 9 || major == 11 || (major >= 13 && major <= 17)) && minor == 0;
}
static bool get_env(void **out, int version, int *rc) {
    if ((version & 0x70000000) != 0x30000000) return false;
    int phase = atomic_load(&vm.phase);
    *out = NULL;
    if (phase != VM_ONLOAD && phase != VM_LIVE) *rc = JNI_EDETACHED;
    else if (!version_known(version)) *rc = JNI_EVERSION;
    else *rc = (*out = ti_env_new()) ? JNI_OK : JNI_ENOMEM;
    return true;
}

/* --- libraries --- */

static void *open_library(const AgentSpec *a, char *why, size_t n) {
    char path[4096];
    if (!a->is_path) snprintf(path, sizeof path, "%s/lib%s.so", vm.boot_library_path, a->library);
    void *h = dlopen(a->is_path ? a->library : path, RTLD_LAZY);
    if (!h && !a->is_path) {
        snprintf(path, sizeof path, "lib%s.so", a->library);
        h = dlopen(path, RTLD_LAZY);
    }
    if (!h) snprintf(why, n, "%s", dlerror());
    return h;
}
static bool remember(void *h, const char *name) {
    Loaded **tail = &loaded, *l = calloc(1, sizeof *l);
    if (!l || !(l->name = strdup(name))) return free(l), false;
    l->handle = h;
    while (*tail) tail = &(*tail)->next;
    *tail = l;
    return true;
}

/* To standard output, as the reference does: tools look for it there. */
__attribute__((format(printf, 1, 2))) static bool refuse(const char *format, ...) {
    va_list args;
    va_start(args, format);
    printf("Error occurred during initialization of VM\n");
    vprintf(format, args);
    printf("\n");
    fflush(stdout);
    va_end(args);
    return false;
}

static bool load_one(const AgentSpec *a) {
    char why[1024];
    void *h = open_library(a, why, sizeof why);
    if (!h)
        return refuse("Could not find agent library %s %s, with error: %s", a->library,
                      a->is_path ? "in absolute path" : "on the library path", why);
    OnLoad f = (OnLoad)dlsym(h, "Agent_OnLoad");
    if (!f && a->is_xrun) f = (OnLoad)dlsym(h, "JVM_OnLoad");
    if (!f)
        return refuse("Could not find %s function in the agent library: %s", a->is_xrun ? "JVM_OnLoad" : "Agent_OnLoad",
                      a->library);
    char *options = a->options ? strdup(a->options) : NULL; /* as the reference: NULL where none were given */
    if ((a->options && !options) || !remember(h, a->library)) return refuse("no memory for agent library %s", a->library);
    jint rc = f(vm.java_vm, options, NULL);
    free(options);
    if (rc == JNI_OK) return true;
    return refuse("agent library failed to init: %s", a->library);
}
static void unload_agents(void) {
    for (Loaded *l = loaded; l; l = l->next) {
        OnUnload f = (OnUnload)dlsym(l->handle, "Agent_OnUnload");
        if (f) f(vm.java_vm);
    }
}
static bool load_agents(void) {
    ti_events_init();
    for (AgentSpec *a = agents; a; a = a->next)
        if (!load_one(a)) return unload_agents(), false;
    return true;
}

static int attach_agent(const char *lib, bool absolute, const char *opts, char *err, size_t errlen) {
    AgentSpec a = {.library = (char *)lib, .is_path = absolute};
    void *h = open_library(&a, err, errlen);
    if (!h) return -1;
    OnLoad f = (OnLoad)dlsym(h, "Agent_OnAttach");
    if (!f) return snprintf(err, errlen, "%s has no Agent_OnAttach", lib), -1;
    char *options = opts && *opts ? strdup(opts) : NULL;
    if ((opts && *opts && !options) || !remember(h, lib)) return free(options), snprintf(err, errlen, "no memory"), -1;
    Thread *t = thread_self();
    thread_to_native(t);
    jint rc = f(vm.java_vm, options, NULL);
    thread_to_java(t);
    free(options);
    return rc;
}
static const Loaded *nth_loaded(int n) {
    static const Loaded none;
    Loaded *l = loaded;
    while (l && n--) l = l->next;
    return l ? l : &none;
}
static void *agent_library(int n) { return nth_loaded(n)->handle; }
static const char *agent_name(int n) { return nth_loaded(n)->name; }

/* --- phases --- */

static void phase_changed(int phase) {
    Thread *t = thread_self();
    switch (phase) {
    case VM_EARLY_START: ti_post_vm_start(t, true); break;
    case VM_START: ti_post_vm_start(t, false); break;
    case VM_LIVE:
        ti_modules_catch_up(t);
        for (TiEnv *e = ti_envs; e; e = e->next)
            if (ti_gets_notices(e)) ti_notices_start();
        ti_post_vm_init(t);
        HOOK_CALL(THREAD_START, thread_start, t);
        break;
    case VM_DEAD: /* called while still live; the phase is set afterwards */
        if (t && atomic_load(&vm.phase) == VM_LIVE) {
            ti_post_thread_end(t); /* of the thread that ends the VM; its storage stays for VMDeath */
            ti_post_vm_death(t);
        }
        ti_lock();
        atomic_store(&vm_hooks_enabled, 0);
        ti_unlock();
        break;
    default: break;
    }
}

const VmExtension jvmti_extension = {
    .name = "JVM TI",
    .get_env = get_env,
    .load_agents = load_agents,
    .phase_changed = phase_changed,
    .unload_agents = unload_agents,
    .attach_agent = attach_agent,
    .agent_library = agent_library,
    .agent_name = agent_name,
    .native_prefix = ti_native_prefix,
};
