/* SPDX-License-Identifier: Apache-2.0 */
#include "core/vm.h"
#include "core/hooks.h"
#include "core/options.h"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

VM vm;
VmHooks vm_hooks;
_Atomic u8 vm_hooks_enabled;
_Atomic bool vm_locals_are_read;
DirectListener *_Atomic direct_listeners[N_DIRECT];
void (*direct_changed)(Thread *t, int k, const DirectListener *told, Method *m, Slot result);

VmOptions vm_options = {
#define OPT_BOOL(id, flag, def, help) .id = def,
#define OPT_SIZE(id, flag, def, help) .id = def,
#define OPT_STR(id, flag, def, help) .id = def,
#define OPT_REAL(id, flag, def, help) .id = def,
#include "core/options.def"
};

int vm_vfprintf(FILE *f, const char *fmt, va_list ap) {
    return vm.vfprintf_hook ? vm.vfprintf_hook(f, fmt, ap) : vfprintf(f, fmt, ap);
}

int vm_fprintf(FILE *f, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int n = vm_vfprintf(f, fmt, ap);
    va_end(ap);
    return n;
}

void vm_exit_quietly(void) {
    fflush(NULL);
    if (vm.exit_hook) vm.exit_hook(1);
    _exit(1);
}

void vm_exit_during_init(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vm_fprintf(stdout, "Error occurred during initialization of VM\n"); /* where the reference's users look for it */
    vm_vfprintf(stdout, fmt, ap);
    vm_fprintf(stdout, "\n");
    va_end(ap);
    vm_exit_quietly();
}

void *vm_start_needs(void *p) {
    if (!p) vm_exit_during_init("java.lang.OutOfMemoryError: no memory for the command line");
    return p;
}

void (*vm_fatal_hook)(const char *file, int line, const char *text);
void (*vm_halt_hook)(int code);

void vm_fatal(const char *file, int line, const char *fmt, ...) {
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (vm_fatal_hook) vm_fatal_hook(file, line, text);
    fprintf(stderr, "%s:%d: %s\n", file, line, text);
    abort();
}

void vm_halt(int code) {
    if (vm_halt_hook) vm_halt_hook(code);
    _exit(code);
}

void vm_abort(void) {
    fflush(stdout);
    if (vm.abort_hook) vm.abort_hook();
    signal(SIGABRT, SIG_DFL); /* the end is wanted: no crash report */
    abort();
}
