/* SPDX-License-Identifier: Apache-2.0 */
#include <jni.h>
#include <stdint.h>

JNIEXPORT void JNICALL Java_Asking_callBack(JNIEnv *env, jclass c, jobject a, jint times) {
    jmethodID back = (*env)->GetMethodID(env, c, "back", "(I)V");
    for (jint i = 0; i < times; i++) {
        jvalue v = {.i = i};
        if (i % 2) (*env)->CallVoidMethodA(env, a, back, &v);
        else (*env)->CallVoidMethod(env, a, back, i);
    }
    if (times < 0) (*env)->CallStaticVoidMethod(env, c, (*env)->GetStaticMethodID(env, c, "fail", "(I)V"), (int)times);
}
JNIEXPORT void JNICALL Java_Asking_callStatics(JNIEnv *env, jclass c, jdouble d, jlong l) {
    jmethodID add = (*env)->GetStaticMethodID(env, c, "add", "(BFDJC)D");
    (*env)->CallStaticDoubleMethod(env, c, add, 3, 1.5, d, l, 'x');
    (*env)->SetStaticDoubleField(env, c, (*env)->GetStaticFieldID(env, c, "sum", "D"),
                                 1000 + (*env)->CallStaticDoubleMethod(env, c, add, -1, -0.5, d, l, 'y'));
}
JNIEXPORT jobject JNICALL Java_Asking_make(JNIEnv *env, jclass c, jstring s) {
    return (*env)->NewObject(env, c, (*env)->GetMethodID(env, c, "<init>", "(Ljava/lang/String;)V"), s);
}
JNIEXPORT jlong JNICALL Java_Asking_keep(JNIEnv *env, jclass c, jobject o, jboolean weak) {
    return (jlong)(intptr_t)(weak ? (*env)->NewWeakGlobalRef(env, o) : (*env)->NewGlobalRef(env, o));
}
JNIEXPORT void JNICALL Java_Asking_drop(JNIEnv *env, jclass c, jlong ref, jboolean weak) {
    if (weak) (*env)->DeleteWeakGlobalRef(env, (jweak)(intptr_t)ref);
    else (*env)->DeleteGlobalRef(env, (jobject)(intptr_t)ref);
}
JNIEXPORT jint JNICALL Java_Asking_told(JNIEnv *env, jclass c, jboolean z, jbyte b, jchar h, jshort s, jint i, jlong j, jfloat f,
                                        jdouble d, jstring text, jbyteArray bytes, jintArray ints, jobject o, jobjectArray none) {
    return (jint)(z + b + h + s + i + j + f + d) + (*env)->GetStringLength(env, text) + (*env)->GetArrayLength(env, bytes);
}
/* IsVirtualThread, which JDK 21 has and our header has not: false. */
JNIEXPORT jboolean JNICALL Java_Asking_beyond(JNIEnv *env, jclass c, jobject thread) {
    typedef jboolean(JNICALL * Function)(JNIEnv *, jobject);
    Function *table = *(Function **)env;
    return (*env)->GetVersion(env) >= 0x150000 && table[234](env, thread);
}
JNIEXPORT void JNICALL Java_Asking_of(JNIEnv *env, jobject self, jstring text) {}
