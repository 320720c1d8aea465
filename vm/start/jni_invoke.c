/* SPDX-License-Identifier: Apache-2.0 */
/* The invocation interface (JNI chapter 5). */
#include "core/hooks.h"
#include "core/tsan.h"
#include "core/vm.h"
#include "frame/frame_view.h"
#include "jvm/jvm_thread.h"
#include "native/native.h"
#include "options/vm_args.h"
#include "start/start.h"

#define EXPORT __attribute__((visibility("default")))

static const struct JNIInvokeInterface_ *java_vm_cell;
static _Atomic int created; /* 1 while it starts, 2, 3 when it has ended */

typedef struct Args11 { /* the JDK 1.1 layout, no longer in jni.h */
    jint version;
    char **properties;
    jint check_source, native_stack_size, java_stack_size;
} Args11;

EXPORT jint JNI_GetDefaultJavaVMInitArgs(void *args) {
    Args11 *a11 = args;
    if (a11->version == JNI_VERSION_1_1) { /* refused, but the launcher takes the stack size from it */
        a11->java_stack_size = (1 << 20) + TSAN_STACK;
        return JNI_ERR;
    }
    return native_is_version(((JavaVMInitArgs *)args)->version) ? JNI_OK : JNI_ERR;
}

EXPORT jint JNI_GetCreatedJavaVMs(JavaVM **buf, jsize len, jsize *n) {
    bool up = atomic_load(&created) == 2;
    if (n) *n = up;
    if (up && len > 0 && buf) *buf = &java_vm_cell;
    return JNI_OK;
}

EXPORT jint JNI_CreateJavaVM(JavaVM **pvm, void **penv, void *args) {
    if (!native_is_version(((JavaVMInitArgs *)args)->version)) return JNI_EVERSION;
    int expected = 0;
    if (atomic_load(&created) == 3) return JNI_ERR; /* one VM per process, for good */
    if (!atomic_compare_exchange_strong(&created, &expected, 1)) return JNI_EEXIST;
    java_vm_cell = &jni_invoke_table;
    vm.invoke = &jni_invoke_table;
    vm.java_vm = &java_vm_cell;
    JNIEnv *env = NULL;
    jint rc = vm_args_parse(args);
    if (rc == JNI_OK) rc = startup_run(&env);
    if (rc != JNI_OK) {
        atomic_store(&created, 0);
        return rc;
    }
    atomic_store(&created, 2);
    *pvm = &java_vm_cell;
    *penv = env;
    thread_to_native(thread_self());
    return JNI_OK;
}

static jint JNICALL invoke_destroy(JavaVM *v) {
    JNIEnv *env;
    if (atomic_load(&created) != 2) return JNI_ERR;
    JavaVMAttachArgs args = {JNI_VERSION_1_2, "DestroyJavaVM", NULL};
    jint rc = (*v)->AttachCurrentThread(v, (void **)&env, &args);
    if (rc != JNI_OK) return rc;
    shutdown_run(native_enter(env));
    return JNI_OK;
}

void invoke_end(void) { atomic_store(&created, 3); }
static bool has_ended(void) { return atomic_load(&created) == 3; } /* the world stands still, for good */

static jint attach(void **penv, const JavaVMAttachArgs *args, bool daemon) {
    if (has_ended()) return *penv = NULL, JNI_ERR;
    Thread *t = thread_self();
    if (t) return *penv = &t->env, JNI_OK;
    t = thread_attach_current(args && args->name ? args->name : "Thread", daemon);
    if (!t) return JNI_ENOMEM;
    t->attached_by_jni = true;
    Object *group = args && args->group ? handle_get(args->group) : vm.main_thread_group;
    if (!thread_make_java(t, args ? args->name : NULL, group, daemon, 5)) {
        t->exception = NULL;
        thread_detach_current(t);
        return JNI_ERR;
    }
    thread_group_add(t);
    HOOK_CALL(THREAD_START, thread_start, t);
    *penv = &t->env;
    thread_to_native(t);
    return JNI_OK;
}
static jint JNICALL invoke_attach(JavaVM *v, void **penv, void *args) { return attach(penv, args, false); }
static jint JNICALL invoke_attach_daemon(JavaVM *v, void **penv, void *args) { return attach(penv, args, true); }

static jint JNICALL invoke_detach(JavaVM *v) {
    Thread *t = thread_self();
    if (has_ended()) return JNI_ERR;
    if (!t) return JNI_OK;
    if (view_exists(view_youngest(t))) return JNI_ERR; /* Java frames on the stack: not allowed */
    thread_to_java(t);
    thread_java_exit(t);
    thread_detach_current(t);
    return JNI_OK;
}

static jint JNICALL invoke_get_env(JavaVM *v, void **penv, jint version) {
    for (const VmExtension **x = vm_extensions; *x; x++) {
        int rc;
        if ((*x)->get_env && (*x)->get_env(penv, version, &rc)) return rc;
    }
    Thread *t = thread_self();
    *penv = NULL;
    if (!t || has_ended()) return JNI_EDETACHED;
    if (version != JNI_VERSION_1_1 && !native_is_version(version)) return JNI_EVERSION;
    *penv = &t->env;
    return JNI_OK;
}

const struct JNIInvokeInterface_ jni_invoke_table = {
    .DestroyJavaVM = invoke_destroy,
    .AttachCurrentThread = invoke_attach,
    .DetachCurrentThread = invoke_detach,
    .GetEnv = invoke_get_env,
    .AttachCurrentThreadAsDaemon = invoke_attach_daemon,
};
