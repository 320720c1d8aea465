/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start-up as a table of phases: what exists after each step is the
 * precondition of the next.  The order is the one the class library expects:
 *
 *   agents      Agent_OnLoad of every agent (no heap, no JNIEnv)
 *   memory      symbols, class region, heap, thread list, interpreter
 *   classes     well-known classes loaded, mirrors made, offsets bound
 *   core        UnsafeConstants, String, System, Class, ThreadGroup initialised; main Thread
 *               object; Module; Method, Finalizer (starts the Reference
 *               Handler and Finalizer threads: they run before initPhase1)
 *   phase 1     System.initPhase1: properties, streams, signals
 *   errors      exception classes that C code raises are initialised
 *   invoke      MethodHandle & co. initialised before the first invokedynamic
 *   phase 2     module graph; until then the boot loader sees java.base only
 *   phase 3     security manager, system class loader
 *   live        VMInit, PostVMInitHook
 */
#include "log/log.h"
#include "classfile.h"
#include "core/hooks.h"
#include "core/launch.h"
#include "core/options.h"
#include "core/reserve.h"
#include "core/vm.h"
#include "exec/exec.h"
#include "exec/throw.h"
#include "heap/handle.h"
#include "heap/heap.h"
#include "heap/records.h"
#include "lang/javaclasses.h"
#include "lang/string.h"
#include "link/link.h"
#include "native/native.h"
#include "object/class.h"
#include "serve/attach.h"
#include "serve/diag.h"
#include "os/os.h"
#include "serve/perfdata.h"
#include "serve/service_threads.h"
#include "start/start.h"
#include "thread/identity.h"
#include "shape/shape.h"
#include "invoke/invoke.h"
#include <stdlib.h>
#include <unistd.h>

#define FOR_EACH_EXTENSION(x) for (const VmExtension **_x = vm_extensions, *x; (x = *_x); _x++)

static void set_phase(VmPhase p) {
    atomic_store(&vm.phase, p);
    FOR_EACH_EXTENSION(x) if (x->phase_changed) x->phase_changed(p);
}

static void die_of_exception(Thread *t, const char *step) {
    Object *ex = exception_take(t);
    if (ex) exception_print(t, ex);
    vm_exit_during_init("%s failed%s%s", step, ex ? ": " : "", ex ? class_text(obj_class(ex)).s : "");
}

/* --- steps --- */

static void step_agents(Thread *t) {
    set_phase(VM_ONLOAD);
    FOR_EACH_EXTENSION(x)
    if (x->load_agents && !x->load_agents()) {
        fflush(NULL);
        if (vm.exit_hook) vm.exit_hook(1);
        exit(1);
    }
    set_phase(VM_PRIMORDIAL);
}

static bool equip_thread(Thread *t) {
    t->env = jni_current_table;
    return handle_thread_init(t) && exec_thread_init(t, t->stack_request ? t->stack_request : vm_options.stack_size);
}
static void unequip_thread(Thread *t) {
    handle_thread_free(t);
    exec_thread_free(t);
}

static void init_memory(void) {
    symbol_init();
    class_region_limit = vm_options.class_space;
    class_region_init();
    heap_stress_interval = vm_options.gc_stress ? 1 : (u4)vm_options.gc_stress_interval;
    heap_verify_gc = vm_options.verify_heap;
    heap_init(vm_options.heap_min, vm_options.heap_max);
    records_init();
    thread_equip = equip_thread;
    thread_unequip = unequip_thread;
    thread_init_subsystem();
    exec_init();
    native_init();
    string_init();
    verify_local = vm_options.verify_local;
    verify_remote = vm_options.verify_remote;
}

static void visit_vm_roots(RootVisitor v, void *arg) {
    Object **roots[] = {&vm.main_thread_group, &vm.system_thread_group, &vm.system_loader, &vm.platform_loader};
    for (size_t i = 0; i < ARRAY_LEN(roots); i++)
        if (*roots[i]) v(roots[i], arg);
}

