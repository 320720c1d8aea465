/* SPDX-License-Identifier: Apache-2.0 */
#include <jni.h>

JNIEXPORT jint JNICALL Java_Counted_add(JNIEnv *env, jclass c, jint a, jint b) { return a + b; }
JNIEXPORT jdouble JNICALL Java_Counted_mix(JNIEnv *env, jclass c, jbyte b, jlong l, jfloat f, jdouble d, jchar h) {
    return b + (jdouble)l + f + d + h;
}
JNIEXPORT jstring JNICALL Java_Counted_name(JNIEnv *env, jobject self, jstring prefix) {
    const char *p = (*env)->GetStringUTFChars(env, prefix, NULL);
    jstring s = (*env)->NewStringUTF(env, p);
    (*env)->ReleaseStringUTFChars(env, prefix, p);
    return s;
}
JNIEXPORT jlong JNICALL Java_Counted_sum(JNIEnv *env, jclass c, jintArray a, jbyteArray b, jlongArray none) {
    jint v[3];
    (*env)->GetIntArrayRegion(env, a, 0, 3, v);
    return v[0] + v[1] + v[2] + (*env)->GetArrayLength(env, b) + (none ? 1000 : 0);
}
JNIEXPORT void JNICALL Java_Counted_fail(JNIEnv *env, jclass c, jint when) {
    if (when % 3 == 1) (*env)->ThrowNew(env, (*env)->FindClass(env, "java/io/IOException"), "as asked");
}
JNIEXPORT jobject JNICALL Java_Counted_self(JNIEnv *env, jobject self) { return self; }
JNIEXPORT jint JNICALL Java_Counted__00024graft__I(JNIEnv *env, jclass c, jint x) { return x + 10; }
JNIEXPORT jint JNICALL Java_Counted__00024graft__J(JNIEnv *env, jclass c, jlong x) { return (jint)x + 20; }
