/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_starve - lets one allocation of a redefinition fail (redefine/Starve.java).
 *
 * On the heap by graft.redefinition.Starve.  Native ones: this library is also preloaded, so the VM's malloc is the one
 * here; it fails once for the thread that redefines, while the redefinition may still be refused, when the VM
 * itself asks.  SHOW=1: the places that did not get memory, as offsets in libjvm.so.
 */
#include "agent_test.h"
#include <dlfcn.h>
#include <link.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

#define OWN __attribute__((tls_model("initial-exec"))) static _Thread_local
OWN long countdown; /* 0: nothing fails */
OWN const volatile jint *state;
static char *vm_from, *vm_to;
static bool show;

static bool starves(const void *caller) {
    if (!countdown || !state || !*state || (char *)caller < vm_from || (char *)caller >= vm_to || --countdown) return false;
    if (show) fprintf(stderr, "starved: %lx\n", (long)((char *)caller - vm_from));
    return true;
}

#define INSTEAD __attribute__((visibility("default")))
INSTEAD void *malloc(size_t n) { return starves(__builtin_return_address(0)) ? NULL : __libc_malloc(n); }
INSTEAD void *calloc(size_t n, size_t m) { return starves(__builtin_return_address(0)) ? NULL : __libc_calloc(n, m); }
INSTEAD void *realloc(void *p, size_t n) { return starves(__builtin_return_address(0)) ? NULL : __libc_realloc(p, n); }
INSTEAD void *aligned_alloc(size_t a, size_t n) { return starves(__builtin_return_address(0)) ? NULL : __libc_memalign(a, n); }

static jvmtiEnv *ti;
static jvmtiExtensionFunction starve;

/* What the VM has mapped as code. */
static int find_vm(struct dl_phdr_info *info, size_t size, void *arg) {
    if (!strstr(info->dlpi_name, "/libjvm.so")) return 0;
    vm_from = (char *)info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X)
            vm_to = vm_from + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    return 1;
}

/* The error; has an allocation failed? -> 1000 more. */
JNIEXPORT jint JNICALL Java_redefine_Starve_redefine(JNIEnv *env, jclass me, jobjectArray classes, jobjectArray bytes,
                                                     jboolean heap, jint nth) {
    jint n = (*env)->GetArrayLength(env, classes);
    jvmtiClassDefinition *d = calloc((size_t)n + 1, sizeof *d);
    for (jint i = 0; i < n; i++) {
        jbyteArray b = (*env)->GetObjectArrayElement(env, bytes, i);
        d[i] = (jvmtiClassDefinition){(*env)->GetObjectArrayElement(env, classes, i), (*env)->GetArrayLength(env, b),
                                      (unsigned char *)(*env)->GetByteArrayElements(env, b, NULL)};
    }
    MUST(starve(ti, heap ? nth : 0, &state));
    countdown = heap ? 0 : nth;
    jvmtiError e = (*ti)->RedefineClasses(ti, n, d);
    bool failed = nth && (heap ? state[1] : countdown) == 0;
    countdown = 0;
    MUST(starve(ti, 0, &state));
    for (jint i = 0; i < n; i++)
        (*env)->ReleaseByteArrayElements(env, (*env)->GetObjectArrayElement(env, bytes, i), (jbyte *)d[i].class_bytes, JNI_ABORT);
    free(d);
    return (jint)e + (failed ? 1000 : 0);
}

JNIEXPORT jstring JNICALL Java_redefine_Starve_nameOf(JNIEnv *env, jclass me, jint error) {
    return (*env)->NewStringUTF(env, error_name((jvmtiError)error));
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiExtensionFunctionInfo *v = NULL;
    jint n = 0;
    ti = new_env(vm);
    show = getenv("SHOW") != NULL;
    dl_iterate_phdr(find_vm, NULL);
    jvmtiCapabilities caps = {.can_redefine_classes = 1};
    MUST((*ti)->AddCapabilities(ti, &caps));
    MUST((*ti)->GetExtensionFunctions(ti, &n, &v));
    for (jint i = 0; i < n; i++)
        if (!strcmp(v[i].id, "graft.redefinition.Starve")) starve = v[i].func;
    return starve && vm_to ? JNI_OK : JNI_ERR;
}
