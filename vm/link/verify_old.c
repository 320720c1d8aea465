/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verification by type inference (JVMS 4.10.2), for class files older than
 * version 50: the JDK's own libverify, which asks the VM about the class
 * through JVM_GetMethodIx* and friends.  It is native code: the call is made
 * in state NATIVE with a local frame for the references it creates.
 */
#include "core/reserve.h"
#include "heap/handle.h"
#include "link/link_int.h"
#include "native/native.h"

#include <dlfcn.h>

typedef jboolean (*VerifyFn)(JNIEnv *, jclass, char *, jint, jint);
enum { VERIFY_FAILED, VERIFY_OK, VERIFY_NO_MEMORY, VERIFY_BAD_FORMAT, MESSAGE_SIZE = 8192 };

static VerifyFn find_verifier(void) {
    static VerifyFn fn;
    if (!fn && native_libverify) fn = (VerifyFn)dlsym(native_libverify, "VerifyClassForMajorVersion");
    return fn;
}

static _Thread_local ClassVersion *under_verification;

ClassVersion *version_under_verification(Class *c) {
    ClassVersion *v = under_verification;
    return v && v->klass == c ? v : c->version;
}

bool verify_by_inference(Thread *t, ClassVersion *v) {
    Class *c = v->klass;
    ClassVersion *outer = under_verification;
    VerifyFn fn = find_verifier();
    char message[MESSAGE_SIZE] = "";
    HandleScope scope;
    jclass h;
    jboolean result = VERIFY_FAILED;

    if (!fn) return throw_new(t, EX_InternalError, "libverify is not available to verify class %s", c->name->bytes), false;
    if (!reserve_ready()) return throw_no_memory(t), false;
    scope = handle_scope_begin(t);
    h = (jclass)handle_local(t, c->mirror);
    under_verification = v;
    THREAD_BLOCKING(t) { result = fn(&t->env, h, message, MESSAGE_SIZE, v->major); }
    under_verification = outer;
    handle_scope_end(t, scope);
    if (t->exception) return false;
    switch (result) {
    case VERIFY_OK: return true;
    case VERIFY_NO_MEMORY: throw_oom(t, message); return false;
    case VERIFY_BAD_FORMAT: throw_new(t, EX_ClassFormatError, "%s", message); return false;
    default: throw_new(t, EX_VerifyError, "%s", message); return false;
    }
}
