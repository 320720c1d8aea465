/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the VM adds to a crash report, and the order of all its sections.  Signal-handler rules as in
 * os/crash.h: nothing here allocates, locks or walks a structure that another thread may be changing
 * without being prepared to read nonsense (a fault ends the section).
 */
#include "core/events.h"
#include "core/hooks.h"
#include "core/launch.h"
#include "core/options.h"
#include "core/vm.h"
#include "frame/frame_view.h"
#include "serve/diag.h"
#include "jit/jit.h"
#include "jvm/jvm_int.h"
#include "os/crash.h"

#include <stdlib.h>
#include <unistd.h>

enum { MAX_THREADS = 4096 };

/* ---- head ---- */

/* JAVA_RUNTIME_VERSION="..." of the JDK's file `release`. */
static void runtime_version(char *to, size_t len) {
    char path[4096], text[2048];
    *to = 0;
    snprintf(path, sizeof path, "%s/release", vm.java_home ? vm.java_home : "");
    os_read_text(path, text, sizeof text);
    const char *p = strstr(text, "JAVA_RUNTIME_VERSION=\"");
    if (!p) return;
    p += strlen("JAVA_RUNTIME_VERSION=\"");
    size_t k = strcspn(p, "\"\n");
    if (k >= len) k = len - 1;
    memcpy(to, p, k);
    to[k] = 0;
}

static void step_versions(const CrashInfo *c) {
    char version[128];
    runtime_version(version, sizeof version);
    crash_print("# JRE version: OpenJDK Runtime Environment (%.*s) (build %s)\n", (int)strcspn(version, "-"), version, version);
    crash_print("# Java VM: Graft VM (" GRAFT_VERSION ", %s, compressed oops, compressed class ptrs, graft gc, linux-" CPU_NAME
                ")\n",
                !jit_on                               ? "interpreted mode"
                : vm_options.run_mode == RUN_COMPILED ? "compiled mode"
                                                      : "mixed mode");
}

static void step_summary(const CrashInfo *c) {
    crash_print("\n---------------  S U M M A R Y ------------\n\nCommand Line:");
    for (int i = 0; i < n_vm_arguments; i++)
        if (!argument_of_launcher(vm_arguments[i])) crash_print(" %s", vm_arguments[i]);
    crash_print(" %s\n\n", java_command ? java_command : "");
}

static void print_duration(double s) {
    long n = (long)s;
    crash_print(" elapsed time: %ld.%06ld seconds (%ldd %ldh %ldm %lds)\n\n", n, (long)((s - (double)n) * 1e6), n / 86400,
                n / 3600 % 24, n / 60 % 60, n % 60);
}
static void step_elapsed(const CrashInfo *c) { print_duration(vm.start_nanos ? (double)(os_nanos() - vm.start_nanos) / 1e9 : 0); }

/* ---- threads ---- */

static void print_java_string(const Object *s) {
    Object *value = s ? JGET_REF(s, String, value) : NULL;
    if (!value) return;
    bool utf16 = OBJ_FIELD(u1, s, jc_off.String_coder) != 0;
    int32_t n = array_len(value) >> utf16;
    for (int32_t i = 0; i < n && i < 200; i++) {
        u4 ch = utf16 ? ((const u2 *)array_data(value))[i] : ((const u1 *)array_data(value))[i];
        crash_print("%c", ch >= ' ' && ch < 127 ? (char)ch : '?');
    }
}

static const char *state_name(const Thread *k) {
    FrameView v = view_youngest(k);
    switch (atomic_load(&k->state)) {
    case THREAD_NEW: return "_thread_new";
    case THREAD_JAVA: return view_exists(v) && view_is_vm_native(v) ? "_thread_in_vm" : "_thread_in_Java";
    case THREAD_NATIVE: return view_exists(v) && view_is_native(v) ? "_thread_in_native" : "_thread_blocked";
    default: return "_thread_terminated";
    }
}