static void step_classes(Thread *t) {
    vm.java_base_only = true;
    loader_init();
    heap_add_root_provider("vm", visit_vm_roots);
    javaclasses_load(t);
    classes_fixup_mirrors(t);
    javaclasses_bind(t);
    throw_preallocate(t);
    native_load_core_libraries();
    set_phase(VM_EARLY_START);
}

static void init_class(Thread *t, Class *c) {
    if (!class_init(t, c)) die_of_exception(t, c->name->bytes);
}
static void call_static(Thread *t, JcMethod m, Slot *args, Slot *ret, const char *step) {
    if (!exec_call(t, jc_method(m), args, ret)) die_of_exception(t, step);
}

static void make_thread_groups(Thread *t) {
    Slot a[3] = {{.ref = heap_alloc_object(t, JC(ThreadGroup))}};
    vm.system_thread_group = a[0].ref;
    call_static(t, JM_ThreadGroup_init, a, NULL, "system thread group");
    Object *main_group = heap_alloc_object(t, JC(ThreadGroup));
    a[0].ref = vm.main_thread_group = main_group;
    a[1].ref = vm.system_thread_group;
    a[2].ref = string_from_cstr(t, "main");
    call_static(t, JM_ThreadGroup_init_parent, a, NULL, "main thread group");
}

static void write_unsafe_constants(void) {
    Object *m = JC(UnsafeConstants)->mirror;
    JSET_INT(m, UnsafeConstants, ADDRESS_SIZE0, 8);
    JSET_INT(m, UnsafeConstants, PAGE_SIZE, (int32_t)os_page_size());
    JSET_BOOL(m, UnsafeConstants, BIG_ENDIAN, false);
    JSET_BOOL(m, UnsafeConstants, UNALIGNED_ACCESS, true);
    JSET_INT(m, UnsafeConstants, DATA_CACHE_LINE_FLUSH_SIZE, 0);
}

static void step_core(Thread *t) {
    init_class(t, JC(UnsafeConstants)); /* before an agent's probe in some boot class can initialise Unsafe */
    write_unsafe_constants();
    init_class(t, JC(String));
    JSET_BOOL(JC(String)->mirror, String, COMPACT_STRINGS, true);
    init_class(t, JC(System));
    init_class(t, JC(Class));
    init_class(t, JC(ThreadGroup));
    make_thread_groups(t);
    init_class(t, JC(Thread));
    if (!thread_make_java(t, "main", vm.main_thread_group, false, 5)) die_of_exception(t, "main thread");
    init_class(t, JC(Module));
    init_class(t, JC(Method));
    init_class(t, JC(Finalizer));
    refs_start_clock();
}

static void step_phase1(Thread *t) { call_static(t, JM_System_initPhase1, NULL, NULL, "System.initPhase1"); }

static void step_errors(Thread *t) {
    static const ExKind kinds[] = {
        EX_OutOfMemoryError,    EX_NullPointerException, EX_ClassCastException,           EX_ArrayStoreException,
        EX_ArithmeticException, EX_StackOverflowError,   EX_IllegalMonitorStateException, EX_IllegalArgumentException};
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        Class *c = load_boot_class(t, exception_names[kinds[i]]);
        if (!c) die_of_exception(t, exception_names[kinds[i]]);
        init_class(t, c);
    }
}

static void step_phase2(Thread *t) {
    Slot a[2] = {{.i = 1}, {.i = 0}}, ret = {.raw = 0};
    call_static(t, JM_System_initPhase2, a, &ret, "System.initPhase2");
    if (ret.i != 0) vm_exit_quietly(); /* Java has told why */
    vm.java_base_only = false;
    set_phase(VM_START);
}

static void hash_module(Module *m, void *t) {
    if (m->java) object_hash(t, m->java);
}
/* What the program may ask has been asked before it begins: thread/identity.c. */
static void hash_what_is_there(Thread *t) {
    object_hash(t, vm.system_loader);
    object_hash(t, vm.platform_loader);
    module_visit_all(hash_module, t);
}

