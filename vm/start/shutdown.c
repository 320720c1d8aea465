/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of the VM.  Two roads lead here: DestroyJavaVM after the last user
 * thread (shutdown_run returns, the embedder goes on), and vm_halt from
 * Runtime.halt / System.exit (never returns).  Either way: VMDeath once, then
 * no Java code, then the world is stopped for good so that daemon threads can
 * touch nothing while the process unwinds, then Agent_OnUnload.
 */
#include "core/hooks.h"
#include "core/options.h"
#include "core/vm.h"
#include "exec/exec.h"
#include "jit/jit.h"
#include "load/loader.h"
#include "serve/attach.h"
#include "serve/perfdata.h"
#include "start/start.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static _Atomic int ending;

/* t: the current thread, if it is one of Java. */
static void announce_death(Thread *t) {
    if (atomic_exchange(&ending, 1)) { /* somebody else is ending the process */
        if (t) thread_to_native(t);
        for (;;) pause();
    }
    attach_stop();
    perfdata_stop();
    if (vm_options.perf_map_at_exit) jit_write_perf_map();
    if (vm_options.compile_times) jit_print_times(stdout);
    for (const VmExtension **x = vm_extensions; *x; x++)
        if ((*x)->phase_changed) (*x)->phase_changed(VM_DEAD); /* posts VMDeath while Java still runs */
    atomic_store(&vm.phase, VM_DEAD);
}
static void unload_agents(void *unused) {
    for (const VmExtension **x = vm_extensions; *x; x++)
        if ((*x)->unload_agents) (*x)->unload_agents();
}

static void exit_process(void *arg) {
    int code = *(int *)arg;
    unload_agents(NULL);
    fflush(NULL);
    if (vm.exit_hook) vm.exit_hook(code);
    exit(code);
}

static void halt(int code) {
    Thread *t = thread_self();
    announce_death(t);
    if (t) safepoint_run("exit", exit_process, &code);
    else exit_process(&code);
    _exit(code);
}

void shutdown_init(void) { vm_halt_hook = halt; }

void shutdown_run(Thread *t) {
    thread_wait_for_last(t);
    exec_call_static(t, "java/lang/Shutdown", "shutdown", "()V");
    t->exception = NULL;
    announce_death(t);
    fflush(NULL);
    invoke_end();
    safepoint_freeze(unload_agents, NULL);
}