static void print_thread(const Thread *k) {
    crash_print("0x%016lx JavaThread \"", (unsigned long)(uintptr_t)k);
    if (k->java_thread && JC(Thread)) print_java_string(JGET_REF(k->java_thread, Thread, name));
    else crash_print("%s", k->name);
    crash_print("\"%s [%s, id=%d, stack(0x%016lx,0x%016lx)]\n", k->is_daemon ? " daemon" : "", state_name(k), k->os_tid,
                (unsigned long)(uintptr_t)k->c_stack_low, (unsigned long)(uintptr_t)k->c_stack_base);
}

static void step_thread(const CrashInfo *c) {
    Thread *t = thread_self();
    crash_print("---------------  T H R E A D  ---------------\n\n");
    if (t) {
        crash_print("Current thread: ");
        print_thread(t);
    } else {
        crash_print("Current thread is native thread\n");
    }
    crash_print("\n");
}

static bool print_compiled(uintptr_t pc) {
    const CodeBlob *b = jit_blob_at(pc);
    if (!b) return false;
    crash_print("J %u c1 %s.%s%s (%u bytes) @ 0x%016lx [0x%016lx+0x%016lx] bci %d", b->id, b->method->holder->name->bytes,
                b->method->name->bytes, b->method->desc->bytes, b->method->code_len, pc, (uintptr_t)b->code,
                pc - (uintptr_t)b->code, jit_bci_at(b, pc));
    return true;
}

static void step_java_stack(const CrashInfo *c) {
    Thread *t = thread_self();
    const CodeBlob *runs = c->context && jit_contains(c->pc) ? jit_blob_at(c->pc) : NULL;
    const Frame *youngest = runs ? (const Frame *)crash_frame_pointer(c) : NULL; /* compiled code keeps its frame there */
    if (!t || (!youngest && !view_exists(view_youngest(t)))) return;
    crash_print("Java frames: (J=compiled, j=interpreted)\n");
    crash_print_frames(t, youngest, runs ? runs->method : NULL);
    crash_print("\n");
}

static void step_threads(const CrashInfo *c) {
    Thread *t = thread_self();
    int n = 0;
    crash_print("\n---------------  P R O C E S S  ---------------\n\nJava Threads: ( => current thread )\n");
    for (const Thread *k = threads_head; k && n < MAX_THREADS; k = k->next, n++) {
        crash_print(k == t ? "=>" : "  ");
        print_thread(k);
    }
    crash_print("\n");
}

/* ---- the VM ---- */

static void step_state(const CrashInfo *c) {
    static const char *const phases[] = {"agents load", "primordial", "early start", "start", "live", "dead"};
    int phase = atomic_load(&vm.phase);
    crash_print("VM state: %s\nVM phase: %s\n\n",
                safepoint_active()                  ? "at safepoint (shutting down or in a VM operation)"
                : atomic_load(&safepoint_requested) ? "synchronizing"
                                                    : "not at safepoint (normal execution)",
                phase >= 0 && phase < (int)ARRAY_LEN(phases) ? phases[phase] : "unknown");
}

static void step_heap(const CrashInfo *c) {
    if (!heap_max()) return;
    crash_print("Heap:\n graft heap      total %zuK, used %zuK, max %zuK\n", heap_committed() >> 10, heap_used() >> 10,
                heap_max() >> 10);
    crash_print("GC: %lu collections, %ld ms\n\n", (unsigned long)heap_gc_count(), (long)heap_gc_millis());
}

static void step_events(const CrashInfo *c) {
    char line[512];
    for (int l = 0; l < N_EVENT_LOGS; l++) {
        int n = event_count((EventLog)l);
        crash_print("%s (%d events):\n%s", event_log_title((EventLog)l), n, n ? "" : "No events\n");
        for (int i = 0; i < n; i++) {
            event_line((EventLog)l, i, line, sizeof line);
            crash_print("%s\n", line);
        }
        crash_print("\n");
    }
}

static void step_agents(const CrashInfo *c) {
    crash_print("JVM TI agents:\n");
    for (const VmExtension **x = vm_extensions; *x; x++)
        for (int i = 0; (*x)->agent_name && (*x)->agent_name(i); i++) crash_print("  %s\n", (*x)->agent_name(i));
    crash_print("\n");
}