static void step_phase3(Thread *t) {
    Slot ret = {.raw = 0};
    call_static(t, JM_System_initPhase3, NULL, NULL, "System.initPhase3");
    call_static(t, JM_ClassLoader_getSystemClassLoader, NULL, &ret, "ClassLoader.getSystemClassLoader");
    vm.system_loader = ret.ref;
    call_static(t, JM_ClassLoader_getPlatformClassLoader, NULL, &ret, "ClassLoader.getPlatformClassLoader");
    vm.platform_loader = ret.ref;
    loader_of(vm.system_loader)->is_app = true;
    loader_of(vm.platform_loader)->is_platform = true;
    vm.booted = true;
    hash_what_is_there(t);
    identity_start_program(t);
}

static void start_management_agent(Thread *t) {
    bool wanted = false;
    for (Property *p = properties; p; p = p->next)
        if (strncmp(p->key, "com.sun.management.jmxremote", 28) == 0) wanted = true;
    if (!wanted) return;
    Class *c = load_class(t, symbol_of("jdk/internal/agent/Agent"), loader_of(vm.system_loader));
    Method *m = c && class_init(t, c) ? class_find_method_str(c, "startAgent", "()V") : NULL;
    if (!m || !exec_call(t, m, NULL, NULL)) die_of_exception(t, "management agent");
}

static void step_live(Thread *t) {
    attach_start();
    perfdata_start();
    oom_actions_init();
    if (vm_options.print_flags) vm_flags_print_all(stdout, LIST_FINAL);
    if (vm_options.print_ranges) vm_flags_print_all(stdout, LIST_RANGES);
    if (vm_options.print_flags_set) vm_flags_print_set(stdout);
    set_phase(VM_LIVE);
    if (t->exception) die_of_exception(t, "agent initialization");
    start_management_agent(t);
}

typedef struct Step {
    const char *name;
    void (*run)(Thread *);
} Step;
static const Step steps[] = {
    {"classes", step_classes},
    {"core", step_core},
    {"phase 1", step_phase1},
    {"errors", step_errors},
    {"services", service_threads_start},
    {"invoke", mh_init},
    {"phase 2", step_phase2},
    {"phase 3", step_phase3},
    {"live", step_live},
};

jint startup_run(JNIEnv **env) {
    vm.start_nanos = os_nanos();
    vm.start_millis = os_millis();
    if (!reserve_fill()) vm_exit_during_init("java.lang.OutOfMemoryError: no memory for the VM's own tables");
    crash_vm_init();
    shutdown_init();
    os_faults_init(); /* agents may crash too */
    step_agents(NULL);
    init_memory();
    Thread *t = thread_attach_current("main", false);
    if (!t) vm_exit_during_init("java.lang.OutOfMemoryError: no memory for the main thread");
    for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
        int64_t begin = os_nanos();
        steps[i].run(t);
        if (log_on(LOG_STARTUPTIME))
            log_print(LOG_STARTUPTIME, "%s, %.7f secs", steps[i].name, (double)(os_nanos() - begin) / 1e9);
        if (t->exception) die_of_exception(t, steps[i].name);
    }
    if (log_on(LOG_STARTUPTIME)) log_print(LOG_STARTUPTIME, "Create VM, %.7f secs", (double)(os_nanos() - vm.start_nanos) / 1e9);
    *env = (JNIEnv *)&t->env;
    return JNI_OK;
}

bool thread_make_java(Thread *t, const char *name, Object *group, bool daemon, int priority) {
    Object *o = heap_alloc_object(t, JC(Thread));
    if (!o) return false;
    __atomic_store_n(&t->java_thread, o, __ATOMIC_RELEASE); /* the constructor calls Thread.currentThread(); thread_object */
    JSET_LONG(o, Thread, eetop, (int64_t)(intptr_t)t);
    JSET_INT(o, Thread, priority, priority);
    Slot a[3] = {{.ref = o}, {.ref = group}, {.ref = name ? string_from_platform(t, name) : NULL}};
    if (!exec_call(t, jc_method(name ? JM_Thread_init_name : JM_Thread_init_runnable), a, NULL)) return false;
    JSET_BOOL(o, Thread, daemon, daemon);
    JSET_INT(o, Thread, threadStatus, JT_RUNNABLE);
    return true;
}
