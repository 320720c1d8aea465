/* SPDX-License-Identifier: Apache-2.0 */
/* Time, memory, properties, libraries, exit, formatted output. */
#include "jvm/jvm_int.h"

#include "core/launch.h"
#include "core/options.h"
#include "core/vm.h"
#include "os/os.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- time ---- */

JVM_EXPORT jlong JVM_CurrentTimeMillis(JNIEnv *env, jclass ignored) { return os_millis(); }
JVM_EXPORT jlong JVM_NanoTime(JNIEnv *env, jclass ignored) { return os_nanos(); }
JVM_EXPORT jlong JVM_GetNanoTimeAdjustment(JNIEnv *env, jclass ignored, jlong offset) {
    const int64_t limit = (int64_t)1 << 32;
    int64_t seconds, nanos;
    os_wall(&seconds, &nanos);
    int64_t diff;
    if (__builtin_sub_overflow(seconds, offset, &diff) || diff > limit || diff < -limit) return -1;
    return diff * 1000000000 + nanos;
}

/* ---- processors and memory; callable with or without an attached thread ---- */

JVM_EXPORT jint JVM_ActiveProcessorCount(void) { return os_processors(); }
JVM_EXPORT jboolean JVM_IsUseContainerSupport(void) { return JNI_TRUE; }
JVM_EXPORT jlong JVM_TotalMemory(void) { return (jlong)heap_committed(); }
JVM_EXPORT jlong JVM_FreeMemory(void) {
    size_t committed = heap_committed(), used = heap_used();
    return committed > used ? (jlong)(committed - used) : 0;
}
JVM_EXPORT jlong JVM_MaxMemory(void) { return (jlong)heap_max(); }
JVM_EXPORT void JVM_GC(void) {
    if (vm_options.explicit_gc_off) return;
    heap_gc_for_native(thread_self(), "System.gc()");
}
JVM_EXPORT jlong JVM_MaxObjectInspectionAge(void) {
    return os_millis() - (heap_last_full_gc_millis() ? heap_last_full_gc_millis() : vm.start_millis);
}
JVM_EXPORT jboolean JVM_SupportsCX8(void) { return JNI_TRUE; }

/* ---- exit ---- */

JVM_EXPORT void JVM_Halt(jint code) {
    Thread *t = thread_self();
    if (t) thread_to_java(t);
    vm_halt(code);
}
JVM_EXPORT void JVM_BeforeHalt(void) {}

/* ---- properties ---- */

JVM_EXPORT jobjectArray JVM_GetProperties(JNIEnv *env) {
    IN_JAVA Thread *t = native_enter(env);
    int32_t n = 0, i = 0;
    for (Property *p = properties; p; p = p->next) n += 2;
    Object *a = class_new_array(t, JC(String), n);
    for (Property *p = properties; a && p; p = p->next) {
        jvm_array_put(&a, i++, string_from_platform(t, p->key));
        if (a) jvm_array_put(&a, i++, string_from_platform(t, p->value ? p->value : ""));
    }
    return handle_local(t, a);
}

static bool put_property(Thread *t, Object *props, const char *key, const char *value) {
    Object *k = string_from_platform(t, key), *v = k ? string_from_platform(t, value) : NULL;
    exec_call_on(t, props, "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;", k, v);
    return !t->exception;
}

JVM_EXPORT jobject JVM_InitAgentProperties(JNIEnv *env, jobject props) {
    IN_JAVA Thread *t = native_enter(env);
    Object *p = handle_get(props);
    char *args = arguments_text(NULL);
    bool ok = p && put_property(t, p, "sun.java.command", java_command ? java_command : "") &&
              put_property(t, p, "sun.jvm.flags", "") && put_property(t, p, "sun.jvm.args", args ? args : "");
    free(args);
    if (!p) throw_plain(t, EX_NullPointerException);
    return ok ? props : NULL;
}

JVM_EXPORT jobjectArray JVM_GetVmArguments(JNIEnv *env) {
    int n = 0, k = 0;
    for (int i = 0; i < n_vm_arguments; i++) n += !argument_of_launcher(vm_arguments[i]);
    if (n == 0) return NULL;
    IN_JAVA Thread *t = native_enter(env);
    Object *a = class_new_array(t, JC(String), n);
    for (int i = 0; a && i < n_vm_arguments; i++)
        if (!argument_of_launcher(vm_arguments[i])) jvm_array_put(&a, k++, string_from_platform(t, vm_arguments[i]));
    return handle_local(t, a);
}

JVM_EXPORT jstring JVM_GetTemporaryDirectory(JNIEnv *env) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, string_from_cstr(t, "/tmp"));
}

/* ---- libraries ---- */

/* Java code that reads the image of modules asks libjimage for the mapping of who opened it there: the VM, on the reference.  Otherwise it maps the
 * file by a channel, for which fifty classes are loaded and linked. */
static void open_image(void *lib) {
    typedef void *(*Open)(const char *path, jint *error);
    static _Atomic bool done;
    Open open = (Open)dlsym(lib, "JIMAGE_Open");
    char path[4096];
    jint error;
    if (!open || atomic_exchange(&done, true)) return;
    snprintf(path, sizeof path, "%s/modules", vm.boot_library_path);
    open(path, &error);
}

JVM_EXPORT void *JVM_LoadLibrary(const char *name, jboolean throw_exception) {
    void *lib = dlopen(name, RTLD_LAZY);
    const char *file = strrchr(name, '/');
    if (lib && file && strcmp(file, "/libjimage.so") == 0) open_image(lib);
    if (lib || !throw_exception) return lib;
    const char *why = dlerror();
    Thread *t = thread_self();
    thread_to_java(t);
    throw_new(t, EX_UnsatisfiedLinkError, "%s: %s", name, why ? why : "unknown error");
    thread_to_native(t);
    return NULL;
}
JVM_EXPORT void JVM_UnloadLibrary(void *handle) { dlclose(handle); }
JVM_EXPORT void *JVM_FindLibraryEntry(void *handle, const char *name) { return dlsym(handle, name); }
JVM_EXPORT jboolean JVM_IsSupportedJNIVersion(jint version) { return version == JNI_VERSION_1_1 || native_is_version(version); }
JVM_EXPORT char *JVM_NativePath(char *path) { return path; }

/* ---- formatted output ---- */

JVM_EXPORT int jio_vsnprintf(char *str, size_t count, const char *fmt, va_list args) {
    if ((ssize_t)count <= 0) return -1;
    int n = vsnprintf(str, count, fmt, args);
    if (n >= 0 && (size_t)n < count) return n;
    str[count - 1] = 0;
    return -1;
}
JVM_EXPORT int jio_snprintf(char *str, size_t count, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int n = jio_vsnprintf(str, count, fmt, args);
    va_end(args);
    return n;
}
JVM_EXPORT int jio_vfprintf(FILE *f, const char *fmt, va_list args) { return vm_vfprintf(f, fmt, args); }
JVM_EXPORT int jio_fprintf(FILE *f, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int n = jio_vfprintf(f, fmt, args);
    va_end(args);
    return n;
}
JVM_EXPORT int jio_printf(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int n = jio_vfprintf(stdout, fmt, args);
    va_end(args);
    return n;
}
