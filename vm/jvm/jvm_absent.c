/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts that this VM does not have: class-data sharing (CDS) and its dumping, and
 * asynchronous stack sampling.  The answers are those of a VM with the feature off.
 */
#include "jvm/jvm_int.h"

/* ---- class-data sharing ---- */

JVM_EXPORT jboolean JVM_IsSharingEnabled(JNIEnv *env) { return JNI_FALSE; }
JVM_EXPORT jboolean JVM_IsCDSDumpingEnabled(JNIEnv *env) { return JNI_FALSE; }
JVM_EXPORT jboolean JVM_IsDumpingClassList(JNIEnv *env) { return JNI_FALSE; }
JVM_EXPORT jlong JVM_GetRandomSeedForDumping(void) { return 0; }
JVM_EXPORT void JVM_InitializeFromArchive(JNIEnv *env, jclass cls) {}
JVM_EXPORT void JVM_DefineArchivedModules(JNIEnv *env, jobject platform, jobject system) {}
JVM_EXPORT void JVM_RegisterLambdaProxyClassForArchiving(JNIEnv *env, jclass caller, jstring name, jobject factory,
                                                         jobject interface_type, jobject implementation, jobject dynamic_type,
                                                         jclass proxy) {}
JVM_EXPORT jclass JVM_LookupLambdaProxyClassFromArchive(JNIEnv *env, jclass caller, jstring name, jobject factory,
                                                        jobject interface_type, jobject implementation, jobject dynamic_type) {
    return NULL;
}
JVM_EXPORT void JVM_LogLambdaFormInvoker(JNIEnv *env, jstring line) {}

static void refuse(JNIEnv *env, const char *what) {
    IN_JAVA Thread *t = native_enter(env);
    throw_new(t, EX_UnsupportedOperationException, "%s is not supported by this VM", what);
}
JVM_EXPORT void JVM_DumpClassListToFile(JNIEnv *env, jstring file) { refuse(env, "class list dumping"); }
JVM_EXPORT void JVM_DumpDynamicArchive(JNIEnv *env, jstring archive) { refuse(env, "dynamic archiving"); }
