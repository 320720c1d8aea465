/* SPDX-License-Identifier: Apache-2.0 */
/*
 * VM-made Java threads.  They are daemons of the system group; Java sees them.
 * The Signal Dispatcher hands each signal to jdk.internal.misc.Signal.dispatch
 * (which starts a thread per signal); SIGQUIT is either the knock of an attaching process
 * (attach.c) or a request for a thread dump on standard output.
 */
#include "serve/service_threads.h"
#include "core/hooks.h"
#include "core/options.h"
#include "core/vm.h"
#include "exec/exec.h"
#include "exec/throw.h"
#include "serve/diag.h"
#include "jvm/jvm_thread.h"
#include "link/link.h"
#include "serve/attach.h"
#include <signal.h>
#include <stdlib.h>

static void dump_to_stdout(Thread *t) {
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    if (!out) return;
    thread_dump(t, out, vm_options.dump_locks, false);
    fprintf(out, "\nHeap\n");
    heap_print_info(out);
    fputc('\n', out);
    fclose(out);
    THREAD_BLOCKING(t) {
        fwrite(text, 1, len, stdout);
        fflush(stdout);
    }
    free(text);
}

static void signal_dispatcher(Thread *t, void *arg) {
    /* A process started by HotSpot inherits SIGQUIT blocked; one thread that takes it is enough. */
    sigset_t quit;
    sigemptyset(&quit);
    sigaddset(&quit, SIGQUIT);
    if (!vm_options.reduce_signals) pthread_sigmask(SIG_UNBLOCK, &quit, NULL);
    for (;;) {
        int sig = jvm_signal_wait(t);
        if (sig != SIGQUIT) {
            exec_call_static(t, "jdk/internal/misc/Signal", "dispatch", "(I)V", sig);
            t->exception = NULL;
            continue;
        }
        if (attach_knocked(t)) continue;
        dump_to_stdout(t);
        HOOK_CALL(DATA_DUMP, data_dump);
    }
}

void service_threads_start(Thread *t) {
    jvm_signals_init();
    if (!vm_options.reduce_signals && !service_thread_start(t, "Signal Dispatcher", 9, signal_dispatcher))
        vm_exit_during_init("cannot start thread %s", "Signal Dispatcher");
}