static void step_arguments(const CrashInfo *c) {
    crash_print("VM Arguments:\n");
    if (n_vm_arguments) crash_print("jvm_args:");
    for (int i = 0; i < n_vm_arguments; i++)
        if (!argument_of_launcher(vm_arguments[i])) crash_print(" %s", vm_arguments[i]);
    const char *cp = property_get("java.class.path"), *launcher = property_get("sun.java.launcher");
    crash_print("%sjava_command: %s\njava_class_path (initial): %s\nLauncher Type: %s\n\n", n_vm_arguments ? "\n" : "",
                java_command ? java_command : "<unknown>", cp && *cp ? cp : "<not set>", launcher ? launcher : "generic");
}

static void step_system_head(const CrashInfo *c) { crash_print("\n---------------  S Y S T E M  ---------------\n\n"); }
static void step_vm_info(const CrashInfo *c) {
    crash_print("vm_info: Graft VM (" GRAFT_VERSION ") for linux-" CPU_NAME ", built with " __VERSION__ "\n\n");
}

static const CrashStep steps[] = {{"printing fatal error message", CRASH_BOTH, false, crash_step_header},
                                  {"printing version", CRASH_BOTH, true, step_versions},
                                  {"printing problematic frame", CRASH_BOTH, false, crash_step_problem},
                                  {"printing core file information", CRASH_BOTH, false, crash_step_core},
                                  {"printing file name", CRASH_CONSOLE_ONLY, false, crash_step_file_name},
                                  {"printing blame", CRASH_BOTH, false, crash_step_blame},
                                  {"printing summary", CRASH_FILE_ONLY, true, step_summary},
                                  {"printing host", CRASH_FILE_ONLY, true, crash_step_host_time},
                                  {"printing time", CRASH_FILE_ONLY, true, step_elapsed},
                                  {"printing current thread", CRASH_FILE_ONLY, false, step_thread},
                                  {"printing native stack", CRASH_FILE_ONLY, false, crash_step_native_stack},
                                  {"printing Java stack", CRASH_FILE_ONLY, false, step_java_stack},
                                  {"printing siginfo", CRASH_FILE_ONLY, false, crash_step_siginfo},
                                  {"printing registers", CRASH_FILE_ONLY, false, crash_step_registers},
                                  {"printing register info", CRASH_FILE_ONLY, false, crash_step_register_map},
                                  {"printing top of stack", CRASH_FILE_ONLY, false, crash_step_stack_top},
                                  {"printing code", CRASH_FILE_ONLY, false, crash_step_code},
                                  {"printing all threads", CRASH_FILE_ONLY, false, step_threads},
                                  {"printing VM state", CRASH_FILE_ONLY, true, step_state},
                                  {"printing heap information", CRASH_FILE_ONLY, true, step_heap},
                                  {"printing event logs", CRASH_FILE_ONLY, true, step_events},
                                  {"printing dynamic libraries", CRASH_FILE_ONLY, true, crash_step_libraries},
                                  {"printing agents", CRASH_FILE_ONLY, true, step_agents},
                                  {"printing VM options", CRASH_FILE_ONLY, true, step_arguments},
                                  {"printing environment variables", CRASH_FILE_ONLY, true, crash_step_environment},
                                  {"printing signal handlers", CRASH_FILE_ONLY, true, crash_step_signals},
                                  {"printing system", CRASH_FILE_ONLY, true, step_system_head},
                                  {"printing OS information", CRASH_FILE_ONLY, true, crash_step_system},
                                  {"printing VM version", CRASH_FILE_ONLY, true, step_vm_info},
                                  {"printing end", CRASH_FILE_ONLY, true, crash_step_end},
                                  {NULL, CRASH_BOTH, false, NULL}};

static bool stack_bounds(u1 **low, u1 **base) {
    Thread *t = thread_self();
    if (!t) return false;
    *low = t->c_stack_low;
    *base = t->c_stack_base;
    return true;
}

void crash_vm_init(void) {
    crash_steps = steps;
    crash_stack_bounds = stack_bounds;
    crash_print_compiled = print_compiled;
    crash_options = (CrashOptions){.error_file = vm_options.error_file,
                                   .on_error = vm_options.on_error,
                                   .no_core = !vm_options.core_on_crash,
                                   .to_stdout = vm_options.error_to_stdout,
                                   .to_stderr = vm_options.error_to_stderr,
                                   .abort_hook = vm.abort_hook};
}
